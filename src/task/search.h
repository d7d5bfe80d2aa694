/* What searches for values have in common, optimisation and fitting: options, starts, progress. */
#ifndef TAUT_TASK_SEARCH_H
#define TAUT_TASK_SEARCH_H

#include "model/model.h"
#include "taut/run.h"

/* Checks options that both have. */
taut_status taut_search_check(const taut_run_options *run, int starts, int most,
                              taut_errors *errors);
/* How many starts: as the call says, or the model's Study, or 1. */
int taut_search_starts(const taut_model *model, int starts);

/* After a search that was refused: where the names stand that are wrong, if they are those of the
 * model's Study and not of the caller (own). */
taut_status taut_search_explain(const taut_model *model, bool own, taut_status status,
                                taut_errors *errors);

/* How far a search has come whose length nobody knows: starts that are over count, and within one
 * evaluations do, beside as many as those before have taken. Passes that on to the caller's
 * progress, in place of the fractions of single runs. */
typedef struct taut_search_progress {
    int (*outer)(void *user, double fraction); /* NULL: nobody asks */
    void *user;
    int start, starts; /* the one at hand, from 0 */
    long evaluations;  /* of all starts */
    long before;       /* ... up to this one */
    long usual;        /* how many a start is thought to take, before one is over */
    double shown;      /* a fraction never becomes smaller */
} taut_search_progress;

/* Puts itself between the options and the caller. */
void taut_search_progress_attach(taut_search_progress *progress, taut_run_options *run, long usual);
/* The next start is under way. */
void taut_search_progress_start(taut_search_progress *progress, int start, int starts);

#endif
