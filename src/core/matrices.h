/* TAUT_ABREAST small matrices of one pattern side by side: elimination, inverses of the factors,
 * solutions. Every lane has the bits that taut_lu would give. They go together as far as their
 * factors have much the same pattern, with whatever rows as pivots; the others are factored and
 * solved one by one. Number i of all lanes are the numbers from i * TAUT_ABREAST on. */
#ifndef TAUT_CORE_MATRICES_H
#define TAUT_CORE_MATRICES_H

#include "core/abreast.h"
#include "core/sparse.h"

typedef struct taut_matrices taut_matrices;

/* For n x n matrices, n <= TAUT_PANELS_MOST, with so many entries; without a choice of pivots yet.
 * Memory from arena. */
taut_status taut_matrices_create(int n, int entries, taut_arena *arena, taut_matrices **result);
/* The matrix of a lane, with a choice of pivots; it must outlive its use. NULL: the lane is not in
 * use. */
void taut_matrices_take(taut_matrices *m, int lane, taut_lu *lu);
/* Factors value[entry * TAUT_ABREAST + lane]. Lanes whose pivots do not suit choose new ones.
 * Returns the lanes of `who` that are factored. rcond: [TAUT_ABREAST]. */
taut_crowd taut_matrices_factor(taut_matrices *m, const double *value, taut_crowd who,
                                double *rcond);
/* Lanes that have no factors because there was no memory for a choice of pivots. */
taut_crowd taut_matrices_starved(const taut_matrices *m);
/* Solutions are by inverses of the factors until the next factorisation. Returns the lanes for
 * which there was memory. */
taut_crowd taut_matrices_invert(taut_matrices *m);
/* Replaces b [n] by the solutions of lanes of `who`, or by those of the transposed systems; what it
 * is in others is left open. */
void taut_matrices_solve(taut_matrices *m, double *b, taut_crowd who);
void taut_matrices_solve_transposed(taut_matrices *m, double *b, taut_crowd who);

#endif
