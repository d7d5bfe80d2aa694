/* FMI 3.0: the functions of the standard, on top of an instance. Types and signatures are those of
 * the standard, written down anew; see its sections 2.2, 3.2 and 4.2. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "fmu/instance.h"

#define EXPORT __attribute__((visibility("default")))

/* Names of the standard, and macros whose arguments are types: */
/* NOLINTBEGIN(readability-identifier-naming, bugprone-macro-parentheses) */
/* NOLINTBEGIN(misc-unused-parameters, readability-function-size) */

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
typedef void fmi3IntermediateUpdateCallback(fmi3InstanceEnvironment, fmi3Float64 t,
                                            fmi3Boolean setRequested, fmi3Boolean getAllowed,
                                            fmi3Boolean stepFinished, fmi3Boolean canReturnEarly,
                                            fmi3Boolean *earlyReturnRequested,
                                            fmi3Float64 *earlyReturnTime);

typedef struct component3 {
    taut_instance *instance;
    fmi3LogMessageCallback *log;
    fmi3IntermediateUpdateCallback *update;
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
    EVENT = 1 << TAUT_MODE_EVENT,
    TIME = 1 << TAUT_MODE_CONTINUOUS,
    INSIDE = 1 << TAUT_MODE_INTERMEDIATE,
    END = 1 << TAUT_MODE_TERMINATED,
    FAILED = 1 << TAUT_MODE_FAILED,
    ALIVE = NEW | INIT | STEP | EVENT | TIME | END
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
#define ENTER_EXCHANGE(modes)                                                                      \
    ENTER(modes);                                                                                  \
    if (!taut_instance_exchanges(x))                                                               \
    return STATUS(taut_instance_refuse(x, __func__, "that is for model exchange"))
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

static component3 *create(bool exchanges, fmi3String token, fmi3String resources,
                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log) {
    component3 *c = taut_new(sizeof *c);
    if (!c) return NULL;
    c->log = log;
    c->environment = environment;
    c->instance =
        taut_instance_create(exchanges ? TAUT_INSTANCE_EXCHANGE : TAUT_INSTANCE_COSIMULATION,
                             resources, token, log_message, c);
    if (!c->instance) taut_release((void **)&c);
    return c;
}

/* The host looks into a step, and may want the rest of it later. */
static bool look_inside(void *user, double t, bool can_return, double *time) {
    const component3 *c = user;
    fmi3Boolean early = false;
    fmi3Float64 wanted = t;
    c->update(c->environment, t, false, true, true, can_return, &early, &wanted);
    *time = wanted;
    return early;
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
    (void)name, (void)visible, (void)logging, (void)required, (void)requireds;
    component3 *c = create(false, token, resources, environment, log);
    if (!c) return NULL;
    c->update = update;
    const taut_host_wishes wishes = {event_mode, early_return, update ? look_inside : NULL};
    taut_instance_wish(c->instance, &wishes);
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
    (void)name, (void)visible, (void)logging;
    return create(true, token, resources, environment, log);
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
    ENTER(STEP | EVENT | TIME);
    return STATUS(taut_instance_terminate(x));
}

FUNCTION(Reset) {
    ENTER(ALIVE | FAILED);
    return STATUS(taut_instance_reset(x));
}

/* ---- values ---- */

FUNCTION(GetFloat64, const fmi3ValueReference r[], size_t n, fmi3Float64 value[], size_t values) {
    ENTER(ALIVE | INSIDE);
    if (n != values) return STATUS(taut_instance_refuse(x, __func__, "all variables are scalars"));
    for (size_t i = 0; i < n; i++)
        if (!taut_instance_get(x, r[i], &value[i])) return ERROR3;
    return OK3;
}

FUNCTION(SetFloat64, const fmi3ValueReference r[], size_t n, const fmi3Float64 value[],
         size_t values) {
    ENTER(NEW | INIT | STEP | EVENT | TIME);
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
    taut_step_report r;
    const bool good = taut_instance_step(x, t, h, &r);
    *event = r.event;
    *terminate = r.ended;
    *early = r.early && !r.ended;
    *reached = r.reached;
    return STATUS(good);
}

/* ---- events ---- */

FUNCTION(EnterEventMode) {
    ENTER(STEP | TIME | EVENT);
    taut_instance_change_mode(x, TAUT_MODE_EVENT);
    return OK3;
}

FUNCTION(EvaluateDiscreteStates) {
    ENTER(INIT | EVENT);
    return OK3;
}

FUNCTION(UpdateDiscreteStates, fmi3Boolean *update, fmi3Boolean *terminate, fmi3Boolean *nominals,
         fmi3Boolean *values, fmi3Boolean *defined, fmi3Float64 *next) {
    taut_event_report r;
    ENTER(EVENT);
    if (!taut_instance_update(x, &r)) return ERROR3;
    *update = false;
    *terminate = r.ended;
    *nominals = *values = r.changed;
    *defined = isfinite(r.next);
    *next = *defined ? r.next : 0.0;
    return OK3;
}

FUNCTION(EnterStepMode) {
    ENTER(EVENT);
    if (taut_instance_exchanges(x))
        return STATUS(taut_instance_refuse(x, __func__, "that is for co-simulation"));
    taut_instance_change_mode(x, TAUT_MODE_STEPPING);
    return OK3;
}

/* ---- model exchange ---- */

static const fmi3Status ANSWER[] = {
    [TAUT_DONE] = OK3, [TAUT_DISCARDED] = DISCARD3, [TAUT_REFUSED] = ERROR3};

static bool has_room(taut_instance *x, const char *call, size_t n, int want) {
    return n == (size_t)want ||
           taut_instance_refuse(x, call, "the number of values is another one");
}

FUNCTION(EnterContinuousTimeMode) {
    ENTER_EXCHANGE(EVENT);
    taut_instance_change_mode(x, TAUT_MODE_CONTINUOUS);
    return OK3;
}

FUNCTION(CompletedIntegratorStep, fmi3Boolean no_set_state, fmi3Boolean *event,
         fmi3Boolean *terminate) {
    (void)no_set_state;
    ENTER_EXCHANGE(TIME);
    *event = *terminate = false;
    return ANSWER[taut_instance_complete(x, event)];
}

FUNCTION(SetTime, fmi3Float64 t) {
    ENTER_EXCHANGE(TIME);
    if (!isfinite(t)) return STATUS(taut_instance_refuse(x, __func__, "the time is not finite"));
    taut_instance_set_time(x, t);
    return OK3;
}

FUNCTION(SetContinuousStates, const fmi3Float64 y[], size_t n) {
    ENTER_EXCHANGE(TIME);
    if (!has_room(x, __func__, n, taut_instance_states(x))) return ERROR3;
    taut_instance_set_states(x, y);
    return OK3;
}

FUNCTION(GetContinuousStates, fmi3Float64 y[], size_t n) {
    ENTER_EXCHANGE(INIT | EVENT | TIME | END);
    if (!has_room(x, __func__, n, taut_instance_states(x))) return ERROR3;
    return STATUS(taut_instance_get_states(x, y));
}

FUNCTION(GetNominalsOfContinuousStates, fmi3Float64 y[], size_t n) {
    ENTER_EXCHANGE(INIT | EVENT | TIME | END);
    if (!has_room(x, __func__, n, taut_instance_states(x))) return ERROR3;
    return STATUS(taut_instance_get_nominals(x, y));
}

FUNCTION(GetContinuousStateDerivatives, fmi3Float64 rate[], size_t n) {
    ENTER_EXCHANGE(INIT | EVENT | TIME | END);
    if (!has_room(x, __func__, n, taut_instance_states(x))) return ERROR3;
    return ANSWER[taut_instance_get_rates(x, rate)];
}

FUNCTION(GetEventIndicators, fmi3Float64 indicator[], size_t n) {
    ENTER_EXCHANGE(INIT | EVENT | TIME | END);
    if (!has_room(x, __func__, n, taut_instance_indicators(x))) return ERROR3;
    return ANSWER[taut_instance_get_indicators(x, indicator)];
}

FUNCTION(GetNumberOfContinuousStates, size_t *n) {
    ENTER(ALIVE);
    *n = (size_t)taut_instance_states(x);
    return OK3;
}

FUNCTION(GetNumberOfEventIndicators, size_t *n) {
    ENTER(ALIVE);
    *n = (size_t)taut_instance_indicators(x);
    return OK3;
}

FUNCTION(GetDirectionalDerivative, const fmi3ValueReference unknown[], size_t unknowns,
         const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[], size_t seeds,
         fmi3Float64 sensitivity[], size_t sensitivities) {
    ENTER(INIT | STEP | EVENT | TIME | END);
    if (seeds != knowns || sensitivities != unknowns)
        return STATUS(taut_instance_refuse(x, __func__, "all variables are scalars"));
    const taut_derivative d = {unknown, known, unknowns, knowns, seed, sensitivity};
    return STATUS(taut_instance_derive(x, &d));
}

FUNCTION(GetOutputDerivatives, const fmi3ValueReference r[], size_t n, const int32_t order[],
         fmi3Float64 value[], size_t values) {
    ENTER(STEP | EVENT | INSIDE | END);
    if (n != values) return STATUS(taut_instance_refuse(x, __func__, "all variables are scalars"));
    for (size_t i = 0; i < n; i++)
        if (!taut_instance_get_output_derivative(x, r[i], order[i], &value[i])) return ERROR3;
    return OK3;
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
NOT_OFFERED(EnterConfigurationMode)
NOT_OFFERED(ExitConfigurationMode)
NOT_OFFERED(GetNumberOfVariableDependencies, fmi3ValueReference r, size_t *n)
NOT_OFFERED(GetVariableDependencies, fmi3ValueReference r, size_t of[], fmi3ValueReference on[],
            size_t element[], int kind[], size_t n)
NOT_OFFERED(GetAdjointDerivative, const fmi3ValueReference unknown[], size_t unknowns,
            const fmi3ValueReference known[], size_t knowns, const fmi3Float64 seed[], size_t seeds,
            fmi3Float64 sensitivity[], size_t sensitivities)
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
/* NOLINTEND(misc-unused-parameters, readability-function-size) */
/* NOLINTEND(readability-identifier-naming, bugprone-macro-parentheses) */
