/* Results of runs and their derivatives by the values of some names: exact where the run carries
 * sensitivities, by differences of runs elsewhere. */
#ifndef TAUT_TASK_SLOPES_H
#define TAUT_TASK_SLOPES_H

#include "task/tryout.h"

typedef struct taut_slopes taut_slopes;

/* low, high (names): values outside are not tried; step (names): what is a small change. exact:
 * sensitivities are wanted, if the model and all results have them. Copied, but for what order
 * points to. */
taut_status taut_slopes_create(const taut_tryout_order *order, const double *low,
                               const double *high, const double *step, bool exact,
                               taut_slopes **slopes, taut_errors *errors);
void taut_slopes_free(taut_slopes **slopes);
/* Are derivatives those of sensitivities? */
bool taut_slopes_are_exact(const taut_slopes *slopes);
/* Results (figures) at x (names), and slope (figures x names) unless it is NULL. TAUT_ERR_NUMERICS,
 * TAUT_ERR_INPUT: there is no such run; TAUT_INTERRUPTED. */
taut_status taut_slopes_find(taut_slopes *slopes, const double *x, double *result, double *slope,
                             taut_errors *errors);
/* The tryout of plain runs, for whoever wants to check names. */
taut_tryout *taut_slopes_tryout(taut_slopes *slopes);
/* How many runs so far. */
long taut_slopes_runs(const taut_slopes *slopes);

#endif
