/* What events do: assignments by the values before them, again as long as they make further
 * conditions true, then a new start of the stepper. */
#include <math.h>

#include "task/instant.h"
#include "task/resolve.h"
#include "task/rims.h"

enum { ROUNDS = 100 };   /* of events that follow from each other at one instant */
enum { REPEATS = 1000 }; /* of steps without a length, one after the other */

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

/* Who assigns: an event, or a controller at one of its samples. */
typedef struct actor {
    const char *kind, *name;
    int first, actions;
} actor;

static taut_status collect(taut_simulation *s, const actor *e, round_of *r, taut_errors *errors) {
    const taut_model *m = model_of(s);
    for (int i = e->first; i < e->first + e->actions; i++) {
        const double value = taut_series_output(s->happen->series, taut_happen_functions(m) + i, 0);
        bool again = false;
        if (!isfinite(value))
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, m->action[i].place,
                                "what the %s '%s' assigns to '%s' at t = %.10g is not a finite "
                                "number",
                                e->kind, e->name, m->action[i].name, s->happen->time);
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

taut_status taut_happen_set_numbers(taut_simulation *s, const int *which, const double *value,
                                    int count) {
    taut_happen *h = s->happen;
    TAUT_TRY(taut_refresh_assign(s, which, value, count));
    if (h->watched) TAUT_TRY(taut_watched_set_numbers(h->watched, s->numbers.now));
    if (h->excluder) TAUT_TRY(taut_exclude_set_numbers(h->excluder, s->numbers.now));
    return taut_series_set_numbers(h->series, s->numbers.now);
}

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
    const taut_status status = taut_happen_set_numbers(s, which, value, count);
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

/* How what is assigned varies, before it is. */
static taut_status vary_assignments(taut_simulation *s, round_of *r) {
    const taut_model *m = model_of(s);
    taut_instant *at;
    int count = 0;
    int *which = TAUT_NEW_ARRAY(&r->arena, r->count, int);
    double *value = TAUT_NEW_ARRAY(&r->arena, r->count, double);
    if (!which || !value) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_instant_look(s, s->prepared, &at));
    for (int k = 0; k < r->count; k++) {
        const int parameter = m->action[r->action[k]].parameter;
        if (parameter < 0) {
            which[count] = r->action[k];
            value[count++] = r->value[k];
        }
        for (int i = 0; parameter >= 0 && i < at->directions; i++)
            s->sensitivity->direction[i].numbers[parameter] =
                taut_instant_of(at, taut_happen_functions(m) + r->action[k], 0, i);
    }
    return count > 0 ? taut_happen_vary_jump(s, at, which, value, count) : TAUT_OK;
}

/* ---- numbers that the file does not name ---- */

taut_status taut_happen_change_numbers(taut_simulation *s, const taut_happen_change *c,
                                       taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_status status = taut_happen_set_numbers(s, c->which, c->value, c->count);
    for (int i = 0; i < c->count; i++) h->bends = h->bends || s->numbers.restricts[c->which[i]];
    if (status != TAUT_CONTRADICTED) return status;
    return taut_fail_at(errors, TAUT_ERR_NUMERICS, c->place,
                        "the solver %s cannot follow the change of a branch of abs, max, if, ... "
                        "or of a table at t = %.10g",
                        s->method->name, h->time);
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
    for (int i = 0; i < m->controllers && status == TAUT_OK; i++) {
        const taut_model_controller *c = &m->controller[i];
        if (!h->due[i]) continue;
        h->due[i] = false;
        h->samples[i]++;
        status = collect(s, &(actor){"controller", c->name, c->first, c->actions}, &r, errors);
    }
    for (int i = 0; i < m->events && status == TAUT_OK; i++) {
        const taut_model_event *e = &m->event[i];
        taut_event_course *x = &h->course[i];
        if (!x->fires) continue;
        if (e->stop) h->halted = true;
        x->spent = e->once;
        if (e->record && !x->fired) status = taut_happen_note(s, i, h->time, "event");
        x->fired = true;
        if (status == TAUT_OK)
            status = collect(s, &(actor){"event", e->name, e->first, e->actions}, &r, errors);
    }
    *changed = false;
    if (s->sensitivity && r.count > 0 && status == TAUT_OK)
        status = taut_sensitivity_blame(s, vary_assignments(s, &r), errors);
    for (int i = 0; i < m->kinks && status == TAUT_OK; i++) {
        taut_event_course *x = &h->course[m->events + i];
        if (!x->fires) continue;
        x->fired = *changed = true;
        status = taut_kinks_cross(s, i, errors);
    }
    if (status == TAUT_OK) status = taut_happen_cross(s, &crossed, errors);
    if (status == TAUT_OK) status = assign_state(s, &r, errors);
    if (status == TAUT_OK) status = assign_numbers(s, &r, errors);
    *changed = *changed || crossed || r.count > 0;
    /* where a gap has a corner, contacts that are closed would take velocities along: they are
     * resolved first */
    const bool project = !s->contacts || h->bends || r.count > 0;
    if (status == TAUT_OK && *changed) status = taut_happen_settle(s, project, errors);
    if (status == TAUT_OK && h->bends && r.count == 0) status = check_bend(s, before, errors);
    taut_arena_release(&r.arena);
    return status;
}

/* What a round has done to a function: is it still known to be zero, and on which side is it? */
static void follow(taut_event_course *x, double g) {
    const double noise = fmax(x->noise, x->floor);
    const bool jumped = fabs(g - x->before) > noise;
    const bool still = fabs(g) <= fmax(noise, 8.0 * x->rest);
    if ((x->fired && still) || (jumped && fabs(g) <= noise)) {
        x->zero = true;
    } else if (jumped || x->fired) {
        x->zero = false;
        x->side = g > 0.0 ? 1 : -1;
    }
}

/* After a round: functions that have jumped, and comparisons that have become true by it. */
static bool judge(taut_simulation *s) {
    const taut_model *m = model_of(s);
    taut_happen *h = s->happen;
    bool more = taut_happen_judge_edges(s);
    for (int i = 0; i < m->events + m->kinks; i++) {
        taut_event_course *x = &h->course[i];
        const double g = taut_series_output(h->series, i, 0);
        const bool jumped = fabs(g - x->before) > fmax(x->noise, x->floor), was = x->truth;
        x->fires = false;
        follow(x, g);
        if (i >= m->events) { /* a boundary on whose other side the motion is now */
            x->way = g > 0.0 ? 1 : -1;
            x->fires = jumped && taut_kinks_is_wrong(s, i - m->events, g, h->steady[i]);
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

/* Is it an event at the same time again and again? Boundaries that rounding parts could take turns
 * for ever, each in a step of no length. */
static taut_status check_repeats(taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    taut_happen *h = s->happen;
    h->repeats = h->last == h->time ? h->repeats + 1 : 0;
    h->last = h->time;
    if (h->repeats < REPEATS) return TAUT_OK;
    for (int i = 0; i < m->kinks; i++)
        if (h->course[m->events + i].fires)
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, m->kink[i].place,
                                "at t = %.10g the boundaries of a kink or of a law of contact are "
                                "passed again and again: its formula may have no derivatives there "
                                "(a root of 'depth'); write it with whole powers",
                                h->time);
    return endless(s, errors);
}

/* The side to which a function leaves its zero; 0: it is not there, or nobody knows. */
static int leaves_to(const taut_simulation *s, int i) {
    const taut_model *m = model_of(s);
    const taut_happen *h = s->happen;
    if (!h->course[i].zero || i >= m->events + m->kinks) return 0;
    if (i >= m->events) return taut_kinks_side(s, i - m->events);
    if (taut_series_output_stage(h->series, i, 1) > 0) return h->course[i].way; /* as it came */
    const double rate = taut_series_output(h->series, i, 1);
    return rate > 0.0 ? 1 : rate < 0.0 ? -1 : 0;
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
    TAUT_TRY(taut_sensitivity_leave(s, errors));
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

static bool guard_fires(const taut_simulation *s) {
    const taut_model *m = model_of(s);
    for (int i = taut_contacts_first_guard(m); i < taut_happen_functions(m); i++)
        if (s->happen->course[i].fires) return true;
    return false;
}

taut_status taut_happen_fire(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    bool changed = false, more = true, turned = false;
    TAUT_TRY(check_repeats(s, errors));
    TAUT_TRY(taut_sensitivity_reach(s, errors));
    for (int i = 0; i < taut_happen_functions(m); i++) h->course[i].fired = false;
    if (s->contacts) TAUT_TRY(taut_rims_turn(s, &turned, errors));
    for (int round = 0; more; round++) {
        if (round == ROUNDS) return endless(s, errors);
        TAUT_TRY(do_round(s, &changed, errors));
        if (s->contacts && (round == 0 ? changed || guard_fires(s) : changed)) {
            bool moved = false;
            TAUT_TRY(taut_contacts_resolve(s, changed, &moved, errors));
        }
        more = judge(s);
        if (!more) TAUT_TRY(taut_kinks_weigh(s));
        if (more || h->halted) continue;
        TAUT_TRY(taut_kinks_turn_back(s, &changed, errors));
        if (changed) more = judge(s);
    }
    for (int i = 0; i < taut_happen_functions(m); i++) h->course[i].leaves = leaves_to(s, i);
    h->pending = false;
    return go_on(s, errors);
}
