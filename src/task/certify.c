/* An estimate of the global error, by a second run (docs/accuracy.md). */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "task/options.h"
#include "task/result.h"
#include "task/scale.h"
#include "task/simulation.h"

enum { MOST_ROWS = 1001, MOST_ORDER = 58 };
static const double TIGHTER = 1e-2;        /* tolerance of the second run */
static const double TIGHTEST = 1e-15;      /* ... but not below */
static const double NEAR_ROUNDING = 3e-14; /* below this one more run tells little by itself */
/* A column that is tiny beside others of its kind, and so wrong, is zero but for rounding. */
static const double ALL_WRONG = 0.01;

/* A result and what other runs say about it. */
typedef struct comparison {
    const taut_result *first;
    double *time; /* [times] of the rows that are compared */
    long *row;    /* [times] their numbers in the first result */
    int times;
    double *scale;     /* [columns] of the first result; 0: none */
    bool *tiny;        /* [columns] so small beside others that it may be rounding */
    double *by_column; /* [columns] largest error so far; NaN: none */
    int *worst;        /* [columns] where: number of the time */
} comparison;

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
    o.last = NULL; /* that of the first run counts */
    o.at = c->time;
    o.ats = c->times;
    o.every = 0.0;
    return o;
}

/* How the estimate is found, or why there is none. */
static const char *method_text(const taut_run_options *o, int runs, taut_status status,
                               taut_arena *arena) {
    char text[200];
    int used = snprintf(text, sizeof text, "by %s ", runs > 1 ? "two more runs" : "a second run");
    used += o->step > 0.0
                ? taut_format(text + used, 60, "with step %.3g", o->step)
                : taut_format(text + used, 60, "at tolerance %.3g", fmax(o->rtol, o->atol));
    if (status != TAUT_OK)
        snprintf(text + used, sizeof text - (size_t)used, ", which failed: %s",
                 taut_status_text(status));
    return taut_arena_copy(arena, text, strlen(text));
}

/* ---- the estimate ---- */

/* Takes in the differences to another run: the largest of each column, and the row that has it. */
static void add_differences(comparison *c, const taut_result *second) {
    const int columns = c->first->columns;
    for (int k = 1; k < columns; k++)
        for (int i = 0; i < c->times && c->scale[k] > 0.0; i++) {
            const double a = c->first->value[c->row[i] * columns + k];
            const double b = second->value[(long)i * columns + k];
            const double error = fabs(a - b) / c->scale[k];
            if (!isfinite(error) || c->by_column[k] >= error) continue;
            c->by_column[k] = error;
            c->worst[k] = i;
        }
}

/* Leaves out what is rounding only; the worst of the others is the estimate. */
static void conclude(comparison *c, taut_certificate *certificate) {
    for (int k = 1; k < c->first->columns; k++) {
        if (c->tiny[k] && c->by_column[k] > ALL_WRONG) {
            c->by_column[k] = (double)NAN;
            c->scale[k] = 0.0;
        }
        if (isnan(c->by_column[k]) || certificate->error >= c->by_column[k]) continue;
        certificate->error = c->by_column[k];
        certificate->column = k;
        certificate->t = c->time[c->worst[k]];
    }
}

static taut_status create(comparison *c, taut_arena *arena) {
    const int columns = c->first->columns;
    c->by_column = TAUT_NEW_ARRAY(arena, columns, double);
    c->scale = TAUT_NEW_ARRAY(arena, columns, double);
    c->tiny = TAUT_NEW_ARRAY(arena, columns, bool);
    c->worst = TAUT_NEW_ARRAY(arena, columns, int);
    if (!c->by_column || !c->scale || !c->tiny || !c->worst) return TAUT_ERR_MEMORY;
    for (int k = 0; k < columns; k++) c->by_column[k] = (double)NAN;
    taut_scales_find(c->first, c->scale, c->tiny);
    return choose_rows(c, arena);
}

taut_status taut_certify(const taut_model *model, const taut_run_options *options,
                         taut_result *result, taut_errors *errors) {
    const taut_run_options standard = taut_run_options_default();
    comparison c = {.first = result};
    taut_status status = TAUT_OK;
    TAUT_NEED(model, "model", errors);
    TAUT_NEED(result, "result", errors);
    if (options) TAUT_TRY(taut_options_check(model, options, errors));
    taut_certificate *x = TAUT_NEW(&result->arena, taut_certificate);
    if (!x) return TAUT_ERR_MEMORY;
    TAUT_TRY(create(&c, &result->arena));
    const taut_run_options tighter = second_options(&c, options ? options : &standard);
    const int runs = fmax(tighter.rtol, tighter.atol) < NEAR_ROUNDING ? 2 : 1;
    for (int i = 0; i < runs && status == TAUT_OK; i++) {
        taut_result *second = NULL;
        status = taut_simulate_nudged(model, &tighter, i == 0 ? DBL_EPSILON : -DBL_EPSILON, &second,
                                      errors);
        if (second && second->columns != result->columns)
            status = taut_fail(errors, TAUT_ERR_CALL,
                               "the result has other columns than a run of this model with these "
                               "options: it is of another run");
        if (status == TAUT_OK) add_differences(&c, second);
        taut_result_free(&second);
    }
    *x = (taut_certificate){.error = (double)NAN,
                            .column = -1,
                            .t = (double)NAN,
                            .tol = fmax(tighter.rtol, tighter.atol),
                            .by_column = c.by_column,
                            .scale = c.scale,
                            .method = method_text(&tighter, runs, status, &result->arena)};
    if (!x->method) return TAUT_ERR_MEMORY;
    if (status == TAUT_OK) conclude(&c, x);
    result->certificate = x;
    return status;
}
