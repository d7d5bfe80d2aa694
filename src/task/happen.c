/* Looking for events in a step: every root of every function, from the step's own polynomials;
 * methods that have none are looked at where their steps end and at a few times between. */
#include "task/happen.h"

#include <float.h>
#include <math.h>

enum { MOST_STAGES = 64, SAMPLES = 8, BISECTIONS = 80 };
static const double NOISE = 64.0 * DBL_EPSILON; /* of a value, beside the size of its course */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

/* ---- what it works with ---- */

static void release_tools(taut_happen *h) {
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
static taut_status make_tools(taut_simulation *s) {
    taut_happen *h = s->happen;
    taut_prepared *p = s->prepared;
    const taut_model *m = model_of(s);
    const double *number = taut_refresh_numbers(s);
    taut_arena arena = {0};
    release_tools(h);
    const int functions = taut_happen_functions(m);
    taut_node *output = TAUT_NEW_ARRAY(&arena, functions + m->actions, taut_node);
    if (!output) return TAUT_ERR_MEMORY;
    for (int i = 0; i < functions; i++) output[i] = p->problem->when[i];
    for (int i = 0; i < m->actions; i++) output[functions + i] = p->problem->assign[i];
    taut_status status = taut_watched_create(&p->problem->system, &p->structure, output, functions,
                                             MOST_STAGES, &h->watched);
    if (status == TAUT_OK)
        status = taut_series_create(&p->problem->system, &p->structure, 0, output,
                                    functions + m->actions, &h->series);
    if (status == TAUT_OK)
        status = taut_state_create(&p->problem->system, &p->structure, &h->state);
    if (status == TAUT_OK && number) status = taut_watched_set_numbers(h->watched, number);
    if (status == TAUT_OK && number) status = taut_series_set_numbers(h->series, number);
    taut_arena_release(&arena);
    h->prepared = p;
    return status;
}

static taut_status create(taut_simulation *s) {
    const int events = taut_happen_functions(model_of(s));
    taut_happen *h = s->happen = taut_new(sizeof *h);
    if (!h) return TAUT_ERR_MEMORY;
    h->course = TAUT_NEW_ARRAY(&h->arena, events, taut_event_course);
    h->value = TAUT_NEW_ARRAY(&h->arena, events, double);
    h->piece = TAUT_NEW_ARRAY(&h->arena, TAUT_TABLE_AXES * (size_t)model_of(s)->lookups, long);
    h->looked = TAUT_NEW_ARRAY(&h->arena, events * (SAMPLES + 1), double);
    if (!h->course || !h->value || !h->looked || !h->piece) return TAUT_ERR_MEMORY;
    const int most = 2 * (MOST_STAGES + s->prepared->structure.largest_d + 1);
    TAUT_TRY(taut_root_finder_create(most, &h->arena, &h->finder));
    return make_tools(s);
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
        if (a->parameter >= 0 && !s->numbers.now)
            return taut_fail_at(errors, TAUT_ERR_INPUT, a->place,
                                "events can assign '%s' in natural coordinates with projection "
                                "only, not in the formulation that was chosen",
                                a->name);
        if (a->parameter >= 0 && s->numbers.restricts[a->parameter])
            return taut_fail_at(errors, TAUT_ERR_INPUT, a->place,
                                "'%s' is in a constraint, so positions would have to jump with it: "
                                "events cannot assign it",
                                a->name);
    }
    for (int i = 0; i < m->kinks; i++) {
        const taut_model_kink *k = &m->kink[i];
        if (!s->numbers.now)
            return taut_fail_at(errors, TAUT_ERR_INPUT, k->place,
                                "formulas with kinks (abs, max, if, ...) need natural coordinates "
                                "with projection, not the formulation that was chosen");
    }
    for (int i = 0; i < m->lookups && !s->numbers.now; i++)
        return taut_fail_at(errors, TAUT_ERR_INPUT, m->lookup[i].place,
                            "tables need natural coordinates with projection, not the formulation "
                            "that was chosen");
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
        TAUT_TRY(taut_happen_set_modes(s, &changed, errors));
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

taut_status taut_happen_suit(taut_simulation *s, const taut_state *state, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    bool changed = true, moved = false;
    if (!h || m->kinks + m->lookups == 0) return TAUT_OK;
    if (h->prepared != s->prepared) TAUT_TRY(make_tools(s));
    h->pending = false;
    for (int round = 0; changed && round < m->kinks + m->lookups + 8; round++) {
        taut_state_forget(h->state);
        taut_state_take(h->state, state);
        h->time = h->state->t = state->t;
        TAUT_TRY(taut_happen_settle(s, false, errors));
        TAUT_TRY(taut_happen_set_modes(s, &changed, errors));
        TAUT_TRY(taut_happen_set_pieces(s, &moved, errors));
        changed = changed || moved;
    }
    return TAUT_OK;
}

taut_status taut_happen_begin(taut_simulation *s, taut_errors *errors) {
    const taut_model *m = model_of(s);
    if (taut_happen_functions(m) == 0) return TAUT_OK;
    TAUT_TRY(check(s, errors));
    taut_happen_free(s);
    TAUT_TRY(create(s));
    taut_happen *h = s->happen;
    taut_stepper_point(s->stepper, h->state);
    TAUT_TRY(taut_happen_settle(s, false, errors));
    TAUT_TRY(find_modes(s, errors));
    for (int i = 0; i < m->events; i++) {
        const double g = taut_series_output(h->series, i, 0);
        h->course[i].truth = m->event[i].condition == TAUT_WHEN_REACHED ? g >= 0.0 : g > 0.0;
    }
    for (int i = 0; i < taut_happen_functions(m); i++) h->course[i].fresh = true;
    return TAUT_OK;
}

/* ---- roots of polynomials ---- */

/* Does a root of event i count? Backward in time up is down. */
static bool counts(const taut_simulation *s, int i, int way) {
    const taut_model *m = model_of(s);
    const taut_model_event *e = &m->event[i];
    const taut_event_course *x = &s->happen->course[i];
    if (way == 0 || x->spent) return false;
    if (taut_happen_is_edge(m, i)) return way < 0;
    if (i >= m->events) return true; /* a boundary */
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
    const taut_root_query query = {.c = g->c,
                                   .order = g->order,
                                   .zeros = x->zero ? taut_root_zeros(g->c, g->order, 0.0) : 0,
                                   .side = x->side,
                                   .rho = s->method->stiff ? 0.0 : fabs(g->c[g->order])};
    taut_roots_find(&h->finder, &query);
}

/* The boundary of a piece that is zero where the step begins and negative behind: the argument
 * leaves at once. What comes before the first root, or the end, tells. */
static bool leaves_at_once(const taut_simulation *s, int i) {
    const taut_happen *h = s->happen;
    if (!taut_happen_is_edge(model_of(s), i) || !h->course[i].zero) return false;
    if (h->finder.roots == 0) return h->finder.side < 0;
    return h->finder.root[0].way > 0;
}

static void look_at_courses(taut_simulation *s) {
    taut_happen *h = s->happen;
    for (int i = 0; i < taut_happen_functions(model_of(s)); i++) {
        taut_event_course *x = &h->course[i];
        x->theta = 2.0;
        x->roots = 0;
        if (taut_node_get(s->prepared->problem->graph, s->prepared->problem->when[i])->steady)
            continue;
        find_roots(s, i);
        x->roots = h->finder.roots;
        x->next_side = h->finder.side;
        for (int k = h->finder.roots - 1; k >= 0; k--)
            if (counts(s, i, h->finder.root[k].way)) {
                x->theta = h->finder.root[k].theta;
                x->way = h->finder.root[k].way;
            }
        if (leaves_at_once(s, i)) {
            x->theta = 0.0;
            x->way = -1;
        }
    }
}

/* Crossings up to the cut move functions to their other side; what only touches is listed. */
static taut_status pass_roots(taut_simulation *s, int i, double cut) {
    taut_happen *h = s->happen;
    taut_event_course *x = &h->course[i];
    const taut_model *m = model_of(s);
    const double begin = h->watched->begin, end = h->watched->end;
    find_roots(s, i);
    for (int k = 0; k < h->finder.roots && h->finder.root[k].theta <= cut; k++) {
        const taut_zero *root = &h->finder.root[k];
        if (root->way != 0) x->side = root->way;
        if (root->way != 0) x->truth = root->way > 0;
        if (root->way == 0 && i < m->events && m->event[i].record && !x->spent)
            TAUT_TRY(taut_notebook_event(&s->notebook, begin + root->theta * (end - begin),
                                         m->event[i].name, "touch"));
    }
    return TAUT_OK;
}

/* ---- values at times, for methods without polynomials ---- */

/* The sign of a value; a function that is zero where the step begins gets its first one. */
static int sign_of(double g) { return g > 0.0 ? 1 : g < 0.0 ? -1 : 0; }

/* Between two times at which event i has different signs: the later end of a short interval. */
static double bisect(taut_simulation *s, int i, double a, double b, int side) {
    taut_happen *h = s->happen;
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (a + b);
        if (middle == a || middle == b) break;
        taut_watched_look(h->watched, s->stepper, middle, h->value);
        if (sign_of(h->value[i]) == side)
            a = middle;
        else
            b = middle;
    }
    return b;
}

static bool is_steady(const taut_simulation *s, int i) {
    const taut_problem *p = s->prepared->problem;
    return taut_node_get(p->graph, p->when[i])->steady;
}

/* Their interpolation is of the state; what follows from the equations at a time is not in it. */
static taut_status refuse_function(const taut_simulation *s, int i, taut_errors *errors) {
    const taut_model *m = model_of(s);
    if (taut_happen_is_edge(m, i))
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "the argument of a table contains a force or a highest derivative: the "
                         "solver %s cannot follow that; taylor and ho can",
                         s->method->name);
    return taut_fail_at(
        errors, TAUT_ERR_INPUT, i < m->events ? m->event[i].place : m->kink[i - m->events].place,
        "%s %scontains a force or a highest derivative: the solver %s cannot locate "
        "that; taylor and ho can",
        i < m->events ? "the event" : "the boundary of a kink",
        i < m->events ? "" : "in this formula ", s->method->name);
}

static taut_status look_at_times(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    const int functions = taut_happen_functions(m);
    const double begin = s->stepper->begin, end = s->stepper->t;
    h->watched->begin = begin;
    h->watched->end = end;
    for (int k = 0; k <= SAMPLES; k++)
        taut_watched_look(h->watched, s->stepper,
                          k == SAMPLES ? end : begin + (end - begin) * k / SAMPLES,
                          &h->looked[k * functions]);
    for (int i = 0; i < functions; i++) {
        taut_event_course *x = &h->course[i];
        int side = x->zero || x->fresh ? 0 : x->side;
        if (taut_happen_is_edge(m, i)) side = 1; /* inside, or about to leave */
        x->theta = 2.0;
        x->roots = 0;
        x->noise = 0.0;
        for (int k = 0; k <= SAMPLES; k++) {
            const double g = h->looked[k * functions + i];
            if (isnan(g) || (taut_series_output_stage(h->series, i, 0) >= 0 && !is_steady(s, i)))
                return refuse_function(s, i, errors);
            x->noise = fmax(x->noise, NOISE * fabs(g));
            const int now = k == 0 && (x->zero || x->fresh) ? 0 : sign_of(g);
            if (side != 0 && now != 0 && now != side && k == 0 && counts(s, i, now)) {
                x->theta = 0.0;
                x->way = now;
            }
            if (side != 0 && now != 0 && now != side && k > 0 && counts(s, i, now) &&
                x->theta > 1.0) {
                const double step = (end - begin) / SAMPLES;
                x->way = now;
                x->theta = (bisect(s, i, begin + (k - 1) * step, begin + k * step, side) - begin) /
                           (end - begin);
            }
            if (now != 0) side = now;
        }
        x->next_side = side;
    }
    return TAUT_OK;
}

/* ---- where it is ---- */

/* The state at a time inside the step, on its constraints. */
static taut_status place(taut_simulation *s, double t, taut_errors *errors) {
    taut_happen *h = s->happen;
    h->time = h->state->t = t;
    if (t == s->stepper->t)
        taut_stepper_point(s->stepper, h->state);
    else
        for (int j = 0; j < h->state->n; j++)
            for (int k = 0; k <= taut_state_order(h->state, j); k++)
                *taut_state_at(h->state, j, k) = taut_stepper_value(s->stepper, j, k, t);
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

static taut_status cut_step(taut_simulation *s, bool series, int first, taut_errors *errors) {
    taut_happen *h = s->happen;
    const taut_model *m = model_of(s);
    const double begin = h->watched->begin, end = h->watched->end, theta = h->course[first].theta;
    const double reach = fmax(fabs(begin), fabs(end));
    double t = begin + theta * (end - begin);
    /* times cannot tell it from the end of the run, so no step would fit between them */
    if (theta == 1.0 || (end == s->tend && fabs(end - t) <= 16.0 * DBL_EPSILON * reach)) t = end;
    TAUT_TRY(place(s, t, errors));
    if (series && t != end) TAUT_TRY(correct(s, first, theta, errors));
    /* what is closer together than times can tell is one event */
    const double cut = theta + 4.0 * DBL_EPSILON * reach / fabs(end - begin);
    for (int i = 0; i < taut_happen_functions(m); i++) {
        taut_event_course *x = &h->course[i];
        x->before = taut_series_output(h->series, i, 0);
        x->fires = x->theta <= cut;
        if (x->fires) x->truth = true;
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

taut_status taut_happen_look(taut_simulation *s, taut_errors *errors) {
    taut_happen *h = s->happen;
    int first = 0;
    if (!h) return TAUT_OK;
    if (h->prepared != s->prepared) TAUT_TRY(make_tools(s));
    const bool series = taut_watched_follow(h->watched, s->stepper);
    if (series)
        look_at_courses(s);
    else
        TAUT_TRY(look_at_times(s, errors));
    const taut_model *m = model_of(s);
    const int events = taut_happen_functions(m);
    for (int i = 1; i < events; i++)
        if (h->course[i].theta < h->course[first].theta) first = i;
    if (h->course[first].theta <= 1.0) return cut_step(s, series, first, errors);
    for (int i = 0; i < events; i++) {
        taut_event_course *x = &h->course[i];
        if (series && x->roots > 0) TAUT_TRY(pass_roots(s, i, 1.0));
        x->side = x->next_side;
        x->zero = x->fresh = false;
        if (i < m->events && m->event[i].condition != TAUT_WHEN_ZERO && x->side != 0)
            x->truth = x->side > 0;
    }
    return TAUT_OK;
}
