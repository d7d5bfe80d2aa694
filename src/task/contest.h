/* A comparison on its way: shared by compare.c (the pairs) and contest.c (runs, the reference). */
#ifndef TAUT_TASK_CONTEST_H
#define TAUT_TASK_CONTEST_H

#include "task/compare.h"
#include "task/differ.h"

#define TAUT_FINEST 1e-14 /* no tolerance that a comparison chooses is below this */

typedef struct taut_contest {
    taut_runner *runner;
    void *user;
    const taut_model *model;
    const taut_compare_options *options;
    taut_comparison *c;
    taut_arena *arena;
    taut_errors *said;        /* by the last run */
    taut_compared_pair asked; /* the reference as it was asked for */
    taut_result *truth;       /* ... and what it has found */
    taut_yardstick yardstick;
    double *time, *tol, *sensitivity; /* of the comparison */
    taut_compared_pair *pair;
    double *scratch;             /* [times] */
    const char *formulation[16]; /* [formulations] all; one NULL where there is no choice */
    int formulations;
    double begun;      /* the last run, in seconds */
    bool late;         /* ... it was given up */
    bool interrupted;  /* by the caller */
    int planned, done; /* runs, for the progress */
    double shown;      /* the largest progress so far */
} taut_contest;

/* Options for a run of this pair. */
taut_run_options taut_contest_options(taut_contest *x, const taut_compared_pair *pair, double tol);
/* One run, from an initial state that is changed by nudge; what it says is in said. */
taut_status taut_contest_run(taut_contest *x, const taut_run_options *options, double nudge,
                             taut_result **result);
/* After this status nothing can follow: the memory is gone, or the caller has interrupted. */
bool taut_contest_is_over(const taut_contest *x, taut_status status);
/* What the last run said, in one line; NULL without memory. */
const char *taut_contest_reason(taut_contest *x, taut_status status);

/* Finds the reference: the first pair that solves the problem; if none does, the first failure is
 * told. */
taut_status taut_contest_reference(taut_contest *x, taut_errors *errors);
/* Its estimated error; what becomes of a change of the initial state by each tolerance. */
taut_status taut_contest_estimate(taut_contest *x);
taut_status taut_contest_sensitivity(taut_contest *x);
/* Looks for a pair that confirms it, those with another formulation first. */
taut_status taut_contest_witness(taut_contest *x);
/* How much a run at tolerance number tol may differ from it, whose own estimate is this. */
double taut_contest_allowed(const taut_contest *x, int tol, double own);

#endif
