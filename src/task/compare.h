/* Inside a comparison. */
#ifndef TAUT_TASK_COMPARE_H
#define TAUT_TASK_COMPARE_H

#include "taut/taut.h"

/* Who does the runs: as taut_simulate_nudged. */
typedef taut_status taut_runner(void *user, const taut_model *model,
                                const taut_run_options *options, double nudge, taut_result **result,
                                taut_errors *errors);

/* taut_compare with runs done by somebody: tests put in a wrong one. */
taut_status taut_compare_by(taut_runner *runner, void *user, const taut_model *model,
                            const taut_compare_options *options, taut_comparison **comparison,
                            taut_errors *errors);

#endif
