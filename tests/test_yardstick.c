/* The problems of the benchmarks against their reference values, which come from other equations,
 * another method and quadruple precision (bench/peers/make_reference.cpp). */
#include "check.h"

#include <stdio.h>

#include "../bench/reference.h"

static void check(const char *model, const char *values, const char *columns, double bar) {
    static taut_errors errors;
    static reference r;
    taut_model *read;
    taut_result *result;
    char path[500];
    snprintf(path, sizeof path, "%s/bench/peers/reference/%s.txt", TAUT_SOURCE_DIR, values);
    assert_true(reference_read(&r, path, columns));
    taut_run_options options = taut_run_options_default();
    options.rtol = options.atol = 1e-12;
    reference_ask(&r, &options);
    snprintf(path, sizeof path, "%s/%s", TAUT_SOURCE_DIR, model);
    assert_int_equal(taut_model_read(path, NULL, 0, &read, &errors), TAUT_OK);
    assert_int_equal(taut_simulate(read, &options, &result, &errors), TAUT_OK);
    assert_near(reference_error(&r, result), 0.0, bar, 0.0);
    taut_result_free(&result);
    taut_model_free(&read);
}

static void test_pendulum_after_100_s(void **state) {
    (void)state;
    check("examples/pendulum.yaml", "P1", "Ax,Ay", 5e-12);
    check("bench/models/pendulum-angle.yaml", "P1", "x,y", 5e-12);
}

static void test_four_bars_through_flat_positions(void **state) {
    (void)state;
    check("examples/four-bar-2.yaml", "P2_N2", "A0x,A0y,A2x-2,A2y", 2e-11);
    check("examples/four-bar-40.yaml", "P2_N40", "A0x,A0y,A40x-40,A40y", 2e-12);
}

static void test_andrews_mechanism_over_a_hundred_turns(void **state) {
    (void)state;
    const char *angles = "beta,Theta,gamma,Phi,delta,Omega,epsilon";
    check("examples/andrews.yaml", "P3_0.03", angles, 1e-11);
    check("examples/andrews.yaml", "P3_0.3", angles, 1e-10);
}

static void test_chain(void **state) {
    (void)state;
    check("examples/pendulum-chain-10.yaml", "P4_n10", "P1x,P1y,P5x,P5y,P10x,P10y", 1e-12);
}

static void test_flyball_governor(void **state) {
    (void)state;
    check("examples/flyball-governor.yaml", "P5", "Bx,By,Bz,Ez", 1e-11);
}

static void test_bricard(void **state) {
    (void)state;
    check("examples/bricard.yaml", "P6", "P2x,P2y,P2z,P3x,P3y,P3z", 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_after_100_s),
        cmocka_unit_test(test_four_bars_through_flat_positions),
        cmocka_unit_test(test_andrews_mechanism_over_a_hundred_turns),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_flyball_governor),
        cmocka_unit_test(test_bricard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
