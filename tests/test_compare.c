/* taut compare: digits against a closed form, wrong solutions that must be found, sensitive motions
 * that must not raise an alarm, failures, the table, JSON and the page. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "program.h"
#include "reference/mechanisms.h"
#include "task/compare.h"
#include "task/differ.h"
#include "task/simulation.h"

static const char OSCILLATOR[] = "DAE:\n"
                                 "  Variables: [x]\n"
                                 "  Equations: [\"x'' + x\"]\n"
                                 "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n";

/* At t = 1.003 the solution passes a point where two branches cross. Taylor series keep to the
 * smooth one; methods that guess y from the last value turn round and follow |t - 1.003|. */
static const char BRANCHES[] = "Title: two branches\n"
                               "DAE:\n"
                               "  Variables: [x, y]\n"
                               "  Equations: [\"x' - y\", \"y^2 - (t - 1.003)^2\"]\n"
                               "ProblemData: {tend: 2, positions: {x: 0}, values: {y: 1}}\n";

static taut_model *model_of(const char *text) {
    taut_model *model = NULL;
    static taut_errors errors;
    memset(&errors, 0, sizeof errors);
    if (taut_model_parse("model", text, -1, &model, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return model;
}

static taut_model *example(const char *name) {
    char path[300];
    taut_model *model = NULL;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
    return model;
}

static const taut_compared_pair *pair_of(const taut_comparison *c, const char *solver) {
    for (int i = 0; i < c->pairs; i++)
        if (strcmp(c->pair[i].solver, solver) == 0) return &c->pair[i];
    fail_msg("there is no pair with %s", solver);
    return NULL;
}

/* ---- measuring ---- */

static void test_digits_are_logarithms(void **state) {
    (void)state;
    assert_near(taut_digits(1e-7), 7.0, 1e-12, 0.0);
    assert_near(taut_digits(2.0), -log10(2.0), 1e-12, 0.0);
    assert_near(taut_digits(0.0), 16.0, 0.0, 0.0);
    assert_near(taut_digits(1e-30), 16.0, 0.0, 0.0);
    assert_true(isnan(taut_digits((double)NAN)));
}

/* Rows of t, u, v, w, u' by hand; w stays zero. */
static taut_result *table(const double (*row)[5], int rows) {
    static const char *const name[] = {"t", "u", "v", "w", "u'"};
    taut_result *r = NULL;
    assert_int_equal(taut_result_create(5, &r), TAUT_OK);
    for (int c = 0; c < 5; c++) {
        r->name[c] = name[c];
        r->role[c] = (taut_column_role){TAUT_COLUMN_SCALAR, c == 4};
    }
    for (int i = 0; i < rows; i++) memcpy(taut_result_add_row(r), row[i], sizeof row[i]);
    return r;
}

static void test_yardstick_of_tables_made_by_hand(void **state) {
    (void)state;
    static const double right[3][5] = {
        {0.0, 1.0, 4.0, 0.0, 10.0}, {1.0, 2.0, 3.0, 0.0, -20.0}, {2.0, 0.5, -2.0, 0.0, 5.0}};
    static const double other[3][5] = {{0.0, 1.0, 4.0, 0.0, 10.0},
                                       {1.0, 2.0 + 4e-6, 3.0, 1e-20, -20.0},
                                       {2.0, 0.5 - 5e-7, -2.0 + 8e-5, 0.0, 5.0 + 0.01}};
    taut_arena arena = {0};
    taut_yardstick y;
    taut_result *truth = table(right, 3), *a = table(other, 3), *half = table(other, 2);
    double at[3];
    assert_int_equal(taut_yardstick_make(truth, &arena, &y), TAUT_OK);
    assert_near(y.scale[1], 2.0, 0.0, 0.0);
    assert_near(y.scale[2], 4.0, 0.0, 0.0);
    assert_near(y.scale[4], 20.0, 0.0, 0.0);
    const taut_gap gap = taut_yardstick_gap(&y, truth, a, at);
    assert_near(gap.error, 0.01 / 20.0, 1e-12, 0.0);
    assert_string_equal(gap.column, "u'");
    assert_near(gap.t, 2.0, 0.0, 0.0);
    assert_near(at[0], 0.0, 0.0, 0.0);
    assert_near(at[1], 2e-6, 1e-12, 0.0);
    assert_near(at[2], 5e-4, 1e-12, 0.0);
    /* at the end u is wrong by 1e-6 of itself, v by 4e-5; velocities and zeros do not count */
    assert_near(taut_yardstick_scd(&y, a), -log10(4e-5), 1e-6, 0.0);
    assert_true(isnan(taut_yardstick_scd(&y, half)));
    assert_true(taut_yardstick_gap(&y, truth, half, at).error > 0.0);
    assert_true(isnan(at[2]));
    assert_null(taut_yardstick_misses(&y, a));
    a->name[3] = "z";
    assert_string_equal(taut_yardstick_misses(&y, a), "w");
    taut_result_free(&truth);
    taut_result_free(&a);
    taut_result_free(&half);
    taut_arena_release(&arena);
}

/* The largest error of x = cos t and x' = -sin t in a run of its own. */
static double true_error(const taut_model *model, const taut_comparison *c,
                         const taut_compared_run *r, const char *solver) {
    taut_run_options o = taut_run_options_default();
    taut_result *result = NULL;
    double worst = 0.0;
    o.rtol = o.atol = r->tol;
    o.solver = solver;
    o.at = c->time;
    o.ats = c->times;
    assert_int_equal(taut_simulate(model, &o, &result, NULL), TAUT_OK);
    for (long i = 0; i < taut_result_rows(result); i++) {
        const double t = taut_result_value(result, i, 0);
        worst = fmax(worst, fabs(taut_result_value(result, i, 1) - cos(t)));
        worst = fmax(worst, fabs(taut_result_value(result, i, 2) + sin(t)));
    }
    taut_result_free(&result);
    return worst;
}

static void test_errors_are_those_of_the_closed_form(void **state) {
    (void)state;
    taut_model *model = model_of(OSCILLATOR);
    taut_comparison *c = NULL;
    taut_errors errors = {0};
    assert_int_equal(taut_compare(model, NULL, &c, &errors), TAUT_OK);
    assert_int_equal(c->tols, 3);
    assert_int_equal(c->disagreements, 0);
    assert_int_equal(c->failed, 0);
    assert_true(c->confirmed);
    assert_true(c->witness_difference < 1e-9);
    assert_true(c->reference_error < 1e-13);
    for (int i = 0; i < c->pairs; i++) {
        if (strcmp(c->pair[i].solver, "rk4") == 0) {
            assert_non_null(strstr(c->pair[i].skipped, "fixed step"));
            continue;
        }
        for (int k = 0; k < c->tols; k++) {
            const taut_compared_run *r = &c->pair[i].run[k];
            const double want = true_error(model, c, r, c->pair[i].solver);
            assert_true(fabs(r->error - want) < 0.02 * want + 1e-13);
            /* the estimate does not know the reference, and finds the same */
            if (r->error > 1e-12) assert_true(r->estimate > 0.2 * want);
            assert_true(r->estimate < 5.0 * want + 1e-12);
            double most = 0.0;
            for (int j = 0; j < c->times; j++) most = fmax(most, r->difference[j]);
            assert_near(most, r->error, 0.0, 0.0);
        }
    }
    taut_comparison_free(&c);
    taut_model_free(&model);
}

static void test_work_is_counted(void **state) {
    (void)state;
    taut_model *model = model_of(OSCILLATOR);
    taut_comparison *c = NULL;
    assert_int_equal(taut_compare(model, NULL, &c, NULL), TAUT_OK);
    const taut_run_stats *taylor = &pair_of(c, "taylor")->run[1].stats;
    assert_int_equal(taylor->evaluations, taylor->steps + taylor->rejected + 1);
    const taut_run_stats *erk = &pair_of(c, "erk")->run[1].stats;
    assert_true(erk->evaluations >= 6 * erk->steps);
    const char *const counted[] = {"ho", "bdf", "adams", "ida"};
    for (int i = 0; i < 4; i++) {
        const taut_run_stats *s = &pair_of(c, counted[i])->run[1].stats;
        assert_true(s->evaluations >= s->steps);
        assert_true(s->factorisations > 0 && s->wall_s > 0.0 && s->setup_s > 0.0);
    }
    /* tighter tolerances cost more */
    assert_true(pair_of(c, "bdf")->run[2].stats.steps > pair_of(c, "bdf")->run[0].stats.steps);
    taut_comparison_free(&c);
    taut_model_free(&model);
}

/* The same from states that are known to 20 digits: the worst coordinate at the end. */
static double given_scd(const taut_model *model, const mechanism *m, double tol) {
    const double *right = m->value + (m->states - 1) * m->columns;
    taut_run_options o = taut_run_options_default();
    taut_result *r = NULL;
    double worst = 0.0;
    o.rtol = o.atol = tol;
    o.at = &m->tend;
    o.ats = 1;
    assert_int_equal(taut_simulate(model, &o, &r, NULL), TAUT_OK);
    for (int i = 0; i < m->columns; i++)
        for (int c = 1; c < taut_result_columns(r) && !strchr(m->column[i], '\''); c++)
            if (strcmp(m->column[i], taut_result_name(r, c)) == 0 && fabs(right[i]) > 1e-12)
                worst = fmax(worst, fabs(taut_result_value(r, 0, c) / right[i] - 1.0));
    taut_result_free(&r);
    return -log10(worst);
}

static void test_scd_is_that_of_given_states(void **state) {
    (void)state;
    static const char *const names[] = {"slider-crank", "bricard"}, *const taylor[] = {"taylor"};
    taut_compare_options o = taut_compare_options_default();
    o.solver = taylor;
    o.solvers = 1;
    for (int i = 0; i < 2; i++) {
        taut_model *model = example(names[i]);
        taut_comparison *c = NULL;
        const mechanism *m = mechanisms;
        while (strcmp(m->name, names[i]) != 0) m++;
        assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_OK);
        for (int k = 0; k < 2; k++) { /* at 1e-10 the reference shares the error of rounding */
            const double want = given_scd(model, m, c->tol[k]), got = c->pair[0].run[k].scd;
            /* it looks at all coordinates, also of vectors: there may be a worse one */
            if (!(got < want + 0.05 && got > want - 1.0))
                fail_msg("%s at %g: SCD %g, by given states %g", names[i], c->tol[k], got, want);
        }
        taut_comparison_free(&c);
        taut_model_free(&model);
    }
}

/* ---- who disagrees ---- */

/* A runner that gives the runs of one solver to another model, or makes them fail. */
typedef struct liar {
    const char *solver;
    const taut_model *wrong; /* NULL: it fails */
    bool endless;            /* ... by going on until it is stopped */
    bool others;             /* all the other solvers it is */
    int calls;               /* of that solver */
} liar;

static taut_status lie(void *user, const taut_model *model, const taut_run_options *o, double nudge,
                       taut_result **result, taut_errors *errors) {
    liar *l = user;
    if ((strcmp(o->solver, l->solver) == 0) == l->others)
        return taut_simulate_nudged(model, o, nudge, result, errors);
    l->calls++;
    if (l->wrong) return taut_simulate_nudged(l->wrong, o, nudge, result, errors);
    *result = NULL;
    while (l->endless)
        if (o->progress(o->user, 0.5)) return TAUT_INTERRUPTED;
    return taut_fail(errors, TAUT_STEP_COLLAPSED, "it broke\nin two");
}

static taut_comparison *compare_with(liar *l, const taut_model *model,
                                     const taut_compare_options *options) {
    taut_comparison *c = NULL;
    assert_int_equal(taut_compare_by(lie, l, model, options, &c, NULL), TAUT_OK);
    return c;
}

static void test_a_wrong_solution_is_found(void **state) {
    (void)state;
    taut_model *model = model_of(OSCILLATOR);
    taut_model *wrong =
        model_of("DAE:\n  Variables: [x]\n  Equations: [\"x'' + 1.0001*x\"]\n"
                 "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n");
    liar l = {.solver = "adams", .wrong = wrong};
    taut_comparison *c = compare_with(&l, model, NULL);
    const taut_compared_pair *adams = pair_of(c, "adams");
    assert_int_equal(c->disagreements, 2);
    assert_false(adams->run[0].disagrees); /* at 1e-6 it cannot be told from its own error */
    assert_true(adams->run[1].disagrees && adams->run[2].disagrees);
    /* x and x' are wrong by 5e-5 t at most */
    assert_true(adams->run[2].error > 4e-4 && adams->run[2].error < 6e-4);
    assert_true(adams->run[2].estimate < 1e-7); /* it does not know */
    assert_true(c->confirmed);                  /* the witness was another one */
    assert_null(c->against);                    /* one of its kind, not all */
    for (int i = 0; i < c->pairs; i++)
        for (int k = 0; k < c->tols && c->pair[i].run; k++)
            assert_true(c->pair[i].run[k].disagrees == (&c->pair[i] == adams && k > 0));
    taut_comparison_free(&c);
    taut_model_free(&model);
    taut_model_free(&wrong);
}

static void test_a_reference_that_nobody_confirms_is_told(void **state) {
    (void)state;
    taut_model *model = model_of(OSCILLATOR);
    taut_model *wrong =
        model_of("DAE:\n  Variables: [x]\n  Equations: [\"x'' + 1.01*x\"]\n"
                 "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n");
    liar l = {.solver = "auto", .wrong = wrong, .others = true};
    taut_comparison *c = compare_with(&l, model, NULL);
    assert_false(c->confirmed);
    assert_non_null(c->witness.solver);
    assert_true(c->witness_difference > 1e-2);
    assert_true(c->disagreements >= 1 + 6); /* the witness, and all who see it at 1e-10 */
    taut_comparison_free(&c);
    taut_model_free(&model);
    taut_model_free(&wrong);
}

/* A whole kind of methods that finds something else is no minority to be outvoted. */
static void test_kinds_that_disagree_are_told(void **state) {
    (void)state;
    taut_model *model = model_of(BRANCHES);
    taut_comparison *c = NULL;
    char *text;
    assert_int_equal(taut_compare(model, NULL, &c, NULL), TAUT_OK);
    assert_non_null(c->against);
    assert_non_null(strstr(c->against, "multistep methods"));
    assert_non_null(strstr(c->against, "Runge-Kutta methods"));
    assert_int_equal(taut_comparison_text(c, false, &text), TAUT_OK);
    assert_non_null(strstr(text, "DISAGREEMENT of kinds"));
    taut_text_free(&text);
    assert_int_equal(taut_comparison_text(c, true, &text), TAUT_OK);
    assert_non_null(strstr(text, "\"against\":\"multistep methods"));
    taut_text_free(&text);
    taut_comparison_free(&c);
    taut_model_free(&model);
}

/* A runner by which nothing but Taylor series solves the problem. */
static taut_status only_taylor(void *user, const taut_model *model, const taut_run_options *o,
                               double nudge, taut_result **result, taut_errors *errors) {
    (void)user;
    if (strcmp(o->solver, "auto") == 0 || strcmp(o->solver, "taylor") == 0)
        return taut_simulate_nudged(model, o, nudge, result, errors);
    *result = NULL;
    return taut_fail(errors, TAUT_STEP_COLLAPSED, "it broke");
}

/* The same solver in other coordinates is no witness. */
static void test_a_witness_has_another_method(void **state) {
    (void)state;
    static const char *const taylor[] = {"taylor"};
    static const double tol[] = {1e-6};
    taut_compare_options o = taut_compare_options_default();
    o.solver = taylor;
    o.solvers = 1;
    o.tol = tol;
    o.tols = 1;
    taut_model *model = example("slider-crank");
    taut_comparison *c = NULL;
    assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_OK);
    assert_true(c->confirmed);
    assert_string_not_equal(c->witness.solver, "taylor");
    assert_null(c->against);
    taut_comparison_free(&c);
    assert_int_equal(taut_compare_by(only_taylor, NULL, model, &o, &c, NULL), TAUT_OK);
    assert_false(c->confirmed);
    assert_null(c->witness.solver);
    taut_comparison_free(&c);
    taut_model_free(&model);
}

/* Chaos: nobody is right for long, and nobody is wrong. */
static void test_chaos_is_no_disagreement(void **state) {
    (void)state;
    taut_model *model = example("lorenz");
    taut_compare_options o = taut_compare_options_default();
    static const double tol[] = {1e-8, 1e-5};
    o.tol = tol;
    o.tols = 2;
    o.run.has_tend = true;
    o.run.tend = 30.0;
    taut_comparison *c = NULL;
    assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_OK);
    assert_near(c->tol[0], 1e-5, 0.0, 0.0); /* put into order */
    assert_true(c->sensitivity[0] > 0.1);
    assert_true(pair_of(c, "bdf")->run[0].error > 0.1);
    assert_true(pair_of(c, "bdf")->run[0].allowed >= 1.0);
    assert_int_equal(c->disagreements, 0);
    char *text;
    assert_int_equal(taut_comparison_text(c, false, &text), TAUT_OK);
    assert_non_null(strstr(text, "\n? bdf "));
    assert_non_null(strstr(text, " of them have not"));
    taut_text_free(&text);
    taut_comparison_free(&c);
    taut_model_free(&model);
}

static void test_mechanisms_and_lagrangians_agree(void **state) {
    (void)state;
    static const char *const names[] = {"slider-crank", "pendulum", "pendulum-hamiltonian",
                                        "chaplygin-sleigh"};
    static const char *const solver[] = {"taylor", "ho", "adams"};
    static const double tol[] = {1e-7};
    taut_compare_options o = taut_compare_options_default();
    o.solver = solver;
    o.solvers = 3;
    o.tol = tol;
    o.tols = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        taut_model *model = example(names[i]);
        taut_comparison *c = NULL;
        assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_OK);
        assert_int_equal(c->disagreements, 0);
        assert_true(c->confirmed);
        assert_true(taut_digits(pair_of(c, "taylor")->run[0].error) > 5.0);
        assert_true(c->sensitivity[0] > 1e-8 && c->sensitivity[0] < 1e-3);
        taut_comparison_free(&c);
        taut_model_free(&model);
    }
}

/* ---- who fails ---- */

static void test_a_failure_stops_nobody(void **state) {
    (void)state;
    taut_model *model = model_of(OSCILLATOR);
    liar l = {.solver = "bdf"};
    taut_comparison *c = compare_with(&l, model, NULL);
    const taut_compared_pair *bdf = pair_of(c, "bdf");
    for (int k = 0; k < c->tols; k++) {
        assert_int_equal(bdf->run[k].status, TAUT_STEP_COLLAPSED);
        assert_string_equal(bdf->run[k].reason, "it broke");
        assert_true(isnan(bdf->run[k].error));
    }
    assert_int_equal(c->failed, 3);
    assert_int_equal(c->finished, 15);
    assert_int_equal(c->disagreements, 0);
    taut_comparison_free(&c);
    taut_model_free(&model);
}

static void test_a_run_without_end_is_given_up(void **state) {
    (void)state;
    taut_model *model = model_of(OSCILLATOR);
    taut_compare_options o = taut_compare_options_default();
    liar l = {.solver = "ida", .endless = true};
    o.limit = 3.0; /* others need milliseconds, but not on a machine that does ten things at once */
    taut_comparison *c = compare_with(&l, model, &o);
    const taut_compared_pair *ida = pair_of(c, "ida");
    assert_int_equal(ida->run[0].status, TAUT_INTERRUPTED);
    assert_non_null(strstr(ida->run[0].reason, "given up after 3 s"));
    assert_non_null(strstr(ida->run[1].reason, "not tried"));
    assert_int_equal(ida->run[1].repetitions, 0);
    assert_int_equal(l.calls, 1);
    assert_int_equal(c->failed, 3);
    taut_comparison_free(&c);
    taut_model_free(&model);
}

/* Progress goes from 0 to 1, and stops the comparison after some calls. */
typedef struct patience {
    int calls, most;
    double shown;
} patience;

static int stop_later(void *user, double fraction) {
    patience *p = user;
    assert_true(fraction >= p->shown && fraction <= 1.0);
    p->shown = fraction;
    return ++p->calls > p->most;
}

static void test_the_caller_can_interrupt(void **state) {
    (void)state;
    taut_model *model = example("slider-crank");
    taut_compare_options o = taut_compare_options_default();
    taut_comparison *c = NULL;
    patience p = {.most = 20};
    o.run.progress = stop_later;
    o.run.user = &p;
    assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_INTERRUPTED);
    assert_null(c); /* not even a reference */
    p = (patience){.most = 20000};
    assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_INTERRUPTED);
    assert_non_null(c);
    assert_true(c->finished >= 3);
    assert_string_equal(c->pair[c->pairs - 1].skipped, "interrupted");
    for (int i = 0; i < c->pairs; i++)
        for (int k = 0; k < c->tols && c->pair[i].run; k++)
            assert_true(c->pair[i].run[k].status == TAUT_INTERRUPTED ||
                        isfinite(c->pair[i].run[k].error));
    taut_comparison_free(&c);
    taut_model_free(&model);
}

/* ---- the program ---- */

static const char HOSTILE[] = "Title: \"</title><script>alert(1)</script><img onerror=alert(2)>\"\n"
                              "DAE:\n  Variables: [x]\n  Equations: [\"x' + x\"]\n"
                              "ProblemData: {tend: 1, positions: {x: 1}}\n";

/* A table is at most 100 wide, below its title. */
static void check_width(const char *table) {
    for (const char *line = table + strcspn(table, "\n") + 1; *line;) {
        const size_t n = strcspn(line, "\n");
        if (n > 100) fail_msg("a line of %zu characters: %.*s", n, (int)n, line);
        line += n + (line[n] == '\n');
    }
}

static void test_table_and_page(void **state) {
    (void)state;
    program_result r;
    program_write("model.yaml", HOSTILE, -1);
    program_call(&r, "compare model.yaml");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.err, "");
    assert_non_null(strstr(r.out, "tol 1e-10"));
    assert_non_null(strstr(r.out, "all 18 runs that finished agree"));
    assert_non_null(strstr(r.out, "confirmed to "));
    assert_non_null(strstr(r.out, "rk4 needs a fixed step"));
    check_width(r.out);
    program_release(&r);
    char *page = program_read("model-compare.html");
    assert_non_null(page);
    assert_true(strlen(page) < 300000);
    const char *const forbidden[] = {
        "<script", "<img", "http:", "https:", "src=", "url(", "@import"};
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        if (strstr(page, forbidden[i])) fail_msg("the page has %s", forbidden[i]);
    assert_non_null(strstr(page, "&lt;script&gt;alert(1)"));
    assert_non_null(strstr(page, "default-src 'none'"));
    int curves = 0;
    for (const char *p = page; (p = strstr(p, "<g class=\"curve ")); p++) curves++;
    assert_int_equal(curves, 6 * (2 + 2 * 3));
    free(page);
}

static void test_json_is_complete(void **state) {
    (void)state;
    program_result r;
    program_write("model.yaml", OSCILLATOR, -1);
    program_call(&r, "compare model.yaml --json --tols 1e-9,1e-4 --solver taylor,rk4,adams");
    assert_int_equal(r.code, 0);
    const char *text = r.out;
    json *data = json_value(&text);
    json_space(&text);
    assert_int_equal(*text, '\0');
    assert_int_equal(json_get(data, "agree")->type, 't');
    assert_near(json_number(data, "tend"), 10.0, 0.0, 0.0);
    assert_int_equal(json_count(json_get(data, "times")), 201);
    assert_near(json_at(json_get(data, "tols"), 0)->number, 1e-4, 0.0, 0.0);
    assert_string_equal(json_text(json_get(data, "reference"), "solver"), "taylor");
    const json *pairs = json_get(data, "pairs");
    assert_int_equal(json_count(pairs), 3);
    const json *taylor = json_at(json_get(json_at(pairs, 0), "runs"), 1);
    assert_true(json_number(taylor, "digits") > 8.0);
    assert_true(json_number(taylor, "steps") > 1.0);
    assert_int_equal(json_count(json_get(taylor, "difference")), 201);
    assert_non_null(strstr(json_text(json_at(pairs, 1), "skipped"), "fixed step"));
    json_free(data);
    program_release(&r);
    assert_false(program_exists("model-compare.html")); /* JSON alone was asked for */

    program_call(&r, "compare model.yaml --solver rk4,erk --step 0.05 -o out.json --quiet");
    assert_int_equal(r.code, 0);
    assert_string_equal(r.out, "");
    program_release(&r);
    char *file = program_read("out.json");
    text = file;
    data = json_value(&text);
    const json *rk4 = json_at(json_get(json_at(json_get(data, "pairs"), 0), "runs"), 0);
    assert_near(json_number(rk4, "steps"), 200.0, 0.0, 0.0);
    /* h^4/120 a radian; times that miss a step by rounding are interpolated, to h^3/8 or so */
    assert_true(json_number(rk4, "error") > 1e-7 && json_number(rk4, "error") < 1e-4);
    json_free(data);
    free(file);
}

static void test_nothing_to_compare(void **state) {
    (void)state;
    program_result r;
    program_write("model.yaml", OSCILLATOR, -1);
    program_call(&r, "compare model.yaml --tol 1e-6 --solver rk4 -o none.html");
    assert_int_equal(r.code, 2);
    assert_string_equal(r.out, "");
    assert_non_null(strstr(r.err, "there is nothing to compare; rk4: rk4 needs a fixed step"));
    program_release(&r);
    assert_false(program_exists("none.html"));
}

static void test_disagreement_is_loud(void **state) {
    (void)state;
    program_result r;
    program_write("model.yaml", BRANCHES, -1);
    program_call(&r, "compare model.yaml --tol 1e-6");
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.out, "DISAGREEMENT"));
    assert_non_null(strstr(r.out, "! adams at tol 1e-6 differs by 2"));
    assert_non_null(strstr(r.err, "at least one of them is wrong"));
    program_release(&r);
    char *page = program_read("model-compare.html");
    assert_non_null(strstr(page, "class=\"verdict bad\""));
    assert_non_null(strstr(page, " disagrees\">"));
    free(page);
    program_call(&r, "compare model.yaml --tol 1e-6 --solver taylor,ho --quiet");
    assert_int_equal(r.code, 0); /* these two stay on one branch */
    program_release(&r);
}

static void test_page_on_the_standard_output(void **state) {
    (void)state;
    program_result r;
    program_write("model.yaml", OSCILLATOR, -1);
    program_call(&r, "compare model.yaml --solver taylor --tols 1e-6 -o -");
    assert_int_equal(r.code, 0);
    assert_int_equal(strncmp(r.out, "<!doctype html>", 15), 0);
    assert_non_null(strstr(r.err, "the one run that finished agrees"));
    program_release(&r);
}

static void expect_refusal(const char *command, const char *words) {
    program_result r;
    program_call(&r, command);
    if (r.code != 2 || !strstr(r.err, words)) fail_msg("%s: exit %d, %s", command, r.code, r.err);
    program_release(&r);
}

static void test_wrong_calls_are_refused(void **state) {
    (void)state;
    program_write("model.yaml", OSCILLATOR, -1);
    program_write("endless.yaml",
                  "DAE:\n  Variables: [x]\n  Equations: [\"x' + x\"]\n"
                  "ProblemData: {positions: {x: 1}}\n",
                  -1);
    program_write("broken.yaml", "DAE:\n  Variables: [x]\n", -1);
    expect_refusal("compare model.yaml --solver tailor", "did you mean 'taylor'?");
    expect_refusal("compare model.yaml --solver zzz", "there are taylor, ho");
    expect_refusal("compare model.yaml --solver taylor,,ho", "separated by commas");
    expect_refusal("compare model.yaml --formulation natural", "for mechanisms only");
    expect_refusal("compare model.yaml --tols 1e-6,x", "numbers separated by commas");
    expect_refusal("compare model.yaml --tols 1e-20", "1e-15 to 0.1");
    expect_refusal("compare model.yaml --tols 1e-6,1e-8 --step 0.1", "one tolerance");
    expect_refusal("compare model.yaml --limit 0", "above 0");
    expect_refusal("compare model.yaml --rtol 1e-6", "not of taut compare");
    expect_refusal("compare model.yaml -o out.csv", ".html or .json");
    expect_refusal("compare model.yaml --json -o -", "leave out one of them");
    expect_refusal("compare model.yaml -o nowhere/out.html", "nowhere");
    expect_refusal("compare endless.yaml", "'tend' is missing");
    expect_refusal("compare broken.yaml", "broken.yaml:1:1");
    expect_refusal("run model.yaml --tols 1e-6", "not of taut run");
    char list[400];
    assert_int_equal(program_list(list, sizeof list), 3); /* nothing was written */
}

static void test_formulations_of_a_mechanism(void **state) {
    (void)state;
    taut_model *model = example("slider-crank");
    taut_comparison *c = NULL;
    static const char *const wrong[] = {"cartesian"}, *const right[] = {"natural"},
                             *const taylor[] = {"taylor"};
    taut_compare_options o = taut_compare_options_default();
    taut_errors errors = {0};
    o.solver = taylor;
    o.solvers = 1;
    o.formulation = wrong;
    o.formulations = 1;
    assert_int_equal(taut_compare(model, &o, &c, &errors), TAUT_ERR_CALL);
    assert_null(c);
    assert_non_null(strstr(errors.item[0].message, "unknown formulation 'cartesian'"));
    o.formulation = right;
    assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_OK);
    assert_int_equal(c->pairs, 1);
    assert_string_equal(c->pair[0].formulation, "natural");
    taut_comparison_free(&c);
    taut_model_free(&model);
}

static const taut_compared_pair *pair_named(const taut_comparison *c, const char *formulation,
                                            const char *solver) {
    for (int i = 0; i < c->pairs; i++)
        if (strcmp(c->pair[i].formulation, formulation) == 0 &&
            strcmp(c->pair[i].solver, solver) == 0)
            return &c->pair[i];
    fail_msg("there is no pair %s:%s", formulation, solver);
    return NULL;
}

/* All formulations find the same, and what belongs to one of them does not disturb the others. */
static void test_all_formulations_agree(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "adams"};
    static const double tol[] = {1e-8};
    taut_model *model = example("slider-crank");
    taut_compare_options o = taut_compare_options_default();
    taut_comparison *c = NULL;
    o.solver = solver;
    o.solvers = 2;
    o.tol = tol;
    o.tols = 1;
    o.run.subspace = "svd";   /* of minimal coordinates, ... */
    o.run.multipliers = "qr"; /* ... of relative ones */
    assert_int_equal(taut_compare(model, &o, &c, NULL), TAUT_OK);
    int names = 0;
    while (taut_formulation_name(names)) names++;
    assert_true(names >= 4);
    assert_int_equal(c->pairs, 2 * names);
    assert_int_equal(c->disagreements, 0);
    assert_int_equal(c->failed, 0);
    assert_true(c->confirmed);
    assert_string_equal(c->reference.formulation, "natural");
    assert_string_not_equal(c->witness.formulation, "natural");
    assert_true(taut_digits(c->witness_difference) > 9.0);
    static const char *const direct[] = {"natural", "reference", "relative"};
    for (int i = 0; i < 3; i++) {
        assert_true(taut_digits(pair_named(c, direct[i], "taylor")->run[0].error) > 7.0);
        assert_int_equal(pair_named(c, direct[i], "adams")->run[0].status, TAUT_OK);
    }
    assert_non_null(strstr(pair_named(c, "minimal", "taylor")->skipped, "minimal"));
    assert_true(taut_digits(pair_named(c, "minimal", "adams")->run[0].error) > 2.0);
    char *text;
    assert_int_equal(taut_comparison_text(c, false, &text), TAUT_OK);
    check_width(text);
    taut_text_free(&text);
    taut_comparison_free(&c);
    taut_model_free(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits_are_logarithms),
        cmocka_unit_test(test_yardstick_of_tables_made_by_hand),
        cmocka_unit_test(test_errors_are_those_of_the_closed_form),
        cmocka_unit_test(test_work_is_counted),
        cmocka_unit_test(test_scd_is_that_of_given_states),
        cmocka_unit_test(test_a_wrong_solution_is_found),
        cmocka_unit_test(test_a_reference_that_nobody_confirms_is_told),
        cmocka_unit_test(test_kinds_that_disagree_are_told),
        cmocka_unit_test(test_a_witness_has_another_method),
        cmocka_unit_test(test_chaos_is_no_disagreement),
        cmocka_unit_test(test_mechanisms_and_lagrangians_agree),
        cmocka_unit_test(test_a_failure_stops_nobody),
        cmocka_unit_test(test_a_run_without_end_is_given_up),
        cmocka_unit_test(test_the_caller_can_interrupt),
        cmocka_unit_test(test_formulations_of_a_mechanism),
        cmocka_unit_test(test_all_formulations_agree),
        cmocka_unit_test_setup_teardown(test_table_and_page, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_json_is_complete, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_nothing_to_compare, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_disagreement_is_loud, program_enter, program_leave),
        cmocka_unit_test_setup_teardown(test_page_on_the_standard_output, program_enter,
                                        program_leave),
        cmocka_unit_test_setup_teardown(test_wrong_calls_are_refused, program_enter, program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
