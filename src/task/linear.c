/* Linearisation at points of a run (docs/math/linearisation.md). Each point: variational equations
 * of the problem in use there, states by name, A, B, C, D from variations, eigenvalues; then once
 * more a moment later, to see whether A depends on time. */
#include "task/linear.h"
#include "task/resolve.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dense.h"
#include "core/text.h"
#include "model/parameters.h"
#include "model/trim.h"
#include "task/allowance.h"
#include "task/options.h"

enum {
    COOKIE = 0x7a0720,
    MOST_POINTS = 100000, /* of one call */
    STAGES = 14           /* of the series that looks a moment ahead */
};
static const double WORST = 1e8;                 /* condition of the states */
static const double CHANGES = 1e-7;              /* of A, relative: it depends on time */
static const double SIDES = 1e-10;               /* of matrices, relative: beyond a kink */
static const double RESTS = 1e-8;                /* rates, beside their terms */
static const double STANDS = 1e-12;              /* rates, beside values */
static const double ROUNDING = 1000.0 * 2.2e-16; /* of the terms of an entry */
static const double MOMENT = 1e-12;              /* error of the look ahead */

taut_linear_options taut_linear_options_default(void) {
    return (taut_linear_options){.cookie = COOKIE};
}

/* A point: what is asked for, the equations for it, and the matrices. */
typedef struct spot {
    taut_arena arena;
    taut_catalogue catalogue;
    taut_picks states, outputs, shapes, unknowns;
    taut_picks candidates; /* of which states are chosen */
    bool turns;            /* with rotations in joints */
    taut_variational *v;
    double *weight;                  /* [inputs * parameters] */
    taut_linear_reactions reactions; /* reactions.balance NULL: none are asked for */
    double *A, *B, *C, *D, *x0, *y0, *rate;
    int boundaries;     /* the first function of those of kinks and tables */
    double *S, *shape0; /* of shapes: as C and y0 */
    double *R, *Ru;     /* of unknowns: as C and D */
} spot;

/* One call. */
typedef struct job {
    taut_linear *linear;
    const taut_linear_options *options;
    const taut_run_options *run;
    taut_model *model; /* with inputs that stay symbols */
    taut_simulation *simulation;
    taut_linear_inputs in;
    const char *states;     /* of the first point, for the later ones; NULL: none yet */
    spot kept;              /* of the last point, for the next one if it has the same equations */
    unsigned long kept_for; /* the serial number of these; 0: none */
    bool kept_named;        /* its states were given by name */
    taut_errors *errors;
} job;

/* ---- variational equations ---- */

static const char *default_outputs(const job *j, taut_arena *arena) {
    taut_string list = {0};
    const taut_model *m = j->model;
    if (j->options->outputs) return j->options->outputs;
    for (int i = 0; i < m->outputs.count; i++)
        taut_string_add(&list, "%s%s", i ? "," : "", m->outputs.item[i].name);
    const char *copy =
        list.failed ? NULL : taut_arena_copy(arena, list.text ? list.text : "", list.length);
    taut_string_release(&list);
    return copy;
}

/* What is asked for, and the equations for it. */
static taut_status set_up(job *j, spot *s) {
    const taut_prepared *p = j->simulation->prepared;
    const char *outputs = default_outputs(j, &s->arena), *states = j->options->states;
    taut_tie *tie;
    int ties;
    if (!outputs) return TAUT_ERR_MEMORY;
    if (j->states) states = j->states;
    TAUT_TRY(taut_catalogue_create(p->problem, &p->structure, &s->arena, &s->catalogue));
    if (!j->options->states || strstr(j->options->states, ".turn"))
        TAUT_TRY(taut_catalogue_add_turns(&s->catalogue, p->problem, &p->structure));
    TAUT_TRY(
        taut_catalogue_read(&s->catalogue, outputs, "outputs", 0, false, &s->outputs, j->errors));
    if (j->options->shapes && j->model->kind == TAUT_MODEL_MECHANISM)
        TAUT_TRY(taut_catalogue_elements(&s->catalogue, &s->shapes));
    if (j->options->redundant)
        TAUT_TRY(taut_catalogue_unknowns(&s->catalogue, &p->problem->system, &s->unknowns));
    if (states)
        TAUT_TRY(
            taut_catalogue_read(&s->catalogue, states, "states", 1, true, &s->states, j->errors));
    else
        TAUT_TRY(taut_catalogue_candidates(&s->catalogue, &s->states));
    s->candidates = s->states;
    for (int i = 0; i < s->catalogue.count; i++) /* values of drivers that are inputs */
        for (int u = 0; u < j->in.count; u++)
            if (j->in.order[u] == 0 && strcmp(s->catalogue.item[i].name, j->in.name[u]) == 0 &&
                s->catalogue.item[i].level < 2)
                s->catalogue.item[i].level = 2;
    const bool reacts = taut_picks_react(&s->catalogue, &s->outputs);
    const int boundaries = taut_linear_boundaries(p->problem->model);
    const int most =
        s->catalogue.count + (reacts ? 3 * p->problem->reactions->vectors : 0) + boundaries;
    taut_node *function = TAUT_NEW_ARRAY(&s->arena, most, taut_node);
    int *level = TAUT_NEW_ARRAY(&s->arena, most, int), functions = 0;
    int *offset = TAUT_NEW_ARRAY(&s->arena, most, int);
    if (!function || !level || !offset) return TAUT_ERR_MEMORY;
    for (int i = 0; i < most; i++) offset[i] = INT_MIN;
    for (int i = 0; i < s->catalogue.count; i++) {
        taut_named *q = &s->catalogue.item[i];
        if (q->level < 0 || q->reacts) continue;
        function[functions] = q->node;
        level[functions] = q->level > 1 ? q->level : 1;
        if (q->turns) offset[functions] = q->offset;
        q->slot = functions++;
    }
    if (reacts)
        TAUT_TRY(taut_linear_reactions_create(p->problem->reactions, &s->arena, function, level,
                                              &functions, &s->reactions));
    s->boundaries = functions;
    for (int i = 0; i < boundaries; i++)
        function[functions++] = taut_linear_boundary(p->problem, i);
    TAUT_TRY(taut_linear_ties(p->problem, &s->arena, &tie, &ties));
    TAUT_TRY(taut_linear_weigh(j->model, p->problem->graph, j->in.parameter, j->in.count, &s->arena,
                               &s->weight));
    const taut_variational_order order = {.function = function,
                                          .levels = level,
                                          .offset = offset,
                                          .functions = functions,
                                          .weight = s->weight,
                                          .inputs = j->in.count,
                                          .parameters = j->model->parameters,
                                          .tie = tie,
                                          .ties = ties,
                                          .stages = STAGES};
    return taut_variational_create(&p->problem->system, &p->structure, &order, &s->v);
}

/* Brings the series to a consistent point near its values, and finds the directions there. */
static taut_status find_directions(const job *j, spot *s, bool project) {
    taut_series *series = taut_variational_series(s->v);
    TAUT_TRY(taut_series_settle(series, project, NULL, NULL));
    taut_series_extend(series, 1, STAGES);
    TAUT_TRY(taut_variational_find(s->v));
    if (!s->reactions.balance) return TAUT_OK;
    return taut_linear_reactions_find(&s->reactions, s->v, &s->catalogue, &s->outputs, &s->arena,
                                      j->errors);
}

/* number: parameters that are not those of the file; NULL: they are. */
static taut_status go_to(const job *j, spot *s, double t, const double *number) {
    taut_linear_inputs_weigh(&j->in, j->model->parameters, t, s->weight);
    taut_series *series = taut_variational_series(s->v);
    const taut_stepper *stepper = j->simulation->stepper;
    const int *d = series->structure->offsets.d;
    const double h = stepper->t - stepper->begin;
    if (number) TAUT_TRY(taut_series_set_numbers(series, number)); /* events have changed some */
    taut_series_start(series, t, h != 0.0 ? h : 1.0);
    for (int i = 0; i < series->system->n; i++)
        for (int k = 0; k <= d[i]; k++)
            taut_series_set(series, i, k, taut_stepper_value(stepper, i, k, t));
    return find_directions(j, s, t != stepper->begin);
}

/* ---- the matrices ---- */

static double vary(const spot *s, const taut_pick *pick, int above, int direction, double *terms) {
    const taut_named *q = &s->catalogue.item[pick->item];
    if (q->reacts) {
        const size_t row = (size_t)direction * (size_t)s->reactions.reactions->columns;
        const double value = s->reactions.vary[row + (size_t)q->reaction];
        if (terms) *terms = fabs(value);
        return value;
    }
    return taut_variational_of(s->v, s->catalogue.item[pick->item].slot, pick->level + above,
                               direction, terms);
}

/* The number of the state that is this derivative of a pick; -1: it is none. */
static int state_of(const spot *s, const taut_pick *pick, int above) {
    for (int k = 0; k < s->states.count; k++)
        if (s->states.item[k].item == pick->item && s->states.item[k].level == pick->level + above)
            return k;
    return -1;
}

/* Adds part * row to a sum, and its size to that of the terms. */
static void add_row(int count, double part, double size, const double *row, double *sum,
                    double *terms) {
    for (int k = 0; k < count; k++) {
        sum[k] += part * row[k];
        terms[k] += size * fabs(row[k]);
    }
}

/* A row of picks by states and inputs: what varies in directions, times directions by states. What
 * is no more than the rounding of its terms is 0: chains of free motions would turn it into
 * eigenvalues that are not there. */
static void fill_row(const job *j, const spot *s, const taut_pick *pick, int above,
                     const double *inverse, double *sum, double *terms) {
    const int n = s->states.count, m = j->in.count, width = n + m;
    memset(sum, 0, (size_t)width * sizeof *sum);
    memset(terms, 0, (size_t)width * sizeof *terms);
    for (int u = 0; u < m; u++) sum[n + u] = vary(s, pick, above, u, &terms[n + u]);
    for (int a = 0; a < n; a++) {
        double size;
        const double part = vary(s, pick, above, m + a, &size);
        if (part != 0.0 || size != 0.0)
            add_row(width, part, size, inverse + (size_t)a * (size_t)width, sum, terms);
    }
    for (int k = 0; k < width; k++)
        if (fabs(sum[k]) <= ROUNDING * terms[k]) sum[k] = 0.0;
}

/* Rows of all picks; those that are states themselves need no computation. */
static taut_status fill_rows(const job *j, const spot *s, const taut_picks *picks, int above,
                             taut_arena *work, const double *inverse, double *by_states,
                             double *by_inputs) {
    const int n = s->states.count, m = j->in.count;
    double *sum = TAUT_NEW_ARRAY(work, 2 * (n + m) + 1, double), *terms = sum ? sum + n + m : NULL;
    if (!sum) return TAUT_ERR_MEMORY;
    for (int i = 0; i < picks->count; i++) {
        const int own = state_of(s, &picks->item[i], above);
        if (own >= 0) {
            by_states[i * n + own] = 1.0;
            continue;
        }
        fill_row(j, s, &picks->item[i], above, inverse, sum, terms);
        memcpy(by_states + (size_t)i * (size_t)n, sum, (size_t)n * sizeof *sum);
        memcpy(by_inputs + (size_t)i * (size_t)m, sum + n, (size_t)m * sizeof *sum);
    }
    return TAUT_OK;
}

/* Directions by states and inputs: W a = states - what inputs do to them directly. By rows: n + m
 * entries for each direction. */
static taut_status invert(const job *j, const spot *s, taut_arena *arena, double **inverse) {
    const int n = s->states.count, m = j->in.count;
    double *w = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)n, double);
    double *x = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)(n + m) + 1, double);
    int *pivot = TAUT_NEW_ARRAY(arena, n, int);
    *inverse = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)(n + m) + 1, double);
    if (!w || !x || !pivot || !*inverse) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < n; a++) w[a * n + i] = vary(s, &s->states.item[i], 0, m + a, NULL);
        x[i * n + i] = 1.0;
        for (int u = 0; u < m; u++) x[(n + u) * n + i] = -vary(s, &s->states.item[i], 0, u, NULL);
    }
    if (n > 0) TAUT_TRY(taut_dense_solve(n, n + m, w, x, pivot));
    for (int k = 0; k < n + m; k++)
        for (int a = 0; a < n; a++) (*inverse)[a * (n + m) + k] = x[k * n + a];
    return TAUT_OK;
}

/* Rows of further picks, if there are any, by states and by inputs (NULL: not wanted). */
static taut_status fill_further(const job *j, const spot *s, const taut_picks *picks,
                                taut_arena *work, const double *inverse, double **by_states,
                                double **by_inputs) {
    const size_t count = (size_t)picks->count;
    taut_arena *arena = &j->linear->arena;
    if (count == 0) return TAUT_OK;
    double *u = TAUT_NEW_ARRAY(arena, count * (size_t)j->in.count + 1, double);
    *by_states = TAUT_NEW_ARRAY(arena, count * (size_t)s->states.count + 1, double);
    if (by_inputs) *by_inputs = u;
    if (!*by_states || !u) return TAUT_ERR_MEMORY;
    return fill_rows(j, s, picks, 0, work, inverse, *by_states, u);
}

static taut_status fill_matrices(const job *j, spot *s) {
    taut_arena work = {0};
    double *inverse;
    const size_t n = (size_t)s->states.count, m = (size_t)j->in.count, o = (size_t)s->outputs.count;
    taut_arena *arena = &j->linear->arena;
    s->A = TAUT_NEW_ARRAY(arena, n * n + 1, double);
    s->B = TAUT_NEW_ARRAY(arena, n * m + 1, double);
    s->C = TAUT_NEW_ARRAY(arena, o * n + 1, double);
    s->D = TAUT_NEW_ARRAY(arena, o * m + 1, double);
    taut_status status = s->A && s->B && s->C && s->D ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = invert(j, s, &work, &inverse);
    if (status == TAUT_OK) {
        status = fill_rows(j, s, &s->states, 1, &work, inverse, s->A, s->B);
    }
    if (status == TAUT_OK) {
        status = fill_rows(j, s, &s->outputs, 0, &work, inverse, s->C, s->D);
    }
    if (status == TAUT_OK) status = fill_further(j, s, &s->shapes, &work, inverse, &s->S, NULL);
    if (status == TAUT_OK) status = fill_further(j, s, &s->unknowns, &work, inverse, &s->R, &s->Ru);
    taut_arena_release(&work);
    return status;
}

static taut_status fill_values(const job *j, const spot *s, const taut_picks *picks, int above,
                               double **value) {
    *value = TAUT_NEW_ARRAY(&j->linear->arena, picks->count + 1, double);
    if (!*value) return TAUT_ERR_MEMORY;
    for (int i = 0; i < picks->count; i++) {
        const taut_named *q = &s->catalogue.item[picks->item[i].item];
        (*value)[i] = q->reacts
                          ? s->reactions.value[q->reaction]
                          : taut_variational_value(s->v, q->slot, picks->item[i].level + above);
    }
    return TAUT_OK;
}

/* ---- states ---- */

static taut_status refuse_states(const job *j, const spot *s, double condition, double t) {
    const int need = taut_variational_directions(s->v) - j->in.count, have = s->states.count;
    if (have < need)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.states: %d independent states are needed at t = %.10g, and these "
                         "are %d",
                         need, t, have);
    if (have > need)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.states: there are %d independent states at t = %.10g, but these "
                         "are %d: some follow from others; leave out %d",
                         need, t, have, have - need);
    return taut_fail(j->errors, TAUT_ERR_CALL,
                     "options.states: these states depend on each other at t = %.10g (condition "
                     "%.2g, and up to %g is accepted): choose others",
                     t, condition, WORST);
}

static taut_status settle_states(job *j, spot *s, double t, double *condition) {
    const char *list = j->options->states;
    if (j->states)
        TAUT_TRY(taut_states_prune(s->v, &s->catalogue, j->in.count, false, &s->arena, &s->states));
    else if (list)
        TAUT_TRY(taut_states_prune(s->v, &s->catalogue, j->in.count, !strchr(list, '\''), &s->arena,
                                   &s->states));
    else
        TAUT_TRY(
            taut_states_choose(s->v, &s->catalogue, j->in.count, s->turns, &s->arena, &s->states));
    TAUT_TRY(taut_states_condition(s->v, &s->catalogue, j->in.count, &s->states, condition));
    if (!(*condition <= WORST)) return refuse_states(j, s, *condition, t);
    if (j->states) return TAUT_OK;
    taut_string names = {0};
    for (int i = 0; i < s->states.count; i++)
        taut_string_add(&names, "%s%s", i ? "," : "", s->states.item[i].name);
    /* a prime somewhere says that the list is meant as it is; a comma at the end does no harm */
    if (!names.failed)
        j->states = taut_arena_copy(&j->linear->arena, names.text ? names.text : "", names.length);
    taut_string_release(&names);
    return j->states ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* ---- is it steady? ---- */

/* As long as the Taylor polynomial of a variable is good. */
static double reach_of(const taut_series *series, int i) {
    const int d = series->structure->offsets.d[i], last = d + STAGES;
    double size = 1e-3, factorial = 1.0, h = HUGE_VAL;
    for (int k = 0; k <= d; k++) size = fmax(size, fabs(taut_series_get(series, i, k)));
    for (int k = 1; k <= last; k++) {
        factorial *= (double)k;
        const double x = fabs(taut_series_get(series, i, k)) / factorial;
        if (k > last - 4 && x > 0.0) h = fmin(h, pow(MOMENT * size / x, 1.0 / (double)k));
    }
    return h;
}

/* Moves the series to a moment later, by its polynomials; x: room for all x_j^(k), k <= d_j. */
static void look_ahead(taut_series *series, double *x) {
    const int *d = series->structure->offsets.d, n = series->system->n;
    const double t = series->jet->t;
    double h = HUGE_VAL;
    int at = 0;
    for (int i = 0; i < n; i++) h = fmin(h, reach_of(series, i));
    if (!isfinite(h)) h = 1.0; /* nothing moves */
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= d[i]; k++, at++) {
            double power = 1.0;
            x[at] = 0.0;
            for (int m = 0; k + m <= d[i] + STAGES; m++) {
                x[at] += power * taut_series_get(series, i, k + m);
                power *= h / (double)(m + 1);
            }
        }
    taut_series_start(series, t + h, h);
    at = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= d[i]; k++) taut_series_set(series, i, k, x[at++]);
}

/* Do the states rest, but for those that nothing depends on? */
static bool rests(const spot *s) {
    const int n = s->states.count;
    double largest = 0.0;
    for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(s->A[i]));
    for (int k = 0; k < n; k++) {
        double column = 0.0, size = 0.0;
        for (int i = 0; i < n; i++) column = fmax(column, fabs(s->A[i * n + k]));
        for (int i = 0; i < n; i++) size += fabs(s->A[k * n + i]) * fmax(1.0, fabs(s->x0[i]));
        if (fabs(s->rate[k]) > RESTS * fmax(size, 1e-3) && column > RESTS * largest) return false;
    }
    return true;
}

/* Do the equations contain t? Arguments come before the nodes that contain them. */
static taut_status knows_time(const taut_system *system, taut_arena *arena, bool *knows) {
    const taut_graph *graph = system->graph;
    const uint32_t nodes = taut_graph_size(graph);
    bool *needed = TAUT_NEW_ARRAY(arena, nodes, bool);
    *knows = false;
    if (!needed) return TAUT_ERR_MEMORY;
    for (int i = 0; i < system->n; i++) needed[system->equation[i].node] = true;
    for (uint32_t v = nodes; v-- > 0 && !*knows;) {
        const taut_node_data *d = taut_node_get(graph, v);
        *knows = needed[v] && d->op == TAUT_OP_TIME;
        for (uint32_t i = 0; i < d->count && needed[v]; i++)
            needed[taut_node_args(graph, v)[i]] = true;
    }
    return TAUT_OK;
}

/* Nothing moves, and nothing will: A stays without a look. */
static taut_status stands(const spot *s, taut_arena *arena, bool *still) {
    const taut_series *series = taut_variational_series(s->v);
    *still = true;
    for (int i = 0; i < series->system->n && *still; i++) {
        const double size = fmax(1e-3, fabs(taut_series_get(series, i, 0)));
        for (int k = 1; k <= series->structure->offsets.d[i] && *still; k++)
            *still = fabs(taut_series_get(series, i, k)) <= STANDS * size;
    }
    if (!*still) return TAUT_OK;
    bool knows;
    TAUT_TRY(knows_time(series->system, arena, &knows));
    *still = !knows;
    return TAUT_OK;
}

static taut_status is_steady(const job *j, spot *s, bool *steady) {
    const int n = s->states.count;
    const double *before = s->A;
    double largest = 0.0, change = 0.0;
    bool still = false;
    *steady = rests(s);
    if (*steady) TAUT_TRY(stands(s, &s->arena, &still));
    if (!*steady || still) return TAUT_OK;
    taut_series *series = taut_variational_series(s->v);
    int values = 1;
    for (int i = 0; i < series->system->n; i++) values += series->structure->offsets.d[i] + 1;
    double *x = TAUT_NEW_ARRAY(&s->arena, values, double);
    if (!x) return TAUT_ERR_MEMORY;
    look_ahead(series, x);
    taut_status status = find_directions(j, s, true);
    if (status == TAUT_OK) status = fill_matrices(j, s);
    if (status == TAUT_ERR_MEMORY) return status;
    for (int i = 0; i < n * n && status == TAUT_OK; i++) {
        largest = fmax(largest, fabs(before[i]));
        change = fmax(change, fabs(s->A[i] - before[i]));
    }
    *steady = status == TAUT_OK && change <= CHANGES * largest;
    return TAUT_OK;
}

/* ---- sides of kinks and tables ---- */

static bool are_same(const double *a, const double *b, int count) {
    double largest = 1e-300, change = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(a[i]));
        change = fmax(change, fabs(a[i] - b[i]));
    }
    return change <= SIDES * largest;
}

/* Are matrices and rates the same with these numbers? The spot's become other ones. */
static taut_status is_smooth(const job *j, spot *s, const double *number,
                             const taut_linear_point *p, const double *rate, bool *same) {
    const int n = p->states, m = p->inputs, o = p->outputs;
    const int errors = j->errors ? j->errors->count : 0;
    *same = false;
    taut_status status = go_to(j, s, p->t, number);
    if (status == TAUT_OK) status = fill_matrices(j, s);
    if (status == TAUT_OK) status = fill_values(j, s, &s->states, 1, &s->rate);
    if (status == TAUT_OK) status = fill_values(j, s, &s->outputs, 0, &s->y0);
    if (j->errors) j->errors->count = errors; /* that there is nothing beyond is an answer */
    if (status != TAUT_OK) return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
    *same = are_same(p->A, s->A, n * n) && are_same(p->B, s->B, n * m) &&
            are_same(p->C, s->C, o * n) && are_same(p->D, s->D, o * m) &&
            are_same(rate, s->rate, n) && are_same(p->y0, s->y0, o);
    return TAUT_OK;
}

/* Where matrices differ beyond a boundary at which the point lies, it is said for which side they
 * hold. */
static taut_status add_sides(const job *j, spot *s, const double *now, const taut_linear_point *p,
                             double *number, taut_string *words) {
    const taut_model *m = j->simulation->prepared->problem->model;
    const int boundaries = taut_linear_boundaries(m);
    double *rate = s->rate, *y0 = s->y0;
    double *value = TAUT_NEW_ARRAY(&s->arena, boundaries, double);
    bool away = false;
    if (!value) return TAUT_ERR_MEMORY;
    for (int i = 0; i < boundaries; i++)
        value[i] = taut_variational_value(s->v, s->boundaries + i, 0);
    for (int i = 0; i < boundaries; i++) {
        bool same;
        memcpy(number, now, (size_t)taut_model_numbers(m) * sizeof *number);
        if (!taut_linear_beyond(m, i, value[i], number)) continue;
        away = true;
        TAUT_TRY(is_smooth(j, s, number, p, rate, &same));
        if (!same) taut_linear_side(m, i, now, words);
    }
    if (!away) return TAUT_OK;
    TAUT_TRY(go_to(j, s, p->t, now));
    s->rate = rate;
    s->y0 = y0;
    return fill_matrices(j, s);
}

static taut_status find_sides(const job *j, spot *s, taut_linear_point *p) {
    const taut_model *m = j->simulation->prepared->problem->model;
    const double *used = taut_numbers_in_use(j->simulation);
    taut_string words = {0};
    if (!used || taut_linear_boundaries(m) == 0) return TAUT_OK;
    const size_t count = (size_t)taut_model_numbers(m);
    double *now = TAUT_NEW_ARRAY(&s->arena, 2 * count, double);
    if (!now) return TAUT_ERR_MEMORY;
    memcpy(now, used, count * sizeof *now);
    taut_status status = add_sides(j, s, now, p, now + count, &words);
    if (status == TAUT_OK && words.failed) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK && words.length > 0) {
        p->side = taut_arena_copy(&j->linear->arena, words.text, words.length);
        if (!p->side) status = TAUT_ERR_MEMORY;
    }
    taut_string_release(&words);
    return status;
}

/* ---- a point ---- */

static taut_status names_of(const job *j, const taut_picks *picks, const char *const **names) {
    const char **name = TAUT_NEW_ARRAY(&j->linear->arena, picks->count + 1, const char *);
    if (!name) return TAUT_ERR_MEMORY;
    for (int i = 0; i < picks->count; i++)
        if (!(name[i] = taut_arena_copy(&j->linear->arena, picks->item[i].name,
                                        strlen(picks->item[i].name))))
            return TAUT_ERR_MEMORY;
    *names = name;
    return TAUT_OK;
}

/* The value of a driver, or of its derivative: that of what follows it. */
static double driver_value(const job *j, const spot *s, int u) {
    const char *name = j->in.name[u - j->in.order[u]];
    for (int i = 0; i < s->catalogue.count; i++)
        if (strcmp(s->catalogue.item[i].name, name) == 0)
            return taut_variational_value(s->v, s->catalogue.item[i].slot, j->in.order[u]);
    return (double)NAN;
}

static taut_status fill_forms(const job *j, const spot *s, taut_linear_point *p) {
    taut_arena *arena = &j->linear->arena;
    const char *const *state;
    if (j->options->redundant) {
        TAUT_TRY(names_of(j, &s->unknowns, &state));
        TAUT_TRY(
            taut_linear_redundant(p, state, s->unknowns.count, s->R, s->Ru, arena, &p->redundant));
    }
    if (!j->options->descriptor) return TAUT_OK;
    return taut_linear_descriptor(s->v, taut_variational_series(s->v), &s->catalogue, &s->outputs,
                                  j->in.count, arena, &p->descriptor, j->errors);
}

static taut_status fill_point(job *j, spot *s, double t, taut_linear_point *p) {
    taut_arena *arena = &j->linear->arena;
    *p = (taut_linear_point){.t = t, .inputs = j->in.count, .input = j->in.name, .side = ""};
    p->contacts = taut_contacts_words(j->simulation, arena);
    if (!p->contacts) return TAUT_ERR_MEMORY;
    TAUT_TRY(settle_states(j, s, t, &p->state_condition));
    p->states = s->states.count;
    p->outputs = s->outputs.count;
    TAUT_TRY(names_of(j, &s->states, &p->state));
    TAUT_TRY(names_of(j, &s->outputs, &p->output));
    TAUT_TRY(fill_matrices(j, s));
    TAUT_TRY(fill_values(j, s, &s->states, 0, &s->x0));
    TAUT_TRY(fill_values(j, s, &s->states, 1, &s->rate));
    TAUT_TRY(fill_values(j, s, &s->outputs, 0, &s->y0));
    double *u0 = TAUT_NEW_ARRAY(arena, j->in.count + 1, double);
    double *all = TAUT_NEW_ARRAY(
        arena, taut_graph_parameters(j->simulation->prepared->problem->graph) + 1, double);
    if (!u0 || !all) return TAUT_ERR_MEMORY;
    taut_parameter_values(j->simulation->prepared->problem->graph, all);
    for (int u = 0; u < j->in.count; u++)
        u0[u] = j->in.order[u] < 0 ? all[j->in.parameter[u]] : driver_value(j, s, u);
    p->A = s->A;
    p->B = s->B;
    p->C = s->C;
    p->D = s->D;
    p->x0 = s->x0;
    p->y0 = s->y0;
    p->u0 = u0;
    TAUT_TRY(taut_linear_eigen(arena, p));
    if (s->shapes.count > 0) {
        TAUT_TRY(fill_values(j, s, &s->shapes, 0, &s->shape0));
        TAUT_TRY(names_of(j, &s->shapes, &p->shape));
        TAUT_TRY(taut_linear_bodies(j->simulation->prepared->problem, &s->catalogue, &s->shapes,
                                    s->S, s->shape0, arena, p));
    }
    TAUT_TRY(fill_forms(j, s, p));
    TAUT_TRY(find_sides(j, s, p));
    return is_steady(j, s, &p->steady);
}

static taut_status explain(const job *j, taut_status status, double t) {
    if (status == TAUT_SINGULAR)
        return taut_fail(j->errors, TAUT_ERR_NUMERICS,
                         "the position at t = %.10g is singular: it has no linearisation", t);
    if (status == TAUT_ERR_NUMERICS && j->errors && j->errors->count == 0)
        return taut_fail(j->errors, status,
                         "there is no linearisation at t = %.10g: a value is "
                         "not finite",
                         t);
    return status;
}

static void release_spot(job *j) {
    taut_variational_free(&j->kept.v);
    taut_linear_reactions_release(&j->kept.reactions);
    taut_arena_release(&j->kept.arena);
    j->kept = (spot){0};
    j->kept_for = 0;
}

/* Equations for the point: those of the one before, if they are the same. */
static taut_status open_spot(job *j) {
    const unsigned long problem = j->simulation->prepared->problem->serial;
    if (j->kept_for && j->kept_for != problem && j->simulation->contacts)
        j->states = NULL; /* other modes have other states */
    const bool named = j->states != NULL;
    if (j->kept_for == problem && j->kept_named == named) return TAUT_OK;
    release_spot(j);
    TAUT_TRY(taut_linear_inputs_check(&j->in, j->simulation->prepared->problem->graph, "inputs",
                                      j->errors));
    TAUT_TRY(set_up(j, &j->kept));
    j->kept_for = problem;
    j->kept_named = named;
    return TAUT_OK;
}

static taut_status try_point(job *j, bool turns, double t, taut_linear_point *point) {
    spot *s = &j->kept;
    s->states = s->candidates;
    s->turns = turns;
    TAUT_TRY(go_to(j, s, t, taut_numbers_in_use(j->simulation)));
    return fill_point(j, s, t, point);
}

static bool has_turns(const taut_catalogue *c) {
    for (int i = 0; i < c->count; i++)
        if (c->item[i].turns) return true;
    return false;
}

/* Where A changes, because states turn with bodies, rotations in joints may do better. */
static taut_status do_point(job *j, double t, taut_linear_point *point) {
    taut_status status = open_spot(j);
    const bool chosen = !j->states && !j->options->states;
    if (status == TAUT_OK) status = try_point(j, false, t, point);
    if (status == TAUT_OK && chosen && !point->steady && has_turns(&j->kept.catalogue)) {
        const char *first = j->states;
        const taut_linear_point before = *point;
        const int errors = j->errors ? j->errors->count : 0;
        j->states = NULL;
        if (try_point(j, true, t, point) != TAUT_OK || !point->steady) {
            *point = before;
            j->states = first;
            if (j->errors) j->errors->count = errors;
        }
    }
    return explain(j, status, t);
}

/* ---- the whole ---- */

static taut_status check_times(const job *j) {
    const taut_simulation *s = j->simulation;
    const double sign = s->tend < s->t0 ? -1.0 : 1.0;
    for (int i = 0; i < j->run->ats; i++) {
        const double t = j->run->at[i];
        if (!(sign * (t - s->t0) >= 0.0) || !(sign * (s->tend - t) >= 0.0))
            return taut_fail(j->errors, TAUT_ERR_CALL,
                             "options.at = %.17g is outside the time span from %.17g to %.17g", t,
                             s->t0, s->tend);
        if (i > 0 && !(sign * (t - j->run->at[i - 1]) > 0.0))
            return taut_fail(j->errors, TAUT_ERR_CALL,
                             "the times of options.at must be in ascending order: %.17g follows "
                             "%.17g",
                             t, j->run->at[i - 1]);
    }
    return TAUT_OK;
}

/* Times of options.every: equidistant, both ends included if they fit; 0: it is not asked for. */
static int regular_times(const job *j) {
    const double span = fabs(j->simulation->tend - j->simulation->t0);
    if (j->run->ats > 0 || !(j->run->every > 0.0)) return 0;
    const double count = floor(span / j->run->every * (1.0 + 1e-12)) + 1.0;
    return count <= MOST_POINTS ? (int)count : -1;
}

static double time_of(const job *j, int i) {
    const taut_simulation *s = j->simulation;
    if (j->run->ats > 0) return j->run->at[i];
    const double t = s->t0 + (s->tend < s->t0 ? -1.0 : 1.0) * (double)i * j->run->every;
    return s->tend < s->t0 ? fmax(t, s->tend) : fmin(t, s->tend);
}

static taut_status do_points(job *j) {
    taut_simulation *s = j->simulation;
    const int regular = regular_times(j), given = regular ? regular : j->run->ats;
    const int points = given > 0 ? given : 1;
    if (regular < 0)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.every = %g: that are more than %d linearisations", j->run->every,
                         (int)MOST_POINTS);
    j->linear->point = TAUT_NEW_ARRAY(&j->linear->arena, points, taut_linear_point);
    if (!j->linear->point) return TAUT_ERR_MEMORY;
    const double n = s->prepared->problem->system.n;
    TAUT_TRY(taut_bounds_check("the matrices of all points", points * n, n, j->errors));
    for (int i = 0; i < points; i++) {
        TAUT_TRY(taut_bounds_ask());
        const double t = given > 0 ? time_of(j, i) : taut_simulation_time(s);
        if (given > 0) TAUT_TRY(taut_simulation_run_to(s, t, j->errors));
        TAUT_TRY(do_point(j, t, &j->linear->point[i]));
        j->linear->points++;
    }
    return TAUT_OK;
}

static taut_status perform(job *j, const taut_model *model) {
    const char **driver;
    int drivers;
    TAUT_TRY(taut_linear_drivers(model, j->options->inputs, &j->linear->arena, &driver, &drivers));
    const taut_variation variation = {.initial = model->initial,
                                      .initials = model->initials,
                                      .keep_inputs = true,
                                      .driver_input = driver,
                                      .driver_inputs = drivers};
    TAUT_TRY(taut_model_vary(model, &variation, &j->model, j->errors));
    TAUT_TRY(taut_linear_inputs_list(j->model, j->options->inputs, &j->linear->arena, &j->in,
                                     j->errors));
    taut_run_options own = *j->run;
    own.reactions = j->options->outputs && strchr(j->options->outputs, '.') &&
                    j->model->kind == TAUT_MODEL_MECHANISM; /* names of reactions have a point */
    TAUT_TRY(taut_simulation_make(j->model, &own, false, &j->simulation, j->errors));
    if (j->simulation->plan.stabilizing != TAUT_BY_PROJECTION)
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "constraints that decay are not those of the mechanism: linearise with "
                         "options.stabilize = \"projection\"");
    if (j->run->from)
        TAUT_TRY(taut_simulation_set_state(j->simulation, j->run->from, j->errors));
    else
        TAUT_TRY(taut_simulation_start(j->simulation, j->errors));
    TAUT_TRY(check_times(j));
    return do_points(j);
}

taut_status taut_linearize(const taut_model *model, const taut_run_options *options,
                           const taut_linear_options *linear, taut_linear **result,
                           taut_errors *errors) {
    const taut_run_options usual = taut_run_options_default();
    const taut_linear_options plain = taut_linear_options_default();
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    TAUT_NEED(model, "model", errors);
    if (options) TAUT_TRY(taut_options_check_cookie(options, errors));
    if (linear && linear->cookie != COOKIE)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the options have not been filled: begin with "
                         "taut_linear_options_default()");
    job j = {.options = linear ? linear : &plain,
             .run = options ? options : &usual,
             .errors = errors,
             .linear = taut_new(sizeof(taut_linear))};
    if (!j.linear) return TAUT_ERR_MEMORY;
    taut_allowance allowance;
    taut_allowance_begin(&allowance, j.run);
    const taut_status status = taut_allowance_end(&allowance, perform(&j, model), errors);
    release_spot(&j);
    taut_simulation_free(&j.simulation);
    taut_model_free(&j.model);
    if (status == TAUT_OK)
        *result = j.linear;
    else
        taut_linear_free(&j.linear);
    return status;
}

void taut_linear_free(taut_linear **linear) {
    if (!linear || !*linear) return;
    taut_arena_release(&(*linear)->arena);
    taut_release((void **)linear);
}

int taut_linear_points(const taut_linear *l) { return l ? l->points : 0; }

const taut_linear_point *taut_linear_at(const taut_linear *l, int k) {
    return l && k >= 0 && k < l->points ? &l->point[k] : NULL;
}
