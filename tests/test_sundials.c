/* The integrators of SUNDIALS on taut's own equations: they find the motion that Taylor series
 * find, at their orders, and say why where they do not. */
#include "bench_system.h"
#include "digits.h"

static solution *solve_by(const char *name, const char *solver, double tol, double step) {
    taut_run_options options = at_tolerance(tol);
    options.solver = solver;
    options.step = step;
    return solve_example(name, &options);
}

/* Digits of all columns beside their scales in all rows; those of a run by Taylor series at 1e-13
 * count as true. Columns that stay 0 but for rounding are left out, and the work, which takes no
 * part in the choice of steps. */
static void must_find(const char *name, const char *solver, double tol, double digits) {
    solution *a = solve_by(name, solver, tol, 0.0), *b = solve_by(name, "taylor", 1e-13, 0.0);
    agreement worst = {17.0, 0.0, ""};
    assert_int_equal(rows_of(a), rows_of(b));
    assert_string_equal(stats_of(a)->solver, solver);
    for (int c = 1; c < taut_result_columns(a->result); c++) {
        const char *column = taut_result_name(a->result, c);
        const double scale = scale_of(b, column);
        if (scale < 1e-9 || strcmp(column, "work") == 0) continue;
        for (long i = 0; i < rows_of(a); i++) {
            const double x = taut_result_value(a->result, i, c);
            const double y = taut_result_value(b->result, i, c);
            agreement_add(&worst, -log10(fabs(x - y) / scale + 1e-17),
                          taut_result_value(a->result, i, 0), column);
        }
    }
    print_message("%s by %s: %.1f digits, %ld steps\n", name, solver, worst.digits,
                  stats_of(a)->steps);
    require_digits(worst, digits, name);
    solution_free(a);
    solution_free(b);
}

static void test_bdf(void **state) {
    (void)state;
    must_find("mcpherson", "bdf", 1e-11, 6.5);
    must_find("andrews", "bdf", 1e-11, 6.0);
    must_find("rolling-disk-mechanism", "bdf", 1e-10, 5.5);
    must_find("robertson", "bdf", 1e-10, 7.0);
    must_find("circuit-index2", "bdf", 1e-10, 8.0);
    must_find("spherical-pendulum", "bdf", 1e-11, 6.0);
}

static void test_ida(void **state) {
    (void)state;
    must_find("mcpherson", "ida", 1e-11, 6.5);
    must_find("andrews", "ida", 1e-11, 6.0);
    must_find("rolling-disk-mechanism", "ida", 1e-10, 5.5);
    must_find("robertson", "ida", 1e-10, 7.0);
    must_find("circuit-index2", "ida", 1e-10, 8.0);
    must_find("flyball-governor", "ida", 1e-10, 5.0);
    must_find("pendulum-paper", "ida", 1e-9, 4.0);
}

static void test_erk(void **state) {
    (void)state;
    must_find("slider-crank", "erk", 1e-11, 6.5);
    must_find("rscr", "erk", 1e-11, 8.0);
    must_find("dc-motor", "erk", 1e-11, 8.0);
}

static void test_adams(void **state) {
    (void)state;
    must_find("rscr", "adams", 1e-11, 6.0);
    must_find("dc-motor", "adams", 1e-11, 7.5);
    must_find("lorenz", "adams", 1e-12, 6.0);
    /* whose constraints would drift, and which would leave their branch where they are flat */
    must_find("slider-crank", "adams", 1e-9, 3.5);
    must_find("four-bar-1", "adams", 1e-9, 3.5);
    must_find("four-bar-2", "adams", 1e-9, 3.5);
}

/* The largest error of a run of the slider-crank to t = 2. */
static double error_of_rk4(const solution *truth, double step) {
    taut_run_options options = at_tolerance(1e-9);
    double largest = 0.0;
    options.solver = "rk4";
    options.step = step;
    options.has_tend = true;
    options.tend = 2.0;
    solution *s = solve_example("slider-crank", &options);
    for (long i = 0; i < rows_of(s); i++)
        largest = fmax(largest, fabs(value_of(s, i, "Bx") - value_of(truth, i, "Bx")));
    assert_true(stats_of(s)->constraint_residual < 1e-14);
    solution_free(s);
    return largest;
}

/* A run that ends where it begins has its first row. */
static void test_no_time_at_all(void **state) {
    (void)state;
    static const char *const SOLVER[] = {"bdf", "adams", "erk", "ida"};
    for (size_t i = 0; i < sizeof SOLVER / sizeof *SOLVER; i++) {
        taut_run_options options = at_tolerance(1e-9);
        options.solver = SOLVER[i];
        options.has_tend = true;
        options.tend = 0.0;
        solution *s = solve_example("slider-crank", &options);
        assert_int_equal(rows_of(s), 1);
        assert_int_equal(stats_of(s)->steps, 0);
        assert_true(isfinite(value_of(s, 0, "Bx'")));
        solution_free(s);
    }
}

/* Half the step, a sixteenth of the error. */
static void test_rk4_is_of_order_4(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-13);
    options.has_tend = true;
    options.tend = 2.0;
    solution *truth = solve_example("slider-crank", &options);
    double error[3];
    for (int i = 0; i < 3; i++) error[i] = error_of_rk4(truth, 5e-4 / (1 << i));
    assert_near(log2(error[0] / error[1]), 4.0, 0.3, 0.0);
    assert_near(log2(error[1] / error[2]), 4.0, 0.3, 0.0);
    solution_free(truth);
}

/* The same on x'' + x = 0, whose solution is known, by both methods that take fixed steps. */
static void test_fixed_steps_have_their_orders(void **state) {
    (void)state;
    static const char *const solver[] = {"rk4", "erk"};
    static const double order[] = {4.0, 5.0};
    for (int k = 0; k < 2; k++) {
        double error[2];
        for (int i = 0; i < 2; i++) {
            bench *b = bench_oscillator();
            const taut_stepping fixed = {.rtol = 1e-9, .atol = 1e-9, .step = 0.1 / (1 << i)};
            assert_int_equal(bench_start(b, solver[k], fixed, (const double[]){1.0, 0.0}, 0.0, 4.0),
                             TAUT_OK);
            bench_run(b);
            error[i] = hypot(bench_value(b, 0, 0) - cos(4.0), bench_value(b, 0, 1) + sin(4.0));
            bench_close(b);
        }
        assert_near(log2(error[0] / error[1]), order[k], 0.3, 0.0);
    }
}

/* From the end of a run back to its beginning. */
static void test_backwards(void **state) {
    (void)state;
    static const char *const solver[] = {"bdf", "ida", "erk", "adams"};
    for (int i = 0; i < 4; i++) {
        taut_run_options options = at_tolerance(1e-10);
        options.solver = solver[i];
        solution *s = solve_text("DAE:\n  Variables: [x]\n  Equations: [x' - x*cos(t)]\n"
                                 "ProblemData: {t0: 2, tend: 0, positions: {x: 3}}\n",
                                 &options);
        assert_near(last_of(s, "x"), 3.0 * exp(-sin(2.0)), 1e-7, 0.0);
        solution_free(s);
    }
}

static void must_refuse(const char *solver, double step, int order, const char *message) {
    taut_run_options options = at_tolerance(1e-9);
    options.solver = solver;
    options.step = step;
    options.order = order;
    solution *s = try_file(TAUT_SOURCE_DIR "/examples/pendulum.yaml", &options);
    assert_int_equal(s->status, TAUT_ERR_CALL);
    assert_string_equal(s->errors.item[0].message, message);
    solution_free(s);
}

static void test_what_does_not_fit_is_refused(void **state) {
    (void)state;
    must_refuse("rk4", 0.0, 0, "rk4 needs a fixed step: give one");
    must_refuse("bdf", 0.1, 0,
                "bdf chooses its own steps; a fixed one is for taylor, ho, erk and rk4");
    must_refuse("erk", 0.0, 7, "the order of erk is fixed");
    must_refuse("ida", 0.0, 6, "the order of ida is at most 5");
    must_refuse("lsode", 0.0, 0,
                "unknown solver 'lsode': the solvers are taylor, ho, bdf, adams, erk, rk4, ida "
                "and auto");
}

static void test_high_derivatives_are_refused(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-9);
    options.solver = "ida";
    solution *s = try_text("DAE:\n  Variables: [x]\n  Equations: [\"x'''''''' - x\"]\n"
                           "ProblemData: {t0: 0, tend: 2, values: {x: 1, \"x'\": 1, \"x''\": 1, "
                           "\"x'''\": 1, \"x''''\": 1, \"x'''''\": 1, "
                           "\"x''''''\": 1, \"x'''''''\": 1}}\n",
                           &options);
    assert_int_equal(s->status, TAUT_ERR_CALL);
    assert_string_equal(s->errors.item[0].message,
                        "ida does not take derivatives of order 8 and more; use taylor");
    solution_free(s);
}

/* x grows without bound at t = 1: what was computed before is kept. */
static void test_a_run_that_cannot_go_on(void **state) {
    (void)state;
    static const char *const solver[] = {"bdf", "ida", "erk", "adams"};
    for (int i = 0; i < 4; i++) {
        taut_run_options options = at_tolerance(1e-8);
        options.solver = solver[i];
        solution *s = try_text("DAE:\n  Variables: [x]\n  Equations: [x' - x^2]\n"
                               "ProblemData: {t0: 0, tend: 2, positions: {x: 1}}\n",
                               &options);
        assert_int_equal(s->status, TAUT_STEP_COLLAPSED);
        assert_non_null(s->result);
        assert_near(stats_of(s)->reached, 1.0, 1e-5, 0.0);
        assert_non_null(strstr(s->errors.item[0].message, "stopped at t = "));
        assert_near(value_of(s, 400, "x"), 5.0, 1e-4, 0.0);
        solution_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bdf),
        cmocka_unit_test(test_ida),
        cmocka_unit_test(test_erk),
        cmocka_unit_test(test_adams),
        cmocka_unit_test(test_no_time_at_all),
        cmocka_unit_test(test_rk4_is_of_order_4),
        cmocka_unit_test(test_fixed_steps_have_their_orders),
        cmocka_unit_test(test_backwards),
        cmocka_unit_test(test_what_does_not_fit_is_refused),
        cmocka_unit_test(test_high_derivatives_are_refused),
        cmocka_unit_test(test_a_run_that_cannot_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
