/* The initial point: what is fixed stays, what must move moves least and is reported. */
#include "solve_text.h"

/* The first row of a run. */
static solution *start_of(const char *text) {
    static const double zero[] = {0.0};
    taut_run_options options = at_tolerance(1e-12);
    options.at = zero;
    options.ats = 1;
    options.derivatives = 2;
    return try_text(text, &options);
}

static const char PENDULUM[] = "Lagrangian:\n"
                               "  Coordinates: [u, v]\n"
                               "  L: 1/2*(u'^2 + v'^2) + 9.81*v\n"
                               "  Constraints: [u^2 + v^2 - 100]\n";

static bool mentions(const solution *s, const char *what) {
    for (int i = 0; i < s->errors.count; i++)
        if (strstr(s->errors.item[i].message, what)) return true;
    show_errors(&s->errors);
    return false;
}

static double draw(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static void test_fixed_values_stay_to_the_last_bit(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 200; i++) {
        char text[600];
        const double u = draw(&seed, -9.0, 9.0), du = draw(&seed, -3.0, 3.0);
        snprintf(text, sizeof text,
                 "%sProblemData:\n"
                 "  tend: %.17g\n"
                 "  positions: {u: %.17g, v: 6}\n"
                 "  velocities: {u: %.17g, v: 0.3}\n"
                 "  fixedpositions: [u]\n"
                 "  fixedvelocities: [u]\n",
                 PENDULUM, draw(&seed, 1.0, 20.0), u, du);
        solution *s = must_succeed(start_of(text));
        assert_true(value_of(s, 0, "u") == u);
        assert_true(value_of(s, 0, "u'") == du);
        assert_near(value_of(s, 0, "v"), sqrt(100.0 - u * u), 1e-14, 0.0);
        assert_near(value_of(s, 0, "v'"), -u * du / sqrt(100.0 - u * u), 1e-14, 1e-14);
        solution_free(s);
    }
}

/* What is consistent as given is not touched, also where nothing is fixed. */
static void test_consistent_values_are_taken_as_given(void **state) {
    (void)state;
    char text[400];
    snprintf(text, sizeof text,
             "%sProblemData: {tend: 3, positions: {u: 6, v: 8}, velocities: {u: 1, v: -0.75}}\n",
             PENDULUM);
    solution *s = must_succeed(start_of(text));
    assert_true(value_of(s, 0, "u") == 6.0 && value_of(s, 0, "v") == 8.0);
    assert_true(value_of(s, 0, "u'") == 1.0 && value_of(s, 0, "v'") == -0.75);
    assert_string_equal(taut_result_moves(s->result), "");
    solution_free(s);
}

/* The nearest point of a circle lies on the ray of the guess. */
static void test_guesses_move_to_the_nearest_point(void **state) {
    (void)state;
    char text[400];
    snprintf(text, sizeof text,
             "%sProblemData: {tend: 3, positions: {u: 5, v: 12}, velocities: {u: 1, v: 0}}\n",
             PENDULUM);
    solution *s = must_succeed(start_of(text));
    const double u = 50.0 / 13.0, v = 120.0 / 13.0;
    assert_near(value_of(s, 0, "u"), u, 1e-13, 0.0);
    assert_near(value_of(s, 0, "v"), v, 1e-13, 0.0);
    /* the velocity loses its part along the ray */
    assert_near(value_of(s, 0, "u'"), 1.0 - 25.0 / 169.0, 1e-13, 0.0);
    assert_near(value_of(s, 0, "v'"), -60.0 / 169.0, 1e-13, 0.0);
    const char *moves = taut_result_moves(s->result);
    assert_non_null(strstr(moves, "u: 5 -> 3.846153846"));
    assert_non_null(strstr(moves, "v: 12 -> 9.230769231"));
    assert_non_null(strstr(moves, "u': 1 -> 0.852071"));
    assert_non_null(strstr(moves, "v': 0 -> -0.355029"));
    solution_free(s);
}

/* A velocity that follows from a constraint with t in it. */
static void test_moving_constraint_sets_the_velocity(void **state) {
    (void)state;
    solution *s =
        must_succeed(start_of("Lagrangian:\n"
                              "  Coordinates: [x]\n"
                              "  L: 1/2*x'^2\n"
                              "  Constraints: [x - 2 - 3*t - t^2]\n"
                              "ProblemData: {tend: 3, positions: {x: 1}, velocities: {x: 0}}\n"));
    assert_near(value_of(s, 0, "x"), 2.0, 1e-15, 0.0);
    assert_near(value_of(s, 0, "x'"), 3.0, 1e-15, 0.0);
    assert_near(value_of(s, 0, "x''"), 2.0, 1e-14, 0.0);
    assert_near(value_of(s, 0, "lambda1"), -2.0, 1e-14, 0.0);
    solution_free(s);
}

/* Neither y nor the multiplier nor a higher derivative has to be listed. */
static void test_determined_values_need_no_listing(void **state) {
    (void)state;
    solution *s = must_succeed(start_of("DAE:\n"
                                        "  Variables: [x, y, z]\n"
                                        "  Equations: [x' - y, y - z^3 - x, z - exp(x)]\n"
                                        "ProblemData: {tend: 0.01, positions: {x: 0.5}}\n"));
    assert_near(value_of(s, 0, "z"), exp(0.5), 1e-15, 1e-15);
    assert_near(value_of(s, 0, "x'"), exp(1.5) + 0.5, 0.0, 1e-14);
    assert_near(value_of(s, 0, "x''"), (exp(1.5) + 0.5) * (3.0 * exp(1.5) + 1.0), 0.0, 1e-14);
    solution_free(s);
}

static void test_missing_value_is_named(void **state) {
    (void)state;
    solution *s = start_of("DAE: {Variables: [x, y], Equations: [\"x'' + y\", y' - x]}\n"
                           "ProblemData: {tend: 1, positions: {x: 1, y: 0}}\n");
    assert_int_equal(s->status, TAUT_ERR_INPUT);
    assert_null(s->result);
    assert_true(mentions(s, "x'"));
    solution_free(s);
}

static void test_fixed_values_that_contradict_are_refused(void **state) {
    (void)state;
    char text[400];
    snprintf(text, sizeof text,
             "%sProblemData: {tend: 3, positions: {u: 5, v: 12}, fixedpositions: [u, v]}\n",
             PENDULUM);
    solution *s = start_of(text);
    assert_int_equal(s->status, TAUT_ERR_INPUT);
    assert_true(mentions(s, "constraint 1"));
    assert_true(mentions(s, "69")); /* 25 + 144 - 100 */
    solution_free(s);
}

static void test_constraint_out_of_reach_is_refused(void **state) {
    (void)state;
    solution *s = start_of("DAE: {Variables: [x], Equations: [x^2 + 1 + 0*x]}\n"
                           "ProblemData: {tend: 1, values: {x: 1}}\n");
    assert_int_equal(s->status, TAUT_ERR_INPUT);
    assert_true(mentions(s, "equation 1"));
    solution_free(s);
}

/* Newton alone would leave the domain of the logarithm. */
static void test_steps_are_shortened_to_stay_in_the_domain(void **state) {
    (void)state;
    solution *s = must_succeed(start_of("DAE: {Variables: [x], Equations: [log(x) + 2]}\n"
                                        "ProblemData: {tend: 1, values: {x: 30}}\n"));
    assert_near(value_of(s, 0, "x"), exp(-2.0), 0.0, 1e-14);
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed_values_stay_to_the_last_bit),
        cmocka_unit_test(test_consistent_values_are_taken_as_given),
        cmocka_unit_test(test_guesses_move_to_the_nearest_point),
        cmocka_unit_test(test_moving_constraint_sets_the_velocity),
        cmocka_unit_test(test_determined_values_need_no_listing),
        cmocka_unit_test(test_missing_value_is_named),
        cmocka_unit_test(test_fixed_values_that_contradict_are_refused),
        cmocka_unit_test(test_constraint_out_of_reach_is_refused),
        cmocka_unit_test(test_steps_are_shortened_to_stay_in_the_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
