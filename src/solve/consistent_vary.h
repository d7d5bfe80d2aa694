/* How a consistent point varies with numbers, by the implicit function theorem
 * (docs/math/sensitivity.md, section 3). */
#ifndef TAUT_SOLVE_CONSISTENT_VARY_H
#define TAUT_SOLVE_CONSISTENT_VARY_H

#include "solve/consistent.h"
#include "solve/forward.h"

/* At the point that taut_consistent_find has found with this order, whose plan is not NULL: series
 * is at it, and so is the tangent, whose functions are the nodes of the system's conditions, one
 * after the other; variations of numbers are set, and those of x_j^(k), k < d_j, are those of what
 * is given for them (0 where nothing is). Replaces these by the variations of the point. known
 * [directions]: false where the theorem does not apply, because values had to move along
 * constraints that are not straight; these variations mean nothing. */
taut_status taut_consistent_vary(taut_series *series, const taut_order *order,
                                 taut_forward *forward, bool *known);

#endif
