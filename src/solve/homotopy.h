/* From a guess that is far off to values that satisfy a stage, by continuation. */
#ifndef TAUT_SOLVE_HOMOTOPY_H
#define TAUT_SOLVE_HOMOTOPY_H

#include "solve/stage.h"

/* Follows F(z) = (1 - s) F(z0) from the series' point z0, s = 0 to 1; size (columns) is what counts
 * as large for an unknown. *reached: the end was; the series then satisfies the stage. Otherwise it
 * is left where the path ended. */
taut_status taut_homotopy_follow(taut_stage *g, const double *size, bool *reached);

#endif
