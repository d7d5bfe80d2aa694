/* Tests of expr/substitute and of copies of a graph: what leaves stand for, in canonical form. */
#include "check.h"

#include "expr/ops.h"
#include "expr/pattern.h"
#include "expr/substitute.h"

typedef struct lab {
    taut_graph *g;
    taut_node meaning[4]; /* of the leaves */
    taut_substitution *s;
    int asked;       /* how often a meaning was asked for */
    taut_node outer; /* a formula that leaf 3 stands for: it contains leaf 0 itself */
} lab;

static taut_node meaning(void *user, int leaf) {
    lab *l = user;
    bool finite;
    l->asked++;
    if (leaf < 3) return l->meaning[leaf];
    taut_node result = TAUT_NO_NODE;
    taut_substitute(l->s, l->outer, &result, &finite);
    return result;
}

static int setup(void **state) {
    static lab l;
    l = (lab){0};
    if (taut_graph_create(&l.g) != TAUT_OK) return -1;
    l.meaning[0] = taut_variable(l.g, 0);
    l.meaning[1] = taut_number(l.g, 2.0);
    l.meaning[2] = TAUT_NO_NODE;
    l.outer = taut_scale(l.g, 3.0, taut_leaf(l.g, 0));
    *state = &l;
    return taut_substitution_create(l.g, meaning, &l, &l.s) == TAUT_OK ? 0 : -1;
}

static int teardown(void **state) {
    lab *l = *state;
    taut_substitution_free(&l->s);
    taut_graph_free(&l->g);
    return 0;
}

static taut_node put_in(lab *l, taut_node formula) {
    taut_node result;
    bool finite;
    assert_int_equal(taut_substitute(l->s, formula, &result, &finite), TAUT_OK);
    assert_true(finite);
    return result;
}

enum { FORMULAS = 7 + TAUT_OP_COUNT };

/* Formulas with every operator, of a node a that moves and a node b that becomes a number. */
static int everything(taut_graph *g, taut_node a, taut_node b, taut_node *f) {
    int n = 0;
    f[n++] = taut_sum(g, 1.5, 2, (double[]){2.0, -3.0}, (taut_node[]){a, b});
    f[n++] = taut_mul(g, a, taut_dot(g, a, 1));
    f[n++] = taut_div(g, taut_square(g, a), taut_add(g, b, a));
    f[n++] = taut_root(g, taut_add(g, taut_square(g, a), taut_number(g, 1.0)));
    f[n++] = taut_power(g, a, taut_number(g, 2.5));
    f[n++] = taut_atan2(g, a, b);
    f[n++] = taut_dot(g, taut_mul(g, b, taut_square(g, a)), 2);
    for (int op = 0; op < TAUT_OP_COUNT; op++)
        if (taut_op_is_function((taut_op)op)) f[n++] = taut_apply(g, (taut_op)op, a);
    return n;
}

/* Substitution gives the very node that building with the meanings gives. */
static void test_result_is_what_building_gives(void **state) {
    lab *l = *state;
    taut_node formula[FORMULAS], built[FORMULAS];
    const int n = everything(l->g, taut_leaf(l->g, 0), taut_leaf(l->g, 1), formula);
    assert_int_equal(everything(l->g, l->meaning[0], l->meaning[1], built), n);
    for (int i = 0; i < n; i++) assert_int_equal(put_in(l, formula[i]), built[i]);
    for (int i = 0; i < n; i++) assert_int_equal(put_in(l, formula[i]), built[i]);
    assert_int_equal(l->asked, 2); /* once a leaf */
}

static void test_what_has_no_leaf_stays(void **state) {
    lab *l = *state;
    const taut_node x = taut_variable(l->g, 0), p = taut_parameter(l->g, 0, 4.0);
    taut_node formula[FORMULAS];
    const int n = everything(l->g, x, p, formula);
    for (int i = 0; i < n; i++) assert_int_equal(put_in(l, formula[i]), formula[i]);
    assert_int_equal(l->asked, 0);
}

static void test_a_number_folds(void **state) {
    lab *l = *state;
    const taut_node formula =
        taut_sub(l->g, taut_square(l->g, taut_leaf(l->g, 1)), taut_number(l->g, 4.0));
    assert_true(taut_node_is_number(l->g, put_in(l, formula), 0.0));
    /* and so does its derivative */
    assert_true(taut_node_is_number(l->g, put_in(l, taut_dot(l->g, taut_leaf(l->g, 1), 1)), 0.0));
}

static void test_a_meaning_may_be_a_formula_itself(void **state) {
    lab *l = *state;
    const taut_node formula = taut_square(l->g, taut_leaf(l->g, 3));
    assert_int_equal(put_in(l, formula), taut_square(l->g, taut_scale(l->g, 3.0, l->meaning[0])));
}

static void test_no_meaning_and_no_number_are_told(void **state) {
    lab *l = *state;
    taut_node result;
    bool finite;
    assert_int_equal(taut_substitute(l->s, taut_leaf(l->g, 2), &result, &finite), TAUT_ERR_INPUT);
    assert_true(finite);
    const taut_node zero = taut_sub(l->g, taut_leaf(l->g, 1), taut_number(l->g, 2.0));
    const taut_node divided = taut_div(l->g, taut_variable(l->g, 1), zero);
    assert_int_equal(taut_substitute(l->s, divided, &result, &finite), TAUT_ERR_INPUT);
    assert_false(finite);
}

/* A long sum of sums needs no recursion. */
static void test_deep_formulas(void **state) {
    lab *l = *state;
    taut_node formula = taut_leaf(l->g, 0), built = l->meaning[0];
    for (int i = 0; i < 100000; i++) {
        formula = taut_apply(l->g, TAUT_OP_SIN, formula);
        built = taut_apply(l->g, TAUT_OP_SIN, built);
    }
    assert_int_equal(put_in(l, formula), built);
}

static void test_a_copy_has_the_same_nodes_and_grows_alone(void **state) {
    lab *l = *state;
    taut_graph *copy;
    taut_node formula[FORMULAS], again[FORMULAS];
    const int n = everything(l->g, taut_leaf(l->g, 0), taut_parameter(l->g, 0, 7.0), formula);
    const uint32_t size = taut_graph_size(l->g);
    assert_int_equal(taut_graph_copy(l->g, &copy), TAUT_OK);
    assert_int_equal(taut_graph_size(copy), size);
    everything(copy, taut_leaf(copy, 0), taut_parameter(copy, 0, 7.0), again);
    for (int i = 0; i < n; i++) assert_int_equal(again[i], formula[i]);
    assert_int_equal(taut_graph_size(copy), size);
    for (int i = 0; i < 5000; i++) taut_variable(copy, i);
    assert_int_equal(taut_graph_size(l->g), size);
    taut_graph_free(&copy);
    everything(l->g, taut_leaf(l->g, 0), taut_parameter(l->g, 0, 7.0), again);
    for (int i = 0; i < n; i++) assert_int_equal(again[i], formula[i]);
}

/* Orders of derivatives in formulas of leaves. */
static void test_pattern_sees_leaves(void **state) {
    lab *l = *state;
    taut_pattern *pattern;
    const taut_pattern_entry *entry;
    size_t count;
    assert_int_equal(taut_pattern_create(l->g, &pattern), TAUT_OK);
    const taut_node f = taut_mul(l->g, taut_leaf(l->g, 2), taut_dot(l->g, taut_leaf(l->g, 1), 2));
    assert_int_equal(taut_pattern_row(pattern, f, &entry, &count), TAUT_OK);
    assert_int_equal(count, 2);
    assert_int_equal(entry[0].variable, 1);
    assert_int_equal(entry[0].order, 2);
    assert_int_equal(entry[1].variable, 2);
    assert_int_equal(entry[1].order, 0);
    taut_pattern_free(&pattern);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_result_is_what_building_gives, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_has_no_leaf_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_number_folds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_meaning_may_be_a_formula_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_meaning_and_no_number_are_told, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deep_formulas, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_copy_has_the_same_nodes_and_grows_alone, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_pattern_sees_leaves, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
