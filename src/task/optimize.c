/* Optimisation of results: one search from each start, by IPOPT with derivatives or by NLopt
 * without them, in coordinates between 0 and 1. Every evaluation is recorded, and the best point
 * among them counts, not the last one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bounds.h"
#include "solve/direct_search.h"
#include "solve/nlp.h"
#include "task/optimize.h"
#include "task/options.h"

enum { MOST_GRADIENTS = 1000, MOST_VALUES = 2000 };
static const double HOLDS = 1e-6; /* limits are held to this part of their range */

taut_optimize_options taut_optimize_options_default(void) {
    return (taut_optimize_options){.cookie = TAUT_OPTIMIZE_COOKIE,
                                   .run = taut_run_options_default()};
}

/* ---- evaluation ---- */

/* How far the worst limit is exceeded, by its scale. */
static double worst_excess(const taut_optimum *o) {
    double worst = 0.0;
    for (int i = 1; i <= o->limits; i++) {
        const double by = o->value[i] / o->scale[i];
        worst = fmax(worst, taut_goals_sense(o->goals, i) == TAUT_GOAL_EQUALS ? fabs(by) : by);
    }
    return worst;
}

static bool is_better(double objective, double excess, const taut_optimum_start *than) {
    const double a = fmax(0.0, excess - HOLDS), b = fmax(0.0, than->excess - HOLDS);
    return !isfinite(than->objective) || a < b || (a == b && objective < than->objective);
}

static taut_status note(taut_optimum *o, const double *u) {
    taut_optimum_start *s = &o->start[o->now];
    double *row = taut_result_add_row(o->record);
    if (!row) return TAUT_ERR_MEMORY;
    const int n = o->box.n;
    const double sign = o->maximize ? -1.0 : 1.0;
    row[0] = (double)(o->record->rows - 1);
    row[1] = o->now;
    for (int k = 0; k < n; k++) row[2 + k] = o->x[k];
    row[2 + n] = sign * o->value[0];
    for (int i = 1; i <= o->limits; i++) row[2 + n + i] = o->value[i];
    s->evaluations++;
    const double excess = worst_excess(o);
    if (!is_better(o->value[0], excess, s)) return TAUT_OK;
    s->objective = o->value[0];
    s->excess = excess;
    memcpy((double *)s->value, o->x, (size_t)n * sizeof *o->x);
    memcpy(o->best_u, u, (size_t)n * sizeof *u);
    return TAUT_OK;
}

bool taut_optimum_evaluate(taut_optimum *o, const double *u, bool slopes) {
    const int n = o->box.n, goals = 1 + o->limits;
    for (int k = 0; k < n; k++) o->x[k] = taut_box_value(&o->box, k, u[k]);
    o->errors->count = o->errors->dropped = 0;
    o->progress.evaluations++;
    const taut_status status =
        taut_gradients_find(o->gradients, o->x, o->result, slopes ? o->slope : NULL, o->errors);
    if (status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED) o->trouble = status;
    if (status != TAUT_OK) return false;
    taut_goals_find(o->goals, o->result, o->x, o->value, o->by_result, o->by_variable);
    const double sign = o->maximize ? -1.0 : 1.0;
    o->value[0] *= sign;
    for (int i = 0; i < goals && slopes; i++)
        for (int k = 0; k < n; k++) {
            double d = o->by_variable[i * n + k];
            for (int r = 0; r < o->figures; r++)
                d += o->by_result[i * o->figures + r] * o->slope[r * n + k];
            o->derivative[i * n + k] = (i == 0 ? sign : 1.0) * d * taut_box_rate(&o->box, k, u[k]);
        }
    for (int i = 0; i < goals; i++)
        if (!isfinite(o->value[i])) return false;
    return true;
}

/* So that all goals are of a size where a tolerance means something. */
static void find_scales(taut_optimum *o, bool slopes) {
    for (int i = 0; i <= o->limits; i++) {
        double largest = 0.0;
        for (int k = 0; k < o->box.n && slopes; k++)
            largest = fmax(largest, fabs(o->derivative[i * o->box.n + k]));
        if (!slopes || !(largest > 1e-12 * fabs(o->value[i]))) largest = fabs(o->value[i]);
        o->scale[i] = largest > 0.0 && isfinite(largest) ? largest : 1.0;
    }
}

/* ---- the two methods ---- */

static bool go(void *user, const double *u) {
    taut_optimum *o = user;
    if (o->trouble != TAUT_OK || !taut_optimum_evaluate(o, u, true)) return false;
    const taut_status status = note(o, u);
    if (status != TAUT_OK) o->trouble = status;
    o->nlp->f = o->value[0] / o->scale[0];
    for (int k = 0; k < o->box.n; k++) o->nlp->gradient[k] = o->derivative[k] / o->scale[0];
    for (int i = 1; i <= o->limits; i++) {
        o->nlp->g[i - 1] = o->value[i] / o->scale[i];
        for (int k = 0; k < o->box.n; k++)
            o->nlp->jacobian[(i - 1) * o->box.n + k] =
                o->derivative[i * o->box.n + k] / o->scale[i];
    }
    return status == TAUT_OK;
}

static taut_status descend(taut_optimum *o, double *u, int most, taut_errors *errors) {
    const int n = o->box.n, m = o->limits;
    taut_arena arena = {0};
    double *low = TAUT_NEW_ARRAY(&arena, n, double), *high = TAUT_NEW_ARRAY(&arena, n, double);
    double *g_low = TAUT_NEW_ARRAY(&arena, m + 1, double);
    double *g_high = TAUT_NEW_ARRAY(&arena, m + 1, double);
    int *row = TAUT_NEW_ARRAY(&arena, n * m + 1, int),
        *column = TAUT_NEW_ARRAY(&arena, n * m + 1, int);
    taut_nlp nlp = {.n = n,
                    .m = m,
                    .low = low,
                    .high = high,
                    .g_low = g_low,
                    .g_high = g_high,
                    .jacobian_entries = n * m,
                    .jacobian_row = row,
                    .jacobian_column = column,
                    .go = go,
                    .user = o,
                    .gradient = TAUT_NEW_ARRAY(&arena, n, double),
                    .g = TAUT_NEW_ARRAY(&arena, m + 1, double),
                    .jacobian = TAUT_NEW_ARRAY(&arena, n * m + 1, double),
                    .tolerance = taut_gradients_are_exact(o->gradients) ? 1e-7 : 1e-6,
                    .most_iterations = most,
                    .most_evaluations = most,
                    .most_seconds = 1e7};
    taut_status status = TAUT_ERR_MEMORY;
    if (low && high && g_low && g_high && row && column && nlp.gradient && nlp.g && nlp.jacobian) {
        for (int k = 0; k < n; k++) low[k] = 0.0, high[k] = 1.0;
        for (int i = 0; i < m; i++) {
            g_low[i] = taut_goals_sense(o->goals, 1 + i) == TAUT_GOAL_EQUALS ? 0.0 : -2e19;
            for (int k = 0; k < n; k++) row[i * n + k] = i, column[i * n + k] = k;
        }
        o->nlp = &nlp;
        status = taut_nlp_solve(&nlp, u, errors);
    }
    taut_arena_release(&arena);
    return status;
}

static bool look(void *user, const double *u, double *f, double *g) {
    taut_optimum *o = user;
    if (o->trouble != TAUT_OK || !taut_optimum_evaluate(o, u, false)) return false;
    const taut_status status = note(o, u);
    if (status != TAUT_OK) o->trouble = status;
    *f = o->value[0] / o->scale[0];
    for (int i = 1; i <= o->limits; i++) g[i - 1] = o->value[i] / o->scale[i];
    return status == TAUT_OK;
}

static taut_status search_from(taut_optimum *o, double *u, int most, taut_errors *errors) {
    taut_arena arena = {0};
    bool *equal = TAUT_NEW_ARRAY(&arena, o->limits + 1, bool);
    taut_direct_search s = {.n = o->box.n,
                            .m = o->limits,
                            .equal = equal,
                            .go = look,
                            .user = o,
                            .tolerance = 1e-7,
                            .most = most};
    for (int i = 0; equal && i < o->limits; i++)
        equal[i] = taut_goals_sense(o->goals, 1 + i) == TAUT_GOAL_EQUALS;
    const taut_status status = equal ? taut_direct_search_run(&s, u, errors) : TAUT_ERR_MEMORY;
    taut_arena_release(&arena);
    return status;
}

/* ---- one start ---- */

/* The first line of what the last run said. */
static const char *first_reason(taut_optimum *o) {
    const char *words = o->errors->count > 0 ? o->errors->item[0].message : "there are no values";
    return taut_arena_copy(&o->arena, words, strcspn(words, "\n"));
}

static taut_status start_at(taut_optimum *o, int number, uint64_t seed, int most,
                            taut_errors *errors) {
    taut_optimum_start *s = &o->start[number];
    double *value = TAUT_NEW_ARRAY(&o->arena, o->box.n, double);
    double *u = TAUT_NEW_ARRAY(&o->arena, o->box.n, double);
    if (!value || !u) return TAUT_ERR_MEMORY;
    *s = (taut_optimum_start){.value = value, .objective = (double)NAN, .excess = (double)NAN};
    o->now = number;
    o->starts = number + 1;
    taut_box_start(&o->box, seed, number, u);
    for (int k = 0; k < o->box.n; k++) value[k] = taut_box_value(&o->box, k, u[k]);
    if (!taut_optimum_evaluate(o, u, o->by_gradient)) {
        if (o->trouble != TAUT_OK) return o->trouble;
        s->words = first_reason(o);
        return s->words ? TAUT_OK : TAUT_ERR_MEMORY;
    }
    find_scales(o, o->by_gradient);
    if (most == 0) most = o->by_gradient ? MOST_GRADIENTS : MOST_VALUES;
    const taut_status status =
        o->by_gradient ? descend(o, u, most, errors) : search_from(o, u, most, errors);
    if (o->trouble != TAUT_OK) return o->trouble;
    if (status == TAUT_ERR_MEMORY || status == TAUT_ERR_IO) return status;
    s->converged = status == TAUT_OK;
    s->words = s->converged ? "converged" : "stopped before it had converged";
    if (o->maximize) s->objective = -s->objective;
    return TAUT_OK;
}

static void choose_best(taut_optimum *o) {
    const double sign = o->maximize ? -1.0 : 1.0;
    o->best = -1;
    for (int i = 0; i < o->starts; i++) {
        if (!isfinite(o->start[i].objective)) continue;
        taut_optimum_start than = {.objective = (double)NAN};
        if (o->best >= 0) {
            than = o->start[o->best];
            than.objective *= sign;
        }
        if (is_better(sign * o->start[i].objective, o->start[i].excess, &than)) o->best = i;
    }
}

/* ---- the whole ---- */

static int ask(void *user) {
    const taut_optimum *o = user;
    return o->trouble != TAUT_OK || (o->run.progress && o->run.progress(o->run.user, 0.5) != 0);
}

static taut_status perform(taut_optimum *o, const taut_optimize_options *options,
                           taut_errors *errors) {
    const int starts = taut_search_starts(o->model, options->starts);
    taut_bounds bounds = {.stop = ask, .user = o, .memory = o->run.memory};
    o->start = TAUT_NEW_ARRAY(&o->arena, starts, taut_optimum_start);
    if (!o->start) return TAUT_ERR_MEMORY;
    taut_bounds_begin(&bounds);
    taut_status status = TAUT_OK;
    for (int i = 0; i < starts && status == TAUT_OK; i++) {
        taut_search_progress_start(&o->progress, i, starts);
        status = start_at(o, i, options->seed, options->most, errors);
    }
    taut_bounds_end(&bounds);
    choose_best(o);
    if (status == TAUT_INTERRUPTED)
        return taut_fail(errors, status, "interrupted after %ld evaluations", o->record->rows);
    TAUT_TRY(status);
    if (o->best < 0)
        return taut_fail(errors, TAUT_ERR_NUMERICS, "no start has a run with results: %s",
                         o->start[0].words);
    if (o->start[o->best].excess > HOLDS)
        return taut_fail(errors, TAUT_ERR_NUMERICS,
                         "no values were found for which all of SubjectTo hold");
    return TAUT_OK;
}

taut_status taut_optimize(const taut_model *model, const taut_optimize_options *options,
                          taut_optimum **optimum, taut_errors *errors) {
    const taut_optimize_options usual = taut_optimize_options_default();
    TAUT_NEED(optimum, "optimum", errors);
    *optimum = NULL;
    TAUT_NEED(model, "model", errors);
    if (!options) options = &usual;
    TAUT_TRY(taut_optimum_check_options(options, errors));
    taut_optimum *o = *optimum = taut_new(sizeof *o);
    if (!o) return TAUT_ERR_MEMORY;
    o->model = model;
    o->best = -1;
    const taut_status status = taut_optimum_build(o, options, errors);
    if (status != TAUT_OK) {
        taut_optimum_free(optimum);
        return taut_search_explain(
            model, options->variable || options->minimize || options->maximize, status, errors);
    }
    return perform(o, options, errors);
}

void taut_optimum_free(taut_optimum **optimum) {
    if (!optimum || !*optimum) return;
    taut_gradients_free(&(*optimum)->gradients);
    taut_goals_free(&(*optimum)->goals);
    taut_result_free(&(*optimum)->record);
    taut_release((void **)&(*optimum)->errors);
    taut_arena_release(&(*optimum)->arena);
    taut_release((void **)optimum);
}
