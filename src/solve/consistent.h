/* The consistent initial point: from guesses to values that satisfy the equations and everything
 * that follows from them by differentiation (docs/math/consistent.md). */
#ifndef TAUT_SOLVE_CONSISTENT_H
#define TAUT_SOLVE_CONSISTENT_H

#include "solve/series.h"

/* A given value that had to change. */
typedef struct taut_move {
    int variable, order;
    double from, to;
} taut_move;

typedef struct taut_moves {
    taut_move *item;
    int count;
} taut_moves;

/* Finds the point at time t, stage by stage, and leaves it in the series (whose scale becomes 1).
 * moves, in arena, lists the given values that changed by more than tol relative to their size.
 * TAUT_ERR_INPUT with the constraints that cannot be met, or with the values that are missing. */
taut_status taut_consistent_find(taut_series *series, double t, double tol, taut_arena *arena,
                                 taut_moves *moves, taut_errors *errors);

/* The same for the first stage only (positions), and with its conditions. */
taut_status taut_consistent_positions(taut_series *series, double t, taut_arena *arena,
                                      taut_errors *errors);
/* The same for positions and velocities. */
taut_status taut_consistent_velocities(taut_series *series, double t, taut_arena *arena,
                                       taut_errors *errors);
/* Moves the positions in the series to the nearest ones that satisfy the equations, whatever was
 * given. TAUT_ERR_INPUT if that fails; nothing is reported. */
taut_status taut_consistent_nearest(taut_series *series);

#endif
