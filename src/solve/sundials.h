/* Ordinary integrators beside taut's own, through SUNDIALS (its only user), on taut's own equations
 * (docs/math/sundials.md). They are there to check against. */
#ifndef TAUT_SOLVE_SUNDIALS_H
#define TAUT_SOLVE_SUNDIALS_H

#include "solve/stepper.h"

/* Rates by stage 0 (index 1), constraints by projection: */
extern const taut_method taut_bdf;   /* CVODE, order 1 to 5, stiff */
extern const taut_method taut_adams; /* CVODE, order 1 to 12; only rows are projected */
extern const taut_method taut_erk;   /* ARKODE, Dormand-Prince of order 5 */
extern const taut_method taut_rk4;   /* ARKODE, the classical method; needs a fixed step */
/* The stabilised form of index 2, exact Jacobian: */
extern const taut_method taut_ida; /* IDA, order 1 to 5 */

#endif
