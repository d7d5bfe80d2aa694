/* What an instance consists of. Private to fmu/instance*.c. */
#ifndef TAUT_FMU_INSTANCE_PARTS_H
#define TAUT_FMU_INSTANCE_PARTS_H

#include "export/fmu.h"
#include "fmu/instance.h"
#include "task/exchange_directions.h"

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
    double *value;   /* [variables] of parameters and inputs, as set */
    double *applied; /* [variables] ... and as the simulation has them */
    bool stale;      /* the simulation is to be started again */
    bool ended;      /* the model has stopped by itself */
    double stop;     /* NaN: none */
    taut_errors errors;
};

/* Passes on what the library has said; false after a failure, ... */
bool taut_instance_check(taut_instance *x, taut_status status);
/* ... which ends the instance. */
bool taut_instance_fail(taut_instance *x, taut_status status);
/* Starts the simulation with the values of now. */
taut_status taut_instance_start(taut_instance *x);
/* Of a state, its rate or an event indicator. */
bool taut_instance_get_state_variable(taut_instance *x, const taut_fmu_variable *variable,
                                      double *value);
/* Co-simulation in event mode: to the other side of the event. */
bool taut_instance_pass_event(taut_instance *x, bool *ended);
/* Forgets directional derivatives: the motion is elsewhere now. */
void taut_instance_moved(taut_instance *x);

#endif
