/* Calls of model exchange, and CVODE with roots. */
#include "fmu_host/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "fmu_host/calls.h"

/* ---- calls ---- */

int host_set_time(host_instance *x, double t) {
    return CALL(x->fmu, "SetTime", int(void *, double))(x->component, t);
}
int host_set_states(host_instance *x, const double *y, int n) {
    return CALL(x->fmu, "SetContinuousStates", int(void *, const double *, size_t))(x->component, y,
                                                                                    (size_t)n);
}
int host_get_states(host_instance *x, double *y, int n) {
    return CALL(x->fmu, "GetContinuousStates", int(void *, double *, size_t))(x->component, y,
                                                                              (size_t)n);
}
int host_get_rates(host_instance *x, double *rate, int n) {
    return CALL(x->fmu, IS_THREE(x) ? "GetContinuousStateDerivatives" : "GetDerivatives",
                int(void *, double *, size_t))(x->component, rate, (size_t)n);
}
int host_get_indicators(host_instance *x, double *indicator, int n) {
    return CALL(x->fmu, "GetEventIndicators", int(void *, double *, size_t))(x->component,
                                                                             indicator, (size_t)n);
}
int host_enter_events(host_instance *x) {
    return CALL(x->fmu, "EnterEventMode", int(void *))(x->component);
}
int host_enter_time(host_instance *x) {
    return CALL(x->fmu, "EnterContinuousTimeMode", int(void *))(x->component);
}

int host_enter_steps(host_instance *x) {
    return CALL(x->fmu, "EnterStepMode", int(void *))(x->component);
}

int host_complete(host_instance *x, bool *event) {
    if (IS_THREE(x)) {
        bool terminate;
        return CALL(x->fmu, "CompletedIntegratorStep",
                    int(void *, bool, bool *, bool *))(x->component, true, event, &terminate);
    }
    int wanted = 0, terminate;
    const int status = CALL(x->fmu, "CompletedIntegratorStep",
                            int(void *, int, int *, int *))(x->component, 1, &wanted, &terminate);
    *event = wanted != 0;
    return status;
}

typedef struct event_info2 {
    int again, terminate, nominals, values, defined;
    double next;
} event_info2;

int host_update(host_instance *x, bool *changed, bool *terminate, double *next) {
    bool again = true, nominals, defined = false;
    int status = 0;
    *changed = *terminate = false;
    while (again && status == 0) {
        bool values = false;
        if (IS_THREE(x)) {
            status = CALL(x->fmu, "UpdateDiscreteStates",
                          int(void *, bool *, bool *, bool *, bool *, bool *, double *))(
                x->component, &again, terminate, &nominals, &values, &defined, next);
        } else {
            event_info2 info = {0};
            status =
                CALL(x->fmu, "NewDiscreteStates", int(void *, event_info2 *))(x->component, &info);
            again = info.again;
            *terminate = info.terminate;
            values = info.values;
            defined = info.defined;
            *next = info.next;
        }
        *changed = *changed || values;
    }
    if (!defined) *next = HUGE_VAL;
    return status;
}

/* ---- CVODE ---- */

static int place(host_exchange *x, double t, N_Vector y) {
    int status = host_set_time(x->instance, t);
    if (status == 0) status = host_set_states(x->instance, N_VGetArrayPointer(y), x->states);
    if (status == 0 && x->input) status = host_set(x->instance, x->input, x->signal(t));
    return status;
}

/* Discard: a shorter step may do. */
static int answer(int status) { return status == 0 ? 0 : status == 2 ? 1 : -1; }

static int rates(double t, N_Vector y, N_Vector rate, void *user) {
    host_exchange *x = user;
    int status = place(x, t, y);
    if (status == 0) status = host_get_rates(x->instance, N_VGetArrayPointer(rate), x->states);
    return answer(status);
}

static int roots(double t, N_Vector y, double *g, void *user) {
    host_exchange *x = user;
    int status = place(x, t, y);
    if (status == 0) status = host_get_indicators(x->instance, g, x->indicators);
    return status == 0 ? 0 : -1;
}

/* Column by column, exactly. */
static int jacobian(double t, N_Vector y, N_Vector rate, SUNMatrix matrix, void *user, N_Vector a,
                    N_Vector b, N_Vector c) {
    host_exchange *x = user;
    (void)rate, (void)a, (void)b, (void)c;
    if (place(x, t, y) != 0) return 1;
    for (int k = 0; k < x->states; k++) {
        char known[40], unknown[40];
        snprintf(known, sizeof known, "state[%d]", k + 1);
        for (int i = 0; i < x->states; i++) {
            snprintf(unknown, sizeof unknown, "der(state[%d])", i + 1);
            if (host_derive(x->instance, unknown, known, &SM_ELEMENT_D(matrix, i, k)) != 0)
                return 1;
        }
    }
    return 0;
}

static bool open_engine(host_exchange *x) {
    SUNContext context = NULL;
    if (SUNContext_Create(NULL, &context) != 0) return false;
    x->parts[0] = context;
    N_Vector y = N_VMake_Serial(x->states, x->y, context);
    SUNMatrix matrix = SUNDenseMatrix(x->states, x->states, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
    void *engine = CVodeCreate(x->exact ? CV_BDF : CV_ADAMS, context);
    x->parts[1] = y;
    x->parts[2] = matrix;
    x->parts[3] = solver;
    x->engine = engine;
    return engine && CVodeInit(engine, rates, x->t, y) == 0 && CVodeSetErrFile(engine, NULL) == 0 &&
           CVodeSStolerances(engine, x->tol, x->tol) == 0 && CVodeSetUserData(engine, x) == 0 &&
           CVodeSetMaxNumSteps(engine, 100000) == 0 &&
           CVodeSetLinearSolver(engine, solver, matrix) == 0 &&
           (!x->exact || CVodeSetJacFn(engine, jacobian) == 0) &&
           (x->indicators == 0 || (CVodeRootInit(engine, x->indicators, roots) == 0 &&
                                   CVodeSetNoInactiveRootWarn(engine) == 0));
}

/* Event mode, from wherever the FMU is, and back. */
static bool pass(host_exchange *x) {
    bool changed = false;
    if (host_update(x->instance, &changed, &x->terminated, &x->next) != 0) return false;
    if (host_get_states(x->instance, x->y, x->states) != 0) return false;
    if (host_enter_time(x->instance) != 0) return false;
    return !x->engine || CVodeReInit(x->engine, x->t, x->parts[1]) == 0;
}

bool host_exchange_begin(host_exchange *x, host_instance *instance, double t, double tol) {
    const host_description *d = &instance->fmu->description;
    x->instance = instance;
    x->states = d->states;
    x->indicators = d->indicators;
    x->t = t;
    x->tol = tol;
    x->y = calloc((size_t)x->states + 1, sizeof *x->y);
    return pass(x) && open_engine(x);
}

bool host_exchange_run(host_exchange *x, double end) {
    while (x->t < end && !x->terminated) {
        const double aim = fmin(end, x->next);
        double t = x->t;
        bool event = false;
        if (aim > t) {
            CVodeSetStopTime(x->engine, aim);
            const int flag = CVode(x->engine, aim, x->parts[1], &t, CV_ONE_STEP);
            if (flag < 0) return false;
            event = flag == CV_ROOT_RETURN;
            x->t = t;
            if (place(x, t, x->parts[1]) != 0 || host_complete(x->instance, &event) != 0)
                return false;
            event = event || flag == CV_ROOT_RETURN;
        }
        if (!event && t < x->next) continue;
        x->events++;
        if (host_enter_events(x->instance) != 0 || !pass(x)) return false;
    }
    return true;
}

void host_exchange_end(host_exchange *x) {
    SUNContext context = x->parts[0];
    if (x->engine) CVodeFree(&x->engine);
    if (x->parts[3]) SUNLinSolFree(x->parts[3]);
    if (x->parts[2]) SUNMatDestroy(x->parts[2]);
    if (x->parts[1]) N_VDestroy(x->parts[1]);
    if (context) SUNContext_Free(&context);
    free(x->y);
}
