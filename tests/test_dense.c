/* Tests of core/dense: least-norm solutions and dependent columns against hand-made matrices. */
#include "check.h"

#include <string.h>

#include "core/dense.h"

static void test_least_norm_solves_a_square_system(void **state) {
    (void)state;
    double a[4] = {2, 1, 1, 3}, b[2] = {5, 10}; /* 2x + y = 5, x + 3y = 10 */
    int rank;
    assert_int_equal(taut_least_norm(2, 2, a, b, 1e-12, &rank), TAUT_OK);
    assert_int_equal(rank, 2);
    assert_near(b[0], 1, 1e-14, 0);
    assert_near(b[1], 3, 1e-14, 0);
}

/* x + 2y + 2z = 9: the point nearest to the origin is (1, 2, 2). */
static void test_least_norm_is_the_shortest_solution(void **state) {
    (void)state;
    double a[3] = {1, 2, 2}, b[3] = {9, 77, 77};
    int rank;
    assert_int_equal(taut_least_norm(1, 3, a, b, 1e-12, &rank), TAUT_OK);
    assert_int_equal(rank, 1);
    assert_near(b[0], 1, 1e-14, 0);
    assert_near(b[1], 2, 1e-14, 0);
    assert_near(b[2], 2, 1e-14, 0);
}

/* A line through (0,1), (1,2), (2,4): y = 5/6 + 3/2 x. */
static void test_least_norm_fits_an_overdetermined_system(void **state) {
    (void)state;
    double a[6] = {1, 1, 1, 0, 1, 2}, b[3] = {1, 2, 4};
    int rank;
    assert_int_equal(taut_least_norm(3, 2, a, b, 1e-12, &rank), TAUT_OK);
    assert_int_equal(rank, 2);
    assert_near(b[0], 5.0 / 6.0, 1e-14, 0);
    assert_near(b[1], 1.5, 1e-14, 0);
}

/* Two equal equations x + y = 2: rank 1, (1, 1). */
static void test_least_norm_copes_with_redundant_rows(void **state) {
    (void)state;
    double a[4] = {1, 1, 1, 1}, b[2] = {2, 2};
    int rank;
    assert_int_equal(taut_least_norm(2, 2, a, b, 1e-12, &rank), TAUT_OK);
    assert_int_equal(rank, 1);
    assert_near(b[0], 1, 1e-14, 0);
    assert_near(b[1], 1, 1e-14, 0);
}

static void test_least_norm_of_nothing_is_zero(void **state) {
    (void)state;
    double b[2] = {3, 4};
    int rank = 9;
    assert_int_equal(taut_least_norm(0, 2, NULL, b, 1e-12, &rank), TAUT_OK);
    assert_int_equal(rank, 0);
    assert_near(b[0], 0, 0, 0);
    assert_near(b[1], 0, 0, 0);
    assert_int_equal(taut_least_norm(2, 0, NULL, b, 1e-12, &rank), TAUT_OK);
}

static void test_least_norm_refuses_nan(void **state) {
    (void)state;
    double a[4] = {2, (double)NAN, 1, 3}, b[2] = {5, 10};
    int rank;
    assert_int_equal(taut_least_norm(2, 2, a, b, 1e-12, &rank), TAUT_ERR_NUMERICS);
}

static void check_columns(int m, int n, const double *columns, const char *expected, int rank) {
    double a[64];
    bool dependent[8];
    int found = -1;
    if (columns) memcpy(a, columns, (size_t)(m * n) * sizeof *a);
    assert_int_equal(taut_dependent_columns(m, n, a, 1e-10, dependent, &found), TAUT_OK);
    assert_int_equal(found, rank);
    for (int j = 0; j < n; j++) assert_int_equal(dependent[j], expected[j] == 'd');
}

static void test_dependent_columns_are_named(void **state) {
    (void)state;
    /* c0 + c1 = c2, c3 on its own */
    check_columns(3, 4, (double[]){1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1}, "ddd-", 3);
    check_columns(2, 2, (double[]){1, 2, 3, 4}, "--", 2);
    check_columns(2, 2, (double[]){1, 2, 2, 4}, "dd", 1);
    check_columns(2, 3, (double[]){1, 2, 0, 0, 5, 6}, "-d-", 2); /* a column of zeros */
    check_columns(2, 2, (double[]){0, 0, 0, 0}, "dd", 0);
    check_columns(1, 3, (double[]){1, 2, 3}, "ddd", 1); /* wider than high */
    /* two dependencies that share nothing */
    check_columns(4, 4, (double[]){1, 1, 0, 0, 2, 2, 0, 0, 0, 0, 1, 3, 0, 0, 2, 6}, "dddd", 2);
    check_columns(3, 3, (double[]){1, 0, 0, 0, 1e-3, 0, 1, 0, 1e-14}, "d-d", 2);
}

static void test_dependent_columns_of_nothing(void **state) {
    (void)state;
    check_columns(0, 2, NULL, "dd", 0);
    check_columns(2, 0, NULL, "", 0);
}

/* The first `rank` columns of the order span the others; the longest comes first. */
static void test_pivoted_columns_put_a_basis_first(void **state) {
    (void)state;
    double a[12] = {1, 0, 0, 0, 2, 0, 1, 2, 0, 0, 0, 5}; /* c0 + c1 = c2 */
    int order[4], rank;
    assert_int_equal(taut_pivoted_columns(3, 4, a, 1e-10, order, &rank), TAUT_OK);
    assert_int_equal(rank, 3);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2] + order[3], 1); /* one of c0 and c1 is left over */
    assert_int_equal(taut_pivoted_columns(0, 4, NULL, 1e-10, order, &rank), TAUT_OK);
    assert_int_equal(rank, 0);
    for (int j = 0; j < 4; j++) assert_int_equal(order[j], j);
    double bad[2] = {(double)NAN, 1};
    assert_int_equal(taut_pivoted_columns(1, 2, bad, 1e-10, order, &rank), TAUT_ERR_NUMERICS);
}

static void test_dependent_columns_refuse_nan(void **state) {
    (void)state;
    double a[4] = {1, (double)NAN, 2, 3};
    bool dependent[2];
    int rank;
    assert_int_equal(taut_dependent_columns(2, 2, a, 1e-10, dependent, &rank), TAUT_ERR_NUMERICS);
}

/* x + y + z = 3 and x = 1 twice: least norm (1, 1, 1), and (0, 1, -1) is free. */
static void test_least_norm_null_tells_what_is_free(void **state) {
    (void)state;
    double a[9] = {1, 1, 1, 1, 0, 0, 1, 0, 0}, b[3] = {3, 1, 1}, x[3], null[9];
    int rank;
    assert_int_equal(taut_least_norm_null(3, 3, a, b, 1e-10, x, null, &rank), TAUT_OK);
    assert_int_equal(rank, 2);
    for (int i = 0; i < 3; i++) assert_near(x[i], 1.0, 1e-14, 0.0);
    assert_near(null[0], 0.0, 1e-14, 0.0);
    assert_near(null[1] + null[2], 0.0, 1e-14, 0.0);
    assert_near(fabs(null[1]), sqrt(0.5), 1e-14, 0.0);
    assert_int_equal(taut_least_norm_null(3, 0, NULL, b, 1e-10, NULL, NULL, &rank), TAUT_OK);
}

static void test_least_norm_null_refuses_nan(void **state) {
    (void)state;
    double a[4] = {1, 0, 0, 1}, b[2] = {1, (double)NAN}, x[2], null[4];
    int rank;
    assert_int_equal(taut_least_norm_null(2, 2, a, b, 1e-10, x, null, &rank), TAUT_ERR_NUMERICS);
    double bad[4] = {1, (double)NAN, 0, 1}, c[2] = {1, 1};
    assert_int_equal(taut_least_norm_null(2, 2, bad, c, 1e-10, x, null, &rank), TAUT_ERR_NUMERICS);
}

/* No rows at all: every column is free. */
static void test_least_norm_null_without_rows_is_zero(void **state) {
    (void)state;
    double x[2] = {7, 7}, null[4];
    int rank;
    assert_int_equal(taut_least_norm_null(0, 2, NULL, NULL, 1e-10, x, null, &rank), TAUT_OK);
    assert_int_equal(rank, 0);
    for (int j = 0; j < 2; j++) {
        assert_near(x[j], 0.0, 0.0, 0.0);
        assert_near(hypot(null[2 * j], null[2 * j + 1]), 1.0, 1e-15, 0.0);
    }
}

/* Three factorisations, one null space: A z = 0, and the basis is orthonormal. */
static void test_null_bases(void **state) {
    (void)state;
    enum { M = 3, N = 7, DIM = N - M };
    double A[M][N], projector[3][N][N];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) A[i][j] = sin(1.0 + 3.7 * i + 1.3 * j * (i + 1));
    for (int method = TAUT_NULL_QR; method <= TAUT_NULL_EIG; method++) {
        double a[M * N], z[N * DIM];
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) a[i * N + j] = A[i][j];
        assert_int_equal(taut_null_basis((taut_null_method)method, M, N, a, z), TAUT_OK);
        for (int k = 0; k < DIM; k++) {
            for (int i = 0; i < M; i++) {
                double sum = 0.0;
                for (int j = 0; j < N; j++) sum += A[i][j] * z[j * DIM + k];
                assert_near(sum, 0.0, 1e-14, 0.0);
            }
            for (int l = 0; l < DIM; l++) {
                double dot = 0.0;
                for (int j = 0; j < N; j++) dot += z[j * DIM + k] * z[j * DIM + l];
                assert_near(dot, k == l ? 1.0 : 0.0, 1e-14, 0.0);
            }
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                projector[method][i][j] = 0.0;
                for (int k = 0; k < DIM; k++)
                    projector[method][i][j] += z[i * DIM + k] * z[j * DIM + k];
                assert_near(projector[method][i][j], projector[0][i][j], 1e-13, 0.0);
            }
    }
}

static void test_dense_solve(void **state) {
    (void)state;
    double a[] = {0, 2, 1, 1, 1, 3, 4, 0, 5}, b[] = {13, 4, 22, 4, 0, 5}; /* by columns */
    int pivot[3];
    assert_int_equal(taut_dense_solve(3, 2, a, b, pivot), TAUT_OK);
    double x[6];
    memcpy(x, b, sizeof x);
    const double A[3][3] = {{0, 1, 4}, {2, 1, 0}, {1, 3, 5}};
    const double B[2][3] = {{13, 4, 22}, {4, 0, 5}};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int j = 0; j < 3; j++) sum += A[i][j] * x[3 * k + j];
            assert_near(sum, B[k][i], 1e-13, 0.0);
        }
    double singular[] = {1, 2, 2, 4}, c[] = {1, 1}, one = 4.0, d[] = {2.0, -8.0}, zero = 0.0;
    assert_int_equal(taut_dense_solve(2, 1, singular, c, pivot), TAUT_SINGULAR);
    assert_int_equal(taut_dense_solve(1, 2, &one, d, pivot), TAUT_OK);
    assert_true(d[0] == 0.5 && d[1] == -2.0);
    assert_int_equal(taut_dense_solve(1, 2, &zero, d, pivot), TAUT_SINGULAR);
}

/* ---- small and large: our own routines and LAPACK's must agree ---- */

enum { SMALL = 12, LARGE = 100 };

/* A matrix of SMALL rows and columns (by columns, `rows` apart) of the given rank, some of whose
 * columns are as long as others. */
static void fill_small(double *a, int rows, int rank) {
    for (int j = 0; j < SMALL; j++)
        for (int i = 0; i < SMALL; i++) {
            double sum = 0.0;
            for (int k = 0; k < rank; k++)
                sum += sin(1.0 + 0.3 * i * (k + 2)) * cos(0.4 + 0.9 * j * (k + 1));
            a[(size_t)j * (size_t)rows + (size_t)i] = sum;
        }
}

/* The same matrix, and ones on the diagonal below: too large for our own routines. */
static void fill_large(double *a, int rank) {
    memset(a, 0, (size_t)(LARGE * LARGE) * sizeof *a);
    fill_small(a, LARGE, rank);
    for (int i = SMALL; i < LARGE; i++) a[i * LARGE + i] = 1.0;
}

static void check_least_norm_agrees(int rank) {
    static double small[SMALL * SMALL], large[LARGE * LARGE], null[LARGE * LARGE];
    double b[SMALL], c[LARGE], x[LARGE];
    int found;
    fill_small(small, SMALL, rank);
    fill_large(large, rank);
    for (int i = 0; i < LARGE; i++) c[i] = cos(3.1 * i);
    memcpy(b, c, sizeof b);
    assert_int_equal(taut_least_norm(SMALL, SMALL, small, b, 1e-10, &found), TAUT_OK);
    assert_int_equal(found, rank);
    assert_int_equal(taut_least_norm(LARGE, LARGE, large, c, 1e-10, &found), TAUT_OK);
    assert_int_equal(found, rank + LARGE - SMALL);
    for (int i = 0; i < SMALL; i++) assert_near(b[i], c[i], 1e-10, 1e-10);
    for (int i = SMALL; i < LARGE; i++) assert_near(c[i], cos(3.1 * i), 1e-13, 0.0);

    fill_large(large, rank);
    for (int i = 0; i < LARGE; i++) c[i] = cos(3.1 * i);
    assert_int_equal(taut_least_norm_null(LARGE, LARGE, large, c, 1e-10, x, null, &found), TAUT_OK);
    assert_int_equal(found, rank + LARGE - SMALL);
    for (int i = 0; i < SMALL; i++) assert_near(b[i], x[i], 1e-10, 1e-10);
    fill_small(small, SMALL, rank);
    for (int i = 0; i < SMALL; i++) c[i] = cos(3.1 * i);
    assert_int_equal(taut_least_norm_null(SMALL, SMALL, small, c, 1e-10, x, null, &found), TAUT_OK);
    assert_int_equal(found, rank);
    for (int i = 0; i < SMALL; i++) assert_near(b[i], x[i], 1e-10, 1e-10);
}

static void test_least_norm_is_the_same_small_and_large(void **state) {
    (void)state;
    for (int rank = 0; rank <= 6; rank++) check_least_norm_agrees(rank);
}

/* More rows than columns and the reverse: the normal equations hold, and the solution is in the
 * span of the rows. */
static void check_shape(int m, int n) {
    double A[144], a[144], b[12] = {0}, r[12];
    int rank;
    for (int k = 0; k < m * n; k++) a[k] = A[k] = sin(0.3 + 1.7 * k * k);
    for (int i = 0; i < m; i++) b[i] = cos(2.0 * i);
    assert_int_equal(taut_least_norm(m, n, a, b, 1e-12, &rank), TAUT_OK);
    assert_int_equal(rank, m < n ? m : n);
    for (int i = 0; i < m; i++) {
        r[i] = -cos(2.0 * i);
        for (int j = 0; j < n; j++) r[i] += A[j * m + i] * b[j];
        if (m <= n) assert_near(r[i], 0.0, 1e-12, 0.0);
    }
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < m; i++) sum += A[j * m + i] * r[i];
        assert_near(sum, 0.0, 1e-12, 0.0);
    }
    if (m >= n) return;
    /* x = A^T y for some y: solve A A^T y = b and compare */
    double gram[144], y[12];
    int pivot[12];
    for (int i = 0; i < m; i++) {
        y[i] = cos(2.0 * i);
        for (int k = 0; k < m; k++) {
            gram[k * m + i] = 0.0;
            for (int j = 0; j < n; j++) gram[k * m + i] += A[j * m + i] * A[j * m + k];
        }
    }
    assert_int_equal(taut_dense_solve(m, 1, gram, y, pivot), TAUT_OK);
    for (int j = 0; j < n; j++) {
        double x = 0.0;
        for (int i = 0; i < m; i++) x += A[j * m + i] * y[i];
        assert_near(b[j], x, 1e-11, 1e-11);
    }
}

static void test_least_norm_of_all_shapes(void **state) {
    (void)state;
    for (int m = 1; m <= 12; m++)
        for (int n = 1; n <= 12; n++)
            if (m != n) check_shape(m, n);
}

static void test_pivoted_columns_are_the_same_small_and_large(void **state) {
    (void)state;
    static double small[SMALL * SMALL], large[LARGE * LARGE];
    int order[SMALL], all[LARGE], rank, next = 0;
    for (int j = 0; j < SMALL; j++)
        for (int i = 0; i < SMALL; i++)
            small[j * SMALL + i] = sin(1.0 + i * i + 5.3 * j + 0.7 * i * j) * (j + 1);
    memset(large, 0, sizeof large);
    for (int j = 0; j < SMALL; j++)
        for (int i = 0; i < SMALL; i++) large[j * LARGE + i] = small[j * SMALL + i];
    for (int i = SMALL; i < LARGE; i++) large[i * LARGE + i] = 1.0;
    assert_int_equal(taut_pivoted_columns(SMALL, SMALL, small, 1e-10, order, &rank), TAUT_OK);
    assert_int_equal(taut_pivoted_columns(LARGE, LARGE, large, 1e-10, all, &rank), TAUT_OK);
    for (int k = 0; k < LARGE; k++)
        if (all[k] < SMALL) assert_int_equal(all[k], order[next++]);
}

/* Equally long but for rounding: the first one comes first, whatever rounding has done to them. */
static void test_pivoted_columns_keep_the_order_of_equals(void **state) {
    (void)state;
    for (int shift = -3; shift <= 3; shift++) {
        const double more = 1.0 + shift * 0x1p-50;
        double a[12] = {0, 2, 0, 2 * more, 0, 0, 0, 2 * more * more, 0, 0, 0, 3};
        int order[4], rank;
        assert_int_equal(taut_pivoted_columns(3, 4, a, 1e-10, order, &rank), TAUT_OK);
        assert_int_equal(rank, 3);
        assert_int_equal(order[0], 3);
        assert_int_equal(order[1], 0);
        assert_int_equal(order[2], 1);
        assert_int_equal(order[3], 2);
    }
}

/* Squares of these entries are beyond all numbers, or nothing at all. */
static void test_entries_of_any_size(void **state) {
    (void)state;
    const double sizes[] = {1e-300, 1e-160, 1.0, 1e160, 1e300};
    for (int k = 0; k < 5; k++) {
        const double s = sizes[k];
        double a[4] = {2 * s, s, s, 3 * s}, b[2] = {5 * s, 10 * s}, null[4], x[2];
        int rank;
        assert_int_equal(taut_least_norm(2, 2, a, b, 1e-12, &rank), TAUT_OK);
        assert_int_equal(rank, 2);
        assert_near(b[0], 1.0, 1e-14, 0.0);
        assert_near(b[1], 3.0, 1e-14, 0.0);
        double again[4] = {2 * s, s, s, 3 * s}, c[2] = {5 * s, 10 * s};
        assert_int_equal(taut_least_norm_null(2, 2, again, c, 1e-12, x, null, &rank), TAUT_OK);
        assert_int_equal(rank, 2);
        assert_near(x[0], 1.0, 1e-14, 0.0);
        assert_near(x[1], 3.0, 1e-14, 0.0);
    }
}

static void test_dense_solve_is_the_same_small_and_large(void **state) {
    (void)state;
    static double small[SMALL * SMALL], large[LARGE * LARGE];
    double b[SMALL], c[LARGE];
    int pivot[LARGE];
    fill_small(small, SMALL, 5);
    fill_large(large, 5);
    for (int i = 0; i < SMALL; i++) small[i * SMALL + i] += 1.0, large[i * LARGE + i] += 1.0;
    for (int i = 0; i < LARGE; i++) c[i] = cos(3.1 * i);
    memcpy(b, c, sizeof b);
    assert_int_equal(taut_dense_solve(SMALL, 1, small, b, pivot), TAUT_OK);
    assert_int_equal(taut_dense_solve(LARGE, 1, large, c, pivot), TAUT_OK);
    for (int i = 0; i < SMALL; i++) assert_near(b[i], c[i], 1e-11, 1e-11);
    double bad[4] = {1, (double)NAN, 0, 1}, d[2] = {1, 1};
    assert_true(taut_dense_solve(2, 1, bad, d, pivot) != TAUT_OK || isnan(d[0]) || isnan(d[1]));
}

/* Eigenvalues, vectors and conditions of a matrix whose are known: 3, and 1 +- 2 i; by columns. */
static void test_eigenvalues(void **state) {
    (void)state;
    const double given[9] = {1, -2, 0, 2, 1, 0, 0, 0, 3};
    double a[9], value[3][2], vector[9][2], condition[3], sigma[3];
    memcpy(a, given, sizeof a);
    assert_int_equal(taut_eigen(3, a, value, vector, NULL, condition), TAUT_OK);
    double sum = 0.0, product = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += value[k][0];
        product += value[k][0] * value[k][0] - value[k][1] * value[k][1];
        assert_near(condition[k], 1.0, 1e-14, 0.0); /* the matrix is normal */
        for (int i = 0; i < 3; i++) {
            double real = 0.0, imaginary = 0.0;
            for (int j = 0; j < 3; j++) {
                real += given[j * 3 + i] * vector[k * 3 + j][0];
                imaginary += given[j * 3 + i] * vector[k * 3 + j][1];
            }
            const double *x = vector[k * 3 + i];
            assert_near(real, value[k][0] * x[0] - value[k][1] * x[1], 1e-14, 0.0);
            assert_near(imaginary, value[k][0] * x[1] + value[k][1] * x[0], 1e-14, 0.0);
        }
    }
    assert_near(sum, 5.0, 1e-14, 0.0);
    assert_near(product, 9.0 - 6.0, 1e-13, 0.0); /* trace of its square */
    memcpy(a, given, sizeof a);
    assert_int_equal(taut_singular_values(3, 3, a, sigma), TAUT_OK);
    assert_near(sigma[0], 3.0, 1e-14, 0.0);
    assert_near(sigma[2], sqrt(5.0), 1e-14, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_norm_solves_a_square_system),
        cmocka_unit_test(test_least_norm_is_the_shortest_solution),
        cmocka_unit_test(test_least_norm_fits_an_overdetermined_system),
        cmocka_unit_test(test_least_norm_copes_with_redundant_rows),
        cmocka_unit_test(test_least_norm_of_nothing_is_zero),
        cmocka_unit_test(test_least_norm_refuses_nan),
        cmocka_unit_test(test_dependent_columns_are_named),
        cmocka_unit_test(test_dependent_columns_of_nothing),
        cmocka_unit_test(test_pivoted_columns_put_a_basis_first),
        cmocka_unit_test(test_dependent_columns_refuse_nan),
        cmocka_unit_test(test_least_norm_null_tells_what_is_free),
        cmocka_unit_test(test_least_norm_null_refuses_nan),
        cmocka_unit_test(test_least_norm_null_without_rows_is_zero),
        cmocka_unit_test(test_null_bases),
        cmocka_unit_test(test_dense_solve),
        cmocka_unit_test(test_least_norm_is_the_same_small_and_large),
        cmocka_unit_test(test_least_norm_of_all_shapes),
        cmocka_unit_test(test_pivoted_columns_are_the_same_small_and_large),
        cmocka_unit_test(test_pivoted_columns_keep_the_order_of_equals),
        cmocka_unit_test(test_entries_of_any_size),
        cmocka_unit_test(test_dense_solve_is_the_same_small_and_large),
        cmocka_unit_test(test_eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
