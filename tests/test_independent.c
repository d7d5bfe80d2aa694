/* Independent columns of sparse matrices, beside pivoted QR of the same as a dense matrix; forces
 * in joints of mechanisms that are too large for the latter, beside statics. */
#include <stdarg.h>

#include "core/dense.h"
#include "core/independent.h"
#include "solve_text.h"

/* ---- matrices ---- */

enum { M = 60, N = 50 };

static unsigned seed = 7;

static double arbitrary(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1u << 23) - 1.0;
}

/* Sparse columns, of which every third one from the second half on is a sum of two others. */
static void make(double *dense) {
    memset(dense, 0, sizeof *dense * M * N);
    for (int j = 0; j < N; j++) {
        double *a = dense + (size_t)j * M;
        if (j >= N / 2 && j % 3 == 0) {
            const int one = (int)(fabs(arbitrary()) * (j - 1)), other = j - 1 - one / 2;
            const double x = arbitrary(), y = arbitrary();
            for (int i = 0; i < M; i++) a[i] = x * dense[one * M + i] + y * dense[other * M + i];
            continue;
        }
        for (int k = 0; k < 4; k++) a[(int)(fabs(arbitrary()) * (M - 1))] = arbitrary();
    }
}

static void compress(const double *dense, int *start, int *row, double *value) {
    int at = 0;
    for (int j = 0; j < N; j++) {
        start[j] = at;
        for (int i = 0; i < M; i++)
            if (dense[j * M + i] != 0.0) {
                row[at] = i;
                value[at++] = dense[j * M + i];
            }
    }
    start[N] = at;
}

/* The part of the chosen rows and columns has full rank, by QR; returns its size. */
static int rank_of_chosen(const double *dense, const int *pivot) {
    static double part[N * N];
    int column[N], size = 0, rank, order[N];
    for (int j = 0; j < N; j++)
        if (pivot[j] >= 0) column[size++] = j;
    for (int k = 0; k < size; k++)
        for (int i = 0; i < size; i++) part[k * size + i] = dense[column[k] * M + pivot[column[i]]];
    assert_int_equal(taut_pivoted_columns(size, size, part, 1e-9, order, &rank), TAUT_OK);
    return rank;
}

static void test_rank_is_that_of_qr(void **state) {
    static double dense[M * N], work[M * N], value[M * N];
    static int start[N + 1], row[M * N], pivot[N], order[N];
    int deficient = 0;
    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        int rank, sparse;
        make(dense);
        compress(dense, start, row, value);
        memcpy(work, dense, sizeof work);
        assert_int_equal(taut_pivoted_columns(M, N, work, 1e-9, order, &rank), TAUT_OK);
        assert_int_equal(taut_independent_columns(&(taut_sparse_columns){M, N, start, row, value},
                                                  1e-9, pivot, &sparse),
                         TAUT_OK);
        assert_int_equal(sparse, rank);
        assert_int_equal(rank_of_chosen(dense, pivot), rank);
        deficient += rank < N;
    }
    assert_true(deficient > 200);
}

static void test_nothing_is_of_rank_0(void **state) {
    int pivot[2] = {5, 5}, rank = 5;
    (void)state;
    const taut_sparse_columns a = {3, 2, (int[]){0, 1, 1}, (int[]){2}, (double[]){0.0}};
    assert_int_equal(taut_independent_columns(&a, 1e-9, pivot, &rank), TAUT_OK);
    assert_int_equal(rank, 0);
    assert_int_equal(pivot[0], -1);
    assert_int_equal(pivot[1], -1);
    const taut_sparse_columns none = {3, 0, (int[]){0}, NULL, NULL};
    assert_int_equal(taut_independent_columns(&none, 1e-9, pivot, &rank), TAUT_OK);
    assert_int_equal(rank, 0);
}

/* ---- mechanisms ---- */

enum { TEXT = 200000 };

static void add(char *text, size_t *used, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char *text, size_t *used, const char *format, ...) {
    va_list list;
    va_start(list, format);
    *used += (size_t)vsnprintf(text + *used, TEXT - *used, format, list);
    va_end(list);
    assert_true(*used < TEXT - 1);
}

static solution *solve_at_start(const char *text) {
    taut_run_options options = at_tolerance(1e-9);
    const double at = 0.0;
    options.reactions = true;
    options.at = &at;
    options.ats = 1;
    return solve_text(text, &options);
}

/* A chain that hangs straight down at rest: a joint carries what is below it. 1,200 conditions. */
static void test_hanging_chain_carries_its_weight(void **state) {
    enum { LINKS = 600 };
    static char text[TEXT];
    size_t used = 0;
    (void)state;
    add(text, &used, "Dimension: 2\nPartData:\n  Fixed: {P0: [0, 0]}\n  Rigids:\n");
    for (int i = 1; i <= LINKS; i++)
        add(text, &used, "    P%dP%d: {Geom: [[1]], Dyna: [[0.5], 2, 0.1]}\n", i - 1, i);
    add(text, &used, "AppliedForces: {Gravity: 10}\nProblemData:\n  tend: 1\n  positions:\n");
    for (int i = 1; i <= LINKS; i++) add(text, &used, "    P%d: [0, %d]\n", i, -i);
    solution *s = solve_at_start(text);
    for (int i = 1; i < LINKS; i += 7) {
        char name[80];
        snprintf(name, sizeof name, "P%dP%d-P%dP%d.Fy", i - 1, i, i, i + 1);
        assert_near(fabs(value_of(s, 0, name)), 20.0 * (LINKS - i), 0.0, 1e-10);
        name[strlen(name) - 1] = 'x';
        assert_near(value_of(s, 0, name), 0.0, 1e-6, 0.0);
    }
    solution_free(s);
}

/* Five beams, each on 51 cranks that hang down: of what 1,020 conditions transmit, 245 are not
 * determined; with the least forces each crank carries the same. */
static void test_beams_share_their_weight(void **state) {
    enum { BEAMS = 5, CRANKS = 51 };
    static char text[TEXT];
    size_t used = 0;
    (void)state;
    add(text, &used, "Dimension: 2\nPartData:\n  Fixed: {");
    for (int i = 0; i < BEAMS * CRANKS; i++)
        add(text, &used, "%sO%d: [%d, 0]", i ? ", " : "", i, i);
    add(text, &used, "}\n  Rigids:\n");
    for (int b = 0; b < BEAMS; b++) {
        add(text, &used, "    beam%d: {Elements: [A%d", b, b * CRANKS);
        for (int i = 1; i < CRANKS; i++) add(text, &used, ", A%d", b * CRANKS + i);
        add(text, &used, "], Geom: [[1]");
        for (int i = 2; i < CRANKS; i++) add(text, &used, ", [%d]", i);
        add(text, &used, "], Dyna: [[%d], %d, 50]}\n", (CRANKS - 1) / 2, 100 + b);
    }
    for (int i = 0; i < BEAMS * CRANKS; i++)
        add(text, &used, "    O%dA%d: {Geom: [[1]], Dyna: [[0.5], 1, 0.1]}\n", i, i);
    add(text, &used, "AppliedForces: {Gravity: 10}\nProblemData:\n  tend: 1\n  positions:\n");
    for (int i = 0; i < BEAMS * CRANKS; i++) add(text, &used, "    A%d: [%d, -1]\n", i, i);
    solution *s = solve_at_start(text);
    for (int i = 0; i < BEAMS * CRANKS; i += 7) {
        char name[80];
        snprintf(name, sizeof name, "beam%d-O%dA%d.Fy", i / CRANKS, i, i);
        assert_near(fabs(value_of(s, 0, name)), 10.0 * (100.0 + i / CRANKS) / CRANKS, 0.0, 1e-8);
    }
    solution_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank_is_that_of_qr),
        cmocka_unit_test(test_nothing_is_of_rank_0),
        cmocka_unit_test(test_hanging_chain_carries_its_weight),
        cmocka_unit_test(test_beams_share_their_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
