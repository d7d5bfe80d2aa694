/* FMI 2.0: the functions of the standard, on top of an instance. Types and signatures are those of
 * the standard, written down anew; see its sections 2.1, 3.2 and 4.2. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"
#include "fmu/instance.h"

#define EXPORT __attribute__((visibility("default")))

/* Names of the standard, and macros whose arguments are types: */
/* NOLINTBEGIN(readability-identifier-naming, bugprone-macro-parentheses) */
/* NOLINTBEGIN(misc-unused-parameters, readability-function-size) */

typedef enum { OK2, WARNING2, DISCARD2, ERROR2, FATAL2, PENDING2 } fmi2Status;
typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
typedef enum { MODEL_EXCHANGE2, CO_SIMULATION2 } fmi2Type;

typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String name, fmi2Status, fmi2String category,
                   fmi2String message, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment environment;
} fmi2CallbackFunctions;

typedef struct component {
    taut_instance *instance;
    const fmi2CallbackFunctions *callbacks;
    char name[200];
} component;

static void log_message(void *user, bool error, const char *message) {
    const component *c = user;
    if (c->callbacks && c->callbacks->logger)
        c->callbacks->logger(c->callbacks->environment, c->name, error ? ERROR2 : OK2,
                             error ? "logStatusError" : "logAll", "%s", message);
}

/* A call on an instance that must be in one of these modes (bits). */
enum {
    NEW = 1 << TAUT_MODE_INSTANTIATED,
    INIT = 1 << TAUT_MODE_INITIALIZING,
    STEP = 1 << TAUT_MODE_STEPPING,
    EVENT = 1 << TAUT_MODE_EVENT,
    TIME = 1 << TAUT_MODE_CONTINUOUS,
    END = 1 << TAUT_MODE_TERMINATED,
    FAILED = 1 << TAUT_MODE_FAILED,
    ALIVE = NEW | INIT | STEP | EVENT | TIME | END
};

static taut_instance *enter(fmi2Component c, int modes, const char *call) {
    component *own = c;
    if (!own) return NULL;
    if ((1 << taut_instance_mode(own->instance)) & modes) return own->instance;
    taut_instance_refuse(own->instance, call, "it is not allowed in this state");
    return NULL;
}

#define ENTER(modes)                                                                               \
    taut_instance *x = enter(c, modes, __func__);                                                  \
    if (!x) return ERROR2
#define ENTER_EXCHANGE(modes)                                                                      \
    ENTER(modes);                                                                                  \
    if (!taut_instance_exchanges(x))                                                               \
    return STATUS(taut_instance_refuse(x, __func__, "that is for model exchange"))
#define STATUS(good) ((good) ? OK2 : ERROR2)

/* ---- creation ---- */

EXPORT const char *fmi2GetTypesPlatform(void);
const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void);
const char *fmi2GetVersion(void) { return "2.0"; }

EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                                      const fmi2String category[]);
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                               const fmi2String category[]) {
    (void)on, (void)n, (void)category;
    return c ? OK2 : ERROR2;
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                     fmi2String resources, const fmi2CallbackFunctions *callbacks,
                                     fmi2Boolean visible, fmi2Boolean logging);
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)visible, (void)logging;
    component *c = taut_new(sizeof *c);
    if (!c) return NULL;
    c->callbacks = callbacks;
    snprintf(c->name, sizeof c->name, "%s", name ? name : "");
    c->instance = taut_instance_create(type == MODEL_EXCHANGE2 ? TAUT_INSTANCE_EXCHANGE
                                                               : TAUT_INSTANCE_INTERPOLATING,
                                       resources, guid, log_message, c);
    if (!c->instance) taut_release((void **)&c);
    return c;
}

EXPORT void fmi2FreeInstance(fmi2Component c);
void fmi2FreeInstance(fmi2Component c) {
    component *own = c;
    if (!own) return;
    taut_instance_free(own->instance);
    taut_release((void **)&own);
}

/* ---- modes ---- */

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance,
                                      fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                                      fmi2Real stop);
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
    (void)has_tolerance, (void)tolerance; /* that of the export counts */
    ENTER(NEW);
    return STATUS(taut_instance_setup(x, start, has_stop, stop));
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c);
fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    ENTER(NEW);
    return STATUS(taut_instance_enter(x));
}

EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c);
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    ENTER(INIT);
    return STATUS(taut_instance_exit(x));
}

EXPORT fmi2Status fmi2Terminate(fmi2Component c);
fmi2Status fmi2Terminate(fmi2Component c) {
    ENTER(STEP | EVENT | TIME);
    return STATUS(taut_instance_terminate(x));
}

EXPORT fmi2Status fmi2Reset(fmi2Component c);
fmi2Status fmi2Reset(fmi2Component c) {
    ENTER(ALIVE | FAILED);
    return STATUS(taut_instance_reset(x));
}

/* ---- values ---- */

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                              fmi2Real value[]);
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real value[]) {
    ENTER(ALIVE);
    for (size_t i = 0; i < n; i++)
        if (!taut_instance_get(x, r[i], &value[i])) return ERROR2;
    return OK2;
}

EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                              const fmi2Real value[]);
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                       const fmi2Real value[]) {
    ENTER(NEW | INIT | STEP | EVENT | TIME);
    for (size_t i = 0; i < n; i++)
        if (!taut_instance_set(x, r[i], value[i])) return ERROR2;
    return OK2;
}

/* There are no variables of other types: only an empty list is right. */
#define OTHER_TYPE(Name, Type)                                                                     \
    EXPORT fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference r[], size_t n,       \
                                    Type value[]);                                                 \
    fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference r[], size_t n,              \
                             Type value[]) {                                                       \
        (void)r, (void)value;                                                                      \
        ENTER(ALIVE);                                                                              \
        return n == 0 ? OK2 : STATUS(taut_instance_refuse(x, __func__, "all variables are real")); \
    }                                                                                              \
    EXPORT fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference r[], size_t n,       \
                                    const Type value[]);                                           \
    fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference r[], size_t n,              \
                             const Type value[]) {                                                 \
        (void)r, (void)value;                                                                      \
        ENTER(ALIVE);                                                                              \
        return n == 0 ? OK2 : STATUS(taut_instance_refuse(x, __func__, "all variables are real")); \
    }
OTHER_TYPE(Integer, fmi2Integer)
OTHER_TYPE(Boolean, fmi2Boolean)
OTHER_TYPE(String, fmi2String)

/* ---- states ---- */

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state);
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    ENTER(ALIVE);
    taut_instance_state *own = *state;
    if (!taut_instance_get_state(x, &own)) return ERROR2;
    *state = own;
    return OK2;
}

EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state);
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    ENTER(ALIVE | FAILED);
    if (!state) return STATUS(taut_instance_refuse(x, __func__, "the state is NULL"));
    return STATUS(taut_instance_set_state(x, state));
}

EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state);
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    taut_instance_state *own = state ? *state : NULL;
    if (!c) return ERROR2;
    taut_instance_free_state(&own);
    if (state) *state = NULL;
    return OK2;
}

EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size);
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    char *text;
    ENTER(ALIVE | FAILED);
    if (!state || !taut_instance_serialize(x, state, &text, size)) return ERROR2;
    taut_instance_free_text(&text);
    return OK2;
}

EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                        size_t size);
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
    char *text;
    size_t need;
    ENTER(ALIVE | FAILED);
    if (!state || !taut_instance_serialize(x, state, &text, &need)) return ERROR2;
    const bool fits = need <= size;
    if (fits) memcpy(bytes, text, need);
    taut_instance_free_text(&text);
    return fits ? OK2 : STATUS(taut_instance_refuse(x, __func__, "there is not enough room"));
}

EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                          fmi2FMUstate *state);
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    ENTER(ALIVE | FAILED);
    taut_instance_state *own = *state;
    if (!taut_instance_deserialize(x, bytes, size, &own)) return ERROR2;
    *state = own;
    return OK2;
}

/* ---- derivatives ---- */

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                               size_t unknowns, const fmi2ValueReference known[],
                                               size_t knowns, const fmi2Real dv[], fmi2Real du[]);
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t unknowns, const fmi2ValueReference known[],
                                        size_t knowns, const fmi2Real dv[], fmi2Real du[]) {
    ENTER(INIT | STEP | EVENT | TIME | END);
    const taut_derivative d = {unknown, known, unknowns, knowns, dv, du};
    return STATUS(taut_instance_derive(x, &d));
}

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[],
                                              size_t n, const fmi2Integer order[],
                                              const fmi2Real value[]);
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    ENTER(INIT | STEP);
    for (size_t i = 0; i < n; i++)
        if (!taut_instance_set_input_derivative(x, r[i], order[i], value[i])) return ERROR2;
    return OK2;
}

EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[],
                                               size_t n, const fmi2Integer order[],
                                               fmi2Real value[]);
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[]) {
    ENTER(STEP | END);
    for (size_t i = 0; i < n; i++)
        if (!taut_instance_get_output_derivative(x, r[i], order[i], &value[i])) return ERROR2;
    return OK2;
}

/* ---- steps ---- */

EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state);
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state) {
    taut_step_report report;
    (void)no_set_state;
    ENTER(STEP);
    if (!taut_instance_step(x, t, h, &report)) return ERROR2;
    return report.ended ? DISCARD2 : OK2;
}

EXPORT fmi2Status fmi2CancelStep(fmi2Component c);
fmi2Status fmi2CancelStep(fmi2Component c) {
    ENTER(ALIVE);
    return STATUS(taut_instance_refuse(x, __func__, "no step goes on by itself"));
}

#define STATUS_OF(Name, Type)                                                                      \
    EXPORT fmi2Status fmi2Get##Name(fmi2Component c, int kind, Type *value);                       \
    fmi2Status fmi2Get##Name(fmi2Component c, int kind, Type *value) {                             \
        (void)kind, (void)value;                                                                   \
        ENTER(ALIVE);                                                                              \
        taut_instance_refuse(x, __func__, "no step goes on by itself");                            \
        return DISCARD2;                                                                           \
    }
STATUS_OF(Status, fmi2Status)
STATUS_OF(IntegerStatus, fmi2Integer)
STATUS_OF(StringStatus, fmi2String)

enum { LAST_SUCCESSFUL_TIME = 2, TERMINATED = 3 };

EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, int kind, fmi2Real *value);
fmi2Status fmi2GetRealStatus(fmi2Component c, int kind, fmi2Real *value) {
    ENTER(STEP);
    if (kind != LAST_SUCCESSFUL_TIME) return DISCARD2;
    return STATUS(taut_instance_get(x, 0, value));
}

EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, int kind, fmi2Boolean *value);
fmi2Status fmi2GetBooleanStatus(fmi2Component c, int kind, fmi2Boolean *value) {
    ENTER(STEP);
    if (kind != TERMINATED) return DISCARD2;
    *value = taut_instance_has_ended(x);
    return OK2;
}

/* ---- model exchange ---- */

static const fmi2Status ANSWER[] = {
    [TAUT_DONE] = OK2, [TAUT_DISCARDED] = DISCARD2, [TAUT_REFUSED] = ERROR2};

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged, valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

static bool has_room(taut_instance *x, const char *call, size_t n, int want) {
    return n == (size_t)want ||
           taut_instance_refuse(x, call, "the number of values is another one");
}

EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c);
fmi2Status fmi2EnterEventMode(fmi2Component c) {
    ENTER_EXCHANGE(TIME | EVENT);
    taut_instance_change_mode(x, TAUT_MODE_EVENT);
    return OK2;
}

EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info);
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    taut_event_report r;
    ENTER_EXCHANGE(EVENT);
    if (!taut_instance_update(x, &r)) return ERROR2;
    *info = (fmi2EventInfo){.terminateSimulation = r.ended,
                            .nominalsOfContinuousStatesChanged = r.changed,
                            .valuesOfContinuousStatesChanged = r.changed,
                            .nextEventTimeDefined = isfinite(r.next),
                            .nextEventTime = isfinite(r.next) ? r.next : 0.0};
    return OK2;
}

EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c);
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
    ENTER_EXCHANGE(EVENT);
    taut_instance_change_mode(x, TAUT_MODE_CONTINUOUS);
    return OK2;
}

EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_set_state,
                                              fmi2Boolean *event, fmi2Boolean *terminate);
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_set_state,
                                       fmi2Boolean *event, fmi2Boolean *terminate) {
    bool wanted = false;
    (void)no_set_state;
    ENTER_EXCHANGE(TIME);
    const taut_answer answer = taut_instance_complete(x, &wanted);
    *event = wanted;
    *terminate = 0;
    return ANSWER[answer];
}

EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t);
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
    ENTER_EXCHANGE(EVENT | TIME);
    if (!isfinite(t)) return STATUS(taut_instance_refuse(x, __func__, "the time is not finite"));
    taut_instance_set_time(x, t);
    return OK2;
}

EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real y[], size_t n);
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real y[], size_t n) {
    ENTER_EXCHANGE(TIME | EVENT);
    if (!has_room(x, __func__, n, taut_instance_states(x))) return ERROR2;
    taut_instance_set_states(x, y);
    return OK2;
}

EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real y[], size_t n);
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real y[], size_t n) {
    ENTER_EXCHANGE(INIT | EVENT | TIME | END);
    if (!has_room(x, __func__, n, taut_instance_states(x))) return ERROR2;
    return STATUS(taut_instance_get_states(x, y));
}

EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real y[], size_t n);
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real y[], size_t n) {
    ENTER_EXCHANGE(INIT | EVENT | TIME | END);
    if (!has_room(x, __func__, n, taut_instance_states(x))) return ERROR2;
    return STATUS(taut_instance_get_nominals(x, y));
}

EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real rate[], size_t n);
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real rate[], size_t n) {
    ENTER_EXCHANGE(INIT | EVENT | TIME | END);
    if (!has_room(x, __func__, n, taut_instance_states(x))) return ERROR2;
    return ANSWER[taut_instance_get_rates(x, rate)];
}

EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicator[], size_t n);
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicator[], size_t n) {
    ENTER_EXCHANGE(INIT | EVENT | TIME | END);
    if (!has_room(x, __func__, n, taut_instance_indicators(x))) return ERROR2;
    return ANSWER[taut_instance_get_indicators(x, indicator)];
}
/* NOLINTEND(misc-unused-parameters, readability-function-size) */
/* NOLINTEND(readability-identifier-naming, bugprone-macro-parentheses) */
