/* A state of rest, or of steady motion: Gauss-Newton on the manifold of the constraints, for "these
 * derivatives are zero" and what else is wanted, with the directions of the variational equations
 * and free parameters; where that does not help, kinetic damping: the motion from rest to its next
 * peak of kinetic energy, and rest again (docs/math/linearisation.md). */
#include "task/equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bounds.h"
#include "core/dense.h"
#include "core/philox.h"
#include "model/parameters.h"
#include "model/trim.h"

enum {
    ROUNDS = 60,
    HALVINGS = 12,
    PROJECTIONS = 4,
    STEPS = 100000,
    BISECTIONS = 60,
    STRIDES = 12,
    PIECES = 60
};
static const double LONGEST = 0.3; /* a step, of the size of the positions */
static const double SMALL = 1e-9;  /* what is left of the accelerations, of the largest so far */
static const double FINISHED = 1e-15;
static const double LATE = 1e6;    /* the end of runs that are looked at for their peaks */
static const double STRIDE = 0.15; /* of a random walk, of the size of the positions */

static const int *orders(const taut_rest *s) { return s->series->structure->offsets.d; }

static bool is_passive(const taut_rest *s, int j) { return s->series->system->unknown[j].passive; }

static int size_of(const taut_rest *s) { return s->n; }

/* ---- the point ---- */

/* Gives the free parameters their values. */
static bool set_numbers(taut_rest *s, const double *p) {
    if (s->frees == 0 && !s->bends) return true;
    for (int k = 0; k < s->frees; k++) s->number[s->free[k]] = p[k];
    taut_model_fill_numbers(s->model, s->set, s->number, s->work);
    return taut_series_set_numbers(s->series, s->number) == TAUT_OK;
}

/* The state at these positions (at rest, or with these velocities) on the constraints. The
 * derivatives that are to vanish are then in r; returns their length, infinity: there is no such
 * point. */
static double visit(taut_rest *s, const double *x, const double *rate, const double *p) {
    double sum = 0.0;
    if (s->bends && taut_rest_refit(s) != TAUT_OK) return HUGE_VAL;
    if (!set_numbers(s, p)) return HUGE_VAL;
    const int *d = orders(s), n = size_of(s);
    taut_series_start(s->series, s->state->t, 1.0);
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= d[j]; k++)
            taut_series_set(s->series, j, k,
                            k == 0                                     ? x[j]
                            : k == 1 && s->steady && !is_passive(s, j) ? rate[j]
                                                                       : 0.0);
    for (int i = 0; i < PROJECTIONS; i++)
        if (taut_series_settle(s->series, true, NULL, NULL) != TAUT_OK) return HUGE_VAL;
    const int last = taut_variational_stage(s->v);
    if (last > 0) taut_series_extend(s->series, 1, last);
    for (int i = 0; i < s->rows; i++) {
        s->r[i] = taut_variational_value(s->v, s->row[i].function, s->row[i].level);
        sum += s->r[i] * s->r[i];
    }
    return isfinite(sum) ? sqrt(sum) : HUGE_VAL;
}

/* Where the last visit has ended. */
static void read_point(const taut_rest *s, double *x, double *rate) {
    for (int j = 0; j < size_of(s); j++) {
        x[j] = taut_series_get(s->series, j, 0);
        rate[j] = orders(s)[j] > 0 ? taut_series_get(s->series, j, 1) : 0.0;
    }
}

/* ---- Gauss-Newton ---- */

/* Changes of positions, velocities and free parameters. */
typedef struct shift {
    double *x, *rate, *p; /* [n], [n], [frees] */
} shift;

static taut_status new_shift(taut_rest *s, shift *a) {
    a->x = TAUT_NEW_ARRAY(&s->arena, size_of(s) + 1, double);
    a->rate = TAUT_NEW_ARRAY(&s->arena, size_of(s) + 1, double);
    a->p = TAUT_NEW_ARRAY(&s->arena, s->frees + 1, double);
    return a->x && a->rate && a->p ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* The one that would make everything vanish, if it were linear. */
static taut_status find_shift(taut_rest *s, shift *a) {
    const int n = size_of(s);
    TAUT_TRY(taut_variational_find(s->v));
    const int directions = taut_variational_directions(s->v);
    memset(a->x, 0, (size_t)n * sizeof *a->x);
    memset(a->rate, 0, (size_t)n * sizeof *a->rate);
    memset(a->p, 0, (size_t)s->frees * sizeof *a->p);
    if (directions == 0 || s->rows == 0) return TAUT_OK;
    int rank;
    for (int i = 0; i < s->rows; i++) {
        for (int k = 0; k < directions; k++)
            s->matrix[k * s->rows + i] =
                taut_variational_of(s->v, s->row[i].function, s->row[i].level, k, NULL);
        s->side[i] = -s->r[i];
    }
    TAUT_TRY(taut_least_norm(s->rows, directions, s->matrix, s->side, 1e-10, &rank));
    for (int k = 0; k < directions; k++) {
        if (k < s->frees) a->p[k] = s->side[k];
        for (int j = 0; j < n; j++) {
            a->x[j] += s->side[k] * taut_variational_of(s->v, j, 0, k, NULL);
            if (s->steady && orders(s)[j] > 0)
                a->rate[j] += s->side[k] * taut_variational_of(s->v, j, 1, k, NULL);
        }
    }
    return TAUT_OK;
}

static double length_of(const double *x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* From `at` by a part of a step, into `to`; the residual there. */
static double try_part(taut_rest *s, const shift *at, const shift *step, double part, shift *to) {
    for (int j = 0; j < size_of(s); j++) {
        to->x[j] = at->x[j] + part * step->x[j];
        to->rate[j] = at->rate[j] + part * step->rate[j];
    }
    for (int k = 0; k < s->frees; k++) to->p[k] = at->p[k] + part * step->p[k];
    return visit(s, to->x, to->rate, to->p);
}

/* From the point `at` towards rest; *found: the series is there. `at` is then the last point. */
static taut_status newton(taut_rest *s, shift *at, bool *found) {
    const int n = size_of(s);
    shift step, to;
    TAUT_TRY(new_shift(s, &step));
    TAUT_TRY(new_shift(s, &to));
    double now = visit(s, at->x, at->rate, at->p);
    *found = false;
    for (int round = 0; round < ROUNDS && isfinite(now); round++) {
        TAUT_TRY(taut_bounds_ask());
        read_point(s, at->x, at->rate);
        s->largest = fmax(s->largest, now);
        const taut_status status = find_shift(s, &step);
        if (status == TAUT_SINGULAR) return TAUT_OK;
        TAUT_TRY(status);
        const double size = fmax(length_of(at->x, n), 1e-3);
        const double values = length_of(at->p, s->frees), change = length_of(step.p, s->frees);
        const double length = length_of(step.x, n);
        double factor = length > LONGEST * size ? LONGEST * size / length : 1.0, next = HUGE_VAL;
        for (int i = 0; i < HALVINGS && !(next < now); i++, factor *= 0.5)
            next = try_part(s, at, &step, factor, &to);
        if (!(next < now) || (length <= FINISHED * size && change <= FINISHED * values)) {
            now = visit(s, at->x, at->rate, at->p);
            *found = now <= SMALL * fmax(s->largest, 1.0) && length <= 1e-6 * size &&
                     change <= 1e-6 * fmax(values, 1e-3 * s->largest);
            return TAUT_OK;
        }
        memcpy(at->p, to.p, (size_t)s->frees * sizeof *at->p);
        now = next;
    }
    return TAUT_OK;
}

/* ---- kinetic damping ---- */

static double kinetic_at(taut_simulation *s, double t) {
    double energy, kinetic;
    taut_observer_energy(s->observer, s->stepper, t, &energy, &kinetic);
    return kinetic;
}

/* Where in the last step the kinetic energy is largest. */
static double peak_of(taut_simulation *s) {
    double a = s->stepper->begin, b = s->stepper->t;
    for (int i = 0; i < BISECTIONS; i++) {
        const double p = a + (b - a) / 3.0, q = b - (b - a) / 3.0;
        if (kinetic_at(s, p) < kinetic_at(s, q))
            a = p;
        else
            b = q;
    }
    return 0.5 * (a + b);
}

/* Puts positions into the state, at rest. */
static void fill_state(taut_rest *s) {
    taut_state_read(s->state, s->series);
    taut_state_forget(s->state);
}

/* Runs from rest at x to the next peak of kinetic energy; x becomes the positions there. *moved:
 * there was one. */
static taut_status burst(taut_rest *s, double *x, bool *moved) {
    taut_simulation *sim = s->simulation;
    const double t = s->state->t;
    *moved = false;
    if (!isfinite(visit(s, x, s->rate, s->p))) return TAUT_OK;
    fill_state(s);
    if (taut_simulation_set_state(sim, s->state, NULL) != TAUT_OK) return TAUT_OK;
    double before = kinetic_at(sim, sim->stepper->t);
    for (int i = 0; i < STEPS; i++) {
        TAUT_TRY(taut_bounds_ask());
        if (taut_simulation_step(sim, NULL) != TAUT_OK) return TAUT_OK;
        const double now = kinetic_at(sim, sim->stepper->t);
        if (!isfinite(now)) return TAUT_OK;
        if (now < before || kinetic_at(sim, peak_of(sim)) > now * (1.0 + 1e-9)) {
            const double peak = peak_of(sim);
            for (int j = 0; j < size_of(s); j++)
                x[j] = taut_stepper_value(sim->stepper, j, 0, peak);
            *moved = true;
            break;
        }
        before = now;
    }
    s->state->t = t;
    return TAUT_OK;
}

/* ---- what is to vanish ---- */

/* Is this one of the coordinates with a constant rate? */
static bool is_steady(const taut_rest *s, const char *name) {
    for (int i = 0; i < s->model->steadies; i++)
        if (strcmp(s->model->steady[i], name) == 0) return true;
    return false;
}

/* At rest: all derivatives of all unknowns. */
static void list_rest(taut_rest *s, const taut_system *system, const int *d) {
    for (int j = 0; j < system->n; j++)
        for (int k = 1; k <= d[j] && !system->unknown[j].passive; k++)
            s->row[s->rows++] = (taut_rest_row){j, k};
}

/* A steady motion: rates, and what follows, of everything that has a name and is no place in the
 * world, which may turn: angles, coordinates of joints and of equations. */
static int list_steady(taut_rest *s, const taut_catalogue *c, taut_node *function, int *level,
                       int functions) {
    const bool mechanism = s->model->kind == TAUT_MODEL_MECHANISM;
    for (int i = 0; i < c->count; i++) {
        const taut_named *q = &c->item[i];
        const bool coordinate = q->kind == TAUT_COLUMN_ANGLE ||
                                (q->kind == TAUT_COLUMN_SCALAR && (q->column || !mechanism));
        if (!coordinate || q->orders == 0) continue;
        function[functions] = q->node;
        level[functions] = q->orders;
        for (int k = 1; k <= q->orders; k++)
            if (k > 1 || !is_steady(s, q->name)) s->row[s->rows++] = (taut_rest_row){functions, k};
        functions++;
    }
    return functions;
}

static taut_status list_rows(taut_rest *s, taut_node **function, int **level, int *functions) {
    const taut_prepared *p = s->simulation->prepared;
    const taut_problem *problem = p->problem;
    const int n = problem->system.n, *d = p->structure.offsets.d;
    taut_catalogue c;
    int most = s->model->wants + problem->angles;
    TAUT_TRY(taut_catalogue_create(problem, &p->structure, &s->arena, &c));
    for (int j = 0; j < n; j++) most += d[j];
    for (int i = 0; i < c.count; i++) most += c.item[i].orders;
    *function =
        TAUT_NEW_ARRAY(&s->arena, n + c.count + problem->angles + s->model->wants + 1, taut_node);
    *level = TAUT_NEW_ARRAY(&s->arena, n + c.count + problem->angles + s->model->wants + 1, int);
    s->row = TAUT_NEW_ARRAY(&s->arena, most + 1, taut_rest_row);
    if (!*function || !*level || !s->row) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) {
        (*function)[j] = taut_variable(problem->graph, j);
        (*level)[j] = d[j];
    }
    *functions = n;
    if (s->steady)
        *functions = list_steady(s, &c, *function, *level, n);
    else
        list_rest(s, &problem->system, d);
    for (int k = 0; k < problem->angles; k++) { /* angles are not tied here: they follow by these */
        (*function)[*functions] = problem->angle_off[k];
        s->row[s->rows++] = (taut_rest_row){(*functions)++, 0};
    }
    int outputs = 0, first = s->model->outputs.count - s->model->wants;
    for (int i = 0; i < problem->columns; i++) {
        if (problem->column[i].kind != TAUT_COLUMN_OUTPUT || !problem->column[i].primes) continue;
        if (outputs++ < first || outputs > first + s->model->wants) continue;
        (*function)[*functions] = problem->column[i].node;
        s->row[s->rows++] = (taut_rest_row){(*functions)++, 0};
    }
    return TAUT_OK;
}

/* ---- free parameters ---- */

static taut_status list_free(taut_rest *s) {
    taut_model *m = (taut_model *)s->model; /* names only */
    const int numbers = taut_model_numbers(m);
    for (int i = 0; taut_free_name(m, i); i++) s->frees++;
    s->free = TAUT_NEW_ARRAY(&s->arena, s->frees + 1, int);
    s->p = TAUT_NEW_ARRAY(&s->arena, s->frees + 1, double);
    s->first = TAUT_NEW_ARRAY(&s->arena, s->frees + 1, double);
    s->set = TAUT_NEW_ARRAY(&s->arena, numbers + 1, bool);
    s->number = TAUT_NEW_ARRAY(&s->arena, numbers + 1, double);
    s->work = TAUT_NEW_ARRAY(&s->arena, taut_model_number_work(m) + 1, double);
    if (!s->free || !s->p || !s->first || !s->set || !s->number || !s->work) return TAUT_ERR_MEMORY;
    taut_model_fill_numbers(m, s->set, s->number, s->work);
    for (int k = 0; k < s->frees; k++) {
        const char *name = taut_free_name(m, k);
        int number = taut_model_find_parameter(m, name);
        if (number < 0) name = taut_driver_parameter(m, name);
        if (!name) return TAUT_ERR_MEMORY;
        if (number < 0) number = taut_model_find_parameter(m, name);
        if (number < 0) return TAUT_ERR_CALL; /* checked by the reader */
        s->free[k] = number;
        s->set[number] = true;
        s->p[k] = s->first[k] = s->number[number];
    }
    return TAUT_OK;
}

/* ---- the whole ---- */

taut_status taut_rest_prepare(taut_rest *s) {
    const taut_prepared *p = s->simulation->prepared;
    taut_node *function;
    taut_tie *tie;
    double *weight;
    int *level, functions, all, ties = 0, directions = s->frees;
    taut_variational_free(&s->v);
    s->formed = p->problem->serial;
    s->rows = 0;
    TAUT_TRY(list_rows(s, &function, &level, &functions));
    TAUT_TRY(taut_linear_ties(p->problem, &s->arena, &tie, &all));
    for (int i = 0; i < all; i++) {
        const int angle = tie[i].number - p->problem->coordinates;
        if (tie[i].passive || angle < 0 || angle >= p->problem->angles) tie[ties++] = tie[i];
    }
    TAUT_TRY(taut_linear_weigh(s->model, p->problem->graph, s->free, s->frees, &s->arena, &weight));
    const taut_variational_order order = {.function = function,
                                          .levels = level,
                                          .functions = functions,
                                          .weight = weight,
                                          .inputs = s->frees,
                                          .parameters = s->model->parameters,
                                          .tie = tie,
                                          .ties = ties};
    TAUT_TRY(taut_variational_create(&p->problem->system, &p->structure, &order, &s->v));
    s->series = taut_variational_series(s->v);
    for (int j = 0; j < p->problem->system.n; j++) directions += p->structure.offsets.d[j];
    s->r = TAUT_NEW_ARRAY(&s->arena, s->rows + directions + 1, double);
    s->side = TAUT_NEW_ARRAY(&s->arena, s->rows + directions + 1, double);
    s->matrix = TAUT_NEW_ARRAY(&s->arena, (size_t)s->rows * (size_t)directions + 1, double);
    return s->r && s->side && s->matrix ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* The state of the simulation, and from where the search begins. */
static taut_status read_start(taut_rest *s, taut_errors *errors) {
    const taut_prepared *p = s->simulation->prepared;
    const int n = p->problem->system.n;
    s->n = n;
    s->x = TAUT_NEW_ARRAY(&s->arena, n + 1, double);
    s->rate = TAUT_NEW_ARRAY(&s->arena, n + 1, double);
    if (!s->x || !s->rate) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_simulation_get_state(s->simulation, &s->state, errors));
    for (int j = 0; j < n; j++) {
        s->x[j] = *taut_state_at(s->state, j, 0);
        if (p->structure.offsets.d[j] > 0) s->rate[j] = *taut_state_at(s->state, j, 1);
    }
    return TAUT_OK;
}

/* What is left at the last point. */
static taut_status fail_at_rest(taut_rest *s, taut_errors *errors) {
    const int n = size_of(s);
    char name[200] = "?";
    double most = 0.0;
    if (!isfinite(visit(s, s->x, s->rate, s->p)))
        return taut_fail(errors, TAUT_ERR_NUMERICS,
                         "no equilibrium was found: at rest there is no consistent state");
    for (int i = 0; i < s->rows; i++) {
        if (!(fabs(s->r[i]) > fabs(most))) continue;
        most = s->r[i];
        if (s->row[i].function < n)
            taut_derivative_name(s->series->system, s->row[i].function, s->row[i].level, name,
                                 sizeof name);
        else
            snprintf(name, sizeof name, "%s",
                     s->row[i].level > 0 ? "a rate that should be steady"
                                         : "what 'Trim' wants, less its value,");
    }
    return taut_fail(errors, TAUT_ERR_NUMERICS,
                     "no equilibrium was found: %s = %.6g is left at the last state", name, most);
}

/* Newton's method from x, rate and p, piece by piece; *found: the state is an equilibrium. */
static taut_status search(taut_rest *s, shift *at, bool *found) {
    const size_t bytes = (size_t)size_of(s) * sizeof *at->x;
    for (int piece = 0; piece < PIECES; piece++) {
        bool changed = false;
        memcpy(at->x, s->x, bytes);
        memcpy(at->rate, s->rate, bytes);
        memcpy(at->p, s->p, (size_t)s->frees * sizeof *at->p);
        TAUT_TRY(newton(s, at, found));
        if (!*found) return TAUT_OK;
        memcpy(s->p, at->p, (size_t)s->frees * sizeof *at->p);
        fill_state(s);
        if (!s->bends) return TAUT_OK;
        read_point(s, at->x, at->rate);
        const taut_status status = taut_rest_follow(s, &changed);
        *found = status == TAUT_OK;
        if (status != TAUT_ERR_NUMERICS) TAUT_TRY(status);
        if (!*found || !changed) return TAUT_OK;
        memcpy(s->x, at->x, bytes);
        memcpy(s->rate, at->rate, bytes);
    }
    *found = false;
    return TAUT_OK;
}

/* The pieces that hold where the motion was stopped. */
static taut_status follow_burst(taut_rest *s) {
    bool changed;
    if (!s->bends || !isfinite(visit(s, s->x, s->rate, s->p))) return TAUT_OK;
    fill_state(s);
    const taut_status status = taut_rest_follow(s, &changed);
    return status == TAUT_ERR_NUMERICS ? TAUT_OK : status;
}

/* By optimisation, then as before; the place stays where it was if that is not found. */
static taut_status optimise(taut_rest *s, shift *at, bool *found) {
    shift before;
    bool moved;
    const size_t bytes = (size_t)size_of(s) * sizeof *s->x, free = (size_t)s->frees * sizeof *s->p;
    TAUT_TRY(new_shift(s, &before));
    memcpy(before.x, s->x, bytes);
    memcpy(before.rate, s->rate, bytes);
    memcpy(before.p, s->p, free);
    TAUT_TRY(taut_rest_optimise(s, &moved));
    if (moved) TAUT_TRY(search(s, at, found));
    if (*found) return TAUT_OK;
    memcpy(s->x, before.x, bytes);
    memcpy(s->rate, before.rate, bytes);
    memcpy(s->p, before.p, free);
    return TAUT_OK;
}

taut_status taut_rest_find(taut_rest *s, int bursts, taut_errors *errors) {
    bool found = false, moved = true;
    const taut_problem *problem = s->simulation->prepared->problem; /* gone, perhaps, if it bends */
    const bool damped = problem->energy != TAUT_NO_NODE && s->frees == 0 && s->model->wants == 0;
    shift at;
    s->largest = 0.0;
    TAUT_TRY(new_shift(s, &at));
    for (int i = 0; i <= bursts && moved; i++) {
        TAUT_TRY(taut_bounds_ask());
        TAUT_TRY(search(s, &at, &found));
        if (found) return TAUT_OK;
        if (!damped || i == bursts) break;
        TAUT_TRY(burst(s, s->x, &moved));
        TAUT_TRY(follow_burst(s));
        if (!s->bends && s->simulation->prepared->problem != problem) /* the search is lost */
            return taut_fail(errors, TAUT_ERR_NUMERICS,
                             "no equilibrium was found: on the way constraints become redundant");
    }
    /* last, because the motion leads to states that are stable, and this to any */
    TAUT_TRY(optimise(s, &at, &found));
    if (found) return TAUT_OK;
    return fail_at_rest(s, errors);
}

taut_status taut_rest_wander(taut_rest *s, int number) {
    const int n = size_of(s);
    shift at;
    TAUT_TRY(new_shift(s, &at));
    const double part = taut_random_unit(taut_random_bits(2, (uint64_t)number, 0)) * 2.0 * STRIDE;
    const double size = fmax(length_of(s->x, n), 1e-3);
    for (int stride = 0; stride < STRIDES; stride++) {
        if (!isfinite(visit(s, s->x, s->rate, s->p))) return TAUT_SINGULAR;
        read_point(s, s->x, s->rate);
        TAUT_TRY(taut_variational_find(s->v));
        memset(at.x, 0, (size_t)n * sizeof *at.x);
        for (int k = s->frees; k < taut_variational_directions(s->v); k++) {
            double along = 0.0;
            for (int j = 0; j < n; j++)
                along +=
                    taut_variational_of(s->v, j, 0, k, NULL) *
                    (taut_random_unit(taut_random_bits(1, (uint64_t)number, (uint64_t)j)) - 0.5);
            for (int j = 0; j < n; j++) at.x[j] += along * taut_variational_of(s->v, j, 0, k, NULL);
        }
        const double length = length_of(at.x, n);
        for (int j = 0; j < n && length > 0.0; j++) s->x[j] += at.x[j] * part * size / length;
    }
    return TAUT_OK;
}

taut_status taut_rest_open(const taut_model *model, const taut_run_options *options, taut_rest *s,
                           taut_errors *errors) {
    *s = (taut_rest){.model = model,
                     .steady = model->steadies > 0,
                     .bends = model->kinks + model->lookups + model->contacts > 0};
    taut_run_options own = options ? *options : taut_run_options_default();
    own.from = NULL;
    own.last = NULL;
    own.has_tend = true;
    own.tend = model->t0 + LATE;
    own.reactions = false;
    own.starts = 0;
    TAUT_TRY(list_free(s));
    TAUT_TRY(taut_simulation_make(model, &own, s->frees > 0 || s->bends, &s->simulation, errors));
    s->simulation->plan.adapts = false;
    TAUT_TRY(taut_simulation_start(s->simulation, errors));
    TAUT_TRY(read_start(s, errors));
    if (!s->bends) return taut_rest_prepare(s);
    bool changed;
    taut_state_forget(s->state);
    return taut_rest_follow(s, &changed);
}

void taut_rest_release(taut_rest *s) {
    taut_variational_free(&s->v);
    taut_simulation_free(&s->simulation);
    taut_state_free(&s->state);
    taut_arena_release(&s->arena);
}
