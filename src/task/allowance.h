/* Bounds of a task: its caller may stop it through options.progress, and says by options.memory how
 * large a matrix or a table may be. */
#ifndef TAUT_TASK_ALLOWANCE_H
#define TAUT_TASK_ALLOWANCE_H

#include "core/bounds.h"
#include "taut/run.h"

typedef struct taut_allowance {
    taut_bounds bounds;
    const taut_run_options *options; /* NULL: nobody stops it */
} taut_allowance;

/* From here to taut_allowance_end; `allowance` and `options` must outlive what is between. Progress
 * is told that nothing is done yet: there is nothing to keep until the task has ended. */
void taut_allowance_begin(taut_allowance *allowance, const taut_run_options *options);
/* The status of the task; what its caller stopped has no other reason: TAUT_INTERRUPTED. */
taut_status taut_allowance_end(taut_allowance *allowance, taut_status status, taut_errors *errors);

#endif
