/* The geometry of a mechanism: rows, gradients, Newton's method. */
#include "task/linkage.h"

#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "core/dense.h"
#include "core/text.h"
#include "expr/diff.h"
#include "expr/pattern.h"
#include "solve/placement.h"

enum { ROUNDS = 25 };
static const double RANK = 1e-9;      /* relative: rows that depend on each other */
static const double GOOD = 1e-9;      /* the last step of Newton's method, by sizes */
static const double WILD = 1e3;       /* a step that is of no use, by sizes */
static const double ROUNDING = 4e-16; /* a step that cannot get smaller */

/* ---- rows ---- */

static bool is_geometry(const taut_column *c) {
    return c->kind == TAUT_COLUMN_POINT || c->kind == TAUT_COLUMN_VECTOR ||
           c->kind == TAUT_COLUMN_ANGLE || c->kind == TAUT_COLUMN_SCALAR ||
           c->kind == TAUT_COLUMN_OUTPUT;
}

/* Is this A.x or Ax? */
static bool is_named(const char *column, const char *name) {
    for (; *name; name++) {
        if (*name == '.') continue;
        if (*name != *column++) return false;
    }
    return *column == '\0';
}

/* Does a formula have no variables but unknowns of the linkage? Does it have any? */
static taut_status find_unknowns(const taut_linkage *l, taut_node node, bool *only, bool *any) {
    const taut_pattern_entry *entry;
    taut_pattern *pattern;
    size_t count = 0;
    TAUT_TRY(taut_pattern_create(l->problem->graph, &pattern));
    const taut_status status = taut_pattern_row(pattern, node, &entry, &count);
    *any = count > 0;
    *only = true;
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        *only = *only && entry[i].variable < l->n && entry[i].order == 0;
    taut_pattern_free(&pattern);
    return status;
}

taut_status taut_linkage_has(const taut_linkage *l, taut_node node, bool *yes) {
    bool any = false;
    TAUT_TRY(find_unknowns(l, node, yes, &any));
    *yes = *yes && any;
    return TAUT_OK;
}

/* One more function; *moves: it is not the same everywhere. */
static taut_status add_function(taut_linkage *l, const char *name, bool *moves,
                                taut_errors *errors) {
    const taut_problem *p = l->problem;
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; i < p->columns; i++) {
        bool position = false, any = false;
        if (!is_geometry(&p->column[i])) continue;
        taut_nearest_offer(&nearest, p->column[i].name);
        if (!is_named(p->column[i].name, name)) continue;
        TAUT_TRY(find_unknowns(l, p->column[i].node, &position, &any));
        *moves = *moves || any;
        if (!position) /* what stays is one: the height of a slider */
            return taut_fail(errors, TAUT_ERR_CALL, "'%.80s' is no position of the mechanism",
                             name);
        l->row[l->rows++] = p->column[i].node;
        return TAUT_OK;
    }
    return taut_fail(errors, TAUT_ERR_CALL, "there is no column '%.80s'%s%s%s", name,
                     nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
}

/* Constraints, with drivers or without. */
static taut_status list_rows(taut_linkage *l, bool drivers, const char *const *function,
                             int functions, taut_errors *errors) {
    taut_problem *p = l->problem;
    l->rows = 0;
    for (int i = p->first_constraint; i < p->first_velocity; i++) {
        bool out = p->driven[i - p->first_constraint] && !drivers;
        for (int k = 0; k < functions && p->driven[i - p->first_constraint]; k++)
            out = out || is_named(p->system.equation[i].name + strlen("driver "), function[k]);
        if (!out) l->row[l->rows++] = p->system.equation[i].node;
    }
    for (int k = 0; k < p->angles; k++) l->row[l->rows++] = taut_problem_angle_off(p, k);
    l->conditions = l->rows;
    bool moves = false;
    for (int k = 0; k < functions; k++) TAUT_TRY(add_function(l, function[k], &moves, errors));
    if (functions > 0 && !moves)
        return taut_fail(errors, TAUT_ERR_CALL, "'%.80s' does not move", function[0]);
    l->functions = functions;
    return taut_graph_failed(p->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- programs for values ---- */

/* Sets an unknown in a program, if anything depends on it. */
static void set(taut_values *v, int j, int k, double value) {
    if (v->variable[j] >= 0) taut_values_set(v, j, k, value);
}

void taut_linkage_hold(const taut_linkage *l, taut_values *v) {
    for (int j = l->n; j < l->problem->variables; j++) set(v, j, 0, l->held[j]);
}

void taut_linkage_put(const taut_linkage *l, taut_values *v, int order, const double *z) {
    for (int j = 0; j < l->n; j++) set(v, j, order, z[j]);
}

static taut_status find_entries(taut_linkage *l, taut_sweep *sweep, taut_node **target) {
    const taut_graph *g = l->problem->graph;
    const size_t most = (size_t)l->rows * (size_t)(l->n + 1);
    *target = taut_arena_array(&l->arena, most + 1, sizeof **target);
    l->entry_row = taut_arena_array(&l->arena, most + 1, sizeof(int));
    l->entry_column = taut_arena_array(&l->arena, most + 1, sizeof(int));
    if (!*target || !l->entry_row || !l->entry_column) return TAUT_ERR_MEMORY;
    l->entries = 0;
    memcpy(*target, l->row, (size_t)l->rows * sizeof **target);
    for (int i = 0; i < l->rows; i++) {
        TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_PLAIN, l->row[i]));
        for (size_t k = 0; k < taut_sweep_reached(sweep); k++) {
            const taut_node_data *d = taut_node_get(g, taut_sweep_variable(sweep, k));
            if (d->op != TAUT_OP_VAR || d->index >= l->n) continue;
            l->entry_row[l->entries] = i;
            l->entry_column[l->entries] = d->index;
            (*target)[l->rows + l->entries++] = taut_sweep_adjoint(sweep, k);
        }
    }
    return TAUT_OK;
}

static taut_status make_programs(taut_linkage *l) {
    taut_problem *p = l->problem;
    taut_sweep *sweep;
    taut_node *target, *second = TAUT_NEW_ARRAY(&l->arena, l->rows + 1, taut_node);
    int *d = TAUT_NEW_ARRAY(&l->arena, p->variables, int);
    if (!second || !d) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_sweep_create(p->graph, &sweep));
    const taut_status status = find_entries(l, sweep, &target);
    taut_sweep_free(&sweep);
    TAUT_TRY(status);
    for (int i = 0; i < l->rows; i++) second[i] = taut_dot(p->graph, l->row[i], 2);
    for (int j = 0; j < p->variables; j++) d[j] = 2;
    const taut_values_wanted plain = {.target = target, .targets = (size_t)(l->rows + l->entries)};
    const taut_values_wanted bent = {.target = second, .targets = (size_t)l->rows};
    TAUT_TRY(taut_values_create(p->graph, d, p->variables, plain, &l->arena, &l->point));
    TAUT_TRY(taut_values_create(p->graph, d, p->variables, bent, &l->arena, &l->bend));
    taut_linkage_hold(l, &l->point);
    taut_linkage_hold(l, &l->bend);
    const size_t all = (size_t)(l->rows + 1) * (size_t)(l->n + 1);
    l->target = TAUT_NEW_ARRAY(&l->arena, l->rows + l->entries + 1, double);
    l->value = TAUT_NEW_ARRAY(&l->arena, l->rows + 1, double);
    l->gradient = taut_arena_array(&l->arena, all, sizeof(double));
    l->matrix = taut_arena_array(&l->arena, all, sizeof(double));
    l->side = TAUT_NEW_ARRAY(&l->arena, l->rows + l->n + 1, double);
    return l->target && l->value && l->gradient && l->matrix && l->side ? TAUT_OK : TAUT_ERR_MEMORY;
}

void taut_linkage_look(taut_linkage *l, const double *z) {
    for (int j = 0; j < l->n; j++) set(&l->point, j, 0, z[j]);
    taut_values_find(&l->point, l->t, l->target);
    memcpy(l->value, l->target, (size_t)l->rows * sizeof *l->value);
    memset(l->gradient, 0, (size_t)l->rows * (size_t)l->n * sizeof *l->gradient);
    for (int k = 0; k < l->entries; k++)
        l->gradient[l->entry_column[k] * l->rows + l->entry_row[k]] += l->target[l->rows + k];
    for (int j = 0; j < l->n; j++) set(&l->bend, j, 0, z[j]);
}

/* ---- linear systems ---- */

/* The rows [count] at hand as a matrix with columns scaled by sizes and rows of length 1, side with
 * them; further: one row more. */
static void fill_matrix(taut_linkage *l, int count, const double *further) {
    const int rows = count + (further ? 1 : 0);
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int j = 0; j < l->n; j++) {
            const double x = (i < count ? l->gradient[j * l->rows + i] : further[j]) * l->size[j];
            l->matrix[j * rows + i] = x;
            sum += x * x;
        }
        const double scale = sum > 0.0 ? 1.0 / sqrt(sum) : 1.0;
        for (int j = 0; j < l->n; j++) l->matrix[j * rows + i] *= scale;
        l->side[i] *= scale;
    }
}

taut_status taut_linkage_correct(taut_linkage *l, taut_linkage_goal goal, double *z,
                                 double *moved) {
    const bool whole = goal.value != NULL;
    const int count = whole ? l->rows : l->conditions, rows = count + (goal.tangent ? 1 : 0);
    double total = 0.0, before = HUGE_VAL;
    int rank = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double step = 0.0;
        TAUT_TRY(taut_bounds_ask()); /* whoever goes on is refused again, at no cost */
        taut_linkage_look(l, z);
        for (int i = 0; i < count; i++) {
            const bool wanted = goal.value && i >= l->conditions;
            l->side[i] = (wanted ? goal.value[i - l->conditions] : 0.0) - l->value[i];
        }
        if (goal.tangent) {
            l->side[count] = 0.0;
            for (int j = 0; j < l->n; j++)
                l->side[count] -= goal.tangent[j] * (z[j] - goal.from[j]);
        }
        fill_matrix(l, count, goal.tangent);
        TAUT_TRY(taut_least_norm(rows, l->n, l->matrix, l->side, RANK, &rank));
        for (int j = 0; j < l->n; j++) step += l->side[j] * l->side[j];
        step = sqrt(step);
        if (!isfinite(step) || step > WILD) return TAUT_SINGULAR;
        for (int j = 0; j < l->n; j++) z[j] += l->side[j] * l->size[j];
        total += step;
        if (step <= ROUNDING || (step >= 0.5 * before && step < GOOD)) {
            if (moved) *moved = total;
            taut_linkage_look(l, z);
            return TAUT_OK;
        }
        before = step;
    }
    return TAUT_SINGULAR;
}

taut_status taut_linkage_rates(taut_linkage *l, double *first, double *second) {
    int rank = 0;
    memset(l->side, 0, (size_t)l->rows * sizeof *l->side);
    l->side[l->conditions] = 1.0;
    fill_matrix(l, l->rows, NULL);
    TAUT_TRY(taut_least_norm(l->rows, l->n, l->matrix, l->side, RANK, &rank));
    if (rank < l->n) return TAUT_SINGULAR;
    for (int j = 0; j < l->n; j++) first[j] = l->side[j] * l->size[j];
    if (!second) return TAUT_OK;
    for (int j = 0; j < l->n; j++) {
        set(&l->bend, j, 1, first[j]);
        set(&l->bend, j, 2, 0.0);
    }
    taut_values_find(&l->bend, l->t, l->target);
    for (int i = 0; i < l->rows; i++) l->side[i] = -l->target[i];
    fill_matrix(l, l->rows, NULL);
    TAUT_TRY(taut_least_norm(l->rows, l->n, l->matrix, l->side, RANK, &rank));
    for (int j = 0; j < l->n; j++) second[j] = l->side[j] * l->size[j];
    return TAUT_OK;
}

taut_status taut_linkage_freedoms(taut_linkage *l, double *basis, int *count) {
    taut_arena work = {0};
    double *x = TAUT_NEW_ARRAY(&work, l->n + 1, double);
    int rank = 0;
    memset(l->side, 0, (size_t)(l->rows + 1) * sizeof *l->side);
    fill_matrix(l, l->conditions, NULL);
    taut_status status =
        x ? taut_least_norm_null(l->conditions, l->n, l->matrix, l->side, RANK, x, basis, &rank)
          : TAUT_ERR_MEMORY;
    *count = l->n - rank;
    for (int k = 0; k < *count && status == TAUT_OK; k++)
        for (int j = 0; j < l->n; j++) basis[k * l->n + j] *= l->size[j];
    taut_arena_release(&work);
    return status;
}

/* ---- the start ---- */

/* Where a tracked angle begins: on the turn of its listed value. */
static double first_angle(const taut_problem *p, int k, double value) {
    const taut_model *m = p->model;
    const double turn = 2.0 * 3.14159265358979323846;
    for (int i = 0; i < m->values; i++) {
        const taut_model_value *v = &m->value[i];
        if (v->order == 0 && v->name && strcmp(v->name, m->mechanism->angle[k].name) == 0)
            return value + turn * round((v->value - value) / turn);
    }
    return value;
}

static taut_status place(taut_linkage *l, taut_errors *errors) {
    const taut_problem *p = l->problem;
    taut_geometry g;
    taut_series *series = NULL;
    const taut_roles roles = {.coordinates = p->coordinates,
                              .angles = p->angles,
                              .first_constraint = p->first_constraint,
                              .first_velocity = p->first_velocity,
                              .own = p->own,
                              .driven = p->driven};
    double *size = NULL;
    TAUT_TRY(taut_geometry_create(&p->system, roles, &l->arena, &g));
    TAUT_TRY(taut_series_create(&g.system, &g.structure, 0, NULL, 0, &series));
    taut_status status = taut_geometry_start(series, roles, l->t, &l->arena, errors);
    if (status == TAUT_OK) status = taut_position_sizes(series, &l->arena, &size);
    for (int j = 0; j < l->n && status == TAUT_OK; j++) {
        l->z[j] = taut_series_get(series, j, 0);
        l->size[j] = j < p->coordinates && size[j] > 0.0 ? size[j] : 1.0;
    }
    taut_series_free(&series);
    return status;
}

/* Angles of the position. */
static taut_status find_angles(taut_linkage *l) {
    const taut_problem *p = l->problem;
    taut_values v;
    taut_node *node = TAUT_NEW_ARRAY(&l->arena, p->angles + 1, taut_node);
    double *value = TAUT_NEW_ARRAY(&l->arena, p->angles + 1, double);
    int *d = TAUT_NEW_ARRAY(&l->arena, p->variables, int);
    if (!node || !value || !d) return TAUT_ERR_MEMORY;
    for (int k = 0; k < p->angles; k++)
        node[k] = taut_atan2(p->graph, p->angle[k][0], p->angle[k][1]);
    for (int j = 0; j < p->variables; j++) d[j] = 2;
    const taut_values_wanted wanted = {.target = node, .targets = (size_t)p->angles};
    if (p->angles == 0) return TAUT_OK;
    TAUT_TRY(taut_values_create(p->graph, d, p->variables, wanted, &l->arena, &v));
    for (int round = 0; round <= p->angles; round++) { /* angles of angles */
        for (int j = 0; j < l->n; j++) set(&v, j, 0, l->z[j]);
        taut_values_find(&v, l->t, value);
        for (int k = 0; k < p->angles; k++) l->z[p->coordinates + k] = first_angle(p, k, value[k]);
    }
    return TAUT_OK;
}

/* A variable that is no unknown of the linkage, in a row: a gear's phase; -1: there is none. */
static taut_status foreign_variable(const taut_linkage *l, taut_node row, int *variable) {
    const taut_pattern_entry *entry;
    taut_pattern *pattern;
    size_t count = 0;
    *variable = -1;
    TAUT_TRY(taut_pattern_create(l->problem->graph, &pattern));
    const taut_status status = taut_pattern_row(pattern, row, &entry, &count);
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        if (entry[i].variable >= l->n) *variable = entry[i].variable;
    taut_pattern_free(&pattern);
    return status;
}

/* Phases are what they are at the start: rows are linear in them, with a coefficient of size 1. */
static taut_status find_phases(taut_linkage *l) {
    for (int i = 0; i < l->conditions; i++) {
        int j;
        TAUT_TRY(foreign_variable(l, l->row[i], &j));
        if (j < 0) continue;
        double found[2];
        for (int k = 0; k < 2; k++) {
            l->held[j] = (double)k;
            taut_linkage_hold(l, &l->point);
            taut_linkage_look(l, l->z);
            found[k] = l->value[i];
        }
        l->held[j] = found[1] != found[0] ? -found[0] / (found[1] - found[0]) : 0.0;
    }
    taut_linkage_hold(l, &l->point);
    taut_linkage_hold(l, &l->bend);
    return TAUT_OK;
}

static taut_status check_model(const taut_model *m, taut_errors *errors) {
    if (m->kind != TAUT_MODEL_MECHANISM)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "kinematics are those of mechanisms, and this is a "
                         "%s",
                         taut_model_kind_name(m));
    return TAUT_OK;
}

/* Rows without drivers, or with those that are needed. */
static taut_status settle_rows(taut_linkage *l, const char *const *function, int functions,
                               taut_errors *errors) {
    double *basis = taut_arena_array(&l->arena, (size_t)l->n * (size_t)l->n + 1, sizeof *basis);
    int free = 0;
    if (!basis) return TAUT_ERR_MEMORY;
    TAUT_TRY(list_rows(l, false, function, functions, errors));
    TAUT_TRY(make_programs(l));
    TAUT_TRY(find_phases(l));
    TAUT_TRY(taut_linkage_correct(l, (taut_linkage_goal){0}, l->z, NULL));
    TAUT_TRY(taut_linkage_freedoms(l, basis, &free));
    if (free <= 1) return TAUT_OK;
    TAUT_TRY(list_rows(l, true, function, functions, errors));
    return make_programs(l);
}

taut_status taut_linkage_open(const taut_model *model, const char *const *function, int functions,
                              taut_linkage *l, taut_errors *errors) {
    *l = (taut_linkage){.t = model->t0};
    TAUT_TRY(check_model(model, errors));
    TAUT_TRY(taut_problem_create_by(model, &(taut_forming){.whole = true}, &l->problem, errors));
    const taut_problem *p = l->problem;
    l->n = p->coordinates + p->angles;
    l->row = TAUT_NEW_ARRAY(
        &l->arena, p->system.n - p->first_constraint + p->angles + functions + 1, taut_node);
    l->z = TAUT_NEW_ARRAY(&l->arena, l->n + 1, double);
    l->size = TAUT_NEW_ARRAY(&l->arena, l->n + 1, double);
    l->held = TAUT_NEW_ARRAY(&l->arena, p->variables + 1, double);
    if (!l->row || !l->z || !l->size || !l->held) return TAUT_ERR_MEMORY;
    TAUT_TRY(place(l, errors));
    TAUT_TRY(find_angles(l));
    const taut_status status = settle_rows(l, function, functions, errors);
    if (status != TAUT_SINGULAR) return status;
    return taut_fail(errors, TAUT_ERR_INPUT, "the mechanism cannot be assembled");
}

void taut_linkage_release(taut_linkage *l) {
    taut_problem_free(&l->problem);
    taut_arena_release(&l->arena);
}
