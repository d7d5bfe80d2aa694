/* The system Jacobian J_ij = df_i / dx_j^(d_j - c_i) as nodes: the same for all series of a system.
 */
#ifndef TAUT_SOLVE_JACOBIAN_H
#define TAUT_SOLVE_JACOBIAN_H

#include "core/arena.h"
#include "solve/system.h"

/* In compressed columns, rows ascending. */
typedef struct taut_jacobian {
    const taut_system *system; /* of which it is; NULL: of none */
    int entries;
    const int *start;      /* [n+1] */
    const int *row;        /* [entries] */
    const taut_node *node; /* [entries] */
} taut_jacobian;

/* For these offsets of the variables. Memory from arena. */
taut_status taut_jacobian_create(const taut_system *system, const int *d, taut_arena *arena,
                                 taut_jacobian *jacobian);

#endif
