/* The table of methods, and calls through it. */
#include "solve/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/ferry.h"
#include "solve/hermite.h"
#include "solve/sundials.h"
#include "solve/taylor.h"

static const taut_method *const METHOD[] = {&taut_taylor, &taut_hermite, &taut_bdf, &taut_adams,
                                            &taut_erk,    &taut_rk4,     &taut_ida};
enum { METHODS = sizeof METHOD / sizeof METHOD[0] };

const taut_method *taut_method_find(const char *name) {
    for (int k = 0; k < METHODS; k++)
        if (strcmp(METHOD[k]->name, name) == 0) return METHOD[k];
    return NULL;
}

const char *taut_solver_name(int k) { return k >= 0 && k < METHODS ? METHOD[k]->name : NULL; }

taut_status taut_stepper_create(const taut_method *method, const taut_system *system,
                                const taut_structure *structure, const taut_stepping *stepping,
                                taut_stepper **stepper) {
    if (taut_ferry_is_needed(method, structure, stepping))
        return taut_ferry_create(method, system, structure, stepping, stepper);
    TAUT_TRY(method->create(system, structure, stepping, stepper));
    (*stepper)->method = method;
    (*stepper)->structure = structure;
    return TAUT_OK;
}

void taut_stepper_free(taut_stepper **stepper) {
    if (*stepper) (*stepper)->method->free(*stepper);
    *stepper = NULL;
}

taut_status taut_stepper_start(taut_stepper *s, const taut_state *from, double tend,
                               taut_errors *errors) {
    s->t = s->begin = from->t;
    s->singular = (double)NAN;
    return s->method->start(s, from, tend, errors);
}

taut_status taut_stepper_set_numbers(taut_stepper *s, const double *parameter) {
    return s->method->set_numbers ? s->method->set_numbers(s, parameter) : TAUT_CONTRADICTED;
}

taut_status taut_stepper_compile(taut_stepper *s, taut_series *seen, taut_errors *errors) {
    return s->method->compile ? s->method->compile(s, seen, errors) : TAUT_OK;
}

void taut_stepper_forget(taut_stepper *s) { s->method->forget(s); }

void taut_stepper_point(const taut_stepper *s, taut_state *state) {
    taut_state_forget(state);
    state->t = s->t;
    for (int j = 0; j < state->n; j++) {
        const int needed = taut_needed(s->structure, j);
        for (int k = 0; k <= s->structure->offsets.d[j]; k++)
            *taut_state_at(state, j, k) =
                k < needed ? taut_stepper_state(s, j, k) : taut_stepper_value(s, j, k, s->t);
    }
}

taut_status taut_stepper_get(const taut_stepper *s, taut_state *state) {
    taut_stepper_point(s, state);
    if (s->method->remember) s->method->remember(s, &state->stepper);
    if (state->stepper.failed) return TAUT_ERR_MEMORY;
    if (state->stepper.count > 0)
        snprintf(state->method, sizeof state->method, "%s", s->method->name);
    return TAUT_OK;
}

taut_status taut_stepper_set_end(taut_stepper *s, double tend) {
    return s->method->set_end(s, tend);
}

taut_expansion taut_stepper_expansion(const taut_stepper *s, bool end) {
    return s->method->expansion ? s->method->expansion(s, end) : (taut_expansion){0};
}

taut_status taut_stepper_step(taut_stepper *s, taut_errors *errors) {
    return s->method->step(s, errors);
}
double taut_stepper_value(const taut_stepper *s, int j, int k, double time) {
    return s->method->value(s, j, k, time);
}
double taut_stepper_state(const taut_stepper *s, int j, int k) { return s->method->state(s, j, k); }
bool taut_stepper_prediction(const taut_stepper *s, taut_series *to) {
    return s->method->prediction && s->t != s->begin && s->method->prediction(s, to);
}
double taut_stepper_residual(const taut_stepper *s) { return s->method->residual(s); }
double taut_stepper_rcond(const taut_stepper *s) { return s->method->rcond(s); }
bool taut_stepper_strained(taut_stepper *s) {
    return s->method->strained && s->method->strained(s);
}
double taut_stepper_ahead(taut_stepper *s) { return s->method->ahead ? s->method->ahead(s) : 0.0; }
taut_flow *taut_stepper_flow(taut_stepper *s) {
    return s->method->flow ? s->method->flow(s) : NULL;
}
taut_stepper_stats taut_stepper_statistics(const taut_stepper *s) {
    return s->method->statistics(s);
}
