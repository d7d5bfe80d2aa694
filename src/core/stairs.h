/* LU factorisation of medium-sized dense matrices in staircase (generalised upper
 * Hessenberg) form: column c has no entry from row reach[c] on, reach ascending; above it, rows
 * have one run of entries each. */
#ifndef TAUT_CORE_STAIRS_H
#define TAUT_CORE_STAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/status.h"

/* Where entries may stand; must outlive the matrix. */
typedef struct taut_stairs_shape {
    const int *reach;       /* [n] of a column, c < reach[c] <= n */
    const int *first, *end; /* [n] row i has none but in columns first[i] <= c < end[i] */
} taut_stairs_shape;

typedef struct taut_stairs {
    int n, stride; /* rows are `stride` apart in memory */
    taut_stairs_shape shape;
    double *entry;   /* [n * stride] by rows: the matrix, to be filled; then its factors */
    double **row;    /* [n] the rows in the order of the pivots */
    int *order;      /* [n] which rows these are */
    double *scale;   /* [n] of the rows as given */
    double *largest; /* [n] the largest entries of the columns, in rows so scaled */
    int *end;        /* [n] behind the last entry that a row has by now */
    double *inverse; /* [n] of the pivots */
    double *work;    /* [n] */
} taut_stairs;

/* All memory is from arena. */
taut_status taut_stairs_create(int n, taut_stairs_shape shape, taut_arena *arena,
                               taut_stairs *stairs);
/* A smaller matrix in the memory of another one, in turns with it. */
void taut_stairs_share(const taut_stairs *larger, int n, taut_stairs_shape shape,
                       taut_stairs *stairs);
/* Empties the matrix: entry[i * stride + j] is then to be filled. */
void taut_stairs_clear(taut_stairs *stairs);
/* TAUT_SINGULAR if the matrix is singular to working precision, or not finite. */
taut_status taut_stairs_factor(taut_stairs *stairs);
/* Replaces b (n) by the solution. */
void taut_stairs_solve(const taut_stairs *stairs, double *b);

#endif
