/* An estimate of the global error, by a second run (docs/accuracy.md). */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task/result.h"
#include "task/simulation.h"

enum { MOST_ROWS = 1001, MOST_ORDER = 58 };
static const double TIGHTER = 1e-2;   /* tolerance of the second run */
static const double TIGHTEST = 1e-15; /* ... but not below */
static const double NO_SCALE = 1e-12; /* a column this small beside the others is zero */

typedef struct comparison {
    const taut_result *first, *second;
    double *time; /* [times] of rows in both */
    long *row;    /* [times] of the first */
    int times;
} comparison;

/* ---- scales ---- */

static double largest(const taut_result *r, int column) {
    double most = 0.0;
    for (long i = 0; i < r->rows; i++) {
        const double value = fabs(r->value[i * r->columns + column]);
        if (isfinite(value)) most = fmax(most, value);
    }
    return most;
}

/* Coordinates and energies share a scale with all others; other columns stand alone. */
static bool has_kin(taut_column_kind kind) {
    return kind == TAUT_COLUMN_POINT || kind == TAUT_COLUMN_VECTOR || kind == TAUT_COLUMN_ENERGY;
}

/* The largest value of each column's kind; 0: the column is zero but for rounding. */
static void find_scales(const taut_result *r, double *scale) {
    double of_kind[TAUT_COLUMN_REACTION + 1][TAUT_PRIMES_MAX + 1] = {{0}};
    double of_order[TAUT_PRIMES_MAX + 1] = {0};
    for (int c = 1; c < r->columns; c++) {
        const taut_column_role *x = &r->role[c];
        scale[c] = largest(r, c);
        of_kind[x->kind][x->order] = fmax(of_kind[x->kind][x->order], scale[c]);
        of_order[x->order] = fmax(of_order[x->order], scale[c]);
    }
    for (int c = 1; c < r->columns; c++) {
        const taut_column_role *x = &r->role[c];
        if (has_kin(x->kind)) scale[c] = of_kind[x->kind][x->order];
        if (scale[c] < NO_SCALE * of_order[x->order]) scale[c] = 0.0;
    }
}

/* ---- the second run ---- */

/* Rows to compare: all, or so many that a long table does not cost another one. */
static taut_status choose_rows(comparison *c, taut_arena *arena) {
    const taut_result *r = c->first;
    const long stride = (r->rows + MOST_ROWS - 1) / MOST_ROWS;
    c->time = TAUT_NEW_ARRAY(arena, MOST_ROWS + 1, double);
    c->row = TAUT_NEW_ARRAY(arena, MOST_ROWS + 1, long);
    if (!c->time || !c->row) return TAUT_ERR_MEMORY;
    for (long i = r->rows - 1; i >= 0; i -= stride) c->row[c->times++] = i; /* with the last one */
    for (int i = 0; i < c->times / 2; i++) {
        const long other = c->row[c->times - 1 - i];
        c->row[c->times - 1 - i] = c->row[i];
        c->row[i] = other;
    }
    for (int i = 0; i < c->times; i++) c->time[i] = r->value[c->row[i] * r->columns];
    return TAUT_OK;
}

/* A tolerance can be tightened no further than rounding allows. There another order makes the runs
 * differ, where the method has a choice. */
static taut_run_options second_options(const comparison *c, const taut_run_options *first) {
    taut_run_options o = *first;
    o.rtol = fmax(TIGHTER * first->rtol, fmin(TIGHTEST, first->rtol));
    o.atol = fmax(TIGHTER * first->atol, fmin(TIGHTEST, first->atol));
    if (o.rtol + o.atol > 0.1 * (first->rtol + first->atol) &&
        strcmp(c->first->stats.solver, "taylor") == 0 && c->first->stats.order < MOST_ORDER)
        o.order = c->first->stats.order + 2;
    o.step = 0.5 * first->step;
    o.has_tend = true;
    o.tend = c->first->stats.reached;
    o.at = c->time;
    o.ats = c->times;
    o.every = 0.0;
    return o;
}

/* How the estimate is found, or why there is none. */
static const char *method_text(const taut_run_options *o, taut_status status, taut_arena *arena) {
    char text[200];
    int used = o->step > 0.0
                   ? snprintf(text, sizeof text, "by a second run with step %.3g", o->step)
                   : snprintf(text, sizeof text, "by a second run at tolerance %.3g",
                              fmax(o->rtol, o->atol));
    if (status != TAUT_OK)
        snprintf(text + used, sizeof text - (size_t)used, ", which failed: %s",
                 taut_status_text(status));
    return taut_arena_copy(arena, text, strlen(text));
}

/* ---- the estimate ---- */

/* The largest differences; none without a second run. */
static void compare(const comparison *c, const double *scale, double *by_column,
                    taut_certificate *certificate) {
    const int columns = c->first->columns;
    for (int k = 0; k < columns; k++) by_column[k] = (double)NAN;
    for (int k = 1; k < columns && c->second; k++) {
        if (scale[k] == 0.0) continue;
        for (int i = 0; i < c->times; i++) {
            const double a = c->first->value[c->row[i] * columns + k];
            const double b = c->second->value[(long)i * columns + k];
            const double error = fabs(a - b) / scale[k];
            if (!isfinite(error)) continue;
            if (!(by_column[k] >= error)) by_column[k] = error;
            if (!(certificate->error >= error)) {
                certificate->error = error;
                certificate->column = k;
                certificate->t = c->time[i];
            }
        }
    }
}

taut_status taut_certify(const taut_model *model, const taut_run_options *options,
                         taut_result *result, taut_errors *errors) {
    comparison c = {.first = result};
    taut_result *second = NULL;
    taut_certificate *x = TAUT_NEW(&result->arena, taut_certificate);
    double *by_column = TAUT_NEW_ARRAY(&result->arena, result->columns, double);
    double *scale = TAUT_NEW_ARRAY(&result->arena, result->columns, double);
    if (!x || !by_column || !scale) return TAUT_ERR_MEMORY;
    TAUT_TRY(choose_rows(&c, &result->arena));
    const taut_run_options tighter = second_options(&c, options);
    const taut_status status = taut_simulate_nudged(model, &tighter, DBL_EPSILON, &second, errors);
    *x = (taut_certificate){.error = (double)NAN,
                            .column = -1,
                            .t = (double)NAN,
                            .tol = fmax(tighter.rtol, tighter.atol),
                            .by_column = by_column,
                            .scale = scale,
                            .method = method_text(&tighter, status, &result->arena)};
    find_scales(result, scale);
    c.second = status == TAUT_OK ? second : NULL;
    compare(&c, scale, by_column, x);
    taut_result_free(&second);
    if (!x->method) return TAUT_ERR_MEMORY;
    result->certificate = x;
    return status;
}
