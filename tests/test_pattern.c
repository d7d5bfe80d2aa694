/* Tests of expr/pattern: signature rows of known equations. */
#include "check.h"

#include <stdbool.h>

#include "expr/pattern.h"

typedef struct lab {
    taut_graph *g;
    taut_pattern *pattern;
    taut_node t, x, y, z;
} lab;

static int setup(void **state) {
    static lab l;
    if (taut_graph_create(&l.g) != TAUT_OK) return -1;
    l.z = taut_variable(l.g, 2); /* ids in another order than indices */
    l.y = taut_variable(l.g, 1);
    l.x = taut_variable(l.g, 0);
    l.t = taut_time(l.g);
    *state = &l;
    return taut_pattern_create(l.g, &l.pattern) == TAUT_OK ? 0 : -1;
}

static int teardown(void **state) {
    lab *l = *state;
    taut_pattern_free(&l->pattern);
    taut_pattern_free(&l->pattern); /* NULL is fine */
    taut_graph_free(&l->g);
    return 0;
}

/* The row is {variable, order} pairs, `count` of them. */
static void check_row(lab *l, taut_node root, const int (*expected)[2], size_t count, bool time) {
    const taut_pattern_entry *entry;
    size_t found;
    for (int round = 0; round < 2; round++) { /* the work space is left clean */
        assert_int_equal(taut_pattern_row(l->pattern, root, &entry, &found), TAUT_OK);
        assert_int_equal(found, count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(entry[i].variable, expected[i][0]);
            assert_int_equal(entry[i].order, expected[i][1]);
        }
        assert_int_equal(taut_pattern_has_time(l->pattern), time);
    }
}
#define ROW(...) ((const int[][2]){__VA_ARGS__})

static void test_rows_of_the_pendulum(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node fx = taut_add(g, taut_dot(g, l->x, 2), taut_mul(g, l->x, l->z));
    taut_node fy = taut_sum(g, -9.81, 2, (double[]){1, 1},
                            (taut_node[]){taut_dot(g, l->y, 2), taut_mul(g, l->y, l->z)});
    taut_node c = taut_sum(g, -1, 2, (double[]){1, 1},
                           (taut_node[]){taut_square(g, l->x), taut_square(g, l->y)});
    check_row(l, fx, ROW({0, 2}, {2, 0}), 2, false);
    check_row(l, fy, ROW({1, 2}, {2, 0}), 2, false);
    check_row(l, c, ROW({0, 0}, {1, 0}), 2, false);
}

static void test_derivatives_add_up_along_a_path(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node inner = taut_mul(g, taut_dot(g, l->x, 1), l->y);
    check_row(l, taut_dot(g, inner, 2), ROW({0, 3}, {1, 2}), 2, false);
    taut_node outer = taut_dot(g, taut_mul(g, l->z, taut_dot(g, inner, 2)), 1);
    check_row(l, outer, ROW({0, 4}, {1, 3}, {2, 1}), 3, false);
}

/* A node that is reached on two ways counts with the higher derivative, whichever comes first. */
static void test_highest_derivative_wins(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node xy = taut_mul(g, l->x, l->y), s = taut_apply(g, TAUT_OP_SIN, xy);
    check_row(l, taut_add(g, s, taut_dot(g, xy, 3)), ROW({0, 3}, {1, 3}), 2, false);
    check_row(l, taut_add(g, taut_dot(g, s, 2), taut_mul(g, xy, l->x)), ROW({0, 2}, {1, 2}), 2,
              false);
    check_row(l, taut_add(g, taut_dot(g, l->x, 1), l->x), ROW({0, 1}), 1, false);
}

static void test_time_and_constants_have_no_entries(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node s = taut_apply(g, TAUT_OP_SIN, l->t), p = taut_parameter(g, 0, 3);
    check_row(l, taut_add(g, s, l->x), ROW({0, 0}), 1, true);
    check_row(l, s, NULL, 0, true);
    check_row(l, l->t, NULL, 0, true);
    check_row(l, taut_mul(g, p, p), NULL, 0, false);
    check_row(l, taut_number(g, 3), NULL, 0, false);
    check_row(l, taut_mul(g, p, taut_dot(g, l->y, 1)), ROW({1, 1}), 1, false);
}

static void test_zero_parameters_leave_the_pattern(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node mass = taut_parameter(g, 0, 0.0);
    check_row(l, taut_add(g, taut_mul(g, mass, taut_dot(g, l->x, 2)), l->y), ROW({1, 0}), 1, false);
}

/* The graph may grow between two rows. */
static void test_rows_follow_a_growing_graph(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    check_row(l, l->x, ROW({0, 0}), 1, false);
    taut_node a = l->x;
    for (int i = 0; i < 5000; i++)
        a = taut_apply(g, TAUT_OP_SIN, taut_mul(g, a, i == 2500 ? taut_dot(g, l->y, 1) : l->z));
    check_row(l, a, ROW({0, 0}, {1, 1}, {2, 0}), 3, false);
    check_row(l, taut_dot(g, a, 2), ROW({0, 2}, {1, 3}, {2, 2}), 3, false);
}

static void test_wide_rows_are_sorted(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    enum { WIDE = 20000 };
    static taut_node term[WIDE];
    static double one[WIDE];
    for (int i = 0; i < WIDE; i++) {
        term[i] = taut_dot(g, taut_variable(g, (i * 7919) % WIDE), i % 3);
        one[i] = 1;
    }
    const taut_pattern_entry *entry;
    size_t found;
    taut_node all = taut_sum(g, 0, WIDE, one, term);
    assert_int_equal(taut_pattern_row(l->pattern, all, &entry, &found), TAUT_OK);
    assert_int_equal(found, WIDE);
    for (int i = 0; i < WIDE; i++) assert_int_equal(entry[i].variable, i);
    for (int i = 0; i < WIDE; i++) assert_int_equal(entry[(i * 7919) % WIDE].order, i % 3);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_rows_of_the_pendulum),
        TEST(test_derivatives_add_up_along_a_path),
        TEST(test_highest_derivative_wins),
        TEST(test_time_and_constants_have_no_entries),
        TEST(test_zero_parameters_leave_the_pattern),
        TEST(test_rows_follow_a_growing_graph),
        TEST(test_wide_rows_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
