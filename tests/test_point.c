/* Tests of expr/point: values of nodes beside a tape. */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "expr/plain.h"
#include "expr/point.h"

typedef struct lab {
    taut_graph *g;
    taut_arena arena;
    taut_node t, x, y;
} lab;

static int setup(void **state) {
    static lab l;
    memset(&l, 0, sizeof l);
    if (taut_graph_create(&l.g) != TAUT_OK) return -1;
    l.t = taut_time(l.g);
    l.x = taut_variable(l.g, 0);
    l.y = taut_variable(l.g, 1);
    *state = &l;
    return 0;
}

static int teardown(void **state) {
    lab *l = *state;
    taut_graph_free(&l->g);
    taut_arena_release(&l->arena);
    return 0;
}

static const int D[] = {2, 2};

/* A jet at t = 0.4 with x = 1.1, x' = 0.7, x'' = -0.3, y = 0.8, y' = -0.2, y'' = 0.5. */
static taut_jet *jet_at(lab *l, taut_tape *tape) {
    taut_jet *jet;
    assert_int_equal(taut_jet_create(tape, 0, &l->arena, &jet), TAUT_OK);
    taut_jet_start(jet, 0.4, 0.5);
    for (int k = 0; k < 3; k++) {
        *taut_jet_at(jet, taut_tape_slot(tape, l->x), k) =
            (double[]){1.1, 0.7 * 0.5, -0.3 * 0.25 / 2}[k];
        *taut_jet_at(jet, taut_tape_slot(tape, l->y), k) =
            (double[]){0.8, -0.2 * 0.5, 0.5 * 0.25 / 2}[k];
    }
    for (int s = tape->first_stage; s <= 0; s++) taut_jet_stage(jet, s);
    return jet;
}

static void test_values_are_those_of_the_formulas(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node p = taut_parameter(g, 0, 3.5), v = taut_dot(g, l->x, 1), a = taut_dot(g, l->x, 2);
    taut_node uv = taut_dot(g, taut_mul(g, l->x, l->y), 2);
    const taut_node target[] = {
        l->x,
        taut_mul(g, l->x, l->y),
        taut_square(g, v),
        taut_div(g, a, taut_add(g, taut_number(g, 2), taut_square(g, l->y))),
        taut_apply(g, TAUT_OP_SIN, taut_mul(g, p, l->x)),
        taut_power(g, l->x, taut_number(g, 0.3)),
        taut_atan2(g, l->y, l->x),
        taut_mul(g, p, taut_root(g, l->x)),
        taut_add(g, taut_apply(g, TAUT_OP_EXP, l->t), uv),
        taut_mul(g, p, p),
        taut_number(g, 42),
        taut_div(g, taut_number(g, 1), p),
        taut_sub(g, p, l->y),
        taut_mul(g, l->x, l->y), /* twice */
    };
    const double expected[] = {1.1,
                               0.88,
                               0.49,
                               -0.3 / 2.64,
                               sin(3.85),
                               pow(1.1, 0.3),
                               atan2(0.8, 1.1),
                               3.5 * sqrt(1.1),
                               exp(0.4) - 0.3 * 0.8 - 2 * 0.7 * 0.2 + 1.1 * 0.5,
                               12.25,
                               42,
                               1 / 3.5,
                               2.7,
                               0.88};
    enum { N = sizeof target / sizeof target[0] };
    taut_node *needed;
    size_t count;
    assert_int_equal(taut_plain_leaves(g, target, N, &needed, &count), TAUT_OK);
    taut_tape *tape;
    assert_int_equal(taut_tape_create(g, D, needed, count, &l->arena, &tape), TAUT_OK);
    taut_release((void **)&needed);
    taut_point *point;
    assert_int_equal(taut_point_create(tape, target, N, &l->arena, &point), TAUT_OK);
    double value[N];
    taut_jet *jet = jet_at(l, tape);
    for (int round = 0; round < 2; round++) {
        taut_point_eval(point, jet, value);
        for (int i = 0; i < N; i++) assert_near(value[i], expected[i], 1e-15, 1e-14);
    }
    /* another point, the same program */
    *taut_jet_at(jet, taut_tape_slot(tape, l->x), 0) = 2.0;
    for (int s = tape->first_stage; s <= 0; s++) taut_jet_stage(jet, s);
    taut_point_eval(point, jet, value);
    assert_near(value[1], 1.6, 0, 1e-15);
    assert_near(value[5], pow(2, 0.3), 0, 1e-15);
}

static void test_derivatives_names_what_the_tape_must_have(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node v = taut_dot(g, l->x, 1), w = taut_dot(g, taut_mul(g, l->x, l->y), 2);
    taut_node target[] = {taut_mul(g, v, taut_apply(g, TAUT_OP_SIN, w)), taut_square(g, l->t)};
    (void)taut_dot(g, l->y, 1); /* in the graph, but not below the targets */
    taut_node *found;
    size_t count, derivatives = 0;
    assert_int_equal(taut_plain_leaves(g, target, 2, &found, &count), TAUT_OK);
    bool has_v = false, has_w = false, has_t = false;
    for (size_t i = 0; i < count; i++) {
        derivatives += taut_node_get(g, found[i])->op == TAUT_OP_DIFF;
        has_v |= found[i] == v;
        has_w |= found[i] == w;
        has_t |= found[i] == l->t;
    }
    assert_int_equal(derivatives, 2);
    assert_true(has_v && has_w && has_t);
    taut_release((void **)&found);
    assert_int_equal(taut_plain_leaves(g, (taut_node[]){taut_number(g, 3)}, 1, &found, &count),
                     TAUT_OK);
    assert_int_equal(count, 0);
    taut_release((void **)&found);
}

/* What is on the tape is read from it: order 0 as it stands there, not computed anew. */
static void test_nodes_on_the_tape_are_read(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    taut_node s = taut_apply(g, TAUT_OP_SIN, l->x), target = taut_mul(g, s, l->y);
    taut_tape *tape;
    assert_int_equal(taut_tape_create(g, D, (taut_node[]){s, l->x, l->y}, 3, &l->arena, &tape),
                     TAUT_OK);
    taut_point *point;
    assert_int_equal(taut_point_create(tape, &target, 1, &l->arena, &point), TAUT_OK);
    taut_jet *jet = jet_at(l, tape);
    *taut_jet_at(jet, taut_tape_slot(tape, s), 0) = 10;
    double value;
    taut_point_eval(point, jet, &value);
    assert_near(value, 8, 0, 1e-15);
}

static void test_large_programs_work(void **state) {
    lab *l = *state;
    taut_graph *g = l->g;
    enum { MANY = 50000 };
    taut_node a = l->x, target[2];
    for (int i = 0; i < MANY; i++) /* a fixed point iteration: x = cos x */
        a = taut_apply(g, TAUT_OP_COS, taut_add(g, a, taut_scale(g, 1e-300, l->y)));
    target[0] = a;
    static taut_node term[MANY];
    static double one[MANY];
    for (int i = 0; i < MANY; i++) {
        term[i] = taut_mul(g, l->x, taut_add(g, l->y, taut_number(g, i)));
        one[i] = 1;
    }
    target[1] = taut_sum(g, 0, MANY, one, term);
    taut_tape *tape;
    taut_point *point;
    double value[2];
    assert_int_equal(taut_tape_create(g, D, (taut_node[]){l->x, l->y}, 2, &l->arena, &tape),
                     TAUT_OK);
    assert_int_equal(taut_point_create(tape, target, 2, &l->arena, &point), TAUT_OK);
    taut_point_eval(point, jet_at(l, tape), value);
    assert_near(value[0], 0.73908513321516064, 0, 1e-14);
    assert_near(value[1], 1.1 * (0.8 * MANY + 0.5 * MANY * (MANY - 1.0)), 0, 1e-12);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_values_are_those_of_the_formulas),
        TEST(test_derivatives_names_what_the_tape_must_have),
        TEST(test_nodes_on_the_tape_are_read),
        TEST(test_large_programs_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
