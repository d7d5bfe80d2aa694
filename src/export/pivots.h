/* A fixed order of pivots for matrices of one pattern, chosen from many of them: those along a
 * motion. Fixed pivots make the elimination a list of operations without a decision in it. */
#ifndef TAUT_EXPORT_PIVOTS_H
#define TAUT_EXPORT_PIVOTS_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

/* An entry a(row, column) of the factors, L and U in one place. */
typedef struct taut_factor_entry {
    int row, column;
    int from; /* the entry of the matrix, in its own order; -1: fill-in, which begins with 0 */
} taut_factor_entry;

typedef struct taut_pivots {
    int n;
    int first_core;    /* so many pivots are fixed; what is left, the core, has none that would do
                          along the whole motion, and is left to reflections (QR) */
    int *row, *column; /* [n] the k-th pivot is a(row[k], column[k]); then rows and columns of the
                          core */
    taut_factor_entry *entry; /* [entries] */
    int entries;
    int *at;         /* [n * n] number of the entry a(i, j), -1: it is 0 */
    double *largest; /* [n] of the k-th pivot in all matrices; of a diagonal entry of R */
    double least;    /* the worst ratio of a pivot to the largest entry of its column */
    double closest;  /* the least ratio of a pivot to its largest value */
    int worst;       /* the matrix where that is */
    long operations; /* multiplications of an elimination and a solution */
} taut_pivots;

/* Matrices of size n with entries in compressed columns: start [n+1], row [start[n]]; value
 * [count * start[n]], one matrix after the other. Memory from arena. */
typedef struct taut_pivot_matrices {
    int n;
    const int *start, *row;
    const double *value;
    int count;
} taut_pivot_matrices;
taut_status taut_pivots_choose(const taut_pivot_matrices *matrices, taut_arena *arena,
                               taut_pivots *pivots);

/* The largest multiplier of one elimination with these pivots, value [start[n]] being the entries
 * of the matrix as above; work [n * n]. Infinite if it is not finite. */
double taut_pivots_largest_multiplier(const taut_pivots *pivots, const double *value, double *work);

#endif
