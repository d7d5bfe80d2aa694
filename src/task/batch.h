/* Runs of one model at several points at once, by threads: results by point, whoever did it. */
#ifndef TAUT_TASK_BATCH_H
#define TAUT_TASK_BATCH_H

#include "task/tryout.h"

typedef struct taut_batch taut_batch;

/* threads: 0: as many as there are processors. What order points to must outlive the batch. */
taut_status taut_batch_create(const taut_tryout_order *order, int threads, taut_batch **batch,
                              taut_errors *errors);
void taut_batch_free(taut_batch **batch);
/* point (count x names) to result (count x figures); good (count): the run has its results. Errors
 * of the first run that has none are kept. TAUT_INTERRUPTED: by the options' progress. */
taut_status taut_batch_run(taut_batch *batch, const double *point, int count, double *result,
                           bool *good, taut_errors *errors);

#endif
