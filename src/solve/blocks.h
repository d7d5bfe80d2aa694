/* Which equations and variables belong together: block triangular form, and what makes a structure
 * singular. */
#ifndef TAUT_SOLVE_BLOCKS_H
#define TAUT_SOLVE_BLOCKS_H

#include "solve/assign.h"

/* Coarse Dulmage-Mendelsohn decomposition. The over-determined rows contain only the
 * over-determined columns and are n - rank more than these; the under-determined columns occur only
 * in the under-determined rows and are n - rank more than these. All arrays ascend. */
typedef struct taut_dm {
    int nover_rows, nover_columns;
    int nunder_rows, nunder_columns;
    int *over_rows;     /* (nover_rows) too many equations ... */
    int *over_columns;  /* (nover_columns) ... for these variables */
    int *under_rows;    /* (nunder_rows) too few equations ... */
    int *under_columns; /* (nunder_columns) ... for these variables */
} taut_dm;

/* Block triangular form of the system Jacobian: equations row[] solved for variables column[], one
 * block after the other; a block contains its own variables and those of earlier blocks only. */
typedef struct taut_blocks {
    int nblocks;
    int *block_start; /* (nblocks + 1) positions of block b: block_start[b] .. block_start[b+1]-1 */
    int *row;         /* (n) equation at a position, ascending within a block */
    int *column;      /* (n) variable at a position: the one matched with row[] */
} taut_blocks;

/* Splits the pattern of sigma by the matching in *offsets (largest, as from taut_assign); all parts
 * are empty if rank == n. The arrays of *out live in arena. */
taut_status taut_dm_split(const taut_sigma *sigma, const taut_offsets *offsets, taut_arena *arena,
                          taut_dm *out);

/* Finds the blocks of the entries with d_j - c_i == sigma_ij; TAUT_ERR_CALL if rank < n. Blocks are
 * ordered by the longest chain of blocks that they wait for, then by their first row: the order
 * does not depend on which transversal was found. The arrays of *out live in arena. */
taut_status taut_blocks_find(const taut_sigma *sigma, const taut_offsets *offsets,
                             taut_arena *arena, taut_blocks *out);

#endif
