/* What a method that knows the Taylor coefficients at both ends of a step takes the watched nodes
 * for in between: the two-point polynomials of their own coefficients. */
#ifndef TAUT_SOLVE_TWOVIEW_H
#define TAUT_SOLVE_TWOVIEW_H

#include "solve/twopoint.h"
#include "solve/vigil.h"

typedef struct taut_twoview {
    taut_vigil vigil;
    const int *d; /* [n] offsets of the variables */
    int n;
    taut_jet *jet;               /* of the watched nodes alone */
    int *variable;               /* [n] slots; -1: no watched node contains it */
    int *slot;                   /* [vigil.outputs] */
    taut_twopoint *poly;         /* [vigil.outputs] */
    const taut_twopoint *motion; /* [n] of the variables: the step at hand, ... */
    double begin, h;             /* ... and where it begins, how long it is */
} taut_twoview;

/* For up to `stages` stages at an end. Memory from arena. */
taut_status taut_twoview_create(const taut_system *system, const taut_structure *structure,
                                const taut_stepping *stepping, int stages, taut_arena *arena,
                                taut_twoview *view);
/* From now on with these values of the parameters, see taut_series_set_numbers. */
taut_status taut_twoview_set_numbers(taut_twoview *view, const double *parameter);
/* The coefficients at one end, scaled with h: left[j] and right[j] have stages + d_j of them. */
typedef struct taut_twoview_end {
    double t;
    double *const *x; /* [n] */
    int stages;
} taut_twoview_end;
/* Are the nodes between the two ends what their polynomials say? *good: up to where; motion [n] are
 * the polynomials of the variables. */
bool taut_twoview_agrees(taut_twoview *view, const taut_twoview_end *left,
                         const taut_twoview_end *right, double h, const taut_twopoint *motion,
                         double *good);

#endif
