/* What the files of watched nodes share. */
#ifndef TAUT_SOLVE_WATCHED_PARTS_H
#define TAUT_SOLVE_WATCHED_PARTS_H

#include "solve/watched.h"

/* Taylor coefficients of all nodes about a time inside the step, scaled, from the polynomials that
 * the step has for the unknowns. */
void taut_watched_expand_at(taut_watched *watched, double time, double scale);

/* What looks at courses needs: node [nodes]. */
taut_status taut_watched_prepare_looks(taut_watched *watched, const taut_node *node,
                                       const taut_watching *wanted);
/* Compares the courses with values of their nodes all over the present part, and ends it before the
 * first place where one is off. */
void taut_watched_shorten(taut_watched *watched);

#endif
