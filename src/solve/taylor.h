/* Integration by Taylor series: order and step from the tolerance, projection, dense output
 * (docs/math/step.md). */
#ifndef TAUT_SOLVE_TAYLOR_H
#define TAUT_SOLVE_TAYLOR_H

#include "solve/stepper.h"

/* The series of a stepper has last stage order - 1. */
extern const taut_method taut_taylor;
/* Before the first step: how long it would be, and how far away a singular position is, up to a few
 * steps; 0: there is none. */
taut_status taut_taylor_foresee(taut_stepper *stepper, double *h, double *r);

#endif
