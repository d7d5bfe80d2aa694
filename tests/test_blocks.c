/* Tests of solve/blocks: known decompositions, and definitions checked by brute force. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "solve/blocks.h"

#define NO (-1)     /* an absent entry of a dense table */
enum { MOST = 12 }; /* largest dense table */

static unsigned draw(uint64_t *seed, unsigned below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % below;
}

/* A matrix from a dense table (n x n, row by row); arrays live in arena. */
static taut_sigma from_table(taut_arena *arena, int n, const int *table) {
    int *start = TAUT_NEW_ARRAY(arena, n + 1, int);
    int *column = TAUT_NEW_ARRAY(arena, n * n, int), *order = TAUT_NEW_ARRAY(arena, n * n, int);
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (table[i * n + j] == NO) continue;
            column[count] = j;
            order[count++] = table[i * n + j];
        }
        start[i + 1] = count;
    }
    return (taut_sigma){n, start, column, order};
}

static void random_table(uint64_t *seed, int n, unsigned percent, int most, int *table) {
    for (int k = 0; k < n * n; k++)
        table[k] = draw(seed, 100) < percent ? (int)draw(seed, (unsigned)most + 1) : NO;
}

/* Whether row i can be matched beside the rows before it (Kuhn's augmenting path). */
static bool match_one(int n, const int *table, int i, bool *tried, int *row_of) {
    for (int j = 0; j < n; j++) {
        if (table[i * n + j] == NO || tried[j]) continue;
        tried[j] = true;
        if (row_of[j] < 0 || match_one(n, table, row_of[j], tried, row_of)) {
            row_of[j] = i;
            return true;
        }
    }
    return false;
}

/* Largest matching of a table without row `row` and column `column` (-1: keep all). */
static int rank_without(int n, const int *table, int row, int column) {
    int kept[MOST * MOST], row_of[MOST], rank = 0;
    for (int k = 0; k < n * n; k++) kept[k] = k / n == row || k % n == column ? NO : table[k];
    for (int j = 0; j < n; j++) row_of[j] = -1;
    for (int i = 0; i < n; i++) {
        bool tried[MOST] = {false};
        rank += match_one(n, kept, i, tried, row_of);
    }
    return rank;
}

static void check_list(const int *list, int count, const int *expected, int expected_count) {
    assert_int_equal(count, expected_count);
    for (int k = 0; k < count; k++) assert_int_equal(list[k], expected[k]);
}

/* Analyses a table and splits it. */
static taut_dm split_table(taut_arena *arena, int n, const int *table, int rank) {
    const taut_sigma sigma = from_table(arena, n, table);
    taut_offsets o;
    taut_dm dm;
    assert_int_equal(taut_assign(&sigma, arena, &o), TAUT_OK);
    assert_int_equal(o.rank, rank);
    assert_int_equal(taut_dm_split(&sigma, &o, arena, &dm), TAUT_OK);
    return dm;
}

static void test_split_finds_known_parts(void **state) {
    (void)state;
    const int table[] = {
        0,  NO, NO, NO, NO, NO, /* rows 0 1 2 know only columns 0 1 */
        NO, 1,  NO, NO, NO, NO, /* row 1 */
        2,  0,  NO, NO, NO, NO, /* row 2 */
        1,  NO, 0,  NO, NO, NO, /* row 3 and column 2 are well determined */
        NO, NO, 1,  0,  0,  NO, /* only rows 4 5 know columns 3 4 5 */
        0,  NO, NO, NO, 2,  1,
    };
    taut_arena arena = {0};
    const taut_dm dm = split_table(&arena, 6, table, 5);
    check_list(dm.over_rows, dm.nover_rows, (int[]){0, 1, 2}, 3);
    check_list(dm.over_columns, dm.nover_columns, (int[]){0, 1}, 2);
    check_list(dm.under_rows, dm.nunder_rows, (int[]){4, 5}, 2);
    check_list(dm.under_columns, dm.nunder_columns, (int[]){3, 4, 5}, 3);
    taut_arena_release(&arena);
}

static void test_split_of_empty_row_and_column(void **state) {
    (void)state;
    const int table[] = {0, NO, 0, NO, NO, NO, 0, NO, 0};
    taut_arena arena = {0};
    const taut_dm dm = split_table(&arena, 3, table, 2);
    check_list(dm.over_rows, dm.nover_rows, (int[]){1}, 1);
    check_list(dm.under_columns, dm.nunder_columns, (int[]){1}, 1);
    assert_int_equal(dm.nover_columns, 0);
    assert_int_equal(dm.nunder_rows, 0);
    taut_arena_release(&arena);
}

/* A bead in the plane held at u = const twice, each time with a multiplier: two equations for u
 * alone, and the equations of motion must determine v and both multipliers. */
static void test_split_names_a_doubled_constraint(void **state) {
    (void)state;
    const int table[] = {2, NO, 0, 0, NO, 2, 0, 0, 0, NO, NO, NO, 0, NO, NO, NO};
    taut_arena arena = {0};
    const taut_dm dm = split_table(&arena, 4, table, 3);
    check_list(dm.over_rows, dm.nover_rows, (int[]){2, 3}, 2);
    check_list(dm.over_columns, dm.nover_columns, (int[]){0}, 1);
    check_list(dm.under_rows, dm.nunder_rows, (int[]){0, 1}, 2);
    check_list(dm.under_columns, dm.nunder_columns, (int[]){1, 2, 3}, 3);
    taut_arena_release(&arena);
}

static void test_split_of_regular_structure_is_empty(void **state) {
    (void)state;
    const int table[] = {2, NO, 0, NO, 2, 0, 0, 0, NO};
    taut_arena arena = {0};
    const taut_dm dm = split_table(&arena, 3, table, 3);
    assert_int_equal(dm.nover_rows + dm.nover_columns + dm.nunder_rows + dm.nunder_columns, 0);
    taut_arena_release(&arena);
}

/* By definition: a row is over-determined iff some largest matching does without it, i.e. iff the
 * rank is the same without it; over-determined columns are what these rows contain. Columns
 * likewise. */
static void test_split_agrees_with_definition(void **state) {
    (void)state;
    uint64_t seed = 5;
    int singular = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const int n = 1 + (int)draw(&seed, MOST);
        int table[MOST * MOST], want[4][MOST], count[4] = {0};
        bool over[MOST] = {false}, under[MOST] = {false};
        random_table(&seed, n, 8 + draw(&seed, 40), 2, table);
        const int rank = rank_without(n, table, -1, -1);
        for (int k = 0; k < n; k++) {
            if (rank_without(n, table, k, -1) == rank) want[0][count[0]++] = k;
            if (rank_without(n, table, -1, k) == rank) want[3][count[3]++] = k;
        }
        for (int a = 0; a < n; a++) {
            for (int k = 0; k < count[0]; k++) over[a] |= table[want[0][k] * n + a] != NO;
            for (int k = 0; k < count[3]; k++) under[a] |= table[a * n + want[3][k]] != NO;
            if (over[a]) want[1][count[1]++] = a;
            if (under[a]) want[2][count[2]++] = a;
        }
        taut_arena arena = {0};
        const taut_dm dm = split_table(&arena, n, table, rank);
        check_list(dm.over_rows, dm.nover_rows, want[0], count[0]);
        check_list(dm.over_columns, dm.nover_columns, want[1], count[1]);
        check_list(dm.under_rows, dm.nunder_rows, want[2], count[2]);
        check_list(dm.under_columns, dm.nunder_columns, want[3], count[3]);
        assert_int_equal(dm.nover_rows - dm.nover_columns, n - rank);
        assert_int_equal(dm.nunder_columns - dm.nunder_rows, n - rank);
        singular += rank < n;
        taut_arena_release(&arena);
    }
    assert_true(singular > 500 && singular < 1900);
}

/* Analyses a table and compares its blocks with those expected: starts and rows. */
static void check_blocks(int n, const int *table, int nblocks, const int *start, const int *rows) {
    taut_arena arena = {0};
    const taut_sigma sigma = from_table(&arena, n, table);
    taut_offsets o;
    taut_blocks b;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    assert_int_equal(o.rank, n);
    assert_int_equal(taut_blocks_find(&sigma, &o, &arena, &b), TAUT_OK);
    check_list(b.block_start, b.nblocks + 1, start, nblocks + 1);
    check_list(b.row, n, rows, n);
    for (int k = 0; k < n; k++) assert_int_equal(b.column[k], o.column_of_row[b.row[k]]);
    taut_arena_release(&arena);
}

static void test_pendulum_is_one_block(void **state) {
    (void)state;
    const int table[] = {2, NO, 0, NO, 2, 0, 0, 0, NO};
    check_blocks(3, table, 1, (int[]){0, 3}, (int[]){0, 1, 2});
}

/* The constraint of each pendulum contains the multiplier of the one before it; here the last
 * pendulum is written first, so the blocks must come out backwards. */
static void test_chained_pendula_are_solved_in_chain_order(void **state) {
    (void)state;
    int table[81];
    for (int k = 0; k < 81; k++) table[k] = NO;
    for (int b = 0; b < 9; b += 3) {
        table[b * 9 + b] = table[(b + 1) * 9 + b + 1] = 2;
        table[b * 9 + b + 2] = table[(b + 1) * 9 + b + 2] = 0;
        table[(b + 2) * 9 + b] = table[(b + 2) * 9 + b + 1] = 0;
        if (b < 6) table[(b + 2) * 9 + b + 5] = 0;
    }
    check_blocks(9, table, 3, (int[]){0, 3, 6, 9}, (int[]){6, 7, 8, 3, 4, 5, 0, 1, 2});
}

static void test_triangular_system_is_solved_row_by_row(void **state) {
    (void)state; /* row 1 knows x2; row 3 x2 x0; row 0 x2 x0 x3; row 2 all */
    const int table[] = {0, NO, 0, 0, NO, NO, 0, NO, 0, 0, 0, 0, 0, NO, 0, NO};
    check_blocks(4, table, 4, (int[]){0, 1, 2, 3, 4}, (int[]){1, 3, 0, 2});
}

/* Columns are (a b c d e f); rows 1 4 hold {b, e}; row 3 {c} needs e; rows 0 2 5 {a, d, f} form a
 * ring and need c. Independent row blocks would come by their first row. */
static void test_known_block_triangular_form(void **state) {
    (void)state;
    const int table[] = {
        0,  NO, NO, 0,  NO, NO, /* a d */
        NO, 0,  NO, NO, 0,  NO, /* b e */
        NO, NO, NO, 0,  NO, 0,  /* d f */
        NO, NO, 0,  NO, 0,  NO, /* c e */
        NO, 0,  NO, NO, 0,  NO, /* b e */
        0,  NO, 0,  NO, NO, 0,  /* a c f */
    };
    check_blocks(6, table, 3, (int[]){0, 2, 3, 6}, (int[]){1, 4, 3, 0, 2, 5});
}

/* x' = f(x), every f of every x: orders below the highest are no part of the Jacobian. */
static void test_coupled_ode_has_blocks_of_one(void **state) {
    (void)state;
    const int table[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    check_blocks(3, table, 3, (int[]){0, 1, 2, 3}, (int[]){0, 1, 2});
}

/* The transistor amplifier of the IVP test set, as given: C (y1' - y2') stands in two rows. */
static void test_transistor_amplifier_blocks(void **state) {
    (void)state;
    const int table[] = {
        1,  1,  NO, NO, NO, NO, NO, NO, /* node 1 */
        1,  1,  0,  NO, NO, NO, NO, NO, /* node 2 */
        NO, 0,  1,  NO, NO, NO, NO, NO, /* node 3 */
        NO, 0,  0,  1,  1,  NO, NO, NO, /* node 4 */
        NO, NO, NO, 1,  1,  0,  NO, NO, /* node 5 */
        NO, NO, NO, NO, 0,  1,  NO, NO, /* node 6 */
        NO, NO, NO, NO, 0,  0,  1,  1,  /* node 7 */
        NO, NO, NO, NO, NO, NO, 1,  1,  /* node 8 */
    };
    check_blocks(8, table, 5, (int[]){0, 2, 3, 5, 6, 8}, (int[]){0, 1, 2, 3, 4, 5, 6, 7});
}

static void test_empty_system_has_no_blocks(void **state) {
    (void)state;
    taut_arena arena = {0};
    const taut_sigma sigma = {0, (int[]){0}, NULL, NULL};
    taut_offsets o;
    taut_blocks b;
    taut_dm dm;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    assert_int_equal(taut_blocks_find(&sigma, &o, &arena, &b), TAUT_OK);
    assert_int_equal(b.nblocks, 0);
    assert_int_equal(b.block_start[0], 0);
    assert_int_equal(taut_dm_split(&sigma, &o, &arena, &dm), TAUT_OK);
    assert_int_equal(dm.nover_rows + dm.nunder_columns, 0);
    taut_arena_release(&arena);
}

static void test_singular_structure_has_no_blocks(void **state) {
    (void)state;
    taut_arena arena = {0};
    const taut_sigma sigma = from_table(&arena, 2, (int[]){0, NO, 0, NO});
    taut_offsets o;
    taut_blocks b;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    assert_int_equal(taut_blocks_find(&sigma, &o, &arena, &b), TAUT_ERR_CALL);
    taut_arena_release(&arena);
}

/* leads[i * n + k]: equation i waits for equation k, directly or through others (Warshall). */
static void close_waits(const taut_sigma *sigma, const taut_offsets *o, bool *leads) {
    const int n = sigma->n;
    for (int k = 0; k < n * n; k++) leads[k] = k / n == k % n;
    for (int i = 0; i < n; i++)
        for (int e = sigma->start[i]; e < sigma->start[i + 1]; e++)
            if (o->d[sigma->column[e]] - o->c[i] == sigma->order[e])
                leads[i * n + o->row_of_column[sigma->column[e]]] = true;
    for (int m = 0; m < n; m++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) leads[i * n + k] |= leads[i * n + m] && leads[m * n + k];
}

/* Two equations share a block iff each waits for the other; nothing waits for a later block. */
static void test_blocks_agree_with_closure(void **state) {
    (void)state;
    uint64_t seed = 6;
    int several = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const int n = 1 + (int)draw(&seed, MOST);
        int table[MOST * MOST], block[MOST], seen[MOST] = {0};
        bool leads[MOST * MOST];
        random_table(&seed, n, 5 + draw(&seed, 25), 2, table);
        for (int i = 0; i < n; i++) table[i * n + (i + trial) % n] = 1;
        taut_arena arena = {0};
        const taut_sigma sigma = from_table(&arena, n, table);
        taut_offsets o;
        taut_blocks b;
        assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
        assert_int_equal(taut_blocks_find(&sigma, &o, &arena, &b), TAUT_OK);
        assert_int_equal(b.block_start[0], 0);
        assert_int_equal(b.block_start[b.nblocks], n);
        for (int k = 0; k < b.nblocks; k++) {
            assert_true(b.block_start[k] < b.block_start[k + 1]);
            for (int p = b.block_start[k]; p < b.block_start[k + 1]; p++) {
                block[b.row[p]] = k;
                seen[b.row[p]]++;
                assert_int_equal(b.column[p], o.column_of_row[b.row[p]]);
                if (p > b.block_start[k]) assert_true(b.row[p - 1] < b.row[p]);
            }
        }
        close_waits(&sigma, &o, leads);
        for (int i = 0; i < n; i++) {
            assert_int_equal(seen[i], 1);
            for (int k = 0; k < n; k++) {
                assert_int_equal(block[i] == block[k], leads[i * n + k] && leads[k * n + i]);
                if (leads[i * n + k]) assert_true(block[k] <= block[i]);
            }
        }
        several += b.nblocks > 1 && b.nblocks < n;
        taut_arena_release(&arena);
    }
    assert_true(several > 300);
}

/* Another transversal of the Jacobian's pattern, found from the last column to the first. */
static void other_transversal(const taut_sigma *sigma, const taut_offsets *o, taut_offsets *other) {
    const int n = sigma->n;
    int mirrored[MOST * MOST], row_of[MOST];
    for (int k = 0; k < n * n; k++) mirrored[k] = NO;
    for (int i = 0; i < n; i++)
        for (int e = sigma->start[i]; e < sigma->start[i + 1]; e++)
            if (o->d[sigma->column[e]] - o->c[i] == sigma->order[e])
                mirrored[i * n + n - 1 - sigma->column[e]] = 0;
    for (int j = 0; j < n; j++) row_of[j] = -1;
    for (int i = n - 1; i >= 0; i--) {
        bool tried[MOST] = {false};
        assert_true(match_one(n, mirrored, i, tried, row_of));
    }
    for (int j = 0; j < n; j++) {
        other->row_of_column[n - 1 - j] = row_of[j];
        other->column_of_row[row_of[j]] = n - 1 - j;
    }
}

static void test_blocks_do_not_depend_on_the_transversal(void **state) {
    (void)state;
    uint64_t seed = 7;
    int different = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const int n = 2 + (int)draw(&seed, MOST - 1);
        int table[MOST * MOST], rows[MOST], columns[MOST];
        random_table(&seed, n, 10 + draw(&seed, 30), 1, table);
        for (int i = 0; i < n; i++) table[i * n + (n - 1 - i)] = 0;
        taut_arena arena = {0};
        const taut_sigma sigma = from_table(&arena, n, table);
        taut_offsets o;
        taut_blocks a, b;
        assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
        taut_offsets other = o;
        other.row_of_column = rows;
        other.column_of_row = columns;
        other_transversal(&sigma, &o, &other);
        assert_int_equal(taut_blocks_find(&sigma, &o, &arena, &a), TAUT_OK);
        assert_int_equal(taut_blocks_find(&sigma, &other, &arena, &b), TAUT_OK);
        check_list(b.block_start, b.nblocks + 1, a.block_start, a.nblocks + 1);
        check_list(b.row, n, a.row, n);
        different += memcmp(a.column, b.column, (size_t)n * sizeof(int)) != 0;
        taut_arena_release(&arena);
    }
    assert_true(different > 100);
}

/* x_i + x_{i+1} = 0, the last one alone: the search goes as deep as the chain is long. */
static void test_long_chain_is_solved_from_its_end(void **state) {
    (void)state;
    enum { N = 200000 };
    taut_arena arena = {0};
    int *start = TAUT_NEW_ARRAY(&arena, N + 1, int), *column = TAUT_NEW_ARRAY(&arena, 2 * N, int);
    int *order = TAUT_NEW_ARRAY(&arena, 2 * N, int);
    for (int i = 0; i < N; i++) {
        int e = start[i];
        column[e++] = i;
        if (i + 1 < N) column[e++] = i + 1;
        start[i + 1] = e;
    }
    const taut_sigma sigma = {N, start, column, order};
    taut_offsets o;
    taut_blocks b;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    assert_int_equal(taut_blocks_find(&sigma, &o, &arena, &b), TAUT_OK);
    assert_int_equal(b.nblocks, N);
    for (int k = 0; k < N; k++) assert_int_equal(b.row[k], N - 1 - k);
    taut_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_finds_known_parts),
        cmocka_unit_test(test_split_of_empty_row_and_column),
        cmocka_unit_test(test_split_names_a_doubled_constraint),
        cmocka_unit_test(test_split_of_regular_structure_is_empty),
        cmocka_unit_test(test_split_agrees_with_definition),
        cmocka_unit_test(test_pendulum_is_one_block),
        cmocka_unit_test(test_chained_pendula_are_solved_in_chain_order),
        cmocka_unit_test(test_triangular_system_is_solved_row_by_row),
        cmocka_unit_test(test_known_block_triangular_form),
        cmocka_unit_test(test_coupled_ode_has_blocks_of_one),
        cmocka_unit_test(test_transistor_amplifier_blocks),
        cmocka_unit_test(test_empty_system_has_no_blocks),
        cmocka_unit_test(test_singular_structure_has_no_blocks),
        cmocka_unit_test(test_blocks_agree_with_closure),
        cmocka_unit_test(test_blocks_do_not_depend_on_the_transversal),
        cmocka_unit_test(test_long_chain_is_solved_from_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
