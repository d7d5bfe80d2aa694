/* Which formulas may hide a feature; features that were once stepped over, by all solvers; the
 * longest step. */
#include "solve_text.h"

#include "form/assemble.h"
#include "solve/suspects.h"

/* ---- suspects ---- */

static int suspects_of(const char *text) {
    taut_model *model = read_text(text);
    taut_problem *problem = NULL;
    taut_errors errors = {0};
    taut_arena arena = {0};
    taut_node *node;
    int nodes = 0;
    assert_int_equal(taut_problem_create(model, &problem, &errors), TAUT_OK);
    assert_int_equal(taut_suspects_find(&problem->system, &arena, &node, &nodes), TAUT_OK);
    taut_arena_release(&arena);
    taut_problem_free(&problem);
    taut_model_free(&model);
    return nodes;
}

#define LAGRANGIAN(L)                                                                              \
    "Lagrangian:\n  Coordinates: [x]\n  L: \"" L "\"\nProblemData: {tend: 1, positions: {x: 0}}\n"
#define EQUATION(f)                                                                                \
    "DAE:\n  Variables: [x]\n  Equations: [\"x' - (" f ")\"]\n  Outputs: {o: exp(-x^2)}\n"         \
    "ProblemData: {tend: 1, positions: {x: 0}}\n"
#define SLIDER(force)                                                                              \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], u: [1, 0]}\n  Collinears: {OuB: s}\n"           \
    "  Particles: {B: 1}\n  Springs: {OB: [1, 2]}\n"                                               \
    "AppliedForces: {Forces: {s: \"" force "\"}}\n"                                                \
    "ProblemData: {tend: 1, positions: {s: 1}}\n"

static void test_only_formulas_that_can_be_flat_are_suspects(void **state) {
    (void)state;
    assert_int_equal(suspects_of(EQUATION("x^3 - t^2 + sin(5*x)*cos(t)")), 0);
    assert_int_equal(suspects_of(EQUATION("tanh(50*(t - 1))")), 1);
    assert_int_equal(suspects_of(EQUATION("exp(-x^2)")), 1); /* an output as well */
    assert_int_equal(suspects_of(EQUATION("1/(1 + x^2)")), 1);
    assert_int_equal(suspects_of(EQUATION("sqrt(1 + t^2) + (1 + t^2)^0.3")), 2);
    assert_true(suspects_of(EQUATION("cos(t)^80")) > 0);
    assert_int_equal(suspects_of(EQUATION("cos(t)^4")), 0);
}

static void test_what_a_potential_leaves_in_the_equations_is_a_suspect(void **state) {
    (void)state;
    assert_int_equal(suspects_of(LAGRANGIAN("x'^2/2 - x^4")), 0);
    assert_int_equal(suspects_of(LAGRANGIAN("x'^2/2 - exp(-x^2)")), 1);
    assert_int_equal(suspects_of(LAGRANGIAN("x'^2/2 - atan(50*x)")), 1);
}

static void test_built_in_springs_are_no_suspects(void **state) {
    (void)state;
    assert_int_equal(suspects_of(SLIDER("2*t")), 0);
    assert_int_equal(suspects_of(SLIDER("tanh(9*t)")), 1);
}

/* ---- features that were stepped over: by 6 solvers, what is right in closed form ---- */

static const char *const SOLVER[] = {"taylor", "ho", "bdf", "adams", "erk", "ida"};
enum { SOLVERS = sizeof SOLVER / sizeof SOLVER[0] };

static void must_end_at(const char *text, const char *column, double value) {
    for (int i = 0; i < SOLVERS; i++) {
        taut_run_options options = taut_run_options_default();
        options.solver = SOLVER[i];
        solution *s = solve_text(text, &options);
        print_message("%s: %.12g\n", SOLVER[i], last_of(s, column));
        assert_near(last_of(s, column), value, 2e-7 * fmax(1.0, fabs(value)), 0.0);
        solution_free(s);
    }
}

#define PLAIN_SLIDER                                                                               \
    "Dimension: 2\nPartData:\n  Fixed: {O: [0, 0], x: [1, 0]}\n  Collinears: {OxB: s}\n"           \
    "  Particles: {B: 1}\n"

static void test_a_push_between_two_steps_moves_a_slider(void **state) {
    (void)state;
    /* from t = 5 to 6 by 1 N: v = 1, x(10) = 4.5 */
    must_end_at(PLAIN_SLIDER "AppliedForces: {Forces: {s: (tanh(10*(t - 5)) - tanh(10*(t - 6)))/2}}"
                             "\nProblemData: {tend: 10, positions: {s: 0}}\n",
                "s", 4.5);
}

static void test_a_hammer_blow_is_felt(void **state) {
    (void)state;
    /* the impulse is 10 sqrt(pi) Ns, at t = 1 */
    must_end_at(PLAIN_SLIDER "AppliedForces: {Forces: {s: \"1000*exp(-((t - 1)/0.01)^2)\"}}\n"
                             "ProblemData: {tend: 2, positions: {s: 0}}\n",
                "s", 10.0 * sqrt(M_PI));
}

static void test_a_barrier_of_twice_the_energy_turns_a_slider_back(void **state) {
    (void)state;
    /* the time lost or gained at the barrier, by quadrature: 2 int_0^a (1/v - 1) dx with
     * v = sqrt(1 - 2 V(x)), V(a) = 1/2; a = 0.5 - w sqrt(log 2) */
    must_end_at(PLAIN_SLIDER
                "AppliedForces: {Forces: {s: \"2*(s - 0.5)/0.002^2*exp(-((s - 0.5)/0.002)^2)\"}}\n"
                "ProblemData: {tend: 1, positions: {s: 0}, velocities: {s: 1}}\n",
                "s", -0.00055630577);
}

/* A function that begins as steps of one unit in the last place of 1: log(1 + 1e4 exp(-u^2)), whose
 * integral over u is by quadrature 37.8177812916. */
static void test_the_rounding_of_a_logarithm_is_no_feature(void **state) {
    (void)state;
    must_end_at(PLAIN_SLIDER
                "AppliedForces: {Forces: {s: \"log(1 + 1e4*exp(-((t - 5)/0.01)^2))\"}}\n"
                "ProblemData: {tend: 10, positions: {s: 0}}\n",
                "s'", 0.01 * 37.8177812916);
}

static void test_an_axis_follows_the_integral_of_a_speed(void **state) {
    (void)state;
    must_end_at("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n"
                "  Rigids: {OA: {Geom: [[0.3]], Dyna: [[0.1], 2, 0.05]}}\nAngles: {phi: OA}\n"
                "Variables: [ang]\n"
                "Equations: [\"ang' - 5*(tanh((t - 1)/0.005) - tanh((t - 2)/0.005))\"]\n"
                "Drivers: {phi: ang}\n"
                "ProblemData: {tend: 3, positions: {A: [0.3, 0], ang: 0}, fixedpositions: {ang}}\n",
                "phi", 10.0);
}

static void test_a_driven_rod_keeps_its_length(void **state) {
    (void)state;
    static const char *const formulation[] = {"natural", "relative", "reference"};
    const double at[] = {5.0};
    for (int i = 0; i < 3 * SOLVERS; i++) {
        taut_run_options options = taut_run_options_default();
        options.solver = SOLVER[i % SOLVERS];
        options.formulation = formulation[i / SOLVERS];
        options.at = at;
        options.ats = 1;
        solution *s = solve_text("Dimension: 2\nPartData:\n  Fixed: {O: [0, 0]}\n  Rigids:\n"
                                 "    OA: {Geom: [[1]], Dyna: [[0.5], 1, 1/12]}\n"
                                 "AppliedForces: {Gravity: }\nAngles: {phi: OA}\n"
                                 "Drivers: {phi: \"0.5*exp(-10*(t - 5)^2)\"}\n"
                                 "ProblemData: {tend: 10, positions: {A: [1, 0]}}\n",
                                 &options);
        assert_near(last_of(s, "Ax"), cos(0.5), 1e-7, 0.0);
        assert_near(last_of(s, "Ay"), sin(0.5), 1e-7, 0.0);
        solution_free(s);
    }
}

/* ---- the longest step ---- */

static long steps_with(const char *text, const char *solver, double max_step) {
    taut_run_options options = taut_run_options_default();
    options.solver = solver;
    options.max_step = max_step;
    solution *s = solve_text(text, &options);
    const long steps = stats_of(s)->steps;
    assert_near(last_of(s, "x"), exp(-1.0), 1e-6, 0.0);
    solution_free(s);
    return steps;
}

#define DECAY(more)                                                                                \
    "DAE:\n  Variables: [x]\n  Equations: [x' + x]\n"                                              \
    "ProblemData: {tend: 1, positions: {x: 1}" more "}\n"

static void test_no_solver_takes_a_longer_step_than_it_may(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        assert_true(steps_with(DECAY(""), SOLVER[i], 1e-3) >= 1000);
        assert_true(steps_with(DECAY(", maxstep: 1e-3"), SOLVER[i], 0.0) >= 1000);
        assert_true(steps_with(DECAY(", maxstep: 1e-3"), SOLVER[i], 0.1) < 1000); /* the option */
    }
    assert_true(steps_with(DECAY(""), "taylor", 0.0) < 5);
}

static void test_a_longest_step_must_be_above_zero(void **state) {
    (void)state;
    taut_run_options options = taut_run_options_default();
    solution *s = try_text(DECAY(", maxstep: -1"), &options);
    assert_int_equal(s->status, TAUT_ERR_INPUT);
    assert_non_null(strstr(s->errors.item[0].message, "maxstep"));
    solution_free(s);
    options.max_step = -1.0;
    s = try_text(DECAY(""), &options);
    assert_int_equal(s->status, TAUT_ERR_CALL);
    solution_free(s);
    options.max_step = 0.01;
    options.step = 0.1;
    s = try_text(DECAY(""), &options);
    assert_int_equal(s->status, TAUT_ERR_CALL);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_formulas_that_can_be_flat_are_suspects),
        cmocka_unit_test(test_what_a_potential_leaves_in_the_equations_is_a_suspect),
        cmocka_unit_test(test_built_in_springs_are_no_suspects),
        cmocka_unit_test(test_a_push_between_two_steps_moves_a_slider),
        cmocka_unit_test(test_a_hammer_blow_is_felt),
        cmocka_unit_test(test_a_barrier_of_twice_the_energy_turns_a_slider_back),
        cmocka_unit_test(test_the_rounding_of_a_logarithm_is_no_feature),
        cmocka_unit_test(test_an_axis_follows_the_integral_of_a_speed),
        cmocka_unit_test(test_a_driven_rod_keeps_its_length),
        cmocka_unit_test(test_no_solver_takes_a_longer_step_than_it_may),
        cmocka_unit_test(test_a_longest_step_must_be_above_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
