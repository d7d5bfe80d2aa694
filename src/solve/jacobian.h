/* The Jacobian of a system as formulas: which entries it has, and the node of each. It is the same
 * for every series of the system, so they may share it. */
#ifndef TAUT_SOLVE_JACOBIAN_H
#define TAUT_SOLVE_JACOBIAN_H

#include "core/arena.h"
#include "solve/system.h"

/* J_ij = df_i / dx_j^(d_j - c_i), in compressed columns. */
typedef struct taut_jacobian {
    int entries;
    int *start, *row;  /* [n+1], [entries] */
    taut_node *node;   /* [entries] */
    taut_node *needed; /* [needs] what these are computed from: variables, derivatives, t */
    int needs;
} taut_jacobian;

/* offset: of the nodes that the equations consist of, by node. Adds nodes to the system's graph;
 * memory from arena. */
taut_status taut_jacobian_create(const taut_system *system, const int *offset, taut_arena *arena,
                                 taut_jacobian *jacobian);

#endif
