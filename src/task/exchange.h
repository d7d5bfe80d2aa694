/* A motion whose steps somebody else takes (model exchange): states without constraints, their
 * rates, functions whose zeros are events, what an event does. The states are minimal coordinates
 * (docs/math/minimal.md); where other ones are better, that is an event, too. */
#ifndef TAUT_TASK_EXCHANGE_H
#define TAUT_TASK_EXCHANGE_H

#include "task/happen.h"

typedef struct taut_exchange {
    taut_simulation *simulation; /* its own */
    taut_flow *flow;             /* ... and what its stepper would integrate */
    taut_arena arena;
    int states, indicators;
    double t;
    double *y;         /* [states] where the motion is: set by the caller, or by an event */
    double *rate;      /* [states] work space */
    double *indicator; /* [indicators] likewise */
    int *side;         /* [indicators] signs, as far as they are known; 0: not */
    double settled;    /* the time of the last event: what is zero there has been dealt with */
    double *row;       /* [columns] at row_t */
    bool placed;       /* row and simulation->happen->series are those of (t, y) */
    bool rowed;
} taut_exchange;

/* Starts a simulation of the model with these options; TAUT_ERR_CALL, with the reason, for what has
 * no fixed number of states or none at all. */
taut_status taut_exchange_create(const taut_model *model, const taut_run_options *options,
                                 taut_exchange **exchange, taut_errors *errors);
void taut_exchange_free(taut_exchange **exchange);
/* Begins anew with what has been set by taut_simulation_set_parameter. */
taut_status taut_exchange_start(taut_exchange *x, taut_errors *errors);

/* The motion is somewhere else. */
void taut_exchange_set_time(taut_exchange *x, double t);
void taut_exchange_set_states(taut_exchange *x, const double *y);
/* Parameters get other values, by number; the states stay. */
taut_status taut_exchange_assign(taut_exchange *x, const int *which, const double *value,
                                 int count);

/* At (t, y), each TAUT_ERR_NUMERICS or TAUT_SINGULAR where there is no such point: */
taut_status taut_exchange_rates(taut_exchange *x, double *rate);
taut_status taut_exchange_indicators(taut_exchange *x, double *indicator);
/* All columns, valid until the next change. */
taut_status taut_exchange_row(taut_exchange *x, const double **row);
/* Every x_j^(k), k <= d_j, as if a stepper had them: for taut_stepper_value at time t. */
typedef struct taut_stand {
    taut_stepper stepper;
    const taut_flow *flow;
} taut_stand;
taut_status taut_exchange_probe(taut_exchange *x, taut_stand *probe);

/* A step has been accepted; *event: an event is wanted here. */
taut_status taut_exchange_complete(taut_exchange *x, bool *event);
/* The time of the next event that only depends on time; infinite: none. */
double taut_exchange_next(const taut_exchange *x);
/* Does what is to be done at (t, y). *changed: the states have other values behind it; *halted: the
 * model stops here. */
taut_status taut_exchange_event(taut_exchange *x, bool *changed, bool *halted, taut_errors *errors);
/* How large states are, roughly. */
void taut_exchange_nominals(const taut_exchange *x, double *size);

/* The state as a value; what follows from it is the same to the last bit, here and elsewhere. */
taut_status taut_exchange_get(taut_exchange *x, taut_state **state, taut_errors *errors);
taut_status taut_exchange_set(taut_exchange *x, const taut_state *state, taut_errors *errors);

#endif
