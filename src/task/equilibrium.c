/* A state of rest: Gauss-Newton on the manifold of the constraints, for "all derivatives are zero",
 * with the directions of the variational equations; where that does not help, kinetic damping: the
 * motion from rest to its next peak of kinetic energy, and rest again
 * (docs/math/linearisation.md). */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "task/happen.h"
#include "task/linear.h"

enum { ROUNDS = 60, HALVINGS = 12, PROJECTIONS = 4, BURSTS = 100, STEPS = 100000, BISECTIONS = 60 };
static const double LONGEST = 0.3; /* a step, of the size of the positions */
static const double SMALL = 1e-9;  /* what is left of the accelerations, of the largest so far */
static const double FINISHED = 1e-15;
static const double LATE = 1e6; /* the end of runs that are looked at for their peaks */

typedef struct search {
    taut_arena arena;
    taut_simulation *simulation;
    taut_state *state;
    taut_variational *v;
    taut_series *series;
    int rows; /* derivatives that are to vanish */
    double *r, *matrix, *side, *x;
    double largest; /* length of r so far */
} search;

static const int *orders(const search *s) { return s->series->structure->offsets.d; }

static bool is_passive(const search *s, int j) { return s->series->system->unknown[j].passive; }

/* ---- the point ---- */

/* The state with positions moved by the directions times a, at rest, on the constraints; NULL: not
 * moved. The derivatives that are to vanish are then in r; infinity: there is no such point. */
static double visit(search *s, const double *from, const double *shift) {
    const int *d = orders(s), n = s->series->system->n;
    double sum = 0.0;
    taut_series_start(s->series, s->state->t, 1.0);
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= d[j]; k++)
            taut_series_set(s->series, j, k,
                            k > 0 && !is_passive(s, j) ? 0.0
                            : k == 0                   ? from[j] + (shift ? shift[j] : 0.0)
                                                       : 0.0);
    for (int i = 0; i < PROJECTIONS; i++) {
        if (taut_series_settle(s->series, true, NULL, NULL) != TAUT_OK) return HUGE_VAL;
    }
    int row = 0;
    for (int j = 0; j < n; j++)
        for (int k = 1; k <= d[j] && !is_passive(s, j); k++) {
            s->r[row] = taut_series_get(s->series, j, k);
            sum += s->r[row] * s->r[row];
            row++;
        }
    return isfinite(sum) ? sqrt(sum) : HUGE_VAL;
}

static void read_positions(const search *s, double *x) {
    for (int j = 0; j < s->series->system->n; j++) x[j] = taut_series_get(s->series, j, 0);
}

/* ---- Gauss-Newton ---- */

/* The shift of x_j that would make all derivatives vanish, if they were linear. */
static taut_status find_shift(search *s, double *shift) {
    const int *d = orders(s), n = s->series->system->n;
    TAUT_TRY(taut_variational_find(s->v));
    const int directions = taut_variational_directions(s->v);
    memset(shift, 0, (size_t)n * sizeof *shift);
    if (directions == 0 || s->rows == 0) return TAUT_OK;
    int row = 0, rank;
    for (int j = 0; j < n; j++)
        for (int k = 1; k <= d[j] && !is_passive(s, j); k++, row++) {
            for (int a = 0; a < directions; a++)
                s->matrix[a * s->rows + row] = taut_variational_of(s->v, j, k, a, NULL);
            s->side[row] = -s->r[row];
        }
    TAUT_TRY(taut_least_norm(s->rows, directions, s->matrix, s->side, 1e-10, &rank));
    for (int j = 0; j < n; j++)
        for (int a = 0; a < directions; a++)
            shift[j] += s->side[a] * taut_variational_of(s->v, j, 0, a, NULL);
    return TAUT_OK;
}

static double length_of(const double *x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* From the positions in x towards rest; *found: the series is there. x holds the last positions. */
static taut_status newton(search *s, double *x, bool *found) {
    const int n = s->series->system->n;
    double *shift = TAUT_NEW_ARRAY(&s->arena, n, double),
           *part = TAUT_NEW_ARRAY(&s->arena, n, double);
    if (!shift || !part) return TAUT_ERR_MEMORY;
    double now = visit(s, x, NULL);
    *found = false;
    for (int round = 0; round < ROUNDS && isfinite(now); round++) {
        read_positions(s, x);
        s->largest = fmax(s->largest, now);
        const taut_status status = find_shift(s, shift);
        if (status == TAUT_SINGULAR) return TAUT_OK;
        TAUT_TRY(status);
        const double size = fmax(length_of(x, n), 1e-3), step = length_of(shift, n);
        double factor = step > LONGEST * size ? LONGEST * size / step : 1.0, next = HUGE_VAL;
        for (int i = 0; i < HALVINGS && !(next < now); i++, factor *= 0.5) {
            for (int j = 0; j < n; j++) part[j] = factor * shift[j];
            next = visit(s, x, part);
        }
        if (!(next < now) || step <= FINISHED * size) {
            now = visit(s, x, NULL);
            *found = now <= SMALL * fmax(s->largest, 1.0) && step <= 1e-6 * size;
            return TAUT_OK;
        }
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
static void fill_state(search *s) {
    taut_state_read(s->state, s->series);
    taut_state_forget(s->state);
}

/* Runs from rest at x to the next peak of kinetic energy; x becomes the positions there. *moved:
 * there was one. */
static taut_status burst(search *s, double *x, bool *moved) {
    taut_simulation *sim = s->simulation;
    const double t = s->state->t;
    *moved = false;
    if (!isfinite(visit(s, x, NULL))) return TAUT_OK;
    fill_state(s);
    if (taut_simulation_set_state(sim, s->state, NULL) != TAUT_OK) return TAUT_OK;
    double before = kinetic_at(sim, sim->stepper->t);
    for (int i = 0; i < STEPS; i++) {
        if (taut_simulation_step(sim, NULL) != TAUT_OK) return TAUT_OK;
        const double now = kinetic_at(sim, sim->stepper->t);
        if (!isfinite(now)) return TAUT_OK;
        if (now < before || kinetic_at(sim, peak_of(sim)) > now * (1.0 + 1e-9)) {
            const double peak = peak_of(sim);
            for (int j = 0; j < s->series->system->n; j++)
                x[j] = taut_stepper_value(sim->stepper, j, 0, peak);
            *moved = true;
            break;
        }
        before = now;
    }
    s->state->t = t;
    return TAUT_OK;
}

/* ---- the whole ---- */

static taut_status prepare(search *s, taut_errors *errors) {
    const taut_prepared *p = s->simulation->prepared;
    const int n = p->problem->system.n, *d = p->structure.offsets.d;
    taut_tie *tie;
    int ties, values = 0;
    taut_node *function = TAUT_NEW_ARRAY(&s->arena, n, taut_node);
    int *level = TAUT_NEW_ARRAY(&s->arena, n, int);
    if (!function || !level) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) {
        function[j] = taut_variable(p->problem->graph, j);
        level[j] = d[j];
        values += d[j];
        if (!p->problem->system.unknown[j].passive) s->rows += d[j];
    }
    TAUT_TRY(taut_linear_ties(p->problem, &s->arena, &tie, &ties));
    const taut_variational_order order = {
        .function = function, .levels = level, .functions = n, .tie = tie, .ties = ties};
    TAUT_TRY(taut_variational_create(&p->problem->system, &p->structure, &order, &s->v));
    s->series = taut_variational_series(s->v);
    s->r = TAUT_NEW_ARRAY(&s->arena, values + 1, double);
    s->side = TAUT_NEW_ARRAY(&s->arena, values + 1, double);
    s->x = TAUT_NEW_ARRAY(&s->arena, n + 1, double);
    s->matrix = TAUT_NEW_ARRAY(&s->arena, (size_t)values * (size_t)values + 1, double);
    if (!s->r || !s->side || !s->x || !s->matrix) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_simulation_get_state(s->simulation, &s->state, errors));
    for (int j = 0; j < n; j++) s->x[j] = *taut_state_at(s->state, j, 0);
    return TAUT_OK;
}

/* What moves most at the last point. */
static taut_status fail_at_rest(search *s, taut_errors *errors) {
    const int *d = orders(s), n = s->series->system->n;
    char name[200] = "?";
    double most = 0.0;
    if (!isfinite(visit(s, s->x, NULL)))
        return taut_fail(errors, TAUT_ERR_NUMERICS,
                         "no equilibrium was found: at rest there is no consistent state");
    for (int j = 0; j < n; j++)
        for (int k = 1; k <= d[j] && !is_passive(s, j); k++) {
            const double value = taut_series_get(s->series, j, k);
            if (!(fabs(value) > fabs(most))) continue;
            most = value;
            taut_derivative_name(s->series->system, j, k, name, sizeof name);
        }
    return taut_fail(errors, TAUT_ERR_NUMERICS,
                     "no equilibrium was found: %s = %.6g is left at the last state", name, most);
}

static taut_status look(search *s, taut_errors *errors) {
    bool found = false, moved = true;
    TAUT_TRY(prepare(s, errors));
    const taut_problem *problem = s->simulation->prepared->problem;
    for (int i = 0; i <= BURSTS && moved; i++) {
        double *x = TAUT_NEW_ARRAY(&s->arena, s->series->system->n + 1, double);
        if (!x) return TAUT_ERR_MEMORY;
        memcpy(x, s->x, (size_t)s->series->system->n * sizeof *x);
        TAUT_TRY(newton(s, x, &found));
        if (found) {
            fill_state(s);
            return TAUT_OK;
        }
        if (s->simulation->prepared->problem->energy == TAUT_NO_NODE) break;
        TAUT_TRY(burst(s, s->x, &moved));
        if (s->simulation->prepared->problem != problem) /* other equations: the search is lost */
            return taut_fail(errors, TAUT_ERR_NUMERICS,
                             "no equilibrium was found: on the way constraints become redundant");
    }
    return fail_at_rest(s, errors);
}

taut_status taut_equilibrium(const taut_model *model, const taut_run_options *options,
                             taut_state **state, taut_errors *errors) {
    TAUT_NEED(state, "state", errors);
    *state = NULL;
    TAUT_NEED(model, "model", errors);
    TAUT_TRY(taut_happen_refuse_rest(model, errors));
    search s = {0};
    taut_run_options own = options ? *options : taut_run_options_default();
    own.from = NULL;
    own.last = NULL;
    own.has_tend = true;
    own.tend = model->t0 + LATE;
    taut_status status = taut_simulation_make(model, &own, false, &s.simulation, errors);
    if (status == TAUT_OK) s.simulation->plan.adapts = false;
    if (status == TAUT_OK) status = taut_simulation_start(s.simulation, errors);
    if (status == TAUT_OK) status = look(&s, errors);
    taut_variational_free(&s.v);
    taut_simulation_free(&s.simulation);
    taut_arena_release(&s.arena);
    if (status == TAUT_OK)
        *state = s.state;
    else
        taut_state_free(&s.state);
    return status;
}
