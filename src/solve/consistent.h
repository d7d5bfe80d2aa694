/* The consistent initial point: from guesses to values that satisfy the equations and everything
 * that follows from them by differentiation (docs/math/consistent.md). */
#ifndef TAUT_SOLVE_CONSISTENT_H
#define TAUT_SOLVE_CONSISTENT_H

#include "solve/assembly.h"

/* A given value that had to change. */
typedef struct taut_move {
    int variable;            /* -1: */
    const char *name, *part; /* as it was listed */
    int order;
    double from, to;
} taut_move;

typedef struct taut_moves {
    taut_move *item;
    int count;
} taut_moves;

/* A guess by which an assembly can be told from another one. */
enum { TAUT_TELLING = 3 };
typedef struct taut_telling {
    const char *name; /* of the variable, or of what the condition is about */
    int order;
    bool relative; /* value is the distance from the guess */
    double value;
} taut_telling;

/* Positions that satisfy the equations, near the guesses. */
typedef struct taut_assembly {
    double distance; /* from the guesses, relative to the size of the model */
    taut_telling item[TAUT_TELLING];
    int telling; /* how many there are */
} taut_assembly;

typedef struct taut_assemblies {
    taut_assembly *item; /* nearest first: it is the one taken */
    int count;
} taut_assemblies;

/* What the search needs beside the equations, made once: derivatives of the conditions, and a plan
 * of the series that evaluates them. Constant afterwards. */
typedef struct taut_consistent_plan taut_consistent_plan;
/* Of the system and structure of a series, with the plan of which that one's is a view, if it is.
 * Adds nodes to the system's graph. */
taut_status taut_consistent_plan_create(const taut_series *series, taut_consistent_plan **plan);
void taut_consistent_plan_free(taut_consistent_plan **plan);

/* What is wanted. */
typedef struct taut_order {
    double tol; /* values that change by more than this, relative to their size, are moves */
    taut_search search;
    taut_assemblies *assemblies; /* NULL: not wanted. Otherwise those that search.starts found; 0
                                    starts: those among which the guesses do not clearly decide */
    taut_arena *arena;           /* for what is found */
    const taut_consistent_plan *plan; /* NULL: one is made for this search */
    const double *number; /* values of parameters, and of what is given (taut_given), by their
                             numbers; the series has them already. NULL: as they were compiled */
    bool frozen; /* with a plan: other threads read the graph, so nothing may be added to it. Where
                    the search would have to, it gives up: TAUT_CONTRADICTED */
} taut_order;

/* Finds the point at time t, stage by stage, and leaves it in the series (whose scale becomes 1).
 * moves lists the given values that changed; NULL: not wanted.
 * TAUT_ERR_INPUT with the constraints that cannot be met, or with the values that are missing. */
taut_status taut_consistent_find(taut_series *series, double t, const taut_order *order,
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
