/* What looks for events in a step consists of. Private to task/happen*.c. */
#ifndef TAUT_TASK_HAPPEN_PARTS_H
#define TAUT_TASK_HAPPEN_PARTS_H

#include <float.h>

#include "task/resolve.h"

/* Most stages of a series; parts of a step at whose ends methods without series are looked at. */
enum { TAUT_HAPPEN_STAGES = 64, TAUT_HAPPEN_SAMPLES = 8 };
/* Rounding of a value, beside the size of its course. */
#define TAUT_HAPPEN_NOISE (64.0 * DBL_EPSILON)

static inline int taut_happen_sign(double g) { return g > 0.0 ? 1 : g < 0.0 ? -1 : 0; }

/* ---- roots of polynomials (happen_roots.c) ---- */

/* Does a root of function i count, where it goes up (1) or down (-1)? Backward in time up is
 * down. */
bool taut_happen_counts(const taut_simulation *simulation, int i, int way);
/* The first root of each function that counts. */
void taut_happen_look_at_courses(taut_simulation *simulation);
/* Crossings up to the cut move function i to its other side; what only touches is listed. */
taut_status taut_happen_pass_roots(taut_simulation *simulation, int i, double cut,
                                   taut_errors *errors);
/* After a step without an event. */
void taut_happen_leave_behind(const taut_model *m, taut_event_course *x, int i);
/* Is no function zero in the step, by bounds alone? Then it is known where they are. */
bool taut_happen_exclude_all(taut_simulation *simulation);

/* ---- values at times, for methods without polynomials (happen_times.c) ---- */

/* The state at a time inside the step, from its interpolation. */
void taut_happen_take_values(const taut_simulation *simulation, double t);
/* The first change of sign of each function that counts. */
taut_status taut_happen_look_at_times(taut_simulation *simulation, taut_errors *errors);

#endif
