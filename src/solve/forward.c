/* Derivatives of equations and functions by everything they contain are outputs of one series.
 * Their Taylor coefficients, convolved with those of the variations, are the right-hand sides of
 * one linear system a stage (docs/math/sensitivity.md, section 2). */
#include "solve/forward.h"

#include <math.h>
#include <string.h>

#include "core/lanes.h"
#include "expr/diff.h"

enum { LANES = TAUT_FORWARD_LANES, TAIL = 3 };

/* dg/dx_j^(order), or dg/dp, everything else held. */
typedef struct entry {
    int variable; /* -1: by a parameter ... */
    int order;    /* ... of this index */
    int output;   /* of the series */
} entry;

struct taut_forward {
    taut_arena arena;
    const taut_system *system;
    const taut_structure *structure;
    taut_forward_order order;
    taut_series *series;
    int stage;    /* the last one */
    entry *entry; /* of row g: first[g] .. first[g + 1] - 1; equations are the first rows */
    int *first;   /* [n + functions + 1] */
    size_t entries, entry_room;
    taut_node *node; /* outputs of the series: derivatives, then functions */
    size_t node_room;
    int outputs;
    int *need;      /* [outputs] the highest order that rows read; 0: it is steady as well */
    int *start;     /* [outputs] its coefficients are coef[start ..] */
    double *coef;   /* scaled, at the point */
    int orders;     /* of derivatives in entries */
    int *place;     /* [n + 1] coefficient k of x_j is number place[j] + k */
    double *x;      /* [blocks][orders][place[n]][LANES] scaled coefficients of the variations of
                       x_j^(r) */
    double *number; /* [blocks][numbers][LANES] */
    int blocks;
    double *factor; /* [largest d + 1] of a stage: from coefficients to derivatives */
    double *side;   /* [n][LANES] */
    double *y;      /* [n] */
};

/* ---- preparation ---- */

static taut_status add_node(taut_forward *v, taut_node node, size_t at) {
    if (taut_grow((void **)&v->node, &v->node_room, at + 1, sizeof *v->node))
        return TAUT_ERR_MEMORY;
    v->node[at] = node;
    return TAUT_OK;
}

/* Appends the derivatives of one row. Equal ones are one output. */
static taut_status sweep_row(taut_forward *v, taut_sweep *sweep, taut_node g) {
    const taut_graph *graph = v->system->graph;
    taut_sweep_begin(sweep, TAUT_SWEEP_EVERY, NULL);
    taut_sweep_seed(sweep, g, 1.0, taut_number(v->system->graph, 1.0));
    TAUT_TRY(taut_sweep_run(sweep));
    for (size_t k = 0; k < taut_sweep_reached(sweep); k++) {
        const taut_node_data *d = taut_node_get(graph, taut_sweep_variable(sweep, k));
        const bool parameter = d->op == TAUT_OP_PARAM;
        if (parameter && d->index >= v->order.numbers) continue;
        if (taut_grow((void **)&v->entry, &v->entry_room, v->entries + 1, sizeof *v->entry))
            return TAUT_ERR_MEMORY;
        const int order = parameter ? d->index : taut_sweep_order(sweep, k);
        v->entry[v->entries] = (entry){parameter ? -1 : d->index, order, 0};
        TAUT_TRY(add_node(v, taut_sweep_adjoint(sweep, k), v->entries));
        if (!parameter && order >= v->orders) v->orders = order + 1;
        v->entries++;
    }
    return TAUT_OK;
}

static taut_status sweep_rows(taut_forward *v) {
    const int n = v->system->n;
    taut_sweep *sweep;
    TAUT_TRY(taut_sweep_create(v->system->graph, &sweep));
    taut_sweep_by_parameters(sweep, true);
    taut_status status = TAUT_OK;
    for (int g = 0; g < n + v->order.functions && status == TAUT_OK; g++) {
        status =
            sweep_row(v, sweep, g < n ? v->system->equation[g].node : v->order.function[g - n]);
        v->first[g + 1] = (int)v->entries;
    }
    taut_sweep_free(&sweep);
    return status;
}

/* Numbers the outputs: each node once, functions last. */
static taut_status number_outputs(taut_forward *v) {
    taut_arena work = {0};
    int *at = TAUT_NEW_ARRAY(&work, taut_graph_size(v->system->graph), int);
    if (!at) return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < v->entries; k++) {
        const taut_node node = v->node[k];
        if (at[node] == 0) {
            v->node[v->outputs] = node; /* no further than k */
            at[node] = ++v->outputs;
        }
        v->entry[k].output = at[node] - 1;
    }
    taut_arena_release(&work);
    for (int i = 0; i < v->order.functions; i++)
        TAUT_TRY(add_node(v, v->order.function[i], (size_t)(v->outputs + i)));
    return TAUT_OK;
}

/* The highest order of a row that is ever asked for. */
static int top_of(const taut_forward *v, int row) {
    const int n = v->system->n;
    return row < n ? v->structure->offsets.c[row] + v->stage : v->order.levels[row - n];
}

static taut_status place_coefficients(taut_forward *v) {
    const taut_tape *tape = v->series->tape;
    v->need = TAUT_NEW_ARRAY(&v->arena, v->outputs + 1, int);
    v->start = TAUT_NEW_ARRAY(&v->arena, v->outputs + 1, int);
    if (!v->need || !v->start) return TAUT_ERR_MEMORY;
    for (int g = 0; g < v->system->n + v->order.functions; g++)
        for (int i = v->first[g]; i < v->first[g + 1]; i++) {
            const int output = v->entry[i].output;
            const bool steady = tape->instr[v->series->output[output]].kernel == TAUT_KERNEL_STEADY;
            if (!steady && top_of(v, g) > v->need[output]) v->need[output] = top_of(v, g);
        }
    for (int i = 0; i < v->outputs; i++) v->start[i + 1] = v->start[i] + v->need[i] + 1;
    v->coef = TAUT_NEW_ARRAY(&v->arena, v->start[v->outputs] + 1, double);
    return v->coef ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status place_variations(taut_forward *v) {
    const int n = v->system->n, *d = v->structure->offsets.d;
    for (int j = 0; j < n; j++) {
        v->place[j + 1] = v->place[j] + d[j] + v->stage + 1;
        if (d[j] >= v->orders) v->orders = d[j] + 1;
    }
    v->blocks = (v->order.directions + LANES - 1) / LANES;
    const size_t lanes = (size_t)v->blocks * LANES;
    v->x = TAUT_NEW_ARRAY(&v->arena, lanes * (size_t)v->orders * (size_t)v->place[n], double);
    v->number = TAUT_NEW_ARRAY(&v->arena, lanes * (size_t)v->order.numbers + 1, double);
    v->side = TAUT_NEW_ARRAY(&v->arena, (size_t)n * LANES, double);
    v->y = TAUT_NEW_ARRAY(&v->arena, n, double);
    v->factor = TAUT_NEW_ARRAY(&v->arena, v->structure->largest_d + 1, double);
    return v->x && v->number && v->side && v->y && v->factor ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status prepare(taut_forward *v) {
    const int n = v->system->n;
    v->first = TAUT_NEW_ARRAY(&v->arena, n + v->order.functions + 1, int);
    v->place = TAUT_NEW_ARRAY(&v->arena, n + 1, int);
    if (!v->first || !v->place) return TAUT_ERR_MEMORY;
    v->stage = v->order.stages > 0 ? v->order.stages : 0;
    for (int i = 0; i < v->order.functions; i++) {
        const int need = v->order.levels[i] - v->structure->offset[v->order.function[i]];
        if (need > v->stage) v->stage = need;
    }
    TAUT_TRY(sweep_rows(v));
    TAUT_TRY(number_outputs(v));
    TAUT_TRY(taut_series_create(v->system, v->structure, v->stage, v->node,
                                v->outputs + v->order.functions, &v->series));
    TAUT_TRY(place_coefficients(v));
    return place_variations(v);
}

taut_status taut_forward_create(const taut_system *system, const taut_structure *structure,
                                const taut_forward_order *order, taut_forward **forward) {
    *forward = NULL;
    taut_forward *v = taut_new(sizeof *v);
    if (!v) return TAUT_ERR_MEMORY;
    *v = (taut_forward){.system = system, .structure = structure, .order = *order, .orders = 1};
    const taut_status status = prepare(v);
    if (status == TAUT_OK)
        *forward = v;
    else
        taut_forward_free(&v);
    return status;
}

void taut_forward_free(taut_forward **forward) {
    taut_forward *v = *forward;
    if (!v) return;
    taut_series_free(&v->series);
    taut_release((void **)&v->entry);
    taut_release((void **)&v->node);
    taut_arena_release(&v->arena);
    taut_release((void **)forward);
}

taut_series *taut_forward_series(taut_forward *v) { return v->series; }
int taut_forward_stage(const taut_forward *v) { return v->stage; }

/* ---- places ---- */

/* Coefficient k of the variation of x_j^(r), all lanes of a block. */
static double *at(const taut_forward *v, int block, int r, int j, int k) {
    const size_t places = (size_t)v->place[v->system->n];
    return v->x +
           (((size_t)block * (size_t)v->orders + (size_t)r) * places + (size_t)(v->place[j] + k)) *
               LANES;
}

static double *number_at(const taut_forward *v, int block, int number) {
    return v->number + ((size_t)block * (size_t)v->order.numbers + (size_t)number) * LANES;
}

void taut_forward_set_number(taut_forward *v, int number, int direction, double variation) {
    number_at(v, direction / LANES, number)[direction % LANES] = variation;
}

/* Coefficient k of the variation of x_j has changed: so have those of its derivatives. */
static void spread(taut_forward *v, int block, int j, int k) {
    const double *x = at(v, block, 0, j, k), h = v->series->jet->h;
    double factor = 1.0;
    for (int r = 1; r < v->orders && r <= k; r++) {
        double *to = at(v, block, r, j, k - r);
        factor *= (double)(k - r + 1) / h;
        for (int l = 0; l < LANES; l++) to[l] = factor * x[l];
    }
}

void taut_forward_set(taut_forward *v, int j, int k, int direction, double variation) {
    at(v, direction / LANES, 0, j, k)[direction % LANES] =
        variation / taut_unscale(v->series->jet->h, k);
    spread(v, direction / LANES, j, k);
}

double taut_forward_get(const taut_forward *v, int j, int k, int direction) {
    return at(v, direction / LANES, 0, j, k)[direction % LANES] *
           taut_unscale(v->series->jet->h, k);
}

/* ---- the point ---- */

/* Coefficients of all derivatives, in a row each. */
static void gather(taut_forward *v) {
    for (int i = 0; i < v->outputs; i++) {
        const double *from = taut_jet_at(v->series->jet, v->series->output[i], 0);
        double *to = v->coef + v->start[i];
        for (int k = 0; k <= v->need[i]; k++) to[k] = from[k * TAUT_LANES];
    }
}

taut_status taut_forward_expand(taut_forward *v, const taut_expansion *e) {
    taut_series *s = v->series;
    const int *d = v->structure->offsets.d, first = s->tape->first_stage;
    taut_jet_start(s->jet, e->t, e->h);
    for (int j = 0; j < v->system->n; j++)
        for (int k = 0; k <= v->stage + d[j]; k++)
            *taut_jet_at(s->jet, s->variable[j], k) = e->c[j][k];
    for (int stage = first; stage <= v->stage; stage++) {
        taut_jet_stage(s->jet, stage);
        taut_jet_finish(s->jet, stage);
    }
    TAUT_TRY(taut_series_factor(s));
    gather(v);
    return TAUT_OK;
}

void taut_forward_move(taut_forward *v, double t, double h) { taut_series_start(v->series, t, h); }

taut_status taut_forward_settle(taut_forward *v, bool project) {
    TAUT_TRY(taut_series_settle(v->series, project, NULL, NULL));
    taut_series_extend(v->series, 1, v->stage);
    gather(v);
    return TAUT_OK;
}

/* ---- variations of rows ---- */

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

/* sum += the coefficient of order q of a product: a_0 x_q + ... + a_q x_0, in all lanes. */
TAUT_ALL_PROCESSORS
static void convolve(const double *a, const double *x, int q, double *sum) {
    quad even[2] = {{0.0}}, odd[2] = {{0.0}};
    const double *b = a + q;
    int m = 0;
    for (; m + 1 <= q; m += 2, x += 2 * LANES) {
        const quad *at = (const quad *)x;
        const double p = b[-m], r = b[-m - 1];
        even[0] += p * at[0];
        even[1] += p * at[1];
        odd[0] += r * at[2];
        odd[1] += r * at[3];
    }
    if (m == q) {
        const quad *at = (const quad *)x;
        even[0] += *a * at[0];
        even[1] += *a * at[1];
    }
    quad *to = (quad *)sum;
    to[0] += even[0] + odd[0];
    to[1] += even[1] + odd[1];
}

/* Coefficient q of the variation of a row, in all lanes of a block. */
static void row_of(const taut_forward *v, int row, int q, int block, double *sum) {
    memset(sum, 0, LANES * sizeof *sum);
    for (int i = v->first[row]; i < v->first[row + 1]; i++) {
        const entry *e = &v->entry[i];
        const double *a = v->coef + v->start[e->output];
        if (e->variable < 0) {
            const double *p = number_at(v, block, e->order);
            if (v->need[e->output] == 0 && q > 0) continue;
            for (int l = 0; l < LANES; l++) sum[l] += a[q] * p[l];
        } else if (v->need[e->output] == 0) {
            const double *x = at(v, block, e->order, e->variable, q);
            for (int l = 0; l < LANES; l++) sum[l] += *a * x[l];
        } else {
            convolve(a, at(v, block, e->order, e->variable, 0), q, sum);
        }
    }
}

double taut_forward_of(const taut_forward *v, int function, int level, int direction) {
    double sum[LANES];
    row_of(v, v->system->n + function, level, direction / LANES, sum);
    return sum[direction % LANES] * taut_unscale(v->series->jet->h, level);
}

double taut_forward_value(const taut_forward *v, int function, int level) {
    return taut_series_output(v->series, v->outputs + function, level);
}

/* ---- stages ---- */

/* (s + o)! h^-(s + o) / (s! h^-s), with s! h^-s taken as 1 for s < 0: as in solve/series.c. */
static void find_factors(taut_forward *v, int s) {
    for (int o = 0; o <= v->structure->largest_d; o++) {
        v->factor[o] = 1.0;
        for (int i = (s > 0 ? s : 0) + 1; i <= s + o; i++)
            v->factor[o] *= (double)i / v->series->jet->h;
    }
}

/* Corrects the variations of x_j^(d_j + s). */
static void solve_stage(taut_forward *v, int s, int block) {
    const int n = v->system->n, *c = v->structure->offsets.c, *d = v->structure->offsets.d;
    find_factors(v, s);
    for (int i = 0; i < n; i++) {
        double *side = v->side + i * LANES;
        if (s + c[i] < 0) {
            memset(side, 0, LANES * sizeof *side);
            continue;
        }
        row_of(v, i, s + c[i], block, side);
        for (int l = 0; l < LANES; l++) side[l] *= -v->factor[c[i]];
    }
    const int used = v->order.directions - block * LANES;
    for (int l = 0; l < LANES && l < used; l++) {
        for (int i = 0; i < n; i++) v->y[i] = v->side[i * LANES + l];
        taut_lu_solve(v->series->lu, v->y);
        for (int i = 0; i < n; i++) v->side[i * LANES + l] = v->y[i];
    }
    for (int j = 0; j < n; j++) {
        if (s + d[j] < 0) continue;
        double *x = at(v, block, 0, j, s + d[j]);
        for (int l = 0; l < LANES; l++) x[l] += v->side[j * LANES + l] / v->factor[d[j]];
        spread(v, block, j, s + d[j]);
    }
}

void taut_forward_solve(taut_forward *v, bool project) {
    const int n = v->system->n, *d = v->structure->offsets.d;
    for (int block = 0; block < v->blocks; block++) {
        for (int j = 0; j < n; j++)
            for (int k = d[j]; k <= d[j] + v->stage; k++) {
                memset(at(v, block, 0, j, k), 0, LANES * sizeof(double));
                spread(v, block, j, k);
            }
        for (int s = project ? -v->structure->largest_d : 0; s <= v->stage; s++)
            solve_stage(v, s, block);
    }
}

/* ---- polynomials ---- */

taut_status taut_forward_keep(const taut_forward *v, taut_forward_path *path) {
    const size_t size = (size_t)v->place[v->system->n] * LANES;
    if (taut_grow((void **)&path->c, &path->room, (size_t)v->blocks * size, sizeof *path->c))
        return TAUT_ERR_MEMORY;
    path->t = v->series->jet->t;
    path->h = v->series->jet->h;
    for (int block = 0; block < v->blocks; block++)
        memcpy(path->c + (size_t)block * size, at(v, block, 0, 0, 0), size * sizeof *path->c);
    return TAUT_OK;
}

double taut_forward_follow(const taut_forward *v, const taut_forward_path *path, int j, int k,
                           int direction, double time) {
    const size_t size = (size_t)v->place[v->system->n] * LANES;
    const double *c = path->c + (size_t)(direction / LANES) * size + direction % LANES +
                      (size_t)v->place[j] * LANES;
    const double theta = (time - path->t) / path->h;
    const int top = v->structure->offsets.d[j] + v->stage;
    double sum = 0.0;
    for (int q = top; q >= k; q--) {
        double factor = 1.0;
        for (int i = 0; i < k; i++) factor *= (double)(q - i) / path->h;
        sum = sum * theta + factor * c[q * LANES];
    }
    return sum;
}

/* The largest coefficient q of variations of the k-th derivatives, in one lane; q from the end. */
static double largest(const taut_forward *v, int direction, int k, int q, bool from_end) {
    double most = 0.0;
    for (int j = 0; j < v->system->n; j++) {
        const int d = v->structure->offsets.d[j], top = d + v->stage - k;
        if (k >= d) continue;
        const int order = from_end ? top - q : q;
        if (order < 0 || order > top) continue;
        most = fmax(most, fabs(at(v, direction / LANES, k, j, order)[direction % LANES]));
    }
    return most;
}

double taut_forward_reach(const taut_forward *v, double tol, double theta) {
    double reach = theta;
    for (int direction = 0; direction < v->order.directions; direction++)
        for (int k = 0; k < v->structure->largest_d; k++) {
            double scale = 0.0, power = 1.0;
            for (int q = 0; q < v->stage / 2; q++, power *= reach)
                scale = fmax(scale, largest(v, direction, k, q, false) * power);
            for (int q = 0; q < TAIL && scale > 0.0; q++) {
                const double last = largest(v, direction, k, q, true);
                const int order = v->structure->largest_d + v->stage - k - q;
                if (last > 0.0) reach = fmin(reach, pow(tol * scale / last, 1.0 / order));
            }
        }
    return reach;
}
