/* The free top with vector coordinates and the prime of a defined vector, against Euler's equations
 * in body axes (reference/make.py). */
#include "solve_text.h"

#include "reference/free_top.h"

static const char MODEL[] = "tests/models/free-top-lagrangian.yaml";
static const char *const STATE[] = {"ux",  "uy",  "uz",  "vx",  "vy",  "vz",
                                    "ux'", "uy'", "uz'", "vx'", "vy'", "vz'"};
enum { STATES = 12, LAST = 10 };

static void test_states_match_reference(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-13);
    options.at = free_top_time;
    options.ats = LAST + 1;
    options.has_tend = true;
    options.tend = 100.0;
    solution *s = solve_file(MODEL, &options);
    assert_int_equal(stats_of(s)->index, 3);
    assert_int_equal(stats_of(s)->dof, 6);
    assert_int_equal(stats_of(s)->mobility, 3);
    for (int k = 0; k < STATES; k++) { /* 11 digits at t = 1 are asked for */
        assert_near(value_of(s, 0, STATE[k]), free_top_state[0][k], 1e-13, 0.0);
        assert_near(value_of(s, 9, STATE[k]), free_top_state[9][k], 1e-12, 0.0);
        assert_near(value_of(s, LAST, STATE[k]), free_top_state[LAST][k], 1e-11, 0.0);
    }
    solution_free(s);
}

static void test_energy_and_angular_momentum_are_constant_over_100_seconds(void **state) {
    (void)state;
    static const char *const column[] = {"Hx", "Hy", "Hz", "energy"};
    static const double exact[] = {0.1, 4.0, 0.3, 4.02};
    taut_run_options options = at_tolerance(1e-13);
    options.has_tend = true;
    options.tend = 100.0;
    solution *s = solve_file(MODEL, &options);
    assert_int_equal(rows_of(s), 1001);
    for (int k = 0; k < 4; k++)
        for (long i = 0; i < rows_of(s); i++)
            assert_near(value_of(s, i, column[k]), exact[k], 1e-12, 0.0);
    assert_true(stats_of(s)->energy_drift < 1e-12);
    assert_true(stats_of(s)->constraint_residual < 1e-12);
    solution_free(s);
}

/* The derivative of an output: the angular momentum has none. */
static void test_prime_of_angular_momentum_is_zero(void **state) {
    (void)state;
    taut_run_options options = at_tolerance(1e-12);
    options.derivatives = 2;
    solution *s = solve_file(MODEL, &options);
    for (long i = 0; i < rows_of(s); i++) {
        assert_near(value_of(s, i, "Hx'"), 0.0, 1e-13, 0.0);
        assert_near(value_of(s, i, "Hy''"), 0.0, 1e-12, 0.0);
    }
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_match_reference),
        cmocka_unit_test(test_energy_and_angular_momentum_are_constant_over_100_seconds),
        cmocka_unit_test(test_prime_of_angular_momentum_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
