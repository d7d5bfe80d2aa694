/* Adjoints of a run: the gradient of a few numbers of it by any number of parameters and initial
 * values, at the cost of a few runs (docs/math/sensitivity.md, section 5).
 *
 * The run is recorded, step by step, as Taylor coefficients. What a number depends on is noted when
 * it is met; then all of it goes back over the steps to the start. */
#ifndef TAUT_TASK_ADJOINT_H
#define TAUT_TASK_ADJOINT_H

#include "task/sensitivity.h"

/* A number contains a column at a time: with this weight, and how the column depends on the state
 * there and on parameters directly (taut_adjoint_size), as taut_adjoint_look has found it. It may
 * contain the time of an event, too. */
typedef struct taut_adjoint_seed {
    int number;
    long step;
    double t, weight;
    const double *by; /* NULL: no column */
    int event;        /* -1: none */
    double shift;     /* the weight of its time */
} taut_adjoint_seed;

/* From the next start on the simulation, which has options.sensitivity, is recorded; it has no
 * columns of derivatives then. */
void taut_adjoint_record(taut_simulation *simulation);
/* How many numbers a column depends on, with the equations in use. */
size_t taut_adjoint_size(const taut_simulation *simulation);
/* A column (by number, not 0) at a time inside the last step, where the observer has just filled a
 * row: by (taut_adjoint_size), and the step. TAUT_ERR_NUMERICS: it has no derivatives there. */
taut_status taut_adjoint_look(taut_simulation *simulation, int column, double *by, long *step,
                              taut_errors *errors);
/* The event that is just over, and the one that a note (number in the list of events) is of. */
int taut_adjoint_last_event(const taut_simulation *simulation);
int taut_adjoint_find_event(const taut_simulation *simulation, int note);
/* At the end of the run: gradient (numbers x directions). */
taut_status taut_adjoint_sweep(taut_simulation *simulation, const taut_adjoint_seed *seed,
                               int seeds, int numbers, double *gradient, taut_errors *errors);

/* ---- for task/sensitivity ---- */

taut_status taut_adjoint_begin(taut_simulation *simulation);
/* Before the next start: equations and directions are those of the start again. */
void taut_adjoint_start_again(taut_sensitivity *x);
/* At the start contacts may settle in other equations: then the record begins with these. */
taut_status taut_adjoint_equip(taut_simulation *simulation);
/* Keeps the last step. */
taut_status taut_adjoint_step(taut_simulation *simulation, taut_errors *errors);
/* At an event, before anything is done, and behind it. */
taut_status taut_adjoint_reach(taut_simulation *simulation, taut_errors *errors);
taut_status taut_adjoint_leave(taut_simulation *simulation, taut_errors *errors);
/* The directions of the run itself, whatever has become of an event. */
void taut_adjoint_restore(taut_sensitivity *x);
/* Engines of one set of equations stay while others are in use, for the way back. */
void taut_adjoint_put_away(taut_sensitivity *x);
void taut_adjoint_take_out(taut_sensitivity *x, unsigned long serial);
void taut_adjoint_free(taut_adjoint **adjoint);

#endif
