/* Tests of solve/assign: known DAEs, brute force on small matrices, certificates on large ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <string.h>

#include "solve/assign.h"

#define NO (-1) /* an absent entry of a dense table */

typedef struct entry {
    int i, j, order;
} entry;

static unsigned draw(uint64_t *seed, unsigned below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % below;
}

/* A matrix from entries in any order without doubles; arrays live in arena. */
static taut_sigma from_entries(taut_arena *arena, int n, const entry *list, int count) {
    int *start = TAUT_NEW_ARRAY(arena, n + 1, int);
    int *column = TAUT_NEW_ARRAY(arena, count, int), *order = TAUT_NEW_ARRAY(arena, count, int);
    for (int k = 0; k < count; k++) start[list[k].i + 1]++;
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    int *end = TAUT_NEW_ARRAY(arena, n, int); /* entries of a row so far */
    for (int k = 0; k < count; k++) {
        const int i = list[k].i;
        int e = start[i] + end[i]++;
        for (; e > start[i] && column[e - 1] > list[k].j; e--) {
            column[e] = column[e - 1];
            order[e] = order[e - 1];
        }
        column[e] = list[k].j;
        order[e] = list[k].order;
    }
    const taut_sigma sigma = {n, start, column, order};
    assert_true(taut_sigma_is_valid(&sigma));
    return sigma;
}

/* A matrix from a dense table (n x n, row by row). */
static taut_sigma from_table(taut_arena *arena, int n, const int *table) {
    entry *list = TAUT_NEW_ARRAY(arena, n * n, entry);
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (table[i * n + j] != NO) list[count++] = (entry){i, j, table[i * n + j]};
    return from_entries(arena, n, list, count);
}

/* sigma_ij, or NO. */
static int order_at(const taut_sigma *sigma, int i, int j) {
    for (int e = sigma->start[i]; e < sigma->start[i + 1]; e++)
        if (sigma->column[e] == j) return sigma->order[e];
    return NO;
}

/* The two halves of the matching agree, lie in the pattern and have rank entries. */
static void check_matching(const taut_sigma *sigma, const taut_offsets *o) {
    int rows = 0, columns = 0;
    for (int k = 0; k < sigma->n; k++) {
        const int j = o->column_of_row[k];
        assert_in_range(j + 1, 0, sigma->n);
        if (j >= 0) {
            assert_int_equal(o->row_of_column[j], k);
            assert_int_not_equal(order_at(sigma, k, j), NO);
            rows++;
        }
        columns += o->row_of_column[k] >= 0;
    }
    assert_int_equal(rows, o->rank);
    assert_int_equal(columns, o->rank);
}

/* Pryce's fixed-point iteration, by plain sweeps from c = 0, for a transversal of highest value. */
static void iterate_offsets(const taut_sigma *sigma, const int *column_of_row, int *c, int *d) {
    const int n = sigma->n;
    memset(c, 0, (size_t)n * sizeof *c);
    for (bool changed = true; changed;) {
        changed = false;
        memset(d, 0, (size_t)n * sizeof *d);
        for (int i = 0; i < n; i++)
            for (int e = sigma->start[i]; e < sigma->start[i + 1]; e++)
                if (d[sigma->column[e]] < c[i] + sigma->order[e])
                    d[sigma->column[e]] = c[i] + sigma->order[e];
        for (int i = 0; i < n; i++) {
            const int raised = d[column_of_row[i]] - order_at(sigma, i, column_of_row[i]);
            changed = changed || raised != c[i];
            c[i] = raised;
        }
    }
}

/* The offsets prove that the transversal has the highest value: slack >= 0, and 0 on it. */
static void check_optimal(const taut_sigma *sigma, const taut_offsets *o) {
    long dof = 0;
    int index = 0, algebraic = 0;
    for (int i = 0; i < sigma->n; i++) {
        const int j = o->column_of_row[i];
        assert_true(o->c[i] >= 0 && o->d[i] >= 0);
        assert_int_equal(o->d[j] - o->c[i], order_at(sigma, i, j));
        for (int e = sigma->start[i]; e < sigma->start[i + 1]; e++)
            assert_true(o->d[sigma->column[e]] - o->c[i] >= sigma->order[e]);
        dof += o->d[i] - o->c[i];
        if (o->c[i] > index) index = o->c[i];
        if (o->d[i] == 0) algebraic = 1;
    }
    assert_int_equal(o->dof, dof);
    assert_int_equal(o->index, index + algebraic);
}

/* All that a regular result must satisfy, at any size. */
static void check_regular(const taut_sigma *sigma, const taut_offsets *o) {
    taut_arena arena = {0};
    const int n = sigma->n;
    int *c = TAUT_NEW_ARRAY(&arena, n, int), *d = TAUT_NEW_ARRAY(&arena, n, int);
    assert_int_equal(o->rank, n);
    check_matching(sigma, o);
    check_optimal(sigma, o);
    iterate_offsets(sigma, o->column_of_row, c, d);
    assert_memory_equal(o->c, c, (size_t)n * sizeof *c);
    assert_memory_equal(o->d, d, (size_t)n * sizeof *d);
    taut_arena_release(&arena);
}

/* Analyses a table and compares with the offsets, index and degrees of freedom expected. */
static void check_table(int n, const int *table, const int *c, const int *d, int index, long dof) {
    taut_arena arena = {0};
    const taut_sigma sigma = from_table(&arena, n, table);
    taut_offsets o;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    check_regular(&sigma, &o);
    assert_memory_equal(o.c, c, (size_t)n * sizeof *c);
    assert_memory_equal(o.d, d, (size_t)n * sizeof *d);
    assert_int_equal(o.index, index);
    assert_int_equal(o.dof, dof);
    taut_arena_release(&arena);
}

static void test_pendulum_has_index_3(void **state) {
    (void)state; /* u'' + lam u, v'' + lam v - g, u^2 + v^2 - l^2 */
    const int table[] = {2, NO, 0, NO, 2, 0, 0, 0, NO};
    check_table(3, table, (int[]){0, 0, 2}, (int[]){2, 2, 0}, 3, 2);
}

/* Pendulum p hangs in a constraint whose length contains the multiplier of pendulum p - 1. */
static void test_chained_pendula_have_index_2p_plus_1(void **state) {
    (void)state;
    enum { MOST = 7 };
    for (int P = 1; P <= MOST; P++) {
        taut_arena arena = {0};
        entry list[7 * MOST];
        int count = 0;
        for (int b = 0; b < 3 * P; b += 3) {
            const entry own[] = {{b, b, 2},         {b, b + 2, 0}, {b + 1, b + 1, 2},
                                 {b + 1, b + 2, 0}, {b + 2, b, 0}, {b + 2, b + 1, 0}};
            memcpy(list + count, own, sizeof own);
            count += 6;
            if (b > 0) list[count++] = (entry){b + 2, b - 1, 0};
        }
        const taut_sigma sigma = from_entries(&arena, 3 * P, list, count);
        taut_offsets o;
        assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
        check_regular(&sigma, &o);
        assert_int_equal(o.index, 2 * P + 1);
        assert_int_equal(o.dof, 2 * P);
        for (int p = 0; p < P; p++) {
            const int shift = 2 * (P - 1 - p);
            const int c[] = {shift, shift, shift + 2}, d[] = {shift + 2, shift + 2, shift};
            assert_memory_equal(o.c + 3 * (size_t)p, c, sizeof c);
            assert_memory_equal(o.d + 3 * (size_t)p, d, sizeof d);
        }
        taut_arena_release(&arena);
    }
}

static void test_ode_has_index_0(void **state) {
    (void)state; /* x' = f(x, y), y''' = g(x, y'', z), z'' = h(x, z') */
    const int table[] = {1, 0, NO, 0, 3, 0, 0, NO, 2};
    check_table(3, table, (int[]){0, 0, 0}, (int[]){1, 3, 2}, 0, 6);
}

static void test_algebraic_system_has_index_1(void **state) {
    (void)state;
    const int table[] = {0, 0, NO, 0, NO, 0, NO, 0, 0};
    check_table(3, table, (int[]){0, 0, 0}, (int[]){0, 0, 0}, 1, 0);
}

static void test_empty_system_is_regular(void **state) {
    (void)state;
    taut_arena arena = {0};
    const taut_sigma sigma = {0, (int[]){0}, NULL, NULL};
    taut_offsets o;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    assert_int_equal(o.rank, 0);
    assert_int_equal(o.index, 0);
    assert_int_equal(o.dof, 0);
    assert_non_null(o.c);
    taut_arena_release(&arena);
}

static void test_hamiltonian_pendulum_offsets(void **state) {
    (void)state; /* variables q1 q2 p1 p2 lam: q' = p, p' = -lam q, C(q) */
    const int table[] = {1,  NO, 0,  NO, NO, NO, 1, NO, 0, NO, 0,  NO, 1,
                         NO, 0,  NO, 0,  NO, 1,  0, 0,  0, NO, NO, NO};
    check_table(5, table, (int[]){1, 1, 0, 0, 2}, (int[]){2, 2, 1, 1, 0}, 3, 2);
}

static void test_sleigh_has_index_2(void **state) {
    (void)state; /* variables x y theta lam; velocity constraint x' sin(theta) - y' cos(theta) */
    const int table[] = {2, NO, 0, 0, NO, 2, 0, 0, NO, NO, 2, NO, 1, 1, 0, NO};
    check_table(4, table, (int[]){0, 0, 0, 1}, (int[]){2, 2, 2, 0}, 2, 5);
}

static void test_driven_tracked_angle_offsets(void **state) {
    (void)state; /* variables a theta lam: a'' - lam, theta' - a', f(t) - theta */
    const int table[] = {2, NO, 0, 1, 1, NO, NO, 0, NO};
    check_table(3, table, (int[]){0, 1, 2}, (int[]){2, 2, 0}, 3, 1);
}

/* A table with about `percent` of its entries, orders 0 .. most. */
static void random_table(uint64_t *seed, int n, unsigned percent, int most, int *table) {
    for (int k = 0; k < n * n; k++)
        table[k] = draw(seed, 100) < percent ? (int)draw(seed, (unsigned)most + 1) : NO;
}

typedef struct best {
    int rank;
    long value;            /* of a transversal; -1: none */
    int column_of_row[16]; /* that transversal */
} best;

/* Tries every way to match the rows from i on with the columns that `used` (a bit set) leaves. */
static void try_all(int n, const int *table, int i, unsigned used, int *column, best *b) {
    if (i == n) {
        int rank = 0;
        long value = 0;
        for (int r = 0; r < n; r++) {
            if (column[r] < 0) continue;
            rank++;
            value += table[r * n + column[r]];
        }
        if (rank > b->rank) b->rank = rank;
        if (rank == n && value > b->value) {
            b->value = value;
            memcpy(b->column_of_row, column, (size_t)n * sizeof *column);
        }
        return;
    }
    for (int j = 0; j < n; j++) {
        if (used >> j & 1 || table[i * n + j] == NO) continue;
        column[i] = j;
        try_all(n, table, i + 1, used | 1u << j, column, b);
    }
    column[i] = -1;
    try_all(n, table, i + 1, used, column, b);
}

static void test_small_matrices_agree_with_brute_force(void **state) {
    (void)state;
    uint64_t seed = 1;
    int regular = 0, singular = 0;
    for (int trial = 0; trial < 4000; trial++) {
        const int n = 1 + trial % (trial % 50 == 0 ? 7 : 5), most = (int)draw(&seed, 5);
        int table[49], column[7], c[7], d[7];
        random_table(&seed, n, 20 + draw(&seed, 70), most, table);
        best b = {.rank = -1, .value = -1};
        try_all(n, table, 0, 0, column, &b);

        taut_arena arena = {0};
        const taut_sigma sigma = from_table(&arena, n, table);
        taut_offsets o;
        assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
        assert_int_equal(o.rank, b.rank);
        check_matching(&sigma, &o);
        if (b.rank < n) {
            assert_true(!o.c && !o.d && o.index == -1 && o.dof == 0);
            singular++;
        } else {
            assert_int_equal(o.dof, b.value);
            check_optimal(&sigma, &o);
            iterate_offsets(&sigma, b.column_of_row, c, d);
            assert_memory_equal(o.c, c, (size_t)n * sizeof *c);
            assert_memory_equal(o.d, d, (size_t)n * sizeof *d);
            regular++;
        }
        taut_arena_release(&arena);
    }
    assert_true(regular > 1000 && singular > 1000);
}

static void shuffle(uint64_t *seed, int n, int *p) {
    for (int k = 0; k < n; k++) p[k] = k;
    for (int k = n - 1; k > 0; k--) {
        const int other = (int)draw(seed, (unsigned)k + 1), kept = p[k];
        p[k] = p[other];
        p[other] = kept;
    }
}

/* A transversal is hidden in a random matrix: it exists, and its value is a lower bound. */
static void test_planted_transversal_is_found(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int trial = 0; trial < 40; trial++) {
        enum { N = 150 };
        taut_arena arena = {0};
        int *table = TAUT_NEW_ARRAY(&arena, N * N, int), p[N];
        random_table(&seed, N, 1 + draw(&seed, 5), trial % 7, table);
        shuffle(&seed, N, p);
        long planted = 0;
        for (int i = 0; i < N; i++) {
            const int order = trial % 2 ? 3 : (int)draw(&seed, 4);
            table[i * N + p[i]] = order;
            planted += order;
        }
        const taut_sigma sigma = from_table(&arena, N, table);
        taut_offsets o;
        assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
        check_regular(&sigma, &o);
        assert_true(o.dof >= planted);
        taut_arena_release(&arena);
    }
}

/* The smallest offsets are unique: they move with the rows and columns. */
static void test_offsets_follow_permutations(void **state) {
    (void)state;
    enum { N = 30 };
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; trial++) {
        taut_arena arena = {0};
        int table[N * N], moved[N * N], p[N], q[N];
        random_table(&seed, N, 8, 3, table);
        for (int i = 0; i < N; i++) table[i * N + (7 * i + 3) % N] = 1;
        shuffle(&seed, N, p);
        shuffle(&seed, N, q);
        for (int k = 0; k < N * N; k++) moved[p[k / N] * N + q[k % N]] = table[k];
        const taut_sigma a = from_table(&arena, N, table), b = from_table(&arena, N, moved);
        taut_offsets oa, ob;
        assert_int_equal(taut_assign(&a, &arena, &oa), TAUT_OK);
        assert_int_equal(taut_assign(&b, &arena, &ob), TAUT_OK);
        assert_int_equal(oa.rank, N);
        for (int k = 0; k < N; k++) {
            assert_int_equal(oa.c[k], ob.c[p[k]]);
            assert_int_equal(oa.d[k], ob.d[q[k]]);
        }
        taut_arena_release(&arena);
    }
}

/* x_i + x_{i+1}' = 0: the offsets climb along the whole chain, in whatever order it is written. */
static void test_long_chain_offsets_are_exact(void **state) {
    (void)state;
    enum { N = 20000 };
    uint64_t seed = 4;
    taut_arena arena = {0};
    int *p = TAUT_NEW_ARRAY(&arena, N, int), *q = TAUT_NEW_ARRAY(&arena, N, int);
    entry *list = TAUT_NEW_ARRAY(&arena, 2 * N, entry);
    shuffle(&seed, N, p);
    shuffle(&seed, N, q);
    int count = 0;
    for (int i = 0; i < N; i++) {
        list[count++] = (entry){p[i], q[i], 0};
        if (i + 1 < N) list[count++] = (entry){p[i], q[i + 1], 1};
    }
    const taut_sigma sigma = from_entries(&arena, N, list, count);
    taut_offsets o;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    for (int i = 0; i < N; i++) {
        assert_int_equal(o.column_of_row[p[i]], q[i]);
        assert_int_equal(o.c[p[i]], i);
        assert_int_equal(o.d[q[i]], i);
    }
    assert_int_equal(o.index, N);
    assert_int_equal(o.dof, 0);
    taut_arena_release(&arena);
}

/* sigma_ij = i j: by the rearrangement inequality the diagonal is best; c_i = i + ... + (n-2). */
static void test_dense_product_matrix_takes_the_diagonal(void **state) {
    (void)state;
    enum { N = 60 };
    taut_arena arena = {0};
    int *table = TAUT_NEW_ARRAY(&arena, N * N, int);
    long squares = 0;
    for (int k = 0; k < N * N; k++) table[k] = (k / N) * (k % N);
    for (int i = 0; i < N; i++) squares += (long)i * i;
    const taut_sigma sigma = from_table(&arena, N, table);
    taut_offsets o;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    assert_int_equal(o.dof, squares);
    for (int i = N - 1, c = 0; i >= 0; c += --i) {
        assert_int_equal(o.column_of_row[i], i);
        assert_int_equal(o.c[i], c);
        assert_int_equal(o.d[i], c + i * i);
    }
    taut_arena_release(&arena);
}

/* Three equations in the first two variables: one of them stays free, and so does a variable. */
static void test_singular_structure_reports_its_rank(void **state) {
    (void)state;
    const int table[] = {2, 0, NO, NO, 0, 1, NO, NO, 0, 0, NO, NO, NO, 0, 0, 2};
    taut_arena arena = {0};
    const taut_sigma sigma = from_table(&arena, 4, table);
    taut_offsets o;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    assert_int_equal(o.rank, 3);
    check_matching(&sigma, &o);
    assert_true(o.column_of_row[3] >= 2);
    assert_null(o.c);
    assert_null(o.d);
    assert_int_equal(o.index, -1);
    taut_arena_release(&arena);
}

static void test_empty_rows_and_columns_are_left_free(void **state) {
    (void)state;
    const int table[] = {NO, NO, NO, 1, NO, 0, 0, NO, 2};
    taut_arena arena = {0};
    const taut_sigma sigma = from_table(&arena, 3, table);
    taut_offsets o;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_OK);
    assert_int_equal(o.rank, 2);
    assert_int_equal(o.column_of_row[0], -1);
    assert_int_equal(o.row_of_column[1], -1);
    taut_arena_release(&arena);
}

static void test_offset_beyond_int_is_refused(void **state) {
    (void)state;
    const int table[] = {0, INT_MAX - 1, NO, NO, 0, 1, NO, NO, 0};
    taut_arena arena = {0};
    const taut_sigma sigma = from_table(&arena, 3, table);
    taut_offsets o;
    assert_int_equal(taut_assign(&sigma, &arena, &o), TAUT_ERR_CALL);
    taut_arena_release(&arena);
}

static void test_malformed_matrices_are_recognised(void **state) {
    (void)state;
    const int start[] = {0, 2, 3}, column[] = {0, 1, 1}, order[] = {0, 2, 1};
    const taut_sigma good = {2, start, column, order};
    assert_true(taut_sigma_is_valid(&good));
    taut_sigma bad = good;
    bad.n = -1;
    assert_false(taut_sigma_is_valid(&bad));
    bad = good, bad.start = (int[]){1, 2, 3};
    assert_false(taut_sigma_is_valid(&bad));
    bad = good, bad.start = (int[]){0, 2, 1};
    assert_false(taut_sigma_is_valid(&bad));
    bad = good, bad.column = (int[]){1, 0, 1};
    assert_false(taut_sigma_is_valid(&bad));
    bad = good, bad.column = (int[]){1, 1, 1};
    assert_false(taut_sigma_is_valid(&bad));
    bad = good, bad.column = (int[]){0, 2, 1};
    assert_false(taut_sigma_is_valid(&bad));
    bad = good, bad.column = (int[]){-1, 1, 1};
    assert_false(taut_sigma_is_valid(&bad));
    bad = good, bad.order = (int[]){0, -1, 1};
    assert_false(taut_sigma_is_valid(&bad));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum_has_index_3),
        cmocka_unit_test(test_chained_pendula_have_index_2p_plus_1),
        cmocka_unit_test(test_ode_has_index_0),
        cmocka_unit_test(test_algebraic_system_has_index_1),
        cmocka_unit_test(test_empty_system_is_regular),
        cmocka_unit_test(test_hamiltonian_pendulum_offsets),
        cmocka_unit_test(test_sleigh_has_index_2),
        cmocka_unit_test(test_driven_tracked_angle_offsets),
        cmocka_unit_test(test_small_matrices_agree_with_brute_force),
        cmocka_unit_test(test_planted_transversal_is_found),
        cmocka_unit_test(test_offsets_follow_permutations),
        cmocka_unit_test(test_long_chain_offsets_are_exact),
        cmocka_unit_test(test_dense_product_matrix_takes_the_diagonal),
        cmocka_unit_test(test_singular_structure_reports_its_rank),
        cmocka_unit_test(test_empty_rows_and_columns_are_left_free),
        cmocka_unit_test(test_offset_beyond_int_is_refused),
        cmocka_unit_test(test_malformed_matrices_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
