/* Circles on curves: whether the place of the rim that is followed is still the nearest one
 * (docs/math/contact.md, section 9). */
#ifndef TAUT_TASK_RIMS_H
#define TAUT_TASK_RIMS_H

#include "task/happen_parts.h"

/* After a step: the part of it at which another place of some rim becomes nearer; > 1: none does up
 * to `end`. A circle that touches in a second place is an error. */
taut_status taut_rims_look(taut_simulation *simulation, double end, double *theta,
                           taut_errors *errors);
/* Goes over to the nearest places, in the state of the event; *turned: some are others. */
taut_status taut_rims_turn(taut_simulation *simulation, bool *turned, taut_errors *errors);

#endif
