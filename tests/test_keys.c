/* Tests of core/keys: the order of keys, and of what has the same one. */
#include "check.h"

#include <limits.h>
#include <stdbool.h>

#include "core/keys.h"

static uint64_t draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 7;
}

/* Keys of few values, in the bits of a mask: ascending, and items ascending where keys are equal;
 * every item is there once, with its own key. */
static void must_sort(size_t count, uint64_t mask, uint64_t seed) {
    enum { MOST = 1000 };
    static taut_keyed list[MOST], spare[MOST], given[MOST];
    static bool seen[MOST];
    for (size_t k = 0; k < count; k++) {
        list[k] = given[k] = (taut_keyed){draw(&seed) & mask, (int)k};
        seen[k] = false;
    }
    taut_keys_sort(list, spare, count);
    for (size_t k = 0; k < count; k++) {
        assert_false(seen[list[k].item]);
        seen[list[k].item] = true;
        assert_true(list[k].key == given[list[k].item].key);
        if (k == 0) continue;
        assert_true(list[k - 1].key <= list[k].key);
        if (list[k - 1].key == list[k].key) assert_true(list[k - 1].item < list[k].item);
    }
}

static void test_keys_are_sorted_and_equal_ones_stay(void **state) {
    (void)state;
    static const size_t count[] = {0, 1, 2, 24, 25, 100, 1000};
    static const uint64_t mask[] = {0, 7, 0xF00000000, 0x0103000000010003, 0x1FFFFFFFFFFFFFF};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        for (size_t j = 0; j < sizeof mask / sizeof *mask; j++)
            must_sort(count[i], mask[j], 17 * i + j);
}

static void test_keys_of_numbers_have_their_order(void **state) {
    (void)state;
    static const int number[] = {INT_MIN, -70000, -2, -1, 0, 1, 255, 256, INT_MAX};
    for (size_t i = 1; i < sizeof number / sizeof *number; i++)
        assert_true(taut_key_of(number[i - 1]) < taut_key_of(number[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys_are_sorted_and_equal_ones_stay),
                                       cmocka_unit_test(test_keys_of_numbers_have_their_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
