/* Runs of one model with other values, side by side in the lanes of a thread (solve/squad): a lane
 * whose run has ended takes the next one. Results are those of single runs, to the last bit. */
#ifndef TAUT_TASK_CONVOY_H
#define TAUT_TASK_CONVOY_H

#include "task/tryout.h"

/* Where runs come from, and where results go. */
typedef struct taut_convoy_work {
    /* the next run: its number and values (names); false: there are no more */
    bool (*next)(void *user, long *run, double *value);
    /* what it has come to: result (figures), if status is TAUT_OK. Anything else but TAUT_OK ends
     * the whole. */
    taut_status (*done)(void *user, long run, taut_status status, const double *result,
                        taut_errors *errors);
    void *user;
    const atomic_bool *stop; /* looked at after each step; NULL: never */
} taut_convoy_work;

typedef struct taut_convoy taut_convoy;

/* For one thread. What the order points to must outlive it; runs go side by side if it has a
 * program whose equations can be shared. */
taut_status taut_convoy_create(const taut_tryout_order *order, taut_convoy **convoy,
                               taut_errors *errors);
void taut_convoy_free(taut_convoy **convoy);
/* All runs. TAUT_INTERRUPTED: by stop, and runs under way are dropped. */
taut_status taut_convoy_run(taut_convoy *convoy, const taut_convoy_work *work);
/* The first simulation and meter, for checks before there are runs. */
taut_tryout *taut_convoy_first(taut_convoy *convoy);
/* Steps so far: side by side, and alone. */
void taut_convoy_count(const taut_convoy *convoy, long *together, long *alone);

#endif
