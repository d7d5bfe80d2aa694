/* Derivatives of equations and functions by everything they contain are outputs of one series; the
 * rest is linear algebra, stage by stage. */
#include "solve/variational.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "expr/diff.h"

enum { BLOCK = 32 }; /* directions that are followed side by side */

/* dg/dx_j^(order), or dg/dp, everything else held. */
typedef struct entry {
    int variable; /* -1: by a parameter ... */
    int order;    /* ... of this index */
    int output;   /* of the series */
} entry;

struct taut_variational {
    taut_arena arena, at_point; /* at_point: what belongs to one point */
    const taut_system *system;
    const taut_structure *structure;
    taut_variational_order order;
    taut_series *series;
    entry *entry; /* of row g: first[g] .. first[g + 1] - 1; equations are the first rows */
    int *first;   /* [n + functions + ties + 1] */
    size_t entries, entry_room;
    taut_node *node; /* [entries + functions] outputs of the series */
    size_t node_room;
    int stage;  /* that functions need */
    int *place; /* [n + 1] x_j^(k), k <= d_j + stage, is number place[j] + k */
    int *by_row,
        *row_first; /* entries of J by rows: numbers of entries, [n + 1] where each begins */
    int *column;    /* [entries of J] its variable */
    int directions, most;
    double *x; /* [place[n] * most] variations, all directions of one x_j^(k) side by side */
    float
        *noise; /* as x: how large the rounding in it may be, roughly, in units of the last place */
    int *begins; /* [most] */
};

/* ---- preparation ---- */

static taut_status add_output(taut_variational *v, taut_node node, size_t at) {
    if (taut_grow((void **)&v->node, &v->node_room, at + 1, sizeof *v->node))
        return TAUT_ERR_MEMORY;
    v->node[at] = node;
    return TAUT_OK;
}

/* Appends the derivatives of one row. */
static taut_status sweep_row(taut_variational *v, taut_sweep *sweep, taut_node g) {
    const taut_graph *graph = v->system->graph;
    TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_EVERY, g));
    for (size_t k = 0; k < taut_sweep_reached(sweep); k++) {
        const taut_node_data *d = taut_node_get(graph, taut_sweep_variable(sweep, k));
        const bool parameter = d->op == TAUT_OP_PARAM;
        if (parameter && (v->order.inputs == 0 || d->index >= v->order.parameters)) continue;
        if (taut_grow((void **)&v->entry, &v->entry_room, v->entries + 1, sizeof *v->entry))
            return TAUT_ERR_MEMORY;
        v->entry[v->entries] =
            (entry){parameter ? -1 : d->index, parameter ? d->index : taut_sweep_order(sweep, k),
                    (int)v->entries};
        TAUT_TRY(add_output(v, taut_sweep_adjoint(sweep, k), v->entries));
        v->entries++;
    }
    return TAUT_OK;
}

static taut_status sweep_rows(taut_variational *v, taut_sweep *sweep) {
    const int n = v->system->n;
    taut_sweep_by_parameters(sweep, true);
    const int m = n + v->order.functions;
    for (int g = 0; g < m + v->order.ties; g++) {
        const taut_node node = g < n   ? v->system->equation[g].node
                               : g < m ? v->order.function[g - n]
                                       : v->order.tie[g - m].off;
        if (g < m || (node != TAUT_NO_NODE && v->order.inputs > 0))
            TAUT_TRY(sweep_row(v, sweep, node));
        v->first[g + 1] = (int)v->entries;
    }
    return TAUT_OK;
}

/* J of the series by rows. */
static taut_status sort_rows(taut_variational *v) {
    const taut_series *series = v->series;
    const int n = v->system->n, entries = series->start[n];
    v->by_row = TAUT_NEW_ARRAY(&v->arena, entries + 1, int);
    v->column = TAUT_NEW_ARRAY(&v->arena, entries + 1, int);
    v->row_first = TAUT_NEW_ARRAY(&v->arena, n + 3, int);
    if (!v->by_row || !v->column || !v->row_first) return TAUT_ERR_MEMORY;
    int *next = v->row_first + 1; /* next[i] is where row i is filled up to */
    for (int k = 0; k < entries; k++) v->row_first[series->row[k] + 2]++;
    for (int i = 1; i <= n + 1; i++) v->row_first[i] += v->row_first[i - 1];
    for (int j = 0; j < n; j++)
        for (int k = series->start[j]; k < series->start[j + 1]; k++) {
            v->column[k] = j;
            v->by_row[next[series->row[k]]++] = k;
        }
    return TAUT_OK;
}

static taut_status prepare(taut_variational *v) {
    const int n = v->system->n, *d = v->structure->offsets.d;
    taut_sweep *sweep;
    v->first = TAUT_NEW_ARRAY(&v->arena, n + v->order.functions + v->order.ties + 1, int);
    v->place = TAUT_NEW_ARRAY(&v->arena, n + 1, int);
    if (!v->first || !v->place) return TAUT_ERR_MEMORY;
    for (int i = 0; i < v->order.functions; i++) {
        const bool own = v->order.offset && v->order.offset[i] != INT_MIN;
        const int offset = own ? v->order.offset[i] : v->structure->offset[v->order.function[i]];
        const int need = v->order.levels[i] - offset;
        if (need > v->stage) v->stage = need;
    }
    for (int j = 0; j < n; j++) v->place[j + 1] = v->place[j] + d[j] + v->stage + 1;
    TAUT_TRY(taut_sweep_create(v->system->graph, &sweep));
    const taut_status status = sweep_rows(v, sweep);
    taut_sweep_free(&sweep);
    TAUT_TRY(status);
    for (int i = 0; i < v->order.functions; i++)
        TAUT_TRY(add_output(v, v->order.function[i], v->entries + (size_t)i));
    const int last = v->stage > v->order.stages ? v->stage : v->order.stages;
    TAUT_TRY(taut_series_create(v->system, v->structure, last, v->node,
                                (int)v->entries + v->order.functions, &v->series));
    return sort_rows(v);
}

taut_status taut_variational_create(const taut_system *system, const taut_structure *structure,
                                    const taut_variational_order *order,
                                    taut_variational **variation) {
    *variation = NULL;
    taut_variational *v = taut_new(sizeof *v);
    if (!v) return TAUT_ERR_MEMORY;
    *v = (taut_variational){.system = system, .structure = structure, .order = *order};
    const taut_status status = prepare(v);
    if (status == TAUT_OK)
        *variation = v;
    else
        taut_variational_free(&v);
    return status;
}

void taut_variational_free(taut_variational **variation) {
    taut_variational *v = *variation;
    if (!v) return;
    taut_series_free(&v->series);
    taut_release((void **)&v->entry);
    taut_release((void **)&v->node);
    taut_arena_release(&v->arena);
    taut_arena_release(&v->at_point);
    taut_release((void **)variation);
}

taut_series *taut_variational_series(taut_variational *v) { return v->series; }
int taut_variational_stage(const taut_variational *v) { return v->stage; }
int taut_variational_directions(const taut_variational *v) { return v->directions; }
int taut_variational_begins(const taut_variational *v, int direction) {
    return v->begins[direction];
}

/* ---- variations of functions ---- */

/* Where the variations of x_j^(k) are, by its place: all directions. */
static size_t at(const taut_variational *v, int place) { return (size_t)place * (size_t)v->most; }

/* Half the room of a double is enough for a size, but it must stay finite. */
static void put(taut_variational *v, int direction, int place, double x, double noise) {
    const size_t to = at(v, place) + (size_t)direction;
    v->x[to] = x;
    v->noise[to] = (float)fmin(noise, (double)FLT_MAX);
}

/* Adds a times the variations of one x_j^(k), and the sizes of these terms. Where nothing varies,
 * `a` may be infinite. */
static void add_term(int count, double a, const double *x, const float *noise, double *sum,
                     double *size) {
    const double length = fabs(a);
    if (length <= DBL_MAX)
        for (int k = 0; k < count; k++) {
            sum[k] += a * x[k];
            size[k] += length * (fabs(x[k]) + (double)noise[k]);
        }
    else
        for (int k = 0; k < count; k++) {
            if (x[k] == 0.0 && noise[k] == 0.0f) continue;
            sum[k] += a * x[k];
            size[k] += length * (fabs(x[k]) + (double)noise[k]);
        }
}

/* What inputs among `count` directions from `first` on change in a row directly. */
static void add_inputs(const taut_variational *v, const entry *e, int level, int first, int count,
                       double *sum, double *size) {
    for (int k = 0; k < count && first + k < v->order.inputs; k++) {
        const double w = v->order.weight[(first + k) * v->order.parameters + e->order];
        if (w == 0.0) continue;
        const double t = w * taut_series_output(v->series, e->output, level);
        sum[k] += t;
        size[k] += fabs(t);
    }
}

/* The variation of the level-th derivative of a row, an equation or a function, in `count`
 * directions from `first` on. d(g^(level)) by variables: sum of binomial(level, m)
 * (dg/dx_j^(r))^(level - m) times the variation of x_j^(r + m). */
static void vary_row(const taut_variational *v, int row, int level, int first, int count,
                     double *sum, double *size) {
    for (int k = 0; k < count; k++) sum[k] = size[k] = 0.0;
    for (int i = v->first[row]; i < v->first[row + 1]; i++) {
        const entry *e = &v->entry[i];
        double binomial = 1.0;
        if (e->variable < 0) add_inputs(v, e, level, first, count, sum, size);
        for (int m = 0; m <= level && e->variable >= 0; m++) {
            const int here = v->place[e->variable] + e->order + m;
            const size_t from = at(v, here) + (size_t)first;
            if (here < v->place[e->variable + 1])
                add_term(count, binomial * taut_series_output(v->series, e->output, level - m),
                         v->x + from, v->noise + from, sum, size);
            binomial *= (double)(level - m) / (double)(m + 1);
        }
    }
}

double taut_variational_of(const taut_variational *v, int function, int level, int direction,
                           double *size) {
    double sum, terms;
    vary_row(v, v->system->n + function, level, direction, 1, &sum, &terms);
    if (size) *size = terms;
    return sum;
}

void taut_variational_all(const taut_variational *v, int function, int level, double *value,
                          double *size) {
    vary_row(v, v->system->n + function, level, 0, v->directions, value, size);
}

const int *taut_variational_place(const taut_variational *v) { return v->place; }

void taut_variational_gradient(const taut_variational *v, int row, int level, double *out) {
    for (int i = v->first[row]; i < v->first[row + 1]; i++) {
        const entry *e = &v->entry[i];
        double binomial = 1.0;
        for (int m = 0; m <= level && e->variable >= 0; m++) {
            const int here = v->place[e->variable] + e->order + m;
            if (here < v->place[e->variable + 1])
                out[here] += binomial * taut_series_output(v->series, e->output, level - m);
            binomial *= (double)(level - m) / (double)(m + 1);
        }
    }
}

double taut_variational_by_input(const taut_variational *v, int row, int level, int input) {
    double sum = 0.0;
    for (int i = v->first[row]; i < v->first[row + 1]; i++)
        if (v->entry[i].variable < 0)
            sum += v->order.weight[input * v->order.parameters + v->entry[i].order] *
                   taut_series_output(v->series, v->entry[i].output, level);
    return sum;
}

double taut_variational_scale(const taut_variational *v, int function, int level) {
    const int row = v->system->n + function;
    double sum = 0.0;
    for (int i = v->first[row]; i < v->first[row + 1]; i++)
        for (int m = 0; m <= level && v->entry[i].variable >= 0; m++)
            sum += fabs(taut_series_output(v->series, v->entry[i].output, level - m));
    return sum;
}

double taut_variational_value(const taut_variational *v, int function, int level) {
    return taut_series_output(v->series, (int)v->entries + function, level);
}

/* ---- ties ---- */

/* The variables of an equation that a tie is about: x_j where it has x_j'. */
static bool is_tied(const entry *e) { return e->variable >= 0 && e->order == 1; }

/* The stage at which the last of its variables is found. */
static int tie_stage(const taut_variational *v, const taut_tie *tie) {
    const int *d = v->structure->offsets.d;
    if (tie->passive) return -d[tie->number];
    int stage = -v->structure->largest_d;
    for (int i = v->first[tie->number]; i < v->first[tie->number + 1]; i++)
        if (is_tied(&v->entry[i]) && -d[v->entry[i].variable] > stage)
            stage = -d[v->entry[i].variable];
    return stage;
}

/* ---- stages below 0 ---- */

/* Conditions of a stage: matrix times unknown variations = - what is known. */
typedef struct stage {
    int s;
    int unknowns, rows;
    int *unknown;   /* [n] number among the unknowns, -1: none */
    double *matrix; /* [unknowns * unknowns] by columns: conditions, later the basis below them */
    double *sides;  /* [unknowns * directions] by columns */
    double *noise;  /* [directions] of the right-hand sides, in units of the last place */
    double *sum, *size; /* [directions] room */
} stage;

static void put_equation(taut_variational *v, stage *x, int i, int level) {
    double largest = 0.0;
    for (int e = v->row_first[i]; e < v->row_first[i + 1]; e++) {
        const int k = v->by_row[e], j = x->unknown[v->column[k]];
        if (j < 0) continue;
        x->matrix[(size_t)j * (size_t)x->unknowns + (size_t)x->rows] = v->series->J[k];
        largest = fmax(largest, fabs(v->series->J[k]));
    }
    vary_row(v, i, level, 0, v->directions, x->sum, x->size);
    for (int k = 0; k < v->directions; k++) {
        x->sides[k * x->unknowns + x->rows] = -x->sum[k];
        if (largest > 0.0) x->noise[k] = fmax(x->noise[k], x->size[k] / largest);
    }
    x->rows++;
}

/* What an input changes in the function of a tie directly. */
static double tie_by_input(const taut_variational *v, const taut_tie *tie, int direction) {
    const int row = v->system->n + v->order.functions + (int)(tie - v->order.tie);
    double sum = 0.0;
    for (int i = v->first[row]; i < v->first[row + 1]; i++)
        if (v->entry[i].variable < 0)
            sum += v->order.weight[direction * v->order.parameters + v->entry[i].order] *
                   taut_series_output(v->series, v->entry[i].output, 0);
    return sum;
}

static void put_tie(taut_variational *v, stage *x, const taut_tie *tie) {
    if (tie->passive) {
        x->matrix[x->unknown[tie->number] * x->unknowns + x->rows] = 1.0;
        for (int k = 0; k < v->directions; k++) x->sides[k * x->unknowns + x->rows] = 0.0;
        x->rows++;
        return;
    }
    for (int i = v->first[tie->number]; i < v->first[tie->number + 1]; i++) {
        const entry *e = &v->entry[i];
        if (!is_tied(e)) continue;
        const double a = taut_series_output(v->series, e->output, 0);
        const bool here = v->structure->offsets.d[e->variable] == -x->s;
        if (here) x->matrix[x->unknown[e->variable] * x->unknowns + x->rows] += a;
        for (int k = 0; k < v->directions && !here; k++)
            x->sides[k * x->unknowns + x->rows] -=
                a * v->x[at(v, v->place[e->variable]) + (size_t)k];
    }
    for (int k = 0; k < v->order.inputs; k++)
        x->sides[k * x->unknowns + x->rows] -= tie_by_input(v, tie, k);
    x->rows++;
}

/* The conditions of a stage, as rows of its matrix. */
static taut_status set_up(taut_variational *v, stage *x, taut_arena *arena) {
    const int n = v->system->n, *c = v->structure->offsets.c, *d = v->structure->offsets.d;
    x->unknown = TAUT_NEW_ARRAY(arena, n, int);
    if (!x->unknown) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) x->unknown[j] = d[j] + x->s >= 0 ? x->unknowns++ : -1;
    int rows = 0;
    for (int i = 0; i < n; i++) rows += c[i] + x->s >= 0;
    for (int k = 0; k < v->order.ties; k++) rows += tie_stage(v, &v->order.tie[k]) == x->s;
    if (rows > x->unknowns) return TAUT_SINGULAR;
    x->matrix = TAUT_NEW_ARRAY(arena, (size_t)x->unknowns * (size_t)x->unknowns, double);
    x->sides = TAUT_NEW_ARRAY(arena, (size_t)x->unknowns * (size_t)(v->directions + 1), double);
    x->noise = TAUT_NEW_ARRAY(arena, 3 * v->directions + 1, double);
    if (!x->matrix || !x->sides || !x->noise) return TAUT_ERR_MEMORY;
    x->sum = x->noise + v->directions;
    x->size = x->sum + v->directions;
    for (int i = 0; i < n; i++)
        if (c[i] + x->s >= 0) put_equation(v, x, i, c[i] + x->s);
    for (int k = 0; k < v->order.ties; k++)
        if (tie_stage(v, &v->order.tie[k]) == x->s) put_tie(v, x, &v->order.tie[k]);
    return TAUT_OK;
}

/* What the conditions leave free, as an orthonormal basis [unknowns * free] by rows. */
static taut_status find_basis(const stage *x, taut_arena *arena, double *basis) {
    const int n = x->unknowns;
    double *transposed = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)x->rows, double);
    if (!transposed) return TAUT_ERR_MEMORY;
    for (int i = 0; i < x->rows; i++)
        for (int j = 0; j < n; j++) transposed[i * n + j] = x->matrix[j * n + i];
    return taut_null_basis(TAUT_NULL_QR, x->rows, n, transposed, basis);
}

static double largest_of(const double *x, int n) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* Known directions go on by the variation of least norm, and the free ones are added. */
static taut_status solve_stage(taut_variational *v, int s) {
    taut_arena arena = {0};
    stage x = {.s = s};
    const int *d = v->structure->offsets.d;
    taut_status status = set_up(v, &x, &arena);
    const int n = x.unknowns, free = n - x.rows;
    double *basis = TAUT_NEW_ARRAY(&arena, (size_t)n * (size_t)(free > 0 ? free : 1), double);
    int *pivot = TAUT_NEW_ARRAY(&arena, n, int);
    if (status == TAUT_OK && (!basis || !pivot)) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = find_basis(&x, &arena, basis);
    for (int k = 0; k < free && status == TAUT_OK; k++)
        for (int j = 0; j < n; j++) x.matrix[j * n + x.rows + k] = basis[j * free + k];
    if (status == TAUT_OK && v->directions > 0)
        status = taut_dense_solve(n, v->directions, x.matrix, x.sides, pivot);
    for (int k = 0; k < v->directions && status == TAUT_OK; k++)
        x.noise[k] = fmax(x.noise[k], largest_of(&x.sides[k * n], n));
    for (int j = 0; j < v->system->n && status == TAUT_OK; j++) {
        if (x.unknown[j] < 0) continue;
        const int to = v->place[j] + d[j] + s;
        for (int k = 0; k < v->directions; k++)
            put(v, k, to, x.sides[k * n + x.unknown[j]], x.noise[k]);
        for (int k = 0; k < free; k++)
            put(v, v->directions + k, to, basis[x.unknown[j] * free + k], 1.0);
    }
    for (int k = 0; k < free && status == TAUT_OK; k++) v->begins[v->directions++] = s;
    taut_arena_release(&arena);
    return status;
}

/* ---- stages from 0 on ---- */

/* Right-hand sides of some directions, and the sizes of their terms. */
typedef struct sides {
    double *y, *size; /* [n * BLOCK] by rows; y becomes the solution, size the rounding in it */
    double *column;   /* [n] */
} sides;

/* The rounding of right-hand sides is spread by the inverse of J: seen by a vector of such sizes
 * with signs of no pattern. */
static void spread_noise(const taut_variational *v, sides *x, int k) {
    const int n = v->system->n;
    unsigned int state = 1u;
    for (int i = 0; i < n; i++) {
        state = state * 1103515245u + 12345u;
        x->column[i] = state & 0x10000u ? -x->size[i * BLOCK + k] : x->size[i * BLOCK + k];
    }
    taut_lu_solve(v->series->lu, x->column);
    for (int j = 0; j < n; j++) x->size[j * BLOCK + k] = fabs(x->column[j]);
}

/* Stage s of `count` directions from `first` on. */
static void follow_block(taut_variational *v, int s, int first, int count, sides *x) {
    const int n = v->system->n, *c = v->structure->offsets.c, *d = v->structure->offsets.d;
    for (int i = 0; i < n; i++)
        vary_row(v, i, c[i] + s, first, count, &x->y[i * BLOCK], &x->size[i * BLOCK]);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < n; i++) x->column[i] = -x->y[i * BLOCK + k];
        taut_lu_solve(v->series->lu, x->column);
        for (int j = 0; j < n; j++) x->y[j * BLOCK + k] = x->column[j];
        spread_noise(v, x, k);
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < count; k++)
            put(v, first + k, v->place[j] + d[j] + s, x->y[j * BLOCK + k], x->size[j * BLOCK + k]);
}

static taut_status follow_stages(taut_variational *v) {
    taut_arena arena = {0};
    const size_t room = (size_t)v->system->n * BLOCK;
    sides x = {TAUT_NEW_ARRAY(&arena, room, double), TAUT_NEW_ARRAY(&arena, room, double),
               TAUT_NEW_ARRAY(&arena, v->system->n, double)};
    const bool enough = x.y && x.size && x.column;
    for (int s = 0; s <= v->stage && enough; s++)
        for (int k = 0; k < v->directions; k += BLOCK)
            follow_block(v, s, k, v->directions - k < BLOCK ? v->directions - k : BLOCK, &x);
    taut_arena_release(&arena);
    return enough ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_variational_find(taut_variational *v) {
    const int *c = v->structure->offsets.c, *d = v->structure->offsets.d, n = v->system->n;
    taut_arena_release(&v->at_point);
    v->most = v->order.inputs;
    for (int j = 0; j < n; j++) v->most += d[j] - c[j];
    v->x = TAUT_NEW_ARRAY(&v->at_point, (size_t)v->most * (size_t)v->place[n] + 1, double);
    v->begins = TAUT_NEW_ARRAY(&v->at_point, v->most + 1, int);
    v->noise = TAUT_NEW_ARRAY(&v->at_point, (size_t)v->most * (size_t)v->place[n] + 1, float);
    if (!v->x || !v->begins || !v->noise) return TAUT_ERR_MEMORY;
    v->directions = v->order.inputs;
    for (int k = 0; k < v->order.inputs; k++) v->begins[k] = -v->structure->largest_d;
    for (int s = -v->structure->largest_d; s < 0; s++) TAUT_TRY(solve_stage(v, s));
    return follow_stages(v);
}
