/* The further runs by which a result is judged: how and where they differ from it (certify.c). */
#ifndef TAUT_TASK_SECOND_H
#define TAUT_TASK_SECOND_H

#include "core/arena.h"
#include "task/result.h"

/* When further runs have rows: at those of the first run that are compared, at times all over the
 * run, and beside the rows where they are few. */
typedef struct taut_lookouts {
    int count;
    double *time; /* [count] in the order of the run */
    long *row;    /* [count] the row of the first run that is compared; -1: it has none there */
    bool *beside; /* [count] next to such a row */
} taut_lookouts;
taut_status taut_lookouts_choose(const taut_result *result, taut_arena *arena, taut_lookouts *x);

/* Options of a further run for a result that was found with the options `first`: tolerance, order
 * and steps differ. attempt 0, and 1 if the first one failed. */
taut_run_options taut_second_options(const taut_result *result, const taut_run_options *first,
                                     const taut_lookouts *lookouts, int attempt);

#endif
