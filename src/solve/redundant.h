/* Redundant constraints of a mechanical system: found by rank, told apart from a singular position
 * (docs/math/redundancy.md). */
#ifndef TAUT_SOLVE_REDUNDANT_H
#define TAUT_SOLVE_REDUNDANT_H

#include "solve/system.h"
#include "core/arena.h"

/* Equations 0 .. coordinates-1 are motions, first_constraint .. n-1 constraints of second order. */
typedef struct taut_redundancy {
    int rows;       /* constraints */
    int rank;       /* of their Jacobian in general position ... */
    int start_rank; /* ... and at the start; less than rank: a singular position */
    int *dropped;   /* [rows - rank] equations that the others imply */
    int drops;
} taut_redundancy;

/* Finds the initial position at time t and the rank of the constraints there and nearby. */
taut_status taut_redundancy_find(const taut_system *system, int coordinates, int first_constraint,
                                 double t, taut_arena *arena, taut_redundancy *result,
                                 taut_errors *errors);

/* The same choice at given positions (value of variable j at order 0, j < first_constraint), for a
 * known rank: which constraints to leave out there. dropped has rows - rank entries. */
taut_status taut_redundancy_choose(const taut_system *system, int coordinates, int first_constraint,
                                   double t, const double *position, int rank, taut_arena *arena,
                                   int **dropped, int *drops);

#endif
