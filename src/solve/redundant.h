/* Redundant constraints of a mechanical system: found by rank, told apart from a singular position
 * (docs/math/redundancy.md). */
#ifndef TAUT_SOLVE_REDUNDANT_H
#define TAUT_SOLVE_REDUNDANT_H

#include "solve/placement.h"

typedef struct taut_redundancy {
    int rows;       /* constraints */
    int rank;       /* of their Jacobian in general position ... */
    int start_rank; /* ... and at the start; less than rank: a singular position */
    int *dropped;   /* [rows - rank] equations that the others imply */
    int drops;
} taut_redundancy;

/* Finds the initial position (and velocity, if constraints ask for it) at time t and the rank of
 * the constraints there and nearby. */
taut_status taut_redundancy_find(const taut_system *system, taut_roles roles, double t,
                                 taut_arena *arena, taut_redundancy *result, taut_errors *errors);

/* A position and a velocity: x[j], v[j] of the variables j < first_constraint. */
typedef struct taut_motion {
    double t;
    const double *x, *v;
} taut_motion;

/* The same choice at a given motion, for a known rank: which constraints to leave out there.
 * dropped has rows - rank entries. */
taut_status taut_redundancy_choose(const taut_system *system, taut_roles roles,
                                   const taut_motion *motion, int rank, taut_arena *arena,
                                   int **dropped, int *drops);

#endif
