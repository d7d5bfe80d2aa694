/* Forces and torques in joints at one instant: from the balances of all bodies, solved together
 * (docs/math/reactions.md). */
#ifndef TAUT_TASK_BALANCE_H
#define TAUT_TASK_BALANCE_H

#include "core/arena.h"
#include "form/reaction.h"

typedef struct taut_balance taut_balance;

/* Work space in the arena, which must outlive it, as must reactions. */
taut_status taut_balance_create(const taut_reactions *reactions, taut_arena *arena,
                                taut_balance **balance);
void taut_balance_free(taut_balance **balance);
/* The values of vector i at the instant, [3], to be filled in. */
double *taut_balance_vector(taut_balance *balance, int i);
/* Finds the reactions; column (as many as the reactions have) is the caller's. What
 * depends on a value that is not finite is NaN. TAUT_ERR_MEMORY. */
taut_status taut_balance_solve(taut_balance *balance, double *column);
/* Did rigid bodies determine column i at the last instant? If not, it has the value that goes with
 * the least forces. */
bool taut_balance_is_unique(const taut_balance *balance, int i);
/* How many of what can be transmitted were independent there. */
int taut_balance_rank(const taut_balance *balance);
/* How the columns of the last instant vary where vector i varies by rate[i], to first order,
 * exactly; NaN where what rigid bodies leave open does not stay the same. work: room for
 * taut_balance_work numbers. */
taut_status taut_balance_vary(taut_balance *balance, const double (*rate)[3], double *work,
                              double *column);
int taut_balance_work(const taut_balance *balance);
/* What was missing at the last instant in the worst balance, and the largest force. */
void taut_balance_residual(const taut_balance *balance, double *residual, double *largest);

/* The matrix of the balances at the vectors that were filled in: rows of bodies (moments divided by
 * the length), columns of what can be transmitted (torques likewise). rows x unknowns, by columns.
 */
const double *taut_balance_matrix(taut_balance *balance, int *rows, int *unknowns);
/* The first row of a carrier, and the first column of a transfer (those of the next one follow). */
int taut_balance_row(const taut_balance *balance, int carrier);
int taut_balance_unknown(const taut_balance *balance, int transfer);
/* The share of every unknown in component `axis` (of the world) of a transfer, [unknowns]. */
const double *taut_balance_share(taut_balance *balance, int transfer, int axis);

#endif
