/* Directional derivatives at a point of a motion, exact: of columns and of rates of states, by
 * states and by parameters (docs/math/linearisation.md). */
#ifndef TAUT_TASK_EXCHANGE_DIRECTIONS_H
#define TAUT_TASK_EXCHANGE_DIRECTIONS_H

#include "task/exchange.h"

typedef struct taut_directions taut_directions;

/* By these parameters [count], which must outlive it; for the equations that the simulation has
 * now. */
taut_status taut_directions_create(taut_simulation *simulation, const int *parameter, int count,
                                   taut_directions **directions, taut_errors *errors);
void taut_directions_free(taut_directions **directions);
/* Are these still the equations? */
bool taut_directions_suit(const taut_directions *directions, const taut_simulation *simulation);

/* Moves to a time inside the stepper's last step; flow: whose states are known, NULL: none are. */
taut_status taut_directions_find(taut_directions *directions, const taut_stepper *stepper, double t,
                                 const taut_flow *flow);
/* What is asked for: the k-th state's rate, the state itself, or a column. */
typedef enum taut_unknown_kind { TAUT_BY_RATE, TAUT_BY_STATE, TAUT_BY_COLUMN } taut_unknown_kind;
/* How it changes if states change by `state` [states] (NULL: not) and parameters by `parameter`
 * [count]; NaN for a column that is no function of the motion. */
double taut_directions_of(const taut_directions *directions, taut_unknown_kind kind, int k,
                          const double *state, const double *parameter);

#endif
