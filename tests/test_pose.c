/* Euler parameters and angular velocities from axes: every orientation, also half turns, where the
 * first parameter vanishes. */
#include <math.h>
#include <string.h>

#include "check.h"

#include "form/pose.h"

/* R = (2 e0^2 - 1) I + 2 e e^T + 2 e0 [e]x, its columns as axes. */
static void axes_of(const double *p, double axis[3][3]) {
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        axis[i][i] = 2.0 * (p[0] * p[0] + p[i + 1] * p[i + 1]) - 1.0;
        axis[i][a] = 2.0 * (p[i + 1] * p[a + 1] + p[0] * p[b + 1]);
        axis[i][b] = 2.0 * (p[i + 1] * p[b + 1] - p[0] * p[a + 1]);
    }
}

static unsigned seed = 1;
static double any(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1u << 23) - 1.0;
}

static void normalise(double *v, int n) {
    double square = 0.0;
    for (int i = 0; i < n; i++) square += v[i] * v[i];
    for (int i = 0; i < n; i++) v[i] /= sqrt(square);
}

static void must_return(double *p) {
    double e[4], axis[3][3], omega[3], want[3] = {any(), any(), any()};
    taut_pose pose = {0};
    normalise(p, 4);
    axes_of(p, pose.axis[0]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) { /* omega x axis */
            const int a = (i + 1) % 3, b = (i + 2) % 3;
            pose.axis[1][k][i] = want[a] * pose.axis[0][k][b] - want[b] * pose.axis[0][k][a];
        }
    taut_pose_euler(&pose, e);
    axes_of(e, axis);
    assert_true(e[0] >= 0.0);
    assert_true(fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0) < 1e-15);
    for (int k = 0; k < 9; k++)
        assert_true(fabs(axis[k / 3][k % 3] - pose.axis[0][k / 3][k % 3]) < 2e-15);
    taut_pose_omega(&pose, omega);
    for (int i = 0; i < 3; i++) assert_true(fabs(omega[i] - want[i]) < 1e-14);
}

static void test_any_orientation(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) must_return((double[]){any(), any(), any(), any()});
}

static void test_half_turns(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        double axis[4] = {0.0}, near[4] = {1e-9, 1e-5, -1e-7, 1e-12};
        axis[i + 1] = 1.0;
        near[i + 1] = -1.0;
        must_return(axis);
        must_return(near);
    }
    for (int i = 0; i < 100; i++) must_return((double[]){0.0, any(), any(), any()});
    must_return((double[]){1.0, 0.0, 0.0, 0.0});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_orientation),
        cmocka_unit_test(test_half_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
