/* Events at the start of a run: what looks for them, and what is true there. */
#include <math.h>
#include <string.h>

#include "task/happen_parts.h"

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

/* ---- what it works with ---- */

static void release_tools(taut_happen *h) {
    taut_exclude_free(&h->excluder);
    taut_watched_free(&h->watched);
    taut_series_free(&h->series);
    taut_state_free(&h->state);
    h->prepared = NULL;
}

void taut_happen_free(taut_simulation *s) {
    if (!s->happen) return;
    release_tools(s->happen);
    taut_arena_release(&s->happen->arena);
    taut_release((void **)&s->happen);
}

/* Functions and assigned values in the equations in use. */
taut_status taut_happen_equip(taut_simulation *s) {
    taut_happen *h = s->happen;
    taut_prepared *p = s->prepared;
    const taut_model *m = model_of(s);
    const double *number = taut_refresh_numbers(s);
    taut_arena arena = {0};
    release_tools(h);
    const int functions = taut_happen_functions(m), first = functions + m->actions;
    const int parts = first + TAUT_CONTACT_PARTS * m->contacts;
    const int momenta = p->problem->momentum ? p->problem->coordinates : 0;
    const int outputs = parts + (p->problem->curved ? 1 : 0) + momenta;
    taut_node *output = TAUT_NEW_ARRAY(&arena, outputs, taut_node);
    if (!output) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < TAUT_CONTACT_PARTS; k++)
            output[first + TAUT_CONTACT_PARTS * i + k] = p->problem->contact[i].part[k];
    if (p->problem->curved) output[parts] = p->problem->energy;
    for (int j = 0; j < momenta; j++) output[parts + 1 + j] = p->problem->momentum[j];
    for (int i = 0; i < functions; i++) output[i] = p->problem->when[i];
    for (int i = 0; i < m->actions; i++) output[functions + i] = p->problem->assign[i];
    taut_status status = TAUT_OK;
    if (functions > 0)
        status = taut_watched_create(&p->problem->system, &p->structure,
                                     &(taut_watching){.node = output,
                                                      .count = functions,
                                                      .order = TAUT_HAPPEN_STAGES,
                                                      .tol = fmax(s->options.rtol, s->options.atol),
                                                      .span = fabs(s->tend - s->t0)},
                                     &h->watched);
    /* series of forces may be too short for the step: guards of contacts are looked at in full */
    if (status == TAUT_OK && functions > 0 && m->contacts == 0)
        status = taut_exclude_create(p->problem->graph, output, functions, &h->excluder);
    if (status == TAUT_OK)
        status = taut_series_create(&p->problem->system, &p->structure,
                                    m->contacts > 0 ? TAUT_CONTACT_STAGE : 0, output, outputs,
                                    &h->series);
    if (status == TAUT_OK)
        status = taut_state_create(&p->problem->system, &p->structure, &h->state);
    if (status == TAUT_OK && number && h->watched)
        status = taut_watched_set_numbers(h->watched, number);
    if (status == TAUT_OK && number && h->excluder)
        status = taut_exclude_set_numbers(h->excluder, number);
    if (status == TAUT_OK && number) status = taut_series_set_numbers(h->series, number);
    taut_arena_release(&arena);
    taut_happen_find_steady(s);
    h->prepared = p;
    return status;
}

void taut_happen_find_steady(taut_simulation *s) {
    const taut_problem *p = s->prepared->problem;
    for (int i = 0; i < taut_happen_functions(p->model); i++)
        s->happen->steady[i] = taut_node_get(p->graph, p->when[i])->steady;
}

static taut_status create(taut_simulation *s) {
    const int events = taut_happen_functions(model_of(s)), controllers = model_of(s)->controllers;
    taut_happen *h = s->happen = taut_new(sizeof *h);
    if (!h) return TAUT_ERR_MEMORY;
    h->course = TAUT_NEW_ARRAY(&h->arena, events, taut_event_course);
    h->value = TAUT_NEW_ARRAY(&h->arena, events, double);
    h->piece = TAUT_NEW_ARRAY(&h->arena, TAUT_TABLE_AXES * (size_t)model_of(s)->lookups, long);
    h->looked = TAUT_NEW_ARRAY(&h->arena, events * (TAUT_HAPPEN_SAMPLES + 1), double);
    h->steady = TAUT_NEW_ARRAY(&h->arena, events, bool);
    h->samples = TAUT_NEW_ARRAY(&h->arena, controllers, double);
    h->due = TAUT_NEW_ARRAY(&h->arena, controllers, bool);
    if (!h->course || !h->value || !h->looked || !h->samples || !h->due || !h->steady || !h->piece)
        return TAUT_ERR_MEMORY;
    const int most = 2 * (TAUT_HAPPEN_STAGES + s->prepared->structure.largest_d + 1);
    TAUT_TRY(taut_root_finder_create(most, &h->arena, &h->finder));
    h->good = 1.0;
    h->part = TAUT_NEW_ARRAY(&h->arena, most + 1, double);
    if (!h->part) return TAUT_ERR_MEMORY;
    return taut_happen_equip(s);
}

taut_status taut_happen_settle(taut_simulation *s, bool project, taut_errors *errors) {
    taut_happen *h = s->happen;
    taut_state_write(h->state, h->series);
    const taut_status status = taut_series_settle(h->series, project, NULL, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK)
        return taut_fail(errors, TAUT_ERR_NUMERICS,
                         "at the event at t = %.10g the equations have no solution", h->state->t);
    taut_state_read(h->state, h->series);
    return TAUT_OK;
}

/* ---- the start ---- */

/* What a model asks for that a run cannot give. */
static taut_status check(const taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    for (int i = 0; i < m->actions; i++) {
        const taut_model_action *a = &m->action[i];
        if (a->parameter < 0 && s->tend < s->t0)
            return taut_fail_at(errors, TAUT_ERR_INPUT, a->place,
                                "backward in time an event cannot assign '%s': what it was before "
                                "does not follow from what it is behind",
                                a->name);
        if (a->parameter >= 0 && s->numbers.restricts[a->parameter])
            return taut_fail_at(errors, TAUT_ERR_INPUT, a->place,
                                "'%s' is in a constraint, so positions would have to jump with it: "
                                "events and controllers cannot assign it",
                                a->name);
    }
    for (int i = 0; i < m->kinks; i++) {
        const taut_model_kink *k = &m->kink[i];
        if (s->numbers.within && s->numbers.restricts[k->parameter])
            return taut_fail_at(errors, TAUT_ERR_INPUT, k->place,
                                "a constraint or driver contains a kink (abs, max, if, ...): that "
                                "needs constraints that are kept by projection, not by "
                                "stabilisation");
    }
    for (int i = 0; i < m->lookups && (!s->numbers.now || s->numbers.within); i++)
        return taut_fail_at(errors, TAUT_ERR_INPUT, m->lookup[i].place,
                            "tables need constraints that are kept by projection, not equations in "
                            "which they decay, and no search from several starts");
    return TAUT_OK;
}

/* With other numbers in constraints the start itself is another one. */
static taut_status start_again(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_status status = taut_refresh_find(s);
    if (status == TAUT_CONTRADICTED && s->lent) return status; /* the long way, then */
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK)
        return taut_fail_at(errors, TAUT_ERR_INPUT, model_of(s)->problem_place,
                            "no start was found that suits the tables and kinks (abs, if, ...) in "
                            "constraints and drivers: give initial values that are closer to it");
    taut_state_forget(h->state);
    taut_state_take(h->state, s->numbers.first);
    h->state->t = s->t0;
    if (s->alteration)
        TAUT_TRY(
            s->alteration->alter(s->alteration->user, h->state, taut_observer_series(s->observer)));
    h->bends = false;
    return TAUT_OK;
}

/* Modes of kinks and pieces of tables that suit the start; the stepper began with others. */
static taut_status find_modes(taut_simulation *s, taut_errors *errors) {
    bool changed = false, any = false, moved = false;
    for (int round = 0; round == 0 || changed; round++) {
        if (round > model_of(s)->kinks + model_of(s)->lookups + 8)
            return taut_fail_at(errors, TAUT_ERR_NUMERICS, model_of(s)->problem_place,
                                "at t = %.10g no choice of the branches of abs, max, if, ... and "
                                "of the pieces of tables suits the state that follows from it",
                                s->t0);
        TAUT_TRY(taut_kinks_suit(s, &changed, errors));
        TAUT_TRY(taut_happen_set_pieces(s, &moved, errors));
        changed = changed || moved;
        any = any || changed;
        if (changed && s->happen->bends) TAUT_TRY(start_again(s, errors));
        if (changed) TAUT_TRY(taut_happen_settle(s, false, errors));
    }
    if (!any) return TAUT_OK;
    taut_state_forget(s->state);
    taut_state_take(s->state, s->happen->state);
    return taut_equip_begin(s, s->state, errors);
}

/* A sample at the very start is part of it. */
static taut_status first_samples(taut_simulation *s, taut_errors *errors) {
    double kinetic;
    if (!taut_sampling_mark(s, s->t0)) return TAUT_OK;
    s->happen->time = s->t0;
    taut_observer_energy(s->observer, s->stepper, s->t0, &s->happen->energy, &kinetic);
    return taut_happen_fire(s, errors);
}

taut_status taut_happen_suit(taut_simulation *s, const taut_state *state, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    bool changed = true, moved = false;
    if (!h || m->kinks + m->lookups == 0) return TAUT_OK;
    if (h->prepared != s->prepared) TAUT_TRY(taut_happen_equip(s));
    h->pending = false;
    for (int round = 0; changed && round < m->kinks + m->lookups + 8; round++) {
        taut_state_forget(h->state);
        taut_state_take(h->state, state);
        h->time = h->state->t = state->t;
        TAUT_TRY(taut_happen_settle(s, false, errors));
        TAUT_TRY(taut_kinks_suit(s, &changed, errors));
        TAUT_TRY(taut_happen_set_pieces(s, &moved, errors));
        changed = changed || moved;
    }
    return TAUT_OK;
}

/* Events that happen once and have happened. */
static void take_spent(taut_simulation *s, const taut_state *from) {
    const taut_model *m = model_of(s);
    for (int i = 0; from && i < m->events; i++)
        for (int k = 0; k < from->discretes; k++)
            if (strcmp(from->discrete[k].name, m->event[i].name) == 0)
                s->happen->course[i].spent = m->event[i].once;
}

taut_status taut_happen_begin(taut_simulation *s, const taut_state *from, taut_errors *errors) {
    const taut_model *m = model_of(s);
    if (taut_happen_functions(m) + m->controllers == 0) return TAUT_OK;
    TAUT_TRY(check(s, errors));
    taut_happen_free(s);
    TAUT_TRY(create(s));
    taut_happen *h = s->happen;
    TAUT_TRY(taut_sampling_begin(s, from, errors));
    take_spent(s, from);
    taut_stepper_point(s->stepper, h->state);
    TAUT_TRY(taut_happen_settle(s, false, errors));
    TAUT_TRY(find_modes(s, errors));
    for (int i = 0; i < m->events; i++) {
        const double g = taut_series_output(h->series, i, 0);
        h->course[i].truth = m->event[i].condition == TAUT_WHEN_REACHED ? g >= 0.0 : g > 0.0;
    }
    for (int i = 0; i < taut_happen_functions(m); i++) {
        h->course[i].fresh = true;
        h->course[i].before = taut_series_output(h->series, i, 0);
    }
    if (taut_contacts_are_there(m)) TAUT_TRY(taut_contacts_begin(s, errors));
    return first_samples(s, errors);
}
