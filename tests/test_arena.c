/* Tests of core/arena: alignment, growth, overflow, reuse. */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "core/arena.h"

static bool is_zero(const char *p, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (p[i]) return false;
    return true;
}

static void test_alloc_is_zeroed_and_aligned(void **state) {
    (void)state;
    taut_arena arena = {0};
    for (size_t size = 0; size < 300; size++) {
        char *p = taut_arena_alloc(&arena, size);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % (size < 64 ? 16 : 64), 0);
        assert_true(is_zero(p, size));
        memset(p, 0xA5, size);
    }
    taut_arena_release(&arena);
    assert_null(arena.blocks);
}

/* Every piece keeps what was written to it while blocks of all sizes are added. */
static void test_alloc_pieces_do_not_overlap(void **state) {
    (void)state;
    enum { PIECES = 3000 };
    static unsigned char *piece[PIECES];
    static size_t size[PIECES];
    taut_arena arena = {0};
    uint32_t seed = 1;
    for (int i = 0; i < PIECES; i++) {
        seed = seed * 1664525u + 1013904223u;
        size[i] = (seed >> 8) % (i % 100 == 0 ? 40000 : 200);
        piece[i] = taut_arena_alloc(&arena, size[i]);
        assert_non_null(piece[i]);
        assert_true(is_zero((const char *)piece[i], size[i]));
        memset(piece[i], i % 251, size[i]);
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(piece[i][k], i % 251);
    taut_arena_release(&arena);
}

static void test_alloc_of_nothing_gives_distinct_pointers(void **state) {
    (void)state;
    taut_arena arena = {0};
    const void *a = taut_arena_alloc(&arena, 0), *b = taut_arena_alloc(&arena, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    assert_non_null(TAUT_NEW_ARRAY(&arena, 0, double));
    taut_arena_release(&arena);
}

static void test_alloc_larger_than_a_block_works(void **state) {
    (void)state;
    taut_arena arena = {0};
    char *small = taut_arena_alloc(&arena, 10);
    char *large = taut_arena_alloc(&arena, (size_t)3 << 20);
    char *after = taut_arena_alloc(&arena, 10);
    assert_non_null(small);
    assert_non_null(large);
    assert_non_null(after);
    assert_true(is_zero(large, (size_t)3 << 20));
    large[((size_t)3 << 20) - 1] = 1;
    assert_int_equal(after[0], 0);
    taut_arena_release(&arena);
}

static void test_alloc_refuses_impossible_sizes(void **state) {
    (void)state;
    taut_arena arena = {0};
    assert_null(taut_arena_alloc(&arena, SIZE_MAX));
    assert_null(taut_arena_alloc(&arena, SIZE_MAX - 100));
    assert_null(taut_arena_array(&arena, SIZE_MAX / 4, 8));
    assert_null(taut_arena_array(&arena, 8, SIZE_MAX / 4));
    assert_null(TAUT_NEW_ARRAY(&arena, -1, double));
    assert_non_null(taut_arena_alloc(&arena, 8)); /* still usable */
    taut_arena_release(&arena);
}

static void test_release_leaves_a_usable_arena(void **state) {
    (void)state;
    taut_arena arena = {0};
    taut_arena_release(&arena); /* empty already */
    for (int round = 0; round < 3; round++) {
        int *n = TAUT_NEW(&arena, int);
        assert_non_null(n);
        assert_int_equal(*n, 0);
        *n = 7;
        taut_arena_release(&arena);
    }
}

static void test_copy_is_terminated(void **state) {
    (void)state;
    taut_arena arena = {0};
    assert_string_equal(taut_arena_copy(&arena, "pendulum", 4), "pend");
    assert_string_equal(taut_arena_copy(&arena, NULL, 0), "");
    taut_arena_release(&arena);
}

static void test_grow_keeps_elements_and_doubles(void **state) {
    (void)state;
    int *list = NULL;
    size_t room = 0, grown = 0;
    for (int i = 0; i < 100000; i++) {
        const size_t before = room;
        assert_int_equal(taut_grow((void **)&list, &room, (size_t)i + 1, sizeof *list), 0);
        assert_true(room > (size_t)i);
        if (room != before) {
            assert_true(room >= 2 * before);
            grown++;
        }
        list[i] = i * 3;
    }
    assert_true(grown < 20);
    for (int i = 0; i < 100000; i++) assert_int_equal(list[i], i * 3);
    taut_release((void **)&list);
    assert_null(list);
    taut_release((void **)&list); /* NULL is fine */
}

static void test_grow_failure_changes_nothing(void **state) {
    (void)state;
    double *list = NULL;
    size_t room = 0;
    assert_int_equal(taut_grow((void **)&list, &room, 5, sizeof *list), 0);
    double *const old = list;
    const size_t old_room = room;
    list[4] = 2.5;
    assert_int_equal(taut_grow((void **)&list, &room, SIZE_MAX / 4, sizeof *list), -1);
    assert_int_equal(taut_grow((void **)&list, &room, SIZE_MAX, sizeof *list), -1);
    assert_ptr_equal(list, old);
    assert_int_equal(room, old_room);
    assert_near(list[4], 2.5, 0, 0);
    taut_release((void **)&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc_is_zeroed_and_aligned),
        cmocka_unit_test(test_alloc_pieces_do_not_overlap),
        cmocka_unit_test(test_alloc_of_nothing_gives_distinct_pointers),
        cmocka_unit_test(test_alloc_larger_than_a_block_works),
        cmocka_unit_test(test_alloc_refuses_impossible_sizes),
        cmocka_unit_test(test_release_leaves_a_usable_arena),
        cmocka_unit_test(test_copy_is_terminated),
        cmocka_unit_test(test_grow_keeps_elements_and_doubles),
        cmocka_unit_test(test_grow_failure_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
