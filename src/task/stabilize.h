/* How constraints are kept: by projection, which is what all methods do by themselves; by
 * Baumgarte's equations, in which they decay; or not at all (docs/math/reference.md, section 4). */
#ifndef TAUT_TASK_STABILIZE_H
#define TAUT_TASK_STABILIZE_H

#include "task/simulation.h"

/* What the options say, for a formulation (NULL: not a mechanism, whose constraints these are).
 * Reports what cannot be. */
taut_status taut_stabilizing_choose(const taut_run_options *options,
                                    const taut_formulation *formulation,
                                    taut_stabilizing *stabilizing, taut_errors *errors);
const char *taut_stabilizing_name(taut_stabilizing stabilizing);
/* Once the start has been found: goes over to equations in which the constraints decay, with the
 * same initial point, unless they are projected. */
taut_status taut_stabilize(taut_simulation *simulation, taut_errors *errors);

#endif
