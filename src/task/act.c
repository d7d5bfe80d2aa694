/* What events do: assignments by the values before them, again as long as they make further
 * conditions true, then a new start of the stepper. */
#include <math.h>

#include "task/happen.h"

enum { ROUNDS = 100 }; /* of events that follow from each other at one instant */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

/* What the events of one round assign. */
typedef struct round_of {
    taut_arena arena;
    int *action; /* [count] */
    double *value;
    int count;
} round_of;

static taut_status clash(const taut_simulation *s, const taut_model_action *a, double x, double y,
                         taut_errors *errors) {
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, a->place,
                        "two events at t = %.10g assign '%s', one %.10g and the other %.10g",
                        s->happen->time, a->name, x, y);
}

/* Two actions with the same target. */
static bool is_same(const taut_model_action *a, const taut_model_action *b) {
    if (a->parameter >= 0 || b->parameter >= 0) return a->parameter == b->parameter;
    return a->target == b->target && a->order == b->order;
}

static taut_status collect(taut_simulation *s, int event, round_of *r, taut_errors *errors) {
    const taut_model *m = model_of(s);
    const taut_model_event *e = &m->event[event];
    for (int i = e->first; i < e->first + e->actions; i++) {
        const double value = taut_series_output(s->happen->series, taut_happen_functions(m) + i, 0);
        bool again = false;
        if (!isfinite(value))
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, m->action[i].place,
                                "what the event '%s' assigns to '%s' at t = %.10g is not a finite "
                                "number",
                                e->name, m->action[i].name, s->happen->time);
        for (int k = 0; k < r->count; k++) {
            if (!is_same(&m->action[r->action[k]], &m->action[i])) continue;
            if (r->value[k] != value) return clash(s, &m->action[i], r->value[k], value, errors);
            again = true;
        }
        if (again) continue;
        r->action[r->count] = i;
        r->value[r->count++] = value;
    }
    return TAUT_OK;
}

/* ---- numbers ---- */

static taut_status assign_numbers(taut_simulation *s, round_of *r, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_happen *h = s->happen;
    int count = 0;
    int *which = TAUT_NEW_ARRAY(&r->arena, r->count, int);
    double *value = TAUT_NEW_ARRAY(&r->arena, r->count, double);
    if (!which || !value) return TAUT_ERR_MEMORY;
    for (int k = 0; k < r->count; k++) {
        if (m->action[r->action[k]].parameter < 0) continue;
        which[count] = m->action[r->action[k]].parameter;
        value[count++] = r->value[k];
    }
    if (count == 0) return TAUT_OK;
    taut_status status = taut_refresh_assign(s, which, value, count);
    if (status == TAUT_OK) status = taut_watched_set_numbers(h->watched, s->numbers.now);
    if (status == TAUT_OK) status = taut_series_set_numbers(h->series, s->numbers.now);
    if (status != TAUT_CONTRADICTED) return status;
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, m->action[r->action[0]].place,
                        "the equations do not allow the change of '%s' at t = %.10g: their form "
                        "depends on it, or the solver %s cannot follow it",
                        m->action[r->action[0]].name, h->time, s->method->name);
}

static taut_status assign_state(taut_simulation *s, round_of *r, taut_errors *errors) {
    const taut_model *m = model_of(s);
    int count = 0;
    int *which = TAUT_NEW_ARRAY(&r->arena, r->count, int);
    double *value = TAUT_NEW_ARRAY(&r->arena, r->count, double);
    if (!which || !value) return TAUT_ERR_MEMORY;
    for (int k = 0; k < r->count; k++) {
        if (m->action[r->action[k]].parameter >= 0) continue;
        which[count] = r->action[k];
        value[count++] = r->value[k];
    }
    return count > 0 ? taut_happen_jump(s, which, value, count, errors) : TAUT_OK;
}

/* ---- modes of kinks ---- */

taut_status taut_happen_change_numbers(taut_simulation *s, const taut_happen_change *c,
                                       taut_errors *errors) {
    taut_happen *h = s->happen;
    taut_status status = taut_refresh_assign(s, c->which, c->value, c->count);
    if (status == TAUT_OK) status = taut_watched_set_numbers(h->watched, s->numbers.now);
    if (status == TAUT_OK) status = taut_series_set_numbers(h->series, s->numbers.now);
    for (int i = 0; i < c->count; i++) h->bends = h->bends || s->numbers.restricts[c->which[i]];
    if (status != TAUT_CONTRADICTED) return status;
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, c->place,
                        "the solver %s cannot follow the change of a branch of abs, max, if, ... "
                        "or of a table at t = %.10g",
                        s->method->name, h->time);
}

static taut_status assign_mode(taut_simulation *s, int kink, bool above, taut_errors *errors) {
    const taut_model_kink *k = &model_of(s)->kink[kink];
    const double value = above ? 1.0 : 0.0;
    if (s->numbers.restricts[k->parameter]) s->happen->kink = kink;
    const taut_happen_change change = {&k->parameter, &value, 1, k->place};
    return taut_happen_change_numbers(s, &change, errors);
}

/* The side of a boundary on which the motion is or will be: the first derivative that is not zero
 * decides, as far as they are known; 0: they do not tell. */
static int side_of(const taut_happen *h, int i) {
    for (int k = 0; k < 2 && taut_series_output_stage(h->series, i, k) <= 0; k++) {
        const double g = taut_series_output(h->series, i, k);
        if (g != 0.0) return g > 0.0 ? 1 : -1;
    }
    return 0;
}

taut_status taut_happen_set_modes(taut_simulation *s, bool *changed, taut_errors *errors) {
    const taut_model *m = model_of(s);
    *changed = false;
    for (int i = 0; i < m->kinks; i++) {
        const int side = side_of(s->happen, m->events + i);
        const bool above = s->numbers.now[m->kink[i].parameter] > 0.5;
        if ((side > 0) == above) continue;
        *changed = true;
        TAUT_TRY(assign_mode(s, i, side > 0, errors));
    }
    return TAUT_OK;
}

/* A boundary that neither branch leaves would be crossed again and again. */
static taut_status check_sliding(const taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    const taut_happen *h = s->happen;
    for (int i = 0; i < m->kinks && !h->halted; i++) {
        const taut_event_course *x = &h->course[m->events + i];
        if (!x->fired || !x->zero || taut_series_output_stage(h->series, m->events + i, 1) > 0)
            continue;
        const double rate = taut_series_output(h->series, m->events + i, 1);
        const bool above = s->numbers.now[m->kink[i].parameter] > 0.5;
        if (above ? rate >= 0.0 : rate <= 0.0) continue;
        char text[200];
        return taut_fail_at(
            errors, TAUT_ERR_NUMERICS, m->kink[i].place,
            "at t = %.10g the motion slides along a kink (abs, sign, if, ...): both "
            "branches lead back to where %s is 0; end the run there by an event "
            "with Stop, or write what holds then",
            h->time,
            taut_infix_print(m->graph, m->kink[i].boundary,
                             &(taut_names){m->variable_name, m->parameter_name}, text,
                             sizeof text));
    }
    return TAUT_OK;
}

/* ---- constraints with kinks and tables ---- */

/* The state as it is: positions, velocities, ... */
static void keep_state(const taut_state *state, double *to) {
    for (int j = 0; j < state->n; j++)
        for (int k = 0; k < taut_state_order(state, j); k++) *to++ = *taut_state_at(state, j, k);
}

static size_t count_values(const taut_state *state) {
    size_t count = 0;
    for (int j = 0; j < state->n; j++) count += (size_t)taut_state_order(state, j);
    return count;
}

/* A constraint that has changed must still hold: with its derivatives, as far as the state has
 * them. Otherwise velocities would have to jump, which takes a blow. */
static taut_status check_bend(taut_simulation *s, const double *before, taut_errors *errors) {
    const taut_happen *h = s->happen;
    const taut_model_lookup *blamed = taut_happen_blamed(s);
    double size[8] = {0};
    for (int j = 0; j < h->state->n; j++)
        for (int k = 0; k < taut_state_order(h->state, j) && k < 8; k++)
            size[k] = fmax(size[k], fabs(*taut_state_at(h->state, j, k)));
    for (int j = 0; j < h->state->n; j++)
        for (int k = 0; k < taut_state_order(h->state, j); k++) {
            const double jump = fabs(*taut_state_at(h->state, j, k) - *before++);
            if (!(jump > 1e-7 * size[k < 8 ? k : 7] + 1e-12)) continue;
            const taut_model *m = model_of(s);
            const char *name = s->prepared->problem->system.unknown[j].name;
            return taut_fail_at(
                errors, TAUT_ERR_NUMERICS, blamed ? blamed->place : m->kink[h->kink].place,
                "at t = %.10g %s%s%s a driver or constraint, so %s%s would have to jump by "
                "%.3g: %s",
                h->time, blamed ? "the table '" : "a kink (abs, max, if, ...) is in",
                blamed ? m->table[blamed->table].table.name : "", blamed ? "' has a corner in" : "",
                name,
                k == 0   ? ""
                : k == 1 ? "'"
                         : "''",
                jump,
                blamed ? "Between: spline has none inside the table"
                       : "drive a velocity that is continuous, or smooth the function");
        }
    return TAUT_OK;
}

/* ---- rounds ---- */

/* All events that fire now; *changed: something was assigned. */
static taut_status do_round(taut_simulation *s, bool *changed, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_happen *h = s->happen;
    round_of r = {0};
    r.action = TAUT_NEW_ARRAY(&r.arena, m->actions, int);
    r.value = TAUT_NEW_ARRAY(&r.arena, m->actions, double);
    double *before = TAUT_NEW_ARRAY(&r.arena, count_values(h->state), double);
    taut_status status = r.action && r.value && before ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) keep_state(h->state, before);
    h->bends = false;
    bool crossed = false;
    for (int i = 0; i < m->events && status == TAUT_OK; i++) {
        taut_event_course *x = &h->course[i];
        if (!x->fires) continue;
        if (m->event[i].stop) h->halted = true;
        x->spent = m->event[i].once;
        if (m->event[i].record && !x->fired)
            status = taut_notebook_event(&s->notebook, h->time, m->event[i].name, "event");
        x->fired = true;
        if (status == TAUT_OK) status = collect(s, i, &r, errors);
    }
    *changed = false;
    for (int i = 0; i < m->kinks && status == TAUT_OK; i++) {
        taut_event_course *x = &h->course[m->events + i];
        if (!x->fires) continue;
        x->fired = *changed = true;
        status = assign_mode(s, i, x->way > 0, errors);
    }
    if (status == TAUT_OK) status = taut_happen_cross(s, &crossed, errors);
    if (status == TAUT_OK) status = assign_state(s, &r, errors);
    if (status == TAUT_OK) status = assign_numbers(s, &r, errors);
    *changed = *changed || crossed || r.count > 0;
    if (status == TAUT_OK && *changed) status = taut_happen_settle(s, true, errors);
    if (status == TAUT_OK && h->bends && r.count == 0) status = check_bend(s, before, errors);
    taut_arena_release(&r.arena);
    return status;
}

/* What a round has done to a function: is it still known to be zero, and on which side is it? */
static void follow(taut_event_course *x, double g) {
    const bool jumped = fabs(g - x->before) > x->noise;
    const bool still = fabs(g) <= fmax(x->noise, 8.0 * fabs(x->before));
    if ((x->fired && still) || (jumped && fabs(g) <= x->noise)) {
        x->zero = true;
    } else if (jumped || x->fired) {
        x->zero = false;
        x->side = g > 0.0 ? 1 : -1;
    }
}

/* Made of numbers alone: it changes at events only. */
static bool is_steady(const taut_simulation *s, int function) {
    const taut_problem *p = s->prepared->problem;
    return taut_node_get(p->graph, p->when[function])->steady;
}

/* After a round: functions that have jumped, and comparisons that have become true by it. */
static bool judge(taut_simulation *s) {
    const taut_model *m = model_of(s);
    taut_happen *h = s->happen;
    bool more = taut_happen_judge_edges(s);
    for (int i = 0; i < m->events + m->kinks; i++) {
        taut_event_course *x = &h->course[i];
        const double g = taut_series_output(h->series, i, 0);
        const bool jumped = fabs(g - x->before) > x->noise, was = x->truth;
        x->fires = false;
        follow(x, g);
        if (i >= m->events) { /* a boundary on whose other side the motion is now */
            const bool above = s->numbers.now[m->kink[i - m->events].parameter] > 0.5;
            x->way = g > 0.0 ? 1 : -1;
            x->fires = jumped && (!x->zero || is_steady(s, i)) && (g > 0.0) != above;
        } else if (m->event[i].condition != TAUT_WHEN_ZERO) {
            if (jumped) x->truth = m->event[i].condition == TAUT_WHEN_REACHED ? g >= 0.0 : g > 0.0;
            x->fires = x->truth && !was && !x->spent;
        }
        more = more || x->fires;
        x->before = g;
    }
    return more;
}

static taut_status endless(const taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_string names = {0};
    taut_place place = m->problem_place;
    for (int i = 0; i < m->events; i++) {
        if (!s->happen->course[i].fired) continue;
        taut_string_add(&names, "%s'%s'", names.text ? ", " : "", m->event[i].name);
        place = m->event[i].place;
    }
    taut_fail_at(errors, TAUT_ERR_NUMERICS, place,
                 "at t = %.10g events follow each other without end: %s make each other's "
                 "conditions true",
                 s->happen->time, names.text ? names.text : "");
    taut_string_release(&names);
    return TAUT_ERR_NUMERICS;
}

/* ---- the whole ---- */

/* The stepper begins anew. What the event has done to the energy is no error of the run. */
static taut_status go_on(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    double energy, kinetic;
    const taut_stepper_stats work = taut_stepper_statistics(s->stepper);
    taut_state_forget(s->state);
    taut_state_take(s->state, h->state);
    s->state->continued = true;
    TAUT_TRY(taut_equip_begin(s, s->state, errors));
    s->state->continued = false;
    const taut_stepper_stats rest = taut_stepper_statistics(s->stepper); /* some forget */
    s->done.steps += work.steps - rest.steps;
    s->done.rejected += work.rejected - rest.rejected;
    s->done.evaluations += work.evaluations - rest.evaluations;
    s->done.factorisations += work.factorisations - rest.factorisations;
    s->time = s->stats.reached = s->stepper->t;
    s->row_time = (double)NAN;
    taut_observer_energy(s->observer, s->stepper, s->stepper->t, &energy, &kinetic);
    const double jump = energy - h->energy;
    if (!isfinite(jump)) return TAUT_OK;
    s->alarm.first += jump;
    s->alarm.before += jump;
    s->alarm.now += jump;
    return TAUT_OK;
}

taut_status taut_happen_fire(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    bool changed = false, more = true;
    for (int i = 0; i < taut_happen_functions(m); i++) h->course[i].fired = false;
    for (int round = 0; more; round++) {
        if (round == ROUNDS) return endless(s, errors);
        TAUT_TRY(do_round(s, &changed, errors));
        more = judge(s);
    }
    TAUT_TRY(check_sliding(s, errors));
    h->pending = false;
    return go_on(s, errors);
}
