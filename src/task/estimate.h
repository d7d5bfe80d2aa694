/* Fitting, inside: experiments, the parts into which they are cut, and the unknowns of all of them.
 */
#ifndef TAUT_TASK_ESTIMATE_H
#define TAUT_TASK_ESTIMATE_H

#include "core/sheet.h"
#include "core/text.h"
#include "task/bounded.h"
#include "task/gradients.h"
#include "task/search.h"

typedef enum taut_loss { TAUT_LOSS_SQUARES, TAUT_LOSS_HUBER, TAUT_LOSS_CAUCHY } taut_loss;

/* What is found: a variable of the box (folded at its bounds), or center + scale z. */
typedef struct taut_sought {
    const char *name; /* NULL: the start of a part, which nobody asked for */
    int box;          /* its number; -1: none */
    double center, scale;
    int experiment; /* to which it belongs; -1: to all */
} taut_sought;

/* Measured numbers; those of files are owned. */
typedef struct taut_experiment {
    taut_measurement m;
    taut_sheet *sheet; /* NULL: they are the caller's */
} taut_experiment;

/* A residual: a measured number, or a jump to the start of the next part. */
typedef struct taut_residual {
    int row, column; /* of the experiment; -1: a jump */
    double sd, measured;
    int other; /* unknown that is added (a bias) or taken off (a start); -1: none */
} taut_residual;

/* A run from one time to another. */
typedef struct taut_shot {
    int experiment;
    double begin, end;
    taut_model *variant; /* the model beginning there; NULL: the model itself */
    taut_run_options run;
    const char **name; /* [names] what is set, */
    bool *initial;     /* ... an initial value, */
    int *unknown;      /* ... to an unknown, */
    double *constant;  /* ... or, where that is -1, to a number */
    int names;
    taut_figure *figure;     /* [figures] */
    taut_residual *residual; /* [figures] */
    int figures, first;      /* first: number of its first residual */
    taut_gradients *gradients;
    double *x, *result, *slope; /* [names], [figures], [figures * names] */
} taut_shot;

struct taut_estimates {
    taut_arena arena;
    const taut_model *model;
    taut_run_options run;
    taut_box box;
    taut_experiment *experiment; /* [experiments] */
    int experiments;
    const char **weighted;
    double *weight;
    int weights;
    const char **bias;
    int biases;
    taut_loss loss;
    double loss_scale;
    const char **state; /* [states] columns that are continuous, with rates */
    int states;
    int shooting;
    double tie;                     /* how heavy jumps between parts weigh */
    taut_sought *unknown;           /* [unknowns] */
    int unknowns, named;            /* named: the first ones, which have names */
    taut_shot *part;                /* [parts] */
    int parts, residuals, measured; /* measured: residuals that are no jumps */
    double *z, *r, *J;              /* [unknowns], [residuals], [residuals * unknowns] the result */
    taut_estimated *estimated;      /* [named] */
    double *covariance;             /* [named * named] in units of z */
    taut_string unidentified;
    taut_estimates_stats stats;
    taut_search_progress progress;
    taut_status trouble;
    taut_errors *errors; /* of the last run that failed; large */
};

/* ---- data ---- */

/* Experiments, weights and the rest, from the options or from the model's Study. */
taut_status taut_estimate_read(taut_estimates *e, const taut_estimate_options *options,
                               taut_errors *errors);

/* ---- parts ---- */

/* Unknowns and parts; all names are checked. */
taut_status taut_parts_create(taut_estimates *e, taut_errors *errors);
void taut_parts_free(taut_estimates *e);
/* The value of an unknown at z, and how fast it changes. */
double taut_sought_value(const taut_estimates *e, int unknown, double z, double *rate);
/* Where a search begins, z (unknowns). */
taut_status taut_parts_start(taut_estimates *e, uint64_t seed, int start, double *z,
                             taut_errors *errors);
/* Residuals r (residuals) at z, without the loss; J (residuals x unknowns, by columns) unless it is
 * NULL. TAUT_ERR_NUMERICS: a run has failed. */
taut_status taut_parts_find(taut_estimates *e, const double *z, double *r, double *J);

#endif
