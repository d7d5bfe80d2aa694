/* States of rest against closed forms and against long damped runs.
 *
 * How they could be wrong unnoticed: a state that only slows down (accelerations are looked at), an
 * equilibrium of another problem (forces of springs at their wrong length: closed form), a state
 * that a run does not start from (it must stay there). */
#include "solve_text.h"

#include <math.h>

static taut_state *rest_of(taut_model *model, const char *formulation) {
    taut_state *state = NULL;
    taut_errors errors = {0};
    taut_run_options run = at_tolerance(1e-12);
    run.formulation = formulation;
    const taut_status status = taut_equilibrium(model, &run, &state, &errors);
    if (status != TAUT_OK) show_errors(&errors);
    assert_int_equal(status, TAUT_OK);
    return state;
}

/* A run from the equilibrium that was found: rows at its beginning and its end. */
static solution *run_from(taut_model *model, const char *formulation, double tend) {
    taut_state *state = rest_of(model, formulation);
    solution *s = calloc(1, sizeof *s);
    taut_run_options run = at_tolerance(1e-12);
    run.formulation = formulation;
    run.from = state;
    run.has_tend = true;
    run.tend = tend;
    run.derivatives = 2;
    s->status = taut_simulate(model, &run, &s->result, &s->errors);
    taut_state_free(&state);
    return must_succeed(s);
}

/* Released from the horizontal, where Gauss-Newton sees no way down. */
static void test_a_pendulum_hangs(void **state) {
    (void)state;
    static const char *const FORMULATION[] = {"natural", "reference", "relative", "minimal"};
    taut_model *m = read_text(
        "PhysicalParams: {L: 0.7}\nDimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
        "  Rigids: {OA: {Geom: [[L]]}}\n  Particles: {A: 1}\nAppliedForces: {Gravity: 9.81}\n"
        "ProblemData: {tend: 1, positions: {A: [L, 0]}, velocities: {A: [0, 1]}}\n");
    for (int f = 0; f < 4; f++) {
        solution *s = run_from(m, FORMULATION[f], 1.0);
        for (long row = 0; row < rows_of(s); row += rows_of(s) - 1) {
            assert_near(value_of(s, row, "Ax"), 0.0, 1e-12, 0.0);
            assert_near(value_of(s, row, "Ay"), -0.7, 1e-14, 0.0);
            assert_near(value_of(s, row, "Ax''"), 0.0, 1e-11, 0.0);
        }
        solution_free(s);
    }
    taut_model_free(&m);
}

/* A mass on a spring that hardens: k x + q x^3 = m g. */
static void test_a_spring_that_hardens(void **state) {
    (void)state;
    taut_model *m = read_text(
        "PhysicalParams: {m: 2, k: 30, q: 400, g: 9.81}\nLagrangian:\n  Coordinates: [x]\n"
        "  L: m*x'^2/2 - k*x^2/2 - q*x^4/4 + m*g*x\n"
        "ProblemData: {tend: 1, positions: {x: 3}, velocities: {x: -5}}\n");
    taut_state *rest = rest_of(m, NULL);
    const double x = taut_state_value(rest, "x");
    assert_near(30 * x + 400 * x * x * x, 2 * 9.81, 1e-12, 0.0);
    assert_near(taut_state_value(rest, "x'"), 0.0, 0.0, 0.0);
    taut_state_free(&rest);
    taut_model_free(&m);
}

/* A hanging double rod with a spring to the side, against a long damped run. */
static void test_a_damped_run_ends_there(void **state) {
    (void)state;
    taut_model *m =
        read_text("PhysicalParams: {l: 0.8, m: 2}\nDimension: 2\nPartData:\n"
                  "  Fixed: {O: [0, 0], W: [1.5, -0.4]}\n"
                  "  Rigids:\n    OA: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
                  "    AB: {Geom: [[l, 0]], Dyna: [[l/2, 0], m, m*l^2/12]}\n"
                  "  SpringDampers: {BW: [40, 0.3, 12]}\n"
                  "AppliedForces: {Gravity: 9.81, Torques: {OA: -2*alpha', AB: -2*beta'}}\n"
                  "Angles: {alpha: OA, beta: AB}\n"
                  "ProblemData: {tend: 40, positions: {A: [0.1, -0.79], B: [0.2, -1.58]}}\n");
    solution *rest = run_from(m, NULL, 1.0);
    taut_run_options run = at_tolerance(1e-13);
    taut_errors errors = {0};
    taut_result *result;
    assert_int_equal(taut_simulate(m, &run, &result, &errors), TAUT_OK);
    for (int c = 1; c < taut_result_columns(result); c++) {
        const char *name = taut_result_name(result, c);
        if (strcmp(name, "Ax") && strcmp(name, "Ay") && strcmp(name, "Bx") && strcmp(name, "By"))
            continue;
        const double end = taut_result_value(result, taut_result_rows(result) - 1, c);
        assert_near(value_of(rest, 0, name), end, 1e-9, 0.0);
    }
    assert_near(value_of(rest, 0, "Bx''"), 0.0, 1e-10, 0.0);
    assert_near(value_of(rest, 0, "By''"), 0.0, 1e-10, 0.0);
    taut_result_free(&result);
    solution_free(rest);
    taut_model_free(&m);
}

static void test_what_falls_has_none(void **state) {
    (void)state;
    taut_model *m = read_text("Dimension: 2\nPartData: {Particles: {A: 1}}\n"
                              "AppliedForces: {Gravity: 9.81}\n"
                              "ProblemData: {tend: 1, positions: {A: [0, 0]}}\n");
    taut_errors errors = {0};
    taut_state *rest;
    assert_int_equal(taut_equilibrium(m, NULL, &rest, &errors), TAUT_ERR_NUMERICS);
    assert_null(rest);
    assert_non_null(strstr(errors.item[0].message, "no equilibrium was found: Ay'' = -9.81"));
    taut_model_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pendulum_hangs),
        cmocka_unit_test(test_a_spring_that_hardens),
        cmocka_unit_test(test_a_damped_run_ends_there),
        cmocka_unit_test(test_what_falls_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
