/* Model exchange: states, rates and events for an integrator of the host's; directional derivatives
 * for both kinds. */
#include <math.h>
#include <string.h>

#include "fmu/instance_parts.h"

/* ---- states ---- */

int taut_instance_states(const taut_instance *x) { return x->settings.states; }
int taut_instance_indicators(const taut_instance *x) { return x->settings.indicators; }

/* Where there is no such point the host has gone too far: a shorter step may do. */
static taut_answer answer(taut_instance *x, taut_status status) {
    if (status == TAUT_OK) return TAUT_DONE;
    taut_instance_check(x, status);
    return status == TAUT_ERR_NUMERICS || status == TAUT_SINGULAR ? TAUT_DISCARDED : TAUT_REFUSED;
}

/* The start follows what has been set. */
static bool begun(taut_instance *x) {
    return !x->stale || taut_instance_fail(x, taut_instance_start(x));
}

void taut_instance_set_time(taut_instance *x, double t) {
    taut_instance_moved(x);
    taut_exchange_set_time(x->exchange, t);
}

void taut_instance_set_states(taut_instance *x, const double *y) {
    taut_instance_moved(x);
    taut_exchange_set_states(x->exchange, y);
}

bool taut_instance_get_states(taut_instance *x, double *y) {
    if (!begun(x)) return false;
    memcpy(y, x->exchange->y, (size_t)x->exchange->states * sizeof *y);
    return true;
}

bool taut_instance_get_nominals(taut_instance *x, double *size) {
    if (!begun(x)) return false;
    taut_exchange_nominals(x->exchange, size);
    return true;
}

taut_answer taut_instance_get_rates(taut_instance *x, double *rate) {
    if (!begun(x)) return TAUT_REFUSED;
    return answer(x, taut_exchange_rates(x->exchange, rate));
}

taut_answer taut_instance_get_indicators(taut_instance *x, double *indicator) {
    if (!begun(x)) return TAUT_REFUSED;
    return answer(x, taut_exchange_indicators(x->exchange, indicator));
}

/* ---- events ---- */

void taut_instance_change_mode(taut_instance *x, taut_mode mode) { x->mode = mode; }

taut_answer taut_instance_complete(taut_instance *x, bool *event) {
    return answer(x, taut_exchange_complete(x->exchange, event));
}

bool taut_instance_update(taut_instance *x, taut_event_report *r) {
    *r = (taut_event_report){.next = HUGE_VAL};
    if (!x->exchanges) return taut_instance_pass_event(x, &r->ended);
    taut_instance_moved(x);
    if (!taut_instance_fail(x,
                            taut_exchange_event(x->exchange, &r->changed, &r->ended, &x->errors)))
        return false;
    x->ended = r->ended;
    r->next = taut_exchange_next(x->exchange);
    return true;
}

/* ---- single variables ---- */

/* In co-simulation: the states of model exchange at the start. */
static taut_status make_exchange(taut_instance *x) {
    TAUT_TRY(taut_exchange_create(x->model, &x->options, &x->exchange, &x->errors));
    for (int i = 0; i < x->list.count; i++)
        if (taut_fmu_is_set(&x->list.item[i]) && x->applied[i] != x->list.item[i].start)
            TAUT_TRY(taut_instance_put(x, x->exchange->simulation, i));
    TAUT_TRY(taut_exchange_start(x->exchange, &x->errors));
    return taut_exchange_rates(x->exchange, x->exchange->rate);
}

/* ... which are coordinates of the same tangent spaces, wherever the motion has come to. */
static bool get_coordinate(taut_instance *x, int state, int above, double *value) {
    taut_arena arena = {0};
    if (!x->exchange && !taut_instance_check(x, make_exchange(x))) return false;
    const taut_flow *flow = x->exchange->flow;
    const double t = taut_simulation_reached(x->simulation);
    taut_minimal_term *term = TAUT_NEW_ARRAY(&arena, flow->system->n, taut_minimal_term);
    if (!term) return taut_instance_check(x, TAUT_ERR_MEMORY);
    const int terms = taut_minimal_terms(flow, state, term);
    *value = above ? 0.0 : x->exchange->y[state];
    for (int i = 0; i < terms; i++) {
        const int j = term[i].variable, k = term[i].order + above;
        *value += term[i].weight * taut_stepper_value(x->simulation->stepper, j, k, t);
        if (!above) *value -= term[i].weight * taut_series_get(flow->series, j, k);
    }
    taut_arena_release(&arena);
    return true;
}

static bool get_indicator(taut_instance *x, int indicator, double *value) {
    if (x->exchanges) {
        if (taut_instance_get_indicators(x, x->exchange->indicator) != TAUT_DONE) return false;
        *value = x->exchange->indicator[indicator];
        return true;
    }
    const taut_happen *h = x->simulation->happen;
    taut_watched_look(h->watched, x->simulation->stepper, taut_simulation_reached(x->simulation),
                      h->value);
    *value = h->value[indicator];
    return true;
}

bool taut_instance_get_state_variable(taut_instance *x, const taut_fmu_variable *v, double *value) {
    if (v->role == TAUT_FMU_INDICATOR) return get_indicator(x, v->column, value);
    if (!x->exchanges) return get_coordinate(x, v->column, v->role == TAUT_FMU_RATE, value);
    *value = x->exchange->y[v->column];
    if (v->role == TAUT_FMU_STATE) return true;
    if (taut_instance_get_rates(x, x->exchange->rate) != TAUT_DONE) return false;
    *value = x->exchange->rate[v->column];
    return true;
}

/* ---- directional derivatives ---- */

/* The directions at the present point. */
static taut_status direct(taut_instance *x) {
    taut_simulation *s = x->simulation;
    const double t = x->exchanges ? x->exchange->t : taut_simulation_reached(s);
    if (x->directed == t) return TAUT_OK;
    if (x->directions && !taut_directions_suit(x->directions, s))
        taut_directions_free(&x->directions);
    if (!x->directions)
        TAUT_TRY(taut_directions_create(s, x->by, x->bys, &x->directions, &x->errors));
    if (x->exchanges) {
        taut_stand probe;
        TAUT_TRY(taut_exchange_probe(x->exchange, &probe));
        TAUT_TRY(taut_directions_find(x->directions, &probe.stepper, t, x->exchange->flow));
    } else {
        TAUT_TRY(taut_directions_find(x->directions, s->stepper, t, NULL));
    }
    x->directed = t;
    return TAUT_OK;
}

/* Puts a seed where it belongs; false: it is by nothing that is known. */
static bool plant(taut_instance *x, unsigned known, double seed, double *state, double *parameter) {
    if (known >= (unsigned)x->list.count)
        return taut_instance_refuse(x, "derivative", "there is no variable with this reference");
    const taut_fmu_variable *v = &x->list.item[known];
    if (v->role == TAUT_FMU_STATE && x->exchanges) {
        state[v->column] += seed;
        return true;
    }
    for (int i = 0; i < x->bys; i++)
        if (x->by_reference[i] == (int)known) {
            parameter[i] += seed;
            return true;
        }
    return taut_instance_refuse(x, v->name,
                                "derivatives are by inputs, tunable parameters and, in model "
                                "exchange, states");
}

static bool reap(taut_instance *x, unsigned unknown, const double *state, const double *parameter,
                 double *value) {
    if (unknown >= (unsigned)x->list.count)
        return taut_instance_refuse(x, "derivative", "there is no variable with this reference");
    const taut_fmu_variable *v = &x->list.item[unknown];
    const bool rate = v->role == TAUT_FMU_RATE && x->exchanges;
    if (!rate && v->role != TAUT_FMU_OUTPUT)
        return taut_instance_refuse(x, v->name,
                                    "derivatives are of outputs and, in model exchange, of "
                                    "derivatives of states");
    *value = taut_directions_of(x->directions, rate ? TAUT_BY_RATE : TAUT_BY_COLUMN, v->column,
                                state, parameter);
    return isfinite(*value) || taut_instance_refuse(x, v->name, "it has no derivative");
}

bool taut_instance_derive(taut_instance *x, const taut_derivative *d) {
    taut_arena arena = {0};
    if (!begun(x)) return false;
    double *state = TAUT_NEW_ARRAY(&arena, x->settings.states + 1, double);
    double *parameter = TAUT_NEW_ARRAY(&arena, x->bys + 1, double);
    bool good = taut_instance_check(x, state && parameter ? direct(x) : TAUT_ERR_MEMORY);
    for (size_t i = 0; i < d->knowns && good; i++)
        good = plant(x, d->known[i], d->seed[i], state, parameter);
    for (size_t i = 0; i < d->unknowns && good; i++)
        good = reap(x, d->unknown[i], x->exchanges ? state : NULL, parameter, &d->value[i]);
    taut_arena_release(&arena);
    return good;
}
