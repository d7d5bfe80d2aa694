/* Gauss-Newton of one stage: at stage s the unknowns are x_j^(s+d_j), the conditions f_i^(s+c_i) =
 * 0; the correction of least (scaled) norm is taken. */
#include "solve/stage.h"

#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "core/dense.h"
#include "solve/rounding.h"

enum { MOST_ITERATIONS = 60, MOST_TURNS = 12, MOST_HALVINGS = 12, DENSE_LIMIT = 400 };
/* What is not listed may move this much more easily than what is. */
static const double UNLISTED_WEIGHT = 100.0;
static const double RANK_LIMIT = 1e-10;
static const double STRAIGHT = 1e-10;
static const double NEAR = 10.0, MOST_NEAR = 0.1, LONG = 10.0, LITTLE = 0.1; /* see prefer_short */
static const double POOR = 0.1;
/* Where nothing is known of an unknown's size. */
static const double SMALL = 1e-3;
/* Positions that are nothing but rounding, as of one slider that stands at 0, are no size. */
static const double ROUNDED = 1e-12;
static const double NOTHING = 1e-290; /* rows that are nothing but zeros */
/* Of what a force may be elsewhere: rows of forces only, all of them 0, are not judged by less. */
static const double LEAST_FORCE = 1e-6;
/* Of what masses have at a unit of speed: powers that are all 0, at rest, are not judged by less.
 */
static const double LEAST_POWER = 1e-6;
static const double STILL = 1e-16;    /* of the size of an unknown */
static const double VANISHING = 1e-9; /* entries beside the largest of their column */

/* ---- rows and columns ---- */

/* Do the equations alone say how large an unknown is? */
static bool is_balanced(const taut_unknown *x) {
    return x->sizing == TAUT_SIZE_BALANCE || x->sizing == TAUT_SIZE_WORK;
}

static bool takes_part(const taut_finder *f, int condition, int s, taut_guesses guesses) {
    const taut_condition *c = &f->series->system->condition[condition];
    if (f->condition[condition].stage != s) return false;
    return c->fixed || guesses == TAUT_ALL_GUESSES ||
           (guesses == TAUT_GUESSED_ANGLES && c->side != TAUT_NO_NODE);
}

/* Sizes of the unknowns, whatever unit of length the model has. */
static taut_status find_units(taut_stage *g) {
    const taut_system *system = g->series->system;
    double *largest = TAUT_NEW_ARRAY(&g->arena, system->groups + 1, double);
    g->unit = TAUT_NEW_ARRAY(&g->arena, system->n, double);
    g->least = TAUT_NEW_ARRAY(&g->arena, system->n, double);
    g->length = TAUT_NEW_ARRAY(&g->arena, g->series->tape->size, double);
    g->terms = TAUT_NEW_ARRAY(&g->arena, system->n, double);
    if (!largest || !g->unit || !g->least || !g->length || !g->terms) return TAUT_ERR_MEMORY;
    for (int j = 0; j < system->n; j++) {
        double *most = &largest[system->unknown[j].group];
        const double x = fabs(taut_series_get(g->series, j, 0));
        if (isfinite(x)) *most = fmax(*most, x);
    }
    for (int j = 0; j < system->n; j++) {
        const taut_sizing sizing = system->unknown[j].sizing;
        const double most = largest[system->unknown[j].group];
        g->unit[j] = sizing == TAUT_SIZE_GROUP && most > ROUNDED ? most : 1.0;
        g->least[j] = is_balanced(&system->unknown[j]) ? 0.0
                      : sizing == TAUT_SIZE_OPEN       ? SMALL
                                                       : g->unit[j];
    }
    return TAUT_OK;
}

taut_status taut_stage_create(const taut_finder *f, int s, taut_guesses guesses, taut_stage *g) {
    const taut_system *system = f->series->system;
    const int *c = f->series->structure->offsets.c, *d = f->series->structure->offsets.d;
    const int n = system->n, most = n + system->conditions;
    *g = (taut_stage){.finder = f, .series = f->series, .errors = f->errors, .s = s};
    const size_t entries = (size_t)f->series->entries + f->gradients;
    g->row = TAUT_NEW_ARRAY(&g->arena, most, int);
    g->column = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->row_place = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->place = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->weight = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->residual = TAUT_NEW_ARRAY(&g->arena, most, double);
    g->shift = TAUT_NEW_ARRAY(&g->arena, most, double);
    g->scale = TAUT_NEW_ARRAY(&g->arena, most, double);
    g->step = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->saved = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->force = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->largest = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->entry_row = TAUT_NEW_ARRAY(&g->arena, entries, int);
    g->entry_column = TAUT_NEW_ARRAY(&g->arena, entries, int);
    g->entry = TAUT_NEW_ARRAY(&g->arena, entries, double);
    if (!g->row || !g->column || !g->row_place || !g->place || !g->weight || !g->residual ||
        !g->shift || !g->scale || !g->step || !g->saved || !g->force || !g->largest ||
        !g->entry_row || !g->entry_column || !g->entry)
        return TAUT_ERR_MEMORY;
    TAUT_TRY(find_units(g));
    for (int i = 0; i < n; i++) {
        g->row_place[i] = s + c[i] >= 0 ? g->rows : -1;
        if (s + c[i] >= 0) g->row[g->rows++] = i;
    }
    for (int i = 0; i < system->conditions; i++)
        if (takes_part(f, i, s, guesses)) g->row[g->rows++] = n + i;
    for (int j = 0; j < n; j++) {
        const int k = s + d[j], needed = taut_needed(f->series->structure, j);
        g->place[j] = -1;
        if (k < 0 || (k < needed && f->listed[j][k] == TAUT_FIXED)) continue;
        const bool known = k < needed && f->listed[j][k] == TAUT_LISTED;
        g->place[j] = g->columns;
        g->weight[g->columns] = known ? 1.0 : UNLISTED_WEIGHT;
        g->column[g->columns++] = j;
    }
    return TAUT_OK;
}

int taut_stage_order(const taut_stage *g, int q) {
    return g->s + g->series->structure->offsets.d[g->column[q]];
}

void taut_stage_get(const taut_stage *g, double *z) {
    for (int q = 0; q < g->columns; q++)
        z[q] = taut_series_get(g->series, g->column[q], taut_stage_order(g, q));
}

void taut_stage_set(taut_stage *g, const double *z) {
    for (int q = 0; q < g->columns; q++)
        taut_series_set(g->series, g->column[q], taut_stage_order(g, q), z[q]);
}

/* ---- values ---- */

bool taut_stage_evaluate(taut_stage *g) {
    const int n = g->series->system->n;
    bool finite = true;
    taut_series_look(g->series, g->s);
    for (int a = 0; a < g->rows; a++) {
        const int i = g->row[a];
        g->residual[a] =
            i < n ? taut_series_residual(g->series, i, g->s)
                  : taut_series_output(g->series, g->finder->condition[i - n].residual, 0);
        if (!isfinite(g->residual[a])) finite = false;
        g->residual[a] -= g->shift[a];
    }
    return finite;
}

static void add_entry(taut_stage *g, int row, int variable, double value, double *sum) {
    const int k = g->s + g->series->structure->offsets.d[variable];
    sum[row] +=
        fabs(value) * fmax(fabs(taut_series_get(g->series, variable, k)), g->least[variable]);
    if (g->place[variable] < 0) return;
    g->entry_row[g->entries] = row;
    g->entry_column[g->entries] = g->place[variable];
    g->entry[g->entries++] = value;
}

/* Equations that are not differentiated here have terms without unknowns as well, such as weights
 * at rest. */
static void add_terms(taut_stage *g) {
    const int n = g->series->system->n, *c = g->series->structure->offsets.c;
    taut_rounding_find_sizes(g->series, g->length, g->terms);
    for (int a = 0; a < g->rows && g->row[a] < n; a++)
        if (g->s + c[g->row[a]] == 0 && isfinite(g->terms[g->row[a]]))
            g->scale[a] = fmax(g->scale[a], g->terms[g->row[a]]);
}

/* A row in which nothing but forces act, such as that of a massless slider, may have terms that are
 * all 0. A force is at most what balances the largest of its rows: that tells what is small. */
static void raise_force_rows(taut_stage *g) {
    const taut_unknown *unknown = g->series->system->unknown;
    double *most = g->force;
    double *largest = g->largest;
    for (int q = 0; q < g->columns; q++) most[q] = largest[q] = 0.0;
    for (int k = 0; k < g->entries; k++)
        largest[g->entry_column[k]] = fmax(largest[g->entry_column[k]], fabs(g->entry[k]));
    for (int k = 0; k < g->entries; k++) {
        const int q = g->entry_column[k];
        /* entries that vanish, such as F/|F| of a component that is 0, tell nothing */
        if (is_balanced(&unknown[g->column[q]]) && fabs(g->entry[k]) > VANISHING * largest[q])
            most[q] = fmax(most[q], g->scale[g->entry_row[k]] / fabs(g->entry[k]));
    }
    for (int k = 0; k < g->entries; k++) {
        const double force = most[g->entry_column[k]];
        double *scale = &g->scale[g->entry_row[k]];
        if (isfinite(force)) *scale = fmax(*scale, LEAST_FORCE * force * fabs(g->entry[k]));
    }
}

/* A rate of work is 0 at rest, and so are all terms of its equation: what masses have at a unit of
 * speed tells what is small. */
static void raise_work_rows(taut_stage *g) {
    const taut_series *s = g->series;
    const taut_unknown *unknown = s->system->unknown;
    const int n = s->system->n, *c = s->structure->offsets.c, *d = s->structure->offsets.d;
    double most = 0.0;
    for (int k = 0; k < g->entries; k++) {
        const int row = g->row[g->entry_row[k]], j = g->column[g->entry_column[k]];
        if (row < n && c[row] == 0 && d[j] == 2) /* a mass */
            most = fmax(most, fabs(g->entry[k]) * g->least[j] * g->least[j]);
    }
    for (int k = 0; k < g->entries && isfinite(most); k++) {
        double *scale = &g->scale[g->entry_row[k]];
        if (unknown[g->column[g->entry_column[k]]].sizing == TAUT_SIZE_WORK)
            *scale = fmax(*scale, LEAST_POWER * most * fabs(g->entry[k]));
    }
}

/* What is large for one component of a vector is so for the others: a loop in a plane that is
 * tilted by 1e-12 has no third condition of that size. */
static void share_scales(taut_stage *g) {
    const taut_equation *equation = g->series->system->equation;
    const int n = g->series->system->n;
    for (int a = 0, end; a < g->rows; a = end) {
        const int vector = g->row[a] < n ? equation[g->row[a]].vector : 0;
        double largest = g->scale[a];
        for (end = a + 1; end < g->rows && vector > 0 && g->row[end] < n &&
                          equation[g->row[end]].vector == vector;
             end++)
            largest = fmax(largest, g->scale[end]);
        for (int k = a; k < end; k++) g->scale[k] = largest;
    }
}

/* Forces have the unit that makes their columns as large as the rows are. */
static void find_force_units(taut_stage *g) {
    const taut_unknown *unknown = g->series->system->unknown;
    for (int q = 0; q < g->columns; q++)
        if (is_balanced(&unknown[g->column[q]])) g->unit[g->column[q]] = 0.0;
    for (int k = 0; k < g->entries; k++) {
        const int j = g->column[g->entry_column[k]];
        if (is_balanced(&unknown[j]))
            g->unit[j] = fmax(g->unit[j], fabs(g->entry[k]) / g->scale[g->entry_row[k]]);
    }
    for (int q = 0; q < g->columns; q++) {
        double *unit = &g->unit[g->column[q]];
        if (is_balanced(&unknown[g->column[q]])) *unit = *unit > 0.0 ? 1.0 / *unit : 1.0;
    }
}

/* The Jacobian of the rows, and the size of their terms, sum of |J_ij x_j| with |x_j| at least a
 * small value: residuals are judged by it. False if an entry is not finite; *bad is its row. */
bool taut_stage_linearize(taut_stage *g, int *bad) {
    taut_series *s = g->series;
    const int n = s->system->n, *d = s->structure->offsets.d;
    bool finite = true;
    taut_series_jacobian(s);
    g->entries = 0;
    for (int a = 0; a < g->rows; a++) g->scale[a] = 0.0;
    for (int j = 0; j < n; j++) {
        if (g->s + d[j] < 0) continue;
        for (int k = s->start[j]; k < s->start[j + 1]; k++)
            if (s->row[k] < n && g->row_place[s->row[k]] >= 0)
                add_entry(g, g->row_place[s->row[k]], j, s->J[k], g->scale);
    }
    for (int a = 0; a < g->rows; a++) {
        if (g->row[a] < n) continue;
        const taut_condition_row *c = &g->finder->condition[g->row[a] - n];
        for (int k = c->first; k < c->last; k++)
            add_entry(g, a, g->finder->gradient[k].variable,
                      taut_series_output(s, g->finder->gradient[k].output, 0), g->scale);
    }
    add_terms(g);
    for (int a = 0; a < g->rows; a++) {
        if (!isfinite(g->scale[a])) {
            finite = false;
            *bad = a;
        }
        g->scale[a] = fmax(g->scale[a], NOTHING);
    }
    share_scales(g);
    raise_force_rows(g);
    raise_work_rows(g);
    find_force_units(g);
    return finite;
}

double taut_stage_misfit(const taut_stage *g) {
    double largest = 0.0;
    for (int a = 0; a < g->rows; a++) largest = fmax(largest, fabs(g->residual[a]) / g->scale[a]);
    return largest;
}

double taut_stage_misfit_norm(const taut_stage *g) {
    double sum = 0.0;
    for (int a = 0; a < g->rows; a++) sum += pow(g->residual[a] / g->scale[a], 2.0);
    return sqrt(sum);
}

/* ---- steps ---- */

/* How far column q moves for a step of 1. */
static double stride(const taut_stage *g, int q) { return g->weight[q] * g->unit[g->column[q]]; }

/* The rows' Jacobian in units of rows and columns, and their residuals: a is m x n by columns. */
static void fill_matrix(const taut_stage *g, double *a, double *b) {
    const int m = g->rows;
    memset(a, 0, (size_t)m * (size_t)g->columns * sizeof *a);
    for (int k = 0; k < g->entries; k++)
        a[(size_t)g->entry_column[k] * (size_t)m + (size_t)g->entry_row[k]] +=
            g->entry[k] * stride(g, g->entry_column[k]) / g->scale[g->entry_row[k]];
    for (int i = 0; i < m; i++) b[i] = -g->residual[i] / g->scale[i];
}

/* The correction y of least norm (least squares if there is none) from singular values above
 * `limit` times the largest; how many there are, and how many with the larger limit `stricter` (-1:
 * not known). */
static taut_status find_correction(const taut_stage *g, double limit, double *a, double *y,
                                   int *rank, double stricter, int *fewer) {
    fill_matrix(g, a, y);
    return taut_least_norm_ranks(g->rows, g->columns, a, y, limit, rank, stricter, fewer);
}

static double length_of(int n, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += y[i] * y[i];
    return sqrt(sum);
}

/* How much of the residuals the correction y leaves, if they were linear. b: work space. */
static double left_by(const taut_stage *g, const double *y, double *a, double *b) {
    const int m = g->rows;
    fill_matrix(g, a, b);
    for (int q = 0; q < g->columns; q++)
        for (int i = 0; i < m; i++) b[i] -= a[(size_t)q * (size_t)m + (size_t)i] * y[q];
    return length_of(m, b);
}

/* Rows that depend on each other in every position are independent a little beside one, by about
 * as much as they are off: what they seem to ask for there is a long way that mends nothing. Where
 * singular values of that size lengthen the correction y, and one without them leaves little, that
 * one is taken. */
static taut_status prefer_short(const taut_stage *g, taut_arena *arena, double *a, int rank,
                                double limit, double *y) {
    const int n = g->columns, m = g->rows, most = m > n ? m : n;
    int fewer, same;
    double *other = TAUT_NEW_ARRAY(arena, most, double), *b = TAUT_NEW_ARRAY(arena, most, double);
    if (!other || !b) return TAUT_ERR_MEMORY;
    TAUT_TRY(find_correction(g, limit, a, other, &fewer, limit, &same));
    if (fewer == rank || length_of(n, y) < LONG * length_of(n, other)) return TAUT_OK;
    if (left_by(g, other, a, b) < LITTLE * taut_stage_misfit_norm(g))
        memcpy(y, other, (size_t)n * sizeof *y);
    return TAUT_OK;
}

/* step = correction of least weighted norm (least squares if there is none), by a rank-revealing
 * factorisation. */
static taut_status dense_step(taut_stage *g) {
    TAUT_TRY(taut_bounds_check("a dense matrix of constraints", g->rows, g->columns, g->errors));
    taut_arena arena = {0};
    const int m = g->rows, n = g->columns;
    int rank = 0, fewer = 0;
    double *a = taut_arena_array(&arena, (size_t)m * (size_t)n, sizeof *a);
    double *y = TAUT_NEW_ARRAY(&arena, m > n ? m : n, double);
    taut_status status = a && y ? TAUT_OK : TAUT_ERR_MEMORY;
    const double limit = fmin(NEAR * taut_stage_misfit_norm(g), MOST_NEAR);
    if (status == TAUT_OK) status = find_correction(g, RANK_LIMIT, a, y, &rank, limit, &fewer);
    if (status == TAUT_OK && limit > RANK_LIMIT && fewer != rank)
        status = prefer_short(g, &arena, a, rank, limit, y);
    for (int q = 0; q < n && status == TAUT_OK; q++) g->step[q] = y[q] * stride(g, q);
    taut_arena_release(&arena);
    return status;
}

/* The same for large stages: [W^-2 G^T; G 0] with sparse factors. */
static taut_status sparse_step(taut_stage *g) {
    taut_arena arena = {0};
    const int m = g->rows, n = g->columns, total = m + n;
    int *start = TAUT_NEW_ARRAY(&arena, total + 1, int);
    int *row = TAUT_NEW_ARRAY(&arena, 2 * g->entries + n, int);
    int *fill = TAUT_NEW_ARRAY(&arena, total, int);
    double *value = TAUT_NEW_ARRAY(&arena, 2 * g->entries + n, double);
    double *b = TAUT_NEW_ARRAY(&arena, total, double);
    taut_lu *lu = NULL;
    taut_status status = TAUT_ERR_MEMORY;
    if (start && row && fill && value && b) {
        for (int q = 0; q < n; q++) start[q + 1] = 1;
        for (int k = 0; k < g->entries; k++) {
            start[g->entry_column[k] + 1]++;
            start[n + g->entry_row[k] + 1]++;
        }
        for (int q = 0; q < total; q++) start[q + 1] += start[q];
        for (int q = 0; q < total; q++) fill[q] = start[q];
        for (int q = 0; q < n; q++) {
            row[fill[q]] = q;
            value[fill[q]++] = 1.0 / (g->weight[q] * g->weight[q]);
        }
        for (int k = 0; k < g->entries; k++) {
            const int q = g->entry_column[k], i = g->entry_row[k];
            const double v = g->entry[k] * g->unit[g->column[q]] / g->scale[i];
            row[fill[q]] = n + i;
            value[fill[q]++] = v;
            row[fill[n + i]] = q;
            value[fill[n + i]++] = v;
        }
        for (int i = 0; i < m; i++) b[n + i] = -g->residual[i] / g->scale[i];
        status = taut_lu_create(total, start, row, &lu);
        if (status == TAUT_OK) status = taut_lu_factor(lu, value);
        if (status == TAUT_OK) taut_lu_solve(lu, b);
    }
    for (int q = 0; q < n && status == TAUT_OK; q++) g->step[q] = b[q] * g->unit[g->column[q]];
    taut_lu_free(&lu);
    taut_arena_release(&arena);
    return status;
}

taut_status taut_stage_step(taut_stage *g) {
    if (g->columns == 0 || g->rows == 0) return TAUT_OK;
    TAUT_TRY(taut_bounds_ask());
    if (g->rows > DENSE_LIMIT) {
        taut_status status = sparse_step(g);
        if (status != TAUT_SINGULAR) return status;
    }
    return dense_step(g);
}

/* Moves the unknowns by `fraction` of the step from the saved point. */
static void move(taut_stage *g, double fraction) {
    for (int q = 0; q < g->columns; q++)
        taut_series_set(g->series, g->column[q], taut_stage_order(g, q),
                        g->saved[q] + fraction * g->step[q]);
}

/* One damped Gauss-Newton step; *after is the largest residual that it leaves. */
static taut_status damped_step(taut_stage *g, double before, double *after) {
    double fraction = 1.0;
    TAUT_TRY(taut_stage_step(g));
    taut_stage_get(g, g->saved);
    for (int k = 0; k <= MOST_HALVINGS; k++, fraction /= 2.0) {
        move(g, fraction);
        if (taut_stage_evaluate(g)) {
            *after = taut_stage_misfit(g);
            if (*after < before * (1.0 - 0.1 * fraction) || *after < 1e-15) return TAUT_OK;
        }
    }
    move(g, 0.0);
    taut_stage_evaluate(g);
    *after = before;
    return TAUT_OK;
}

/* ---- sides ---- */

/* The condition of a row, NULL if it is none or has no side. */
static const taut_condition_row *sided(const taut_stage *g, int row) {
    const int i = g->row[row] - g->series->system->n;
    return i >= 0 && g->finder->condition[i].side >= 0 ? &g->finder->condition[i] : NULL;
}

bool taut_stage_right_side(const taut_stage *g) {
    for (int row = 0; row < g->rows; row++) {
        const taut_condition_row *c = sided(g, row);
        if (c && !(taut_series_output(g->series, c->side, 0) > 0.0)) return false;
    }
    return true;
}

/* Puts derivatives into row i of a (m x n, by columns), times the weights. */
static void fill_row(const taut_stage *g, int first, int last, int i, int m, double *a) {
    for (int k = first; k < last; k++) {
        const int q = g->place[g->finder->gradient[k].variable];
        if (q >= 0)
            a[(size_t)q * (size_t)m + (size_t)i] +=
                taut_series_output(g->series, g->finder->gradient[k].output, 0) * stride(g, q);
    }
}

/* One step towards r sin x = 0 and r cos x = r for all conditions with a side: rows 2k and 2k + 1
 * of a (m x n) and of b. Returns m. */
static int sided_rows(const taut_stage *g, int m, double *a, double *b) {
    int count = 0;
    for (int row = 0; row < g->rows; row++) {
        const taut_condition_row *c = sided(g, row);
        if (!c) continue;
        if (a) {
            const double side = taut_series_output(g->series, c->side, 0);
            fill_row(g, c->first, c->last, count, m, a);
            fill_row(g, c->side_first, c->side_last, count + 1, m, a);
            b[count] = -g->residual[row];
            b[count + 1] = hypot(side, g->residual[row]) - side;
        }
        count += 2;
    }
    return count;
}

taut_status taut_stage_turn(taut_stage *g) {
    taut_arena arena = {0};
    const int m = sided_rows(g, 0, NULL, NULL), n = g->columns, most = m > n ? m : n;
    taut_status status = TAUT_OK;
    if (m == 0) return TAUT_OK;
    double *a = taut_arena_array(&arena, (size_t)m * (size_t)n, sizeof *a);
    double *b = TAUT_NEW_ARRAY(&arena, most, double);
    if (!a || !b) status = TAUT_ERR_MEMORY;
    for (int k = 0; k < MOST_TURNS && status == TAUT_OK; k++) {
        int rank;
        if (!taut_stage_evaluate(g) || (k > 0 && taut_stage_right_side(g))) break;
        memset(a, 0, (size_t)m * (size_t)n * sizeof *a);
        sided_rows(g, m, a, b);
        status = taut_least_norm(m, n, a, b, RANK_LIMIT, &rank);
        taut_stage_get(g, g->saved);
        for (int q = 0; q < n; q++) g->step[q] = b[q] * stride(g, q);
        move(g, 1.0);
        if (!taut_stage_evaluate(g)) {
            move(g, 0.0);
            break;
        }
    }
    taut_arena_release(&arena);
    return status == TAUT_ERR_NUMERICS ? TAUT_OK : status;
}

/* ---- solving ---- */

taut_status taut_stage_solve(taut_stage *g, taut_outcome *outcome, int *bad) {
    *outcome = TAUT_NO_VALUE;
    if (!taut_stage_evaluate(g)) return TAUT_OK;
    *outcome = TAUT_KINK;
    if (!taut_stage_linearize(g, bad)) return TAUT_OK;
    double misfit = taut_stage_misfit(g);
    g->straight = misfit < STRAIGHT;
    for (int iteration = 0; iteration < MOST_ITERATIONS && misfit > 0.0; iteration++) {
        const double before = misfit;
        TAUT_TRY(damped_step(g, before, &misfit));
        if (!taut_stage_linearize(g, bad)) return TAUT_OK;
        misfit = taut_stage_misfit(g);
        if (iteration == 0) g->straight = misfit < STRAIGHT;
        if (misfit >= 0.5 * before && (misfit < TAUT_RESIDUAL_LIMIT || misfit >= before)) break;
    }
    *outcome = misfit > TAUT_RESIDUAL_LIMIT ? TAUT_UNMET : TAUT_MET;
    return TAUT_OK;
}

taut_status taut_stage_compromise(taut_stage *g) {
    int bad;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        if (!taut_stage_evaluate(g) || !taut_stage_linearize(g, &bad)) return TAUT_OK;
        const double before = taut_stage_misfit_norm(g);
        double fraction = 1.0, after = before;
        TAUT_TRY(taut_stage_step(g));
        taut_stage_get(g, g->saved);
        for (int k = 0; k <= MOST_HALVINGS; k++, fraction /= 2.0) {
            move(g, fraction);
            if (taut_stage_evaluate(g) && (after = taut_stage_misfit_norm(g)) < before) break;
        }
        if (after < before * (1.0 - 1e-9)) continue;
        move(g, 0.0);
        if (taut_stage_evaluate(g)) taut_stage_linearize(g, &bad);
        break;
    }
    return TAUT_OK;
}

/* Is the last step nothing but rounding? */
static bool stands_still(const taut_stage *g) {
    for (int q = 0; q < g->columns; q++)
        if (!(fabs(g->step[q]) <= STILL * g->unit[g->column[q]])) return false;
    return true;
}

/* A few undamped steps of least squares; *misfit is what they leave. */
static taut_status pull(taut_stage *g, double *misfit) {
    int bad;
    *misfit = (double)INFINITY;
    for (int iteration = 0; iteration < 12; iteration++) {
        if (!taut_stage_evaluate(g) || !taut_stage_linearize(g, &bad))
            return TAUT_OK; /* the guesses lead nowhere */
        *misfit = taut_stage_misfit(g);
        if (*misfit < 1e-14) break;
        TAUT_TRY(taut_stage_step(g));
        taut_stage_get(g, g->saved);
        move(g, 1.0);
        if (!taut_stage_evaluate(g)) move(g, 0.0);
        if (stands_still(g)) break; /* conditions that cannot be met leave a misfit */
    }
    return TAUT_OK;
}

taut_status taut_stage_fill(taut_stage *g, bool *enough) {
    const size_t size = (size_t)g->columns * sizeof(double);
    double misfit = (double)INFINITY;
    double *weight = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    double *before = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    *enough = false;
    if (!weight || !before) return TAUT_ERR_MEMORY;
    if (g->columns == 0 || g->rows > DENSE_LIMIT) return TAUT_OK;
    taut_stage_get(g, before);
    memcpy(weight, g->weight, size);
    for (int q = 0; q < g->columns; q++)
        if (weight[q] < UNLISTED_WEIGHT) g->weight[q] = 0.0;
    taut_status status = pull(g, &misfit);
    memcpy(g->weight, weight, size);
    *enough = misfit < TAUT_RESIDUAL_LIMIT && taut_stage_right_side(g);
    if (!*enough) taut_stage_set(g, before);
    return status;
}

static bool any_listed(const taut_stage *g) {
    for (int q = 0; q < g->columns; q++)
        if (g->weight[q] < UNLISTED_WEIGHT) return true;
    return false;
}

taut_status taut_stage_follow(taut_stage *g) {
    bool enough;
    double misfit;
    int bad;
    if (taut_stage_evaluate(g) && !taut_stage_right_side(g)) TAUT_TRY(taut_stage_turn(g));
    if (any_listed(g)) { /* otherwise all of them move in any case */
        TAUT_TRY(taut_stage_fill(g, &enough));
        if (enough) return TAUT_OK;
    }
    TAUT_TRY(pull(g, &misfit));
    if (misfit < TAUT_RESIDUAL_LIMIT && taut_stage_right_side(g)) return TAUT_OK;
    if (!taut_stage_evaluate(g) || !taut_stage_linearize(g, &bad)) return TAUT_OK;
    /* poor guesses: not where the last step happened to end, but where the sum of squares is least
     */
    return taut_stage_misfit_norm(g) > POOR ? taut_stage_compromise(g) : TAUT_OK;
}
