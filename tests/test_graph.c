/* Tests of expr/graph: equal expressions are one node, constants fold, the canonical form holds,
 * and large graphs need no recursion. */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "core/arena.h"
#include "expr/jet.h"

typedef struct lab {
    taut_graph *g;
    taut_node t, x, y, z, p, q;
} lab;

static int setup(void **state) {
    static lab l;
    if (taut_graph_create(&l.g) != TAUT_OK) return -1;
    l.x = taut_variable(l.g, 0);
    l.y = taut_variable(l.g, 1);
    l.z = taut_variable(l.g, 2);
    l.t = taut_time(l.g);
    l.p = taut_parameter(l.g, 0, 2.5);
    l.q = taut_parameter(l.g, 1, -0.5);
    *state = &l;
    return 0;
}

static int teardown(void **state) {
    lab *l = *state;
    taut_graph_free(&l->g);
    return 0;
}

static taut_node num(const lab *l, double value) { return taut_number(l->g, value); }
static int op_of(const lab *l, taut_node v) { return taut_node_get(l->g, v)->op; }

static void test_equal_expressions_are_one_node(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    assert_int_equal(taut_variable(g, 1), l->y);
    assert_int_equal(taut_time(g), l->t);
    assert_int_equal(taut_number(g, 0.1), taut_number(g, 0.1));
    assert_int_equal(taut_number(g, -0.0), taut_number(g, 0.0));
    assert_int_not_equal(taut_number(g, 0.1), taut_number(g, nextafter(0.1, 1)));
    /* sums in any order and grouping */
    taut_node a = taut_add(g, taut_add(g, l->x, l->y), l->z);
    taut_node b = taut_add(g, l->z, taut_add(g, l->y, l->x));
    assert_int_equal(a, b);
    assert_int_equal(taut_sub(g, a, l->z), taut_add(g, l->x, l->y));
    /* products of two factors, squares */
    assert_int_equal(taut_mul(g, l->x, l->y), taut_mul(g, l->y, l->x));
    assert_int_equal(taut_mul(g, a, b), taut_square(g, a));
    assert_int_equal(taut_power(g, l->x, num(l, 2)), taut_square(g, l->x));
    assert_int_equal(taut_power(g, l->x, num(l, 0.5)), taut_root(g, l->x));
    assert_int_equal(taut_power(g, l->x, num(l, -1)), taut_div(g, num(l, 1), l->x));
    assert_int_not_equal(taut_div(g, l->x, l->y), taut_div(g, l->y, l->x));
    /* numbers and time-constant factors, wherever they stand */
    taut_node xy = taut_mul(g, l->x, l->y);
    taut_node one = taut_mul(g, taut_mul(g, l->p, l->x), taut_scale(g, 3, l->y));
    assert_int_equal(one, taut_scale(g, 3, taut_mul(g, xy, l->p)));
    assert_int_equal(one, taut_mul(g, taut_scale(g, 3, l->p), xy));
    assert_int_equal(taut_div(g, taut_mul(g, l->p, l->x), l->p), l->x);
    assert_int_equal(taut_square(g, taut_mul(g, l->p, l->x)),
                     taut_mul(g, taut_square(g, l->p), taut_square(g, l->x)));
}

static void test_constants_fold(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    assert_true(taut_node_is_number(g, taut_add(g, num(l, 2), num(l, 3)), 5));
    assert_true(taut_node_is_number(g, taut_mul(g, num(l, 2), num(l, 3)), 6));
    assert_true(taut_node_is_number(g, taut_div(g, num(l, 3), num(l, 2)), 1.5));
    assert_true(taut_node_is_number(g, taut_square(g, num(l, -3)), 9));
    assert_true(taut_node_is_number(g, taut_root(g, num(l, 9)), 3));
    assert_true(taut_node_is_number(g, taut_power(g, num(l, 2), num(l, -2)), 0.25));
    assert_true(taut_node_is_number(g, taut_atan2(g, num(l, 1), num(l, 0)), acos(0)));
    assert_true(taut_node_is_number(g, taut_sub(g, l->x, l->x), 0));
    assert_true(taut_node_is_number(g, taut_mul(g, num(l, 0), l->x), 0));
    assert_true(taut_node_is_number(g, taut_div(g, num(l, 0), l->x), 0));
    assert_true(taut_node_is_number(g, taut_div(g, l->x, l->x), 1));
    assert_true(taut_node_is_number(g, taut_div(g, taut_scale(g, -3, l->x), l->x), -3));
    assert_true(taut_node_is_number(g, taut_power(g, l->x, num(l, 0)), 1));
    assert_int_equal(taut_mul(g, num(l, 1), l->x), l->x);
    assert_int_equal(taut_add(g, num(l, 0), l->x), l->x);
    assert_int_equal(taut_div(g, l->x, num(l, 1)), l->x);
    assert_int_equal(taut_power(g, l->x, num(l, 1)), l->x);
    assert_int_equal(taut_square(g, taut_root(g, l->x)), l->x);
}

static void test_steady_nodes_know_their_value(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node k =
        taut_div(g, taut_apply(g, TAUT_OP_SIN, l->p), taut_add(g, taut_square(g, l->q), num(l, 1)));
    assert_true(taut_node_get(g, k)->steady);
    assert_near(taut_node_get(g, k)->value, sin(2.5) / 1.25, 0, 1e-15);
    taut_node r = taut_power(g, l->p, l->q);
    assert_true(taut_node_get(g, r)->steady);
    assert_near(taut_node_get(g, r)->value, pow(2.5, -0.5), 0, 1e-15);
    assert_false(taut_node_get(g, taut_mul(g, k, l->x))->steady);
    assert_false(taut_node_get(g, taut_add(g, k, l->t))->steady);
    assert_true(taut_node_is_number(g, taut_dot(g, k, 1), 0));
}

static void test_zero_parameters_vanish(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node zero = taut_parameter(g, 7, 0.0);
    assert_true(taut_node_is_number(g, zero, 0));
    assert_true(taut_node_is_number(g, taut_parameter(g, 7, -0.0), 0));
    taut_node accel = taut_dot(g, l->x, 2);
    assert_int_equal(taut_add(g, taut_mul(g, zero, accel), l->y), l->y);
    /* also what only comes out as zero */
    taut_node none = taut_add(g, l->p, num(l, -2.5));
    assert_true(taut_node_is_number(g, none, 0));
    assert_int_equal(taut_add(g, taut_mul(g, none, accel), l->y), l->y);
}

/* A steady product that underflows is the number 0, whatever made it. */
static void test_underflow_leaves_no_structure(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node tiny = taut_parameter(g, 3, 1e-200), huge = taut_parameter(g, 4, 1e200);
    taut_node kx = taut_mul(g, tiny, l->x);
    assert_true(taut_node_is_number(g, taut_mul(g, tiny, tiny), 0));
    assert_true(taut_node_is_number(g, taut_mul(g, tiny, taut_div(g, num(l, 1), huge)), 0));
    assert_true(taut_node_is_number(g, taut_mul(g, kx, taut_mul(g, tiny, l->y)), 0));
    assert_true(taut_node_is_number(g, taut_div(g, kx, huge), 0));
    assert_true(taut_node_is_number(g, taut_div(g, tiny, huge), 0));
    assert_true(taut_node_is_number(g, taut_square(g, kx), 0));
    assert_false(taut_graph_failed(g));
}

/* sqrt(K E)^2 brings K back to the surface: the canonical form must be the usual one. */
static void test_squared_roots_keep_the_canonical_form(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node px = taut_mul(g, l->p, l->x), root = taut_root(g, px);
    taut_node qroot = taut_mul(g, l->q, root);
    assert_int_equal(taut_mul(g, qroot, root), taut_mul(g, l->q, px));
    assert_int_equal(taut_square(g, qroot), taut_mul(g, taut_square(g, l->q), px));
    taut_node two = taut_root(g, taut_scale(g, 2, l->x));
    assert_int_equal(taut_mul(g, taut_mul(g, l->q, two), two),
                     taut_scale(g, 2, taut_mul(g, l->q, l->x)));
    taut_node steady = taut_root(g, taut_scale(g, 2, l->p));
    assert_int_equal(taut_mul(g, taut_mul(g, steady, l->x), taut_mul(g, steady, l->y)),
                     taut_scale(g, 2, taut_mul(g, l->p, taut_mul(g, l->x, l->y))));
}

static void test_sums_merge_and_collect(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node a = taut_sum(g, 1, 3, (double[]){2, -1, 3}, (taut_node[]){l->x, l->y, l->x});
    const taut_node_data *d = taut_node_get(g, a);
    assert_int_equal(d->op, TAUT_OP_SUM);
    assert_int_equal(d->count, 2);
    assert_near(d->constant, 1, 0, 0);
    assert_near(taut_node_coefs(g, a)[0], 5, 0, 0);
    assert_near(taut_node_coefs(g, a)[1], -1, 0, 0);
    assert_int_equal(taut_node_args(g, a)[0], l->x);
    /* 2 a - 2 a cancels term by term, also inside another sum */
    taut_node b = taut_scale(g, 2, a);
    assert_true(taut_node_is_number(g, taut_sub(g, b, taut_add(g, a, a)), 0));
    assert_int_equal(taut_sub(g, taut_add(g, b, l->z), b), l->z);
}

/* ---- time derivatives ---- */

static void test_dot_is_linear(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node a = taut_sum(g, 7, 3, (double[]){2, -1, 4}, (taut_node[]){l->x, l->y, l->t});
    taut_node expected = taut_sum(g, 4, 2, (double[]){2, -1},
                                  (taut_node[]){taut_dot(g, l->x, 1), taut_dot(g, l->y, 1)});
    assert_int_equal(taut_dot(g, a, 1), expected);
    assert_int_equal(taut_dot(g, taut_mul(g, l->p, l->x), 2),
                     taut_mul(g, l->p, taut_dot(g, l->x, 2)));
    assert_int_equal(taut_dot(g, taut_dot(g, l->x, 1), 2), taut_dot(g, l->x, 3));
    assert_int_equal(taut_dot(g, taut_dot(g, taut_mul(g, l->x, l->y), 1), 1),
                     taut_dot(g, taut_mul(g, l->x, l->y), 2));
    assert_int_equal(taut_dot(g, l->x, 0), l->x);
    assert_true(taut_node_is_number(g, taut_dot(g, l->t, 1), 1));
    assert_true(taut_node_is_number(g, taut_dot(g, l->t, 2), 0));
    assert_true(taut_node_is_number(g, taut_dot(g, num(l, 3), 1), 0));
    assert_true(taut_node_is_number(g, taut_dot(g, l->p, 1), 0));
}

static void test_dot_stands_before_neither_sum_nor_dot(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node a = taut_add(g, taut_scale(g, 2, taut_square(g, l->x)), taut_mul(g, l->p, l->y));
    for (int i = 0; i < 3; i++) a = taut_mul(g, taut_dot(g, taut_add(g, a, l->z), 1), l->x);
    for (taut_node v = 1; v < taut_graph_size(g); v++) {
        if (op_of(l, v) != TAUT_OP_DIFF) continue;
        const int below = op_of(l, taut_node_args(g, v)[0]);
        assert_true(below != TAUT_OP_SUM && below != TAUT_OP_DIFF && below != TAUT_OP_TIME);
    }
}

static void test_arguments_have_smaller_ids(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node a = l->x;
    for (int i = 0; i < 200; i++) {
        a = taut_add(g, taut_mul(g, a, l->y), taut_apply(g, TAUT_OP_SIN, a));
        if (i % 10 == 0) a = taut_dot(g, a, 1);
    }
    for (taut_node v = 1; v < taut_graph_size(g); v++)
        for (uint32_t i = 0; i < taut_node_get(g, v)->count; i++)
            assert_true(taut_node_args(g, v)[i] < v);
}

/* ---- size ---- */

enum { MANY = 100000 };

/* 1e5 terms at once and one by one; a sum of many is a node that is shared, not copied. */
static void test_big_sums_work(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    static taut_node term[MANY];
    static double coef[MANY];
    for (int i = 0; i < MANY; i++) {
        term[i] = taut_variable(g, i);
        coef[i] = 1 + i % 7;
    }
    taut_node all = taut_sum(g, 0, MANY, coef, term);
    assert_int_equal(taut_node_get(g, all)->count, MANY);
    for (int i = 0; i < MANY / 2; i++) { /* reversed: the same node */
        taut_node n = term[i];
        double c = coef[i];
        term[i] = term[MANY - 1 - i], coef[i] = coef[MANY - 1 - i];
        term[MANY - 1 - i] = n, coef[MANY - 1 - i] = c;
    }
    assert_int_equal(taut_sum(g, 0, MANY, coef, term), all);
    assert_int_equal(taut_node_get(g, taut_add(g, all, l->t))->count, 2);
    assert_true(taut_node_is_number(g, taut_sub(g, all, all), 0));

    taut_node velocity = taut_dot(g, all, 1);
    assert_int_equal(taut_node_get(g, velocity)->count, MANY);
    taut_node one_by_one = num(l, 0);
    for (int i = 0; i < MANY; i++) one_by_one = taut_add(g, one_by_one, term[i]);
    assert_int_not_equal(taut_dot(g, one_by_one, 1), TAUT_NO_NODE);
    assert_false(taut_graph_failed(g));
}

/* The value of the node where x is 1 + 1e-6 and everything else is on the tape. */
/* All of them have one youngest argument, beside which there is room for few of them: the others
 * are found in a time that does not grow with their number. */
static void test_many_nodes_of_one_argument(void **state) {
    lab *l = *state;
    static taut_node made[MANY];
    for (int i = 0; i < MANY; i++) made[i] = taut_add(l->g, l->z, num(l, i + 1.0));
    for (int i = 1; i < MANY; i++) assert_true(made[i] > made[i - 1]);
    for (int i = MANY - 1; i >= 0; i--)
        assert_int_equal(taut_add(l->g, num(l, i + 1.0), l->z), made[i]);
    assert_int_equal(taut_graph_size(l->g), made[MANY - 1] + 1);
}

static void test_deep_products_work(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node factor = taut_add(g, l->x, num(l, 1)), a = factor;
    for (int i = 1; i < MANY; i++) {
        taut_node next = taut_mul(g, a, i % 2 ? factor : l->y);
        assert_int_not_equal(next, a);
        a = next;
    }
    taut_arena arena = {0};
    taut_tape *tape;
    taut_jet *jet;
    assert_int_equal(taut_tape_create(g, (int[]){0, 0, 0}, &a, 1, &arena, &tape), TAUT_OK);
    assert_int_equal(taut_jet_create(tape, 1, &arena, &jet), TAUT_OK);
    taut_jet_start(jet, 0, 1);
    const int x = taut_tape_slot(tape, l->x), y = taut_tape_slot(tape, l->y);
    *taut_jet_at(jet, x, 0) = 1e-5, *taut_jet_at(jet, x, 1) = 1;
    *taut_jet_at(jet, y, 0) = 1 - 1e-5; /* (1 + x)^(n/2 + 1) y^(n/2 - 1) */
    taut_jet_stage(jet, 0);
    taut_jet_stage(jet, 1);
    const int v = taut_tape_slot(tape, a);
    const double n = 0.5 * MANY;
    const double expected = exp((n + 1) * log1p(1e-5) + (n - 1) * log1p(-1e-5));
    assert_near(*taut_jet_at(jet, v, 0), expected, 0, 1e-10);
    assert_near(*taut_jet_at(jet, v, 1), expected * (n + 1) / (1 + 1e-5), 0, 1e-10);
    taut_arena_release(&arena);
}

/* A sanitizer would see if their arguments, of which there are none, began nowhere. */
static void test_leaves_can_be_copied(void **state) {
    (void)state;
    taut_graph *leaves = NULL, *copy = NULL;
    assert_int_equal(taut_graph_create(&leaves), TAUT_OK);
    const taut_node x = taut_variable(leaves, 3);
    assert_int_equal(taut_graph_copy(leaves, &copy), TAUT_OK);
    assert_int_equal(taut_node_get(copy, x)->index, 3);
    assert_non_null(taut_node_args(copy, x));
    assert_non_null(taut_node_coefs(copy, x));
    taut_graph_free(&copy);
    taut_graph_free(&leaves);
}

static void test_no_node_is_passed_on(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    assert_false(taut_graph_failed(g));
    assert_int_equal(taut_add(g, TAUT_NO_NODE, l->x), TAUT_NO_NODE);
    assert_true(taut_graph_failed(g));
    assert_int_equal(taut_mul(g, l->x, TAUT_NO_NODE), TAUT_NO_NODE);
    assert_int_equal(taut_div(g, l->x, TAUT_NO_NODE), TAUT_NO_NODE);
    assert_int_equal(taut_square(g, TAUT_NO_NODE), TAUT_NO_NODE);
    assert_int_equal(taut_root(g, TAUT_NO_NODE), TAUT_NO_NODE);
    assert_int_equal(taut_power(g, TAUT_NO_NODE, l->x), TAUT_NO_NODE);
    assert_int_equal(taut_apply(g, TAUT_OP_SIN, TAUT_NO_NODE), TAUT_NO_NODE);
    assert_int_equal(taut_atan2(g, l->x, TAUT_NO_NODE), TAUT_NO_NODE);
    assert_int_equal(taut_dot(g, TAUT_NO_NODE, 1), TAUT_NO_NODE);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_equal_expressions_are_one_node),
        TEST(test_constants_fold),
        TEST(test_steady_nodes_know_their_value),
        TEST(test_zero_parameters_vanish),
        TEST(test_underflow_leaves_no_structure),
        TEST(test_squared_roots_keep_the_canonical_form),
        TEST(test_sums_merge_and_collect),
        TEST(test_dot_is_linear),
        TEST(test_dot_stands_before_neither_sum_nor_dot),
        TEST(test_arguments_have_smaller_ids),
        TEST(test_big_sums_work),
        TEST(test_many_nodes_of_one_argument),
        TEST(test_deep_products_work),
        TEST(test_leaves_can_be_copied),
        TEST(test_no_node_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
