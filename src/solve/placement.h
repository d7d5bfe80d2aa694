/* The geometry of a mechanical system alone: its positions, without forces
 * (docs/math/redundancy.md). */
#ifndef TAUT_SOLVE_PLACEMENT_H
#define TAUT_SOLVE_PLACEMENT_H

#include "solve/series.h"

/* Who is who in a mechanical system. Between the angles and the constraints are further unknowns
 * with as many equations, in any order: they take no part. */
typedef struct taut_roles {
    int coordinates;      /* variables 0 .. coordinates-1; the equations are their motions */
    int angles;           /* the next variables, which follow the coordinates by equations */
    int first_constraint; /* equations from here on: constraints of positions ... */
    int first_velocity;   /* ... and from here on of velocities */
    const bool *own;      /* [n - first_constraint] of one body's coordinates alone: never left out;
                             NULL: there are none */
    const bool *driven; /* [n - first_constraint] prescribed: left out rather than others, which is
                           then an error; NULL: there are none */
    const taut_node *engaged; /* [first_constraint] equations of what may let go, at the numbers of
                                 their forces; TAUT_NO_NODE: not one of these; NULL: none is */
} taut_roles;

/* The system with its offsets: motions become q'' = 0, further unknowns stay at the values that
 * they have at the start. Multipliers, and forces of what is engaged, then occur nowhere. */
typedef struct taut_geometry {
    taut_system system;
    taut_structure structure;
    taut_roles roles;
} taut_geometry;
taut_status taut_geometry_create(const taut_system *system, taut_roles roles, taut_arena *arena,
                                 taut_geometry *geometry);
/* Is equation i one of what may let go and is engaged? */
static inline bool taut_roles_engage(const taut_roles *roles, int i) {
    return roles->engaged && i < roles->first_constraint && roles->engaged[i] != TAUT_NO_NODE;
}
/* Forgets a constraint. */
void taut_geometry_let_go(taut_geometry *geometry, int equation);
/* The initial position at time t, and the velocity if constraints ask for it, in a series of the
 * geometry. */
taut_status taut_geometry_start(taut_series *series, taut_roles roles, double t, taut_arena *arena,
                                taut_errors *errors);

/* The sizes of the unknowns (*size [n], of the arena): the largest position of its group, 1 of
 * directions and angles. */
taut_status taut_position_sizes(const taut_series *series, taut_arena *arena, double **size);

/* Positions near the one in a series, the same ones in every run. */
enum { TAUT_NEIGHBOURS = 4 };
typedef struct taut_neighbourhood {
    double *from; /* [n] */
    double *size; /* [n] of the positions */
    unsigned seed;
    int tried;
} taut_neighbourhood;
taut_status taut_neighbourhood_begin(const taut_series *series, taut_arena *arena,
                                     taut_neighbourhood *near);
/* Moves the series to the next one; TAUT_ERR_INPUT if none was found there: try again. */
taut_status taut_neighbourhood_next(taut_series *series, taut_neighbourhood *near);

#endif
