/* Adjoints of a run: the gradient of a few numbers of it by any number of parameters and initial
 * values, at the cost of a few runs (docs/math/sensitivity.md, section 5).
 *
 * The run is recorded, step by step, as Taylor coefficients. What a number depends on is noted when
 * it is met; then all of it goes back over the steps to the start. */
#ifndef TAUT_TASK_ADJOINT_H
#define TAUT_TASK_ADJOINT_H

#include "task/sensitivity.h"

/* A number contains a column at a time: with this weight, and how the column depends on the state
 * there and on parameters directly (taut_adjoint_size), as taut_adjoint_look has found it. */
typedef struct taut_adjoint_seed {
    int number;
    long step;
    double t, weight;
    const double *by;
} taut_adjoint_seed;

/* From the next start on the simulation, which has options.sensitivity, is recorded; it has no
 * columns of derivatives then. */
void taut_adjoint_record(taut_simulation *simulation);
/* How many numbers a column depends on. */
size_t taut_adjoint_size(const taut_simulation *simulation);
/* A column (by number, not 0) at a time inside the last step, where the observer has just filled a
 * row: by (taut_adjoint_size), and the step. TAUT_ERR_NUMERICS: it has no derivatives there. */
taut_status taut_adjoint_look(taut_simulation *simulation, int column, double *by, long *step,
                              taut_errors *errors);
/* At the end of the run: gradient (numbers x directions). */
taut_status taut_adjoint_sweep(taut_simulation *simulation, const taut_adjoint_seed *seed,
                               int seeds, int numbers, double *gradient, taut_errors *errors);

/* ---- for task/sensitivity ---- */

taut_status taut_adjoint_begin(taut_simulation *simulation);
/* Keeps the last step. */
taut_status taut_adjoint_step(taut_simulation *simulation, taut_errors *errors);
taut_status taut_adjoint_refuse_event(const taut_simulation *simulation, taut_errors *errors);
void taut_adjoint_free(taut_adjoint **adjoint);

#endif
