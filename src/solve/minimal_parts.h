/* The flow of tangent coordinates, inside. */
#ifndef TAUT_SOLVE_MINIMAL_PARTS_H
#define TAUT_SOLVE_MINIMAL_PARTS_H

#include "solve/crossing.h"
#include "solve/minimal.h"
#include "solve/trail.h"
#include "solve/weights.h"

typedef struct taut_minimal_flow {
    taut_flow flow;
    taut_minimal_options options;
    taut_weights weights; /* of x_j^(k), k < d_j */
    int *first;           /* [n] number of x_j among these */
    double *reached;      /* [weights.states] their values at the last accepted point */
    double *work;         /* [weights.states] */
    int levels;
    taut_tangent *tangent; /* [levels] of level 1, 2, ... */
    int *state;            /* [levels] where the coordinates of a level begin in y */
    double chosen;         /* when the bases were */
    double *z;             /* [states] work space */

    taut_trail trail;        /* accepted points, for predictions and for what lies between */
    double *here;            /* [states] the last one of them in the present coordinates */
    double *x;               /* [values] work space */
    double *carried, *basis; /* [largest bound * size] likewise */
    int *variable;           /* [positions] the variables with d_j >= 2 */
    double *target;          /* [states] likewise */

    taut_crossing crossing; /* singular positions on the way */

    /* what the series holds */
    double held_t; /* NaN: nothing */
    double *held;  /* [states] */
} taut_minimal_flow;

#endif
