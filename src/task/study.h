/* Inside a study. */
#ifndef TAUT_TASK_STUDY_H
#define TAUT_TASK_STUDY_H

#include <stdatomic.h>
#include <stdint.h>

#include "task/axis.h"
#include "task/design.h"
#include "task/tryout.h"
#include "taut/taut.h"

/* Who keeps finished runs (out/journal): called in any thread, one call at a time. */
typedef struct taut_keeper {
    taut_status (*keep)(struct taut_keeper *keeper, const taut_study *study, long run);
    void (*free)(struct taut_keeper *keeper);
    char why[400]; /* after TAUT_ERR_IO: which file, and what happened to it */
} taut_keeper;

struct taut_study {
    taut_arena arena;
    const taut_model *model; /* must outlive the study */
    taut_run_options run;
    taut_study_axis *axis; /* [axes] */
    int axes;
    bool paired;       /* run i has the i-th value of every axis; otherwise all combinations */
    int first_sampled; /* the axis at whose place the samples are; -1: there are none */
    taut_design design;
    int *coordinate;     /* [axes] its number in the design; -1: a list */
    taut_figure *figure; /* [figures] those of the table, then the points of trajectories */
    int figures, reports;
    const char **trace; /* [traces] columns whose course is kept, at `rows` times */
    int traces, rows;
    int threads, shard, shards;
    bool one_by_one;     /* runs of a thread do not go side by side */
    int worker, workers; /* one of several processes that share `take`; 0, 0: there are no others */
    long (*take)(void *user, long count);
    void *take_user;
    uint64_t print;      /* of all that decides what comes out */
    taut_keeper *keeper; /* NULL: none; owned */

    /* the table */
    long runs, done, failed;
    double *result;          /* [runs * figures] */
    unsigned char *finished; /* [runs] */
    const char **reason;     /* [runs] why it has failed; NULL: it has not */
    taut_arena words;        /* reasons */
};

/* The value of an axis in a run. */
double taut_study_varied(const taut_study *study, long run, int axis);
/* Enters what a run has come to; reason NULL: it is ok. value (figures). */
taut_status taut_study_enter(taut_study *study, long run, const double *value, const char *reason);
/* Is it one of the runs of this shard? */
bool taut_study_is_own(const taut_study *study, long run);

/* ---- runs (task/trial) ---- */

/* One thread's simulation and meter. */
typedef struct taut_trial taut_trial;
taut_status taut_trial_create(const taut_study *study, taut_trial **trial, taut_errors *errors);
void taut_trial_free(taut_trial **trial);
/* Starts one of a few runs, or the model as it is; false: none of them has a start. */
bool taut_trial_find(taut_trial *x);
/* Checks names of columns and times of results, after a start. */
taut_status taut_trial_check(taut_trial *x, taut_errors *errors);
/* What its runs are asked, memory from arena. */
taut_status taut_study_order(const taut_study *study, taut_arena *arena, taut_tryout_order *order);

#endif
