/* Whether options fit each other and the model. */
#ifndef TAUT_TASK_OPTIONS_H
#define TAUT_TASK_OPTIONS_H

#include "core/arena.h"
#include "model/model.h"
#include "taut/run.h"

/* What taut_run_options_default writes into cookie. */
enum { TAUT_RUN_COOKIE = 0x7a0701 };

/* A copy whose strings are its own, without what is for taut_simulate alone. */
taut_status taut_options_copy(const taut_run_options *options, taut_arena *arena,
                              taut_run_options *copy);

/* Have these been filled by taut_run_options_default? TAUT_ERR_CALL if not. */
taut_status taut_options_check_cookie(const taut_run_options *options, taut_errors *errors);
/* Whether a run from t0 to tend, with the fixed step if there is one, can come to an end. */
taut_status taut_options_check_span(const taut_run_options *options, double t0, double tend,
                                    taut_errors *errors);
/* TAUT_ERR_CALL, with the option and the remedy in errors, if a run of the model cannot be as the
 * options want it. What only the equations or the solver can tell comes later. */
taut_status taut_options_check(const taut_model *model, const taut_run_options *options,
                               taut_errors *errors);
/* The same of options that are for several runs, each of which takes what is for it: is there one
 * that has no meaning for this kind of model at all? */
taut_status taut_options_check_kind(const taut_model *model, const taut_run_options *options,
                                    taut_errors *errors);

#endif
