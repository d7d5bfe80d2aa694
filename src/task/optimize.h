/* An optimisation, inside: what is asked for, the point at hand, and what was found. */
#ifndef TAUT_TASK_OPTIMIZE_H
#define TAUT_TASK_OPTIMIZE_H

#include "task/bounded.h"
#include "task/goals.h"
#include "task/gradients.h"
#include "task/result.h"
#include "task/search.h"

struct taut_optimum {
    taut_arena arena;
    const taut_model *model;
    taut_run_options run;
    taut_box box;
    taut_goal *goal; /* [1 + limits] */
    int limits;
    bool maximize;
    taut_goals *goals;
    const taut_figure *figure;
    int figures;
    taut_gradients *gradients;
    bool by_gradient;

    /* at a point */
    double *x, *result, *slope;      /* [n], [figures], [figures * n] */
    double *value;                   /* [1 + limits] */
    double *by_result, *by_variable; /* [1 + limits] rows */
    double *derivative;              /* [1 + limits][n] by u */
    double *scale;                   /* [1 + limits] the largest derivative by u at the start */
    taut_status trouble;             /* memory, or interrupted: the search has to end */
    taut_errors *errors;             /* of the last run that failed; large */

    taut_optimum_start *start; /* [starts] */
    int starts, best, now;
    double *best_u; /* [n] of the start at hand */
    taut_result *record;
    struct taut_nlp *nlp;
    taut_search_progress progress;
};

/* Reads what is asked for, checks all names, and chooses the method (task/optimize_order). */
taut_status taut_optimum_build(taut_optimum *o, const taut_optimize_options *options,
                               taut_errors *errors);
taut_status taut_optimum_check_options(const taut_optimize_options *options, taut_errors *errors);
/* Values, and derivatives by u where they are wanted; false: there are none. */
bool taut_optimum_evaluate(taut_optimum *o, const double *u, bool slopes);

enum { TAUT_OPTIMIZE_COOKIE = 0x0b71 };

#endif
