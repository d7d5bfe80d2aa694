/* Lagrange multipliers of loop closure: the Schur complement G M^-1 G^T of the saddle-point system,
 * symmetric positive definite, or rank-deficient where loops are singular or constraints redundant
 * (docs/math/relative.md). */
#ifndef TAUT_TREE_MULTIPLIER_H
#define TAUT_TREE_MULTIPLIER_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

/* The matrix has an envelope: row i from its first column that is not 0 up to the diagonal. */
typedef struct taut_multiplier {
    int n;
    const int *first; /* [n] this column */
    size_t *start;    /* [n + 1] where rows begin in: */
    double *matrix;   /* symmetric, what is left of the diagonal, to be filled */
    double *factor;   /* likewise */
    double *scale;    /* [n] 1 / root of the diagonal */
    double *work;     /* [n * n + n] for the pivoted QR; NULL: nobody needed it yet */
    bool careful;     /* always by pivoted QR */
    bool truncated;   /* the last factors have a lower rank, by QR */
    taut_arena *arena;
} taut_multiplier;

/* first[n] tells the envelope; it and the arena must outlive the multiplier. */
taut_status taut_multiplier_create(int n, const int *first, bool careful, taut_arena *arena,
                                   taut_multiplier *multiplier);
/* The entry in row i and column j, first[i] <= j <= i. */
static inline double *taut_multiplier_entry(const taut_multiplier *m, int i, int j) {
    return m->matrix + m->start[i] + (size_t)(j - m->first[i]);
}
/* Factors the matrix by Cholesky's method; notes if that is not safe. Allocates nothing. */
void taut_multiplier_factor(taut_multiplier *multiplier);
/* Replaces b by the solution; where Cholesky's method is not safe, of least norm, by truncated
 * pivoted QR, which may allocate. */
taut_status taut_multiplier_solve(taut_multiplier *multiplier, double *b);

#endif
