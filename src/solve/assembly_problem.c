/* The nearest point to the guesses as an optimisation problem, with first and second derivatives by
 * sweeps through the graph. */
#include "solve/assembly_parts.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "expr/diff.h"
#include "solve/state.h"

enum { MOST_ITERATIONS = 150 };
static const double MOST_SECONDS = 20.0;
static const double RANK_LIMIT = 1e-8;

/* ---- second derivatives ---- */

/* A function whose derivatives are wanted, and its place in the problem. */
typedef struct source {
    taut_node node;
    int row; /* -1: the pull of the guesses */
} source;

typedef struct slope_node {
    taut_node node;
    int source, column;
} slope_node;

/* Lists on the heap while the derivatives are found. */
typedef struct builder {
    taut_node *output;
    size_t outputs, output_room;
    slope_node *slope;
    size_t slopes, slope_room;
    taut_bend *bend;
    size_t bends, bend_room;
} builder;

static int add_output(builder *b, taut_node node) {
    if (node == TAUT_NO_NODE ||
        taut_grow((void **)&b->output, &b->output_room, b->outputs + 1, sizeof *b->output))
        return -1;
    b->output[b->outputs] = node;
    return (int)b->outputs++;
}

/* 1/2 sum of (c / size)^2 over the conditions that are guesses. For an angle c = r sin(x), side
 * r cos(x), and r (r - r cos x) is taken: it grows until x = pi, where c is zero again. */
static taut_node pull_of_guesses(taut_stage *all) {
    const taut_system *system = all->series->system;
    taut_graph *graph = system->graph;
    taut_node sum = taut_number(graph, 0.0);
    for (int row = 0; row < all->rows; row++) {
        if (!taut_assembler_is_guess(all, row)) continue;
        const taut_condition *c = &system->condition[all->row[row] - system->n];
        const double factor = 1.0 / (all->scale[row] * all->scale[row]);
        taut_node term = taut_scale(graph, 0.5, taut_square(graph, c->node));
        if (c->side != TAUT_NO_NODE) {
            const taut_node squares =
                taut_add(graph, taut_square(graph, c->node), taut_square(graph, c->side));
            term = taut_sub(graph, squares, taut_mul(graph, taut_root(graph, squares), c->side));
        }
        sum = taut_add(graph, sum, taut_scale(graph, factor, term));
    }
    return sum;
}

/* Sweeps the sources; keeps the derivatives by unknowns of the stage. */
static taut_status first_sweeps(const taut_stage *g, const source *list, int count,
                                const int *offset, taut_sweep *sweep, builder *b) {
    taut_graph *graph = g->series->system->graph;
    const taut_node one = taut_number(graph, 1.0);
    for (int i = 0; i < count; i++) {
        taut_sweep_begin(sweep, TAUT_SWEEP_LEADING, offset);
        taut_sweep_seed(sweep, list[i].node, 1.0, one);
        TAUT_TRY(taut_sweep_run(sweep));
        const size_t reached = taut_sweep_reached(sweep);
        if (taut_grow((void **)&b->slope, &b->slope_room, b->slopes + reached, sizeof *b->slope))
            return TAUT_ERR_MEMORY;
        for (size_t k = 0; k < reached; k++) {
            const int j = taut_node_get(graph, taut_sweep_variable(sweep, k))->index;
            if (g->place[j] < 0) continue;
            b->slope[b->slopes++] = (slope_node){taut_sweep_adjoint(sweep, k), i, g->place[j]};
        }
    }
    return TAUT_OK;
}

/* Sweeps the first derivatives that contain unknowns of the stage. */
static taut_status second_sweeps(const taut_stage *g, const source *list, const int *offset,
                                 taut_sweep *sweep, builder *b) {
    taut_graph *graph = g->series->system->graph;
    const taut_node one = taut_number(graph, 1.0);
    for (size_t i = 0; i < b->slopes; i++) {
        const slope_node x = b->slope[i];
        if (taut_node_get(graph, x.node)->steady || offset[x.node] != -g->s) continue;
        taut_sweep_begin(sweep, TAUT_SWEEP_LEADING, offset);
        taut_sweep_seed(sweep, x.node, 1.0, one);
        TAUT_TRY(taut_sweep_run(sweep));
        for (size_t k = 0; k < taut_sweep_reached(sweep); k++) {
            const int q = g->place[taut_node_get(graph, taut_sweep_variable(sweep, k))->index];
            if (q < 0 || q > x.column) continue;
            const int output = add_output(b, taut_sweep_adjoint(sweep, k));
            if (output < 0 ||
                taut_grow((void **)&b->bend, &b->bend_room, b->bends + 1, sizeof *b->bend))
                return TAUT_ERR_MEMORY;
            b->bend[b->bends++] = (taut_bend){list[x.source].row, x.column, q, output};
        }
    }
    return TAUT_OK;
}

/* The nodes of all derivatives, as outputs after those of the conditions. */
static taut_status differentiate(taut_assembler *a, builder *b) {
    const taut_stage *g = a->rows;
    const taut_system *system = g->series->system;
    const int *c = g->series->structure->offsets.c, *d = g->series->structure->offsets.d;
    taut_arena arena = {0};
    source *list = TAUT_NEW_ARRAY(&arena, g->rows + 1, source);
    int count = 0, *offset;
    taut_sweep *sweep = NULL;
    taut_status status = list ? taut_sweep_create(system->graph, &sweep) : TAUT_ERR_MEMORY;
    for (int k = 0; k < g->finder->outputs && status == TAUT_OK; k++)
        if (add_output(b, g->finder->output[k]) < 0) status = TAUT_ERR_MEMORY;
    for (int r = 0; r < g->rows && status == TAUT_OK; r++) {
        const int i = g->row[r];
        if (i >= system->n)
            list[count++] = (source){system->condition[i - system->n].node, r};
        else if (c[i] == -g->s) /* what was differentiated is linear by now */
            list[count++] = (source){system->equation[i].node, r};
    }
    const taut_node pull = pull_of_guesses(a->all);
    if (pull == TAUT_NO_NODE) status = TAUT_ERR_MEMORY;
    a->pull = -1;
    if (status == TAUT_OK && !taut_node_is_number(system->graph, pull, 0.0)) {
        list[count++] = (source){pull, -1};
        a->pull = add_output(b, pull);
        if (a->pull < 0) status = TAUT_ERR_MEMORY;
    }
    if (status == TAUT_OK && taut_graph_failed(system->graph)) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = taut_tape_offsets(system->graph, d, &arena, &offset);
    if (status == TAUT_OK) status = first_sweeps(g, list, count, offset, sweep, b);
    if (status == TAUT_OK) status = taut_tape_offsets(system->graph, d, &arena, &offset);
    if (status == TAUT_OK) status = second_sweeps(g, list, offset, sweep, b);
    a->slope = TAUT_NEW_ARRAY(&a->arena, g->columns, taut_gradient);
    if (!a->slope) status = TAUT_ERR_MEMORY;
    for (size_t i = 0; i < b->slopes && status == TAUT_OK; i++) {
        if (list[b->slope[i].source].row >= 0) continue;
        const int output = add_output(b, b->slope[i].node);
        if (output < 0) status = TAUT_ERR_MEMORY;
        a->slope[a->slopes++] = (taut_gradient){b->slope[i].column, output};
    }
    taut_sweep_free(&sweep);
    taut_arena_release(&arena);
    return status;
}

/* ---- the optimisation problem ---- */

/* Rows that are independent near the point: IPOPT must not get more of them than unknowns. */
static taut_status choose_rows(taut_assembler *a) {
    taut_stage *g = &a->own;
    taut_arena arena = {0};
    const int m = g->rows, n = g->columns;
    int bad, rank = 0;
    unsigned seed = 5;
    double *matrix = taut_arena_array(&arena, (size_t)m * (size_t)n, sizeof *matrix);
    double *z = TAUT_NEW_ARRAY(&arena, n, double);
    int *order = TAUT_NEW_ARRAY(&arena, m, int);
    taut_status status = matrix && z && order ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        taut_stage_get(g, a->z);
        for (int q = 0; q < n; q++) { /* not at a special point */
            seed = seed * 1664525u + 1013904223u;
            z[q] = a->z[q] + 1e-3 * a->size[q] * ((double)(seed >> 8) / (double)(1u << 24) - 0.5);
        }
        taut_stage_set(g, z);
        if (!taut_stage_evaluate(g) || !taut_stage_linearize(g, &bad)) {
            taut_stage_set(g, a->z);
            if (!taut_stage_evaluate(g) || !taut_stage_linearize(g, &bad))
                status = TAUT_ERR_NUMERICS;
        }
        taut_stage_set(g, a->z);
    }
    for (int k = 0; k < g->entries && status == TAUT_OK; k++) /* transposed */
        matrix[(size_t)g->entry_row[k] * (size_t)n + (size_t)g->entry_column[k]] +=
            g->entry[k] * a->size[g->entry_column[k]] / g->scale[g->entry_row[k]];
    if (status == TAUT_OK) status = taut_pivoted_columns(n, m, matrix, RANK_LIMIT, order, &rank);
    for (int i = 0; i < m && status == TAUT_OK; i++) {
        a->tau[i] = g->scale[i];
        a->kept[i] = -1;
    }
    for (int k = 0; k < rank && status == TAUT_OK; k++) a->kept[order[k]] = k;
    a->nlp.m = rank;
    taut_arena_release(&arena);
    return status;
}

/* x = z / size. */
static bool go(void *user, const double *x) {
    taut_assembler *a = user;
    taut_stage *g = &a->own;
    taut_nlp *p = &a->nlp;
    int bad, count = 0;
    for (int q = 0; q < g->columns; q++) a->z[q] = x[q] * a->size[q];
    taut_stage_set(g, a->z);
    if (!taut_stage_evaluate(g) || !taut_stage_linearize(g, &bad)) return false;
    p->f = a->pull < 0 ? 0.0 : taut_series_output(a->series, a->pull, 0);
    for (int q = 0; q < g->columns; q++) {
        const double off = (a->z[q] - a->guess[q]) / a->size[q] / g->weight[q];
        p->f += 0.5 * off * off;
        p->gradient[q] = off / g->weight[q];
    }
    for (int k = 0; k < a->slopes; k++)
        p->gradient[a->slope[k].variable] +=
            taut_series_output(a->series, a->slope[k].output, 0) * a->size[a->slope[k].variable];
    for (int i = 0; i < g->rows; i++)
        if (a->kept[i] >= 0) p->g[a->kept[i]] = g->residual[i] / a->tau[i];
    for (int k = 0; k < g->entries; k++)
        if (a->kept[g->entry_row[k]] >= 0)
            p->jacobian[count++] =
                g->entry[k] * a->size[g->entry_column[k]] / a->tau[g->entry_row[k]];
    for (int q = 0; q < g->columns; q++)
        if (!isfinite(p->gradient[q])) return false;
    return isfinite(p->f);
}

static bool bend_at(void *user, double factor, const double *lambda) {
    taut_assembler *a = user;
    taut_nlp *p = &a->nlp;
    const int n = a->own.columns;
    bool finite = true;
    for (int q = 0; q < n; q++) p->hessian[q] = factor / (a->own.weight[q] * a->own.weight[q]);
    for (int k = 0; k < a->bends; k++) {
        const taut_bend *b = &a->bend[k];
        double weight = a->size[b->p] * a->size[b->q];
        if (b->row < 0)
            weight *= factor;
        else
            weight *= a->kept[b->row] < 0 ? 0.0 : lambda[a->kept[b->row]] / a->tau[b->row];
        p->hessian[n + k] = taut_series_output(a->series, b->output, 0) * weight;
        if (!isfinite(p->hessian[n + k])) finite = false;
    }
    return finite;
}

/* Patterns and room; the Jacobian's entries come from the rows that are kept. */
static taut_status lay_out(taut_assembler *a) {
    taut_stage *g = &a->own;
    taut_nlp *p = &a->nlp;
    const int n = g->columns, h = n + a->bends;
    int *row = TAUT_NEW_ARRAY(&a->arena, g->entries, int);
    int *column = TAUT_NEW_ARRAY(&a->arena, g->entries, int);
    int *hrow = TAUT_NEW_ARRAY(&a->arena, h, int), *hcolumn = TAUT_NEW_ARRAY(&a->arena, h, int);
    p->gradient = TAUT_NEW_ARRAY(&a->arena, n, double);
    p->g = TAUT_NEW_ARRAY(&a->arena, g->rows, double);
    p->jacobian = TAUT_NEW_ARRAY(&a->arena, g->entries, double);
    p->hessian = TAUT_NEW_ARRAY(&a->arena, h, double);
    if (!row || !column || !hrow || !hcolumn || !p->gradient || !p->g || !p->jacobian ||
        !p->hessian)
        return TAUT_ERR_MEMORY;
    p->jacobian_entries = 0;
    for (int k = 0; k < g->entries; k++) {
        if (a->kept[g->entry_row[k]] < 0) continue;
        row[p->jacobian_entries] = a->kept[g->entry_row[k]];
        column[p->jacobian_entries++] = g->entry_column[k];
    }
    for (int q = 0; q < n; q++) hrow[q] = hcolumn[q] = q;
    for (int k = 0; k < a->bends; k++) {
        hrow[n + k] = a->bend[k].p;
        hcolumn[n + k] = a->bend[k].q;
    }
    p->n = n;
    p->jacobian_row = row;
    p->jacobian_column = column;
    p->hessian_entries = h;
    p->hessian_row = hrow;
    p->hessian_column = hcolumn;
    p->go = go;
    p->bend = bend_at;
    p->user = a;
    p->most_iterations = MOST_ITERATIONS;
    p->most_seconds = MOST_SECONDS;
    return TAUT_OK;
}

taut_status taut_assembler_set_up(taut_assembler *a) {
    builder b = {0};
    taut_stage *g = a->rows;
    if (a->series) return TAUT_OK;
    if (g->finder->frozen) return TAUT_CONTRADICTED;
    taut_status status = differentiate(a, &b);
    a->bend = TAUT_NEW_ARRAY(&a->arena, b.bends, taut_bend);
    if (!a->bend) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK && b.bends) memcpy(a->bend, b.bend, b.bends * sizeof *b.bend);
    a->bends = (int)b.bends;
    if (status == TAUT_OK)
        status = taut_series_create(g->series->system, g->series->structure, 0, b.output,
                                    (int)b.outputs, &a->series);
    if (status == TAUT_OK && g->finder->number)
        status = taut_series_set_numbers(a->series, g->finder->number);
    if (status == TAUT_OK) {
        taut_series_start(a->series, g->series->jet->t, 1.0);
        taut_series_take(a->series, g->series);
        a->own = *g; /* shares its work space, except what goes with the tape */
        a->own.series = a->series;
        a->own.length = TAUT_NEW_ARRAY(&a->arena, a->series->tape->size, double);
        status = a->own.length ? choose_rows(a) : TAUT_ERR_MEMORY;
    }
    if (status == TAUT_OK) status = lay_out(a);
    if (status != TAUT_OK) taut_series_free(&a->series);
    taut_release((void **)&b.output);
    taut_release((void **)&b.slope);
    taut_release((void **)&b.bend);
    return status;
}

/* ---- its solution ---- */

taut_status taut_assembler_nearest(taut_assembler *a, bool *found) {
    taut_stage *g = a->rows;
    taut_arena arena = {0};
    taut_outcome outcome;
    int bad;
    *found = false;
    if (g->columns == 0) return TAUT_OK;
    taut_status status = taut_assembler_set_up(a);
    double *x = TAUT_NEW_ARRAY(&arena, g->columns, double);
    if (!x) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        taut_stage_get(g, x);
        for (int q = 0; q < g->columns; q++) x[q] /= a->size[q];
        status = taut_nlp_solve(&a->nlp, x, NULL);
    }
    if (status == TAUT_OK) {
        for (int q = 0; q < g->columns; q++) x[q] *= a->size[q];
        taut_stage_set(g, x);
        status = taut_stage_solve(g, &outcome, &bad);
        *found = status == TAUT_OK && outcome == TAUT_MET;
    }
    taut_arena_release(&arena);
    a->no_optimiser = status == TAUT_ERR_LIBRARY;
    /* nothing found; without IPOPT the homotopy has to do */
    return status == TAUT_ERR_NUMERICS || status == TAUT_ERR_LIBRARY ? TAUT_OK : status;
}

taut_status taut_assembler_lagrangian(taut_assembler *a, const double *z, const double *lambda,
                                      double *value, double *gradient, double *hessian) {
    taut_arena arena = {0};
    const int n = a->rows->columns;
    double *x = TAUT_NEW_ARRAY(&arena, n, double);
    double *mu = TAUT_NEW_ARRAY(&arena, a->rows->rows, double);
    taut_status status = x && mu ? taut_assembler_set_up(a) : TAUT_ERR_MEMORY;
    for (int q = 0; q < n && status == TAUT_OK; q++) x[q] = z[q] / a->size[q];
    for (int i = 0; i < a->rows->rows && status == TAUT_OK; i++)
        if (a->kept[i] >= 0) mu[a->kept[i]] = lambda[i];
    if (status == TAUT_OK && (!go(a, x) || !bend_at(a, 1.0, mu))) status = TAUT_ERR_NUMERICS;
    if (status == TAUT_OK) {
        const taut_nlp *p = &a->nlp;
        *value = p->f;
        memcpy(gradient, p->gradient, (size_t)n * sizeof *gradient);
        memset(hessian, 0, (size_t)n * (size_t)n * sizeof *hessian);
        for (int i = 0; i < p->m; i++) *value += mu[i] * p->g[i];
        for (int k = 0; k < p->jacobian_entries; k++)
            gradient[p->jacobian_column[k]] += mu[p->jacobian_row[k]] * p->jacobian[k];
        for (int k = 0; k < p->hessian_entries; k++) {
            const int i = p->hessian_row[k], j = p->hessian_column[k];
            hessian[i * n + j] += p->hessian[k];
            if (i != j) hessian[j * n + i] += p->hessian[k];
        }
    }
    taut_arena_release(&arena);
    return status;
}
