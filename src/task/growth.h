/* How far errors of the initial values grow along a run, by its sensitivities. */
#ifndef TAUT_TASK_GROWTH_H
#define TAUT_TASK_GROWTH_H

#include "task/result.h"

/* A change of all initial values that the model lists, each by the same part of its size, changes a
 * column at the last row by at most so many times that part of its scale [columns of the result].
 * NaN: it cannot be told. TAUT_ERR_MEMORY. */
taut_status taut_growth_find(const taut_model *model, const taut_run_options *options,
                             const taut_result *result, const double *scale, double *growth);

#endif
