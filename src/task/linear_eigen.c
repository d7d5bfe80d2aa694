/* Eigenvalues of a linearisation. Those that are 0 are counted by ranks: a Jordan block of a free
 * motion would split to the root of the rounding, 1e-8. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "task/linear.h"

static const double ZERO = 1e-11; /* of the largest pivot: rounding */

/* A, whose null space is spanned by `null` [n x k], as seen by what is perpendicular to it: the
 * rest of its eigenvalues, as a matrix of n - k. */
static taut_status deflate(int n, int k, const double *a, double *null, taut_arena *arena,
                           double *smaller) {
    const int m = n - k;
    double *basis = TAUT_NEW_ARRAY(arena, n * m, double),
           *image = TAUT_NEW_ARRAY(arena, n * m, double);
    if (!basis || !image) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_null_basis(TAUT_NULL_QR, k, n, null, basis));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < n; l++) image[j * n + i] += a[l * n + i] * basis[l * m + j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int l = 0; l < n; l++) sum += basis[l * m + i] * image[j * n + l];
            smaller[j * m + i] = sum;
        }
    return TAUT_OK;
}

/* How many eigenvalues of A (by columns) are 0: its null space, then that of what is left, ... */
static taut_status count_zeros(int n, const double *a, taut_arena *arena, int *zeros) {
    const size_t square = (size_t)n * (size_t)n;
    double *now = TAUT_NEW_ARRAY(arena, square, double),
           *copy = TAUT_NEW_ARRAY(arena, square, double);
    double *null = TAUT_NEW_ARRAY(arena, square, double), *b = TAUT_NEW_ARRAY(arena, n, double);
    double *x = TAUT_NEW_ARRAY(arena, n, double);
    if (!now || !copy || !null || !b || !x) return TAUT_ERR_MEMORY;
    memcpy(now, a, square * sizeof *now);
    TAUT_TRY(taut_scale_evenly(n, now));
    double largest = 0.0;
    for (size_t i = 0; i < square; i++) largest = fmax(largest, fabs(now[i]));
    *zeros = 0;
    while (n > 0) {
        int rank = 0;
        const size_t count = (size_t)n * (size_t)n;
        double here = 0.0;
        for (size_t i = 0; i < count; i++) here = fmax(here, fabs(now[i]));
        memcpy(copy, now, count * sizeof *copy);
        memset(b, 0, (size_t)n * sizeof *b);
        if (!(here > ZERO * largest)) {
            *zeros += n;
            return TAUT_OK;
        }
        TAUT_TRY(taut_least_norm_null(n, n, copy, b, ZERO * largest / here, x, null, &rank));
        if (rank == n) return TAUT_OK;
        *zeros += n - rank;
        TAUT_TRY(deflate(n, n - rank, now, null, arena, copy));
        n = rank;
        memcpy(now, copy, (size_t)n * (size_t)n * sizeof *now);
    }
    return TAUT_OK;
}

/* The smallest ones are the zeros; a real part below its own uncertainty is none. */
static void clean(int n, int zeros, double norm, const double *condition, double (*value)[2]) {
    for (int k = 0; k < n; k++) {
        int smaller = 0;
        const double size = hypot(value[k][0], value[k][1]);
        for (int i = 0; i < n; i++) {
            const double other = hypot(value[i][0], value[i][1]);
            smaller += other < size || (other == size && i < k);
        }
        if (smaller < zeros) value[k][0] = value[k][1] = 0.0;
    }
    for (int k = 0; k < n; k++)
        if (fabs(value[k][0]) <= 8.0 * DBL_EPSILON * norm * condition[k]) value[k][0] = 0.0;
}

static bool comes_before(const double *a, const double *b) {
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* Ascending, by insertion. */
static void sort(int n, const double (*value)[2], int *order) {
    for (int k = 0; k < n; k++) {
        int i = k;
        for (; i > 0 && comes_before(value[k], value[order[i - 1]]); i--) order[i] = order[i - 1];
        order[i] = k;
    }
}

taut_status taut_linear_eigen(taut_arena *arena, taut_linear_point *p) {
    taut_arena work = {0};
    const int n = p->states;
    const size_t square = (size_t)n * (size_t)n;
    double *a = TAUT_NEW_ARRAY(&work, square, double);
    double(*value)[2] = taut_arena_array(&work, (size_t)n, sizeof *value);
    double(*vector)[2] = taut_arena_array(&work, square, sizeof *vector);
    double *condition = TAUT_NEW_ARRAY(&work, n, double), norm = 0.0;
    int *order = TAUT_NEW_ARRAY(&work, n, int);
    double(*sorted)[2] = taut_arena_array(arena, (size_t)n, sizeof *sorted);
    double(*mode)[2] = taut_arena_array(arena, square, sizeof *mode);
    double *conditions = TAUT_NEW_ARRAY(arena, n, double);
    const bool room = a && value && vector && condition && order && sorted && mode && conditions;
    taut_status status = room ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < n && status == TAUT_OK; i++)
        for (int j = 0; j < n; j++) a[j * n + i] = p->A[i * n + j];
    if (status == TAUT_OK) status = count_zeros(n, a, &work, &p->zero_modes);
    if (status == TAUT_OK) status = taut_eigen(n, a, value, vector, condition);
    if (status == TAUT_OK) {
        for (int k = 0; k < n; k++) norm = fmax(norm, hypot(value[k][0], value[k][1]));
        clean(n, p->zero_modes, norm, condition, value);
        sort(n, (const double(*)[2])value, order);
        for (int k = 0; k < n; k++) {
            memcpy(sorted[k], value[order[k]], sizeof *sorted);
            memcpy(mode + k * n, vector + order[k] * n, (size_t)n * sizeof *mode);
            conditions[k] = condition[order[k]];
        }
        p->eigenvalue = (const double(*)[2])sorted;
        p->mode = (const double(*)[2])mode;
        p->condition = conditions;
    }
    taut_arena_release(&work);
    return status;
}
