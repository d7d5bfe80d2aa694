/* Watched nodes: their polynomials are right, and nobody notices that they are watched. */
#include "bench_system.h"

#include <math.h>

#include "solve/watched.h"

static const char *const SOLVER[] = {"taylor", "ho", "erk", "adams", "bdf", "ida"};
enum { SOLVERS = 6 };

static taut_stepping at(double tol) { return (taut_stepping){.rtol = tol, .atol = tol}; }

/* ---- watching ---- */

/* sin(t), x, x', the energy (constant but for rounding), a number, and lambda + y of the pendulum,
 * of which fewer orders are known. */
enum { NODES = 6 };

static taut_watched *watch_pendulum(bench *b, int order) {
    taut_graph *G = b->graph;
    taut_watched *w;
    const taut_node x = taut_variable(G, 0), y = taut_variable(G, 1), lambda = taut_variable(G, 2);
    const taut_node u = taut_dot(G, x, 1), v = taut_dot(G, y, 1);
    const taut_node squares = taut_add(G, taut_square(G, u), taut_square(G, v));
    const taut_node node[NODES] = {taut_apply(G, TAUT_OP_SIN, taut_time(G)),
                                   x,
                                   u,
                                   taut_add(G, taut_scale(G, 0.5, squares), taut_scale(G, 9.81, y)),
                                   taut_number(G, 7.0),
                                   taut_add(G, lambda, y)};
    assert_int_equal(taut_watched_create(&b->system, &b->structure, node, NODES, order, &w),
                     TAUT_OK);
    return w;
}

/* What the nodes are, from the stepper's own values. */
static void expected(const bench *b, double t, double *g) {
    const taut_stepper *s = b->stepper;
    const double u = taut_stepper_value(s, 0, 1, t), v = taut_stepper_value(s, 1, 1, t),
                 y = taut_stepper_value(s, 1, 0, t);
    g[0] = sin(t);
    g[1] = taut_stepper_value(s, 0, 0, t);
    g[2] = u;
    g[3] = 0.5 * (u * u + v * v) + 9.81 * y;
    g[4] = 7.0;
    g[5] = u * u + v * v - 9.81 * y + y; /* lambda = u^2 + v^2 - g y on the circle */
}

static void check_courses(const bench *b, const taut_watched *w, double allowed) {
    assert_true(w->begin == b->stepper->begin && w->end == b->stepper->t);
    for (int m = 0; m <= 8; m++) {
        const double theta = m / 8.0, t = w->begin + theta * (w->end - w->begin);
        double g[NODES];
        expected(b, t, g);
        for (int i = 0; i < NODES; i++)
            assert_near(taut_course_value(&w->course[i], 0, theta), g[i],
                        allowed * (i == 5 ? 100.0 : 1.0), 0.0);
        /* x' is the derivative of x */
        assert_near(taut_course_value(&w->course[1], 1, theta) / (w->end - w->begin), g[2],
                    100.0 * allowed, 0.0);
    }
}

static void test_courses_are_those_of_the_nodes(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho"};
    for (int i = 0; i < 2; i++)
        for (int backward = 0; backward < 2; backward++) {
            bench *b = bench_pendulum(9.81);
            assert_int_equal(bench_start(b, solver[i], at(1e-11),
                                         (const double[]){1.0, 0.0, 0.0, 0.0}, 0.0,
                                         backward ? -2.0 : 2.0),
                             TAUT_OK);
            taut_watched *w = watch_pendulum(b, 40);
            assert_false(taut_watched_follow(w, b->stepper)); /* no step yet */
            while (b->stepper->t != b->tend) {
                bench_step(b);
                assert_true(taut_watched_follow(w, b->stepper));
                check_courses(b, w, 1e-9);
                assert_int_equal(w->course[4].order, i == 0 ? 0 : 1);
            }
            taut_watched_free(&w);
            bench_close(b);
        }
}

static void test_values_at_times_by_every_method(void **state) {
    (void)state;
    for (int i = 0; i < SOLVERS; i++) {
        bench *b = bench_pendulum(9.81);
        double g[NODES], value[NODES];
        assert_int_equal(
            bench_start(b, SOLVER[i], at(1e-8), (const double[]){1.0, 0.0, 0.0, 0.0}, 0.0, 1.0),
            TAUT_OK);
        taut_watched *w = watch_pendulum(b, 40);
        while (b->stepper->t != b->tend) {
            bench_step(b);
            const double t = 0.3 * b->stepper->begin + 0.7 * b->stepper->t;
            taut_watched_look(w, b->stepper, t, value);
            expected(b, t, g);
            for (int k = 0; k < NODES - 1; k++) assert_near(value[k], g[k], 1e-13, 1e-13);
            if (i < 2)
                assert_near(value[5], g[5], 1e-5, 0.0); /* others do not follow multipliers */
            if (i > 1) assert_false(taut_watched_follow(w, b->stepper));
        }
        taut_watched_free(&w);
        bench_close(b);
    }
}

/* Steps with and without somebody who looks on, to the last bit. */
static void test_watching_does_not_change_a_bit(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho"};
    for (int i = 0; i < 2; i++) {
        bench *plain = bench_pendulum(9.81), *watched = bench_pendulum(9.81);
        const double x[] = {1.0, 0.0, 0.0, 0.0};
        assert_int_equal(bench_start(plain, solver[i], at(1e-9), x, 0.0, 3.0), TAUT_OK);
        assert_int_equal(bench_start(watched, solver[i], at(1e-9), x, 0.0, 3.0), TAUT_OK);
        taut_watched *w = watch_pendulum(watched, 30);
        double value[NODES];
        while (plain->stepper->t != plain->tend) {
            bench_step(plain);
            bench_step(watched);
            taut_watched_follow(w, watched->stepper);
            taut_watched_look(w, watched->stepper, watched->stepper->begin, value);
            assert_true(plain->stepper->t == watched->stepper->t);
            for (int j = 0; j < 2; j++)
                for (int k = 0; k < 2; k++)
                    assert_true(bench_value(plain, j, k) == bench_value(watched, j, k));
        }
        taut_watched_free(&w);
        bench_close(plain);
        bench_close(watched);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_courses_are_those_of_the_nodes),
        cmocka_unit_test(test_values_at_times_by_every_method),
        cmocka_unit_test(test_watching_does_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
