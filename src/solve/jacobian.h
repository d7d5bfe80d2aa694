/* The Jacobian of a system as formulas: which entries it has, and the node of each. It is the same
 * for every series of the system, so they may share it. */
#ifndef TAUT_SOLVE_JACOBIAN_H
#define TAUT_SOLVE_JACOBIAN_H

#include "core/arena.h"
#include "solve/system.h"

/* J_ij = df_i / dx_j^(d_j - c_i), in compressed columns. Where that is dense although its formulas
 * are short, the matrix is a larger and sparse one (solve/wide.h): J follows from it by elimination
 * of the rows and columns from n on. */
typedef struct taut_jacobian {
    int size; /* of the matrix: n, or more */
    int entries;
    int *start, *row;  /* [size+1], [entries] */
    taut_node *node;   /* [entries] */
    taut_node *needed; /* [needs] what these are computed from: variables, derivatives, t */
    int needs;
} taut_jacobian;

/* Values on the way from variables to equations that are unknowns of their own in the matrix. */
typedef struct taut_intermediates {
    int count;
    const taut_node *node; /* [count] ascending */
    const bool *is;        /* [nodes of the graph as it was] */
    const int *number;     /* [nodes of the graph as it was] their places in `node` */
} taut_intermediates;

/* offset: of the nodes that the equations consist of, by node. Adds nodes to the system's graph;
 * memory from arena. */
taut_status taut_jacobian_create(const taut_system *system, const int *offset, taut_arena *arena,
                                 taut_jacobian *jacobian);
/* The same with intermediates: the k-th has row and column n + k. */
taut_status taut_jacobian_create_wide(const taut_system *system, const int *offset,
                                      const taut_intermediates *between, taut_arena *arena,
                                      taut_jacobian *jacobian);

#endif
