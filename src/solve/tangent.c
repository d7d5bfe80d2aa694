/* Bases of tangent spaces, and how they are carried along.
 *
 * With A = (J_ij), c_i >= k, d_j >= k, the tangent space at level k is the null space of A. The
 * factors of J yield its part nearest to T (in the metric of J): Y = T + y with J y = -(A T, 0),
 * and N = Y (T^T Y)^-1. */
#include "solve/tangent.h"

#include <math.h>
#include <string.h>

static const double CLOSE = 1e-8; /* to 1: the next round has made it exact */
enum { MOST_ROUNDS = 60 };

/* ---- set-up ---- */

static bool is_bound(const taut_tangent *p, const taut_series *series, int j) {
    for (int e = series->start[j]; e < series->start[j + 1]; e++)
        if (p->row[series->row[e]] >= 0) return true;
    return false;
}

static bool same_space(const taut_tangent *a, const taut_tangent *b) {
    return a->rows == b->rows && a->bound == b->bound &&
           memcmp(a->column, b->column, (size_t)a->bound * sizeof *a->column) == 0;
}

static taut_status allocate(taut_tangent *p, int n, const taut_tangent *above, taut_arena *arena) {
    const int entries = p->bound * p->size;
    const int most = p->rows > p->size ? p->rows : p->size;
    p->shared = above && same_space(p, above);
    p->T = p->shared ? above->T : TAUT_NEW_ARRAY(arena, entries, double);
    p->N = p->shared ? above->N : TAUT_NEW_ARRAY(arena, entries, double);
    p->image = TAUT_NEW_ARRAY(arena, n * p->size, double);
    p->origin = TAUT_NEW_ARRAY(arena, p->size, double);
    p->path = TAUT_NEW_ARRAY(arena, p->size, double);
    p->matrix = TAUT_NEW_ARRAY(arena, p->bound * most, double);
    p->gram = TAUT_NEW_ARRAY(arena, p->size * p->size, double);
    p->work = TAUT_NEW_ARRAY(arena, n + p->size, double);
    p->pivot = TAUT_NEW_ARRAY(arena, p->size, int);
    return p->T && p->N && p->image && p->origin && p->path && p->matrix && p->gram && p->work &&
                   p->pivot
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

taut_status taut_tangent_create(const taut_structure *structure, const taut_series *series,
                                int level, const taut_tangent *above, taut_arena *arena,
                                taut_tangent *p) {
    const int n = structure->n, *c = structure->offsets.c, *d = structure->offsets.d;
    *p = (taut_tangent){.level = level};
    p->row = TAUT_NEW_ARRAY(arena, n, int);
    p->column = TAUT_NEW_ARRAY(arena, n, int);
    p->loose_column = TAUT_NEW_ARRAY(arena, n, int);
    if (!p->row || !p->column || !p->loose_column) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) p->row[i] = c[i] >= level ? p->rows++ : -1;
    for (int j = 0; j < n; j++) {
        if (d[j] < level) continue;
        if (is_bound(p, series, j))
            p->column[p->bound++] = j;
        else
            p->loose_column[p->loose++] = j;
    }
    p->size = p->bound - p->rows;
    return allocate(p, n, above, arena);
}

/* ---- bases ---- */

taut_status taut_tangent_basis(const taut_tangent *p, const taut_series *series,
                               taut_null_method method, double *basis) {
    memset(p->matrix, 0, (size_t)(p->bound * p->rows) * sizeof *p->matrix);
    for (int b = 0; b < p->bound; b++)
        for (int e = series->start[p->column[b]]; e < series->start[p->column[b] + 1]; e++)
            if (p->row[series->row[e]] >= 0)
                p->matrix[p->row[series->row[e]] * p->bound + b] = series->J[e];
    return taut_null_basis(method, p->rows, p->bound, p->matrix, basis);
}

/* image [rows of the system][size] = A T */
static void find_image(taut_tangent *p, const taut_series *series) {
    memset(p->image, 0, (size_t)(series->system->n * p->size) * sizeof *p->image);
    for (int b = 0; b < p->bound; b++)
        for (int e = series->start[p->column[b]]; e < series->start[p->column[b] + 1]; e++) {
            if (p->row[series->row[e]] < 0) continue;
            double *image = p->image + series->row[e] * p->size;
            for (int k = 0; k < p->size; k++) image[k] += series->J[e] * p->T[b * p->size + k];
        }
}

/* gram = X^T Y, both [bound][size], by rows */
static void multiply(const taut_tangent *p, const double *X, const double *Y) {
    memset(p->gram, 0, (size_t)(p->size * p->size) * sizeof *p->gram);
    for (int b = 0; b < p->bound; b++)
        for (int i = 0; i < p->size; i++)
            for (int k = 0; k < p->size; k++)
                p->gram[i * p->size + k] += X[b * p->size + i] * Y[b * p->size + k];
}

taut_status taut_tangent_find(taut_tangent *p, const taut_series *series) {
    const int n = series->system->n;
    find_image(p, series);
    for (int k = 0; k < p->size; k++) {
        for (int i = 0; i < n; i++) p->work[i] = -p->image[i * p->size + k];
        taut_lu_solve(series->lu, p->work);
        for (int b = 0; b < p->bound; b++)
            p->N[b * p->size + k] = p->T[b * p->size + k] + p->work[p->column[b]];
    }
    multiply(p, p->T, p->N);
    /* N W = Y by rows is W^T N^T = Y^T by columns */
    return taut_dense_solve(p->size, p->bound, p->gram, p->N, p->pivot);
}

double taut_tangent_stretch(const taut_tangent *p) {
    double largest = 0.0;
    for (int k = 0; k < p->size; k++) {
        double square = 0.0;
        for (int b = 0; b < p->bound; b++) square += p->N[b * p->size + k] * p->N[b * p->size + k];
        largest = fmax(largest, square);
    }
    return sqrt(largest);
}

/* X <- X (3 - X^T X)/2, which converges to the polar factor X (X^T X)^-1/2 if |X| <= 1 at first.
 * Returns the largest entry of |X^T X - 1|. */
static double improve(const taut_tangent *p, double *X) {
    double largest = 0.0;
    multiply(p, X, X);
    for (int i = 0; i < p->size * p->size; i++)
        largest = fmax(largest, fabs(p->gram[i] - (i % (p->size + 1) == 0 ? 1.0 : 0.0)));
    for (int b = 0; b < p->bound; b++) {
        double *x = X + b * p->size, *old = p->work;
        memcpy(old, x, (size_t)p->size * sizeof *x);
        for (int k = 0; k < p->size; k++) {
            double sum = 0.0;
            for (int i = 0; i < p->size; i++) sum += old[i] * p->gram[i * p->size + k];
            x[k] = 1.5 * old[k] - 0.5 * sum;
        }
    }
    return largest;
}

void taut_tangent_carry(const taut_tangent *p, double *basis) {
    double norm = 0.0;
    multiply(p, p->N, p->N);
    for (int i = 0; i < p->size; i++) {
        double sum = 0.0;
        for (int k = 0; k < p->size; k++) sum += fabs(p->gram[i * p->size + k]);
        norm = fmax(norm, sum);
    }
    for (int i = 0; i < p->bound * p->size; i++) basis[i] = p->N[i] / sqrt(norm);
    for (int round = 0; round < MOST_ROUNDS && improve(p, basis) > CLOSE; round++) {
    }
}

void taut_tangent_turn(const taut_tangent *p, const double *from, const double *basis, double *q) {
    multiply(p, basis, from);
    memcpy(p->work, q, (size_t)p->size * sizeof *q);
    for (int i = 0; i < p->size; i++) {
        q[i] = 0.0;
        for (int k = 0; k < p->size; k++) q[i] += p->gram[i * p->size + k] * p->work[k];
    }
}

void taut_tangent_adopt(taut_tangent *p, const double *basis) {
    memcpy(p->T, basis, (size_t)(p->bound * p->size) * sizeof *basis);
    memcpy(p->N, basis, (size_t)(p->bound * p->size) * sizeof *basis);
}
