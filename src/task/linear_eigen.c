/* Eigenvalues of a linearisation. Those that are 0 are counted by ranks: a Jordan block of a free
 * motion would split to the root of the rounding, 1e-8, and a small eigenvalue beside it would be
 * lost among them. So the null space is split off, then that of what is left, until nothing is: in
 * an orthonormal basis
 *
 *     A = [ Z  S ]      Z strictly upper triangular: so many zeros,
 *         [ 0  R ]      R regular: all other eigenvalues. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "task/linear.h"

static const double ZERO = 1e-11; /* of the largest pivot: rounding */

typedef struct split {
    int n, zeros;
    int vectors;   /* of the first null space: these are eigenvectors */
    double *a;     /* [n * n] by columns, scaled evenly ... */
    double *scale; /* [n] ... by these */
    double *free;  /* [n * zeros] by columns: the basis of Z */
    double *rest;  /* [n * (n - zeros)] by columns: that of R */
    double *R;     /* by columns */
} split;

/* c = a b, all by columns: (m x k) (k x n). */
static void multiply(int m, int k, int n, const double *a, const double *b, double *c) {
    memset(c, 0, (size_t)m * (size_t)n * sizeof *c);
    for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++) {
            const double x = b[(size_t)j * (size_t)k + (size_t)l];
            const double *from = a + (size_t)l * (size_t)m;
            for (int i = 0; i < m && x != 0.0; i++)
                c[(size_t)j * (size_t)m + (size_t)i] += from[i] * x;
        }
}

/* The transpose of a (m x n, by columns). */
static void transpose(int m, int n, const double *a, double *t) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) t[i * n + j] = a[j * m + i];
}

/* Takes k vectors of the null space of R, `null` [m x k], out of R and its basis. */
static taut_status take_out(split *s, int m, int k, double *null, taut_arena *arena) {
    const int n = s->n, left = m - k;
    const size_t square = (size_t)n * (size_t)n;
    double *basis = TAUT_NEW_ARRAY(arena, square, double),
           *t = TAUT_NEW_ARRAY(arena, square, double);
    double *by_rows = TAUT_NEW_ARRAY(arena, square, double);
    if (!basis || !t || !by_rows) return TAUT_ERR_MEMORY;
    multiply(n, m, k, s->rest, null, s->free + (size_t)s->zeros * (size_t)n);
    s->zeros += k;
    if (left == 0) return TAUT_OK;
    TAUT_TRY(taut_null_basis(TAUT_NULL_QR, k, m, null, by_rows));
    transpose(left, m, by_rows, basis); /* m x left */
    multiply(n, m, left, s->rest, basis, t);
    memcpy(s->rest, t, (size_t)n * (size_t)left * sizeof *t);
    multiply(m, m, left, s->R, basis, t);
    multiply(left, m, left, by_rows, t, s->R);
    return TAUT_OK;
}

/* Scales a matrix, given by rows, evenly; is it regular? Then nothing is to be split off. */
static taut_status scale(split *s, const double *A, taut_arena *arena, bool *regular) {
    const int n = s->n;
    const size_t square = (size_t)n * (size_t)n;
    int *order = TAUT_NEW_ARRAY(arena, n + 1, int), rank;
    s->a = TAUT_NEW_ARRAY(arena, square, double);
    s->scale = TAUT_NEW_ARRAY(arena, n + 1, double);
    s->R = TAUT_NEW_ARRAY(arena, square, double);
    if (!order || !s->a || !s->scale || !s->R) return TAUT_ERR_MEMORY;
    transpose(n, n, A, s->a);
    TAUT_TRY(taut_scale_evenly(n, s->a, s->scale));
    memcpy(s->R, s->a, square * sizeof *s->R);
    TAUT_TRY(taut_pivoted_columns(n, n, s->R, ZERO, order, &rank));
    *regular = rank == n;
    return TAUT_OK;
}

static taut_status split_off(split *s, taut_arena *arena) {
    const int n = s->n;
    const size_t square = (size_t)n * (size_t)n;
    double *copy = TAUT_NEW_ARRAY(arena, square, double),
           *null = TAUT_NEW_ARRAY(arena, square, double);
    double *b = TAUT_NEW_ARRAY(arena, 2 * n + 1, double), *x = b ? b + n : NULL, largest = 0.0;
    s->free = TAUT_NEW_ARRAY(arena, square, double);
    s->rest = TAUT_NEW_ARRAY(arena, square, double);
    if (!copy || !null || !b || !s->free || !s->rest) return TAUT_ERR_MEMORY;
    memcpy(s->R, s->a, square * sizeof *s->R);
    for (int i = 0; i < n; i++) s->rest[i * n + i] = 1.0;
    for (size_t i = 0; i < square; i++) largest = fmax(largest, fabs(s->a[i]));
    for (int m = n, rank = 0; m > 0; m = rank) {
        const size_t count = (size_t)m * (size_t)m;
        double here = 0.0;
        for (size_t i = 0; i < count; i++) here = fmax(here, fabs(s->R[i]));
        memcpy(copy, s->R, count * sizeof *copy);
        memset(b, 0, (size_t)m * sizeof *b);
        memset(null, 0, count * sizeof *null);
        if (here > ZERO * largest)
            TAUT_TRY(taut_least_norm_null(m, m, copy, b, ZERO * largest / here, x, null, &rank));
        else
            rank = 0;
        if (rank == m) break;
        for (int i = 0; i < m && rank == 0; i++) null[i * m + i] = 1.0;
        TAUT_TRY(take_out(s, m, m - rank, null, arena));
        if (s->vectors == 0) s->vectors = s->zeros;
    }
    return TAUT_OK;
}

/* ---- vectors ---- */

static double length_of(int n, const double (*x)[2]) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i][0] * x[i][0] + x[i][1] * x[i][1];
    return sqrt(sum);
}

/* to = sum of columns times complex factors, scaled back. */
static void combine(const split *s, const double *column, int count, const double (*factor)[2],
                    bool left, double (*to)[2]) {
    for (int j = 0; j < count; j++)
        for (int i = 0; i < s->n; i++) {
            const double c = column[(size_t)j * (size_t)s->n + (size_t)i];
            const double x = left ? c / s->scale[i] : c * s->scale[i];
            to[i][0] += x * factor[j][0];
            to[i][1] += x * factor[j][1];
        }
}

/* The part of a right vector along the basis of Z: (lambda - Z) y = S z, from below. */
static void follow(const split *s, const double *upper, const double lambda[2],
                   const double (*z)[2], double (*y)[2]) {
    const double size = lambda[0] * lambda[0] + lambda[1] * lambda[1];
    for (int i = s->zeros - 1; i >= 0; i--) {
        double re = 0.0, im = 0.0;
        for (int k = i + 1; k < s->n; k++) { /* columns: first those of Z, then those of S */
            const double c = upper[(size_t)k * (size_t)s->zeros + (size_t)i];
            const double *x = k < s->zeros ? y[k] : z[k - s->zeros];
            re += c * x[0];
            im += c * x[1];
        }
        y[i][0] = (re * lambda[0] + im * lambda[1]) / size;
        y[i][1] = (im * lambda[0] - re * lambda[1]) / size;
    }
}

/* [Z, S] in the basis: zeros x n, by columns. */
static taut_status upper_rows(const split *s, taut_arena *arena, double **upper) {
    const int n = s->n;
    double *image = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)n, double);
    double *turned = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)n, double);
    *upper = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)n, double);
    if (!image || !turned || !*upper) return TAUT_ERR_MEMORY;
    multiply(n, n, s->zeros, s->a, s->free, image);
    multiply(n, n, n - s->zeros, s->a, s->rest, image + (size_t)n * (size_t)s->zeros);
    transpose(n, s->zeros, s->free, turned);
    multiply(s->zeros, n, n, turned, image, *upper);
    return TAUT_OK;
}

/* Room for the results, in the order in which they are found. */
typedef struct found {
    double (*value)[2], (*vector)[2], *condition;
    double *certain; /* condition where zeros are known to be zeros: in R alone */
} found;

/* Eigenvalues of R with their vectors in all states. */
static taut_status find_others(const split *s, taut_arena *arena, found *f) {
    const int n = s->n, m = n - s->zeros;
    double *upper;
    double(*z)[2] = taut_arena_array(arena, (size_t)m * (size_t)m + 1, sizeof *z);
    double(*w)[2] = taut_arena_array(arena, (size_t)m * (size_t)m + 1, sizeof *w);
    double(*y)[2] = taut_arena_array(arena, (size_t)s->zeros + 1, sizeof *y);
    double(*left)[2] = taut_arena_array(arena, (size_t)n + 1, sizeof *left);
    if (!z || !w || !y || !left) return TAUT_ERR_MEMORY;
    TAUT_TRY(upper_rows(s, arena, &upper));
    TAUT_TRY(taut_eigen(m, s->R, f->value + s->zeros, z, w, f->certain + s->zeros));
    for (int k = 0; k < m; k++) {
        double(*x)[2] = f->vector + (size_t)(s->zeros + k) * (size_t)n, dot[2] = {0.0};
        const double(*own)[2] = (const double(*)[2])(z + (size_t)k * (size_t)m);
        follow(s, upper, f->value[s->zeros + k], own, y);
        combine(s, s->rest, m, own, false, x);
        combine(s, s->free, s->zeros, (const double(*)[2])y, false, x);
        memset(left, 0, (size_t)n * sizeof *left);
        combine(s, s->rest, m, (const double(*)[2])(w + (size_t)k * (size_t)m), true, left);
        const double length = length_of(n, (const double(*)[2])x);
        for (int i = 0; i < n; i++) {
            x[i][0] /= length;
            x[i][1] /= length;
            dot[0] += left[i][0] * x[i][0] + left[i][1] * x[i][1];
            dot[1] += left[i][0] * x[i][1] - left[i][1] * x[i][0];
        }
        f->condition[s->zeros + k] = length_of(n, (const double(*)[2])left) / hypot(dot[0], dot[1]);
    }
    return TAUT_OK;
}

/* Zeros: the vectors of the null space, again and again where there are chains. These have no
 * derivative by A at all; otherwise left vectors are [1, -S R^-1]. */
static taut_status find_zeros(const split *s, taut_arena *arena, found *f) {
    const int n = s->n, m = n - s->zeros, zeros = s->zeros;
    double *upper, *side = TAUT_NEW_ARRAY(arena, (size_t)m * (size_t)zeros + 1, double);
    double *turned = TAUT_NEW_ARRAY(arena, (size_t)m * (size_t)m + 1, double);
    int *pivot = TAUT_NEW_ARRAY(arena, m + 1, int);
    if (!side || !turned || !pivot) return TAUT_ERR_MEMORY;
    TAUT_TRY(upper_rows(s, arena, &upper));
    transpose(m, m, s->R, turned);
    transpose(zeros, m, upper + (size_t)zeros * (size_t)zeros, side);
    const bool chains = s->vectors < zeros;
    if (!chains && m > 0) TAUT_TRY(taut_dense_solve(m, zeros, turned, side, pivot));
    for (int k = 0; k < zeros; k++) {
        const double *own = s->free + (size_t)(k % s->vectors) * (size_t)n;
        double(*x)[2] = f->vector + (size_t)k * (size_t)n, length = 0.0;
        for (int i = 0; i < n; i++) x[i][0] = own[i] * s->scale[i];
        const double size = length_of(n, (const double(*)[2])x);
        for (int i = 0; i < n; i++) {
            double l = own[i];
            for (int j = 0; j < m; j++) l -= side[k * m + j] * s->rest[j * n + i];
            length += l / s->scale[i] * (l / s->scale[i]);
            x[i][0] /= size;
        }
        f->condition[k] = chains ? 1.0 / DBL_EPSILON : sqrt(length) * size;
    }
    return TAUT_OK;
}

/* A real part below its own uncertainty is none. */
static void clean(int n, found *f) {
    double norm = 0.0;
    for (int k = 0; k < n; k++) norm = fmax(norm, hypot(f->value[k][0], f->value[k][1]));
    for (int k = 0; k < n; k++)
        if (fabs(f->value[k][0]) <= 8.0 * DBL_EPSILON * norm * f->certain[k]) f->value[k][0] = 0.0;
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

static taut_status find_all(const double *A, taut_arena *arena, split *s, found *f) {
    bool regular;
    TAUT_TRY(scale(s, A, arena, &regular));
    if (!regular) {
        TAUT_TRY(split_off(s, arena));
        TAUT_TRY(find_zeros(s, arena, f));
        return find_others(s, arena, f);
    }
    transpose(s->n, s->n, A, s->a);
    TAUT_TRY(taut_eigen(s->n, s->a, f->value, f->vector, NULL, f->condition));
    memcpy(f->certain, f->condition, (size_t)s->n * sizeof *f->certain);
    return TAUT_OK;
}

/* Vector k becomes the one that was vector order[k], in place, cycle by cycle; `order` becomes the
 * identity. one: room for a vector. */
static void rearrange(int n, int *order, double (*vector)[2], double (*one)[2]) {
    const size_t size = (size_t)n * sizeof *vector;
    for (int first = 0; first < n; first++) {
        if (order[first] == first) continue;
        int k = first;
        memcpy(one, vector + first * n, size);
        while (order[k] != first) {
            const int next = order[k];
            memcpy(vector + k * n, vector + next * n, size);
            order[k] = k;
            k = next;
        }
        memcpy(vector + k * n, one, size);
        order[k] = k;
    }
}

taut_status taut_linear_eigen(taut_arena *arena, taut_linear_point *p) {
    taut_arena work = {0};
    const int n = p->states;
    const size_t square = (size_t)n * (size_t)n;
    split s = {.n = n};
    found f = {taut_arena_array(&work, (size_t)n, sizeof *f.value),
               taut_arena_array(arena, square, sizeof *f.vector), TAUT_NEW_ARRAY(&work, n, double),
               TAUT_NEW_ARRAY(&work, n, double)};
    int *order = TAUT_NEW_ARRAY(&work, n, int);
    double(*sorted)[2] = taut_arena_array(arena, (size_t)n, sizeof *sorted);
    double(*one)[2] = taut_arena_array(&work, (size_t)n, sizeof *one);
    double *conditions = TAUT_NEW_ARRAY(arena, n, double);
    const bool room =
        f.value && f.vector && f.condition && f.certain && order && sorted && one && conditions;
    taut_status status = room ? find_all(p->A, &work, &s, &f) : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        p->zero_modes = s.zeros;
        clean(n, &f);
        sort(n, (const double(*)[2])f.value, order);
        for (int k = 0; k < n; k++) {
            memcpy(sorted[k], f.value[order[k]], sizeof *sorted);
            conditions[k] = f.condition[order[k]];
        }
        rearrange(n, order, f.vector, one);
        p->eigenvalue = (const double(*)[2])sorted;
        p->mode = (const double(*)[2])f.vector;
        p->condition = conditions;
    }
    taut_arena_release(&work);
    return status;
}
