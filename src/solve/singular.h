/* What to say about a singular Jacobian. */
#ifndef TAUT_SOLVE_SINGULAR_H
#define TAUT_SOLVE_SINGULAR_H

#include "solve/series.h"

/* True if J is singular at arbitrary points, too: the structural analysis does not fit the system,
 * although the structure itself is regular. Changes the point of the series. */
bool taut_singular_everywhere(taut_series *series);
/* Explains that J is singular at the series' point (J evaluated there): adds an error that names
 * the equations which have become dependent and says whether the analysis or the point is to blame.
 * `where` ends the sentence: "at the start", "near t = 0.5". Changes the point of the series.
 * Returns TAUT_ERR_INPUT if the analysis fails, TAUT_SINGULAR otherwise. */
taut_status taut_singular_explain(taut_series *series, const char *where, taut_errors *errors);

/* Where steps have collapsed: does a driver move a linkage to a position beyond which it cannot go?
 * Then says so, with the names of the constraints that are stretched there, and returns
 * TAUT_STEP_COLLAPSED; otherwise TAUT_OK. The series is at the last positions. */
taut_status taut_singular_dead_point(taut_series *series, double t, taut_errors *errors);

#endif
