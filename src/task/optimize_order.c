/* What an optimisation is asked for: variables, goals, the method; all names are checked before
 * the search. */
#include <stdio.h>
#include <string.h>

#include "task/optimize.h"
#include "task/options.h"

enum { USUAL = 40 };                   /* evaluations a start, before one is over */
static const double SMALL_STEP = 1e-3; /* of the range: differences of fourth order */

taut_status taut_optimum_check_options(const taut_optimize_options *o, taut_errors *errors) {
    if (o->cookie != TAUT_OPTIMIZE_COOKIE)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "the options have not been filled: begin with taut_optimize_options_default()");
    if ((o->variable && o->variables < 1) || o->limits < 0 || (o->limits > 0 && !o->limit))
        return taut_fail(errors, TAUT_ERR_CALL, "options: a list and its length do not fit");
    if (o->minimize && o->maximize)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.minimize and options.maximize: one of the two");
    return taut_search_check(&o->run, o->starts, o->most, errors);
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

taut_status taut_optimum_build(taut_optimum *o, const taut_optimize_options *options,
                               taut_errors *errors) {
    TAUT_TRY(taut_options_copy(&options->run, &o->arena, &o->run));
    taut_search_progress_attach(&o->progress, &o->run, USUAL);
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
