/* The certificate against the truth: wherever the truth is known the estimated error is at least a
 * tenth of the true one. What this test prints is the table of docs/accuracy.md. */
#include "digits.h"
#include "reference/equations.h"

enum { TOLERANCES = 5, MOST_COLUMNS = 64 };
static const double TOLERANCE[TOLERANCES] = {1e-3, 1e-6, 1e-9, 1e-12, 1e-15};
static const double HONEST = 0.1; /* the least estimate, relative to the true error */

/* A model and what is known of it, at times after the start. */
typedef struct truth {
    const char *name;
    int columns, states;
    const char *const *column; /* [columns] */
    const double *time;        /* [states] */
    const double *value;       /* [states][columns] */
} truth;

typedef struct figures {
    double estimate; /* of the columns that are known */
    double all;      /* of all */
    double error;    /* the true one */
} figures;

static int find_column(const taut_result *r, const char *name) {
    for (int c = 0; c < taut_result_columns(r); c++)
        if (strcmp(taut_result_name(r, c), name) == 0) return c;
    fail_msg("there is no column %s", name);
    return -1;
}

static figures judge(const truth *x, const taut_result *r) {
    const taut_certificate *c = taut_result_certificate(r);
    figures f = {.all = c->error};
    for (int k = 0; k < x->columns; k++) {
        const int column = find_column(r, x->column[k]);
        if (c->scale[column] == 0.0) continue;
        f.estimate = fmax(f.estimate, c->by_column[column]);
        for (int s = 0; s < x->states; s++)
            f.error =
                fmax(f.error, fabs(taut_result_value(r, s, column) - x->value[s * x->columns + k]) /
                                  c->scale[column]);
    }
    return f;
}

/* Runs an example at a tolerance with rows where the truth is known, and certifies them. */
static figures figures_of(const truth *x, taut_run_options options) {
    char path[300];
    taut_model *model = NULL;
    taut_result *r = NULL;
    taut_errors errors = {0};
    options.has_tend = true;
    options.tend = x->time[x->states - 1];
    options.at = x->time;
    options.ats = x->states;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, x->name);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(model, &options, &r, &errors), TAUT_OK);
    assert_int_equal(taut_certify(model, &options, r, &errors), TAUT_OK);
    const figures f = judge(x, r);
    taut_result_free(&r);
    taut_model_free(&model);
    return f;
}

static void require_honest(const truth *x, const figures *f, const char *how) {
    assert_true(f->all >= f->estimate);
    if (f->estimate >= HONEST * f->error) return;
    fail_msg("%s, %s: the estimate is %.2g, the error %.2g", x->name, how, f->estimate, f->error);
}

/* One line of the table: estimate and true error at every tolerance from the first `count`. */
static void check(const truth *x, int count) {
    printf("| `%s` |", x->name);
    for (int i = 0; i < count; i++) {
        char how[40];
        const figures f = figures_of(x, at_tolerance(TOLERANCE[i]));
        snprintf(how, sizeof how, "tolerance %.0e", TOLERANCE[i]);
        printf(" %.1e, %.1e |", f.estimate, f.error);
        require_honest(x, &f, how);
    }
    printf("\n");
}

static truth given(const mechanism *m) {
    return (truth){m->name,   m->columns,  m->states - 1,
                   m->column, m->time + 1, m->value + m->columns};
}

static void test_given_states_are_certified_honestly(void **state) {
    (void)state;
    for (int i = 0; i < MECHANISMS; i++) {
        const truth x = given(&mechanisms[i]);
        if (x.states > 0) check(&x, TOLERANCES);
    }
}

static void test_equations_are_certified_honestly(void **state) {
    (void)state;
    static const char *const xyz[] = {"x", "y", "z"}, *const x[] = {"x", "x'"},
                             *const y[] = {"y1", "y2", "y3"};
    check(&(truth){"lorenz", 3, 3, xyz, lorenz_time, &lorenz_state[0][0]}, TOLERANCES);
    check(&(truth){"van-der-pol", 2, 3, x, van_der_pol_time, &van_der_pol_state[0][0]}, TOLERANCES);
    check(&(truth){"robertson", 3, 3, y, robertson_time, &robertson_state[0][0]}, TOLERANCES);
}

/* A second model of the same mechanism in other coordinates knows the truth to 12 digits or so. */
static void test_second_models_are_certified_honestly(void **state) {
    (void)state;
    static const char *const names[] = {
        "copy-machine",      "heavy-top", "mcpherson", "mechanism0-torque",    "pendulum-chain-5",
        "pendulum-chain-10", "robot",     "rscr",      "spatial-slider-crank", "spin-top"};
    const taut_run_options tight = at_tolerance(1e-14);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const mechanism *m = mechanism_of(names[i]);
        double value[MOST_COLUMNS];
        solution *second = solve_second(names[i], &tight);
        for (int c = 0; c < m->columns; c++) value[c] = last_of(second, m->column[c]);
        check(&(truth){m->name, m->columns, 1, m->column, &m->tend, value}, 3);
        solution_free(second);
    }
}

/* A fixed step is halved; other solvers are certified by themselves. */
static void test_other_ways_to_run_are_certified_honestly(void **state) {
    (void)state;
    const truth x = given(mechanism_of("pendulum"));
    static const char *const solver[] = {"erk", "adams", "bdf", "ida"};
    taut_run_options options = at_tolerance(1e-6);
    for (int i = 0; i < 4; i++) {
        options.solver = solver[i];
        const figures f = figures_of(&x, options);
        require_honest(&x, &f, solver[i]);
        assert_true(f.estimate < 100.0 * f.error);
    }
    options = taut_run_options_default();
    options.step = 0.05;
    options.solver = "rk4";
    const figures f = figures_of(&x, options);
    require_honest(&x, &f, "rk4");
    assert_near(f.estimate, f.error, 0.0, 0.2); /* 15/16 of it, if the step is small enough */
    options.solver = "taylor";
    options.order = 6;
    const figures g = figures_of(&x, options);
    require_honest(&x, &g, "taylor with a fixed step");
    assert_near(g.estimate, g.error, 0.0, 0.2);
}

/* Where the equations magnify rounding, the estimate says so, at any tolerance: Lorenz' attractor
 * magnifies by 10 every 2.5 seconds. */
static void test_chaos_is_noticed(void **state) {
    (void)state;
    char path[300];
    taut_model *model = NULL;
    taut_result *r = NULL;
    taut_run_options options = at_tolerance(1e-14);
    snprintf(path, sizeof path, "%s/examples/lorenz.yaml", TAUT_SOURCE_DIR);
    assert_int_equal(taut_model_read(path, NULL, 0, &model, NULL), TAUT_OK);
    options.has_tend = true;
    options.tend = 60.0;
    assert_int_equal(taut_simulate(model, &options, &r, NULL), TAUT_OK);
    assert_int_equal(taut_certify(model, &options, r, NULL), TAUT_OK);
    assert_true(taut_result_certificate(r)->error > 0.1);
    taut_result_free(&r);
    taut_model_free(&model);
}

/* What is small is certified like everything else; what is zero has no scale. */
static void test_small_columns_count(void **state) {
    (void)state;
    taut_model *model =
        read_text("DAE: {Variables: [x, y, z], Equations: [x'' + x, y'' + 4*y, z'' + z]}\n"
                  "ProblemData: {tend: 5, positions: {x: 1e-14, y: 1, z: 0},\n"
                  "              velocities: {x: 0, y: 0, z: 0}}\n");
    taut_run_options options = at_tolerance(1e-6);
    options.order = 12; /* by a high one there is no error to be found */
    taut_result *r = NULL;
    assert_int_equal(taut_simulate(model, &options, &r, NULL), TAUT_OK);
    assert_int_equal(taut_certify(model, &options, r, NULL), TAUT_OK);
    const taut_certificate *c = taut_result_certificate(r);
    const int x = find_column(r, "x"), z = find_column(r, "z");
    double worst = 0.0;
    for (long i = 0; i < taut_result_rows(r); i++) {
        const double t = taut_result_value(r, i, 0);
        worst = fmax(worst, fabs(taut_result_value(r, i, x) - 1e-14 * cos(t)));
    }
    assert_near(c->by_column[x], worst / 1e-14, 0.0, 0.05);
    assert_true(isnan(c->by_column[z]) && c->scale[z] == 0.0);
    taut_result_free(&r);
    taut_model_free(&model);
}

/* An energy that stays at 0 is measured by the kinetic one, also where that has no column. */
static void test_zero_energy_has_a_scale(void **state) {
    (void)state;
    taut_model *model = read_text("PhysicalParams: {G: 9.81, L: 10}\n"
                                  "Lagrangian:\n"
                                  "  Coordinates: [u, v]\n"
                                  "  L: 1/2*(u'^2 + v'^2) + G*v\n"
                                  "  Constraints: [u^2 + v^2 - L^2]\n"
                                  "ProblemData: {tend: 10, positions: {u: 10, v: 0}}\n");
    taut_run_options options = at_tolerance(1e-9);
    options.order = 20; /* longer steps see less of the largest kinetic energy */
    taut_result *r = NULL;
    assert_int_equal(taut_simulate(model, &options, &r, NULL), TAUT_OK);
    assert_int_equal(taut_certify(model, &options, r, NULL), TAUT_OK);
    assert_near(taut_result_certificate(r)->scale[find_column(r, "energy")], 98.1, 0.0, 0.02);
    assert_true(taut_result_certificate(r)->error < 1e-10);
    taut_result_free(&r);
    taut_model_free(&model);
}

/* Scales are those of the whole run: a row where a coordinate passes 0 is not all wrong. */
static void test_scales_are_of_the_whole_run(void **state) {
    (void)state;
    const double at[] = {1.5707963267948966};
    taut_model *model =
        read_text("DAE: {Variables: [x], Equations: [\"x'' + x\"]}\n"
                  "ProblemData: {tend: 10, positions: {x: 1}, velocities: {x: 0}}\n");
    taut_run_options options = at_tolerance(1e-6);
    taut_result *r = NULL;
    options.at = at;
    options.ats = 1;
    assert_int_equal(taut_simulate(model, &options, &r, NULL), TAUT_OK);
    assert_int_equal(taut_certify(model, &options, r, NULL), TAUT_OK);
    const taut_certificate *c = taut_result_certificate(r);
    assert_near(c->scale[1], 1.0, 0.0, 1e-2);
    assert_near(c->scale[2], 1.0, 0.0, 1e-2);
    assert_near(c->by_column[1], fabs(taut_result_value(r, 0, 1)), 1e-16, 0.05);
    assert_true(c->error < 1e-6);
    taut_result_free(&r);
    taut_model_free(&model);
}

/* Two rods that hang: velocities are rounding, and of that there is nothing to estimate. */
static void test_rest_has_nothing_to_estimate(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "reference", "relative"};
    for (int f = 0; f < 3; f++) {
        taut_model *model =
            read_text("Dimension: 2\n"
                      "PartData:\n"
                      "  Fixed: {O: [0, 0]}\n"
                      "  Rigids:\n"
                      "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                      "    AB: {Geom: [[2]], Dyna: [[1], 1, 1/3]}\n"
                      "AppliedForces: {Gravity: }\n"
                      "ProblemData: {tend: 100, positions: {A: [0, -1], B: [0, -3]}}\n");
        taut_run_options options = taut_run_options_default();
        taut_result *r = NULL;
        options.formulation = formulation[f];
        assert_int_equal(taut_simulate(model, &options, &r, NULL), TAUT_OK);
        assert_int_equal(taut_certify(model, &options, r, NULL), TAUT_OK);
        const taut_certificate *c = taut_result_certificate(r);
        assert_true(c->column >= 0 && c->error > 1e-16 && c->error < 1e-12);
        assert_true(isnan(c->by_column[find_column(r, "Ax'")])); /* 0, or left out */
        assert_true(isnan(c->by_column[find_column(r, "By'")]));
        if (c->at_rest) assert_non_null(strstr(c->at_rest, "Ax'"));
        taut_result_free(&r);
        taut_model_free(&model);
    }
}

/* Rates in which runs agree to some digits, since one of them has them from interpolation. */
static void test_rest_in_minimal_coordinates_is_rest(void **state) {
    (void)state;
    static const char *const solver[] = {"erk", "bdf", "adams"};
    for (int i = 0; i < 3; i++) {
        taut_model *model =
            read_text("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
                      "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                      "    AB: {Geom: [[2]], Dyna: [[1], 1, 1/3]}\n"
                      "AppliedForces: {Gravity: }\n"
                      "ProblemData: {tend: 100, positions: {A: [0, -1], B: [0, -3]}}\n");
        taut_run_options options = taut_run_options_default();
        taut_result *r = NULL;
        options.formulation = "minimal";
        options.solver = solver[i];
        assert_int_equal(taut_simulate(model, &options, &r, NULL), TAUT_OK);
        assert_int_equal(taut_certify(model, &options, r, NULL), TAUT_OK);
        const taut_certificate *c = taut_result_certificate(r);
        assert_true(c->error < 1e-10);
        assert_non_null(strstr(c->at_rest, "Ax', Ay', Bx', By'"));
        taut_result_free(&r);
        taut_model_free(&model);
    }
}

static void test_a_model_that_never_moves_says_so(void **state) {
    (void)state;
    taut_model *model =
        read_text("DAE: {Variables: [x], Equations: [\"x'' + x\"]}\n"
                  "ProblemData: {tend: 10, positions: {x: 0}, velocities: {x: 0}}\n");
    taut_result *r = NULL;
    assert_int_equal(taut_simulate(model, NULL, &r, NULL), TAUT_OK);
    assert_int_equal(taut_certify(model, NULL, r, NULL), TAUT_OK);
    const taut_certificate *c = taut_result_certificate(r);
    assert_true(isnan(c->error) && c->column == -1);
    assert_string_equal(c->at_rest, "all columns");
    taut_result_free(&r);
    taut_model_free(&model);
}

/* An output that has a value in the first run, but none in the second: its argument is the error of
 * the first run less a half of it, and turns negative. */
static void test_gaps_of_the_second_run_do_not_matter(void **state) {
    (void)state;
    static const char form[] = "DAE: {Variables: [x], Equations: [\"x' + x\"]}\n"
                               "Outputs: {w: \"sqrt(%s*(x - %.17g))\"}\n"
                               "ProblemData: {tend: 1, positions: {x: 1}}\n";
    char text[400];
    const double at[] = {1.0};
    taut_run_options options = at_tolerance(1e-4);
    options.solver = "erk";
    options.at = at;
    options.ats = 1;
    snprintf(text, sizeof text, form, "1", -1.0);
    solution *s = solve_text(text, &options);
    const double error = last_of(s, "x") - exp(-1.0);
    solution_free(s);
    assert_true(fabs(error) > 1e-9);
    snprintf(text, sizeof text, form, error > 0.0 ? "1" : "-1", exp(-1.0) + 0.5 * error);
    taut_model *model = read_text(text);
    taut_result *r = NULL;
    taut_errors errors = {0};
    assert_int_equal(taut_simulate(model, &options, &r, &errors), TAUT_OK);
    assert_int_equal(taut_certify(model, &options, r, &errors), TAUT_OK);
    const taut_certificate *c = taut_result_certificate(r);
    assert_int_equal(errors.count, 0);
    assert_true(c->column >= 0);
    assert_near(c->by_column[find_column(r, "x")] * c->scale[find_column(r, "x")], fabs(error), 0.0,
                0.1);
    taut_result_free(&r);
    taut_model_free(&model);
}

static int stop_at_once(void *user, double fraction) {
    (void)user;
    (void)fraction;
    return 1;
}

/* Without a second run there is no number, and the reason is said. */
static void test_failed_second_run_gives_no_number(void **state) {
    (void)state;
    taut_model *model = read_text("DAE: {Variables: [x], Equations: [x' + x]}\n"
                                  "ProblemData: {tend: 1, positions: {x: 1}}\n");
    taut_run_options options = taut_run_options_default();
    taut_result *r = NULL;
    assert_int_equal(taut_simulate(model, &options, &r, NULL), TAUT_OK);
    assert_null(taut_result_certificate(r));
    options.progress = stop_at_once;
    assert_int_equal(taut_certify(model, &options, r, NULL), TAUT_INTERRUPTED);
    const taut_certificate *c = taut_result_certificate(r);
    assert_true(isnan(c->error) && c->column == -1);
    assert_non_null(strstr(c->method, "interrupted"));
    taut_result_free(&r);
    taut_model_free(&model);
}

/* Accelerations that are rounding do not keep Newton's method from an end, nor a run from its
 * start, be it a second one from a start that differs in the last bits. */
static void test_loops_at_rest_have_accelerations(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho", "bdf", "adams", "erk", "ida"};
    const double at[] = {0.0, 0.35, 0.7};
    taut_model *model = NULL;
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/tests/models/loop-at-rest.yaml", NULL, 0, &model, NULL),
        TAUT_OK);
    for (int i = 0; i < 6; i++) {
        taut_run_options options = at_tolerance(1e-9);
        taut_result *r = NULL;
        taut_errors errors = {0};
        options.formulation = "relative";
        options.solver = solver[i];
        options.at = at;
        options.ats = 3;
        assert_int_equal(taut_simulate(model, &options, &r, &errors), TAUT_OK);
        assert_int_equal(taut_certify(model, &options, r, &errors), TAUT_OK);
        assert_int_equal(errors.count, 0);
        assert_true(taut_result_certificate(r)->column >= 0);
        taut_result_free(&r);
    }
    taut_model_free(&model);
}

/* Growth is told for runs by series; a run that goes on by the implicit method is certified without
 * it, and soon: by series it would take millions of steps. */
static void test_stiff_runs_are_certified_soon(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool grows;
    } RUN[] = {{"stiff/van-der-pol-1e6", false}, {"slider-crank", true}};
    for (int k = 0; k < 2; k++) {
        char path[300];
        taut_model *model = NULL;
        taut_result *r = NULL;
        taut_errors errors = {0};
        taut_run_options options = taut_run_options_default();
        snprintf(path, sizeof path, "%s/examples/%s.yaml", TAUT_SOURCE_DIR, RUN[k].name);
        assert_int_equal(taut_model_read(path, NULL, 0, &model, &errors), TAUT_OK);
        assert_int_equal(taut_simulate(model, &options, &r, &errors), TAUT_OK);
        assert_int_equal(taut_certify(model, &options, r, &errors), TAUT_OK);
        const taut_certificate *c = taut_result_certificate(r);
        assert_true(c->error < 1e-4);
        assert_int_equal(isfinite(c->growth) != 0, RUN[k].grows);
        taut_result_free(&r);
        taut_model_free(&model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_states_are_certified_honestly),
        cmocka_unit_test(test_equations_are_certified_honestly),
        cmocka_unit_test(test_second_models_are_certified_honestly),
        cmocka_unit_test(test_other_ways_to_run_are_certified_honestly),
        cmocka_unit_test(test_chaos_is_noticed),
        cmocka_unit_test(test_small_columns_count),
        cmocka_unit_test(test_zero_energy_has_a_scale),
        cmocka_unit_test(test_scales_are_of_the_whole_run),
        cmocka_unit_test(test_rest_has_nothing_to_estimate),
        cmocka_unit_test(test_a_model_that_never_moves_says_so),
        cmocka_unit_test(test_rest_in_minimal_coordinates_is_rest),
        cmocka_unit_test(test_gaps_of_the_second_run_do_not_matter),
        cmocka_unit_test(test_failed_second_run_gives_no_number),
        cmocka_unit_test(test_loops_at_rest_have_accelerations),
        cmocka_unit_test(test_stiff_runs_are_certified_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
