/* A host of FMUs for co-simulation, FMI 2.0 and 3.0: unpacks and checks an archive, loads the
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
} host_instance;

/* Each returns the status of the standard: 0 done, 2 discard, 3 error. */
bool host_instantiate(host_instance *instance, const host_fmu *fmu, const char *token);
void host_free(host_instance *instance);
int host_enter(host_instance *instance, double start, bool has_stop, double stop);
int host_exit(host_instance *instance);
int host_get(host_instance *instance, const char *name, double *value);
int host_set(host_instance *instance, const char *name, double value);
int host_step(host_instance *instance, double t, double h, bool *terminate);
int host_terminate(host_instance *instance);
int host_reset(host_instance *instance);
int host_get_state(host_instance *instance, void **state);
int host_set_state(host_instance *instance, void *state);
int host_free_state(host_instance *instance, void **state);
int host_serialize(host_instance *instance, void *state, char *bytes,
                   size_t *size); /* NULL: size */
int host_deserialize(host_instance *instance, const char *bytes, size_t size, void **state);

#endif
