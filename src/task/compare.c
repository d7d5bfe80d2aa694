/* One problem by many formulations and solvers (docs/compare.md).
 *
 * First a reference is computed: one run that is much more accurate than what it has to judge, with
 * an estimate of its error, and a second one by another formulation and solver that has to find the
 * same. Then every pair runs at every tolerance, from the largest on; each run is measured by the
 * reference, and by the pair's own next run. */
#include "task/compare.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "form/formulation.h"
#include "task/contest.h"
#include "task/options.h"
#include "task/sides.h"
#include "task/simulation.h"

enum { TIMES = 201, MOST_REPETITIONS = 5, MOST_TOLS = 16 };
static const double REPEAT_BELOW = 0.2; /* seconds: runs are repeated until they took so long */
static const double NEXT = 0.1;         /* tolerance of the run that the last one is measured by */

enum { COOKIE = 0x7a0702 };

/* The comparison and its memory. */
typedef struct holder {
    taut_comparison base;
    taut_arena arena;
} holder;

taut_compare_options taut_compare_options_default(void) {
    return (taut_compare_options){
        .cookie = COOKIE, .run = taut_run_options_default(), .limit = 30.0};
}

double taut_digits(double error) {
    return error > 0.0 ? fmin(16.0, -log10(error)) : error == 0.0 ? 16.0 : (double)NAN;
}

/* ---- the pairs ---- */

/* Runs once more, and keeps the shorter times; the results of one file are the same each time. */
static taut_status repeat(taut_contest *x, const taut_run_options *o, taut_compared_run *r) {
    double spent = r->stats.wall_s + r->stats.setup_s;
    while (spent < REPEAT_BELOW && r->repetitions < MOST_REPETITIONS) {
        taut_result *again = NULL;
        const taut_status status = taut_contest_run(x, o, 0.0, &again);
        x->done--;
        if (status == TAUT_OK) {
            const taut_run_stats *stats = taut_result_stats(again);
            r->stats.wall_s = fmin(r->stats.wall_s, stats->wall_s);
            r->stats.setup_s = fmin(r->stats.setup_s, stats->setup_s);
            spent += stats->wall_s + stats->setup_s;
            r->repetitions++;
        }
        taut_result_free(&again);
        if (status != TAUT_OK) return taut_contest_is_over(x, status) ? status : TAUT_OK;
    }
    return TAUT_OK;
}

static taut_status measure(taut_contest *x, taut_compared_run *r, const taut_result *result) {
    double *at = TAUT_NEW_ARRAY(x->arena, x->c->times, double);
    const char *missing = taut_yardstick_misses(&x->yardstick, result);
    if (!at) return TAUT_ERR_MEMORY;
    if (missing) {
        x->said->count = 0;
        r->status = taut_fail(x->said, TAUT_ERR_NUMERICS, "its results have no column %s", missing);
        r->reason = taut_contest_reason(x, r->status);
        return r->reason ? TAUT_OK : TAUT_ERR_MEMORY;
    }
    const taut_gap gap = taut_yardstick_gap(&x->yardstick, x->truth, result, at);
    r->difference = at;
    if (r->status != TAUT_OK) return TAUT_OK; /* half a run has no digits */
    r->error = gap.error;
    r->t = gap.t;
    r->scd = taut_yardstick_scd(&x->yardstick, result);
    if (!gap.column) return TAUT_OK;
    r->column =
        taut_arena_copy(x->arena, gap.column, strlen(gap.column)); /* it outlives them all */
    return r->column ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* One run of a pair, with its repetitions. */
static taut_status compete(taut_contest *x, const taut_compared_pair *pair, taut_compared_run *r,
                           taut_result **result) {
    const taut_run_options o = taut_contest_options(x, pair, r->tol);
    r->status = taut_contest_run(x, &o, 0.0, result);
    r->repetitions = 1;
    if (taut_contest_is_over(x, r->status)) return r->status;
    r->reason = r->status == TAUT_OK ? "" : taut_contest_reason(x, r->status);
    if (!r->reason) return TAUT_ERR_MEMORY;
    if (!*result) return TAUT_OK;
    r->stats = *taut_result_stats(*result);
    r->stats.not_unique = r->stats.alarm = NULL; /* the result's own */
    TAUT_TRY(measure(x, r, *result));
    return r->status == TAUT_OK ? repeat(x, &o, r) : TAUT_OK;
}

/* What a run differs by from the pair's next one. */
static taut_status measure_own(taut_contest *x, taut_compared_run *r, const taut_result *result,
                               const taut_result *next) {
    double *at = TAUT_NEW_ARRAY(x->arena, x->c->times, double);
    if (!at) return TAUT_ERR_MEMORY;
    r->estimate = taut_yardstick_gap(&x->yardstick, result, next, at).error;
    r->own = at;
    return TAUT_OK;
}

/* The run that only serves to measure the last one. */
static taut_status go_further(taut_contest *x, const taut_compared_pair *pair, taut_compared_run *r,
                              const taut_result *result) {
    taut_result *next = NULL;
    taut_run_options o =
        taut_contest_options(x, pair, fmax(NEXT * r->tol, fmin(TAUT_FINEST, r->tol)));
    o.step *= 0.5;
    taut_status status = taut_contest_run(x, &o, DBL_EPSILON, &next);
    const bool over = taut_contest_is_over(x, status);
    if (status == TAUT_OK) status = measure_own(x, r, result, next);
    taut_result_free(&next);
    return over || status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static void judge(taut_contest *x, taut_compared_run *r, int tol, double own) {
    r->allowed = taut_contest_allowed(x, tol, own);
    r->disagrees = r->allowed < 1.0 && r->error > r->allowed;
    x->c->disagreements += r->disagrees;
    x->c->finished += r->status == TAUT_OK;
    x->c->failed += r->status != TAUT_OK;
}

/* A run that was given up need not be tried at smaller tolerances. */
static void leave_out(taut_compared_run *r, const taut_compared_run *before) {
    r->status = before->status;
    r->reason = "not tried: it would have taken longer still";
}

static taut_status compete_all(taut_contest *x, taut_compared_pair *pair, taut_compared_run *run,
                               taut_result **last) {
    taut_compared_run *before = NULL; /* the one that *last belongs to */
    for (int i = 0; i < x->c->tols; i++) {
        taut_result *result = NULL;
        if (i > 0 && run[i - 1].status == TAUT_INTERRUPTED) {
            leave_out(&run[i], &run[i - 1]);
            continue;
        }
        taut_status status = compete(x, pair, &run[i], &result);
        if (status == TAUT_OK && i == 0 &&
            (run[i].status == TAUT_ERR_CALL || run[i].status == TAUT_ERR_INPUT)) {
            pair->skipped = run[i].reason;
            x->planned -= x->c->tols;
            return TAUT_OK;
        }
        if (status == TAUT_OK && run[i].status == TAUT_OK && before)
            status = measure_own(x, before, *last, result);
        if (run[i].status == TAUT_OK) {
            taut_result_free(last);
            *last = result;
            before = &run[i];
        } else {
            taut_result_free(&result);
        }
        TAUT_TRY(status);
    }
    if (before) TAUT_TRY(go_further(x, pair, before, *last));
    double own = 0.0; /* of a run without a next one, that of the one before must do */
    for (int i = 0; i < x->c->tols; i++) {
        if (isfinite(run[i].estimate)) own = run[i].estimate;
        judge(x, &run[i], i, own);
    }
    return TAUT_OK;
}

static taut_status enter(taut_contest *x, taut_compared_pair *pair) {
    taut_result *last = NULL;
    taut_compared_run *run = TAUT_NEW_ARRAY(x->arena, x->c->tols, taut_compared_run);
    if (!run) return TAUT_ERR_MEMORY;
    for (int i = 0; i < x->c->tols; i++)
        run[i] = (taut_compared_run){.tol = x->tol[i],
                                     .status = TAUT_INTERRUPTED,
                                     .reason = "interrupted",
                                     .error = (double)NAN,
                                     .t = (double)NAN,
                                     .scd = (double)NAN,
                                     .estimate = (double)NAN};
    const taut_status status = compete_all(x, pair, run, &last);
    taut_result_free(&last);
    if (!pair->skipped) pair->run = run;
    return status;
}

/* ---- what is to be done ---- */

/* Equations as they are given, and minimal coordinates, if something restricts the variables. */
static taut_status choose_given(taut_contest *x, taut_errors *errors) {
    const taut_compare_options *o = x->options;
    taut_prepared p;
    for (int i = 0; i < o->formulations; i++)
        if (taut_formulation_find(o->formulation[i]))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "the formulation %s is for mechanisms only; this file gives its "
                             "equations as a %s: leave it out, or use minimal",
                             o->formulation[i], taut_model_kind_name(x->model));
    x->formulation[x->formulations++] = NULL;
    const taut_status status = taut_prepare(x->model, &p, NULL); /* the runs say what is wrong */
    if (status == TAUT_OK && !taut_prepared_is_free(&p))
        x->formulation[x->formulations++] = TAUT_MINIMAL;
    taut_prepared_release(&p);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static taut_status choose_formulations(taut_contest *x, taut_errors *errors) {
    if (x->model->kind != TAUT_MODEL_MECHANISM) return choose_given(x, errors);
    const int room = (int)(sizeof x->formulation / sizeof x->formulation[0]);
    for (int k = 0; taut_formulation_name(k) && x->formulations < room; k++)
        x->formulation[x->formulations++] = taut_formulation_name(k);
    return TAUT_OK;
}

/* Options that nobody has filled, and lists that are not there. */
static taut_status check_lists(const taut_compare_options *o, taut_errors *errors) {
    if (o->cookie != COOKIE)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "the options have not been filled: begin with taut_compare_options_default()");
    TAUT_TRY(taut_options_check_cookie(&o->run, errors));
    const char *const *const list[] = {o->formulation, o->solver};
    const int count[] = {o->formulations, o->solvers};
    bool there = o->tols == 0 || (o->tols > 0 && o->tol);
    for (int i = 0; i < 2; i++) {
        there = there && (count[i] == 0 || (count[i] > 0 && list[i]));
        for (int k = 0; there && k < count[i]; k++) there = list[i][k] != NULL;
    }
    if (there) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "a list of tolerances, formulations or solvers is shorter than it is said to "
                     "be, or NULL");
}

/* *own: the one of the names that name(k) gives which is the wanted one. */
static taut_status check_name(const char *what, const char *(*name)(int), const char *wanted,
                              const char **own, taut_errors *errors) {
    char list[200] = "";
    taut_nearest nearest = {.wanted = wanted};
    for (int k = 0; name(k); k++) {
        *own = name(k); /* lives longer than the caller's */
        if (strcmp(*own, wanted) == 0) return TAUT_OK;
        taut_nearest_offer(&nearest, name(k));
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k > 0 ? ", " : "",
                 name(k));
    }
    if (nearest.best)
        return taut_fail(errors, TAUT_ERR_CALL, "unknown %s '%s'; did you mean '%s'?", what, wanted,
                         nearest.best);
    return taut_fail(errors, TAUT_ERR_CALL, "unknown %s '%s': there are %s", what, wanted, list);
}

/* Tolerances from the largest to the smallest, each once. */
static taut_status choose_tols(taut_contest *x, taut_errors *errors) {
    static const double usual[] = {1e-6, 1e-8, 1e-10}, fixed[] = {1e-9};
    const taut_compare_options *o = x->options;
    const double *tol = o->tols > 0 ? o->tol : o->run.step > 0.0 ? fixed : usual;
    const int tols = o->tols > 0 ? o->tols : o->run.step > 0.0 ? 1 : 3;
    if (tols > MOST_TOLS)
        return taut_fail(errors, TAUT_ERR_CALL, "at most %d tolerances can be compared",
                         (int)MOST_TOLS);
    if (tols > 1 && o->run.step > 0.0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "with a fixed step there is one tolerance, not %d; leave out one of the "
                         "two",
                         tols);
    x->tol = TAUT_NEW_ARRAY(x->arena, tols, double);
    if (!x->tol) return TAUT_ERR_MEMORY;
    int count = 0;
    for (int i = 0; i < tols; i++) {
        if (!(tol[i] >= 1e-15) || tol[i] > 0.1)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "tolerances to compare go from 1e-15 to 0.1; this one is %g", tol[i]);
        int place = count;
        while (place > 0 && x->tol[place - 1] < tol[i]) place--;
        if (place > 0 && x->tol[place - 1] == tol[i]) continue;
        memmove(x->tol + place + 1, x->tol + place, (size_t)(count - place) * sizeof *x->tol);
        x->tol[place] = tol[i];
        count++;
    }
    x->c->tol = x->tol;
    x->c->tols = count;
    return TAUT_OK;
}

static taut_status choose_pairs(taut_contest *x, taut_errors *errors) {
    const taut_compare_options *o = x->options;
    const char **formulation = TAUT_NEW_ARRAY(x->arena, o->formulations, const char *);
    const char **solver = TAUT_NEW_ARRAY(x->arena, o->solvers, const char *);
    if (!formulation || !solver) return TAUT_ERR_MEMORY;
    for (int i = 0; i < o->formulations; i++)
        TAUT_TRY(check_name("formulation", taut_formulation_name, o->formulation[i],
                            &formulation[i], errors));
    for (int i = 0; i < o->solvers; i++) {
        solver[i] = "auto";
        if (strcmp(o->solver[i], "auto") != 0)
            TAUT_TRY(check_name("solver", taut_solver_name, o->solver[i], &solver[i], errors));
    }
    int solvers = o->solvers;
    while (o->solvers == 0 && taut_solver_name(solvers)) solvers++;
    const int formulations = o->formulations > 0 ? o->formulations : x->formulations;
    x->c->pairs = formulations * solvers;
    x->pair = TAUT_NEW_ARRAY(x->arena, x->c->pairs, taut_compared_pair);
    if (!x->pair) return TAUT_ERR_MEMORY;
    for (int f = 0, i = 0; f < formulations; f++)
        for (int k = 0; k < solvers; k++)
            x->pair[i++] = (taut_compared_pair){
                .formulation = o->formulations > 0 ? formulation[f] : x->formulation[f],
                .solver = o->solvers > 0 ? solver[k] : taut_solver_name(k)};
    x->c->pair = x->pair;
    return TAUT_OK;
}

static bool is_among(const taut_contest *x, const char *formulation) {
    for (int i = 0; i < x->c->pairs; i++)
        if (x->pair[i].formulation && strcmp(x->pair[i].formulation, formulation) == 0) return true;
    return false;
}

/* Reports what is wrong with the options that are for this formulation alone, such as a joint that
 * does not exist: otherwise all its pairs would be left out. */
static taut_status try_options(taut_contest *x, const char *formulation, taut_errors *errors) {
    const taut_compared_pair pair = {.formulation = formulation, .solver = "erk"};
    const taut_run_options asked = taut_contest_options(x, &pair, x->tol[0]);
    taut_run_options o = taut_run_options_default();
    taut_simulation *s = NULL;
    o.formulation = formulation;
    o.solver = pair.solver;
    o.base = asked.base;
    o.subspace = asked.subspace;
    o.no_continuation = asked.no_continuation;
    o.cut = asked.cut;
    o.multipliers = asked.multipliers;
    x->said->count = x->said->dropped = 0;
    taut_status status = taut_simulation_create(x->model, &o, &s, x->said);
    if (status == TAUT_OK) status = taut_simulation_start(s, x->said);
    taut_simulation_free(&s);
    if (status == TAUT_ERR_CALL && x->said->count > 0)
        return taut_fail(errors, status, "%s", x->said->item[0].message);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* An option that is for one formulation needs pairs that have it. */
static taut_status check_use(taut_contest *x, taut_errors *errors) {
    const taut_run_options *o = &x->options->run;
    const char *relative = o->cut ? "options.cut" : o->multipliers ? "options.multipliers" : NULL;
    const char *minimal = o->base              ? "options.base"
                          : o->subspace        ? "options.subspace"
                          : o->no_continuation ? "options.no_continuation"
                                               : NULL;
    TAUT_TRY(taut_options_check_kind(x->model, o, errors));
    if (relative && !is_among(x, "relative"))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%s is for relative coordinates: add relative to options.formulation, or "
                         "leave it out",
                         relative);
    if (minimal && !is_among(x, TAUT_MINIMAL))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%s is for minimal coordinates: add minimal to options.formulation, or "
                         "leave it out",
                         minimal);
    if (relative) TAUT_TRY(try_options(x, "relative", errors));
    return minimal ? try_options(x, TAUT_MINIMAL, errors) : TAUT_OK;
}

/* The times at which solutions are compared. */
static taut_status choose_times(taut_contest *x, taut_errors *errors) {
    taut_comparison *c = x->c;
    taut_simulation *s = NULL;
    taut_run_options o = taut_run_options_default();
    o.has_tend = x->options->run.has_tend;
    o.tend = x->options->run.tend;
    TAUT_TRY(taut_simulation_create(x->model, &o, &s, errors));
    const taut_run_stats *stats = taut_simulation_stats(s);
    const bool endless = !o.has_tend && !s->prepared->problem->model->has_tend;
    c->t0 = stats->t0;
    c->tend = stats->tend;
    taut_simulation_free(&s);
    if (endless)
        return taut_fail_at(errors, TAUT_ERR_INPUT, x->model->problem_place,
                            "the key 'tend' is missing: give the end of the run there or by "
                            "options.tend");
    c->times = c->t0 == c->tend ? 1 : TIMES;
    x->time = TAUT_NEW_ARRAY(x->arena, c->times, double);
    x->scratch = TAUT_NEW_ARRAY(x->arena, c->times, double);
    x->sensitivity = TAUT_NEW_ARRAY(x->arena, c->tols, double);
    if (!x->time || !x->scratch || !x->sensitivity) return TAUT_ERR_MEMORY;
    for (int i = 0; i < c->times; i++)
        x->time[i] = i == TIMES - 1 ? c->tend
                                    : c->t0 + (c->tend - c->t0) * ((double)i / (double)(TIMES - 1));
    c->time = x->time;
    c->sensitivity = x->sensitivity;
    return TAUT_OK;
}

static taut_status plan(taut_contest *x, taut_errors *errors) {
    if (!(x->options->limit > 0.0))
        return taut_fail(errors, TAUT_ERR_CALL, "a limit of seconds must be above 0");
    TAUT_TRY(choose_formulations(x, errors));
    TAUT_TRY(choose_tols(x, errors));
    TAUT_TRY(choose_pairs(x, errors));
    TAUT_TRY(choose_times(x, errors));
    TAUT_TRY(check_use(x, errors));
    x->planned = 3 + x->c->tols + x->c->pairs * (x->c->tols + 1);
    return TAUT_OK;
}

/* ---- all of it ---- */

static taut_status compare_pairs(taut_contest *x) {
    taut_comparison *c = x->c;
    taut_status status = taut_contest_estimate(x);
    if (status == TAUT_OK) status = taut_contest_sensitivity(x);
    if (status == TAUT_OK) status = taut_contest_witness(x);
    if (c->witness.solver && !c->confirmed) c->disagreements++;
    for (int i = 0; i < c->pairs; i++) {
        if (status == TAUT_OK) status = enter(x, &x->pair[i]);
        if (status != TAUT_OK && !x->pair[i].run) x->pair[i].skipped = "interrupted";
        c->skipped += x->pair[i].skipped != NULL;
    }
    return status == TAUT_OK ? taut_sides_find(c, x->arena, &c->against) : status;
}

static taut_status compare(taut_contest *x, taut_errors *errors) {
    const char *title = taut_model_title(x->model);
    x->said = TAUT_NEW(x->arena, taut_errors);
    x->c->title = taut_arena_copy(x->arena, title, strlen(title));
    x->c->kind = taut_model_kind_name(x->model);
    x->c->limit = x->options->limit;
    if (!x->said || !x->c->title) return TAUT_ERR_MEMORY;
    TAUT_TRY(plan(x, errors));
    TAUT_TRY(taut_contest_reference(x, errors));
    return compare_pairs(x);
}

taut_status taut_compare_by(taut_runner *runner, void *user, const taut_model *model,
                            const taut_compare_options *options, taut_comparison **comparison,
                            taut_errors *errors) {
    const taut_compare_options standard = taut_compare_options_default();
    TAUT_NEED(comparison, "comparison", errors);
    *comparison = NULL;
    TAUT_NEED(model, "model", errors);
    if (options) TAUT_TRY(check_lists(options, errors));
    holder *h = taut_new(sizeof *h);
    if (!h) return TAUT_ERR_MEMORY;
    taut_contest x = {.runner = runner,
                      .user = user,
                      .model = model,
                      .options = options ? options : &standard,
                      .c = &h->base,
                      .arena = &h->arena};
    const taut_status status = compare(&x, errors);
    const bool compared = x.truth && (status == TAUT_OK || status == TAUT_INTERRUPTED);
    taut_result_free(&x.truth);
    *comparison = &h->base;
    if (!compared) taut_comparison_free(comparison);
    return status;
}

static taut_status simulate(void *user, const taut_model *model, const taut_run_options *options,
                            double nudge, taut_result **result, taut_errors *errors) {
    (void)user;
    return taut_simulate_nudged(model, options, nudge, result, errors);
}

taut_status taut_compare(const taut_model *model, const taut_compare_options *options,
                         taut_comparison **comparison, taut_errors *errors) {
    return taut_compare_by(simulate, NULL, model, options, comparison, errors);
}

void taut_comparison_free(taut_comparison **comparison) {
    if (!comparison || !*comparison) return;
    holder *h = (holder *)*comparison; /* its first member */
    taut_arena_release(&h->arena);
    taut_release((void **)&h);
    *comparison = NULL;
}
