/* Gauss-Newton by stages: at stage s the unknowns are x_j^(s+d_j), the conditions f_i^(s+c_i) = 0;
 * the correction of least (scaled) norm is taken, fixed values stay as they are to the last bit. */
#include "solve/consistent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dense.h"
#include "expr/infix.h"

enum { MOST_ITERATIONS = 60, MOST_HALVINGS = 12, DENSE_LIMIT = 400 };
/* What is not listed may move this much more easily than what is. */
static const double UNLISTED_WEIGHT = 100.0;
/* Below this, relative to the terms of an equation, a residual is rounding. */
static const double RESIDUAL_LIMIT = 1e-11;
static const double RANK_LIMIT = 1e-10;

typedef enum listing { UNLISTED, LISTED, FIXED } listing;

/* The unknowns and conditions of one stage. */
typedef struct stage {
    taut_series *series;
    taut_errors *errors;
    taut_arena arena;
    int s;
    int rows, columns; /* conditions, free unknowns */
    int *row;          /* [rows] equations */
    int *column;       /* [columns] variables */
    int *place;        /* [n] position of a variable in column[], -1: not free here */
    double *weight;    /* [columns] */
    double *residual;  /* [rows] */
    double *scale;     /* [rows] size of the terms of a condition */
    double *step;      /* [max(rows, columns)] */
    double *saved;     /* [columns] */
} stage;

typedef struct finder {
    taut_series *series;
    taut_errors *errors;
    listing **listed;          /* [n][needed] */
    const taut_given ***given; /* [n][needed] NULL: not listed */
} finder;

/* ---- one stage ---- */

static taut_status stage_create(finder *f, int s, stage *g) {
    const taut_system *system = f->series->system;
    const int *c = f->series->structure->offsets.c, *d = f->series->structure->offsets.d;
    const int n = system->n;
    *g = (stage){.series = f->series, .errors = f->errors, .s = s};
    g->row = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->column = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->place = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->weight = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->residual = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->scale = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->step = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->saved = TAUT_NEW_ARRAY(&g->arena, n, double);
    if (!g->row || !g->column || !g->place || !g->weight || !g->residual || !g->scale || !g->step ||
        !g->saved)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        if (s + c[i] >= 0) g->row[g->rows++] = i;
    for (int j = 0; j < n; j++) {
        const int k = s + d[j];
        g->place[j] = -1;
        if (k < 0 || (k < taut_needed(f->series->structure, j) && f->listed[j][k] == FIXED))
            continue;
        const bool known = k < taut_needed(f->series->structure, j) && f->listed[j][k] == LISTED;
        g->place[j] = g->columns;
        g->weight[g->columns] = known ? 1.0 : UNLISTED_WEIGHT;
        g->column[g->columns++] = j;
    }
    return TAUT_OK;
}

/* Evaluates stages up to s; false if something is not finite. */
static bool evaluate(stage *g) {
    taut_series_look(g->series, g->s);
    bool finite = true;
    for (int a = 0; a < g->rows; a++) {
        g->residual[a] = taut_series_residual(g->series, g->row[a], g->s);
        if (!isfinite(g->residual[a])) finite = false;
    }
    return finite;
}

/* The size of the terms of each condition: sum of |J_ij x_j|, with |x_j| at least the size of a
 * small value; residuals are judged by it. */
static void find_scales(stage *g) {
    const taut_series *s = g->series;
    const int *d = s->structure->offsets.d, *c = s->structure->offsets.c, n = s->system->n;
    double *sum = g->saved; /* free at this moment; indexed by equation below */
    for (int i = 0; i < n; i++) sum[i] = 0.0;
    for (int j = 0; j < n; j++) {
        if (g->s + d[j] < 0) continue;
        const double x = fabs(taut_series_get(s, j, g->s + d[j]));
        for (int k = s->start[j]; k < s->start[j + 1]; k++)
            if (g->s + c[s->row[k]] >= 0) sum[s->row[k]] += fabs(s->J[k]) * fmax(x, 1e-3);
    }
    for (int a = 0; a < g->rows; a++) g->scale[a] = fmax(sum[g->row[a]], 1e-12);
}

static double largest_residual(const stage *g) {
    double largest = 0.0;
    for (int a = 0; a < g->rows; a++) largest = fmax(largest, fabs(g->residual[a]) / g->scale[a]);
    return largest;
}

/* step = correction of least weighted norm, by a rank-revealing factorisation. */
static taut_status dense_step(stage *g) {
    taut_arena arena = {0};
    const int m = g->rows, n = g->columns;
    const taut_series *s = g->series;
    double *a = TAUT_NEW_ARRAY(&arena, m * n, double);
    double *b = TAUT_NEW_ARRAY(&arena, m > n ? m : n, double);
    int *where = TAUT_NEW_ARRAY(&arena, s->system->n, int), rank;
    taut_status status = a && b && where ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        for (int i = 0; i < s->system->n; i++) where[i] = -1;
        for (int i = 0; i < m; i++) where[g->row[i]] = i;
        for (int q = 0; q < n; q++)
            for (int k = s->start[g->column[q]]; k < s->start[g->column[q] + 1]; k++) {
                const int i = where[s->row[k]];
                if (i >= 0) a[q * m + i] = s->J[k] * g->weight[q] / g->scale[i];
            }
        for (int i = 0; i < m; i++) b[i] = -g->residual[i] / g->scale[i];
        status = taut_least_norm(m, n, a, b, RANK_LIMIT, &rank);
    }
    for (int q = 0; q < n && status == TAUT_OK; q++) g->step[q] = b[q] * g->weight[q];
    taut_arena_release(&arena);
    return status;
}

/* The same for large stages: [W^-2 G^T; G 0] with sparse factors. */
static taut_status sparse_step(stage *g) {
    taut_arena arena = {0};
    const taut_series *s = g->series;
    const int m = g->rows, n = g->columns, total = m + n;
    int *where = TAUT_NEW_ARRAY(&arena, s->system->n, int);
    int *start = TAUT_NEW_ARRAY(&arena, total + 1, int);
    int *row = TAUT_NEW_ARRAY(&arena, 2 * s->entries + n, int);
    int *fill = TAUT_NEW_ARRAY(&arena, m + 1, int);
    double *value = TAUT_NEW_ARRAY(&arena, 2 * s->entries + n, double);
    double *b = TAUT_NEW_ARRAY(&arena, total, double);
    taut_lu *lu = NULL;
    taut_status status = TAUT_ERR_MEMORY;
    if (where && start && row && fill && value && b) {
        for (int i = 0; i < s->system->n; i++) where[i] = -1;
        for (int i = 0; i < m; i++) where[g->row[i]] = i;
        int used = 0;
        for (int q = 0; q < n; q++) { /* columns of the unknowns: W^-2 and G */
            row[used] = q;
            value[used++] = 1.0 / (g->weight[q] * g->weight[q]);
            for (int k = s->start[g->column[q]]; k < s->start[g->column[q] + 1]; k++) {
                const int i = where[s->row[k]];
                if (i < 0) continue;
                row[used] = n + i;
                value[used++] = s->J[k] / g->scale[i];
                fill[i + 1]++;
            }
            start[q + 1] = used;
        }
        for (int i = 0; i < m; i++) { /* columns of the multipliers: G^T */
            fill[i + 1] += fill[i];
            start[n + i + 1] = used + fill[i + 1];
        }
        for (int q = 0; q < n; q++)
            for (int k = start[q] + 1; k < start[q + 1]; k++) {
                const int at = used + fill[row[k] - n]++;
                row[at] = q;
                value[at] = value[k];
            }
        for (int i = 0; i < m; i++) b[n + i] = -g->residual[i] / g->scale[i];
        status = taut_lu_create(total, start, row, &lu);
        if (status == TAUT_OK) status = taut_lu_factor(lu, value);
        if (status == TAUT_OK) taut_lu_solve(lu, b);
    }
    for (int q = 0; q < n && status == TAUT_OK; q++) g->step[q] = b[q];
    taut_lu_free(&lu);
    taut_arena_release(&arena);
    return status;
}

static taut_status find_step(stage *g) {
    if (g->columns == 0 || g->rows == 0) return TAUT_OK;
    if (g->rows > DENSE_LIMIT) {
        taut_status status = sparse_step(g);
        if (status != TAUT_SINGULAR) return status;
    }
    return dense_step(g);
}

/* Moves the unknowns by `fraction` of the step from the saved point. */
static void move(stage *g, double fraction) {
    const int *d = g->series->structure->offsets.d;
    for (int q = 0; q < g->columns; q++)
        taut_series_set(g->series, g->column[q], g->s + d[g->column[q]],
                        g->saved[q] + fraction * g->step[q]);
}

/* One damped Gauss-Newton step. *gain: the largest residual after it relative to before. */
static taut_status damped_step(stage *g, double before, double *after) {
    const int *d = g->series->structure->offsets.d;
    TAUT_TRY(find_step(g));
    for (int q = 0; q < g->columns; q++)
        g->saved[q] = taut_series_get(g->series, g->column[q], g->s + d[g->column[q]]);
    double fraction = 1.0;
    for (int k = 0; k <= MOST_HALVINGS; k++, fraction /= 2.0) {
        move(g, fraction);
        if (evaluate(g)) {
            *after = largest_residual(g);
            if (*after < before * (1.0 - 0.1 * fraction) || *after < 1e-15) return TAUT_OK;
        }
    }
    move(g, 0.0);
    evaluate(g);
    *after = before;
    return TAUT_OK;
}

static taut_status report_nan(stage *g) {
    const taut_system *system = g->series->system;
    char text[160] = "";
    const int slot = taut_jet_bad_slot(g->series->jet, g->s);
    if (slot >= 0)
        taut_infix_print(system->graph, g->series->tape->instr[slot].node, &system->names, text,
                         sizeof text);
    for (int a = 0; a < g->rows; a++)
        if (!isfinite(g->residual[a]))
            return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->equation[g->row[a]].place,
                                "%s has no value at the initial point: %s is not a finite number "
                                "there; give other initial values, or a guess under 'values'",
                                system->equation[g->row[a]].name, text);
    return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                        "%s has no finite value at the initial point", text);
}

static taut_status report_unmet(stage *g) {
    static const char *const level[] = {"", "the first derivative of ",
                                        "the second derivative of "};
    const taut_system *system = g->series->system;
    int reported = 0;
    for (int a = 0; a < g->rows; a++) {
        const int i = g->row[a], k = g->s + g->series->structure->offsets.c[i];
        if (fabs(g->residual[a]) <= RESIDUAL_LIMIT * g->scale[a]) continue;
        if (++reported > 4) continue;
        taut_fail_at(g->errors, TAUT_ERR_INPUT, system->equation[i].place,
                     "the initial values cannot be made to satisfy %s%s: it stays off by %.6g; "
                     "change the initial values%s",
                     k < 3 ? level[k] : "a derivative of ", system->equation[i].name,
                     g->residual[a], g->columns < g->rows ? ", or fix fewer of them" : "");
    }
    return TAUT_ERR_INPUT;
}

/* Says which values are missing: loose[] of the unlisted variables open[] do not follow. */
static taut_status report_missing(stage *g, const int *open, const bool *loose, int opens,
                                  int missing) {
    const taut_system *system = g->series->system;
    const int *d = g->series->structure->offsets.d;
    char names[400] = "", one[100];
    size_t used = 0;
    int count = 0, order = 0;
    for (int q = 0; q < opens; q++) {
        if (!loose[q]) continue;
        order = g->s + d[open[q]];
        taut_derivative_name(system, open[q], order, one, sizeof one);
        if (count++ < 8 && used < sizeof names)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", one);
    }
    const char *section = order == 0 ? "positions" : order == 1 ? "velocities" : "values";
    if (count == 1)
        return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                            "no initial value for %s: add it under '%s'", names, section);
    return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                        "initial values are missing: list %d of %s%s under '%s'", missing, names,
                        count > 8 ? ", ..." : "", section);
}

/* Unlisted unknowns must follow from the listed ones: the columns of J that belong to them must be
 * independent. */
static taut_status check_determined(finder *f, stage *g) {
    const taut_series *s = g->series;
    const int n = s->system->n, m = g->rows, *d = s->structure->offsets.d;
    taut_arena arena = {0};
    int *open = TAUT_NEW_ARRAY(&arena, g->columns, int), opens = 0, rank = 0;
    int *where = TAUT_NEW_ARRAY(&arena, n, int);
    for (int q = 0; q < g->columns && open; q++) {
        const int j = g->column[q], k = g->s + d[j];
        if (k < taut_needed(s->structure, j) && f->listed[j][k] == UNLISTED) open[opens++] = j;
    }
    bool *loose = TAUT_NEW_ARRAY(&arena, opens, bool);
    double *a = opens <= 4 * DENSE_LIMIT ? TAUT_NEW_ARRAY(&arena, m * opens, double) : NULL;
    taut_status status = open && where && loose ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK && opens > 0 && a) {
        for (int i = 0; i < n; i++) where[i] = -1;
        for (int i = 0; i < m; i++) where[g->row[i]] = i;
        for (int q = 0; q < opens; q++)
            for (int k = s->start[open[q]]; k < s->start[open[q] + 1]; k++) {
                const int i = where[s->row[k]];
                if (i >= 0) a[q * m + i] = s->J[k] / g->scale[i];
            }
        status = taut_dependent_columns(m, opens, a, RANK_LIMIT, loose, &rank);
        if (status == TAUT_OK && rank < opens)
            status = report_missing(g, open, loose, opens, opens - rank);
    }
    taut_arena_release(&arena);
    return status;
}

static taut_status run_stage(finder *f, stage *g) {
    const taut_system *system = f->series->system;
    if (!evaluate(g)) return report_nan(g);
    taut_series_jacobian(g->series);
    for (int k = 0; k < g->series->entries; k++) {
        const int i = g->series->row[k];
        if (g->s + g->series->structure->offsets.c[i] >= 0 && !isfinite(g->series->J[k]))
            return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->equation[i].place,
                                "%s has no derivative at the initial point (a root or a quotient "
                                "is singular there); give other initial values",
                                system->equation[i].name);
    }
    find_scales(g);
    double residual = largest_residual(g);
    for (int iteration = 0; iteration < MOST_ITERATIONS && residual > 0.0; iteration++) {
        const double before = residual;
        TAUT_TRY(damped_step(g, before, &residual));
        taut_series_jacobian(g->series);
        find_scales(g);
        residual = largest_residual(g);
        if (residual >= 0.5 * before && (residual < RESIDUAL_LIMIT || residual >= before)) break;
    }
    if (residual > RESIDUAL_LIMIT) return report_unmet(g);
    return check_determined(f, g);
}

/* ---- all stages ---- */

static taut_status set_guesses(finder *f, taut_arena *arena) {
    const taut_system *system = f->series->system;
    const taut_structure *structure = f->series->structure;
    f->listed = TAUT_NEW_ARRAY(arena, system->n, listing *);
    f->given = TAUT_NEW_ARRAY(arena, system->n, const taut_given **);
    if (!f->listed || !f->given) return TAUT_ERR_MEMORY;
    for (int j = 0; j < system->n; j++) {
        const int needed = taut_needed(structure, j);
        f->listed[j] = TAUT_NEW_ARRAY(arena, needed, listing);
        f->given[j] = TAUT_NEW_ARRAY(arena, needed, const taut_given *);
        if (!f->listed[j] || !f->given[j]) return TAUT_ERR_MEMORY;
        for (int k = 0; k <= structure->offsets.d[j]; k++) taut_series_set(f->series, j, k, 0.0);
        if (needed > 1 && system->unknown[j].rest_default) f->listed[j][1] = LISTED;
    }
    for (int i = 0; i < system->givens; i++) {
        const taut_given *given = &system->given[i];
        const int j = given->variable, k = given->order;
        if (k <= structure->offsets.d[j]) taut_series_set(f->series, j, k, given->value);
        if (k >= taut_needed(structure, j)) continue; /* a guess that nobody needs */
        f->listed[j][k] = given->fixed ? FIXED : LISTED;
        f->given[j][k] = given;
    }
    return TAUT_OK;
}

static taut_status find_moves(const finder *f, double tol, taut_arena *arena, taut_moves *moves) {
    const taut_system *system = f->series->system;
    moves->item = TAUT_NEW_ARRAY(arena, system->givens, taut_move);
    moves->count = 0;
    if (!moves->item) return TAUT_ERR_MEMORY;
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < taut_needed(f->series->structure, j); k++) {
            if (!f->given[j][k]) continue;
            const double from = f->given[j][k]->value, to = taut_series_get(f->series, j, k);
            if (fabs(to - from) > tol * fmax(fabs(from), fabs(to)))
                moves->item[moves->count++] = (taut_move){j, k, from, to};
        }
    return TAUT_OK;
}

taut_status taut_consistent_find(taut_series *series, double t, double tol, taut_arena *arena,
                                 taut_moves *moves, taut_errors *errors) {
    finder f = {.series = series, .errors = errors};
    taut_series_start(series, t, 1.0);
    TAUT_TRY(set_guesses(&f, arena));
    const int last = series->structure->quasilinear ? -1 : 0;
    for (int s = -series->structure->largest_d; s <= last; s++) {
        stage g;
        taut_status status = stage_create(&f, s, &g);
        if (status == TAUT_OK) status = run_stage(&f, &g);
        taut_arena_release(&g.arena);
        TAUT_TRY(status);
    }
    return find_moves(&f, tol, arena, moves);
}
