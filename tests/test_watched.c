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
    assert_int_equal(
        taut_watched_create(
            &b->system, &b->structure,
            &(taut_watching){.node = node, .count = NODES, .order = order, .tol = 1e-11}, &w),
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
                double end = b->stepper->begin;
                bool more = taut_watched_follow(w, b->stepper);
                assert_true(more);
                assert_int_equal(w->course[4].order, i == 0 ? 0 : 1);
                for (; more; more = taut_watched_go_on(w)) {
                    assert_true(w->begin == end);
                    end = w->end;
                    check_courses(b, w, 1e-9);
                }
                assert_true(end == b->stepper->t);
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

/* ---- courses that are shorter than the step ---- */

/* x'' = 0 from x = 0 with x' = 1: one step to the end of the run, and x = t. */
static bench *open_free(const char *solver, double tend) {
    bench *b = bench_open();
    const taut_node x = bench_variable(b, "x");
    bench_equation(b, taut_dot(b->graph, x, 2));
    assert_int_equal(bench_start(b, solver, at(1e-9), (const double[]){0.0, 1.0}, 0.0, tend),
                     TAUT_OK);
    return b;
}

enum { SHORT = 7 };

/* A distance, a wave, a pulse of x and one of t, a high power, the rate of a distance, a quotient.
 */
static void short_ones(taut_graph *G, taut_node *node) {
    const taut_node x = taut_variable(G, 0), t = taut_time(G);
    const taut_node far = taut_sub(G, x, taut_number(G, 5.0));
    const taut_node of_x = taut_scale(G, 1e2, taut_sub(G, x, taut_number(G, 3.3)));
    const taut_node of_t = taut_scale(G, 1e5, taut_sub(G, t, taut_number(G, 7.7)));
    node[0] = taut_apply(G, TAUT_OP_SQRT, taut_add(G, taut_square(G, far), taut_number(G, 0.01)));
    node[1] = taut_apply(G, TAUT_OP_SIN, taut_scale(G, 20.0, x));
    node[2] = taut_apply(G, TAUT_OP_EXP, taut_scale(G, -1.0, taut_square(G, of_x)));
    node[3] = taut_apply(G, TAUT_OP_EXP, taut_scale(G, -1.0, taut_square(G, of_t)));
    node[4] = taut_number(G, 1.0);
    for (int k = 0; k < 40; k++) node[4] = taut_mul(G, node[4], taut_scale(G, 0.2, far));
    node[5] = taut_dot(G, node[0], 1);
    node[6] =
        taut_div(G, taut_number(G, 1.0), taut_add(G, taut_square(G, of_x), taut_number(G, 1.0)));
}

static void short_values(double t, double *g) {
    const double far = t - 5.0, u = 1e2 * (t - 3.3), v = 1e5 * (t - 7.7);
    g[0] = sqrt(far * far + 0.01);
    g[1] = sin(20.0 * t);
    g[2] = exp(-u * u);
    g[3] = exp(-v * v);
    g[4] = pow(0.2 * far, 40.0);
    g[5] = far / g[0];
    g[6] = 1.0 / (1.0 + u * u);
}

/* Parts follow each other from one end of the step to the other, and courses are right in all of
 * them: at 9 places of each, and where pulses are. Returns how many parts there were. */
static long check_parts(const bench *b, taut_watched *w, double *largest) {
    long parts = 0;
    double end = b->stepper->begin;
    bool more = taut_watched_follow(w, b->stepper);
    assert_true(more);
    for (; more; more = taut_watched_go_on(w), parts++) {
        assert_true(w->begin == end && w->end > w->begin && w->end <= b->stepper->t);
        end = w->end;
        for (int m = 0; m <= 8; m++) {
            const double theta = m / 8.0;
            double g[SHORT];
            short_values(w->begin + theta * (w->end - w->begin), g);
            for (int i = 0; i < SHORT; i++) {
                const double found = taut_course_value(&w->course[i], 0, theta);
                assert_near(found, g[i], 2e-6, 2e-6);
                largest[i] = fmax(largest[i], found);
            }
        }
    }
    assert_true(end == b->stepper->t);
    return parts;
}

static void test_courses_hold_where_their_own_series_are_short(void **state) {
    (void)state;
    static const char *const solver[] = {"taylor", "ho"};
    for (int k = 0; k < 2; k++) {
        bench *b = open_free(solver[k], 10.0);
        taut_node node[SHORT];
        double largest[SHORT] = {0.0};
        taut_watched *w;
        short_ones(b->graph, node);
        assert_int_equal(
            taut_watched_create(
                &b->system, &b->structure,
                &(taut_watching){
                    .node = node, .count = SHORT, .order = 40, .tol = 1e-9, .span = 10.0},
                &w),
            TAUT_OK);
        long parts = 0, steps = 0;
        for (; b->stepper->t != b->tend; steps++) {
            bench_step(b);
            parts += check_parts(b, w, largest);
        }
        assert_true(parts > 20 * steps);
        assert_near(largest[2], 1.0, 1e-2, 0.0); /* no pulse was passed over */
        assert_near(largest[3], 1.0, 1e-2, 0.0);
        assert_near(largest[6], 1.0, 1e-2, 0.0);
        taut_watched_free(&w);
        bench_close(b);
    }
}

/* What is linear in the state is as long as the step, and nobody looks; nor does one who is not
 * asked. */
static void test_a_linear_course_is_the_whole_step(void **state) {
    (void)state;
    bench *b = open_free("taylor", 10.0);
    taut_graph *G = b->graph;
    taut_node node[2] = {taut_add(G, taut_scale(G, 3.0, taut_variable(G, 0)), taut_time(G)),
                         taut_apply(G, TAUT_OP_SIN, taut_scale(G, 20.0, taut_variable(G, 0)))};
    const taut_watching wanted = {.node = node, .count = 1, .order = 40, .tol = 1e-9};
    const taut_watching both = {.node = node, .count = 2, .order = 40, .tol = 1e-9};
    taut_watched *linear, *idle;
    assert_int_equal(taut_watched_create(&b->system, &b->structure, &wanted, &linear), TAUT_OK);
    assert_int_equal(taut_watched_create(&b->system, &b->structure, &both, &idle), TAUT_OK);
    assert_int_equal(linear->most_kind, TAUT_WATCHED_LINEAR);
    assert_int_equal(idle->most_kind, TAUT_WATCHED_SMOOTH);
    idle->idle[1] = true;
    while (b->stepper->t != b->tend) {
        bench_step(b);
        assert_true(taut_watched_follow(linear, b->stepper));
        assert_true(linear->end == b->stepper->t);
        assert_false(taut_watched_go_on(linear));
        assert_true(taut_watched_follow(idle, b->stepper));
        assert_true(idle->end == b->stepper->t);
    }
    taut_watched_free(&linear);
    taut_watched_free(&idle);
    bench_close(b);
}

/* sqrt(5 - t) ends inside the step, and 1/(t - 5)^2 has a pole there: parts go on all the same,
 * their number is limited, and the other course is right on both sides. */
static void test_what_has_no_value_does_not_stop_the_others(void **state) {
    (void)state;
    bench *b = open_free("taylor", 10.0);
    taut_graph *G = b->graph;
    const taut_node rest = taut_sub(G, taut_number(G, 5.0), taut_variable(G, 0));
    const taut_node node[3] = {taut_apply(G, TAUT_OP_SQRT, rest),
                               taut_div(G, taut_number(G, 1.0), taut_square(G, rest)),
                               taut_apply(G, TAUT_OP_SIN, taut_scale(G, 3.0, taut_variable(G, 0)))};
    const taut_watching wanted = {.node = node, .count = 3, .order = 40, .tol = 1e-9, .span = 10.0};
    taut_watched *w;
    long parts = 0;
    assert_int_equal(taut_watched_create(&b->system, &b->structure, &wanted, &w), TAUT_OK);
    while (b->stepper->t != b->tend) {
        bench_step(b);
        for (bool more = taut_watched_follow(w, b->stepper); more; more = taut_watched_go_on(w)) {
            const double t = 0.5 * (w->begin + w->end);
            parts++;
            assert_near(taut_course_value(&w->course[2], 0, 0.5), sin(3.0 * t), 2e-6, 0.0);
            if (w->end < 4.999)
                assert_near(taut_course_value(&w->course[0], 0, 0.5), sqrt(5.0 - t), 2e-6, 0.0);
            if (w->begin > 5.001) assert_true(!isfinite(w->course[0].c[0]));
            if (w->end < 4.999 || w->begin > 5.001)
                assert_near(taut_course_value(&w->course[1], 0, 0.5), 1.0 / ((5.0 - t) * (5.0 - t)),
                            0.0, 2e-6);
        }
    }
    assert_true(parts > 20 && parts < 1000);
    taut_watched_free(&w);
    bench_close(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_courses_hold_where_their_own_series_are_short),
        cmocka_unit_test(test_a_linear_course_is_the_whole_step),
        cmocka_unit_test(test_what_has_no_value_does_not_stop_the_others),
        cmocka_unit_test(test_courses_are_those_of_the_nodes),
        cmocka_unit_test(test_values_at_times_by_every_method),
        cmocka_unit_test(test_watching_does_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
