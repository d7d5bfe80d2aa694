/* Stage s of a tangent solves J y = -c for the coefficients x_(d_j + s), with c a sum of
 * convolutions of earlier ones. Transposed, with w_i the adjoint of equation i at that stage: J^T w
 * = -(adjoint of the coefficients), and earlier coefficients get correlations of the w with the
 * same derivatives. Stored from the last stage on, these are convolutions again, so that adjoints
 * cost as much as variations do. */
#include "solve/reverse.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/lanes.h"
#include "solve/forward_parts.h"

enum { LANES = TAUT_REVERSE_LANES };

/* A derivative of an equation, seen from the variable. */
typedef struct term {
    int coef; /* where its coefficients begin */
    int at;   /* where the adjoints of the equation begin */
    int lag;  /* stages that it comes behind the variable; 0: an entry of J */
} term;

/* x_j^(order), with all equations that contain it: terms that move in pairs of equal lag, and those
 * that are steady. */
typedef struct plane {
    int order;
    const term *moving, *steady, *end;
} plane;

struct taut_reverse {
    taut_arena arena;
    taut_forward *forward;
    taut_lu *lu; /* of the transpose of J */
    int *lu_entry;
    double *J;
    int lu_entries;
    int *place; /* [n + 1] the adjoint of order c_i + stage - u of equation i is number place[i] + u
                 */
    double *w;  /* [place[n]][LANES] */
    int *first_plane; /* [n + 1] of a variable */
    plane *plane;     /* [planes] */
    term *term;
    int planes;
    double *x;           /* [the forward's place[n]][LANES] adjoints of scaled coefficients */
    double *number;      /* [numbers][LANES] */
    double *factor;      /* [largest d + 1] as in forward.c */
    double *side, *work; /* [n][LANES] */
    double *next;        /* [planes][LANES] */
};

/* From coefficient k of x to coefficient k - order of its derivative. */
static double derivative_factor(int k, int order, double h) {
    double factor = 1.0;
    for (int i = 0; i < order; i++) factor *= (double)(k - i) / h;
    return factor;
}

#define WIDTH 2
#define FOR_WIDTH(name) name##_by_two
#define FOR_PROCESSORS
#include "solve/reverse_loops.h"
#if TAUT_WIDER
#define WIDTH 4
#define FOR_WIDTH(name) name##_by_four
#define FOR_PROCESSORS TAUT_FOR_FOUR
#include "solve/reverse_loops.h"
#define WIDTH 8
#define FOR_WIDTH(name) name##_by_eight
#define FOR_PROCESSORS TAUT_FOR_EIGHT
#include "solve/reverse_loops.h"
#endif

/* ---- preparation ---- */

/* The pattern of the transpose by columns, which are the equations. */
static taut_status find_pattern(taut_reverse *r) {
    const taut_forward *v = r->forward;
    const int n = v->system->n, *c = v->structure->offsets.c, *d = v->structure->offsets.d;
    taut_arena work = {0};
    int *start = TAUT_NEW_ARRAY(&work, n + 1, int);
    int *row = TAUT_NEW_ARRAY(&work, v->lu_entries + 1, int);
    int *column_of = TAUT_NEW_ARRAY(&work, n + 1, int); /* [variables] its entry in this row; 0 */
    taut_status status = start && row && column_of ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < n && status == TAUT_OK; i++) {
        for (int k = v->first[i]; k < v->first[i + 1]; k++) {
            const taut_forward_entry *e = &v->entry[k];
            if (e->variable >= 0 && e->order == d[e->variable] - c[i])
                column_of[e->variable] = v->start[e->output] + 1;
        }
        for (int j = 0; j < n; j++) {
            if (column_of[j] == 0) continue;
            row[r->lu_entries] = j;
            r->lu_entry[r->lu_entries++] = column_of[j] - 1;
            column_of[j] = 0;
        }
        start[i + 1] = r->lu_entries;
    }
    if (status == TAUT_OK) status = taut_lu_create(n, start, row, &r->lu);
    taut_arena_release(&work);
    return status;
}

/* Appends the terms of a plane that move, or are steady, with this lag. */
static term *list_terms(const taut_reverse *r, const int *by_variable, int entries, int order,
                        bool moving, int lag, term *next) {
    const taut_forward *v = r->forward;
    const int n = v->system->n, *c = v->structure->offsets.c, *d = v->structure->offsets.d;
    term *first = next;
    int row = 0;
    for (int k = 0; k < entries; k++) {
        const taut_forward_entry *e = &v->entry[by_variable[k]];
        while (row < n && by_variable[k] >= v->first[row + 1]) row++;
        if (e->order != order || (v->need[e->output] > 0) != moving) continue;
        if (d[e->variable] - c[row] - order != lag) continue;
        *next++ = (term){v->start[e->output], r->place[row] * LANES, lag};
    }
    if (moving && (next - first) % 2 != 0) *next++ = (term){v->start[v->outputs], 0, lag};
    return next;
}

/* The planes of a variable; by_variable (entries): where it is in equations. */
static term *list_planes(taut_reverse *r, int j, const int *by_variable, int entries, term *next) {
    const taut_forward *v = r->forward;
    const int most = v->structure->largest_d;
    for (int order = 0; order <= v->highest[j]; order++) {
        plane *g = &r->plane[r->planes];
        *g = (plane){.order = order, .moving = next};
        for (int lag = 0; lag <= most; lag++)
            next = list_terms(r, by_variable, entries, order, true, lag, next);
        g->steady = next;
        for (int lag = 0; lag <= most; lag++)
            next = list_terms(r, by_variable, entries, order, false, lag, next);
        g->end = next;
        if (g->end > g->moving) r->planes++;
    }
    return next;
}

static taut_status find_planes(taut_reverse *r) {
    const taut_forward *v = r->forward;
    const int n = v->system->n, entries = v->first[n];
    taut_arena work = {0};
    int *start = TAUT_NEW_ARRAY(&work, n + 2, int);
    int *by_variable = TAUT_NEW_ARRAY(&work, entries + 1, int);
    if (!start || !by_variable) {
        taut_arena_release(&work);
        return TAUT_ERR_MEMORY;
    }
    for (int k = 0; k < entries; k++)
        if (v->entry[k].variable >= 0) start[v->entry[k].variable + 2]++;
    for (int j = 0; j < n; j++) start[j + 2] += start[j + 1];
    for (int k = 0; k < entries; k++)
        if (v->entry[k].variable >= 0) by_variable[start[v->entry[k].variable + 1]++] = k;
    term *next = r->term;
    for (int j = 0; j < n; j++) {
        r->first_plane[j] = r->planes;
        next = list_planes(r, j, by_variable + start[j], start[j + 1] - start[j], next);
    }
    r->first_plane[n] = r->planes;
    taut_arena_release(&work);
    return TAUT_OK;
}

static taut_status prepare(taut_reverse *r) {
    const taut_forward *v = r->forward;
    const int n = v->system->n, *c = v->structure->offsets.c;
    size_t planes = 1;
    for (int j = 0; j < n; j++) planes += (size_t)v->highest[j] + 1;
    r->place = TAUT_NEW_ARRAY(&r->arena, n + 1, int);
    r->first_plane = TAUT_NEW_ARRAY(&r->arena, n + 1, int);
    r->plane = TAUT_NEW_ARRAY(&r->arena, planes, plane);
    /* with room for those that make pairs */
    r->term = TAUT_NEW_ARRAY(&r->arena, 2 * (size_t)v->first[n] + 1, term);
    r->lu_entry = TAUT_NEW_ARRAY(&r->arena, v->lu_entries + 1, int);
    r->J = TAUT_NEW_ARRAY(&r->arena, v->lu_entries + 1, double);
    if (!r->place || !r->first_plane || !r->plane || !r->term || !r->lu_entry || !r->J)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) r->place[i + 1] = r->place[i] + c[i] + v->stage + 1;
    TAUT_TRY(find_pattern(r));
    TAUT_TRY(find_planes(r));
    r->w = TAUT_NEW_ARRAY(&r->arena, (size_t)r->place[n] * LANES + LANES, double);
    r->x = TAUT_NEW_ARRAY(&r->arena, (size_t)v->place[n] * LANES, double);
    r->number = TAUT_NEW_ARRAY(&r->arena, (size_t)v->order.numbers * LANES + LANES, double);
    r->factor = TAUT_NEW_ARRAY(&r->arena, v->structure->largest_d + 1, double);
    r->side = TAUT_NEW_ARRAY(&r->arena, (size_t)n * LANES, double);
    r->work = TAUT_NEW_ARRAY(&r->arena, (size_t)n * LANES, double);
    r->next = TAUT_NEW_ARRAY(&r->arena, (size_t)r->planes * LANES + LANES, double);
    return r->w && r->x && r->number && r->factor && r->side && r->work && r->next
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

taut_status taut_reverse_create(taut_forward *forward, taut_reverse **reverse) {
    taut_reverse *r = *reverse = taut_new(sizeof *r);
    if (!r) return TAUT_ERR_MEMORY;
    *r = (taut_reverse){.forward = forward};
    const taut_status status = prepare(r);
    if (status != TAUT_OK) taut_reverse_free(reverse);
    return status;
}

void taut_reverse_free(taut_reverse **reverse) {
    if (!*reverse) return;
    taut_lu_free(&(*reverse)->lu);
    taut_arena_release(&(*reverse)->arena);
    taut_release((void **)reverse);
}

void taut_reverse_forget(taut_reverse *r) { taut_lu_forget(r->lu); }

/* ---- what is known ---- */

taut_status taut_reverse_begin(taut_reverse *r) {
    const taut_forward *v = r->forward;
    const size_t n = (size_t)v->system->n;
    memset(r->x, 0, (size_t)v->place[n] * LANES * sizeof *r->x);
    memset(r->w, 0, (size_t)r->place[n] * LANES * sizeof *r->w);
    memset(r->number, 0, (size_t)v->order.numbers * LANES * sizeof *r->number);
    for (int k = 0; k < r->lu_entries; k++) r->J[k] = v->coef[r->lu_entry[k]];
    return taut_lu_factor(r->lu, r->J);
}

static double *at(const taut_reverse *r, int j, int k) {
    return r->x + (size_t)(r->forward->place[j] + k) * LANES;
}

void taut_reverse_add_value(taut_reverse *r, int j, int k, double time, int lane, double by,
                            int tail) {
    const taut_forward *v = r->forward;
    const double h = v->jet->h, theta = (time - v->jet->t) / h;
    const int top = v->structure->offsets.d[j] + v->stage;
    double power = by;
    for (int q = k; q <= top; q++, power *= theta)
        if (tail == 0 || q > top - tail) at(r, j, q)[lane] += power * derivative_factor(q, k, h);
}

void taut_reverse_add_function(taut_reverse *r, int function, int level, int lane, double by) {
    const taut_forward *v = r->forward;
    const int g = v->system->n + function;
    by *= taut_unscale(v->jet->h, level);
    for (int i = v->first[g]; i < v->first[g + 1]; i++) {
        const taut_forward_entry *e = &v->entry[i];
        const double *a = v->coef + v->start[e->output];
        const int need = v->need[e->output];
        if (e->variable < 0 && level <= need) r->number[e->order * LANES + lane] += by * a[level];
        for (int m = level > need ? level - need : 0; m <= level && e->variable >= 0; m++)
            at(r, e->variable, m + e->order)[lane] +=
                by * a[level - m] * derivative_factor(m + e->order, e->order, v->jet->h);
    }
}

/* ---- back ---- */

/* (s + o)! h^-(s + o) / (s! h^-s), as in forward.c. */
static void find_factors(taut_reverse *r, int s) {
    for (int o = 0; o <= r->forward->structure->largest_d; o++) {
        r->factor[o] = 1.0;
        for (int i = (s > 0 ? s : 0) + 1; i <= s + o; i++)
            r->factor[o] *= (double)i / r->forward->jet->h;
    }
}

static void keep_adjoints(taut_reverse *r, int s) {
    const taut_forward *v = r->forward;
    const int u = v->stage - s, *c = v->structure->offsets.c;
    for (int i = 0; i < v->system->n; i++) {
        if (c[i] + s < 0) continue;
        double *w = r->w + (size_t)(r->place[i] + u) * LANES;
        for (int l = 0; l < LANES; l++) w[l] = -r->factor[c[i]] * r->side[i * LANES + l];
    }
}

/* A projection corrects what is there, and looks at it before: by entries of J, with lag 0. */
static void look_before(taut_reverse *r, int s) {
    const taut_forward *v = r->forward;
    const int u = v->stage - s, *d = v->structure->offsets.d;
    for (int j = 0; j < v->system->n; j++)
        for (int p = r->first_plane[j]; p < r->first_plane[j + 1]; p++) {
            const plane *g = &r->plane[p];
            const int k = d[j] + s;
            if (k < g->order) continue;
            const double factor = derivative_factor(k, g->order, v->jet->h);
            double *x = at(r, j, k);
            for (const term *e = g->moving; e < g->end; e++)
                for (int l = 0; l < LANES && e->lag == 0; l++)
                    x[l] += factor * v->coef[e->coef] * r->w[e->at + u * LANES + l];
        }
}

static void find_numbers(taut_reverse *r) {
    const taut_forward *v = r->forward;
    const int *c = v->structure->offsets.c;
    for (int i = 0; i < v->system->n; i++)
        for (int k = v->first[i]; k < v->first[i + 1]; k++) {
            const taut_forward_entry *e = &v->entry[k];
            if (e->variable >= 0) continue;
            const int top = c[i] + v->stage, need = v->need[e->output];
            double *to = r->number + (size_t)e->order * LANES;
            for (int q = 0; q <= top && q <= need; q++) {
                const double a = v->coef[v->start[e->output] + q];
                const double *w = r->w + (size_t)(r->place[i] + top - q) * LANES;
                for (int l = 0; l < LANES; l++) to[l] += a * w[l];
            }
        }
}

void taut_reverse_solve(taut_reverse *r) {
    const taut_forward *v = r->forward;
    for (int s = v->stage; s >= -v->structure->largest_d; s--) {
        find_factors(r, s);
        TAUT_BY_WIDTH(gather_stage)(r, s, (v->stage - s) % 2 != 0);
        taut_lu_solve_eight(r->lu, r->side, r->work);
        keep_adjoints(r, s);
        if (s < 0) look_before(r, s);
    }
    find_numbers(r);
}

double taut_reverse_get(const taut_reverse *r, int j, int k, int lane) {
    /* coefficients are x^(k) h^k/k! */
    return at(r, j, k)[lane] / taut_unscale(r->forward->jet->h, k);
}

double taut_reverse_number(const taut_reverse *r, int number, int lane) {
    return r->number[(size_t)number * LANES + (size_t)lane];
}
