/* One model run again and again with other values of some names, each run reduced to a few results:
 * what sweeps, optimisations and fits are made of. */
#ifndef TAUT_TASK_TRYOUT_H
#define TAUT_TASK_TRYOUT_H

#include <stdatomic.h>

#include "task/figure.h"
#include "taut/program.h"

/* What is asked; all of it must outlive the tryout. */
typedef struct taut_tryout_order {
    const taut_model *model;
    const taut_run_options *run;
    const char *const *name; /* [names] of parameters, inputs and initial values */
    const bool *initial;     /* [names] an initial value; otherwise a parameter or an input */
    int names;
    const taut_figure *figure; /* [figures] */
    int figures;
    bool back;                   /* derivatives by adjoints: for few results and many names */
    const taut_program *program; /* of the model and the options; NULL: each forms its own */
} taut_tryout_order;

/* A simulation and a meter, for one thread. */
typedef struct taut_tryout taut_tryout;
/* Names of events are checked. */
taut_status taut_tryout_create(const taut_tryout_order *order, taut_tryout **tryout,
                               taut_errors *errors);
void taut_tryout_free(taut_tryout **tryout);
/* Sets the names to value (names; NULL: the model's own) and starts. */
taut_status taut_tryout_start(taut_tryout *x, const double *value, taut_errors *errors);
/* Checks names of columns and times of results, after a start with these values. */
taut_status taut_tryout_check(taut_tryout *x, const double *value, taut_errors *errors);
/* All of a run: result (figures). stop, if it is not NULL, is looked at after each step, and so are
 * the bounds of the thread: TAUT_INTERRUPTED. */
taut_status taut_tryout_run(taut_tryout *x, const double *value, const atomic_bool *stop,
                            double *result, taut_errors *errors);
/* The same in parts, for runs side by side (task/convoy): up to the first step; after each step;
 * the results, once there are no more steps. Whatever is not TAUT_OK ends the run, and
 * taut_tryout_drop is to be called. */
taut_status taut_tryout_begin(taut_tryout *x, const double *value, taut_errors *errors);
taut_status taut_tryout_follow(taut_tryout *x, taut_errors *errors);
taut_status taut_tryout_end(taut_tryout *x, const double *value, double *result,
                            taut_errors *errors);
/* The next run is made of a simulation that has nothing of this one. */
void taut_tryout_drop(taut_tryout *x);
/* What runs between taut_tryout_begin and taut_tryout_end; NULL: no result needs a run. */
taut_simulation *taut_tryout_simulation(taut_tryout *x);
/* The same with derivatives by the names, slope (figures x names), where the options' sensitivity
 * lists the names in their order and all results are of columns. */
taut_status taut_tryout_slopes(taut_tryout *x, const double *value, double *result, double *slope,
                               taut_errors *errors);
/* The model with these values; to be freed by taut_model_free, before the tryout. */
taut_status taut_tryout_vary(taut_tryout *x, const double *value, taut_model **variant,
                             taut_errors *errors);
/* Is there an element of this name that can make events? */
bool taut_model_has_event(const taut_model *model, const char *name);

#endif
