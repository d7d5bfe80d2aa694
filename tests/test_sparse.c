/* Tests of core/sparse: dense and KLU factors against products with known solutions, below and
 * above the size where one takes over from the other. */
#include "check.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "core/arena.h"
#include "core/sparse.h"

static double draw(uint64_t *seed) { /* in (-1, 1) */
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed / 9.3e18;
}

/* A sparse matrix by columns. */
typedef struct matrix {
    int n;
    int *start, *row;
    double *value;
} matrix;

/* A cyclic band that is far from diagonally dominant, with zeros on part of the diagonal pattern:
 * row i has entries in columns i+1, i+2 and i+5 (mod n), every third row also on the diagonal. */
static matrix band(taut_arena *arena, int n, uint64_t *seed) {
    matrix a = {n, TAUT_NEW_ARRAY(arena, n + 1, int), TAUT_NEW_ARRAY(arena, 4 * n, int),
                TAUT_NEW_ARRAY(arena, 4 * n, double)};
    for (int j = 0; j < n; j++) {
        int end = a.start[j];
        for (int i = 0; i < n; i++) {
            const int shift = (j - i + n) % n;
            const bool on =
                shift == 1 % n || shift == 2 % n || shift == 5 % n || (shift == 0 && i % 3 == 0);
            if (!on) continue;
            a.row[end] = i;
            a.value[end++] = draw(seed) + (shift == 1 % n ? 4.0 : 0.0);
        }
        a.start[j + 1] = end;
    }
    return a;
}

/* y = A x, or A^T x. */
static void multiply(const matrix *a, const double *x, double *y, bool transposed) {
    memset(y, 0, (size_t)a->n * sizeof *y);
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            if (transposed)
                y[j] += a->value[k] * x[a->row[k]];
            else
                y[a->row[k]] += a->value[k] * x[j];
        }
}

/* Eight right-hand sides side by side, each with a known solution of its own. */
static void check_eight(const taut_lu *lu, const matrix *a, uint64_t *seed) {
    static double x[8][400], one[400], b[8 * 400], work[8 * 400];
    for (int k = 0; k < TAUT_LU_LANES; k++) {
        for (int i = 0; i < a->n; i++) x[k][i] = draw(seed);
        multiply(a, x[k], one, false);
        for (int i = 0; i < a->n; i++) b[TAUT_LU_LANES * i + k] = one[i];
    }
    taut_lu_solve_eight(lu, b, work);
    for (int k = 0; k < TAUT_LU_LANES; k++)
        for (int i = 0; i < a->n; i++) assert_near(b[TAUT_LU_LANES * i + k], x[k][i], 1e-12, 0);
}

/* Solves with a known solution, both ways round; by the factors, then by the inverse if the matrix
 * is small enough for it. */
static void check_solves(taut_lu *lu, const matrix *a, uint64_t *seed) {
    double x[400], b[400];
    for (int way = 0; way < 4; way++) {
        const bool transposed = way % 2 == 1;
        if (way == 2) assert_int_equal(taut_lu_invert(lu), TAUT_OK);
        for (int i = 0; i < a->n; i++) x[i] = draw(seed);
        multiply(a, x, b, transposed);
        if (transposed)
            taut_lu_solve_transposed(lu, b);
        else
            taut_lu_solve(lu, b);
        for (int i = 0; i < a->n; i++) assert_near(b[i], x[i], 1e-12, 0);
    }
    check_eight(lu, a, seed);
}

static void test_solve_inverts_the_product(void **state) {
    (void)state;
    static const int size[] = {1, 2, 3, 7, 8, 9, 22, 23, 24, 25, 31, 33, 41, 48, 49, 60, 300};
    uint64_t seed = 1;
    for (size_t s = 0; s < sizeof size / sizeof size[0]; s++) {
        taut_arena arena = {0};
        matrix a = band(&arena, size[s], &seed);
        taut_lu *lu;
        assert_int_equal(taut_lu_create(a.n, a.start, a.row, &lu), TAUT_OK);
        assert_int_equal(taut_lu_factor(lu, a.value), TAUT_OK);
        check_solves(lu, &a, &seed);
        assert_true(taut_lu_rcond(lu) > 1e-6 && taut_lu_rcond(lu) <= 1.0);
        taut_lu_free(&lu);
        assert_null(lu);
        taut_arena_release(&arena);
    }
}

/* Rows in very different units: the scaling has to take care of them. */
static void test_solve_does_not_care_about_units(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int n = 20; n <= 28; n += 8) {
        taut_arena arena = {0};
        matrix a = band(&arena, n, &seed);
        for (int k = 0; k < a.start[n]; k++) a.value[k] *= pow(10.0, (a.row[k] % 7) * 40 - 120);
        taut_lu *lu;
        assert_int_equal(taut_lu_create(n, a.start, a.row, &lu), TAUT_OK);
        assert_int_equal(taut_lu_factor(lu, a.value), TAUT_OK);
        double x[64], b[64];
        for (int i = 0; i < n; i++) x[i] = draw(&seed);
        multiply(&a, x, b, false);
        taut_lu_solve(lu, b);
        for (int i = 0; i < n; i++) assert_near(b[i], x[i], 1e-12, 0);
        taut_lu_free(&lu);
        taut_arena_release(&arena);
    }
}

static void test_refactor_follows_changed_values(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int n = 10; n <= 50; n += 40) {
        taut_arena arena = {0};
        matrix a = band(&arena, n, &seed);
        taut_lu *lu;
        assert_int_equal(taut_lu_create(n, a.start, a.row, &lu), TAUT_OK);
        for (int round = 0; round < 20; round++) {
            /* the large entries wander, so that old pivots become bad ones */
            for (int k = 0; k < a.start[n]; k++)
                a.value[k] = draw(&seed) * (k % 4 == round % 4 ? 1.0 : 1e-6);
            for (int j = 0; j < n; j++) a.value[a.start[j] + round % 2] += 3.0;
            if (taut_lu_factor(lu, a.value) != TAUT_OK) continue;
            double x[64], b[64], back[64];
            for (int i = 0; i < n; i++) x[i] = draw(&seed);
            multiply(&a, x, b, false);
            memcpy(back, b, sizeof back);
            taut_lu_solve(lu, b);
            multiply(&a, b, x, false);
            for (int i = 0; i < n; i++) assert_near(x[i], back[i], 1e-10, 0); /* residual */
        }
        taut_lu_free(&lu);
        taut_arena_release(&arena);
    }
}

/* The saddle matrix of NUMERICS 8: a zero block that makes old pivots vanish. */
static void test_refactor_survives_a_pivot_that_vanishes(void **state) {
    (void)state;
    for (int n = 4; n <= 40; n += 36) {
        taut_arena arena = {0};
        matrix a = {n, TAUT_NEW_ARRAY(&arena, n + 1, int), TAUT_NEW_ARRAY(&arena, 2 * n, int),
                    TAUT_NEW_ARRAY(&arena, 2 * n, double)};
        /* blocks of two, [p q; q r] */
        for (int j = 0; j < n; j++) {
            a.start[j + 1] = 2 * (j + 1);
            a.row[2 * j] = j - j % 2;
            a.row[2 * j + 1] = j - j % 2 + 1;
        }
        taut_lu *lu;
        uint64_t seed = 4;
        assert_int_equal(taut_lu_create(n, a.start, a.row, &lu), TAUT_OK);
        static const double p[] = {5, 1e-9, 0, 1e-14, 5}, r[] = {0, 3, 0, 1e-14, 5};
        for (int round = 0; round < 5; round++) {
            for (int j = 0; j < n; j++) {
                a.value[2 * j] = j % 2 ? 1.0 : p[round];
                a.value[2 * j + 1] = j % 2 ? r[round] : 1.0;
            }
            assert_int_equal(taut_lu_factor(lu, a.value), TAUT_OK);
            check_solves(lu, &a, &seed);
        }
        taut_lu_free(&lu);
        taut_arena_release(&arena);
    }
}

/* Singular values are reported, and the next regular matrix is factored as if nothing had been. */
static void test_factor_reports_singular_and_recovers(void **state) {
    (void)state;
    uint64_t seed = 5;
    static const int size[] = {2, 23, 24, 80};
    for (size_t s = 0; s < 4; s++) {
        const int n = size[s];
        taut_arena arena = {0};
        matrix a = band(&arena, n, &seed);
        double *good = TAUT_NEW_ARRAY(&arena, a.start[n], double);
        memcpy(good, a.value, (size_t)a.start[n] * sizeof *good);
        taut_lu *lu;
        assert_int_equal(taut_lu_create(n, a.start, a.row, &lu), TAUT_OK);
        for (int round = 0; round < 3; round++) {
            /* a column of zeros, a row of zeros, everything zero */
            for (int j = 0; j < n; j++)
                for (int k = a.start[j]; k < a.start[j + 1]; k++)
                    if (round == 2 || (round == 0 && j == n / 2) ||
                        (round == 1 && a.row[k] == n / 2))
                        a.value[k] = 0.0;
            assert_int_equal(taut_lu_factor(lu, a.value), TAUT_SINGULAR);
            assert_int_equal(taut_lu_factor(lu, a.value), TAUT_SINGULAR);
            memcpy(a.value, good, (size_t)a.start[n] * sizeof *good);
            assert_int_equal(taut_lu_factor(lu, a.value), TAUT_OK);
            check_solves(lu, &a, &seed);
        }
        taut_lu_free(&lu);
        taut_arena_release(&arena);
    }
}

/* Full blocks [1 2 3; 4 5 6; 7 8 9]: singular up to rounding, no zero in sight. */
static void test_factor_finds_hidden_singularity(void **state) {
    (void)state;
    for (int n = 3; n <= 30; n += 27) {
        taut_arena arena = {0};
        int *start = TAUT_NEW_ARRAY(&arena, n + 1, int), *row = TAUT_NEW_ARRAY(&arena, 3 * n, int);
        double *value = TAUT_NEW_ARRAY(&arena, 3 * n, double);
        for (int j = 0; j < n; j++) {
            start[j + 1] = 3 * (j + 1);
            for (int i = 0; i < 3; i++) {
                row[3 * j + i] = j - j % 3 + i;
                value[3 * j + i] = 3 * i + j % 3 + 1;
            }
        }
        taut_lu *lu;
        assert_int_equal(taut_lu_create(n, start, row, &lu), TAUT_OK);
        assert_int_equal(taut_lu_factor(lu, value), TAUT_SINGULAR);
        taut_lu_free(&lu);
        taut_arena_release(&arena);
    }
}

/* A blow-up brings NaN and infinity into J: a reason to stop, not to crash. */
static void test_factor_calls_nan_and_infinity_singular(void **state) {
    (void)state;
    uint64_t seed = 6;
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int n = 12; n <= 48; n += 36)
        for (int b = 0; b < 3; b++) {
            taut_arena arena = {0};
            matrix a = band(&arena, n, &seed);
            taut_lu *lu;
            assert_int_equal(taut_lu_create(n, a.start, a.row, &lu), TAUT_OK);
            for (int k = 0; k < a.start[n]; k += 5) {
                const double old = a.value[k];
                a.value[k] = bad[b];
                assert_int_equal(taut_lu_factor(lu, a.value), TAUT_SINGULAR);
                a.value[k] = old;
                assert_int_equal(taut_lu_factor(lu, a.value), TAUT_OK);
            }
            for (int k = 0; k < a.start[n]; k++) a.value[k] = bad[b];
            assert_int_equal(taut_lu_factor(lu, a.value), TAUT_SINGULAR);
            taut_lu_free(&lu);
            taut_arena_release(&arena);
        }
}

/* A NaN that no pivot and no elimination meets. */
static void test_factor_sees_nan_beside_the_diagonal(void **state) {
    (void)state;
    taut_lu *lu;
    assert_int_equal(taut_lu_create(2, (int[]){0, 1, 3}, (int[]){0, 0, 1}, &lu), TAUT_OK);
    assert_int_equal(taut_lu_factor(lu, (double[]){1, 5, 1}), TAUT_OK);
    assert_near(taut_lu_rcond(lu), 1.0 / 5.0, 0, 1e-15); /* the first row is scaled by 5 */
    assert_int_equal(taut_lu_factor(lu, (double[]){1, (double)NAN, 1}), TAUT_SINGULAR);
    assert_near(taut_lu_rcond(lu), 0.0, 0, 0);
    taut_lu_free(&lu);
}

/* Many bands: KLU may prefer the diagonal, but not at the price of digits. */
static void test_solve_keeps_its_digits(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 200; round++) {
        taut_arena arena = {0};
        matrix a = band(&arena, 24 + round, &seed);
        taut_lu *lu;
        assert_int_equal(taut_lu_create(a.n, a.start, a.row, &lu), TAUT_OK);
        assert_int_equal(taut_lu_factor(lu, a.value), TAUT_OK);
        check_solves(lu, &a, &seed);
        taut_lu_free(&lu);
        taut_arena_release(&arena);
    }
}

/* Two columns whose only entries share a row. */
static void test_pattern_without_transversal_is_singular(void **state) {
    (void)state;
    for (int n = 3; n <= 30; n += 27) {
        taut_arena arena = {0};
        int *start = TAUT_NEW_ARRAY(&arena, n + 1, int), *row = TAUT_NEW_ARRAY(&arena, n, int);
        double *value = TAUT_NEW_ARRAY(&arena, n, double);
        for (int j = 0; j < n; j++) {
            start[j + 1] = j + 1;
            row[j] = j == 1 ? 0 : j;
            value[j] = 1.0;
        }
        taut_lu *lu = NULL;
        taut_status status = taut_lu_create(n, start, row, &lu);
        if (status == TAUT_OK) status = taut_lu_factor(lu, value);
        assert_int_equal(status, TAUT_SINGULAR);
        taut_lu_free(&lu);
        taut_arena_release(&arena);
    }
}

/* ---- lopsided matrices ---- */

/* Bands side by side, as in a block triangle: row i of block b has entries in its own block, and
 * some in the blocks behind. Rows and columns are shuffled, and rows of very different sizes. */
static matrix triangle_of_bands(taut_arena *arena, int blocks, int size, uint64_t *seed) {
    const int n = blocks * size;
    matrix a = {n, TAUT_NEW_ARRAY(arena, n + 1, int), TAUT_NEW_ARRAY(arena, n * n, int),
                TAUT_NEW_ARRAY(arena, n * n, double)};
    for (int j = 0; j < n; j++) {
        const int column = j * 7 % n; /* n is no multiple of 7 or 11 */
        int end = a.start[j];
        for (int i = 0; i < n; i++) {
            const int row = i * 11 % n, shift = (column - row + size) % size;
            const bool own = row / size == column / size && (shift == 1 || shift == 2);
            if (!own && !(row / size < column / size && (row + column) % 5 == 0)) continue;
            a.row[end] = i;
            a.value[end++] =
                (draw(seed) + (own && shift == 1 ? 4.0 : 0.0)) * exp2(row % 9 * 8 - column % 7);
        }
        a.start[j + 1] = end;
    }
    return a;
}

/* Solutions in units of their columns, also with the pivots of other values. */
static void test_lopsided_matrices_are_solved_in_blocks(void **state) {
    (void)state;
    uint64_t seed = 8;
    for (int blocks = 1; blocks <= 5; blocks++)
        for (int size = 3; size <= 20; size += 17) {
            taut_arena arena = {0};
            taut_lu *lu;
            matrix a = triangle_of_bands(&arena, blocks, size, &seed);
            assert_int_equal(taut_lu_create_lopsided(a.n, a.start, a.row, &lu), TAUT_OK);
            for (int round = 0; round < 5; round++) {
                if (round > 0) a.value = triangle_of_bands(&arena, blocks, size, &seed).value;
                assert_int_equal(taut_lu_factor(lu, a.value), TAUT_OK);
                assert_true(taut_lu_rcond(lu) > 1e-3 && taut_lu_rcond(lu) <= 1.0);
                double x[100], b[100];
                for (int transposed = 0; transposed < 2; transposed++) {
                    double unit[100];
                    for (int i = 0; i < a.n; i++) {
                        unit[i] = exp2(transposed ? -(i * 11 % a.n % 9 * 8) : i * 7 % a.n % 7);
                        x[i] = draw(&seed) * unit[i];
                    }
                    multiply(&a, x, b, transposed);
                    if (transposed)
                        taut_lu_solve_transposed(lu, b);
                    else
                        taut_lu_solve(lu, b);
                    for (int i = 0; i < a.n; i++)
                        assert_near(b[i] / unit[i], x[i] / unit[i], 1e-12, 0);
                }
            }
            taut_lu_free(&lu);
            taut_arena_release(&arena);
        }
}

/* A column may be tiny; two that are equal up to rounding are singular at any scale. */
static void test_lopsided_singularity_is_relative_to_columns(void **state) {
    (void)state;
    static const int start[] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const double tiny = 0x1p-130;
    double value[] = {1, 4, 7, 2 * tiny, 5 * tiny, 8 * tiny, 3, 6, 10};
    taut_lu *lu;
    assert_int_equal(taut_lu_create_lopsided(3, start, row, &lu), TAUT_OK);
    assert_int_equal(taut_lu_factor(lu, value), TAUT_OK);
    double b[] = {6, 15, 25};
    taut_lu_solve(lu, b);
    assert_near(b[0], 1.0, 1e-14, 0);
    assert_near(b[1] * tiny, 1.0, 1e-14, 0);
    assert_near(b[2], 1.0, 1e-14, 0);
    for (int i = 0; i < 3; i++) value[3 + i] = value[i] * tiny;
    value[5] *= 1.0 + DBL_EPSILON;
    assert_int_equal(taut_lu_factor(lu, value), TAUT_SINGULAR);
    taut_lu_free(&lu);
    taut_status status = taut_lu_create_lopsided(2, (int[]){0, 1, 2}, (int[]){0, 0}, &lu);
    if (status == TAUT_OK) status = taut_lu_factor(lu, (double[]){1, 1});
    assert_int_equal(status, TAUT_SINGULAR);
    taut_lu_free(&lu);
}

static void test_empty_system_is_solved(void **state) {
    (void)state;
    taut_lu *lu;
    double none = 1.0;
    assert_int_equal(taut_lu_create(0, (int[]){0}, NULL, &lu), TAUT_OK);
    assert_int_equal(taut_lu_factor(lu, &none), TAUT_OK);
    taut_lu_solve(lu, &none);
    taut_lu_solve_transposed(lu, &none);
    assert_near(none, 1.0, 0, 0);
    taut_lu_free(&lu);
    taut_lu_free(&lu); /* NULL is fine */
}

/* diag(1, ..., 1, small) with a unit above: the estimate tells the size of the small one. */
static void test_rcond_shows_bad_condition(void **state) {
    (void)state;
    for (int n = 5; n <= 35; n += 30) {
        taut_arena arena = {0};
        int *start = TAUT_NEW_ARRAY(&arena, n + 1, int), *row = TAUT_NEW_ARRAY(&arena, n + 2, int);
        double *value = TAUT_NEW_ARRAY(&arena, n + 2, double);
        /* the last two columns are [1 1; 1 1 + small] */
        int end = 0;
        for (int j = 0; j < n; j++) {
            for (int i = j < n - 2 ? j : n - 2; i <= (j < n - 2 ? j : n - 1); i++) {
                row[end] = i;
                value[end++] = i == n - 1 && j == n - 1 ? 1.0 + 1e-9 : 1.0;
            }
            start[j + 1] = end;
        }
        taut_lu *lu;
        assert_int_equal(taut_lu_create(n, start, row, &lu), TAUT_OK);
        assert_int_equal(taut_lu_factor(lu, value), TAUT_OK);
        assert_true(taut_lu_rcond(lu) < 1e-8 && taut_lu_rcond(lu) > 1e-10);
        taut_lu_free(&lu);
        taut_arena_release(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solve_inverts_the_product),
        cmocka_unit_test(test_solve_does_not_care_about_units),
        cmocka_unit_test(test_refactor_follows_changed_values),
        cmocka_unit_test(test_refactor_survives_a_pivot_that_vanishes),
        cmocka_unit_test(test_factor_reports_singular_and_recovers),
        cmocka_unit_test(test_factor_finds_hidden_singularity),
        cmocka_unit_test(test_factor_calls_nan_and_infinity_singular),
        cmocka_unit_test(test_factor_sees_nan_beside_the_diagonal),
        cmocka_unit_test(test_solve_keeps_its_digits),
        cmocka_unit_test(test_pattern_without_transversal_is_singular),
        cmocka_unit_test(test_lopsided_matrices_are_solved_in_blocks),
        cmocka_unit_test(test_lopsided_singularity_is_relative_to_columns),
        cmocka_unit_test(test_empty_system_is_solved),
        cmocka_unit_test(test_rcond_shows_bad_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
