/* Looking for events in a step: every root of every function, from the step's own polynomials;
 * methods that have none are looked at where their steps end and at a few times between. */
#include "task/resolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double CLOSE = 10.0; /* tolerances: how far interpolation may be off */
enum { MOST_STAGES = 64, SAMPLES = 8, BISECTIONS = 80 };
static const double NOISE = 64.0 * DBL_EPSILON; /* of a value, beside the size of its course */
static const double MISTAKEN = 1e-5; /* values at roots that are larger, beside their course */
static const double SHORTEST = 0.05; /* part of a step that is left of it then, at least */
static const double LOST = 1e3; /* the last coefficient of a course in tolerances: it is no good */

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
    const int outputs = first + TAUT_CONTACT_PARTS * m->contacts;
    taut_node *output = TAUT_NEW_ARRAY(&arena, outputs, taut_node);
    if (!output) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < TAUT_CONTACT_PARTS; k++)
            output[first + TAUT_CONTACT_PARTS * i + k] = p->problem->contact[i].part[k];
    for (int i = 0; i < functions; i++) output[i] = p->problem->when[i];
    for (int i = 0; i < m->actions; i++) output[functions + i] = p->problem->assign[i];
    taut_status status = TAUT_OK;
    if (functions > 0)
        status = taut_watched_create(&p->problem->system, &p->structure, output, functions,
                                     MOST_STAGES, &h->watched);
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
    h->looked = TAUT_NEW_ARRAY(&h->arena, events * (SAMPLES + 1), double);
    h->steady = TAUT_NEW_ARRAY(&h->arena, events, bool);
    h->samples = TAUT_NEW_ARRAY(&h->arena, controllers, double);
    h->due = TAUT_NEW_ARRAY(&h->arena, controllers, bool);
    if (!h->course || !h->value || !h->looked || !h->samples || !h->due || !h->steady || !h->piece)
        return TAUT_ERR_MEMORY;
    const int most = 2 * (MOST_STAGES + s->prepared->structure.largest_d + 1);
    TAUT_TRY(taut_root_finder_create(most, &h->arena, &h->finder));
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

/* ---- roots of polynomials ---- */

static int sign_of(double g) { return g > 0.0 ? 1 : g < 0.0 ? -1 : 0; }

/* Does a root of event i count? Backward in time up is down. */
static bool counts(const taut_simulation *s, int i, int way) {
    const taut_model *m = model_of(s);
    const taut_model_event *e = &m->event[i];
    const taut_event_course *x = &s->happen->course[i];
    if (way == 0 || x->spent) return false;
    if (taut_happen_is_edge(m, i)) return way < 0;
    if (i >= taut_contacts_first_guard(m)) return way < 0;
    if (i >= m->events) /* a boundary; those of an integer count in one direction */
        return m->kink[i - m->events].branch == TAUT_KINK_SIDE ||
               (m->kink[i - m->events].branch == TAUT_KINK_FLOOR ? way < 0 : way > 0);
    if (e->condition != TAUT_WHEN_ZERO) return way > 0;
    return e->way == 0 || e->way == (s->tend < s->t0 ? -way : way);
}

static void find_roots(taut_simulation *s, int i) {
    taut_happen *h = s->happen;
    taut_event_course *x = &h->course[i];
    const taut_course *g = &h->watched->course[i];
    double size = 0.0;
    for (int k = 0; k <= g->order; k++) size += fabs(g->c[k]);
    x->noise = NOISE * size;
    if (x->fresh && fabs(g->c[0]) <= x->noise) x->zero = true;
    int zeros = x->zero ? taut_root_zeros(g->c, g->order, 0.0) : 0;
    if (x->zero && zeros < x->zeros) zeros = x->zeros;
    const taut_root_query query = {.c = g->c,
                                   .order = g->order,
                                   .zeros = zeros,
                                   .side = x->side,
                                   .rho = s->method->stiff ? 0.0 : fabs(g->c[g->order])};
    taut_roots_find(&h->finder, &query);
}

/* At the end of the run a root that times cannot tell from it, just behind, is there: no further
 * step would find it. */
static void look_at_end(taut_simulation *s, int i) {
    taut_event_course *x = &s->happen->course[i];
    const taut_course *g = &s->happen->watched->course[i];
    const double value = taut_course_value(g, 0, 1.0), slope = taut_course_value(g, 1, 1.0);
    const double span = fabs(s->stepper->t - s->stepper->begin);
    const double near = 16.0 * DBL_EPSILON * fmax(fabs(s->stepper->t), span) / span;
    if (s->stepper->t != s->tend || x->theta <= 1.0 || !(value * slope < 0.0)) return;
    if (fabs(value) > near * fabs(slope) || fabs(slope) <= x->noise) return;
    if (x->roots > 0 && s->happen->finder.root[x->roots - 1].theta >= 1.0 - near) return;
    if (!counts(s, i, slope > 0.0 ? 1 : -1)) return;
    x->theta = 1.0;
    x->way = slope > 0.0 ? 1 : -1;
}

/* The boundary of a piece that is zero where the step begins and negative behind: the argument
 * leaves at once. What comes before the first root, or the end, tells. */
static bool leaves_at_once(const taut_simulation *s, int i) {
    const taut_happen *h = s->happen;
    if (!taut_happen_is_edge(model_of(s), i) || !h->course[i].zero) return false;
    if (h->finder.roots == 0) return h->finder.side < 0;
    return h->finder.root[0].way > 0;
}

/* A guard that is zero where the step begins and goes below zero from there: the mode is wrong. */
static bool is_left_at_once(const taut_simulation *s, int i) {
    const taut_event_course *x = &s->happen->course[i];
    const taut_course *g = &s->happen->watched->course[i];
    if (i < taut_contacts_first_guard(model_of(s)) || !x->zero) return false;
    int zeros = taut_root_zeros(g->c, g->order, 0.0);
    if (zeros < x->zeros) zeros = x->zeros;
    return zeros <= g->order && g->c[zeros] < 0.0;
}

static void look_at_courses(taut_simulation *s) {
    taut_happen *h = s->happen;
    for (int i = 0; i < taut_happen_functions(model_of(s)); i++) {
        taut_event_course *x = &h->course[i];
        x->theta = 2.0;
        x->roots = 0;
        if (x->silent || h->steady[i]) continue;
        find_roots(s, i);
        x->roots = h->finder.roots;
        x->next_side = h->finder.side;
        for (int k = h->finder.roots - 1; k >= 0; k--)
            if (counts(s, i, h->finder.root[k].way)) {
                x->theta = h->finder.root[k].theta;
                x->way = h->finder.root[k].way;
            }
        look_at_end(s, i);
        if (leaves_at_once(s, i) || is_left_at_once(s, i)) {
            x->theta = 0.0;
            x->way = -1;
        }
    }
}

/* After a step without an event. */
static void leave_behind(const taut_model *m, taut_event_course *x, int i) {
    x->side = x->next_side;
    x->zero = x->fresh = false;
    if (i < m->events && m->event[i].condition != TAUT_WHEN_ZERO && x->side != 0)
        x->truth = x->side > 0;
}

/* Is no function zero in the step, by bounds alone? Then it is known where they are. */
static bool exclude_all(taut_simulation *s) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    const int functions = taut_happen_functions(m);
    bool news = false;
    if (!taut_exclude_step(h->excluder, s->stepper)) return false;
    for (int i = 0; i < functions; i++) {
        taut_event_course *x = &h->course[i];
        const taut_ball g = taut_exclude_bounds(h->excluder, i);
        const int sign = g.value > 0.0 ? 1 : -1;
        if (h->steady[i]) continue;
        if (x->zero || !(fabs(g.value) > g.radius) || (x->side != 0 && x->side != sign))
            return false;
        x->noise = NOISE * (fabs(g.value) + g.radius);
        x->next_side = sign;
        news = news || x->side == 0 || x->fresh;
    }
    for (int i = 0; i < functions && news; i++)
        if (!h->steady[i]) leave_behind(m, &h->course[i], i);
    return true;
}

taut_status taut_happen_note(taut_simulation *s, int event, double t, const char *kind) {
    const char *name = model_of(s)->event[event].name;
    TAUT_TRY(taut_notebook_event(&s->notebook, t, name, kind));
    return taut_trace_mark(&s->trace, t, TAUT_MARK_EVENT, "%s %.80s", kind, name);
}

/* Crossings up to the cut move functions to their other side; what only touches is listed. */
static taut_status pass_roots(taut_simulation *s, int i, double cut) {
    taut_happen *h = s->happen;
    taut_event_course *x = &h->course[i];
    const taut_model *m = model_of(s);
    const double begin = h->watched->begin, end = h->watched->end;
    find_roots(s, i);
    /* it was zero where the step began, and another event ends the step before its next root */
    if (cut < 1.0 && h->finder.roots > 0 && h->finder.root[0].theta > cut)
        x->side = fabs(x->before) > x->noise ? sign_of(x->before) : 0;
    for (int k = 0; k < h->finder.roots && h->finder.root[k].theta <= cut; k++) {
        const taut_zero *root = &h->finder.root[k];
        if (root->way != 0) x->side = root->way;
        if (root->way != 0) x->truth = root->way > 0;
        if (root->way == 0 && i < m->events && m->event[i].record && !x->spent)
            TAUT_TRY(taut_happen_note(s, i, begin + root->theta * (end - begin), "touch"));
    }
    return TAUT_OK;
}

/* ---- values at times, for methods without polynomials ---- */

/* The state at a time inside the step, from its interpolation. */
static void take_values(const taut_simulation *s, double t) {
    taut_state *state = s->happen->state;
    state->t = t;
    if (t == s->stepper->t) {
        taut_stepper_point(s->stepper, state);
        return;
    }
    for (int j = 0; j < state->n; j++)
        for (int k = 0; k <= taut_state_order(state, j); k++)
            *taut_state_at(state, j, k) = taut_stepper_value(s->stepper, j, k, t);
}

/* Does it contain forces or highest derivatives? These are not interpolated, but follow from the
 * equations at a time. */
static bool wants_equations(const taut_simulation *s, int i) {
    return taut_series_output_stage(s->happen->series, i, 0) >= 0 && !s->happen->steady[i];
}

/* In minimal coordinates what lies inside a step is not accurate enough for them. */
static taut_status refuse_function(const taut_simulation *s, int i, taut_errors *errors) {
    const taut_model *m = model_of(s);
    if (taut_happen_is_edge(m, i))
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "the argument of a table contains a force or a highest derivative: the "
                         "solver %s cannot follow that; taylor and ho can",
                         s->method->name);
    const int guard = i - taut_contacts_first_guard(m);
    return taut_fail_at(
        errors, TAUT_ERR_INPUT,
        i < m->events ? m->event[i].place
        : guard < 0   ? m->kink[i - m->events].place
                      : m->contact[guard / TAUT_GUARDS].place,
        "%s contains a force, a rate of an angle or a highest derivative: that cannot be located "
        "in minimal coordinates; other formulations can",
        i < m->events ? "the event" : "the boundary of a kink in this formula");
}

/* The values of all functions at a time inside the step. */
static taut_status look(taut_simulation *s, double t, double *value, taut_errors *errors) {
    taut_happen *h = s->happen;
    const int functions = taut_happen_functions(model_of(s));
    bool solved = false;
    taut_watched_look(h->watched, s->stepper, t, value);
    for (int i = 0; i < functions; i++) {
        if (!wants_equations(s, i)) continue;
        if (s->plan.minimal) return refuse_function(s, i, errors);
        if (!solved) {
            take_values(s, t);
            TAUT_TRY(taut_happen_settle(s, t != s->stepper->begin && t != s->stepper->t, errors));
        }
        solved = true;
        value[i] = taut_series_output(h->series, i, 0);
    }
    return TAUT_OK;
}

/* Between two times at which event i has different signs: the later end of a short interval. */
static taut_status bisect(taut_simulation *s, int i, double a, double *b, int side) {
    double *value = s->happen->value;
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (a + *b);
        if (middle == a || middle == *b) break;
        TAUT_TRY(look(s, middle, value, NULL));
        if (sign_of(value[i]) == side)
            a = middle;
        else
            *b = middle;
    }
    return TAUT_OK;
}

/* The first change of sign of a function that counts. Close to a zero that it is leaving its sign
 * is known, and what interpolation says there is its error. */
static taut_status compare_signs(taut_simulation *s, int i) {
    taut_happen *h = s->happen;
    taut_event_course *x = &h->course[i];
    const int functions = taut_happen_functions(model_of(s));
    const double begin = h->watched->begin, step = (h->watched->end - begin) / SAMPLES;
    const bool unknown = x->zero || x->fresh;
    int side = x->leaves != 0 ? x->leaves : unknown ? 0 : x->side;
    if (taut_happen_is_edge(model_of(s), i)) side = 1; /* inside, or about to leave */
    x->theta = 2.0;
    x->roots = 0;
    x->noise = 0.0;
    for (int k = 0; k <= SAMPLES; k++) {
        const double g = h->looked[k * functions + i];
        x->noise = fmax(x->noise, NOISE * fabs(g));
        x->size = fmax(x->size, fabs(g));
        const bool close = fabs(g) <= CLOSE * fmax(s->options.rtol, s->options.atol) * x->size;
        if (x->leaves != 0 && close) continue;
        x->leaves = 0;
        const int now = k == 0 && unknown ? 0 : sign_of(g);
        if (side != 0 && now != 0 && now != side && counts(s, i, now) && x->theta > 1.0) {
            double t = begin + k * step;
            if (k > 0) TAUT_TRY(bisect(s, i, begin + (k - 1) * step, &t, side));
            x->way = now;
            x->theta = (t - begin) / (h->watched->end - begin);
        }
        if (now != 0) side = now;
    }
    x->next_side = side;
    return TAUT_OK;
}

static taut_status look_at_times(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    const int functions = taut_happen_functions(m);
    const double begin = s->stepper->begin, end = s->stepper->t;
    h->watched->begin = begin;
    h->watched->end = end;
    for (int k = 0; k <= SAMPLES; k++)
        TAUT_TRY(look(s, k == SAMPLES ? end : begin + (end - begin) * k / SAMPLES,
                      &h->looked[k * functions], errors));
    for (int i = 0; i < functions; i++) TAUT_TRY(compare_signs(s, i));
    return TAUT_OK;
}

/* ---- where it is ---- */

/* The state at a time inside the step, on its constraints. */
static taut_status place(taut_simulation *s, double t, taut_errors *errors) {
    taut_happen *h = s->happen;
    h->time = t;
    take_values(s, t);
    return taut_happen_settle(s, t != s->stepper->begin, errors);
}

/* Projection has moved the state a little, and with it the root. */
static taut_status correct(taut_simulation *s, int i, double theta, taut_errors *errors) {
    taut_happen *h = s->happen;
    const double span = h->watched->end - h->watched->begin;
    const double slope = taut_course_value(&h->watched->course[i], 1, theta) / span;
    const double dt = -taut_series_output(h->series, i, 0) / slope, t = h->time + dt;
    if (!(fabs(dt) > 2.0 * DBL_EPSILON * fabs(t)) || !(fabs(dt) < 1e-6 * fabs(span)))
        return TAUT_OK;
    if ((t - s->stepper->begin) * span < 0.0 || (t - s->stepper->t) * span > 0.0) return TAUT_OK;
    return place(s, t, errors);
}

/* Is the guard far from zero where its polynomial has a root? Then the polynomial was no good. */
static bool is_mistaken(const taut_simulation *s, int i) {
    const taut_course *g = &s->happen->watched->course[i];
    double size = 0.0;
    if (i < taut_contacts_first_guard(model_of(s))) return false;
    for (int k = 0; k <= g->order; k++) size = fmax(size, fabs(g->c[k]));
    return fabs(taut_series_output(s->happen->series, i, 0)) > MISTAKEN * size;
}

/* first: the function with the first root; -1: none, but the step is cut there, or there is a
 * sample at its end. */
static taut_status cut_step(taut_simulation *s, bool series, int first, double theta,
                            taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    const double begin = s->stepper->begin, end = s->stepper->t;
    const double reach = fmax(fabs(begin), fabs(end));
    const bool bound = end == s->tend || (m->controllers > 0 && end == taut_sampling_next(s));
    double t = begin + theta * (end - begin);
    /* times cannot tell it from where the run or the step must end, so no step would fit between */
    if (theta == 1.0 || (bound && fabs(end - t) <= 16.0 * DBL_EPSILON * reach)) t = end;
    TAUT_TRY(place(s, t, errors));
    if (first >= 0 && is_mistaken(s, first)) first = -1;
    if (series && first >= 0 && t != end) TAUT_TRY(correct(s, first, theta, errors));
    taut_sampling_mark(s, h->time);
    /* what is closer together than times can tell is one event */
    const double cut = theta + 4.0 * DBL_EPSILON * reach / fabs(end - begin);
    for (int i = 0; i < taut_happen_functions(m); i++) {
        taut_event_course *x = &h->course[i];
        x->before = taut_series_output(h->series, i, 0);
        x->fires = first >= 0 && x->theta <= cut;
        if (x->fires) x->truth = true;
        x->rest = x->fires ? fabs(x->before) : 0.0;
        if (series && x->roots > 0)
            TAUT_TRY(pass_roots(s, i, cut));
        else if (fabs(x->before) > x->noise)
            x->side = sign_of(x->before);
        x->zero = false;
        x->fresh = false;
    }
    double kinetic;
    taut_observer_energy(s->observer, s->stepper, h->time, &h->energy, &kinetic);
    h->pending = true;
    return TAUT_OK;
}

/* Up to where the polynomials of guards are good, as a part of the step: a gap that is a root or a
 * quotient may have a shorter series than the motion, which tells the steps nothing of it. */
static double trusted(const taut_simulation *s) {
    const taut_model *m = model_of(s);
    const double tol = fmax(s->options.rtol, s->options.atol);
    double least = 1.0;
    for (int i = taut_contacts_first_guard(m); i < taut_happen_functions(m); i++) {
        const taut_course *g = &s->happen->watched->course[i];
        const int n = g->order;
        double size = 0.0;
        if (n < 8 || s->method->stiff || s->happen->steady[i] || s->happen->course[i].silent)
            continue;
        for (int k = 0; k <= n / 2; k++) size = fmax(size, fabs(g->c[k]));
        double rest = 0.0;
        for (int k = n - 3; k <= n; k++) rest = fmax(rest, fabs(g->c[k]));
        if (rest > LOST * tol * size && size > 0.0)
            least = fmin(least, fmax(SHORTEST, pow(tol * size / rest, 1.0 / n)));
    }
    return least;
}

taut_status taut_happen_look(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    int first = 0;
    if (!h) return TAUT_OK;
    if (h->prepared != s->prepared) TAUT_TRY(taut_happen_equip(s));
    const taut_model *m = model_of(s);
    const int events = taut_happen_functions(m);
    const bool sampled = m->controllers > 0 && s->stepper->t == taut_sampling_next(s);
    if (h->excluder && !sampled && exclude_all(s)) return TAUT_OK;
    const bool series = events > 0 && taut_watched_follow(h->watched, s->stepper);
    if (series)
        look_at_courses(s);
    else if (events > 0)
        TAUT_TRY(look_at_times(s, errors));
    for (int i = 1; i < events; i++)
        if (h->course[i].theta < h->course[first].theta) first = i;
    const double theta = events > 0 ? h->course[first].theta : 2.0;
    const double good = series ? trusted(s) : 1.0;
    if (good < 1.0 && theta > good) return cut_step(s, series, -1, good, errors);
    if (theta <= 1.0) return cut_step(s, series, first, theta, errors);
    if (sampled) return cut_step(s, series, -1, 1.0, errors);
    for (int i = 0; i < events; i++) {
        taut_event_course *x = &h->course[i];
        if (series && x->roots > 0) TAUT_TRY(pass_roots(s, i, 1.0));
        leave_behind(m, x, i);
    }
    return TAUT_OK;
}
