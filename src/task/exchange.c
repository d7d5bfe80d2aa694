/* States, rates and events for an integrator elsewhere, on top of a simulation that never steps. */
#include "task/exchange.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "task/happen_parts.h"

static const char MEMORY[] = "exchange"; /* whose memory it is, in a state */
static const double TINY = 1e-12;        /* beside its size an indicator is zero */

static const taut_model *model_of(const taut_exchange *x) {
    return x->simulation->prepared->problem->model;
}

/* ---- creation ---- */

static taut_status refuse(const taut_model *model, taut_errors *errors) {
    if (taut_contacts_are_there(model))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "contacts, friction and locks change the number of states, which is fixed "
                         "in model exchange");
    if (isfinite(model->tend) && model->has_tend && model->tend < model->t0)
        return taut_fail(errors, TAUT_ERR_CALL, "the model runs backward in time");
    return TAUT_OK;
}

/* A motion that follows from time alone leaves nothing to integrate. */
static taut_status refuse_stillness(const taut_simulation *s, taut_errors *errors) {
    const taut_structure *x = &s->prepared->structure;
    int free = 0;
    for (int j = 0; j < x->n; j++) free += x->offsets.d[j] - x->offsets.c[j];
    if (free > 0) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "no initial value is free, so there are no states to integrate");
}

static void forget_point(taut_exchange *x) { x->placed = x->rowed = false; }

/* Where the stepper is, in coordinates that begin there. */
static taut_status begin(taut_exchange *x) {
    taut_simulation *s = x->simulation;
    x->flow = taut_stepper_flow(s->stepper);
    forget_point(x);
    taut_stepper_point(s->stepper, s->state);
    s->state->continued = true;
    const taut_status status = x->flow->kind->start(x->flow, s->state, x->y, x->rate);
    s->state->continued = false;
    x->t = s->stepper->t;
    return status;
}

/* On which side of zero every function is, after an event or at the start. */
static taut_status find_sides(taut_exchange *x) {
    const taut_happen *h = x->simulation->happen;
    x->settled = (double)NAN;
    if (x->indicators == 0) return TAUT_OK;
    TAUT_TRY(taut_exchange_indicators(x, x->indicator));
    x->settled = x->t;
    for (int i = 0; i < x->indicators; i++) {
        taut_event_course *c = &h->course[i];
        const double g = x->indicator[i];
        c->size = fmax(c->size, fabs(g));
        const bool zero = fabs(g) <= TINY * c->size;
        x->side[i] = c->leaves != 0 && zero ? c->leaves : zero ? 0 : taut_happen_sign(g);
    }
    return TAUT_OK;
}

static taut_status make_room(taut_exchange *x) {
    x->flow = taut_stepper_flow(x->simulation->stepper);
    x->states = x->flow->states;
    x->indicators = x->simulation->happen ? taut_happen_functions(model_of(x)) : 0;
    x->y = TAUT_NEW_ARRAY(&x->arena, x->states + 1, double);
    x->rate = TAUT_NEW_ARRAY(&x->arena, x->states + 1, double);
    x->indicator = TAUT_NEW_ARRAY(&x->arena, x->indicators + 1, double);
    x->side = TAUT_NEW_ARRAY(&x->arena, x->indicators + 1, int);
    x->row = TAUT_NEW_ARRAY(&x->arena, x->simulation->columns + 1, double);
    return x->y && x->rate && x->indicator && x->side && x->row ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_exchange_start(taut_exchange *x, taut_errors *errors) {
    TAUT_TRY(taut_simulation_start(x->simulation, errors));
    if (!x->y) TAUT_TRY(make_room(x));
    TAUT_TRY(begin(x));
    return find_sides(x);
}

taut_status taut_exchange_create(const taut_model *model, const taut_run_options *options,
                                 taut_exchange **exchange, taut_errors *errors) {
    taut_run_options o = *options;
    *exchange = NULL;
    TAUT_TRY(refuse(model, errors));
    taut_exchange *x = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    o.solver = "erk";
    taut_status status = taut_simulation_create(model, &o, &x->simulation, errors);
    if (status == TAUT_OK) status = refuse_stillness(x->simulation, errors);
    if (status == TAUT_OK) {
        taut_plan_minimize(&x->simulation->plan);
        status = taut_exchange_start(x, errors);
    }
    if (status == TAUT_OK)
        *exchange = x;
    else
        taut_exchange_free(&x);
    return status;
}

void taut_exchange_free(taut_exchange **exchange) {
    if (!*exchange) return;
    taut_simulation_free(&(*exchange)->simulation);
    taut_arena_release(&(*exchange)->arena);
    taut_release((void **)exchange);
}

/* ---- where it is ---- */

void taut_exchange_set_time(taut_exchange *x, double t) {
    if (t != x->t) forget_point(x);
    x->t = t;
}

void taut_exchange_set_states(taut_exchange *x, const double *y) {
    const size_t size = (size_t)x->states * sizeof *y;
    if (memcmp(y, x->y, size) == 0) return;
    memcpy(x->y, y, size);
    forget_point(x);
}

taut_status taut_exchange_assign(taut_exchange *x, const int *which, const double *value,
                                 int count) {
    taut_simulation *s = x->simulation;
    forget_point(x);
    for (int i = 0; i < count; i++) /* it is set from now on, also where others follow */
        TAUT_TRY(taut_simulation_set_parameter(s, model_of(x)->parameter_name[which[i]], value[i],
                                               NULL));
    s->stale = false;
    return s->happen ? taut_happen_set_numbers(s, which, value, count)
                     : taut_refresh_assign(s, which, value, count);
}

/* ---- what is there ---- */

taut_status taut_exchange_rates(taut_exchange *x, double *rate) {
    return x->flow->kind->rates(x->flow, x->t, x->y, rate);
}

static double probe_value(const taut_stepper *stepper, int j, int k, double time) {
    (void)time;
    return taut_series_get(((const taut_stand *)stepper)->flow->series, j, k);
}

static taut_flow *no_flow(taut_stepper *stepper) {
    (void)stepper;
    return NULL;
}

taut_status taut_exchange_probe(taut_exchange *x, taut_stand *probe) {
    static const taut_method method = {.name = "exchange", .value = probe_value, .flow = no_flow};
    *probe = (taut_stand){.stepper = {.method = &method,
                                      .structure = x->flow->structure,
                                      .t = x->t,
                                      .begin = x->t,
                                      .singular = (double)NAN},
                          .flow = x->flow};
    return taut_exchange_rates(x, x->rate);
}

/* The point in the series of events, everything solved there. */
static taut_status place(taut_exchange *x) {
    taut_happen *h = x->simulation->happen;
    if (x->placed) return TAUT_OK;
    if (h->prepared != x->simulation->prepared) TAUT_TRY(taut_happen_equip(x->simulation));
    TAUT_TRY(taut_exchange_rates(x, x->rate));
    for (int j = 0; j < h->state->n; j++)
        for (int k = 0; k <= taut_state_order(h->state, j); k++)
            *taut_state_at(h->state, j, k) = taut_series_get(x->flow->series, j, k);
    h->time = h->state->t = x->t;
    TAUT_TRY(taut_happen_settle(x->simulation, false, NULL));
    x->placed = true;
    return TAUT_OK;
}

/* Is it, where an event has been, zero but for rounding? */
static bool is_spent(const taut_exchange *x, int i, double g) {
    return x->t == x->settled && fabs(g) <= TINY * x->simulation->happen->course[i].size;
}

taut_status taut_exchange_indicators(taut_exchange *x, double *indicator) {
    if (x->indicators == 0) return TAUT_OK;
    TAUT_TRY(place(x));
    for (int i = 0; i < x->indicators; i++) {
        const double g = taut_series_output(x->simulation->happen->series, i, 0);
        /* behind an event: on the side to which it goes, so that leaving is no crossing */
        indicator[i] = is_spent(x, i, g) ? copysign(fmax(fabs(g), DBL_MIN), x->side[i]) : g;
    }
    return TAUT_OK;
}

taut_status taut_exchange_row(taut_exchange *x, const double **row) {
    taut_stand probe;
    int missing;
    *row = x->row;
    if (x->rowed) return TAUT_OK;
    TAUT_TRY(taut_exchange_probe(x, &probe));
    TAUT_TRY(taut_observer_row(x->simulation->observer, &probe.stepper, x->t, x->row, &missing));
    x->rowed = true;
    return TAUT_OK;
}

void taut_exchange_nominals(const taut_exchange *x, double *size) {
    const taut_run_options *o = &x->simulation->options;
    x->flow->kind->weights(x->flow, x->y, size);
    for (int i = 0; i < x->states; i++) {
        size[i] /= o->rtol + o->atol;
        if (!(size[i] > 0.0) || !isfinite(size[i])) size[i] = 1.0;
    }
}

/* ---- steps and events ---- */

/* Has function i crossed zero since the last event or step? Its sign; 0: it has not. */
static int crossing_of(const taut_exchange *x, int i) {
    const taut_event_course *c = &x->simulation->happen->course[i];
    const double g = x->indicator[i];
    int side = taut_happen_sign(g);
    if (c->silent || x->simulation->happen->steady[i] || x->side[i] == 0) return 0;
    if (side == 0) side = -x->side[i];
    if (is_spent(x, i, g)) return 0;
    return side != x->side[i] ? side : 0;
}

taut_status taut_exchange_complete(taut_exchange *x, bool *event) {
    TAUT_TRY(x->flow->kind->reach(x->flow, x->t, x->y));
    *event = x->flow->worn;
    if (!x->simulation->happen) return TAUT_OK;
    TAUT_TRY(taut_exchange_indicators(x, x->indicator));
    for (int i = 0; i < x->indicators; i++) {
        taut_event_course *c = &x->simulation->happen->course[i];
        c->size = fmax(c->size, fabs(x->indicator[i]));
        const int way = crossing_of(x, i);
        if (way != 0 && taut_happen_counts(x->simulation, i, way)) {
            *event = true;
            continue;
        }
        if (fabs(x->indicator[i]) <= TINY * c->size) continue;
        x->side[i] = taut_happen_sign(x->indicator[i]);
        taut_happen_note_side(model_of(x), c, i, x->side[i]);
    }
    return TAUT_OK;
}

double taut_exchange_next(const taut_exchange *x) {
    if (!x->simulation->happen || model_of(x)->controllers == 0) return HUGE_VAL;
    return taut_sampling_next(x->simulation);
}

/* Marks what fires; false: nothing does. */
static bool mark(taut_exchange *x) {
    taut_simulation *s = x->simulation;
    taut_happen *h = s->happen;
    bool any = taut_sampling_mark(s, x->t);
    for (int i = 0; i < x->indicators; i++) {
        taut_event_course *c = &h->course[i];
        const int way = crossing_of(x, i);
        c->before = x->indicator[i];
        c->noise = TINY * c->size;
        c->fires = way != 0 && taut_happen_counts(s, i, way);
        c->rest = c->fires ? fabs(c->before) : 0.0;
        if (way != 0) c->side = c->way = way;
        if (way != 0) taut_happen_note_side(model_of(x), c, i, way);
        c->zero = c->fresh = false;
        any = any || c->fires;
    }
    return any;
}

/* Other coordinates, if these are worn. */
static taut_status renew(taut_exchange *x, bool *changed) {
    TAUT_TRY(x->flow->kind->renew(x->flow, x->t, x->y, true, changed));
    if (*changed) forget_point(x);
    return TAUT_OK;
}

taut_status taut_exchange_event(taut_exchange *x, bool *changed, bool *halted,
                                taut_errors *errors) {
    taut_simulation *s = x->simulation;
    *changed = *halted = false;
    TAUT_TRY(taut_exchange_rates(x, x->rate));
    if (!s->happen) return renew(x, changed);
    TAUT_TRY(place(x));
    TAUT_TRY(taut_exchange_indicators(x, x->indicator));
    if (!mark(x)) return renew(x, changed);
    if (!(s->tend > x->t)) s->tend = x->t + 1.0; /* the caller decides where it ends */
    s->happen->energy = (double)NAN;
    s->happen->pending = true;
    TAUT_TRY(taut_happen_fire(s, errors));
    *changed = true;
    *halted = s->happen->halted;
    TAUT_TRY(begin(x));
    return find_sides(x);
}

/* ---- states as values ---- */

static void remember(const taut_exchange *x, taut_memory *memory) {
    taut_memory_clear(memory);
    taut_memory_put(memory, x->t);
    taut_memory_put(memory, isfinite(x->settled) ? x->settled : 0.0);
    taut_memory_put_all(memory, x->y, x->states);
    for (int i = 0; i < x->indicators; i++) {
        const taut_event_course *c = &x->simulation->happen->course[i];
        taut_memory_put(memory, x->side[i]);
        taut_memory_put(memory, c->size);
        taut_memory_put(memory, c->truth);
    }
    taut_minimal_remember(x->flow, memory);
}

static bool recall(taut_exchange *x, taut_recall *r) {
    x->t = taut_recall_get(r);
    x->settled = taut_recall_get(r);
    taut_recall_all(r, x->y, x->states);
    for (int i = 0; i < x->indicators; i++) {
        taut_event_course *c = &x->simulation->happen->course[i];
        x->side[i] = taut_recall_whole(r, -1, 1);
        c->size = taut_recall_get(r);
        c->truth = taut_recall_get(r) != 0.0;
    }
    taut_minimal_recall(x->flow, r);
    return taut_recall_is_done(r);
}

taut_status taut_exchange_get(taut_exchange *x, taut_state **state, taut_errors *errors) {
    taut_simulation *s = x->simulation;
    taut_memory memory = {0};
    *state = NULL;
    TAUT_TRY(taut_exchange_rates(x, x->rate));
    remember(x, &memory);
    taut_status status = memory.failed ? TAUT_ERR_MEMORY : TAUT_OK;
    /* the stepper follows: a state is got from there */
    taut_state_forget(s->state);
    taut_state_read(s->state, x->flow->series);
    if (!(s->tend > x->t)) s->tend = x->t + 1.0;
    if (status == TAUT_OK) status = taut_equip_begin(s, s->state, errors);
    if (status == TAUT_OK) status = taut_simulation_get_state(s, state, errors);
    if (status != TAUT_OK) {
        taut_release((void **)&memory.number);
        return status;
    }
    taut_state_forget(*state);
    memcpy((*state)->method, MEMORY, sizeof MEMORY);
    taut_release((void **)&(*state)->stepper.number);
    (*state)->stepper = memory;
    /* and it goes on from there like everybody else who takes it */
    status = taut_exchange_set(x, *state, errors);
    if (status != TAUT_OK) taut_state_free(state);
    return status;
}

taut_status taut_exchange_set(taut_exchange *x, const taut_state *state, taut_errors *errors) {
    taut_simulation *s = x->simulation;
    if (strcmp(state->method, MEMORY) != 0)
        return taut_fail(errors, TAUT_ERR_CALL, "the state is not one of model exchange");
    if (!(s->tend > state->t)) s->tend = state->t + 1.0;
    TAUT_TRY(taut_simulation_set_state(s, state, errors));
    TAUT_TRY(begin(x));
    taut_series_forget(taut_observer_series(s->observer));
    taut_recall r = taut_state_recall(state, MEMORY);
    if (!recall(x, &r))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the state is of another model: it has other "
                         "coordinates");
    forget_point(x);
    return TAUT_OK;
}
