/* Results of runs and their derivatives by the values of some names: exact where the run carries
 * sensitivities, by differences of runs elsewhere. */
#ifndef TAUT_TASK_GRADIENTS_H
#define TAUT_TASK_GRADIENTS_H

#include "task/tryout.h"

typedef struct taut_gradients taut_gradients;

/* low, high (names): values outside are not tried; step (names): what is a small change. exact:
 * sensitivities are wanted, if the model and all results have them. Copied, but for what order
 * points to. */
taut_status taut_gradients_create(const taut_tryout_order *order, const double *low,
                                  const double *high, const double *step, bool exact,
                                  taut_gradients **gradients, taut_errors *errors);
void taut_gradients_free(taut_gradients **gradients);
/* Have derivatives been those of sensitivities so far? Where a run has none, differences stand in.
 */
bool taut_gradients_are_exact(const taut_gradients *gradients);
/* Results (figures) at x (names), and slope (figures x names) unless it is NULL. TAUT_ERR_NUMERICS,
 * TAUT_ERR_INPUT: there is no such run; TAUT_INTERRUPTED. */
taut_status taut_gradients_find(taut_gradients *gradients, const double *x, double *result,
                                double *slope, taut_errors *errors);
/* Do adjoints cost less than variations? */
bool taut_gradients_prefer_adjoints(int figures, int names);
/* The tryout of plain runs, for whoever wants to check names. */
taut_tryout *taut_gradients_tryout(taut_gradients *gradients);
/* How many runs so far. */
long taut_gradients_runs(const taut_gradients *gradients);

#endif
