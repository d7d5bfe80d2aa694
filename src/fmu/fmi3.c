/* FMI 3.0 for co-simulation: the functions of the standard, on top of an instance. Types and
 * signatures are those of the standard, written down anew; see its sections 2.2 and 4.2. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "fmu/instance.h"

#define EXPORT __attribute__((visibility("default")))

typedef enum { OK3, WARNING3, DISCARD3, ERROR3, FATAL3 } fmi3Status;
typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef double fmi3Float64;
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef const uint8_t *fmi3Binary;
typedef uint8_t fmi3Byte;
typedef void fmi3LogMessageCallback(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                    fmi3String message);
typedef void fmi3IntermediateUpdateCallback(void);

typedef struct component3 {
    taut_instance *instance;
    fmi3LogMessageCallback *log;
    fmi3InstanceEnvironment environment;
} component3;

static void log_message(void *user, bool error, const char *message) {
    const component3 *c = user;
    if (c->log)
        c->log(c->environment, error ? ERROR3 : OK3, error ? "logStatusError" : "logAll", message);
}

enum {
    NEW = 1 << TAUT_MODE_INSTANTIATED,
    INIT = 1 << TAUT_MODE_INITIALIZING,
    STEP = 1 << TAUT_MODE_STEPPING,
    END = 1 << TAUT_MODE_TERMINATED,
    FAILED = 1 << TAUT_MODE_FAILED,
    ALIVE = NEW | INIT | STEP | END
};

static taut_instance *enter(fmi3Instance c, int modes, const char *call) {
    component3 *own = c;
    if (!own) return NULL;
    if ((1 << taut_instance_mode(own->instance)) & modes) return own->instance;
    taut_instance_refuse(own->instance, call, "it is not allowed in this state");
    return NULL;
}

#define ENTER(modes)                                                                               \
    taut_instance *x = enter(c, modes, __func__);                                                  \
    if (!x) return ERROR3
#define STATUS(good) ((good) ? OK3 : ERROR3)
/* A function of the standard: declared, as other files would see it, then defined. */
#define FUNCTION(name, ...)                                                                        \
    EXPORT fmi3Status fmi3##name(fmi3Instance c, ##__VA_ARGS__);                                   \
    fmi3Status fmi3##name(fmi3Instance c, ##__VA_ARGS__)

/* ---- creation ---- */

EXPORT const char *fmi3GetVersion(void);
const char *fmi3GetVersion(void) { return "3.0"; }

FUNCTION(SetDebugLogging, fmi3Boolean on, size_t n, const fmi3String category[]) {
    (void)on, (void)n, (void)category;
    return c ? OK3 : ERROR3;
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
    const fmi3ValueReference required[], size_t requireds, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback *log, fmi3IntermediateUpdateCallback *update);
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t requireds,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback *log,
                                         fmi3IntermediateUpdateCallback *update) {
    (void)name, (void)visible, (void)logging, (void)early_return, (void)required, (void)update;
    component3 *c = taut_new(sizeof *c);
    if (!c) return NULL;
    c->log = log;
    c->environment = environment;
    if (event_mode || requireds > 0)
        log_message(c, true, "event mode and intermediate variables are not offered");
    else
        c->instance = taut_instance_create(resources, token, log_message, c);
    if (!c->instance) taut_release((void **)&c);
    return c;
}

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                 fmi3String resources, fmi3Boolean visible,
                                                 fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment,
                                                 fmi3LogMessageCallback *log);
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback *log) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    if (log) log(environment, ERROR3, "logStatusError", "this FMU is for co-simulation");
    return NULL;
}

EXPORT void fmi3FreeInstance(fmi3Instance c);
void fmi3FreeInstance(fmi3Instance c) {
    component3 *own = c;
    if (!own) return;
    taut_instance_free(own->instance);
    taut_release((void **)&own);
}

/* ---- modes ---- */

FUNCTION(EnterInitializationMode, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
         fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
    (void)has_tolerance, (void)tolerance; /* that of the export counts */
    ENTER(NEW);
    return STATUS(taut_instance_setup(x, start, has_stop, stop) && taut_instance_enter(x));
}

FUNCTION(ExitInitializationMode) {
    ENTER(INIT);
    return STATUS(taut_instance_exit(x));
}

FUNCTION(Terminate) {
    ENTER(STEP);
    return STATUS(taut_instance_terminate(x));
}

FUNCTION(Reset) {
    ENTER(ALIVE | FAILED);
    return STATUS(taut_instance_reset(x));
}

/* ---- values ---- */

FUNCTION(GetFloat64, const fmi3ValueReference r[], size_t n, fmi3Float64 value[], size_t values) {
    ENTER(ALIVE);
    if (n != values) return STATUS(taut_instance_refuse(x, __func__, "all variables are scalars"));
    for (size_t i = 0; i < n; i++)
        if (!taut_instance_get(x, r[i], &value[i])) return ERROR3;
    return OK3;
}

FUNCTION(SetFloat64, const fmi3ValueReference r[], size_t n, const fmi3Float64 value[],
         size_t values) {
    ENTER(NEW | INIT | STEP);
    if (n != values) return STATUS(taut_instance_refuse(x, __func__, "all variables are scalars"));
    for (size_t i = 0; i < n; i++)
        if (!taut_instance_set(x, r[i], value[i])) return ERROR3;
    return OK3;
}

/* There are no variables of other types: only an empty list is right. */
#define NONE(n)                                                                                    \
    ENTER(ALIVE);                                                                                  \
    return (n) == 0 ? OK3 : STATUS(taut_instance_refuse(x, __func__, "all variables are Float64"))
#define OTHER_TYPE(Name, Type)                                                                     \
    FUNCTION(Get##Name, const fmi3ValueReference r[], size_t n, Type value[], size_t values) {     \
        (void)r, (void)value, (void)values;                                                        \
        NONE(n);                                                                                   \
    }                                                                                              \
    FUNCTION(Set##Name, const fmi3ValueReference r[], size_t n, const Type value[],                \
             size_t values) {                                                                      \
        (void)r, (void)value, (void)values;                                                        \
        NONE(n);                                                                                   \
    }
OTHER_TYPE(Float32, float)
OTHER_TYPE(Int8, int8_t)
OTHER_TYPE(UInt8, uint8_t)
OTHER_TYPE(Int16, int16_t)
OTHER_TYPE(UInt16, uint16_t)
OTHER_TYPE(Int32, int32_t)
OTHER_TYPE(UInt32, uint32_t)
OTHER_TYPE(Int64, int64_t)
OTHER_TYPE(UInt64, uint64_t)
OTHER_TYPE(Boolean, fmi3Boolean)
OTHER_TYPE(String, fmi3String)

FUNCTION(GetBinary, const fmi3ValueReference r[], size_t n, size_t size[], fmi3Binary value[],
         size_t values) {
    (void)r, (void)size, (void)value, (void)values;
    NONE(n);
}
FUNCTION(SetBinary, const fmi3ValueReference r[], size_t n, const size_t size[],
         const fmi3Binary value[], size_t values) {
    (void)r, (void)size, (void)value, (void)values;
    NONE(n);
}
FUNCTION(GetClock, const fmi3ValueReference r[], size_t n, fmi3Clock value[]) {
    (void)r, (void)value;
    NONE(n);
}
FUNCTION(SetClock, const fmi3ValueReference r[], size_t n, const fmi3Clock value[]) {
    (void)r, (void)value;
    NONE(n);
}

/* ---- states ---- */

FUNCTION(GetFMUState, fmi3FMUState *state) {
    ENTER(ALIVE);
    taut_instance_state *own = *state;
    if (!taut_instance_get_state(x, &own)) return ERROR3;
    *state = own;
    return OK3;
}

FUNCTION(SetFMUState, fmi3FMUState state) {
    ENTER(ALIVE | FAILED);
    if (!state) return STATUS(taut_instance_refuse(x, __func__, "the state is NULL"));
    return STATUS(taut_instance_set_state(x, state));
}

FUNCTION(FreeFMUState, fmi3FMUState *state) {
    taut_instance_state *own = state ? *state : NULL;
    if (!c) return ERROR3;
    taut_instance_free_state(&own);
    if (state) *state = NULL;
    return OK3;
}

FUNCTION(SerializedFMUStateSize, fmi3FMUState state, size_t *size) {
    char *text;
    ENTER(ALIVE | FAILED);
    if (!state || !taut_instance_serialize(x, state, &text, size)) return ERROR3;
    taut_instance_free_text(&text);
    return OK3;
}

FUNCTION(SerializeFMUState, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    char *text;
    size_t need;
    ENTER(ALIVE | FAILED);
    if (!state || !taut_instance_serialize(x, state, &text, &need)) return ERROR3;
    const bool fits = need <= size;
    if (fits) memcpy(bytes, text, need);
    taut_instance_free_text(&text);
    return fits ? OK3 : STATUS(taut_instance_refuse(x, __func__, "there is not enough room"));
}

FUNCTION(DeserializeFMUState, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
    ENTER(ALIVE | FAILED);
    taut_instance_state *own = *state;
    if (!taut_instance_deserialize(x, (const char *)bytes, size, &own)) return ERROR3;
    *state = own;
    return OK3;
}

/* ---- steps ---- */

FUNCTION(DoStep, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_state, fmi3Boolean *event,
         fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *reached) {
    (void)no_set_state;
    ENTER(STEP);
    *event = *early = *terminate = false;
    return STATUS(taut_instance_step(x, t, h, reached, terminate));
}

/* ---- what is not offered ---- */

#define NOT_OFFERED(name, ...)                                                                     \
    FUNCTION(name, ##__VA_ARGS__) {                                                                \
        ENTER(ALIVE);                                                                              \
        return STATUS(taut_instance_refuse(x, __func__, "it is not offered"));                     \
    }
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
NOT_OFFERED(EnterEventMode)
NOT_OFFERED(EnterStepMode)
NOT_OFFERED(EnterConfigurationMode)
NOT_OFFERED(ExitConfigurationMode)
NOT_OFFERED(EvaluateDiscreteStates)
NOT_OFFERED(UpdateDiscreteStates, fmi3Boolean *update, fmi3Boolean *terminate,
            fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *defined, fmi3Float64 *next)
NOT_OFFERED(GetNumberOfVariableDependencies, fmi3ValueReference r, size_t *n)
NOT_OFFERED(GetVariableDependencies, fmi3ValueReference r, size_t of[], fmi3ValueReference on[],
            size_t element[], int kind[], size_t n)
NOT_OFFERED(GetDirectionalDerivative, const fmi3ValueReference unknown[], size_t unknowns,
            const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[], size_t seeds,
            fmi3Float64 sensitivity[], size_t sensitivities)
NOT_OFFERED(GetAdjointDerivative, const fmi3ValueReference unknown[], size_t unknowns,
            const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[], size_t seeds,
            fmi3Float64 sensitivity[], size_t sensitivities)
NOT_OFFERED(GetOutputDerivatives, const fmi3ValueReference r[], size_t n, const int32_t order[],
            fmi3Float64 value[], size_t values)
NOT_OFFERED(GetIntervalDecimal, const fmi3ValueReference r[], size_t n, fmi3Float64 v[], int q[])
NOT_OFFERED(GetIntervalFraction, const fmi3ValueReference r[], size_t n, uint64_t v[], uint64_t w[],
            int q[])
NOT_OFFERED(GetShiftDecimal, const fmi3ValueReference r[], size_t n, fmi3Float64 v[])
NOT_OFFERED(GetShiftFraction, const fmi3ValueReference r[], size_t n, uint64_t v[], uint64_t w[])
NOT_OFFERED(SetIntervalDecimal, const fmi3ValueReference r[], size_t n, const fmi3Float64 v[])
NOT_OFFERED(SetIntervalFraction, const fmi3ValueReference r[], size_t n, const uint64_t v[],
            const uint64_t w[])
NOT_OFFERED(SetShiftDecimal, const fmi3ValueReference r[], size_t n, const fmi3Float64 v[])
NOT_OFFERED(SetShiftFraction, const fmi3ValueReference r[], size_t n, const uint64_t v[],
            const uint64_t w[])
