/* Residual and Jacobian of the stabilised form of index 2.
 *
 * With J_ij = df_i/dx_j^(d_j - c_i), and levels l = 0 .. c_i - 1 of f_i^(l) = 0:
 *   rows of x_j^(k), k + 1 < d_j:  Y_jk' - Y_j(k+1) + sum J_ij mu_il = 0 with l = k - (d_j - c_i),
 *   rows of f_i:                   f_i^(c_i - 1) = 0 (f_i = 0 where c_i = 0),
 *   rows of mu_il, l < c_i - 1:    f_i^(l) = 0. */
#include "solve/index2.h"

#include <stdlib.h>
#include <string.h>

/* A part of an entry of the matrix. */
typedef enum source { ONE, PARTIAL, LEADING } source;
typedef struct part {
    int row, column;
    source source;
    int which;          /* PARTIAL: which one; LEADING: entry of J */
    int level, m;       /* PARTIAL: see taut_partials_term */
    double plain, rate; /* the part is source * (plain + rate * cj) */
} part;

struct taut_index2 {
    const taut_ode *ode;
    taut_arena arena;
    taut_partials partials;
    int size, states, entries;
    int *algebraic;  /* [n] place of x_j with d_j = 0; -1 */
    int *shift;      /* [states] row of Y_jk' - Y_j(k+1); -1 where k = d_j - 1 */
    int *equation;   /* [n] row of f_i */
    int *multiplier; /* [n] place of mu_i0; the others follow. The row of mu is its place */
    part *part;      /* [parts] sorted by column and row */
    size_t parts, room;
    int *entry; /* [parts] the entry that it belongs to */
    int *start, *row;
};

int taut_index2_size(const taut_index2 *f) { return f->size; }
int taut_index2_algebraic(const taut_index2 *f, int j) { return f->algebraic[j]; }
int taut_index2_entries(const taut_index2 *f) { return f->entries; }
const int *taut_index2_start(const taut_index2 *f) { return f->start; }
const int *taut_index2_row(const taut_index2 *f) { return f->row; }

/* ---- set-up ---- */

static int top_level(int c) { return c > 0 ? c - 1 : 0; }

/* Places in Y and rows of F. Rows: shifts and equations share 0 .. states + algebraic - 1. */
static taut_status number(taut_index2 *f) {
    const taut_structure *s = f->ode->flow.structure;
    const int n = s->n;
    f->states = f->size = f->ode->flow.states;
    f->algebraic = TAUT_NEW_ARRAY(&f->arena, n, int);
    f->equation = TAUT_NEW_ARRAY(&f->arena, n, int);
    f->multiplier = TAUT_NEW_ARRAY(&f->arena, n, int);
    f->shift = TAUT_NEW_ARRAY(&f->arena, f->states, int);
    if (!f->algebraic || !f->equation || !f->multiplier || !f->shift) return TAUT_ERR_MEMORY;
    int row = 0;
    for (int i = 0; i < f->states; i++)
        f->shift[i] =
            f->ode->weights.state[i].order + 1 < s->offsets.d[f->ode->weights.state[i].variable]
                ? row++
                : -1;
    for (int i = 0; i < n; i++) f->equation[i] = row++;
    for (int j = 0; j < n; j++) f->algebraic[j] = s->offsets.d[j] == 0 ? f->size++ : -1;
    for (int i = 0; i < n; i++) {
        f->multiplier[i] = f->size;
        f->size += top_level(s->offsets.c[i]);
    }
    return TAUT_OK;
}

static taut_status add(taut_index2 *f, part p) {
    if (taut_grow((void **)&f->part, &f->room, f->parts + 1, sizeof p)) return TAUT_ERR_MEMORY;
    f->part[f->parts++] = p;
    return TAUT_OK;
}

static taut_status add_shifts(taut_index2 *f) {
    for (int i = 0; i < f->states; i++) {
        if (f->shift[i] < 0) continue;
        TAUT_TRY(add(f, (part){f->shift[i], i, ONE, 0, 0, 0, 0.0, 1.0}));
        TAUT_TRY(add(f, (part){f->shift[i], i + 1, ONE, 0, 0, 0, -1.0, 0.0}));
    }
    return TAUT_OK;
}

/* J_ij mu_il in the row of x_j^(k): calls visit for each. */
typedef taut_status visit_fn(taut_index2 *f, int entry, int row, int place, void *user);

static taut_status visit_stabilising(taut_index2 *f, visit_fn *visit, void *user) {
    const taut_series *s = f->partials.series;
    const int *c = s->structure->offsets.c, *d = s->structure->offsets.d;
    for (int j = 0; j < s->system->n; j++)
        for (int e = s->start[j]; e < s->start[j + 1]; e++)
            for (int l = 0; l < top_level(c[s->row[e]]); l++) {
                const int i = s->row[e], k = l + d[j] - c[i];
                const int row = f->shift[f->ode->first[j] + k];
                TAUT_TRY(visit(f, e, row, f->multiplier[i] + l, user));
            }
    return TAUT_OK;
}

static taut_status add_stabilising(taut_index2 *f, int entry, int row, int place, void *user) {
    (void)user;
    return add(f, (part){row, place, LEADING, entry, 0, 0, 1.0, 0.0});
}

/* What partial k adds to the row of f_i^(level). */
static taut_status add_level(taut_index2 *f, int k, int level, int row) {
    const taut_partial *p = &f->partials.partial[k];
    const int d = f->ode->flow.structure->offsets.d[p->variable];
    for (int m = 0; m <= level; m++) {
        const int q = p->order + m;
        part x = {row, 0, PARTIAL, k, level, m, 1.0, 0.0};
        if (d == 0)
            x.column = f->algebraic[p->variable];
        else if (q < d)
            x.column = f->ode->first[p->variable] + q;
        else
            x = (part){row, f->ode->first[p->variable] + d - 1, PARTIAL, k, level, m, 0.0, 1.0};
        TAUT_TRY(add(f, x));
    }
    return TAUT_OK;
}

static taut_status add_equations(taut_index2 *f) {
    const int *c = f->ode->flow.structure->offsets.c;
    for (int k = 0; k < f->partials.count; k++) {
        const int i = f->partials.partial[k].equation, top = top_level(c[i]);
        TAUT_TRY(add_level(f, k, top, f->equation[i]));
        for (int l = 0; l < top; l++) TAUT_TRY(add_level(f, k, l, f->multiplier[i] + l));
    }
    return TAUT_OK;
}

static int by_place(const void *a, const void *b) {
    const part *x = a, *y = b;
    return x->column != y->column ? x->column - y->column : x->row - y->row;
}

/* Parts at the same place make one entry. */
static taut_status build_pattern(taut_index2 *f) {
    if (f->parts) qsort(f->part, f->parts, sizeof *f->part, by_place);
    f->entry = TAUT_NEW_ARRAY(&f->arena, f->parts, int);
    f->start = TAUT_NEW_ARRAY(&f->arena, f->size + 1, int);
    f->row = TAUT_NEW_ARRAY(&f->arena, f->parts, int);
    if (!f->entry || !f->start || !f->row) return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < f->parts; k++) {
        if (k == 0 || by_place(&f->part[k - 1], &f->part[k]) != 0) {
            f->row[f->entries++] = f->part[k].row;
            f->start[f->part[k].column + 1]++;
        }
        f->entry[k] = f->entries - 1;
    }
    for (int j = 0; j < f->size; j++) f->start[j + 1] += f->start[j];
    return TAUT_OK;
}

static taut_status build(taut_index2 *f) {
    TAUT_TRY(taut_partials_create(f->ode->flow.system, f->ode->flow.structure, 0, &f->arena,
                                  &f->partials));
    TAUT_TRY(number(f));
    TAUT_TRY(add_shifts(f));
    TAUT_TRY(visit_stabilising(f, add_stabilising, NULL));
    TAUT_TRY(add_equations(f));
    return build_pattern(f);
}

taut_status taut_index2_create(const taut_ode *ode, taut_index2 **form) {
    taut_index2 *f = NULL;
    size_t room = 0;
    *form = NULL;
    if (taut_grow((void **)&f, &room, 1, sizeof *f)) return TAUT_ERR_MEMORY;
    *f = (taut_index2){.ode = ode};
    const taut_status status = build(f);
    if (status == TAUT_OK)
        *form = f;
    else
        taut_index2_free(&f);
    return status;
}

void taut_index2_forget(taut_index2 *f) { taut_series_forget(f->partials.series); }

taut_status taut_index2_set_numbers(taut_index2 *f, const double *parameter) {
    return taut_partials_set_numbers(&f->partials, parameter);
}

void taut_index2_free(taut_index2 **form) {
    taut_index2 *f = *form;
    if (!f) return;
    taut_partials_release(&f->partials);
    taut_release((void **)&f->part);
    taut_arena_release(&f->arena);
    taut_release((void **)form);
}

/* ---- values ---- */

static void look(taut_index2 *f, double t, const double *Y, const double *rate) {
    taut_series *s = f->partials.series;
    const int *d = s->structure->offsets.d;
    taut_series_start(s, t, 1.0);
    for (int j = 0; j < s->system->n; j++) {
        const int first = f->ode->first[j];
        for (int k = 0; k < d[j]; k++) taut_series_set(s, j, k, Y[first + k]);
        taut_series_set(s, j, d[j], d[j] > 0 ? rate[first + d[j] - 1] : Y[f->algebraic[j]]);
    }
    taut_series_look(s, 0);
    taut_series_jacobian(s);
}

typedef struct stabilising {
    const double *Y;
    double *F;
} stabilising;

static taut_status stabilise(taut_index2 *f, int entry, int row, int place, void *user) {
    const stabilising *x = user;
    x->F[row] += f->partials.series->J[entry] * x->Y[place];
    return TAUT_OK;
}

void taut_index2_residual(taut_index2 *f, double t, const double *Y, const double *rate,
                          double *F) {
    const taut_series *s = f->partials.series;
    const int *c = s->structure->offsets.c;
    stabilising terms = {Y, F};
    look(f, t, Y, rate);
    for (int i = 0; i < f->states; i++)
        if (f->shift[i] >= 0) F[f->shift[i]] = rate[i] - Y[i + 1];
    (void)visit_stabilising(f, stabilise, &terms);
    for (int i = 0; i < s->system->n; i++) {
        const int top = top_level(c[i]);
        F[f->equation[i]] = taut_series_residual(s, i, top - c[i]);
        for (int l = 0; l < top; l++)
            F[f->multiplier[i] + l] = taut_series_residual(s, i, l - c[i]);
    }
}

void taut_index2_jacobian(taut_index2 *f, double t, const double *Y, const double *rate, double cj,
                          double *value) {
    look(f, t, Y, rate);
    memset(value, 0, (size_t)f->entries * sizeof *value);
    for (size_t k = 0; k < f->parts; k++) {
        const part *p = &f->part[k];
        double x = p->plain + p->rate * cj;
        if (p->source == PARTIAL)
            x *= taut_partials_term(&f->partials, p->which, p->level, p->m);
        else if (p->source == LEADING)
            x *= f->partials.series->J[p->which];
        value[f->entry[k]] += x;
    }
}
