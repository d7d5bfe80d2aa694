/* Lagrange multipliers of loop closure: the Schur complement G M^-1 G^T of the saddle-point system,
 * symmetric positive definite, or rank-deficient where loops are singular or constraints redundant
 * (docs/math/relative.md). */
#ifndef TAUT_TREE_MULTIPLIER_H
#define TAUT_TREE_MULTIPLIER_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

typedef struct taut_multiplier {
    int n;
    double
        *matrix; /* [n * n] symmetric, to be filled by rows: what is left of the diagonal counts */
    double *factor; /* [n * n] by rows */
    double *scale;  /* [n] 1 / root of the diagonal */
    int *first;     /* [n] the first column of a row that is not 0; to be filled once */
    double *work;   /* [n * n + n] */
    bool careful;   /* always by pivoted QR */
    bool truncated; /* the last factors have a lower rank, by QR */
} taut_multiplier;

taut_status taut_multiplier_create(int n, bool careful, taut_arena *arena,
                                   taut_multiplier *multiplier);
/* Factors the matrix by Cholesky's method; notes if that is not safe. Allocates nothing. */
void taut_multiplier_factor(taut_multiplier *multiplier);
/* Replaces b by the solution; where Cholesky's method is not safe, of least norm, by truncated
 * pivoted QR, which may allocate. */
taut_status taut_multiplier_solve(taut_multiplier *multiplier, double *b);

#endif
