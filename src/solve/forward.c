/* Derivatives of equations and functions by everything they contain have a tape of their own, fed
 * with the Taylor coefficients of the motion. Their Taylor coefficients, convolved with those of
 * the variations, are the right-hand sides of one linear system a stage (docs/math/sensitivity.md,
 * section 2). */
#include <math.h>
#include <string.h>

#include "core/lanes.h"
#include "solve/forward_parts.h"

enum { LANES = TAUT_FORWARD_LANES, HEAD = 4, TAIL = 2 }; /* coefficients that tell a size */

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

taut_status taut_forward_create(const taut_system *system, const taut_structure *structure,
                                const taut_forward_order *order, taut_forward **forward) {
    *forward = NULL;
    taut_forward *v = taut_new(sizeof *v);
    if (!v) return TAUT_ERR_MEMORY;
    *v = (taut_forward){.system = system, .structure = structure, .order = *order, .orders = 1};
    const taut_status status = taut_forward_plan(v);
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

/* Products with numbers: those that vary. */
static void arrange_numbers(taut_forward *v) {
    taut_forward_term *next = v->number_term;
    for (int g = 0; g < v->system->n + v->order.functions; g++) {
        v->row[g].number = next;
        for (int i = v->first[g]; i < v->first[g + 1]; i++) {
            const taut_forward_entry *e = &v->entry[i];
            if (e->variable >= 0 || !v->varies[e->order]) continue;
            *next++ =
                (taut_forward_term){v->start[e->output], e->order * LANES, v->need[e->output] + 1};
        }
        v->row[g].number_end = next;
    }
    v->arranged = true;
}

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

static taut_forward_bench bench_of(const taut_forward *v, int block) {
    return (taut_forward_bench){v->coef, v->x, number_at(v, block, 0)};
}

/* Corrects the variations of x_j^(d_j + s). */
static void solve_stage(taut_forward *v, int s, bool begun, int block) {
    const taut_forward_bench b = bench_of(v, block);
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

taut_status taut_forward_solve_by(taut_forward *v, taut_forward_meet *meet, void *user) {
    const size_t size = (size_t)v->place[v->system->n] * LANES;
    if (!v->arranged) arrange_numbers(v);
    for (int block = 0; block < v->blocks; block++) {
        const taut_forward_bench b = bench_of(v, block);
        take_block(v, block, false);
        for (int s = -v->structure->largest_d; s < 0; s++) {
            find_factors(v, s);
            TAUT_BY_WIDTH(sides_of)(v, &b, s, false);
            TAUT_TRY(meet(user, s, block, v->side));
            TAUT_BY_WIDTH(correct)(v, s);
        }
        for (int s = 0; s <= v->stage; s++) solve_stage(v, s, s > 0 && s % 2 == 0, block);
        memcpy(kept_at(v, block, 0, 0), v->x, size * sizeof *v->x);
    }
    return TAUT_OK;
}

/* ---- functions ---- */

void taut_forward_function(const taut_forward *v, int i, int block, double *variation) {
    double sum[LANES] __attribute__((aligned(64)));
    const taut_forward_bench b = bench_of(v, block);
    TAUT_BY_WIDTH(row_of)(&v->row[v->system->n + i], &b, 0, 1.0, sum);
    memcpy(variation, sum, sizeof sum);
}

void taut_forward_functions(taut_forward *v, double *variation) {
    double sum[LANES] __attribute__((aligned(64)));
    const taut_forward_order *o = &v->order;
    for (int block = 0; block < v->blocks; block++) {
        const taut_forward_bench b = bench_of(v, block);
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
