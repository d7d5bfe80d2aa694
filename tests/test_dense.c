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
    double a[4] = {2, NAN, 1, 3}, b[2] = {5, 10};
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
    double bad[2] = {NAN, 1};
    assert_int_equal(taut_pivoted_columns(1, 2, bad, 1e-10, order, &rank), TAUT_ERR_NUMERICS);
}

static void test_dependent_columns_refuse_nan(void **state) {
    (void)state;
    double a[4] = {1, NAN, 2, 3};
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
    double a[4] = {1, 0, 0, 1}, b[2] = {1, NAN}, x[2], null[4];
    int rank;
    assert_int_equal(taut_least_norm_null(2, 2, a, b, 1e-10, x, null, &rank), TAUT_ERR_NUMERICS);
    double bad[4] = {1, NAN, 0, 1}, c[2] = {1, 1};
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
