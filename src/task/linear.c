/* Linearisation at points of a run (docs/math/linearisation.md). Each point: variational equations
 * of the problem in use there, states by name, A, B, C, D from variations, eigenvalues; then once
 * more a moment later, to see whether A depends on time. */
#include "task/linear.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "core/text.h"
#include "expr/diff.h"
#include "model/parameters.h"
#include "task/options.h"

enum { COOKIE = 0x7a0720, STAGES = 14 }; /* stages of the series that looks a moment ahead */
static const double WORST = 1e8;         /* condition of the states */
static const double CHANGES = 1e-7;      /* of A, relative: it depends on time */
static const double RESTS = 1e-8;        /* rates, beside their terms */
static const double ROUNDING = 1000.0 * 2.2e-16; /* of the terms of an entry */
static const double MOMENT = 1e-12;              /* error of the look ahead */

taut_linear_options taut_linear_options_default(void) {
    return (taut_linear_options){.cookie = COOKIE};
}

/* One call. */
typedef struct job {
    taut_linear *linear;
    const taut_linear_options *options;
    const taut_run_options *run;
    taut_model *model; /* with inputs that stay symbols */
    taut_simulation *simulation;
    const char **input; /* [inputs] names */
    int *parameter;     /* [inputs] and their numbers */
    int inputs;
    const char *states; /* of the first point, for the later ones; NULL: none yet */
    taut_errors *errors;
} job;

/* One point of it. */
typedef struct spot {
    taut_arena arena;
    taut_catalogue catalogue;
    taut_picks states, outputs;
    taut_variational *v;
    double *weight; /* [inputs * parameters] */
    double *A, *B, *C, *D, *x0, *y0, *rate;
} spot;

/* ---- inputs ---- */

static bool is_formula(const taut_model *m, const char *name) {
    for (int i = 0; i < m->inputs; i++)
        if (strcmp(m->input[i].name, name) == 0) return true;
    return false;
}

static taut_status add_input(job *j, const char *name) {
    const taut_yaml *inputs = taut_yaml_get(j->model->root, "Inputs");
    const int number = taut_model_find_parameter(j->model, name);
    taut_nearest nearest = {.wanted = name};
    if (is_formula(j->model, name))
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.inputs: '%s' is a formula of t here, not a number: leave out one "
                         "of the two",
                         name);
    for (int i = 0; inputs && i < inputs->count; i++)
        taut_nearest_offer(&nearest, inputs->keys[i]->text);
    if (number < 0 || !inputs || !taut_yaml_get(inputs, name))
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.inputs: the model has no input '%.80s'%s%s%s", name,
                         nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                         nearest.best ? "'?" : "");
    j->input[j->inputs] = taut_arena_copy(&j->linear->arena, name, strlen(name));
    j->parameter[j->inputs] = number;
    return j->input[j->inputs++] ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* All inputs that are numbers, or those of the list. */
static taut_status list_inputs(job *j) {
    const taut_yaml *inputs = taut_yaml_get(j->model->root, "Inputs");
    const char *list = j->options->inputs;
    int most = inputs ? inputs->count : 0;
    for (const char *p = list ? list : ""; *p; p++) most += *p == ',';
    j->input = TAUT_NEW_ARRAY(&j->linear->arena, most + 1, const char *);
    j->parameter = TAUT_NEW_ARRAY(&j->linear->arena, most + 1, int);
    if (!j->input || !j->parameter) return TAUT_ERR_MEMORY;
    for (int i = 0; !list && inputs && i < inputs->count; i++)
        if (!is_formula(j->model, inputs->keys[i]->text))
            TAUT_TRY(add_input(j, inputs->keys[i]->text));
    while (list && *list) {
        char name[TAUT_NAME_MAX + 1];
        size_t n = 0;
        for (; *list && *list != ','; list++)
            if (*list != ' ' && n < TAUT_NAME_MAX) name[n++] = *list;
        name[n] = '\0';
        if (*list) list++;
        TAUT_TRY(add_input(j, name));
    }
    return TAUT_OK;
}

/* dp/dq of a parameter's formula, for all parameters q, into row. */
static taut_status formula_partials(taut_sweep *sweep, taut_graph *graph, taut_node formula,
                                    int parameters, double *row) {
    memset(row, 0, (size_t)parameters * sizeof *row);
    taut_sweep_begin(sweep, TAUT_SWEEP_EVERY, NULL);
    taut_sweep_seed(sweep, formula, 1.0, taut_number(graph, 1.0));
    TAUT_TRY(taut_sweep_run(sweep));
    for (size_t k = 0; k < taut_sweep_reached(sweep); k++) {
        const taut_node_data *d = taut_node_get(graph, taut_sweep_variable(sweep, k));
        if (d->op == TAUT_OP_PARAM && d->index < parameters)
            row[d->index] = taut_node_get(graph, taut_sweep_adjoint(sweep, k))->value;
    }
    return TAUT_OK;
}

/* How parameters follow from inputs: their formulas may contain inputs, or each other. */
static taut_status weigh(const job *j, spot *s) {
    taut_graph *graph = j->simulation->prepared->problem->graph;
    const taut_model *m = j->model;
    const int n = m->parameters;
    taut_sweep *sweep;
    double *row = TAUT_NEW_ARRAY(&s->arena, n * n, double);
    s->weight = TAUT_NEW_ARRAY(&s->arena, j->inputs * n + 1, double);
    if (!row || !s->weight) return TAUT_ERR_MEMORY;
    if (j->inputs == 0) return TAUT_OK;
    TAUT_TRY(taut_sweep_create(graph, &sweep));
    taut_sweep_by_parameters(sweep, true);
    taut_status status = TAUT_OK;
    for (int p = 0; p < n && status == TAUT_OK; p++)
        if (m->parameter_formula[p] != TAUT_NO_NODE)
            status = formula_partials(sweep, graph, m->parameter_formula[p], n, row + p * n);
    taut_sweep_free(&sweep);
    for (int u = 0; u < j->inputs; u++) {
        double *w = s->weight + u * n;
        for (int round = 0; round < n; round++) /* chains are no longer than this */
            for (int p = 0; p < n; p++) {
                w[p] = p == j->parameter[u] ? 1.0 : 0.0;
                for (int q = 0; q < n && p != j->parameter[u]; q++) w[p] += row[p * n + q] * w[q];
            }
    }
    return status;
}

/* An input whose number has become part of the structure has no derivative here. */
static bool contains(const taut_graph *g, taut_node v, int index) {
    const taut_node_data *d = taut_node_get(g, v);
    if (d->op == TAUT_OP_PARAM) return d->index == index;
    for (uint32_t i = 0; i < d->count; i++)
        if (contains(g, taut_node_args(g, v)[i], index)) return true;
    return false;
}

static taut_status check_inputs(const job *j) {
    const taut_graph *g = j->simulation->prepared->problem->graph;
    size_t count;
    const taut_assumption *a = taut_graph_assumptions(g, &count);
    for (size_t i = 0; i < count; i++)
        for (int u = 0; u < j->inputs && a[i].kind == TAUT_ASSUME_EQUAL; u++)
            if (contains(g, a[i].node, j->parameter[u]))
                return taut_fail(j->errors, TAUT_ERR_CALL,
                                 "options.inputs: the value of '%s' shapes the equations, so there "
                                 "is no derivative by it; make it a parameter",
                                 j->input[u]);
    return TAUT_OK;
}

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
    TAUT_TRY(
        taut_catalogue_read(&s->catalogue, outputs, "outputs", 0, false, &s->outputs, j->errors));
    if (states)
        TAUT_TRY(
            taut_catalogue_read(&s->catalogue, states, "states", 1, true, &s->states, j->errors));
    else
        TAUT_TRY(taut_catalogue_candidates(&s->catalogue, &s->states));
    taut_node *function = TAUT_NEW_ARRAY(&s->arena, s->catalogue.count, taut_node);
    int *level = TAUT_NEW_ARRAY(&s->arena, s->catalogue.count, int), functions = 0;
    if (!function || !level) return TAUT_ERR_MEMORY;
    for (int i = 0; i < s->catalogue.count; i++) {
        taut_named *q = &s->catalogue.item[i];
        if (q->level < 0) continue;
        function[functions] = q->node;
        level[functions] = q->level > 1 ? q->level : 1;
        q->slot = functions++;
    }
    TAUT_TRY(taut_linear_ties(p->problem, &s->arena, &tie, &ties));
    TAUT_TRY(weigh(j, s));
    const taut_variational_order order = {.function = function,
                                          .levels = level,
                                          .functions = functions,
                                          .weight = s->weight,
                                          .inputs = j->inputs,
                                          .parameters = j->model->parameters,
                                          .tie = tie,
                                          .ties = ties,
                                          .stages = STAGES};
    return taut_variational_create(&p->problem->system, &p->structure, &order, &s->v);
}

/* Brings the series to a consistent point near its values, and finds the directions there. */
static taut_status find_directions(spot *s, bool project) {
    taut_series *series = taut_variational_series(s->v);
    TAUT_TRY(taut_series_settle(series, project, NULL, NULL));
    taut_series_extend(series, 1, STAGES);
    return taut_variational_find(s->v);
}

static taut_status go_to(const job *j, spot *s, double t) {
    taut_series *series = taut_variational_series(s->v);
    const taut_stepper *stepper = j->simulation->stepper;
    const int *d = series->structure->offsets.d;
    const double h = stepper->t - stepper->begin, *number = taut_refresh_numbers(j->simulation);
    if (number) TAUT_TRY(taut_series_set_numbers(series, number)); /* events have changed some */
    taut_series_start(series, t, h != 0.0 ? h : 1.0);
    for (int i = 0; i < series->system->n; i++)
        for (int k = 0; k <= d[i]; k++)
            taut_series_set(series, i, k, taut_stepper_value(stepper, i, k, t));
    return find_directions(s, t != stepper->begin);
}

/* ---- the matrices ---- */

static double vary(const spot *s, const taut_pick *pick, int above, int direction, double *terms) {
    return taut_variational_of(s->v, s->catalogue.item[pick->item].slot, pick->level + above,
                               direction, terms);
}

/* Rows of picks by states and inputs: what varies in directions, times directions by states. What
 * is no more than the rounding of its terms is 0: chains of free motions would turn it into
 * eigenvalues that are not there. */
static void fill_rows(const job *j, const spot *s, const taut_picks *picks, int above,
                      const double *inverse, double *by_states, double *by_inputs) {
    const int n = s->states.count, m = j->inputs;
    for (int i = 0; i < picks->count; i++)
        for (int k = 0; k < n + m; k++) {
            double terms = 0.0, part;
            double sum = k < n ? 0.0 : vary(s, &picks->item[i], above, k - n, &terms);
            for (int a = 0; a < n; a++) {
                const double x = inverse[k * n + a];
                sum += vary(s, &picks->item[i], above, m + a, &part) * x;
                terms += part * fabs(x);
            }
            if (fabs(sum) <= ROUNDING * terms) sum = 0.0;
            if (k < n)
                by_states[i * n + k] = sum;
            else
                by_inputs[i * m + (k - n)] = sum;
        }
}

/* Directions by states and inputs: W a = states - what inputs do to them directly. By columns. */
static taut_status invert(const job *j, const spot *s, taut_arena *arena, double **inverse) {
    const int n = s->states.count, m = j->inputs;
    double *w = TAUT_NEW_ARRAY(arena, n * n, double);
    int *pivot = TAUT_NEW_ARRAY(arena, n, int);
    *inverse = TAUT_NEW_ARRAY(arena, n * (n + m) + 1, double);
    if (!w || !pivot || !*inverse) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < n; a++) w[a * n + i] = vary(s, &s->states.item[i], 0, m + a, NULL);
        (*inverse)[i * n + i] = 1.0;
        for (int u = 0; u < m; u++)
            (*inverse)[(n + u) * n + i] = -vary(s, &s->states.item[i], 0, u, NULL);
    }
    return n > 0 ? taut_dense_solve(n, n + m, w, *inverse, pivot) : TAUT_OK;
}

static taut_status fill_matrices(const job *j, spot *s) {
    taut_arena work = {0};
    double *inverse;
    const size_t n = (size_t)s->states.count, m = (size_t)j->inputs, o = (size_t)s->outputs.count;
    taut_arena *arena = &j->linear->arena;
    s->A = TAUT_NEW_ARRAY(arena, n * n + 1, double);
    s->B = TAUT_NEW_ARRAY(arena, n * m + 1, double);
    s->C = TAUT_NEW_ARRAY(arena, o * n + 1, double);
    s->D = TAUT_NEW_ARRAY(arena, o * m + 1, double);
    taut_status status = s->A && s->B && s->C && s->D ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = invert(j, s, &work, &inverse);
    if (status == TAUT_OK) {
        fill_rows(j, s, &s->states, 1, inverse, s->A, s->B);
        fill_rows(j, s, &s->outputs, 0, inverse, s->C, s->D);
    }
    taut_arena_release(&work);
    return status;
}

static taut_status fill_values(const job *j, const spot *s, const taut_picks *picks, int above,
                               double **value) {
    *value = TAUT_NEW_ARRAY(&j->linear->arena, picks->count + 1, double);
    if (!*value) return TAUT_ERR_MEMORY;
    for (int i = 0; i < picks->count; i++)
        (*value)[i] = taut_variational_value(s->v, s->catalogue.item[picks->item[i].item].slot,
                                             picks->item[i].level + above);
    return TAUT_OK;
}

/* ---- states ---- */

static taut_status refuse_states(const job *j, const spot *s, double condition, double t) {
    const int need = taut_variational_directions(s->v) - j->inputs, have = s->states.count;
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
        TAUT_TRY(taut_states_prune(s->v, &s->catalogue, j->inputs, false, &s->arena, &s->states));
    else if (list)
        TAUT_TRY(taut_states_prune(s->v, &s->catalogue, j->inputs, !strchr(list, '\''), &s->arena,
                                   &s->states));
    else
        TAUT_TRY(taut_states_choose(s->v, &s->catalogue, j->inputs, &s->arena, &s->states));
    TAUT_TRY(taut_states_condition(s->v, &s->catalogue, j->inputs, &s->states, condition));
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

static taut_status is_steady(const job *j, spot *s, bool *steady) {
    const int n = s->states.count;
    const double *before = s->A;
    double largest = 0.0, change = 0.0;
    *steady = rests(s);
    if (!*steady) return TAUT_OK;
    taut_series *series = taut_variational_series(s->v);
    int values = 1;
    for (int i = 0; i < series->system->n; i++) values += series->structure->offsets.d[i] + 1;
    double *x = TAUT_NEW_ARRAY(&s->arena, values, double);
    if (!x) return TAUT_ERR_MEMORY;
    look_ahead(series, x);
    taut_status status = find_directions(s, true);
    if (status == TAUT_OK) status = fill_matrices(j, s);
    if (status == TAUT_ERR_MEMORY) return status;
    for (int i = 0; i < n * n && status == TAUT_OK; i++) {
        largest = fmax(largest, fabs(before[i]));
        change = fmax(change, fabs(s->A[i] - before[i]));
    }
    *steady = status == TAUT_OK && change <= CHANGES * largest;
    return TAUT_OK;
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

static taut_status fill_point(job *j, spot *s, double t, taut_linear_point *p) {
    taut_arena *arena = &j->linear->arena;
    *p = (taut_linear_point){.t = t, .inputs = j->inputs, .input = j->input};
    TAUT_TRY(settle_states(j, s, t, &p->state_condition));
    p->states = s->states.count;
    p->outputs = s->outputs.count;
    TAUT_TRY(names_of(j, &s->states, &p->state));
    TAUT_TRY(names_of(j, &s->outputs, &p->output));
    TAUT_TRY(fill_matrices(j, s));
    TAUT_TRY(fill_values(j, s, &s->states, 0, &s->x0));
    TAUT_TRY(fill_values(j, s, &s->states, 1, &s->rate));
    TAUT_TRY(fill_values(j, s, &s->outputs, 0, &s->y0));
    double *u0 = TAUT_NEW_ARRAY(arena, j->inputs + 1, double);
    double *all = TAUT_NEW_ARRAY(
        arena, taut_graph_parameters(j->simulation->prepared->problem->graph) + 1, double);
    if (!u0 || !all) return TAUT_ERR_MEMORY;
    taut_parameter_values(j->simulation->prepared->problem->graph, all);
    for (int u = 0; u < j->inputs; u++) u0[u] = all[j->parameter[u]];
    p->A = s->A;
    p->B = s->B;
    p->C = s->C;
    p->D = s->D;
    p->x0 = s->x0;
    p->y0 = s->y0;
    p->u0 = u0;
    TAUT_TRY(taut_linear_eigen(arena, p));
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

static taut_status do_point(job *j, double t, taut_linear_point *point) {
    spot s = {0};
    taut_status status = check_inputs(j);
    if (status == TAUT_OK) status = set_up(j, &s);
    if (status == TAUT_OK) status = go_to(j, &s, t);
    if (status == TAUT_OK) status = fill_point(j, &s, t, point);
    taut_variational_free(&s.v);
    taut_arena_release(&s.arena);
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

static taut_status do_points(job *j) {
    taut_simulation *s = j->simulation;
    const int points = j->run->ats > 0 ? j->run->ats : 1;
    j->linear->point = TAUT_NEW_ARRAY(&j->linear->arena, points, taut_linear_point);
    if (!j->linear->point) return TAUT_ERR_MEMORY;
    for (int i = 0; i < points; i++) {
        const double t = j->run->ats > 0 ? j->run->at[i] : taut_simulation_time(s);
        if (j->run->ats > 0) TAUT_TRY(taut_simulation_run_to(s, t, j->errors));
        TAUT_TRY(do_point(j, t, &j->linear->point[i]));
        j->linear->points++;
    }
    return TAUT_OK;
}

static taut_status perform(job *j, const taut_model *model) {
    const taut_variation variation = {
        .initial = model->initial, .initials = model->initials, .keep_inputs = true};
    TAUT_TRY(taut_model_vary(model, &variation, &j->model, j->errors));
    TAUT_TRY(list_inputs(j));
    TAUT_TRY(taut_simulation_make(j->model, j->run, false, &j->simulation, j->errors));
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
    const taut_status status = perform(&j, model);
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
