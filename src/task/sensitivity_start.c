/* How the start depends on numbers: by the implicit function theorem (solve/consistent_vary.h).
 * Where listed values had to move along constraints that are not straight, the way they took
 * counts: the search is then differentiated as a whole, by central differences of order 8, whose
 * error is rounding, and the tangent space of the constraints has the last word
 * (docs/math/sensitivity.md, section 3). */
#include <math.h>
#include <string.h>

#include "model/parameters.h"
#include "solve/consistent_vary.h"
#include "task/adjoint.h"
#include "task/handover.h"
#include "task/instant.h"
#include "task/linear.h"

enum { SIDE = 4, ATTEMPTS = 4 };
static const double DIFFERENCE[SIDE] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
static const double LOWER[SIDE] = {2.0 / 3.0, -1.0 / 12.0}; /* order 4: how good the other is */
static const double PART = 1e-2; /* of a number's size: the distance of two points */
/* Difference of the two, beside the derivative: what is good, and what will have to do. */
static const double GOOD = 1e-7, FAIR = 1e-6;
static const double NEARER = 0.25; /* the next attempt */
/* Of the sizes of a state: changes from start to start that are rounding. */
static const double NOISE = 1e-13;
static const double ROUNDING = 1e-11; /* of the sizes: what starts are known to, with room */
static const double TINY = 1e-12;     /* in any unit: joint coordinates may be 0 all of them */

static const taut_model *model_of(const taut_simulation *s) {
    return s->variant ? s->variant : s->model;
}

/* What is needed to start elsewhere. */
typedef struct other_start {
    taut_arena arena;
    taut_consistent_plan *plan;
    bool *set;
    double *number, *work;
    double *lower;  /* [values of a state] differences of lower order */
    double *middle; /* [values of a state] what lies between the points, by all of them */
    taut_simulation
        *other;        /* where starts are found in other equations than those of the run, ... */
    taut_state *place; /* ... and what they are in these; otherwise NULL */
} other_start;

/* Starts that are found in other equations and handed over: by a simulation of its own. */
static taut_status prepare_other(const taut_simulation *s, other_start *o) {
    taut_run_options options = s->options;
    options.sensitivity = NULL;
    options.reactions = false;
    TAUT_TRY(taut_state_create(&s->prepared->problem->system, &s->prepared->structure, &o->place));
    TAUT_TRY(taut_simulation_create(s->model, &options, &o->other, NULL));
    for (int i = 0; i < s->settings.overrides; i++) {
        const char *name = s->settings.override[i].name;
        const int k = taut_model_find_parameter(model_of(s), name);
        if (k < 0) continue;
        TAUT_TRY(taut_simulation_set_parameter(o->other, name, s->numbers.now[k], NULL));
    }
    for (int i = 0; i < s->settings.initials; i++)
        TAUT_TRY(taut_simulation_set_initial(o->other, s->settings.initial[i].name,
                                             s->settings.initial[i].value, NULL));
    return TAUT_OK;
}

static taut_status start_other(const taut_simulation *s, other_start *o, const taut_direction *d,
                               double by) {
    taut_simulation *other = o->other;
    const double value = s->numbers.now[d->number] + by;
    taut_state *found;
    TAUT_TRY(d->number < model_of(s)->parameters
                 ? taut_simulation_set_parameter(other, d->name, value, NULL)
                 : taut_simulation_set_initial(other, d->name, value, NULL));
    TAUT_TRY(taut_simulation_start(other, NULL));
    TAUT_TRY(
        taut_state_create(&other->prepared->problem->system, &other->prepared->structure, &found));
    for (int j = 0; j < found->n; j++)
        for (int k = 0; k <= taut_state_order(found, j); k++)
            *taut_state_at(found, j, k) = taut_stepper_value(other->stepper, j, k, other->t0);
    taut_state_take(o->place, found);
    taut_state_free(&found);
    taut_hand_over_near(&s->prepared->problem->system, s->state, o->place);
    return TAUT_OK;
}

static taut_status prepare(taut_simulation *s, other_start *o) {
    const taut_model *m = model_of(s);
    const size_t count = (size_t)taut_model_numbers(m);
    o->set = TAUT_NEW_ARRAY(&o->arena, count, bool);
    o->number = TAUT_NEW_ARRAY(&o->arena, count, double);
    o->work = TAUT_NEW_ARRAY(&o->arena, taut_model_number_work(m), double);
    o->lower = TAUT_NEW_ARRAY(&o->arena, s->state->first[s->state->n], double);
    o->middle = TAUT_NEW_ARRAY(&o->arena, s->state->first[s->state->n], double);
    if (!o->set || !o->number || !o->work || !o->lower || !o->middle) return TAUT_ERR_MEMORY;
    if (!taut_equip_is_natural(s)) return TAUT_OK;
    return taut_consistent_plan_create(taut_observer_series(s->observer), &o->plan);
}

/* All numbers if one of them is changed by this much; false: the start does not depend on any that
 * has changed. */
static bool change(const taut_simulation *s, other_start *o, int number, double by) {
    const taut_run_numbers *x = &s->numbers;
    const taut_model *m = model_of(s);
    bool depends = false;
    for (int i = 0; i < taut_model_numbers(m); i++) o->set[i] = i == number;
    for (int i = 0; i < s->settings.overrides; i++) {
        const int k = taut_model_find_parameter(m, s->settings.override[i].name);
        if (k >= 0) o->set[k] = true;
    }
    for (int i = 0; i < s->settings.initials; i++) {
        const int k = taut_model_find_initial(m, s->settings.initial[i].name);
        if (k >= 0) o->set[k] = true;
    }
    memcpy(o->number, x->now, (size_t)taut_model_numbers(m) * sizeof *o->number);
    o->number[number] += by;
    taut_model_fill_numbers(m, o->set, o->number, o->work);
    for (int i = 0; i < taut_model_numbers(m); i++)
        depends = depends || (o->number[i] != x->now[i] && x->starts[i]);
    return depends;
}

/* The size of a number; of an initial value that is 0: of the others of its order. */
static double size_of(const taut_simulation *s, int number) {
    const taut_model *m = model_of(s);
    double size = fabs(s->numbers.now[number]);
    for (int i = 0; i < m->values && number >= m->parameters; i++)
        if (m->value[i].order == m->value[number - m->parameters].order)
            size = fmax(size, fabs(s->numbers.now[m->parameters + i]));
    return size > 0.0 ? size : 1.0;
}

/* Does the start depend on a number at all? What was handed over also does on what poses are
 * measured by. */
static bool depends(const taut_simulation *s, other_start *o, const taut_direction *d) {
    if (change(s, o, d->number, PART * size_of(s, d->number))) return true;
    for (int k = 0; k < s->sensitivity->numbers && !taut_equip_is_natural(s); k++)
        if (d->numbers[k] != 0.0 &&
            taut_number_is_assumed(s->prepared->problem->graph, TAUT_ASSUME_CHOICE, k))
            return true;
    return false;
}

static taut_status start_with(taut_simulation *s, other_start *o, const double *number,
                              int methods) {
    taut_series *series = taut_observer_series(s->observer);
    taut_assemblies several;
    taut_arena arena = {0};
    const taut_order order = {.tol = fmax(s->options.rtol, s->options.atol),
                              .search = {methods, 0},
                              .assemblies = &several,
                              .arena = &arena,
                              .plan = o->plan,
                              .number = number};
    taut_status status = taut_series_set_numbers(series, number);
    if (status == TAUT_OK) status = taut_consistent_find(series, s->t0, &order, NULL, NULL);
    taut_arena_release(&arena);
    return status;
}

/* What the start does not depend on at all (a guess that only says which position is meant) leaves
 * rounding behind: then the derivative is 0. */
static bool is_rounding(const taut_simulation *s, const taut_direction *d, double by,
                        const double *lower) {
    const taut_state *y = d->state;
    const int orders = s->prepared->structure.largest_d;
    double largest = TINY;
    for (int k = 0; k < orders; k++) { /* velocities may be 0 all of them: beside positions */
        for (int j = 0; j < y->n; j++)
            if (k < taut_state_order(y, j))
                largest = fmax(largest, fabs(taut_stepper_value(s->stepper, j, k, s->t0)));
        for (int j = 0; j < y->n; j++) {
            if (k >= taut_state_order(y, j)) continue;
            const double change = fmax(fabs(*taut_state_at(y, j, k)), fabs(lower[y->first[j] + k]));
            if (!(change * by <= NOISE * largest)) return false;
        }
    }
    return true;
}

/* Starts on both sides, by these methods of search, and what follows from all of them together. */
static taut_status look_around(taut_simulation *s, other_start *o, taut_direction *d, double by,
                               int methods) {
    const int *order = s->prepared->structure.offsets.d;
    const size_t bytes = (size_t)d->state->first[d->state->n] * sizeof(double);
    const taut_series *series = taut_observer_series(s->observer);
    memset(d->state->x, 0, bytes);
    memset(o->lower, 0, bytes);
    memset(o->middle, 0, bytes);
    for (int m = 0; m < 2 * SIDE; m++) {
        const int pair = m / 2;
        const double side = m % 2 == 0 ? 1.0 : -1.0, part = (double)(pair + 1);
        if (o->other) TAUT_TRY(start_other(s, o, d, side * part * by));
        if (!o->other && !change(s, o, d->number, side * part * by)) return TAUT_OK;
        if (!o->other) TAUT_TRY(start_with(s, o, o->number, methods));
        for (int j = 0; j < d->state->n; j++)
            for (int k = 0; k < order[j]; k++) {
                const double y =
                    o->other ? *taut_state_at(o->place, j, k) : taut_series_get(series, j, k);
                const double x = side / by * y;
                *taut_state_at(d->state, j, k) += DIFFERENCE[pair] * x;
                o->lower[d->state->first[j] + k] += LOWER[pair] * x;
                o->middle[d->state->first[j] + k] += DIFFERENCE[pair] * part * y;
            }
    }
    return TAUT_OK;
}

/* Do all these starts lie on one smooth way through the one that is known? */
static bool pass_by(const taut_simulation *s, const other_start *o, const taut_direction *d,
                    double by) {
    const taut_state *y = d->state;
    double size = TINY, rate = 0.0, off = 0.0;
    for (int j = 0; j < y->n; j++)
        for (int k = 0; k < taut_state_order(y, j); k++) {
            const double known = taut_stepper_value(s->stepper, j, k, s->t0);
            size = fmax(size, fabs(known));
            rate = fmax(rate, fabs(*taut_state_at(y, j, k)));
            off = fmax(off, fabs(o->middle[y->first[j] + k] - known));
        }
    return off <= GOOD * by * rate + ROUNDING * size;
}

/* Differences with this distance. TAUT_ERR_NUMERICS: what lies between the points is not smooth, or
 * a search by few methods does not come by the start that is known. */
static taut_status differ(taut_simulation *s, other_start *o, taut_direction *d, double by,
                          double doubt, int methods) {
    const int count = d->state->first[d->state->n];
    double difference = 0.0, size = 0.0;
    TAUT_TRY(look_around(s, o, d, by, methods));
    if (methods != TAUT_BY_ALL && !pass_by(s, o, d, by)) return TAUT_ERR_NUMERICS;
    for (int i = 0; i < count; i++) {
        size = fmax(size, fabs(d->state->x[i]));
        difference = fmax(difference, fabs(d->state->x[i] - o->lower[i]));
    }
    if (difference <= doubt * size) return TAUT_OK;
    if (!is_rounding(s, d, by, o->lower)) return TAUT_ERR_NUMERICS;
    memset(d->state->x, 0, (size_t)count * sizeof *d->state->x);
    return TAUT_OK;
}

static taut_status no_derivative(const taut_direction *d, taut_errors *errors) {
    return taut_fail(
        errors, TAUT_ERR_CALL,
        "options.sensitivity: with values of '%s' near the given one there is no start, "
        "another one, or one that does not follow smoothly: nothing can be differentiated by it",
        d->name);
}

/* By differences at smaller and smaller distances. Which assembly is meant is known, so nobody has
 * to look for others, by many starts each time, unless those found prove to be others. */
static taut_status find_by_differences(taut_simulation *s, other_start *o, taut_direction *d) {
    taut_status status = TAUT_ERR_NUMERICS;
    for (int way = o->other ? 1 : 0; way < 2 && status != TAUT_OK; way++) {
        double by = PART * size_of(s, d->number);
        for (int k = 0; k < ATTEMPTS && status != TAUT_OK; k++, by *= NEARER) {
            status = differ(s, o, d, by, k < ATTEMPTS - 1 ? GOOD : FAIR,
                            way == 0 ? TAUT_BY_ALL & ~TAUT_BY_STARTS : TAUT_BY_ALL);
            if (status == TAUT_ERR_MEMORY) return status;
        }
    }
    return status;
}

/* ---- by the implicit function theorem ---- */

/* The tangent at the start. Its functions are the conditions; those of later stages do not count.
 */
static taut_status make_tangent(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    const taut_prepared *p = s->prepared;
    const taut_system *system = &p->problem->system;
    taut_arena work = {0};
    int *offset, *levels = TAUT_NEW_ARRAY(&x->made, system->conditions, int);
    taut_node *node = TAUT_NEW_ARRAY(&x->made, system->conditions, taut_node);
    if (!levels || !node) return TAUT_ERR_MEMORY;
    taut_status status = taut_tape_offsets(system->graph, p->structure.offsets.d, &work, &offset);
    for (int i = 0; i < system->conditions && status == TAUT_OK; i++)
        node[i] = offset[system->condition[i].node] > 0 ? system->condition[i].node
                                                        : taut_number(system->graph, 0.0);
    taut_arena_release(&work);
    TAUT_TRY(status);
    const taut_forward_order order = {.function = node,
                                      .levels = levels,
                                      .functions = system->conditions,
                                      .directions = x->directions,
                                      .numbers = x->numbers,
                                      .may_vary = x->may_vary,
                                      .stages = -1};
    return taut_forward_create(system, &p->structure, &order, &x->start);
}

/* Moves the series and the tangent to the start of the stepper. */
static taut_status go_to_start(taut_simulation *s, taut_series *series) {
    const double *number = taut_refresh_numbers(s);
    taut_sensitivity *x = s->sensitivity;
    if (number) TAUT_TRY(taut_series_set_numbers(series, number));
    if (number) TAUT_TRY(taut_forward_set_numbers(x->start, number));
    taut_series_forget(series);
    taut_forward_forget(x->start);
    taut_series_start(series, s->t0, 1.0);
    for (int j = 0; j < series->system->n; j++)
        for (int k = 0; k <= series->structure->offsets.d[j]; k++)
            taut_series_set(series, j, k, taut_stepper_value(s->stepper, j, k, s->t0));
    TAUT_TRY(taut_series_settle(series, false, NULL, NULL));
    return taut_forward_take(x->start, series);
}

/* What is given varies as its numbers do. */
static void put_givens(const taut_simulation *s, int i) {
    const taut_sensitivity *x = s->sensitivity;
    const taut_system *system = &s->prepared->problem->system;
    const int *d = s->prepared->structure.offsets.d;
    for (int k = 0; k < x->numbers; k++)
        if (x->may_vary[k]) taut_forward_set_number(x->start, k, i, x->direction[i].numbers[k]);
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < d[j]; k++) taut_forward_set(x->start, j, k, i, 0.0);
    for (int k = 0; k < system->givens; k++) {
        const taut_given *g = &system->given[k];
        if (g->order < d[g->variable] && g->number >= 0)
            taut_forward_set(x->start, g->variable, g->order, i,
                             x->direction[i].numbers[g->number]);
    }
}

/* known [directions]: where this has found the variations of the start. */
static taut_status find_implicitly(taut_simulation *s, const other_start *o, bool *known) {
    taut_sensitivity *x = s->sensitivity;
    taut_series *series = taut_observer_series(s->observer);
    taut_arena arena = {0};
    const taut_order order = {.arena = &arena, .plan = o->plan, .number = taut_refresh_numbers(s)};
    if (!x->start) TAUT_TRY(make_tangent(s));
    taut_status status = go_to_start(s, series);
    for (int i = 0; i < x->directions && status == TAUT_OK; i++) put_givens(s, i);
    if (status == TAUT_OK) status = taut_consistent_vary(series, &order, x->start, known);
    taut_arena_release(&arena);
    if (status == TAUT_ERR_MEMORY) return status;
    for (int i = 0; i < x->directions; i++) {
        taut_state *state = x->direction[i].state;
        known[i] = known[i] && status == TAUT_OK;
        for (int j = 0; j < state->n && known[i]; j++)
            for (int k = 0; k < taut_state_order(state, j); k++)
                *taut_state_at(state, j, k) = taut_forward_get(x->start, j, k, i);
    }
    return TAUT_OK;
}

static taut_status find(taut_simulation *s, other_start *o, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    bool *known = TAUT_NEW_ARRAY(&o->arena, x->directions, bool);
    if (!known) return TAUT_ERR_MEMORY;
    if (taut_equip_is_natural(s)) TAUT_TRY(find_implicitly(s, o, known));
    for (int i = 0; i < x->directions; i++) {
        taut_direction *d = &x->direction[i];
        if (!depends(s, o, d)) {
            memset(d->state->x, 0, (size_t)d->state->first[d->state->n] * sizeof *d->state->x);
            continue;
        }
        if (!taut_equip_is_natural(s)) { /* one for each: what is set stays set */
            taut_simulation_free(&o->other);
            taut_state_free(&o->place);
            TAUT_TRY(prepare_other(s, o));
        }
        if (known[i]) continue;
        const taut_status status = find_by_differences(s, o, d);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK) return no_derivative(d, errors);
    }
    return TAUT_OK;
}

taut_status taut_sensitivity_start(taut_simulation *s, taut_errors *errors) {
    taut_sensitivity *x = s->sensitivity;
    if (!x) return TAUT_OK;
    other_start o = {0};
    taut_adjoint_start_again(x);
    x->paths = 0;
    x->touched = -1;
    x->t = s->t0;
    if (s->contacts) taut_instants_free(&x->instant); /* sets of modes may be formed anew */
    taut_status status = taut_sensitivity_weigh(s);
    if (status == TAUT_OK && !taut_equip_is_natural(s)) status = taut_sensitivity_check(s, errors);
    if (status == TAUT_OK) status = taut_sensitivity_equip(s);
    if (status == TAUT_OK) status = prepare(s, &o);
    taut_graph_tolerate(s->prepared->problem->graph, true);
    if (status == TAUT_OK) status = find(s, &o, errors);
    taut_graph_tolerate(s->prepared->problem->graph, false);
    if (status == TAUT_OK && taut_equip_is_natural(s))
        status = taut_series_set_numbers(taut_observer_series(s->observer), s->numbers.now);
    taut_series_forget(taut_observer_series(s->observer));
    if (x->motion) taut_forward_forget(x->motion);
    if (x->row) taut_forward_forget(x->row);
    if (status == TAUT_OK && s->recorded) status = taut_adjoint_begin(s);
    taut_consistent_plan_free(&o.plan);
    taut_simulation_free(&o.other);
    taut_state_free(&o.place);
    taut_arena_release(&o.arena);
    return status;
}
