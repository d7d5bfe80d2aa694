/* One instance of an FMU: a simulation with its variables by reference, for both versions of the
 * standard. It belongs to one thread at a time. */
#ifndef TAUT_FMU_INSTANCE_H
#define TAUT_FMU_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct taut_instance taut_instance;
typedef struct taut_instance_state taut_instance_state;

typedef enum taut_mode {
    TAUT_MODE_INSTANTIATED,
    TAUT_MODE_INITIALIZING,
    TAUT_MODE_STEPPING,
    TAUT_MODE_EVENT,
    TAUT_MODE_CONTINUOUS,   /* model exchange between events */
    TAUT_MODE_INTERMEDIATE, /* co-simulation: the host looks into a step */
    TAUT_MODE_TERMINATED,
    TAUT_MODE_FAILED
} taut_mode;

/* Where messages go: the caller's way of logging. */
typedef void taut_log_fn(void *user, bool error, const char *message);

/* Of co-simulation, what the host wants to know; to be set before the end of the initialization. */
typedef struct taut_host_wishes {
    bool event_mode;   /* steps end before an event, which is passed by taut_instance_update */
    bool early_return; /* steps may end behind an event, or where `update` says */
    /* after every step inside, at t; true: the host wants to go on later, from *time on. NULL: it
     * does not want to know */
    bool (*update)(void *user, double t, bool can_return, double *time);
} taut_host_wishes;

typedef enum taut_instance_kind {
    TAUT_INSTANCE_COSIMULATION,
    TAUT_INSTANCE_INTERPOLATING, /* the same, and inputs have derivatives if the model allows it */
    TAUT_INSTANCE_EXCHANGE
} taut_instance_kind;

/* resources: the folder of model.yaml, a path
 * or a file: address; token: of the description. NULL after a message. */
taut_instance *taut_instance_create(taut_instance_kind kind, const char *resources,
                                    const char *token, taut_log_fn *log, void *user);
void taut_instance_wish(taut_instance *x, const taut_host_wishes *wishes);
void taut_instance_free(taut_instance *x);
taut_mode taut_instance_mode(const taut_instance *x);
bool taut_instance_exchanges(const taut_instance *x);
/* Logs that a call is not allowed now, or in itself wrong; returns false, as all of these do after
 * a failure. */
bool taut_instance_refuse(taut_instance *x, const char *call, const char *reason);

bool taut_instance_get(taut_instance *x, unsigned reference, double *value);
bool taut_instance_set(taut_instance *x, unsigned reference, double value);

/* Of co-simulation, by time: of an input from the beginning of the next step on, where its value is
 * continued by a polynomial; of an output where the motion is now. */
bool taut_instance_set_input_derivative(taut_instance *x, unsigned reference, int order,
                                        double value);
bool taut_instance_get_output_derivative(taut_instance *x, unsigned reference, int order,
                                         double *value);

bool taut_instance_setup(taut_instance *x, double start, bool has_stop, double stop);
bool taut_instance_enter(taut_instance *x); /* initialization mode */
bool taut_instance_exit(taut_instance *x);
bool taut_instance_reset(taut_instance *x);
bool taut_instance_terminate(taut_instance *x);
/* What became of a step. */
typedef struct taut_step_report {
    double reached;
    bool early; /* before its end, ... */
    bool event; /* ... in front of an event that the host has to pass, ... */
    bool ended; /* ... or because the model stops by itself */
} taut_step_report;
bool taut_instance_step(taut_instance *x, double t, double h, taut_step_report *report);

/* The last step has ended before its end, because the model stops by itself. */
bool taut_instance_has_ended(const taut_instance *x);

/* ---- model exchange ---- */

typedef enum taut_answer { TAUT_DONE, TAUT_DISCARDED, TAUT_REFUSED } taut_answer;

int taut_instance_states(const taut_instance *x);
int taut_instance_indicators(const taut_instance *x);
void taut_instance_set_time(taut_instance *x, double t);
void taut_instance_set_states(taut_instance *x, const double *y);
bool taut_instance_get_states(taut_instance *x, double *y);
bool taut_instance_get_nominals(taut_instance *x, double *size);
taut_answer taut_instance_get_rates(taut_instance *x, double *rate);
taut_answer taut_instance_get_indicators(taut_instance *x, double *indicator);
void taut_instance_change_mode(taut_instance *x, taut_mode mode);
/* A step of the host's integrator is accepted; *event: it is to enter event mode. */
taut_answer taut_instance_complete(taut_instance *x, bool *event);
/* In event mode, of both kinds. */
typedef struct taut_event_report {
    bool changed; /* states have other values */
    bool ended;   /* the model stops by itself */
    double next;  /* time of the next event that is known; infinite: none */
} taut_event_report;
bool taut_instance_update(taut_instance *x, taut_event_report *report);

/* Directional derivatives: value = d(unknown)/d(known) seed. */
typedef struct taut_derivative {
    const unsigned *unknown, *known;
    size_t unknowns, knowns;
    const double *seed; /* [knowns] */
    double *value;      /* [unknowns] */
} taut_derivative;
bool taut_instance_derive(taut_instance *x, const taut_derivative *derivative);

/* ---- states as values ---- */

bool taut_instance_get_state(taut_instance *x, taut_instance_state **state);
bool taut_instance_set_state(taut_instance *x, const taut_instance_state *s);
void taut_instance_free_state(taut_instance_state **state);
/* As bytes; *text is to be freed by taut_instance_free_text. */
bool taut_instance_serialize(taut_instance *x, const taut_instance_state *s, char **text,
                             size_t *size);
void taut_instance_free_text(char **text);
bool taut_instance_deserialize(taut_instance *x, const char *bytes, size_t size,
                               taut_instance_state **state);

#endif
