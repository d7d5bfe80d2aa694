/* Gauss-Newton by stages: at stage s the unknowns are x_j^(s+d_j), the conditions f_i^(s+c_i) = 0;
 * the correction of least (scaled) norm is taken, fixed values stay as they are to the last bit. */
#include "solve/consistent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dense.h"
#include "expr/diff.h"
#include "expr/infix.h"

enum { MOST_ITERATIONS = 60, MOST_HALVINGS = 12, DENSE_LIMIT = 400 };
/* What is not listed may move this much more easily than what is. */
static const double UNLISTED_WEIGHT = 100.0;
/* Below this, relative to the terms of an equation, a residual is rounding. */
static const double RESIDUAL_LIMIT = 1e-11;
static const double RANK_LIMIT = 1e-10;

typedef enum listing { UNLISTED, LISTED, FIXED } listing;

/* A condition of the system, ready to be evaluated: outputs of the series. */
typedef struct condition_row {
    int stage;       /* at which it is imposed */
    int residual;    /* output number */
    int first, last; /* its derivatives: gradient[first .. last-1] */
} condition_row;

typedef struct gradient {
    int variable, output;
} gradient;

typedef struct finder {
    taut_series *series;
    taut_errors *errors;
    listing **listed;          /* [n][needed] */
    const taut_given ***given; /* [n][needed] NULL: not listed */
    condition_row *condition;  /* [conditions of the system] */
    gradient *gradient;
    size_t gradients, gradient_room;
} finder;

/* The unknowns and the rows (equations, then conditions) of one stage. */
typedef struct stage {
    const finder *finder;
    taut_series *series;
    taut_errors *errors;
    taut_arena arena;
    int s;
    int rows, columns;
    int *row;         /* [rows] equation i, or n + condition */
    int *column;      /* [columns] variables that may move */
    int *row_place;   /* [n] where an equation is in row[], -1: not here */
    int *place;       /* [n] where a variable is in column[], -1: not free here */
    double *weight;   /* [columns] */
    double *residual; /* [rows] */
    double *scale;    /* [rows] size of the terms of a row */
    double *step;     /* [columns] */
    double *saved;    /* [columns] */
    int entries;      /* of the rows' Jacobian: */
    int *entry_row, *entry_column;
    double *entry;
} stage;

/* ---- one stage ---- */

static bool takes_part(const finder *f, int condition, int s, bool guesses) {
    const taut_condition *c = &f->series->system->condition[condition];
    return f->condition[condition].stage == s && (c->fixed || guesses);
}

/* guesses: conditions that need not hold take part as well. */
static taut_status stage_create(const finder *f, int s, bool guesses, stage *g) {
    const taut_system *system = f->series->system;
    const int *c = f->series->structure->offsets.c, *d = f->series->structure->offsets.d;
    const int n = system->n, most = n + system->conditions;
    *g = (stage){.finder = f, .series = f->series, .errors = f->errors, .s = s};
    const size_t entries = (size_t)f->series->entries + f->gradients;
    g->row = TAUT_NEW_ARRAY(&g->arena, most, int);
    g->column = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->row_place = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->place = TAUT_NEW_ARRAY(&g->arena, n, int);
    g->weight = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->residual = TAUT_NEW_ARRAY(&g->arena, most, double);
    g->scale = TAUT_NEW_ARRAY(&g->arena, most, double);
    g->step = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->saved = TAUT_NEW_ARRAY(&g->arena, n, double);
    g->entry_row = TAUT_NEW_ARRAY(&g->arena, entries, int);
    g->entry_column = TAUT_NEW_ARRAY(&g->arena, entries, int);
    g->entry = TAUT_NEW_ARRAY(&g->arena, entries, double);
    if (!g->row || !g->column || !g->row_place || !g->place || !g->weight || !g->residual ||
        !g->scale || !g->step || !g->saved || !g->entry_row || !g->entry_column || !g->entry)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        g->row_place[i] = s + c[i] >= 0 ? g->rows : -1;
        if (s + c[i] >= 0) g->row[g->rows++] = i;
    }
    for (int i = 0; i < system->conditions; i++)
        if (takes_part(f, i, s, guesses)) g->row[g->rows++] = n + i;
    for (int j = 0; j < n; j++) {
        const int k = s + d[j], needed = taut_needed(f->series->structure, j);
        g->place[j] = -1;
        if (k < 0 || (k < needed && f->listed[j][k] == FIXED)) continue;
        const bool known = k < needed && f->listed[j][k] == LISTED;
        g->place[j] = g->columns;
        g->weight[g->columns] = known ? 1.0 : UNLISTED_WEIGHT;
        g->column[g->columns++] = j;
    }
    return TAUT_OK;
}

/* Evaluates stages up to s; false if something is not finite. */
static bool evaluate(stage *g) {
    const int n = g->series->system->n;
    bool finite = true;
    taut_series_look(g->series, g->s);
    for (int a = 0; a < g->rows; a++) {
        const int i = g->row[a];
        g->residual[a] =
            i < n ? taut_series_residual(g->series, i, g->s)
                  : taut_series_output(g->series, g->finder->condition[i - n].residual, 0);
        if (!isfinite(g->residual[a])) finite = false;
    }
    return finite;
}

static void add_entry(stage *g, int row, int variable, double value, double *sum) {
    const int k = g->s + g->series->structure->offsets.d[variable];
    sum[row] += fabs(value) * fmax(fabs(taut_series_get(g->series, variable, k)), 1e-3);
    if (g->place[variable] < 0) return;
    g->entry_row[g->entries] = row;
    g->entry_column[g->entries] = g->place[variable];
    g->entry[g->entries++] = value;
}

/* The Jacobian of the rows, and the size of their terms, sum of |J_ij x_j| with |x_j| at least a
 * small value: residuals are judged by it. False if an entry is not finite; *bad is its row. */
static bool linearize(stage *g, int *bad) {
    taut_series *s = g->series;
    const int n = s->system->n, *d = s->structure->offsets.d;
    bool finite = true;
    taut_series_jacobian(s);
    g->entries = 0;
    for (int a = 0; a < g->rows; a++) g->scale[a] = 0.0;
    for (int j = 0; j < n; j++) {
        if (g->s + d[j] < 0) continue;
        for (int k = s->start[j]; k < s->start[j + 1]; k++)
            if (g->row_place[s->row[k]] >= 0)
                add_entry(g, g->row_place[s->row[k]], j, s->J[k], g->scale);
    }
    for (int a = 0; a < g->rows; a++) {
        if (g->row[a] < n) continue;
        const condition_row *c = &g->finder->condition[g->row[a] - n];
        for (int k = c->first; k < c->last; k++)
            add_entry(g, a, g->finder->gradient[k].variable,
                      taut_series_output(s, g->finder->gradient[k].output, 0), g->scale);
    }
    for (int a = 0; a < g->rows; a++) {
        if (!isfinite(g->scale[a])) {
            finite = false;
            *bad = a;
        }
        g->scale[a] = fmax(g->scale[a], 1e-12);
    }
    return finite;
}

static double largest_residual(const stage *g) {
    double largest = 0.0;
    for (int a = 0; a < g->rows; a++) largest = fmax(largest, fabs(g->residual[a]) / g->scale[a]);
    return largest;
}

/* step = correction of least weighted norm (least squares if there is none), by a rank-revealing
 * factorisation. */
static taut_status dense_step(stage *g) {
    taut_arena arena = {0};
    const int m = g->rows, n = g->columns;
    int rank;
    double *a = taut_arena_array(&arena, (size_t)m * (size_t)n, sizeof *a);
    double *b = TAUT_NEW_ARRAY(&arena, m > n ? m : n, double);
    taut_status status = a && b ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        for (int k = 0; k < g->entries; k++)
            a[(size_t)g->entry_column[k] * (size_t)m + (size_t)g->entry_row[k]] +=
                g->entry[k] * g->weight[g->entry_column[k]] / g->scale[g->entry_row[k]];
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
            const double v = g->entry[k] / g->scale[i];
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

static void save(stage *g) {
    const int *d = g->series->structure->offsets.d;
    for (int q = 0; q < g->columns; q++)
        g->saved[q] = taut_series_get(g->series, g->column[q], g->s + d[g->column[q]]);
}

/* One damped Gauss-Newton step; *after is the largest residual that it leaves. */
static taut_status damped_step(stage *g, double before, double *after) {
    double fraction = 1.0;
    TAUT_TRY(find_step(g));
    save(g);
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

/* ---- what to say ---- */

static taut_place row_place(const stage *g, int a) {
    const taut_system *system = g->series->system;
    const int i = g->row[a];
    return i < system->n ? system->equation[i].place : system->condition[i - system->n].place;
}

static const char *row_name(const stage *g, int a) {
    const taut_system *system = g->series->system;
    const int i = g->row[a];
    return i < system->n ? system->equation[i].name : system->condition[i - system->n].name;
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
            return taut_fail_at(g->errors, TAUT_ERR_INPUT, row_place(g, a),
                                "%s has no value at the initial point: %s is not a finite number "
                                "there; give other initial values, or a guess under 'values'",
                                row_name(g, a), text);
    return taut_fail_at(g->errors, TAUT_ERR_INPUT, system->place,
                        "%s has no finite value at the initial point", text);
}

static taut_status report_unmet(stage *g) {
    static const char *const level[] = {"", "the first derivative of ",
                                        "the second derivative of "};
    const int n = g->series->system->n;
    int reported = 0;
    for (int a = 0; a < g->rows; a++) {
        const int i = g->row[a], k = i < n ? g->s + g->series->structure->offsets.c[i] : 0;
        if (fabs(g->residual[a]) <= RESIDUAL_LIMIT * g->scale[a]) continue;
        if (++reported > 4) continue;
        taut_fail_at(g->errors, TAUT_ERR_INPUT, row_place(g, a),
                     "the initial values cannot be made to satisfy %s%s%s: it stays off by %.6g; "
                     "change the initial values%s",
                     k < 3 ? level[k] : "a derivative of ", i < n ? "" : "the fixed value of ",
                     row_name(g, a), g->residual[a],
                     g->columns < g->rows ? ", or fix fewer of them" : "");
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
 * independent. structural: with arbitrary numbers instead of J's values, which tells what is
 * missing even where the guesses are too poor for J to mean anything. */
static taut_status check_determined(const finder *f, stage *g, bool structural) {
    const taut_series *s = g->series;
    const int m = g->rows, *d = s->structure->offsets.d;
    taut_arena arena = {0};
    int *open = TAUT_NEW_ARRAY(&arena, g->columns, int), opens = 0, rank = 0;
    int *open_place = TAUT_NEW_ARRAY(&arena, g->columns, int);
    if (!open || !open_place) {
        taut_arena_release(&arena);
        return TAUT_ERR_MEMORY;
    }
    for (int q = 0; q < g->columns; q++) {
        const int j = g->column[q], k = g->s + d[j];
        const bool unlisted = k < taut_needed(s->structure, j) && f->listed[j][k] == UNLISTED;
        open_place[q] = unlisted ? opens : -1;
        if (unlisted) open[opens++] = j;
    }
    taut_status status = TAUT_OK;
    if (opens > 0 && opens <= 4 * DENSE_LIMIT) {
        bool *loose = TAUT_NEW_ARRAY(&arena, opens, bool);
        double *a = taut_arena_array(&arena, (size_t)m * (size_t)opens, sizeof *a);
        status = loose && a ? TAUT_OK : TAUT_ERR_MEMORY;
        unsigned seed = 1;
        for (int k = 0; k < g->entries && status == TAUT_OK; k++) {
            const int q = open_place[g->entry_column[k]];
            seed = seed * 1664525u + 1013904223u;
            const double any = 0.5 + (double)(seed >> 8) / (double)(1u << 24);
            if (q >= 0)
                a[(size_t)q * (size_t)m + (size_t)g->entry_row[k]] =
                    structural ? any : g->entry[k] / g->scale[g->entry_row[k]];
        }
        if (status == TAUT_OK)
            status = taut_dependent_columns(m, opens, a, RANK_LIMIT, loose, &rank);
        if (status == TAUT_OK && rank < opens)
            status = report_missing(g, open, loose, opens, opens - rank);
    }
    taut_arena_release(&arena);
    return status;
}

/* ---- solving a stage ---- */

static taut_status report_kink(stage *g, int a) {
    return taut_fail_at(
        g->errors, TAUT_ERR_INPUT, row_place(g, a),
        "%s has no derivative at the initial point (a root or a quotient is singular "
        "there); give other initial values",
        row_name(g, a));
}

/* A few undamped steps of least squares; *residual is what they leave. */
static taut_status pull(stage *g, double *residual) {
    int bad;
    *residual = (double)INFINITY;
    for (int iteration = 0; iteration < 12; iteration++) {
        if (!evaluate(g) || !linearize(g, &bad)) return TAUT_OK; /* the guesses lead nowhere */
        *residual = largest_residual(g);
        if (*residual < 1e-14) break;
        TAUT_TRY(find_step(g));
        save(g);
        move(g, 1.0);
        if (!evaluate(g)) move(g, 0.0);
    }
    return TAUT_OK;
}

/* Values that are only guesses but not unknowns (angles, dependent points) pull the unknowns
 * towards them: first those alone that have no value, and if that is not enough, all. */
static taut_status follow_guesses(stage *g) {
    const size_t size = (size_t)g->columns * sizeof(double);
    double residual = (double)INFINITY;
    double *weight = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    double *before = TAUT_NEW_ARRAY(&g->arena, g->columns, double);
    if (!weight || !before) return TAUT_ERR_MEMORY;
    if (g->columns > 0 && g->rows <= DENSE_LIMIT) {
        save(g);
        memcpy(before, g->saved, size);
        memcpy(weight, g->weight, size);
        for (int q = 0; q < g->columns; q++)
            if (weight[q] < UNLISTED_WEIGHT) g->weight[q] = 0.0;
        taut_status status = pull(g, &residual);
        memcpy(g->weight, weight, size);
        if (status != TAUT_OK) return status;
        if (residual < RESIDUAL_LIMIT) return TAUT_OK;
        memcpy(g->saved, before, size);
        move(g, 0.0);
    }
    return pull(g, &residual);
}

static taut_status satisfy(stage *g) {
    int bad;
    if (!evaluate(g)) return report_nan(g);
    if (!linearize(g, &bad)) return report_kink(g, bad);
    double residual = largest_residual(g);
    for (int iteration = 0; iteration < MOST_ITERATIONS && residual > 0.0; iteration++) {
        const double before = residual;
        TAUT_TRY(damped_step(g, before, &residual));
        if (!linearize(g, &bad)) return report_kink(g, bad);
        residual = largest_residual(g);
        if (residual >= 0.5 * before && (residual < RESIDUAL_LIMIT || residual >= before)) break;
    }
    return residual > RESIDUAL_LIMIT ? report_unmet(g) : TAUT_OK;
}

static taut_status run_stage(const finder *f, int s) {
    stage all, g = {0};
    int bad;
    taut_status status = stage_create(f, s, true, &all);
    if (status == TAUT_OK) {
        evaluate(&all);
        linearize(&all, &bad);
        status = check_determined(f, &all, true);
    }
    if (status == TAUT_OK) status = stage_create(f, s, false, &g);
    if (status == TAUT_OK && all.rows > g.rows) status = follow_guesses(&all);
    if (status == TAUT_OK) status = satisfy(&g);
    if (status == TAUT_OK && evaluate(&all) && linearize(&all, &bad))
        status = check_determined(f, &all, false);
    taut_arena_release(&all.arena);
    taut_arena_release(&g.arena);
    return status;
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
        if (needed > 0 && system->unknown[j].zero_default) f->listed[j][0] = LISTED;
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

/* ---- conditions ---- */

/* Finds the stage and the derivatives of every condition; *output (heap) are the nodes that the
 * series has to evaluate for them. */
static taut_status prepare_conditions(finder *f, const taut_system *system,
                                      const taut_structure *structure, taut_arena *arena,
                                      taut_node **output, int *outputs) {
    taut_sweep *sweep;
    int *offset;
    size_t room = 0;
    const taut_node one = taut_number(system->graph, 1.0);
    f->condition = TAUT_NEW_ARRAY(arena, system->conditions, condition_row);
    if (!f->condition) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_tape_offsets(system->graph, structure->offsets.d, arena, &offset));
    TAUT_TRY(taut_sweep_create(system->graph, &sweep));
    taut_status status = TAUT_OK;
    for (int i = 0; i < system->conditions && status == TAUT_OK; i++) {
        const taut_node node = system->condition[i].node;
        taut_sweep_begin(sweep, TAUT_SWEEP_LEADING, offset);
        taut_sweep_seed(sweep, node, 1.0, one);
        status = taut_sweep_run(sweep);
        const size_t reached = status == TAUT_OK ? taut_sweep_reached(sweep) : 0;
        if (taut_grow((void **)output, &room, (size_t)*outputs + reached + 1, sizeof **output) ||
            taut_grow((void **)&f->gradient, &f->gradient_room, f->gradients + reached,
                      sizeof *f->gradient))
            status = TAUT_ERR_MEMORY;
        if (status != TAUT_OK) break;
        f->condition[i] = (condition_row){-offset[node], *outputs, (int)f->gradients,
                                          (int)(f->gradients + reached)};
        (*output)[(*outputs)++] = node;
        for (size_t k = 0; k < reached; k++) {
            const int j = taut_node_get(system->graph, taut_sweep_variable(sweep, k))->index;
            f->gradient[f->gradients++] = (gradient){j, *outputs};
            (*output)[(*outputs)++] = taut_sweep_adjoint(sweep, k);
        }
    }
    taut_sweep_free(&sweep);
    return status;
}

/* A series of our own if there are conditions to evaluate, otherwise the caller's. */
static taut_status choose_series(finder *f, taut_series *series, taut_arena *arena,
                                 taut_series **own) {
    taut_node *output = NULL;
    int outputs = 0;
    const taut_system *system = series->system;
    f->series = series;
    if (system->conditions == 0) return TAUT_OK;
    taut_status status = prepare_conditions(f, system, series->structure, arena, &output, &outputs);
    if (status == TAUT_OK)
        status = taut_series_create(system, series->structure, 0, output, outputs, own);
    if (status == TAUT_OK) f->series = *own;
    taut_release((void **)&output);
    return status;
}

static taut_status run_stages(finder *f, double t, int last, taut_arena *arena) {
    taut_series_start(f->series, t, 1.0);
    TAUT_TRY(set_guesses(f, arena));
    for (int s = -f->series->structure->largest_d; s <= last; s++) TAUT_TRY(run_stage(f, s));
    return TAUT_OK;
}

/* Stages up to `last`; moves may be NULL. */
static taut_status find(taut_series *series, double t, int last, double tol, taut_arena *arena,
                        taut_moves *moves, taut_errors *errors) {
    finder f = {.errors = errors};
    taut_series *own = NULL;
    taut_status status = choose_series(&f, series, arena, &own);
    if (status == TAUT_OK) status = run_stages(&f, t, last, arena);
    if (status == TAUT_OK && moves) status = find_moves(&f, tol, arena, moves);
    if (status == TAUT_OK && own) {
        taut_series_start(series, t, 1.0);
        for (int j = 0; j < series->system->n; j++)
            for (int k = 0; k <= series->structure->offsets.d[j]; k++)
                taut_series_set(series, j, k, taut_series_get(own, j, k));
    }
    taut_series_free(&own);
    taut_release((void **)&f.gradient);
    return status;
}

taut_status taut_consistent_find(taut_series *series, double t, double tol, taut_arena *arena,
                                 taut_moves *moves, taut_errors *errors) {
    const int last = series->structure->quasilinear ? -1 : 0;
    return find(series, t, last, tol, arena, moves, errors);
}

taut_status taut_consistent_positions(taut_series *series, double t, taut_arena *arena,
                                      taut_errors *errors) {
    return find(series, t, -series->structure->largest_d, 0.0, arena, NULL, errors);
}

taut_status taut_consistent_velocities(taut_series *series, double t, taut_arena *arena,
                                       taut_errors *errors) {
    return find(series, t, -series->structure->largest_d + 1, 0.0, arena, NULL, errors);
}

taut_status taut_consistent_nearest(taut_series *series) {
    const int n = series->system->n;
    finder f = {.series = series};
    stage g = {0};
    taut_arena arena = {0};
    listing all[TAUT_PRIMES_MAX + 2];
    for (int k = 0; k < TAUT_PRIMES_MAX + 2; k++) all[k] = LISTED;
    f.listed = TAUT_NEW_ARRAY(&arena, n, listing *);
    f.condition = TAUT_NEW_ARRAY(&arena, series->system->conditions, condition_row);
    taut_status status = f.listed && f.condition ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int j = 0; j < n && status == TAUT_OK; j++) f.listed[j] = all;
    for (int i = 0; i < series->system->conditions && status == TAUT_OK; i++)
        f.condition[i].stage = 1; /* at no stage */
    if (status == TAUT_OK) status = stage_create(&f, -series->structure->largest_d, false, &g);
    if (status == TAUT_OK) status = satisfy(&g);
    taut_arena_release(&g.arena);
    taut_arena_release(&arena);
    return status;
}
