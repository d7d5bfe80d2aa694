/* What an error counts for, and how far a projection goes: seen in numbers (docs/math/step.md). */
#include "agree.h"

#include "program.h"

/* x = cos(w t), in units of time that differ by 1/w. */
static solution *oscillate(const char *solver, double tol, bool per_unit, double w) {
    char text[300];
    taut_run_options options = at_tolerance(tol);
    options.solver = solver;
    options.per_unit = per_unit;
    snprintf(text, sizeof text,
             "PhysicalParams: {w: %.17g}\n"
             "DAE: {Variables: [x], Equations: [x'' + w^2*x]}\n"
             "ProblemData: {tend: 60/w, positions: {x: 1}, velocities: {x: 0}}\n",
             w);
    return solve_text(text, &options);
}

static double error_of(const solution *s) {
    double largest = 0.0;
    for (long row = 0; row < rows_of(s); row++)
        largest = fmax(largest, fabs(value_of(s, row, "x") - cos(value_of(s, row, "t"))));
    return largest;
}

/* Per unit step the whole run has the error that each step has otherwise. */
static void test_errors_per_unit_step(void **state) {
    (void)state;
    static const char *const SOLVER[] = {"taylor", "ho", "erk", "adams", "bdf", "ida"};
    for (size_t i = 0; i < sizeof SOLVER / sizeof *SOLVER; i++)
        for (double tol = 1e-5; tol > 1e-9; tol *= 0.01) {
            solution *each = oscillate(SOLVER[i], tol, false, 1.0);
            solution *all = oscillate(SOLVER[i], tol, true, 1.0);
            print_message("%s, tol %.0e: error %.1e in %ld steps, per unit step %.1e in %ld\n",
                          SOLVER[i], tol, error_of(each), stats_of(each)->steps, error_of(all),
                          stats_of(all)->steps);
            assert_true(error_of(all) < tol);
            assert_true(error_of(all) < 0.2 * error_of(each));
            assert_true(stats_of(all)->steps > stats_of(each)->steps);
            solution_free(each);
            solution_free(all);
        }
}

/* The unit of time makes no difference: steps are as many parts of the run. */
static void test_unit_of_time_does_not_matter(void **state) {
    (void)state;
    static const char *const SOLVER[] = {"taylor", "ho", "erk"};
    for (size_t i = 0; i < sizeof SOLVER / sizeof *SOLVER; i++) {
        solution *seconds = oscillate(SOLVER[i], 1e-8, true, 1.0);
        solution *other = oscillate(SOLVER[i], 1e-8, true, 0.0009765625);
        assert_int_equal(stats_of(seconds)->steps, stats_of(other)->steps);
        assert_near(last_of(seconds, "x"), last_of(other, "x"), 1e-9, 0.0);
        solution_free(seconds);
        solution_free(other);
    }
}

/* ---- projections ---- */

static double residual_of(const char *solver, const char *formulation, double tol,
                          double projection) {
    taut_run_options options = at_tolerance(tol);
    options.solver = solver;
    options.formulation = formulation;
    options.projection = projection;
    options.has_tend = true;
    options.tend = 5.0;
    solution *s = solve_file("examples/slider-crank.yaml", &options);
    const double residual = stats_of(s)->constraint_residual;
    solution_free(s);
    return residual;
}

/* At loose tolerances one correction leaves its square, and further ones leave nothing. */
static void test_projections_go_as_far_as_they_are_asked_to(void **state) {
    (void)state;
    static const struct {
        const char *solver, *formulation;
        double tol, once, usual;
    } RUN[] = {
        {"erk", "natural", 1e-3, 1e-7, 1e-13},  {"bdf", "natural", 1e-3, 1e-8, 1e-13},
        {"taylor", "natural", 0.1, 1e-9, 1e-6}, {"ho", "natural", 0.1, 1e-9, 1e-6},
        {"erk", "relative", 1e-3, 1e-7, 1e-7},
    };
    for (size_t i = 0; i < sizeof RUN / sizeof *RUN; i++) {
        const char *solver = RUN[i].solver, *formulation = RUN[i].formulation;
        const double once = residual_of(solver, formulation, RUN[i].tol, 0.1);
        const double usual = residual_of(solver, formulation, RUN[i].tol, 0.0);
        const double tight = residual_of(solver, formulation, RUN[i].tol, 1e-12);
        const double full = residual_of(solver, formulation, RUN[i].tol, TAUT_PROJECT_FULL);
        print_message("%s, %s: %.1e after one, %.1e usually, %.1e below 1e-12, %.1e fully\n",
                      solver, formulation, once, usual, tight, full);
        assert_true(once > RUN[i].once);
        assert_true(usual < RUN[i].usual);
        assert_true(tight < 1e-13 && full < 1e-13);
    }
}

/* A run that goes on from a state has to repeat them. */
static void test_continued_runs_project_likewise(void **state) {
    (void)state;
    taut_model *model = NULL;
    taut_simulation *a = NULL, *b = NULL;
    taut_state *middle = NULL;
    taut_errors errors = {0};
    taut_run_options options = at_tolerance(0.01);
    options.solver = "taylor";
    options.projection = TAUT_PROJECT_FULL;
    assert_int_equal(
        taut_model_read(TAUT_SOURCE_DIR "/examples/slider-crank.yaml", NULL, 0, &model, &errors),
        TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &a, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_create(model, &options, &b, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_start(a, &errors), TAUT_OK);
    for (int i = 0; i < 10; i++) assert_int_equal(taut_simulation_step(a, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_get_state(a, &middle, &errors), TAUT_OK);
    assert_int_equal(taut_simulation_set_state(b, middle, &errors), TAUT_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(taut_simulation_step(a, &errors), TAUT_OK);
        assert_int_equal(taut_simulation_step(b, &errors), TAUT_OK);
        assert_true(taut_simulation_time(a) == taut_simulation_time(b));
        assert_true(taut_simulation_now(a, "Ax'") == taut_simulation_now(b, "Ax'"));
    }
    taut_state_free(&middle);
    taut_simulation_free(&a);
    taut_simulation_free(&b);
    taut_model_free(&model);
}

/* ---- what is refused ---- */

static void must_refuse(const char *arguments, const char *part) {
    char command[400];
    program_result r;
    snprintf(command, sizeof command, "run %s/examples/%s -o x.csv", TAUT_SOURCE_DIR, arguments);
    program_call(&r, command);
    if (r.code != 2) fail_msg("taut %s ends with %d\n%s%s", command, r.code, r.out, r.err);
    if (!strstr(r.err, part)) fail_msg("taut %s: no '%s' in\n%s", command, part, r.err);
    program_release(&r);
}

static void test_refusals(void **state) {
    (void)state;
    must_refuse("slider-crank.yaml --error steps", "step or unit is expected");
    must_refuse("slider-crank.yaml --error unit --step 0.01", "a fixed step does not follow");
    must_refuse("slider-crank.yaml --projection 0", "above 0");
    must_refuse("slider-crank.yaml --projection 0.2", "at most 0.1, or full");
    must_refuse("slider-crank.yaml --projection most", "--projection most");
    must_refuse("slider-crank.yaml --projection full --formulation minimal", "minimal coordinates");
    must_refuse("slider-crank.yaml --projection full --stabilize none", "constraints decay");
    must_refuse("slider-crank.yaml --projection full --solver ida", "by ida");
    must_refuse("lorenz.yaml --projection full", "none of the equations restricts the state");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_per_unit_step),
        cmocka_unit_test(test_unit_of_time_does_not_matter),
        cmocka_unit_test(test_projections_go_as_far_as_they_are_asked_to),
        cmocka_unit_test(test_continued_runs_project_likewise),
        cmocka_unit_test_setup_teardown(test_refusals, program_enter, program_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
