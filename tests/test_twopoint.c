/* Tests of solve/twopoint: polynomials are reproduced, functions to the order that both ends give.
 */
#include "check.h"

#include "solve/twopoint.h"

/* Taylor coefficients of exp(a x) at x. */
static void expand(double a, double x, int count, double *c) {
    c[0] = exp(a * x);
    for (int i = 1; i < count; i++) c[i] = c[i - 1] * a / i;
}

static void test_polynomials_are_reproduced(void **state) {
    (void)state;
    /* x^5 - 2 x^2 + 1: three coefficients at 0 and three at 1 determine it */
    const double left[] = {1, 0, -2}, right[] = {0, 1, 8};
    taut_twopoint p;
    taut_twopoint_set(&p, left, 3, right, 3);
    for (double x = -0.5; x <= 1.5; x += 0.125) {
        assert_near(taut_twopoint_value(&p, 0, x), pow(x, 5) - 2 * x * x + 1, 1e-14, 0);
        assert_near(taut_twopoint_value(&p, 1, x), 5 * pow(x, 4) - 4 * x, 1e-14, 0);
        assert_near(taut_twopoint_value(&p, 2, x), 10 * pow(x, 3) - 2, 1e-13, 0);
        assert_near(taut_twopoint_value(&p, 5, x), 1, 1e-13, 0);
        assert_near(taut_twopoint_value(&p, 6, x), 0, 1e-13, 0);
    }
}

static void test_ends_are_met_in_all_derivatives(void **state) {
    (void)state;
    double left[7], right[8];
    taut_twopoint p;
    expand(1.5, 0, 7, left);
    expand(1.5, 1, 8, right);
    taut_twopoint_set(&p, left, 7, right, 8);
    for (int k = 0; k < 7; k++) assert_near(taut_twopoint_value(&p, k, 0), left[k], 0, 1e-14);
    for (int k = 0; k < 8; k++) assert_near(taut_twopoint_value(&p, k, 1), right[k], 1e-11, 1e-11);
    /* |error| <= 1.5^15 e^1.5 / 15! * max (x (1-x))^7 (1-x) */
    for (double x = 0; x <= 1; x += 0.0625)
        assert_near(taut_twopoint_value(&p, 0, x), exp(1.5 * x), 1e-12, 0);
}

static void test_one_end_alone_is_a_taylor_polynomial(void **state) {
    (void)state;
    const double left[] = {2, 3, 4};
    taut_twopoint p;
    taut_twopoint_set(&p, left, 3, left, 0);
    assert_near(taut_twopoint_value(&p, 0, 0.5), 4.5, 0, 1e-15);
    assert_near(taut_twopoint_value(&p, 1, 0.5), 7, 0, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials_are_reproduced),
        cmocka_unit_test(test_ends_are_met_in_all_derivatives),
        cmocka_unit_test(test_one_end_alone_is_a_taylor_polynomial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
