/* Structural analysis of a system: signature matrix, offsets, index, blocks, needed values
 * (docs/math/structure.md). */
#ifndef TAUT_SOLVE_STRUCTURE_H
#define TAUT_SOLVE_STRUCTURE_H

#include "solve/assign.h"
#include "solve/blocks.h"
#include "solve/jacobian.h"
#include "solve/system.h"

typedef struct taut_structure {
    int n;
    taut_sigma sigma;
    taut_offsets offsets; /* c, d, index, dof */
    taut_blocks blocks;   /* of the Jacobian's pattern, in the order in which they can be solved */
    int largest_d;
    bool quasilinear;  /* the highest derivatives enter linearly where nothing is differentiated */
    bool *nonlinear;   /* [n] variable j needs a guess of x_j^(d_j): its block is not quasilinear */
    int conditions;    /* how many equations restrict the needed values, sum of c_i */
    const int *offset; /* [nodes of the graph as it was] see expr/tape.h */
    const taut_jacobian *jacobian; /* for all series to share; NULL: each makes its own */
    const taut_jacobian *wide;     /* see solve/wide.h; NULL: J as it is will do */
} taut_structure;

/* Analyses the system; system->wide: as a wide one, if it is one. A singular structure is
 * TAUT_ERR_INPUT with the parts named in errors; the signature matrix and the matching are then
 * still in *structure. Memory from arena. */
taut_status taut_structure_create(const taut_system *system, taut_arena *arena,
                                  taut_structure *structure, taut_errors *errors);
/* Finds the entries of J, for several series of the system; if that was done, does nothing. */
taut_status taut_structure_differentiate(const taut_system *system, taut_arena *arena,
                                         taut_structure *structure);

/* Values x_j^(k), k < taut_needed(structure, j), are needed to start. */
int taut_needed(const taut_structure *structure, int j);
/* Mechanical degrees of freedom of a second-order system; -1 where that has no meaning. */
int taut_structure_mobility(const taut_structure *structure);

#endif
