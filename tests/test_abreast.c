/* Runs side by side: the same bits as one by one, in every kind of model, at several tolerances,
 * with events, singular positions, runs that fail and pivots that differ from lane to lane; and
 * that lanes are used where they should be. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "task/convoy.h"
#include "task/simulation.h"
#include "taut/taut.h"

static taut_errors errors;

typedef struct problem {
    const char *file, *name, *values, *trace;
    double tend, tol;
    long runs;
} problem;

static taut_model *read_model(const char *file) {
    char path[512];
    taut_model *model = NULL;
    memset(&errors, 0, sizeof errors);
    snprintf(path, sizeof path, TAUT_SOURCE_DIR "/examples/%s.yaml", file);
    if (taut_model_read(path, NULL, 0, &model, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return model;
}

static taut_study *run_study(const taut_model *model, const problem *p, bool one_by_one,
                             int threads) {
    char result[64];
    const taut_vary vary = {p->name, p->values};
    snprintf(result, sizeof result, "max(%s)", p->trace);
    const taut_report report = {NULL, result};
    taut_study_options o = taut_study_options_default();
    taut_study *study = NULL;
    o.vary = &vary, o.varies = 1;
    o.report = &report, o.reports = 1;
    o.samples = strchr(p->values, '(') ? p->runs : 0;
    o.trace = p->trace;
    o.trace_rows = 21;
    o.threads = threads;
    o.one_by_one = one_by_one;
    o.run.rtol = o.run.atol = p->tol;
    o.run.has_tend = true;
    o.run.tend = p->tend;
    if (taut_study_create(model, &o, &study, &errors) != TAUT_OK ||
        taut_study_run(study, &errors) != TAUT_OK)
        fail_msg("%s: %s", p->file, errors.item[0].message);
    return study;
}

/* Bit by bit: all results and courses, and why runs have failed. */
static void compare(const problem *p, const taut_study *a, const taut_study *b) {
    const taut_table x = taut_study_table(a), y = taut_study_table(b);
    assert_int_equal(taut_study_runs(a), taut_study_runs(b));
    for (long run = 0; run < taut_study_runs(a); run++) {
        const double *u = x.value + run * x.row_stride, *v = y.value + run * y.row_stride;
        assert_string_equal(taut_study_outcome(a, run), taut_study_outcome(b, run));
        for (int k = 0; k < x.columns; k++)
            if (memcmp(&u[k], &v[k], sizeof u[k]) != 0 && !(u[k] != u[k] && v[k] != v[k]))
                fail_msg("%s %s, tol %g, run %ld, number %d: %.17g one by one, %.17g side by side",
                         p->file, p->name, p->tol, run, k, u[k], v[k]);
    }
}

static const problem PROBLEM[] = {
    {"slider-crank", "m1", "uniform(0.9,1.1)", "s", 2, 1e-9, 16},
    {"slider-crank", "l1", "uniform(0.3,0.5)", "s", 2, 1e-6, 16},
    {"slider-crank", "m2", "uniform(0.1,10)", "s", 2, 1e-13, 16},
    {"andrews", "mom", "uniform(0.03,0.034)", "Fx", 0.01, 1e-9, 16},
    {"andrews", "c0", "uniform(4000,5000)", "Fx", 0.01, 1e-12, 10},
    {"four-bar-2", "m", "uniform(0.9,1.1)", "A1x", 3, 1e-9, 10},
    {"four-bar-2", "m", "uniform(0.9,1.1)", "A1x", 10, 1e-6, 20},
    {"four-bar-2", "m", "uniform(0.9,1.1)", "A1x", 10, 1e-9, 100}, /* pivots of all kinds */
    {"four-bar-2", "m", "uniform(0.5,2)", "A1x", 10, 1e-5, 300},
    {"four-bar-2", "l", "uniform(0.5,2)", "A1x", 10, 1e-13, 20},
    {"four-bar-2", "m", "uniform(0.9,1.1)", "A1x", -5, 1e-9, 10},
    {"four-bar-1", "l", "uniform(0.9,1.1)", "A1x", 3, 1e-10, 10},
    {"../tests/models/four-bar-uneven", "e", "uniform(-0.01,0.01)", "A1x", 10, 1e-9, 20},
    {"../tests/models/four-bar-uneven", "e", "0,1e-12,1e-9,1e-8,1e-7,1e-6,1e-5,1e-4,1e-3,1e-2",
     "A1x", 10, 1e-9, 10},
    {"pendulum", "L", "uniform(0.2,5)", "Ax", 5, 1e-9, 16},
    {"pendulum-chain-5", "m", "uniform(0.5,2)", "P5x", 1, 1e-9, 10},
    {"../tests/models/chain-in-plane", "L", "uniform(0.3,3)", "P3y", 1, 1e-9, 10}, /* signs of 0 */
    {"heavy-top", "l", "uniform(0.2,0.4)", "Cz", 1, 1e-8, 10},
    {"spatial-slider-crank", "r", "uniform(0.06,0.1)", "Cx", 0.5, 1e-9, 10},
    {"bricard", "m", "uniform(0.5,2)", "P2x", 1, 1e-10, 10},
    {"lorenz", "rho", "uniform(20,40)", "x", 3, 1e-9, 16},
    {"van-der-pol", "mu", "uniform(0.1,3)", "x", 5, 1e-9, 16},
    {"pendulum-hamiltonian", "L", "uniform(5,15)", "u", 5, 1e-9, 10},
    {"chaplygin-sleigh", "a", "uniform(0.1,0.4)", "x", 3, 1e-9, 10},
    {"mechanism0", "k", "uniform(500,2000)", "Bx", 0.3, 1e-9, 10},
    {"dc-motor", "u", "uniform(6,24)", "i", 1, 1e-9, 10},
    {"quarter-car", "v", "uniform(8,16)", "b", 1, 1e-8, 10},
    {"rscr", "m2", "uniform(0.5,2)", "Cx", 1, 1e-9, 10},
    {"../tests/models/forced-duffing", "w", "uniform(0.5,2)", "x", 10, 1e-9, 16}, /* t itself */
    {"../tests/models/forced-duffing", "w", "uniform(0.5,2)", "x", 5, 1e-13, 10},
    {"../tests/models/driven-crank", "w", "uniform(1,4)", "Bx", 3, 1e-9, 16},
    {"contact/bouncing-ball", "e", "uniform(0.5,0.9)", "Cy", 3, 1e-9, 10},
    {"contact/pendulum-stop", "L", "uniform(0.4,0.6)", "Ax", 2, 1e-9, 10},
};

static void test_lanes_have_the_bits_of_single_runs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof PROBLEM / sizeof PROBLEM[0]; i++) {
        const problem *p = &PROBLEM[i];
        taut_model *model = read_model(p->file);
        taut_study *alone = run_study(model, p, true, 1), *abreast = run_study(model, p, false, 1);
        compare(p, alone, abreast);
        taut_study_free(&alone);
        taut_study_free(&abreast);
        taut_model_free(&model);
    }
}

/* Initial values that lead to pivots of all kinds, and some that cannot be assembled. */
static void test_starts_that_differ_and_runs_that_fail(void **state) {
    (void)state;
    static const problem STARTS[] = {{"slider-crank", "Ax", "-0.43..0.37:11", "s", 1, 1e-9, 0},
                                     {"pendulum", "Ax", "-1.2..1.2:21", "Ay", 2, 1e-9, 0},
                                     {"lorenz", "x", "-20..20:21", "z", 2, 1e-9, 0}};
    for (size_t i = 0; i < sizeof STARTS / sizeof STARTS[0]; i++) {
        const problem *p = &STARTS[i];
        taut_model *model = read_model(p->file);
        taut_study *alone = run_study(model, p, true, 1), *abreast = run_study(model, p, false, 2);
        compare(p, alone, abreast);
        taut_study_free(&alone);
        taut_study_free(&abreast);
        taut_model_free(&model);
    }
}

/* ---- are they used? ---- */

typedef struct list {
    long next, count, done;
    double from, to;
    taut_convoy *convoy;
    double drift, kinetic, residual; /* of run 0, which is in the first lane */
} list;

static bool next(void *user, long *run, double *value) {
    list *l = user;
    if (l->next == l->count) return false;
    *run = l->next++;
    *value = l->from + (l->to - l->from) * (double)*run / (double)l->count;
    return true;
}

static taut_status done(void *user, long run, taut_status status, const double *result,
                        taut_errors *why) {
    list *l = user;
    (void)result, (void)why;
    l->done += status == TAUT_OK;
    if (run > 0) return TAUT_OK;
    const taut_simulation *s = taut_tryout_simulation(taut_convoy_first(l->convoy));
    l->drift = s->largest_drift;
    l->kinetic = s->alarm.kinetic;
    l->residual = s->stats.constraint_residual;
    return TAUT_OK;
}

/* Energies and residuals at the ends of steps: those of a run alone, bit by bit. */
static void compare_account(const taut_model *model, const taut_run_options *options,
                            const char *name, double value, const list *l) {
    taut_simulation *s = NULL;
    taut_status status;
    assert_int_equal(taut_simulation_create(model, options, &s, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_set_parameter(s, name, value, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(s, &errors), TAUT_OK);
    while ((status = taut_simulation_step(s, &errors)) == TAUT_OK) continue;
    assert_int_equal(status, TAUT_AT_END);
    assert_true(s->alarm.kinetic > 0.0);
    assert_true(s->largest_drift == l->drift && s->alarm.kinetic == l->kinetic);
    assert_true(s->stats.constraint_residual == l->residual);
    taut_simulation_free(&s);
}

/* The part of the steps that is taken side by side. */
static double part_together(const char *file, const char *name, double from, double to, double tend,
                            const char *column) {
    taut_model *model = read_model(file);
    taut_run_options o = taut_run_options_default();
    const bool initial = false;
    taut_program *program = NULL;
    taut_convoy *convoy = NULL;
    list l = {.count = 40, .from = from, .to = to};
    const taut_figure figure = {.name = column, .kind = TAUT_FIGURE_END, .column = column};
    const taut_convoy_work work = {next, done, &l, NULL};
    long together, alone;
    o.has_tend = true;
    o.tend = tend;
    assert_int_equal(taut_program_create(model, &o, &program, &errors), TAUT_OK);
    const taut_tryout_order order = {.model = model,
                                     .run = &o,
                                     .name = &name,
                                     .initial = &initial,
                                     .names = 1,
                                     .figure = &figure,
                                     .figures = 1,
                                     .program = program};
    assert_int_equal(taut_convoy_create(&order, &convoy, &errors), TAUT_OK);
    l.convoy = convoy;
    assert_int_equal(taut_convoy_run(convoy, &work), TAUT_OK);
    assert_int_equal(l.done, l.count);
    compare_account(model, &o, name, from, &l);
    taut_convoy_count(convoy, &together, &alone);
    taut_convoy_free(&convoy);
    taut_program_free(&program);
    taut_model_free(&model);
    return (double)together / (double)(together + alone);
}

static void test_most_steps_are_taken_together(void **state) {
    (void)state;
    assert_true(part_together("slider-crank", "m1", 0.9, 1.1, 3, "s") > 0.9);
    assert_true(part_together("andrews", "mom", 0.03, 0.034, 0.03, "Fx") > 0.8);
    assert_true(part_together("four-bar-2", "m", 0.9, 1.1, 10, "A1x") > 0.9);
    assert_true(part_together("pendulum", "L", 0.9, 1.1, 5, "Ax") > 0.85);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_have_the_bits_of_single_runs),
        cmocka_unit_test(test_starts_that_differ_and_runs_that_fail),
        cmocka_unit_test(test_most_steps_are_taken_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
