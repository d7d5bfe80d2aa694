/* Measures the results of a run while it goes on: extrema and integrals on the polynomials of the
 * steps, without rows. */
#ifndef TAUT_TASK_METER_H
#define TAUT_TASK_METER_H

#include <stdbool.h>

#include "task/figure.h"
#include "taut/simulation.h"

typedef struct taut_meter taut_meter;

/* figure (count) must outlive the meter. */
taut_status taut_meter_create(const taut_figure *figure, int count, taut_meter **meter);
void taut_meter_free(taut_meter **meter);
/* After a start; TAUT_ERR_CALL: there is no such column, or a time is outside of the run. */
taut_status taut_meter_begin(taut_meter *meter, taut_simulation *simulation, taut_errors *errors);
/* After each step. */
taut_status taut_meter_step(taut_meter *meter, taut_simulation *simulation, taut_errors *errors);
/* At the end of the run: value (count). TAUT_ERR_NUMERICS: one of them has no value. */
taut_status taut_meter_end(taut_meter *meter, taut_simulation *simulation, double *value,
                           taut_errors *errors);

/* The parts of the last step over which its columns are resolved by polynomials of the method's
 * order, or taken for that: their edges (parts + 1), in the order of time. */
const double *taut_meter_parts(const taut_meter *meter, int *parts);

/* When the largest or the smallest value so far of a result that is an extremum was met. */
double taut_meter_extremum_time(const taut_meter *meter, int figure, bool high);
double taut_meter_extremum(const taut_meter *meter, int figure, bool high);

#endif
