/* Why a step was not taken, and what to say if no shorter one is either. */
#ifndef TAUT_SOLVE_TROUBLE_H
#define TAUT_SOLVE_TROUBLE_H

#include "solve/stepper.h"
#include "solve/weights.h"

typedef enum taut_trouble {
    TAUT_FINE,
    TAUT_TOO_FAR, /* the error is too large */
    TAUT_HIDDEN,  /* a feature inside the step was passed over */
    TAUT_NOT_FINITE,
    TAUT_SINGULAR_MATRIX,
    TAUT_NO_NEWTON /* it does not converge */
} taut_trouble;

/* Adds that a stepper's steps collapsed to h; worst: the state that is to blame, at this value, or
 * NULL. */
taut_status taut_collapse_explain(const taut_system *system, const taut_stepper *stepper, double h,
                                  const taut_component *worst, double value, taut_errors *errors);

#endif
