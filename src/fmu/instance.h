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
    TAUT_MODE_TERMINATED,
    TAUT_MODE_FAILED
} taut_mode;

/* Where messages go: the caller's way of logging. */
typedef void taut_log_fn(void *user, bool error, const char *message);

/* resources: the folder of model.yaml, a path or a file: address; token: of the description. NULL
 * after a message. */
taut_instance *taut_instance_create(const char *resources, const char *token, taut_log_fn *log,
                                    void *user);
void taut_instance_free(taut_instance *instance);
taut_mode taut_instance_mode(const taut_instance *instance);
/* Logs that a call is not allowed now, or in itself wrong; returns false, as all of these do after
 * a failure. */
bool taut_instance_refuse(taut_instance *instance, const char *call, const char *reason);

bool taut_instance_get(taut_instance *instance, unsigned reference, double *value);
bool taut_instance_set(taut_instance *instance, unsigned reference, double value);

bool taut_instance_setup(taut_instance *instance, double start, bool has_stop, double stop);
bool taut_instance_enter(taut_instance *instance); /* initialization mode */
bool taut_instance_exit(taut_instance *instance);
bool taut_instance_reset(taut_instance *instance);
bool taut_instance_terminate(taut_instance *instance);
/* From t over h, exactly; *reached is less if the model stops by itself: *ended. */
bool taut_instance_step(taut_instance *instance, double t, double h, double *reached, bool *ended);

/* The last step has ended before its end, because the model stops by itself. */
bool taut_instance_has_ended(const taut_instance *instance);

bool taut_instance_get_state(taut_instance *instance, taut_instance_state **state);
bool taut_instance_set_state(taut_instance *instance, const taut_instance_state *state);
void taut_instance_free_state(taut_instance_state **state);
/* As bytes; *text is to be freed by taut_instance_free_text. */
bool taut_instance_serialize(taut_instance *instance, const taut_instance_state *state, char **text,
                             size_t *size);
void taut_instance_free_text(char **text);
bool taut_instance_deserialize(taut_instance *instance, const char *bytes, size_t size,
                               taut_instance_state **state);

#endif
