/* The ordinary differential equation behind a system: the state is every x_j^(k), k < d_j, and its
 * rate follows from stage 0, with the constraints of all levels kept by projection. What ordinary
 * integrators need (docs/math/sundials.md). */
#ifndef TAUT_SOLVE_ODE_H
#define TAUT_SOLVE_ODE_H

#include "solve/flow.h"
#include "solve/partials.h"
#include "solve/weights.h"

/* A part of d(f_i^(c_i))/d(state): see taut_partials_term. */
typedef struct taut_ode_term {
    int state, partial, m;
} taut_ode_term;

typedef struct taut_ode {
    taut_flow flow;
    taut_arena *arena;
    taut_weights weights;   /* the states, and their scales */
    int *first;             /* [n + 1] number of the state x_j */
    double *guess;          /* [n] x_j^(d_j) as last found */
    double *ahead;          /* [states] work space */
    double projection;      /* when its corrections end, see taut_stepping */
    taut_partials partials; /* for the Jacobian; count 0: not there */
    taut_ode_term *term;    /* [terms] by state */
    int terms;
} taut_ode;

/* Memory from arena, except for the series: taut_ode_release. */
taut_status taut_ode_create(const taut_system *system, const taut_structure *structure,
                            const taut_stepping *stepping, taut_arena *arena, taut_ode *ode);
void taut_ode_release(taut_ode *ode);
extern const taut_flow_maker taut_ode_maker;

#endif
