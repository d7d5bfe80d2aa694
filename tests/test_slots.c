/* Tests of expr/marks.h and expr/slots: sets of nodes, and their slots, against plain arrays. */
#include "check.h"

#include <stdbool.h>

#include "expr/slots.h"

enum { MOST = 300 };

static const size_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Half of the draws are true. */
static bool draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33 & 1;
}

static void test_marks_are_found_in_both_directions(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        uint64_t word[MOST / 64 + 1] = {0}, seed = i;
        bool on[MOST + 1] = {false};
        const taut_marks m = {word, taut_marks_words(sizes[i])};
        for (taut_node v = 1; v < sizes[i]; v++) {
            if (!draw(&seed)) continue;
            on[v] = true;
            taut_marks_put(&m, v);
        }
        taut_node next = TAUT_NO_NODE;
        for (taut_node v = (taut_node)sizes[i]; v > 0; v--) {
            assert_int_equal(taut_marks_have(&m, v), on[v]);
            if (on[v]) next = v;
            assert_int_equal(taut_marks_from(&m, v), next);
        }
        taut_node last = TAUT_NO_NODE;
        for (taut_node v = 1; v <= sizes[i]; v++) {
            assert_int_equal(taut_marks_below(&m, v), last);
            if (on[v]) last = v;
        }
        assert_int_equal(taut_marks_from(&m, (taut_node)(64 * m.words)), TAUT_NO_NODE);
    }
}

static void test_slots_are_those_of_their_nodes(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        taut_arena arena = {0};
        taut_slots slots;
        taut_node node[2 * MOST];
        int slot[MOST + 1], count = 0;
        uint64_t seed = i;
        slot[0] = -1;
        for (taut_node v = (taut_node)sizes[i]; v-- > 1;) { /* not in the order of the nodes */
            slot[v] = draw(&seed) ? count : -1;
            if (slot[v] < 0) continue;
            node[count++] = v;
            if (draw(&seed)) node[count++] = TAUT_NO_NODE;
        }
        assert_int_equal(taut_slots_create(node, count, sizes[i], &arena, &slots), TAUT_OK);
        for (taut_node v = 0; v < sizes[i]; v++)
            assert_int_equal(taut_slots_find(&slots, v), slot[v]);
        assert_int_equal(taut_slots_find(&slots, (taut_node)sizes[i] + 64), -1);
        taut_arena_release(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_marks_are_found_in_both_directions),
                                       cmocka_unit_test(test_slots_are_those_of_their_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
