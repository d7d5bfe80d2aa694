/* What an instance consists of. Private to fmu/instance*.c. */
#ifndef TAUT_FMU_INSTANCE_PARTS_H
#define TAUT_FMU_INSTANCE_PARTS_H

#include "export/fmu.h"
#include "fmu/instance.h"
#include "task/exchange_directions.h"

enum { TAUT_INSTANCE_NUMBERS = 2 + TAUT_FMU_INPUT_ORDER + TAUT_FMU_INPUT_ORDER + 1 };

struct taut_instance {
    taut_arena arena;
    taut_log_fn *log;
    void *user;
    taut_mode mode;
    taut_host_wishes host;
    bool exchanges;     /* model exchange; otherwise co-simulation */
    taut_model *source; /* the file's */
    taut_model *model;  /* ... with inputs that stay symbols, if it has some */
    taut_fmu_settings settings;
    taut_run_options options;
    taut_simulation *simulation; /* its own, or the exchange's */
    taut_exchange *exchange;     /* co-simulation: made if somebody asks for states */
    taut_directions *directions; /* NULL: nobody has asked yet */
    double directed;             /* where these are; NaN: nowhere */
    int *by;                     /* [bys] parameters that they are by: inputs, tunable ones, ... */
    int *by_reference;           /* ... and their references */
    int bys;
    taut_fmu_list list;
    double *number;  /* [TAUT_INSTANCE_NUMBERS * variables] all of the next ones: */
    double *value;   /* [variables] of parameters and inputs, as set */
    double *applied; /* [variables] ... and as the simulation has them */
    double *slope;  /* [variables * TAUT_FMU_INPUT_ORDER] derivatives of inputs, as set for the next
                       step, ... */
    double *moving; /* [variables * (TAUT_FMU_INPUT_ORDER + 1)] ... and as the simulation has them,
                       with the time that they are at */
    bool interpolates; /* the host may set derivatives of inputs, ... */
    bool moves;        /* ... and the model has them */
    char moving_path[3100];
    const char **coefficient; /* [variables * (TAUT_FMU_INPUT_ORDER + 2)] names; NULL: no input */
    taut_observer *watcher;   /* of derivatives of outputs; NULL: nobody has asked yet */
    unsigned long watched;    /* serial number of the equations that it is for */
    double watched_at;        /* where its row is; NaN: nowhere */
    double *row;              /* [columns of it] */
    size_t row_room;
    bool stale;  /* the simulation is to be started again */
    bool ended;  /* the model has stopped by itself */
    double stop; /* NaN: none */
    taut_errors errors;
};

/* Passes on what the library has said; false after a failure, ... */
bool taut_instance_check(taut_instance *x, taut_status status);
/* ... which ends the instance. */
bool taut_instance_fail(taut_instance *x, taut_status status);
/* Starts the simulation with the values of now, ... */
taut_status taut_instance_start(taut_instance *x);
/* ... or with those that are applied already. */
taut_status taut_instance_begin(taut_instance *x);
/* Makes the simulation, or the exchange with one of its own. */
taut_status taut_instance_make(taut_instance *x);
void taut_instance_release(taut_instance *x);
/* The numbers that are to be applied for variable i in the words of the model, into change
 * [TAUT_FMU_INPUT_ORDER + 2]; how many there are. And: gives them to a simulation. */
int taut_instance_changes(const taut_instance *x, int i, taut_parameter_change *change);
taut_status taut_instance_put(taut_instance *x, taut_simulation *simulation, int i);
/* Goes over to the model whose inputs are polynomials of time. */
taut_status taut_instance_become_moving(taut_instance *x);
/* An input's value and derivatives begin to count at time t; false: it has them already. */
bool taut_instance_take_input(taut_instance *x, int i, double t);
/* Behind a step that has come to t inputs are where their polynomials are, and rest. */
void taut_instance_rest_inputs(taut_instance *x, double t);
/* Of a state, its rate or an event indicator. */
bool taut_instance_get_state_variable(taut_instance *x, const taut_fmu_variable *variable,
                                      double *value);
/* Co-simulation in event mode: to the other side of the event. */
bool taut_instance_pass_event(taut_instance *x, bool *ended);
/* Forgets directional derivatives: the motion is elsewhere now. */
void taut_instance_moved(taut_instance *x);

#endif
