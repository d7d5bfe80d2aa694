/* Model exchange: the host integrates by CVODE, whose steps end at events. */
#ifndef TAUT_TESTS_FMU_HOST_EXCHANGE_H
#define TAUT_TESTS_FMU_HOST_EXCHANGE_H

#include "fmu_host/host.h"

/* An input that changes while the host integrates. */
typedef double host_signal(double t);

typedef struct host_exchange {
    host_instance *instance;
    int states, indicators;
    double t, tol;
    const char *input; /* NULL: none changes */
    host_signal *signal;
    bool exact;      /* the Jacobian by directional derivatives; otherwise CVODE's differences */
    bool terminated; /* the FMU wants to end */
    long events;     /* that were entered */
    double next;     /* next event in time; infinite: none */
    double *y;       /* [states] */
    void *engine;    /* CVODE's; NULL: to be made */
    void *parts[5];
} host_exchange;

/* After the initialization. Each false after a failure, with a message in the instance's log. */
bool host_exchange_begin(host_exchange *x, host_instance *instance, double t, double tol);
bool host_exchange_run(host_exchange *x, double end);
void host_exchange_end(host_exchange *x);

/* Single calls: */
int host_set_time(host_instance *instance, double t);
int host_set_states(host_instance *instance, const double *y, int n);
int host_get_states(host_instance *instance, double *y, int n);
int host_get_rates(host_instance *instance, double *rate, int n);
int host_get_indicators(host_instance *instance, double *indicator, int n);
int host_complete(host_instance *instance, bool *event);
int host_enter_events(host_instance *instance);
int host_update(host_instance *instance, bool *changed, bool *terminate, double *next);
int host_enter_time(host_instance *instance);
int host_enter_steps(host_instance *instance); /* co-simulation, version 3 */

#endif
