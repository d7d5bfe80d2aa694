/* Derivatives of the results of a run by the names of its options' sensitivity, found while it goes
 * on beside a meter (docs/math/studies.md). */
#ifndef TAUT_TASK_SLOPE_H
#define TAUT_TASK_SLOPE_H

#include "task/meter.h"

typedef struct taut_slope taut_slope;

/* Can this result be differentiated in this way? */
bool taut_slope_knows(const taut_figure *figure);
/* figure (count) and names, the number of derivatives. back: by adjoints, of simulations that are
 * recorded (task/adjoint.h), instead of variations. What is given must outlive it. */
taut_status taut_slope_create(const taut_figure *figure, int count, int names, bool back,
                              taut_slope **slope);
void taut_slope_free(taut_slope **slope);
/* After taut_meter_begin, taut_meter_step and taut_meter_end. */
taut_status taut_slope_begin(taut_slope *x, const taut_meter *meter, taut_simulation *simulation,
                             taut_errors *errors);
taut_status taut_slope_step(taut_slope *x, const taut_meter *meter, taut_simulation *simulation,
                            taut_errors *errors);
/* value (count): the results; derivative (count x names). */
taut_status taut_slope_end(taut_slope *x, const taut_meter *meter, taut_simulation *simulation,
                           const double *value, double *derivative, taut_errors *errors);

#endif
