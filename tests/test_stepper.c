/* Every stepper on hand-built systems (bench_system.h): they follow known solutions, and ends may
 * move between steps. */
#include "bench_system.h"

#include <math.h>

static const char *const SOLVER[] = {"taylor", "ho", "erk", "adams", "bdf", "ida"};
enum { SOLVERS = 6 };

static taut_stepping at(double tol) { return (taut_stepping){.rtol = tol, .atol = tol}; }

static void test_every_stepper_follows_an_oscillator(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        bench *b = bench_oscillator();
        assert_int_equal(bench_start(b, SOLVER[i], at(1e-9), (const double[]){1.0, 0.0}, 0.0, 5.0),
                         TAUT_OK);
        bench_run(b);
        const double allowed = i < 2 ? 1e-9 : 2e-5;
        assert_near(bench_value(b, 0, 0), cos(5.0), allowed, 0.0);
        assert_near(bench_value(b, 0, 1), -sin(5.0), allowed, 0.0);
        bench_close(b);
    }
}

static void test_every_stepper_takes_a_dae_of_index_3(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        bench *b = bench_pendulum(9.81);
        assert_int_equal(
            bench_start(b, SOLVER[i], at(1e-9), (const double[]){1.0, 0.0, 0.0, 0.0}, 0.0, 1.0),
            TAUT_OK);
        bench_run(b);
        const double x = bench_value(b, 0, 0), y = bench_value(b, 1, 0), u = bench_value(b, 0, 1),
                     v = bench_value(b, 1, 1);
        assert_near(x * x + y * y, 1.0, 1e-7, 0.0);
        assert_near(0.5 * (u * u + v * v) + 9.81 * y, 0.0, i < 2 ? 1e-8 : 1e-3, 0.0);
        bench_close(b);
    }
}

static void test_stiff_steppers_do_not_mind_the_rate(void **state) {
    (void)state;
    static const char *const solver[] = {"ho", "bdf", "ida"};
    for (int i = 0; i < 3; i++) {
        bench *b = bench_stiff(1e6);
        assert_int_equal(bench_start(b, solver[i], at(1e-8), (const double[]){1.0}, 0.0, 3.0),
                         TAUT_OK);
        bench_run(b);
        assert_near(bench_value(b, 0, 0), cos(3.0), 1e-6, 0.0);
        assert_true(taut_stepper_statistics(b->stepper).steps < 1000);
        bench_close(b);
    }
}

/* ---- ends ---- */

/* The end moves again and again: every step stops at it, and the motion is the same. */
static void test_end_may_move_between_steps(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        bench *b = bench_oscillator();
        assert_int_equal(bench_start(b, SOLVER[i], at(1e-9), (const double[]){1.0, 0.0}, 0.0, 0.5),
                         TAUT_OK);
        for (int m = 1; m <= 6; m++) {
            bench_run(b);
            assert_true(b->stepper->t == 0.5 * m);
            b->tend = 0.5 * (m + 1);
            assert_int_equal(taut_stepper_set_end(b->stepper, b->tend), TAUT_OK);
        }
        b->tend = 1e9; /* further, and then back to just ahead */
        assert_int_equal(taut_stepper_set_end(b->stepper, b->tend), TAUT_OK);
        bench_step(b);
        assert_true(b->stepper->t > 3.0 && b->stepper->t < 100.0);
        b->tend = b->stepper->t + 1e-3;
        assert_int_equal(taut_stepper_set_end(b->stepper, b->tend), TAUT_OK);
        bench_run(b);
        assert_near(bench_value(b, 0, 0), cos(b->tend), i < 2 ? 1e-8 : 1e-4, 0.0);
        bench_close(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_stepper_follows_an_oscillator),
        cmocka_unit_test(test_every_stepper_takes_a_dae_of_index_3),
        cmocka_unit_test(test_stiff_steppers_do_not_mind_the_rate),
        cmocka_unit_test(test_end_may_move_between_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
