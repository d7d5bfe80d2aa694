/* Optimisation of results: one search from each start, by IPOPT with derivatives or by NLopt
 * without them, in coordinates between 0 and 1. Every evaluation is recorded, and the best point
 * among them counts, not the last one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bounds.h"
#include "solve/nlp.h"
#include "solve/direct_search.h"
#include "task/bounded.h"
#include "task/goals.h"
#include "task/options.h"
#include "task/result.h"
#include "task/gradients.h"

enum { COOKIE = 0x0b71, MOST_STARTS = 10000, MOST_GRADIENTS = 200, MOST_VALUES = 2000 };
static const double SMALL_STEP = 1e-3; /* of the range: differences of fourth order */
static const double HOLDS = 1e-6;      /* limits are held to this part of their range */

struct taut_optimum {
    taut_arena arena;
    const taut_model *model;
    taut_run_options run;
    taut_box box;
    taut_goal *goal; /* [1 + limits] */
    int limits;
    bool maximize;
    taut_goals *goals;
    const taut_figure *figure;
    int figures;
    taut_gradients *gradients;
    bool by_gradient;

    /* at a point */
    double *x, *result, *slope;      /* [n], [figures], [figures * n] */
    double *value;                   /* [1 + limits] */
    double *by_result, *by_variable; /* [1 + limits] rows */
    double *derivative;              /* [1 + limits][n] by u */
    double *scale;                   /* [1 + limits] the largest derivative by u at the start */
    taut_status trouble;             /* memory, or interrupted: the search has to end */
    taut_errors *errors;             /* of the last run that failed; large */

    taut_optimum_start *start; /* [starts] */
    int starts, best, now;
    double *best_u; /* [n] of the start at hand */
    taut_result *record;
    taut_nlp *nlp;
};

taut_optimize_options taut_optimize_options_default(void) {
    return (taut_optimize_options){.cookie = COOKIE, .run = taut_run_options_default()};
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

/* Values, and derivatives by u where they are wanted; false: there are none. */
static bool evaluate(taut_optimum *o, const double *u, bool slopes) {
    const int n = o->box.n, goals = 1 + o->limits;
    for (int k = 0; k < n; k++) o->x[k] = taut_box_value(&o->box, k, u[k]);
    o->errors->count = o->errors->dropped = 0;
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
    if (o->trouble != TAUT_OK || !evaluate(o, u, true)) return false;
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
    if (o->trouble != TAUT_OK || !evaluate(o, u, false)) return false;
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
    if (!evaluate(o, u, o->by_gradient)) {
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

/* ---- what is asked for ---- */

static taut_status check_options(const taut_optimize_options *o, taut_errors *errors) {
    if (o->cookie != COOKIE)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "the options have not been filled: begin with taut_optimize_options_default()");
    TAUT_TRY(taut_options_check_cookie(&o->run, errors));
    if ((o->variable && o->variables < 1) || o->limits < 0 || (o->limits > 0 && !o->limit))
        return taut_fail(errors, TAUT_ERR_CALL, "options: a list and its length do not fit");
    if (o->minimize && o->maximize)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.minimize and options.maximize: one of the two");
    if (o->starts < 0 || o->starts > MOST_STARTS || o->most < 0)
        return taut_fail(errors, TAUT_ERR_CALL, "options.starts is between 1 and %d",
                         (int)MOST_STARTS);
    if (o->run.from || o->run.last)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "each run begins at the model's start: leave out the state");
    return TAUT_OK;
}

/* The goals of the call, or of the file. */
static taut_status list_goals(taut_optimum *o, const taut_optimize_options *options,
                              taut_errors *errors) {
    const taut_model_study *s = &o->model->study;
    const char *text = options->minimize ? options->minimize : options->maximize;
    const bool own = text != NULL;
    o->limits = own ? options->limits : s->limits;
    o->maximize = own ? options->maximize != NULL : s->maximize;
    o->goal = TAUT_NEW_ARRAY(&o->arena, o->limits + 1, taut_goal);
    if (!o->goal) return TAUT_ERR_MEMORY;
    if (!own && !s->goal.text)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "nothing is to become small or large: the model's section Study has "
                         "Minimize or Maximize, as in Study: {Minimize: max(Ax)}");
    o->goal[0] =
        own ? (taut_goal){.name = options->minimize ? "minimize" : "maximize", .text = text}
            : s->goal;
    for (int i = 0; i < o->limits; i++) {
        o->goal[1 + i] =
            own ? (taut_goal){.name = options->limit[i].name ? options->limit[i].name
                                                             : options->limit[i].result,
                              .text = options->limit[i].result}
                : s->limit[i];
        if (!o->goal[1 + i].text)
            return taut_fail(errors, TAUT_ERR_CALL, "options.limit: a formula is NULL");
    }
    return TAUT_OK;
}

static taut_status equip(taut_optimum *o, bool exact, taut_errors *errors) {
    const taut_box *b = &o->box;
    double *step = TAUT_NEW_ARRAY(&o->arena, b->n, double);
    const taut_tryout_order order = {.model = o->model,
                                     .run = &o->run,
                                     .name = b->name,
                                     .initial = b->initial,
                                     .names = b->n,
                                     .figure = o->figure,
                                     .figures = o->figures};
    if (!step) return TAUT_ERR_MEMORY;
    for (int k = 0; k < b->n; k++)
        step[k] = SMALL_STEP * (b->log[k] ? b->low[k] : b->high[k] - b->low[k]);
    taut_gradients_free(&o->gradients);
    return taut_gradients_create(&order, b->low, b->high, step, exact, &o->gradients, errors);
}

/* Names of variables and columns, and a start from one of the first places. */
static taut_status check_names(taut_optimum *o, uint64_t seed, taut_errors *errors) {
    taut_tryout *tryout = taut_gradients_tryout(o->gradients);
    double *u = TAUT_NEW_ARRAY(&o->arena, o->box.n, double);
    if (!u) return TAUT_ERR_MEMORY;
    for (int start = 0; start < 4; start++) {
        taut_box_start(&o->box, seed, start, u);
        for (int k = 0; k < o->box.n; k++) o->x[k] = taut_box_value(&o->box, k, u[k]);
        const taut_status status = taut_tryout_start(tryout, o->x, start == 0 ? o->errors : NULL);
        if (status == TAUT_ERR_CALL) return taut_tryout_start(tryout, o->x, errors);
        if (status == TAUT_OK) return taut_tryout_check(tryout, o->x, errors);
    }
    return TAUT_OK; /* the starts will tell */
}

static taut_status prepare_slopes(taut_optimum *o, uint64_t seed, taut_errors *errors) {
    TAUT_TRY(equip(o, true, errors));
    if (check_names(o, seed, NULL) == TAUT_OK) return TAUT_OK;
    if (!o->run.reactions && o->model->kind == TAUT_MODEL_MECHANISM) {
        o->run.reactions = true;
        TAUT_TRY(equip(o, true, errors));
        if (check_names(o, seed, NULL) == TAUT_OK) return TAUT_OK;
        o->run.reactions = false;
        TAUT_TRY(equip(o, true, errors));
    }
    return check_names(o, seed, errors);
}

/* Is a result only piecewise constant, so that derivatives say nothing? */
static bool has_steps(const taut_optimum *o) {
    for (int i = 0; i < o->figures; i++)
        if (o->figure[i].kind == TAUT_FIGURE_COUNT) return true;
    return false;
}

static taut_status choose_method(taut_optimum *o, const taut_optimize_options *options,
                                 taut_errors *errors) {
    const char *wanted = options->method          ? options->method
                         : o->model->study.method ? o->model->study.method
                                                  : "auto";
    const bool automatic = strcmp(wanted, "auto") == 0, gradient = strcmp(wanted, "gradient") == 0;
    if (!automatic && !gradient && strcmp(wanted, "search") != 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.method = \"%s\": there are auto, gradient and search", wanted);
    o->by_gradient = gradient || (automatic && !has_steps(o));
    if (gradient && has_steps(o))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.method = \"gradient\": the number of events has no derivative; "
                         "use search");
    return TAUT_OK;
}

static taut_status make_room(taut_optimum *o) {
    const size_t n = (size_t)o->box.n, goals = (size_t)o->limits + 1, m = (size_t)o->figures;
    o->x = TAUT_NEW_ARRAY(&o->arena, n, double);
    o->best_u = TAUT_NEW_ARRAY(&o->arena, n, double);
    o->result = TAUT_NEW_ARRAY(&o->arena, m, double);
    o->slope = TAUT_NEW_ARRAY(&o->arena, m * n, double);
    o->value = TAUT_NEW_ARRAY(&o->arena, goals, double);
    o->by_result = TAUT_NEW_ARRAY(&o->arena, goals * m, double);
    o->by_variable = TAUT_NEW_ARRAY(&o->arena, goals * n, double);
    o->derivative = TAUT_NEW_ARRAY(&o->arena, goals * n, double);
    o->scale = TAUT_NEW_ARRAY(&o->arena, goals, double);
    o->errors = taut_new(sizeof *o->errors);
    if (!o->x || !o->best_u || !o->result || !o->slope || !o->value || !o->by_result ||
        !o->by_variable || !o->derivative || !o->scale || !o->errors)
        return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < goals; i++) o->scale[i] = 1.0;
    return TAUT_OK;
}

static taut_status begin_record(taut_optimum *o) {
    TAUT_TRY(taut_result_create(3 + o->box.n + o->limits, &o->record));
    taut_result *r = o->record;
    int c = 0;
    r->name[c++] = "evaluation";
    r->name[c++] = "start";
    for (int k = 0; k < o->box.n; k++) r->name[c++] = o->box.name[k];
    r->name[c++] = "objective";
    for (int i = 0; i < o->limits; i++) r->name[c++] = o->goal[1 + i].name;
    for (c = 0; c < r->columns; c++)
        if (!(r->name[c] = taut_arena_copy(&r->arena, r->name[c], strlen(r->name[c]))))
            return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

static taut_status build(taut_optimum *o, const taut_optimize_options *options,
                         taut_errors *errors) {
    TAUT_TRY(taut_options_copy(&options->run, &o->arena, &o->run));
    TAUT_TRY(taut_box_read(o->model, options->variable, options->variables, "optimize", &o->arena,
                           &o->box, errors));
    TAUT_TRY(list_goals(o, options, errors));
    TAUT_TRY(taut_goals_create(o->model, o->goal, 1 + o->limits, o->box.name, o->box.n, &o->goals,
                               errors));
    o->figure = taut_goals_figures(o->goals, &o->figures);
    taut_figures_ask(o->figure, o->figures, &o->run);
    TAUT_TRY(make_room(o));
    TAUT_TRY(prepare_slopes(o, options->seed, errors));
    TAUT_TRY(choose_method(o, options, errors));
    return begin_record(o);
}

static int ask(void *user) {
    const taut_optimum *o = user;
    return o->trouble != TAUT_OK || (o->run.progress && o->run.progress(o->run.user, 0.5) != 0);
}

static taut_status perform(taut_optimum *o, const taut_optimize_options *options,
                           taut_errors *errors) {
    const int starts = options->starts > 0          ? options->starts
                       : o->model->study.starts > 0 ? o->model->study.starts
                                                    : 1;
    taut_bounds bounds = {.stop = ask, .user = o, .memory = o->run.memory};
    o->start = TAUT_NEW_ARRAY(&o->arena, starts, taut_optimum_start);
    if (!o->start) return TAUT_ERR_MEMORY;
    taut_bounds_begin(&bounds);
    taut_status status = TAUT_OK;
    for (int i = 0; i < starts && status == TAUT_OK; i++)
        status = start_at(o, i, options->seed, options->most, errors);
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
    TAUT_TRY(check_options(options, errors));
    taut_optimum *o = *optimum = taut_new(sizeof *o);
    if (!o) return TAUT_ERR_MEMORY;
    o->model = model;
    o->best = -1;
    const taut_status status = build(o, options, errors);
    if (status != TAUT_OK) {
        taut_optimum_free(optimum);
        return status;
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

/* ---- what was found ---- */

int taut_optimum_variables(const taut_optimum *o) { return o ? o->box.n : 0; }
int taut_optimum_limits(const taut_optimum *o) { return o ? o->limits : 0; }
int taut_optimum_starts(const taut_optimum *o) { return o ? o->starts : 0; }
int taut_optimum_best(const taut_optimum *o) { return o ? o->best : -1; }

const char *taut_optimum_method(const taut_optimum *o) {
    if (!o) return NULL;
    return !o->by_gradient                          ? "a search without derivatives (NLopt)"
           : taut_gradients_are_exact(o->gradients) ? "gradients by sensitivities (IPOPT)"
                                                    : "gradients by differences (IPOPT)";
}

bool taut_optimum_is_exact(const taut_optimum *o) {
    return o && o->by_gradient && taut_gradients_are_exact(o->gradients);
}

const char *taut_optimum_name(const taut_optimum *o, int k) {
    return o && k >= 0 && k < o->box.n ? o->box.name[k] : NULL;
}

const char *taut_optimum_limit(const taut_optimum *o, int i) {
    return o && i >= 0 && i < o->limits ? o->goal[1 + i].name : NULL;
}

double taut_optimum_value(const taut_optimum *o, int k) {
    return o && o->best >= 0 && k >= 0 && k < o->box.n ? o->start[o->best].value[k] : (double)NAN;
}

double taut_optimum_objective(const taut_optimum *o) {
    return o && o->best >= 0 ? o->start[o->best].objective : (double)NAN;
}

/* The row of the record with the best point has all that is known of it. */
double taut_optimum_excess(const taut_optimum *o, int limit) {
    if (!o || o->best < 0 || limit < 0 || limit >= o->limits) return (double)NAN;
    const taut_result *r = o->record;
    for (long i = 0; i < r->rows; i++) {
        const double *row = r->value + (size_t)i * (size_t)r->columns;
        if ((int)row[1] == o->best &&
            memcmp(row + 2, o->start[o->best].value, (size_t)o->box.n * sizeof *row) == 0)
            return row[3 + o->box.n + limit];
    }
    return (double)NAN;
}

const taut_optimum_start *taut_optimum_get_start(const taut_optimum *o, int start) {
    return o && start >= 0 && start < o->starts ? &o->start[start] : NULL;
}

taut_status taut_optimum_record(const taut_optimum *o, taut_result **record) {
    TAUT_NEED(record, "record", NULL);
    *record = NULL;
    TAUT_NEED(o, "optimum", NULL);
    TAUT_TRY(taut_result_create(o->record->columns, record));
    for (int c = 0; c < o->record->columns; c++) {
        const char *name = o->record->name[c];
        if (!((*record)->name[c] = taut_arena_copy(&(*record)->arena, name, strlen(name)))) {
            taut_result_free(record);
            return TAUT_ERR_MEMORY;
        }
    }
    for (long i = 0; i < o->record->rows; i++) {
        double *row = taut_result_add_row(*record);
        if (!row) {
            taut_result_free(record);
            return TAUT_ERR_MEMORY;
        }
        memcpy(row, o->record->value + (size_t)i * (size_t)o->record->columns,
               (size_t)o->record->columns * sizeof *row);
    }
    return TAUT_OK;
}

taut_status taut_optimum_gradient(taut_optimum *o, int limit, const double *value,
                                  double *derivative, taut_errors *errors) {
    TAUT_NEED(o, "optimum", errors);
    TAUT_NEED(derivative, "derivative", errors);
    if (limit < -1 || limit >= o->limits)
        return taut_fail(errors, TAUT_ERR_CALL, "there is no limit %d", limit);
    double *u = TAUT_NEW_ARRAY(&o->arena, o->box.n, double);
    if (!u) return TAUT_ERR_MEMORY;
    taut_box_start(&o->box, 0, 0, u);
    for (int k = 0; k < o->box.n && value; k++) u[k] = taut_box_coordinate(&o->box, k, value[k]);
    if (!evaluate(o, u, true))
        return taut_fail(errors, TAUT_ERR_NUMERICS, "there is no run with these values");
    const double sign = limit < 0 && o->maximize ? -1.0 : 1.0;
    for (int k = 0; k < o->box.n; k++)
        derivative[k] =
            sign * o->derivative[(limit + 1) * o->box.n + k] / taut_box_rate(&o->box, k, u[k]);
    return TAUT_OK;
}

taut_status taut_optimum_text(const taut_optimum *o, const double *value, char **text,
                              taut_errors *errors) {
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_NEED(o, "optimum", errors);
    if (!value && o->best < 0)
        return taut_fail(errors, TAUT_ERR_CALL, "there is no optimum: give values");
    return taut_model_rewrite(o->model, o->box.name, value ? value : o->start[o->best].value,
                              o->box.n, text, errors);
}
