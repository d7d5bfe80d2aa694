/* The rank of arbitrary numbers in given places: against pivoting with such numbers, and where
 * pivoting cannot tell, on long chains. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "core/dense.h"
#include "solve/generic.h"

enum { MOST = 12, CHAIN = 400 };

static void test_random_patterns_have_the_rank_of_numbers(void **state) {
    (void)state;
    srand(3);
    for (int trial = 0; trial < 3000; trial++) {
        const int m = 1 + rand() % MOST, n = 1 + rand() % MOST, dense = 1 + rand() % 5;
        int row[MOST * MOST], column[MOST * MOST], entries = 0, rank, expected;
        double a[MOST * MOST] = {0};
        bool loose[MOST], dependent[MOST];
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                if (rand() % 6 >= dense) continue;
                row[entries] = i;
                column[entries] = rand() % 20 == 0 ? -1 : j;
                if (column[entries++] >= 0) a[j * m + i] = 0.5 + rand() / (1.0 + RAND_MAX);
            }
        assert_int_equal(taut_generic_columns(m, n, entries, row, column, loose, &rank), TAUT_OK);
        assert_int_equal(taut_dependent_columns(m, n, a, 1e-10, dependent, &expected), TAUT_OK);
        assert_int_equal(rank, expected);
        assert_memory_equal(loose, dependent, (size_t)n * sizeof *loose);
    }
}

/* Each row has three entries on from its diagonal: numbers would make this as good as singular. */
static void test_long_chains_have_full_rank(void **state) {
    (void)state;
    static int row[4 * CHAIN], column[4 * CHAIN];
    static bool loose[CHAIN];
    int entries = 0, rank;
    for (int i = 0; i < CHAIN; i++)
        for (int k = 0; k < 4; k++) {
            row[entries] = i;
            column[entries++] = i >= k ? i - k : -1;
        }
    assert_int_equal(taut_generic_columns(CHAIN, CHAIN, entries, row, column, loose, &rank),
                     TAUT_OK);
    assert_int_equal(rank, CHAIN);
    for (int i = 0; i < CHAIN; i++) assert_false(loose[i]);
    assert_int_equal(taut_generic_columns(0, 2, 0, row, column, loose, &rank), TAUT_OK);
    assert_true(rank == 0 && loose[0] && loose[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_patterns_have_the_rank_of_numbers),
        cmocka_unit_test(test_long_chains_have_full_rank)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
