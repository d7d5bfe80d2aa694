/* Tests of tree/spanning: where loops are cut, and in which order bodies come. */
#include "check.h"

#include "tree/spanning.h"

static taut_tree make(taut_arena *arena, int bodies, const taut_tree_edge *edge, int edges) {
    taut_tree tree;
    assert_int_equal(taut_tree_create(arena, bodies, edge, edges, &tree), TAUT_OK);
    bool seen[64] = {false};
    for (int i = 0; i < bodies; i++) { /* parents come first, every body once */
        const int b = tree.order[i];
        assert_false(seen[b]);
        seen[b] = true;
        if (tree.parent[b] >= 0) assert_true(seen[tree.parent[b]]);
        if (tree.joint[b] >= 0) {
            assert_int_equal(edge[tree.joint[b]].body[tree.side[b]], b);
            assert_int_equal(edge[tree.joint[b]].body[1 - tree.side[b]], tree.parent[b]);
            assert_true(tree.inside[tree.joint[b]]);
        }
    }
    return tree;
}

/* A ring of five bodies and the ground, six equal joints: cut in the middle. */
static void ring(void **state) {
    (void)state;
    taut_arena arena = {0};
    taut_tree_edge edge[6];
    for (int i = 0; i < 6; i++) edge[i] = (taut_tree_edge){{i - 1, i < 5 ? i : -1}, 2, true};
    const taut_tree tree = make(&arena, 5, edge, 6);
    int cut = -1, cuts = 0;
    for (int i = 0; i < 6; i++)
        if (!tree.inside[i]) cut = i, cuts++;
    assert_int_equal(cuts, 1);
    assert_true(cut == 2 || cut == 3);
    taut_arena_release(&arena);
}

/* The joint that demands least is cut, wherever it is; what cannot be in the tree is cut as well.
 */
static void cheapest(void **state) {
    (void)state;
    taut_arena arena = {0};
    taut_tree_edge edge[6];
    for (int i = 0; i < 6; i++) edge[i] = (taut_tree_edge){{i - 1, i < 5 ? i : -1}, 5, true};
    edge[1].holds = 3;
    taut_tree tree = make(&arena, 5, edge, 6);
    for (int i = 0; i < 6; i++) assert_int_equal(tree.inside[i], i != 1);
    edge[1].holds = 5;
    edge[5].usable = false;
    tree = make(&arena, 5, edge, 6);
    for (int i = 0; i < 6; i++) assert_int_equal(tree.inside[i], i != 5);
    assert_int_equal(tree.parent[4], 3);
    taut_arena_release(&arena);
}

/* Two bodies that nothing connects with the ground: one is free, the other hangs on it. */
static void free_pair(void **state) {
    (void)state;
    taut_arena arena = {0};
    const taut_tree_edge edge[] = {{{2, 1}, 2, true}, {{0, -1}, 2, true}};
    const taut_tree tree = make(&arena, 3, edge, 2);
    assert_int_equal(tree.parent[0], -1);
    assert_int_equal(tree.joint[0], 1);
    assert_int_equal(tree.joint[1], -1);
    assert_int_equal(tree.parent[2], 1);
    assert_int_equal(tree.side[2], 0);
    taut_arena_release(&arena);
}

/* Rows of four-bars: every loop is cut once, and no way from the ground is longer than two. */
static void four_bars(void **state) {
    (void)state;
    enum { LOOPS = 20, BODIES = 2 * LOOPS + 1, JOINTS = 3 * LOOPS + 1 };
    taut_arena arena = {0};
    taut_tree_edge edge[JOINTS];
    int joints = 0, inside = 0;
    for (int i = 0; i <= LOOPS; i++) edge[joints++] = (taut_tree_edge){{i, -1}, 2, true};
    for (int i = 0; i < LOOPS; i++) {
        edge[joints++] = (taut_tree_edge){{LOOPS + 1 + i, i}, 2, true};
        edge[joints++] = (taut_tree_edge){{LOOPS + 1 + i, i + 1}, 2, true};
    }
    const taut_tree tree = make(&arena, BODIES, edge, JOINTS);
    for (int i = 0; i < JOINTS; i++) inside += tree.inside[i];
    assert_int_equal(JOINTS - inside, LOOPS);
    for (int b = 0; b < BODIES; b++)
        if (tree.parent[b] >= 0) assert_int_equal(tree.parent[tree.parent[b]], -1);
    taut_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ring), cmocka_unit_test(cheapest),
                                       cmocka_unit_test(free_pair), cmocka_unit_test(four_bars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
