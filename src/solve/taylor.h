/* Integration by Taylor series: order and step from the tolerance, projection, dense output
 * (docs/math/step.md). */
#ifndef TAUT_SOLVE_TAYLOR_H
#define TAUT_SOLVE_TAYLOR_H

#include "solve/series.h"

typedef struct taut_taylor_options {
    double rtol, atol; /* relative to a value, and to the scale of its group */
    int order;         /* degree of the polynomials; 0: from the tolerance */
    double step;       /* fixed step; 0: from the tolerance */
} taut_taylor_options;

typedef struct taut_taylor taut_taylor;

/* The order that is taken for a tolerance. */
int taut_taylor_default_order(double tol);

/* A stepper for the system; its series has last stage order - 1. */
taut_status taut_taylor_create(const taut_system *system, const taut_structure *structure,
                               const taut_taylor_options *options, taut_taylor **stepper);
void taut_taylor_free(taut_taylor **stepper);
/* Starts at time t from the consistent point in `from` (same system), towards tend. */
taut_status taut_taylor_start(taut_taylor *stepper, const taut_series *from, double t, double tend,
                              taut_errors *errors);
/* One step, at most to tend. TAUT_STEP_COLLAPSED or TAUT_SINGULAR with the reason in errors: the
 * solution up to taut_taylor_time() is good. */
taut_status taut_taylor_step(taut_taylor *stepper, taut_errors *errors);

double taut_taylor_time(const taut_taylor *stepper);  /* reached so far */
double taut_taylor_begin(const taut_taylor *stepper); /* where the last step began */
/* x_j^(k) at a time inside the last step, from its polynomial; k <= d_j. */
double taut_taylor_value(const taut_taylor *stepper, int j, int k, double time);
/* x_j^(k) at the reached point itself, k < d_j. */
double taut_taylor_state(const taut_taylor *stepper, int j, int k);
/* Largest |f_i| at the reached point over the equations without derivatives (constraints). */
double taut_taylor_residual(const taut_taylor *stepper);

/* An estimate of the reciprocal condition number of J at the reached point. */
double taut_taylor_rcond(const taut_taylor *stepper);

typedef struct taut_taylor_stats {
    long steps, rejected, factorisations;
    int order;
    int operations; /* on the tape */
} taut_taylor_stats;
taut_taylor_stats taut_taylor_statistics(const taut_taylor *stepper);

#endif
