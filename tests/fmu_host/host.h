/* A host of FMUs, FMI 2.0 and 3.0: unpacks and checks an archive, loads the
 * binary, and calls it by one set of functions for both versions. */
#ifndef TAUT_TESTS_FMU_HOST_HOST_H
#define TAUT_TESTS_FMU_HOST_HOST_H

#include "fmu_host/rules.h"

typedef struct host_fmu {
    char folder[300];
    void *library;
    host_description description;
    char fault[300]; /* what is wrong with it; "": nothing */
} host_fmu;

/* Unpacks into a folder, checks everything, loads the binary. False: fault says why. */
bool host_open(host_fmu *fmu, const char *path, const char *folder);
void host_close(host_fmu *fmu);

typedef struct host_instance {
    const host_fmu *fmu;
    void *component;
    char log[2000]; /* the last message */
    void *callbacks[8];
    /* version 3, co-simulation; wishes, to be set before host_instantiate_as: */
    bool event_mode, early_return, looks;
    double stop_at;      /* the host wants steps to end from here on; 0: never */
    const char *watched; /* variable to look at inside of steps; NULL: none */
    /* ... and what became of the last step */
    bool event, early;
    double reached, seen;
    int updates;
} host_instance;

/* Each returns the status of the standard: 0 done, 2 discard, 3 error. */
bool host_instantiate(host_instance *instance, const host_fmu *fmu, const char *token);
/* The same with wishes, or for model exchange. The instance is zero but for the wishes. */
bool host_instantiate_as(host_instance *instance, const host_fmu *fmu, const char *token,
                         bool exchange);
void host_free(host_instance *instance);
int host_enter(host_instance *instance, double start, bool has_stop, double stop);
int host_exit(host_instance *instance);
int host_get(host_instance *instance, const char *name, double *value);
int host_set(host_instance *instance, const char *name, double value);
int host_step(host_instance *instance, double t, double h, bool *terminate);
/* d(unknown)/d(known) */
int host_derive(host_instance *instance, const char *unknown, const char *known, double *value);
/* The order-th derivative of an input (version 2), or of an output, by time. */
int host_set_rate(host_instance *instance, const char *name, int order, double value);
int host_get_rate(host_instance *instance, const char *name, int order, double *value);
int host_terminate(host_instance *instance);
int host_reset(host_instance *instance);
int host_get_state(host_instance *instance, void **state);
int host_set_state(host_instance *instance, void *state);
int host_free_state(host_instance *instance, void **state);
int host_serialize(host_instance *instance, void *state, char *bytes,
                   size_t *size); /* NULL: size */
int host_deserialize(host_instance *instance, const char *bytes, size_t size, void **state);

#endif
