/* The states of a run: those of the equations, or minimal coordinates on top of them
 * (docs/math/minimal.md), as the options say. */
#ifndef TAUT_TASK_STATES_H
#define TAUT_TASK_STATES_H

#include "solve/minimal.h"
#include "taut/taut.h"

#define TAUT_MINIMAL "minimal" /* the formulation of this name is one of states */

typedef struct taut_states {
    bool minimal;
    taut_minimal_options options;
    taut_flow_maker maker; /* its user is `options`: do not copy the whole */
} taut_states;

/* Fills *states; what does not fit together is TAUT_ERR_CALL with the remedy in errors. */
taut_status taut_states_choose(const taut_run_options *options, taut_states *states,
                               taut_errors *errors);
/* The maker for a stepper; NULL: the states are those of the equations. */
const taut_flow_maker *taut_states_maker(const taut_states *states);
/* The method that a run begins with; NULL: there is no such solver. */
const taut_method *taut_states_method(const taut_run_options *options);
/* The order of the method for a mechanism of this mobility; 0: up to the method. */
int taut_states_order(const taut_run_options *options, int mobility);
/* The formulation of the equations; NULL: the usual one. */
const char *taut_states_base(const taut_run_options *options);
/* Are the states minimal coordinates? */
bool taut_states_are_minimal(const taut_run_options *options);

#endif
