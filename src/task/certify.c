/* An estimate of the global error, by further runs (docs/accuracy.md). */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/status.h"
#include "core/text.h"
#include "task/differ.h"
#include "task/growth.h"
#include "task/options.h"
#include "task/result.h"
#include "task/scale.h"
#include "task/second.h"
#include "task/simulation.h"

enum { ATTEMPTS = 2, NAMED = 4 };
/* Below this tolerance of the second run, or where the two agree to this, one more run tells how
 * much of that is chance. */
static const double NEAR_ROUNDING = 3e-14, NEARLY_EQUAL = 1e-13;
/* A column that is so wrong, and tiny beside others of its kind or without a right digit in two
 * further runs, is zero but for rounding. */
static const double ALL_WRONG = 0.01;
static const double A_DIGIT = 0.1; /* relative difference of numbers with a digit in common */
static const double STILL = 1e-12; /* of a value: what changes it by less in all does not move it */
static const double CHANCE = 0.3;  /* part of the rows that have one by chance, at most */

/* A result and what other runs say about it. */
typedef struct comparison {
    const taut_model *model;
    const taut_run_options *options;
    taut_result *first;
    taut_result *second, *third; /* NULL: not run */
    taut_lookouts lookouts;
    taut_run_options tighter; /* of the second run */
    double *scale;            /* [columns] of the first result; 0: none */
    bool *tiny;               /* [columns] so small beside others that it may be rounding */
    bool *rests;              /* [columns] it is nothing but rounding, or zero */
    double *size, *both;      /* [columns] largest value in the first run, in it or the second */
    double *by_column;        /* [columns] largest error so far; NaN: none */
    int *worst;               /* [columns] where: number of the lookout */
    bool *straddles;          /* [lookouts] two runs are on different sides of an event there */
} comparison;

/* ---- further runs ---- */

static bool is_over(taut_status status) {
    return status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED;
}

/* One more run. Values that are not numbers in some of its rows do not matter: others are. */
static taut_status run_again(comparison *c, double nudge, taut_result **result,
                             taut_errors *errors) {
    taut_status status = taut_simulate_nudged(c->model, &c->tighter, nudge, result, errors);
    const taut_result *r = *result;
    if (status == TAUT_ERR_NUMERICS && r && r->rows == c->lookouts.count && !r->stats.alarm)
        status = TAUT_OK;
    if (r && r->columns != c->first->columns)
        status = taut_fail(errors, TAUT_ERR_CALL,
                           "the result has other columns than a run of this model with these "
                           "options: it is of another run");
    if (status != TAUT_OK) taut_result_free(result);
    return status;
}

/* The second run; if it fails, another one with other steps. What the first of them said is told.
 */
static taut_status run_second(comparison *c, taut_errors *errors) {
    taut_errors *said = TAUT_NEW(&c->first->arena, taut_errors);
    taut_status first = TAUT_OK;
    if (!said) return TAUT_ERR_MEMORY;
    for (int i = 0; i < ATTEMPTS; i++) {
        c->tighter = taut_second_options(c->first, c->options, &c->lookouts, i);
        const taut_status status = run_again(c, DBL_EPSILON, &c->second, i == 0 ? said : NULL);
        if (status == TAUT_OK) return TAUT_OK;
        if (i == 0 || is_over(status)) first = status;
        if (is_over(status)) break;
    }
    taut_errors_join(errors, said);
    return first;
}

/* ---- differences ---- */

static double value_of(const taut_result *r, long row, int column) {
    if (row >= r->rows) return (double)NAN; /* an event has ended it before */
    return r->value[row * r->columns + column];
}

static void add_error(comparison *c, int column, int at, double difference) {
    const double error = fabs(difference) / c->scale[column];
    if (!isfinite(error) || c->by_column[column] >= error) return;
    c->by_column[column] = error;
    c->worst[column] = at;
}

/* Takes in the differences to another run: the largest of each column, and the row that has it. */
static void add_differences(comparison *c, const taut_result *other) {
    taut_runs_straddle(c->first, other, c->lookouts.time, c->lookouts.count, c->straddles);
    for (int k = 1; k < c->first->columns; k++)
        for (int i = 0; i < c->lookouts.count && c->scale[k] > 0.0; i++)
            if (c->lookouts.row[i] >= 0 && !c->straddles[i])
                add_error(c, k, i,
                          value_of(c->first, c->lookouts.row[i], k) - value_of(other, i, k));
}

/* Near rounding all runs are equally good, and a single row may be better by chance: what the other
 * two differ by beside it counts as well. */
static void add_neighbours(comparison *c) {
    taut_runs_straddle(c->second, c->third, c->lookouts.time, c->lookouts.count, c->straddles);
    for (int k = 1; k < c->first->columns; k++)
        for (int i = 0; i < c->lookouts.count && c->scale[k] > 0.0; i++)
            if (c->lookouts.beside[i] && !c->straddles[i])
                add_error(c, k, i, value_of(c->second, i, k) - value_of(c->third, i, k));
}

/* No number of the table is better than a double. */
static void add_rounding(comparison *c) {
    for (int k = 1; k < c->first->columns; k++)
        for (int i = 0; i < c->lookouts.count && c->scale[k] > 0.0; i++)
            if (c->lookouts.row[i] >= 0)
                add_error(c, k, i, 0.5 * DBL_EPSILON * value_of(c->first, c->lookouts.row[i], k));
}

static double largest_error(const comparison *c) {
    double largest = 0.0;
    for (int k = 1; k < c->first->columns; k++)
        if (c->by_column[k] > largest) largest = c->by_column[k];
    return largest;
}

/* ---- what is nothing but rounding ---- */

/* Have the two further runs a digit in common in more rows than chance would have? A chaotic motion
 * has them early, where the lookouts are dense. */
static bool has_digits(const comparison *c, int column) {
    int rows = 0, right = 0;
    for (int i = 0; i < c->lookouts.count; i++) {
        const double a = value_of(c->second, i, column), b = value_of(c->third, i, column);
        const double size = fmax(fabs(a), fabs(b));
        if (!(size > 0.0) || !isfinite(size)) continue;
        rows++;
        right += fabs(a - b) <= A_DIGIT * size;
    }
    return right > CHANCE * rows;
}

static bool is_doubtful(const comparison *c, int column) {
    return c->by_column[column] > ALL_WRONG;
}

/* A value for each sort of columns: by kind and order of differentiation. */
typedef struct by_sort {
    double of[TAUT_COLUMN_REACTION + 1][TAUT_PRIMES_MAX + 1];
} by_sort;

/* Does a column of the same sort, with which this one shares its scale, move? */
static bool has_moving_kin(const comparison *c, int column) {
    const taut_column_role *role = c->first->role;
    for (int k = 1; k < c->first->columns; k++)
        if (role[k].kind == role[column].kind && role[k].order == role[column].order &&
            has_digits(c, k) && c->both[k] > A_DIGIT * c->scale[column])
            return true;
    return false;
}

/* Where one column that shares a scale is rounding, and none that moves has set that scale, all
 * are; each sort needs to be looked at once.
 */
static void spread_rest(comparison *c, int column, by_sort *done) {
    const taut_column_role *role = c->first->role, own = role[column];
    if (!taut_scale_is_shared(own.kind) || !c->third || done->of[own.kind][own.order] > 0.0) return;
    done->of[own.kind][own.order] = 1.0;
    if (has_moving_kin(c, column)) return;
    for (int k = 1; k < c->first->columns; k++)
        if (role[k].kind == own.kind && role[k].order == own.order) c->rests[k] = true;
}

/* The largest of each sort, of sizes [columns]. */
static by_sort find_largest(const comparison *c, const double *size) {
    const taut_column_role *role = c->first->role;
    by_sort most = {{{0}}};
    for (int k = 1; k < c->first->columns; k++) {
        double *m = &most.of[role[k].kind][role[k].order];
        *m = fmax(*m, size[k]);
    }
    return most;
}

/* How large a column is; where columns share a scale, all of its sort, `less` times less
 * differentiated. */
static double largest_of(const comparison *c, const by_sort *most, const double *size, int column,
                         int less) {
    const taut_column_role *role = c->first->role, own = role[column];
    const int base = column - less;
    if (taut_scale_is_shared(own.kind)) return most->of[own.kind][own.order - less];
    return role[base].kind == own.kind && role[base].order == own.order - less ? size[base] : 0.0;
}

/* Rates that move nothing by more than a last digit in the whole run, nor by more than the
 * tolerance in the next one, whose start differs in last digits, are rounding, however well runs
 * agree. */
static void find_still(comparison *c) {
    const double span = fabs(c->first->stats.reached - c->first->stats.t0);
    const double tol = fmax(STILL, 100.0 * fmax(c->options->rtol, c->options->atol));
    const by_sort first = find_largest(c, c->size), both = find_largest(c, c->both);
    for (int k = 1; k < c->first->columns && span > 0.0; k++) {
        if (c->first->role[k].order == 0 || !(c->scale[k] > 0.0)) continue;
        const double below = largest_of(c, &both, c->both, k, 1);
        if (largest_of(c, &first, c->size, k, 0) * span < STILL * below &&
            c->scale[k] * span < tol * below)
            c->rests[k] = true;
    }
}

static void find_rest(comparison *c) {
    by_sort done = {{{0}}};
    find_still(c);
    for (int k = 1; k < c->first->columns; k++) {
        if (!is_doubtful(c, k) || !(c->tiny[k] || (c->third && !has_digits(c, k)))) continue;
        c->rests[k] = true;
        spread_rest(c, k, &done);
    }
    for (int k = 1; k < c->first->columns; k++) {
        if (!c->rests[k]) continue;
        c->by_column[k] = (double)NAN;
        c->scale[k] = 0.0;
    }
}

static bool wants_third(const comparison *c) {
    if (fmax(c->tighter.rtol, c->tighter.atol) < NEAR_ROUNDING) return true;
    for (int k = 1; k < c->first->columns; k++)
        if (is_doubtful(c, k) && !c->tiny[k]) return true;
    return largest_error(c) < NEARLY_EQUAL;
}

/* ---- words ---- */

/* How the estimate is found, or why there is none. */
static const char *method_text(const comparison *c, taut_status status, taut_arena *arena) {
    char text[200];
    const taut_run_options *o = &c->tighter;
    int used = snprintf(text, sizeof text, "by %s ", c->third ? "two more runs" : "a second run");
    used += o->step > 0.0
                ? taut_format(text + used, 60, "with step %.3g", o->step)
                : taut_format(text + used, 60, "at tolerance %.3g", fmax(o->rtol, o->atol));
    if (status != TAUT_OK)
        snprintf(text + used, sizeof text - (size_t)used, ", which failed: %s",
                 taut_status_text(status));
    return taut_arena_copy(arena, text, strlen(text));
}

/* Names of the columns that rest; NULL: there are none, or no memory. */
static const char *rest_text(const comparison *c, taut_arena *arena) {
    taut_string text = {0};
    int count = 0;
    for (int k = 1; k < c->first->columns; k++)
        if (c->rests[k] && count++ < NAMED)
            taut_string_add(&text, "%s%s", count > 1 ? ", " : "", c->first->name[k]);
    if (count > NAMED) taut_string_add(&text, " and %d more", count - NAMED);
    const char *copy = text.text ? taut_arena_copy(arena, text.text, strlen(text.text)) : NULL;
    taut_string_release(&text);
    return copy;
}

/* ---- the estimate ---- */

/* The worst of what does not rest. */
static void conclude(const comparison *c, taut_certificate *certificate) {
    for (int k = 1; k < c->first->columns; k++) {
        if (isnan(c->by_column[k]) || certificate->error >= c->by_column[k]) continue;
        certificate->error = c->by_column[k];
        certificate->column = k;
        certificate->t = c->lookouts.time[c->worst[k]];
    }
    certificate->at_rest =
        certificate->column >= 0 ? rest_text(c, &c->first->arena) : "all columns";
}

static taut_status create(comparison *c, taut_arena *arena) {
    const int columns = c->first->columns;
    c->by_column = TAUT_NEW_ARRAY(arena, columns, double);
    c->scale = TAUT_NEW_ARRAY(arena, columns, double);
    c->tiny = TAUT_NEW_ARRAY(arena, columns, bool);
    c->rests = TAUT_NEW_ARRAY(arena, columns, bool);
    c->size = TAUT_NEW_ARRAY(arena, 2 * columns, double);
    c->worst = TAUT_NEW_ARRAY(arena, columns, int);
    if (!c->by_column || !c->scale || !c->tiny || !c->rests || !c->size || !c->worst)
        return TAUT_ERR_MEMORY;
    c->both = c->size + columns;
    for (int k = 0; k < columns; k++) c->by_column[k] = (double)NAN;
    TAUT_TRY(taut_lookouts_choose(c->first, arena, &c->lookouts));
    c->straddles = TAUT_NEW_ARRAY(arena, c->lookouts.count, bool);
    return c->straddles ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status estimate(comparison *c, taut_errors *errors) {
    TAUT_TRY(run_second(c, errors));
    taut_scales_find(c->first, c->second, c->scale, c->tiny);
    taut_sizes_find(c->first, NULL, c->size);
    taut_sizes_find(c->first, c->second, c->both);
    add_differences(c, c->second);
    if (wants_third(c)) {
        const taut_status status = run_again(c, -DBL_EPSILON, &c->third, NULL);
        if (is_over(status)) return status;
    }
    find_rest(c);
    if (c->third && largest_error(c) < NEARLY_EQUAL) {
        add_differences(c, c->third);
        add_neighbours(c);
    }
    add_rounding(c);
    return TAUT_OK;
}

/* Nothing can be said about a run that contradicts itself. */
static const char *void_text(const taut_result *r, taut_arena *arena) {
    char text[800];
    snprintf(text, sizeof text, "void: %s", r->stats.alarm);
    return taut_arena_copy(arena, text, strlen(text));
}

taut_status taut_certify(const taut_model *model, const taut_run_options *options,
                         taut_result *result, taut_errors *errors) {
    const taut_run_options standard = taut_run_options_default();
    TAUT_NEED(model, "model", errors);
    TAUT_NEED(result, "result", errors);
    if (options) TAUT_TRY(taut_options_check(model, options, errors));
    comparison c = {.model = model, .options = options ? options : &standard, .first = result};
    taut_certificate *x = TAUT_NEW(&result->arena, taut_certificate);
    if (!x) return TAUT_ERR_MEMORY;
    TAUT_TRY(create(&c, &result->arena));
    const taut_status status = result->stats.alarm ? TAUT_OK : estimate(&c, errors);
    *x =
        (taut_certificate){.error = (double)NAN,
                           .column = -1,
                           .growth = (double)NAN,
                           .t = (double)NAN,
                           .tol = fmax(c.tighter.rtol, c.tighter.atol),
                           .by_column = c.by_column,
                           .scale = c.scale,
                           .method = result->stats.alarm ? void_text(result, &result->arena)
                                                         : method_text(&c, status, &result->arena)};
    if (status == TAUT_OK && c.second) conclude(&c, x);
    if (status == TAUT_OK && !result->stats.alarm &&
        taut_growth_find(model, c.options, result, c.scale, &x->growth) == TAUT_ERR_MEMORY)
        x->method = NULL;
    taut_result_free(&c.second);
    taut_result_free(&c.third);
    if (!x->method) return TAUT_ERR_MEMORY;
    result->certificate = x;
    return status;
}
