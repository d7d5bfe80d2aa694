/* Derivatives of equations and functions by everything they contain have a tape of their own, fed
 * with the Taylor coefficients of the motion. Their Taylor coefficients, convolved with those of
 * the variations, are the right-hand sides of one linear system a stage (docs/math/sensitivity.md,
 * section 2). */
#include "solve/forward.h"

#include <math.h>
#include <string.h>

#include "core/lanes.h"
#include "expr/diff.h"

enum { LANES = TAUT_FORWARD_LANES, HEAD = 4, TAIL = 2 }; /* coefficients that tell a size */

/* dg/dx_j^(order), or dg/dp, everything else held. */
typedef struct entry {
    int variable; /* -1: by a parameter ... */
    int order;    /* ... of this index */
    int output;   /* of the tape */
} entry;

/* A product of a row: of coefficients and of variations, or of coefficients and a number. */
typedef struct term {
    int coef; /* where they begin */
    int at;   /* likewise */
    int orders;
} term;

/* Products with what moves, with what is steady, and with numbers that vary. */
typedef struct row {
    const term *moving, *steady, *end;
    const term *number, *number_end;
} row;

/* Where the numbers of one block of directions are. */
typedef struct bench {
    const double *coef, *x, *number;
} bench;

struct taut_forward {
    taut_arena arena;
    const taut_system *system;
    const taut_structure *structure;
    taut_forward_order order;
    taut_tape *tape;
    taut_jet *jet;
    int *variable; /* [n] slots of the variables; -1: not needed */
    int *slot;     /* [outputs] */
    taut_lu *lu;   /* of J ... */
    int *lu_entry; /* [its entries] ... whose values are coefficients of order 0: here */
    double *J;     /* likewise: these */
    int lu_entries;
    int stage;    /* the last one */
    entry *entry; /* of row g: first[g] .. first[g + 1] - 1; equations are the first rows */
    int *first;   /* [n + functions + 1] */
    size_t entries, entry_room;
    taut_node *node; /* [outputs] of the tape: derivatives */
    size_t node_room;
    int outputs;
    int *need;    /* [outputs] the highest order that rows read; 0: it is steady as well */
    int *start;   /* [outputs] its coefficients are coef[start ..] */
    double *coef; /* scaled, at the point */
    int orders;   /* of derivatives in entries */
    int *highest; /* [n] ... of each variable: the highest one */
    int *place;   /* [n + 1] coefficient k of x_j is number place[j] + k */
    double *x;    /* [orders][place[n]][LANES] scaled coefficients of the variations of x_j^(r), of
                     one block of directions */
    double *all;  /* [blocks][place[n]][LANES] those of x_j, of all of them */
    double *number; /* [blocks][numbers][LANES] */
    bool *varies;   /* [numbers] in some direction */
    bool arranged;  /* the rows know of these */
    row *row;       /* [n + functions] */
    term *term, *number_term;
    int blocks;
    double *factor; /* [largest d + 1] of a stage: from coefficients to derivatives */
    double *side;   /* [n][LANES] right-hand sides, then solutions, of a stage */
    double *next;   /* [n][LANES] what is known of those of the next one */
    double *work;   /* likewise */
};

#define WIDTH 2
#define FOR_WIDTH(name) name##_by_two
#define FOR_PROCESSORS
#include "solve/forward_loops.h"
#if TAUT_WIDER
#define WIDTH 4
#define FOR_WIDTH(name) name##_by_four
#define FOR_PROCESSORS TAUT_FOR_FOUR
#include "solve/forward_loops.h"
#define WIDTH 8
#define FOR_WIDTH(name) name##_by_eight
#define FOR_PROCESSORS TAUT_FOR_EIGHT
#include "solve/forward_loops.h"
#endif

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
        if (parameter && (d->index >= v->order.numbers || !v->order.may_vary[d->index])) continue;
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

/* Numbers the outputs: each node once. */
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
    return TAUT_OK;
}

static taut_status make_tape(taut_forward *v) {
    const int n = v->system->n;
    v->variable = TAUT_NEW_ARRAY(&v->arena, n, int);
    v->slot = TAUT_NEW_ARRAY(&v->arena, v->outputs + 1, int);
    if (!v->variable || !v->slot) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_tape_create(v->system->graph, v->structure->offsets.d, v->node,
                              (size_t)v->outputs, &v->arena, &v->tape));
    TAUT_TRY(taut_jet_create(v->tape, v->stage, &v->arena, &v->jet));
    for (int j = 0; j < n; j++) v->variable[j] = -1;
    for (int i = 0; i < v->tape->size; i++)
        if (v->tape->instr[i].kernel == TAUT_KERNEL_VARIABLE)
            v->variable[v->tape->instr[i].index] = i;
    for (int i = 0; i < v->outputs; i++) v->slot[i] = taut_tape_slot(v->tape, v->node[i]);
    return TAUT_OK;
}

/* J_ij = df_i/dx_j^(d_j - c_i) is one of the entries: the pattern by columns. */
static taut_status find_pattern(taut_forward *v) {
    const int n = v->system->n, *c = v->structure->offsets.c, *d = v->structure->offsets.d;
    taut_arena work = {0};
    int *start = TAUT_NEW_ARRAY(&work, n + 2, int), *row_of_entry = NULL;
    if (!start) return TAUT_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++)
            for (int k = v->first[i]; k < v->first[i + 1]; k++) {
                const entry *e = &v->entry[k];
                if (e->variable < 0 || e->order != d[e->variable] - c[i]) continue;
                const int to = pass == 0 ? start[e->variable + 2]++ : start[e->variable + 1]++;
                if (pass == 0) continue;
                v->lu_entry[to] = v->start[e->output];
                row_of_entry[to] = i;
            }
        if (pass == 1) break;
        for (int j = 0; j < n; j++) start[j + 2] += start[j + 1];
        v->lu_entries = n > 0 ? start[n + 1] : 0;
        v->lu_entry = TAUT_NEW_ARRAY(&v->arena, v->lu_entries + 1, int);
        v->J = TAUT_NEW_ARRAY(&v->arena, v->lu_entries + 1, double);
        row_of_entry = TAUT_NEW_ARRAY(&work, v->lu_entries + 1, int);
        if (!v->lu_entry || !v->J || !row_of_entry) {
            taut_arena_release(&work);
            return TAUT_ERR_MEMORY;
        }
    }
    const taut_status status = taut_lu_create(n, start, row_of_entry, &v->lu);
    taut_arena_release(&work);
    return status;
}

/* The highest order of a row that is ever asked for. */
static int top_of(const taut_forward *v, int g) {
    const int n = v->system->n;
    return g < n ? v->structure->offsets.c[g] + v->stage : v->order.levels[g - n];
}

static taut_status place_coefficients(taut_forward *v) {
    v->need = TAUT_NEW_ARRAY(&v->arena, v->outputs + 1, int);
    v->start = TAUT_NEW_ARRAY(&v->arena, v->outputs + 1, int);
    if (!v->need || !v->start) return TAUT_ERR_MEMORY;
    for (int g = 0; g < v->system->n + v->order.functions; g++)
        for (int i = v->first[g]; i < v->first[g + 1]; i++) {
            const int output = v->entry[i].output;
            const bool steady = v->tape->instr[v->slot[output]].kernel == TAUT_KERNEL_STEADY;
            if (!steady && top_of(v, g) > v->need[output]) v->need[output] = top_of(v, g);
        }
    /* with a zero behind each: a stage looks one order ahead */
    for (int i = 0; i < v->outputs; i++) v->start[i + 1] = v->start[i] + v->need[i] + 2;
    int most = 0; /* zeros behind all of them */
    for (int g = 0; g < v->system->n + v->order.functions; g++)
        if (top_of(v, g) > most) most = top_of(v, g);
    v->coef = TAUT_NEW_ARRAY(&v->arena, v->start[v->outputs] + most + 2, double);
    return v->coef ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status place_variations(taut_forward *v) {
    const int n = v->system->n, *d = v->structure->offsets.d;
    v->highest = TAUT_NEW_ARRAY(&v->arena, n, int);
    if (!v->highest) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) v->place[j + 1] = v->place[j] + d[j] + v->stage + 1;
    for (size_t k = 0; k < v->entries; k++) {
        const entry *e = &v->entry[k];
        if (e->variable >= 0 && e->order > v->highest[e->variable])
            v->highest[e->variable] = e->order;
    }
    v->blocks = (v->order.directions + LANES - 1) / LANES;
    const size_t lanes = (size_t)v->blocks * LANES, places = (size_t)v->place[n];
    v->x = TAUT_NEW_ARRAY(&v->arena, LANES * (size_t)v->orders * places, double);
    v->all = TAUT_NEW_ARRAY(&v->arena, lanes * places, double);
    v->number = TAUT_NEW_ARRAY(&v->arena, lanes * (size_t)v->order.numbers + LANES, double);
    v->varies = TAUT_NEW_ARRAY(&v->arena, v->order.numbers + 1, bool);
    v->side = TAUT_NEW_ARRAY(&v->arena, (size_t)n * LANES, double);
    v->next = TAUT_NEW_ARRAY(&v->arena, (size_t)n * LANES, double);
    v->work = TAUT_NEW_ARRAY(&v->arena, (size_t)n * LANES, double);
    v->factor = TAUT_NEW_ARRAY(&v->arena, v->structure->largest_d + 1, double);
    return v->x && v->all && v->number && v->varies && v->side && v->next && v->work && v->factor
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

/* The entries as products, by kinds. */
static taut_status list_terms(taut_forward *v) {
    const int rows = v->system->n + v->order.functions;
    v->row = TAUT_NEW_ARRAY(&v->arena, rows, row);
    v->term = TAUT_NEW_ARRAY(&v->arena, v->entries + (size_t)rows + 1, term);
    v->number_term = TAUT_NEW_ARRAY(&v->arena, v->entries + 1, term);
    if (!v->row || !v->term || !v->number_term) return TAUT_ERR_MEMORY;
    term *next = v->term;
    for (int g = 0; g < rows; g++)
        for (int kind = 0; kind < 2; kind++) {
            *(kind == 0 ? &v->row[g].moving : &v->row[g].steady) = next;
            for (int i = v->first[g]; i < v->first[g + 1]; i++) {
                const entry *e = &v->entry[i];
                if (e->variable < 0 || (v->need[e->output] > 0) != (kind == 0)) continue;
                *next++ =
                    (term){v->start[e->output],
                           (e->order * v->place[v->system->n] + v->place[e->variable]) * LANES,
                           v->need[e->output] + 1};
            }
            /* products with what moves go in pairs: the last one may have nothing beside it */
            if (kind == 0 && (next - v->row[g].moving) % 2 != 0)
                *next++ = (term){v->start[v->outputs], 0, 0};
            v->row[g].end = next;
        }
    return TAUT_OK;
}

/* Products with numbers: those that vary. */
static void arrange_numbers(taut_forward *v) {
    term *next = v->number_term;
    for (int g = 0; g < v->system->n + v->order.functions; g++) {
        v->row[g].number = next;
        for (int i = v->first[g]; i < v->first[g + 1]; i++) {
            const entry *e = &v->entry[i];
            if (e->variable >= 0 || !v->varies[e->order]) continue;
            *next++ = (term){v->start[e->output], e->order * LANES, v->need[e->output] + 1};
        }
        v->row[g].number_end = next;
    }
    v->arranged = true;
}

static taut_status prepare(taut_forward *v) {
    const int n = v->system->n;
    v->first = TAUT_NEW_ARRAY(&v->arena, n + v->order.functions + 1, int);
    v->place = TAUT_NEW_ARRAY(&v->arena, n + 1, int);
    if (!v->first || !v->place) return TAUT_ERR_MEMORY;
    v->stage = v->order.stages > 0 ? v->order.stages : 0; /* J needs stage 0 */
    for (int i = 0; i < v->order.functions; i++) {
        const int need = v->order.levels[i] - v->structure->offset[v->order.function[i]];
        if (need > v->stage) v->stage = need;
    }
    TAUT_TRY(sweep_rows(v));
    TAUT_TRY(number_outputs(v));
    TAUT_TRY(make_tape(v));
    TAUT_TRY(place_coefficients(v));
    TAUT_TRY(find_pattern(v));
    TAUT_TRY(place_variations(v));
    return list_terms(v);
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
    taut_lu_free(&v->lu);
    taut_release((void **)&v->entry);
    taut_release((void **)&v->node);
    taut_arena_release(&v->arena);
    taut_release((void **)forward);
}

taut_status taut_forward_set_numbers(taut_forward *v, const double *parameter) {
    return taut_jet_set_numbers(v->jet, parameter);
}

void taut_forward_forget(taut_forward *v) { taut_lu_forget(v->lu); }
int taut_forward_stage(const taut_forward *v) { return v->stage; }

/* ---- places ---- */

/* Coefficient k of the variation of x_j^(r), all lanes of the block at work. */
static double *at(const taut_forward *v, int r, int j, int k) {
    const size_t places = (size_t)v->place[v->system->n];
    return v->x + ((size_t)r * places + (size_t)(v->place[j] + k)) * LANES;
}

/* The same of x_j, of any block. */
static double *kept_at(const taut_forward *v, int block, int j, int k) {
    const size_t places = (size_t)v->place[v->system->n];
    return v->all + ((size_t)block * places + (size_t)(v->place[j] + k)) * LANES;
}

static double *number_at(const taut_forward *v, int block, int number) {
    return v->number + ((size_t)block * (size_t)v->order.numbers + (size_t)number) * LANES;
}

void taut_forward_set_number(taut_forward *v, int number, int direction, double variation) {
    number_at(v, direction / LANES, number)[direction % LANES] = variation;
    bool varies = false;
    for (int i = 0; i < v->order.directions; i++)
        varies = varies || number_at(v, i / LANES, number)[i % LANES] != 0.0;
    if (varies != v->varies[number]) v->arranged = false;
    v->varies[number] = varies;
}

/* Coefficient k of the variation of x_j has changed: so have those of its derivatives. */
static void spread(taut_forward *v, int j, int k) {
    const double *x = at(v, 0, j, k), h = v->jet->h;
    double factor = 1.0;
    for (int r = 1; r <= v->highest[j] && r <= k; r++) {
        double *to = at(v, r, j, k - r);
        factor *= (double)(k - r + 1) / h;
        for (int l = 0; l < LANES; l++) to[l] = factor * x[l];
    }
}

void taut_forward_set(taut_forward *v, int j, int k, int direction, double variation) {
    kept_at(v, direction / LANES, j, k)[direction % LANES] = variation / taut_unscale(v->jet->h, k);
}

double taut_forward_get(const taut_forward *v, int j, int k, int direction) {
    return kept_at(v, direction / LANES, j, k)[direction % LANES] * taut_unscale(v->jet->h, k);
}

/* ---- the point ---- */

/* With the coefficients of the variables in place: those of all derivatives, in a row each; J. */
static taut_status gather(taut_forward *v) {
    for (int stage = v->tape->first_stage; stage <= v->stage; stage++)
        taut_jet_stage(v->jet, stage);
    for (int i = 0; i < v->outputs; i++) {
        const double *from = taut_jet_at(v->jet, v->slot[i], 0);
        double *to = v->coef + v->start[i];
        for (int k = 0; k <= v->need[i]; k++) to[k] = from[k * TAUT_LANES];
    }
    for (int k = 0; k < v->lu_entries; k++) v->J[k] = v->coef[v->lu_entry[k]];
    return taut_lu_factor(v->lu, v->J);
}

taut_status taut_forward_expand(taut_forward *v, const taut_expansion *e) {
    const int *d = v->structure->offsets.d;
    taut_jet_start(v->jet, e->t, e->h);
    for (int j = 0; j < v->system->n; j++)
        for (int k = 0; v->variable[j] >= 0 && k <= v->stage + d[j]; k++)
            *taut_jet_at(v->jet, v->variable[j], k) = e->c[j][k];
    return gather(v);
}

taut_status taut_forward_take(taut_forward *v, const taut_series *series) {
    const int *d = v->structure->offsets.d;
    taut_jet_start(v->jet, series->jet->t, series->jet->h);
    for (int j = 0; j < v->system->n; j++)
        for (int k = 0; v->variable[j] >= 0 && k <= v->stage + d[j]; k++)
            *taut_jet_at(v->jet, v->variable[j], k) =
                *taut_jet_at(series->jet, series->variable[j], k);
    return gather(v);
}

/* ---- stages ---- */

/* (s + o)! h^-(s + o) / (s! h^-s), with s! h^-s taken as 1 for s < 0: as in solve/series.c. */
static void find_factors(taut_forward *v, int s) {
    for (int o = 0; o <= v->structure->largest_d; o++) {
        v->factor[o] = 1.0;
        for (int i = (s > 0 ? s : 0) + 1; i <= s + o; i++) v->factor[o] *= (double)i / v->jet->h;
    }
}

static bench bench_of(const taut_forward *v, int block) {
    return (bench){v->coef, v->x, number_at(v, block, 0)};
}

/* Corrects the variations of x_j^(d_j + s). */
static void solve_stage(taut_forward *v, int s, bool begun, int block) {
    const bench b = bench_of(v, block);
    find_factors(v, s);
    TAUT_BY_WIDTH(sides_of)(v, &b, s, begun);
    taut_lu_solve_eight(v->lu, v->side, v->work);
    TAUT_BY_WIDTH(correct)(v, s);
}

/* Puts the variations of a block to work; those that are to be found begin at 0. */
static void take_block(taut_forward *v, int block, bool solved) {
    const int n = v->system->n, *d = v->structure->offsets.d;
    const size_t places = (size_t)v->place[n];
    memset(v->x, 0, (size_t)v->orders * places * LANES * sizeof *v->x);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < d[j] + (solved ? v->stage + 1 : 0); k++) {
            memcpy(at(v, 0, j, k), kept_at(v, block, j, k), LANES * sizeof(double));
            spread(v, j, k);
        }
}

void taut_forward_solve(taut_forward *v, bool project) {
    const size_t size = (size_t)v->place[v->system->n] * LANES;
    if (!v->arranged) arrange_numbers(v);
    for (int block = 0; block < v->blocks; block++) {
        take_block(v, block, false);
        for (int s = project ? -v->structure->largest_d : 0; s <= v->stage; s++)
            solve_stage(v, s, s > 0 && s % 2 == 0, block);
        memcpy(kept_at(v, block, 0, 0), v->x, size * sizeof *v->x);
    }
}

/* ---- functions ---- */

void taut_forward_functions(taut_forward *v, double *variation) {
    double sum[LANES] __attribute__((aligned(64)));
    const taut_forward_order *o = &v->order;
    for (int block = 0; block < v->blocks; block++) {
        const bench b = bench_of(v, block);
        double *to = variation;
        take_block(v, block, true);
        for (int i = 0; i < o->functions; i++)
            for (int level = 0; level <= o->levels[i]; level++, to += o->directions) {
                TAUT_BY_WIDTH(row_of)
                (&v->row[v->system->n + i], &b, level, taut_unscale(v->jet->h, level), sum);
                for (int l = 0; l < LANES && block * LANES + l < o->directions; l++)
                    to[block * LANES + l] = sum[l];
            }
    }
}

/* ---- polynomials ---- */

taut_status taut_forward_keep(const taut_forward *v, taut_forward_path *path) {
    const size_t size = (size_t)v->blocks * (size_t)v->place[v->system->n] * LANES;
    if (taut_grow((void **)&path->c, &path->room, size, sizeof *path->c)) return TAUT_ERR_MEMORY;
    path->t = v->jet->t;
    path->h = v->jet->h;
    memcpy(path->c, v->all, size * sizeof *path->c);
    return TAUT_OK;
}

void taut_forward_follow(const taut_forward *v, const taut_forward_path *path, int j, int k,
                         double time, double *variation) {
    const size_t size = (size_t)v->place[v->system->n] * LANES;
    const double theta = (time - path->t) / path->h;
    const int top = v->structure->offsets.d[j] + v->stage;
    for (int block = 0; block < v->blocks; block++) {
        const double *c = path->c + (size_t)block * size + (size_t)v->place[j] * LANES;
        double sum[LANES] = {0.0};
        for (int q = top; q >= k; q--) {
            double factor = 1.0;
            for (int i = 0; i < k; i++) factor *= (double)(q - i);
            for (int l = 0; l < LANES; l++) sum[l] = sum[l] * theta + factor * c[q * LANES + l];
        }
        for (int i = 0; i < k; i++)
            for (int l = 0; l < LANES; l++) sum[l] /= path->h;
        for (int l = 0; l < LANES && block * LANES + l < v->order.directions; l++)
            variation[block * LANES + l] = sum[l];
    }
}

/* The largest coefficient q of variations of the k-th derivatives, in each lane; from the end. */
static void largest(const taut_forward *v, int block, int k, int q, bool from_end, double *most) {
    memset(most, 0, LANES * sizeof *most);
    for (int j = 0; j < v->system->n; j++) {
        const int d = v->structure->offsets.d[j], top = d + v->stage - k;
        const int order = from_end ? top - q : q;
        if (k >= d || order < 0 || order > top) continue;
        const double *c = kept_at(v, block, j, order + k);
        double falling = 1.0;
        for (int i = 1; i <= k; i++) falling *= (double)(order + i);
        for (int l = 0; l < LANES; l++) {
            const double size = falling * fabs(c[l]);
            if (size > most[l]) most[l] = size;
        }
    }
}

double taut_forward_reach(const taut_forward *v, double tol, double theta) {
    double reach = theta;
    for (int block = 0; block < v->blocks; block++)
        for (int k = 0; k < v->structure->largest_d; k++) {
            double scale[LANES] = {0.0}, most[LANES], power = 1.0;
            for (int q = 0; q < HEAD; q++, power *= reach) {
                largest(v, block, k, q, false, most);
                for (int l = 0; l < LANES; l++)
                    if (most[l] * power > scale[l]) scale[l] = most[l] * power;
            }
            for (int q = 0; q < TAIL; q++) {
                const int order = v->structure->largest_d + v->stage - k - q;
                largest(v, block, k, q, true, most);
                power = pow(reach, order);
                for (int l = 0; l < LANES; l++)
                    if (scale[l] > 0.0 && most[l] * power > tol * scale[l])
                        reach = fmin(reach, pow(tol * scale[l] / most[l], 1.0 / order));
            }
        }
    return reach;
}
