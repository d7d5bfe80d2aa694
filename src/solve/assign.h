/* Structural analysis of a DAE: transversal of highest value and smallest offsets. */
#ifndef TAUT_SOLVE_ASSIGN_H
#define TAUT_SOLVE_ASSIGN_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

/* Signature matrix (n x n) in compressed rows; an absent entry is -infinity. */
typedef struct taut_sigma {
    int n;             /* equations, variables */
    const int *start;  /* (n + 1) row i has the entries start[i] .. start[i+1]-1; start[0] = 0 */
    const int *column; /* (start[n]) variable of an entry, ascending within a row */
    const int *order;  /* (start[n]) highest derivative of the variable in the equation, >= 0 */
} taut_sigma;

/* What the structure says. A transversal exists (the DAE is structurally regular) iff rank == n. */
typedef struct taut_offsets {
    int rank;           /* entries of the matching, the most that are possible */
    int *column_of_row; /* (n) variable matched with an equation, -1: none */
    int *row_of_column; /* (n) equation matched with a variable, -1: none */
    int *c;             /* (n) how often to differentiate equation i; NULL if rank < n */
    int *d;             /* (n) highest derivative of variable j in the result; NULL if rank < n */
    int index;          /* structural index; -1 if rank < n */
    long dof;           /* degrees of freedom, sum d - sum c; 0 if rank < n */
} taut_offsets;

/* Whether sigma is well formed: starts and columns ascend, columns in range, orders >= 0. */
bool taut_sigma_is_valid(const taut_sigma *sigma);

/* Analyses sigma (valid); the arrays of *out live in arena. A singular structure is no error: then
 * rank < n and taut_dm_split (solve/blocks.h) explains it.
 * TAUT_ERR_CALL if an offset exceeds an int. */
taut_status taut_assign(const taut_sigma *sigma, taut_arena *arena, taut_offsets *out);

#endif
