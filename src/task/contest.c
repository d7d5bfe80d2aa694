/* Runs of a comparison, and what they are measured by. */
#include "task/contest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/number.h"
#include "core/status.h"
#include "task/plan.h"

enum { REASON = 1100, CANDIDATES = 6 };
static const double BETTER = 1e-3;   /* tolerance of the reference, beside the smallest one */
static const double WITNESS = 1e-12; /* that of a witness of low order is not below this */
/* A disagreement is larger than so many times the pair's own estimate, and than so many times the
 * tolerance, or what the motion makes of it. */
static const double OWN = 10.0, FAR = 1000.0;

/* Solvers for the reference and for its witness, the best first. */
static const char *const SOLID[CANDIDATES] = {"auto", "ho", "adams", "bdf", "erk", "ida"};
static const char *const OTHERS[CANDIDATES] = {"ho", "adams", "bdf", "taylor", "erk", "ida"};

/* ---- one run ---- */

static int on_progress(void *user, double fraction) {
    taut_contest *x = user;
    const taut_run_options *o = &x->options->run;
    const double all = ((double)x->done + fraction) / (double)(x->planned > 0 ? x->planned : 1);
    x->shown = fmax(x->shown, fmin(all, 1.0));
    x->late = taut_seconds() - x->begun > x->options->limit;
    x->interrupted = o->progress && o->progress(o->user, x->shown);
    return x->late || x->interrupted;
}

/* Options of any run; how it is solved is for the caller to say. */
static taut_run_options common_options(taut_contest *x, const taut_compared_pair *pair,
                                       double tol) {
    taut_run_options o = taut_run_options_default();
    o.rtol = o.atol = tol;
    o.formulation = pair->formulation;
    o.solver = pair->solver;
    o.has_tend = x->options->run.has_tend;
    o.tend = x->options->run.tend;
    o.starts = x->options->run.starts;
    o.memory = x->options->run.memory;
    o.at = x->time;
    o.ats = x->c->times;
    /* reference and witness look closer than those whom they judge */
    const double part = fabs(x->time[x->c->times - 1] - x->time[0]) / 97.0;
    const double asked = x->options->run.max_step;
    o.max_step = asked > 0.0 && part > 0.0 ? fmin(0.61 * asked, part) : part;
    o.progress = on_progress;
    o.user = x;
    return o;
}

taut_run_options taut_contest_options(taut_contest *x, const taut_compared_pair *pair, double tol) {
    const taut_run_options *asked = &x->options->run;
    const char *formulation = pair->formulation ? pair->formulation : "";
    taut_run_options o = common_options(x, pair, tol);
    o.order = asked->order;
    o.step = asked->step;
    o.max_step = asked->max_step;
    o.per_unit = asked->per_unit;
    if (strcmp(formulation, "minimal") != 0 && strcmp(pair->solver, "ida") != 0)
        o.projection = asked->projection;
    o.stabilize = asked->stabilize;
    o.alpha = asked->alpha;
    o.beta = asked->beta;
    if (strcmp(formulation, "minimal") == 0) {
        o.base = asked->base;
        o.subspace = asked->subspace;
        o.no_continuation = asked->no_continuation;
    } else if (strcmp(formulation, "relative") == 0) {
        o.cut = asked->cut;
        if (taut_plan_method(&o)->ordinary) o.multipliers = asked->multipliers;
    }
    return o;
}

taut_status taut_contest_run(taut_contest *x, const taut_run_options *o, double nudge,
                             taut_result **result) {
    x->said->count = x->said->dropped = 0;
    x->late = false;
    x->begun = taut_seconds();
    const taut_status status = x->runner(x->user, x->model, o, nudge, result, x->said);
    x->done++;
    return status;
}

bool taut_contest_is_over(const taut_contest *x, taut_status status) {
    return status == TAUT_ERR_MEMORY || (status == TAUT_INTERRUPTED && x->interrupted);
}

const char *taut_contest_reason(taut_contest *x, taut_status status) {
    char text[REASON];
    if (status == TAUT_INTERRUPTED && x->late)
        taut_format(text, sizeof text, "given up after %.3g s: %s", x->options->limit,
                    x->said->count ? x->said->item[0].message : "");
    else
        snprintf(text, sizeof text, "%s",
                 x->said->count ? x->said->item[0].message : taut_status_text(status));
    text[strcspn(text, "\n")] = '\0';
    return taut_arena_copy(x->arena, text, strlen(text));
}

/* ---- the reference ---- */

/* Only the two methods of high order reach tolerances near rounding in reasonable time. */
static double reachable(const char *solver, double tol) {
    const bool high = strcmp(solver, "auto") == 0 || strcmp(solver, "taylor") == 0;
    return high ? tol : fmax(tol, WITNESS);
}

static taut_status try_reference(taut_contest *x, taut_compared_pair pair, double tol) {
    x->c->reference_tol = reachable(pair.solver, tol);
    const taut_run_options o = common_options(x, &pair, x->c->reference_tol);
    const taut_status status = taut_contest_run(x, &o, 0.0, &x->truth);
    if (status != TAUT_OK) {
        taut_result_free(&x->truth);
        return status;
    }
    x->asked = x->c->reference = pair;
    x->c->problem = *taut_result_stats(x->truth);
    x->c->reference.solver = x->c->problem.solver;
    return taut_yardstick_make(x->truth, x->arena, &x->yardstick);
}

taut_status taut_contest_reference(taut_contest *x, taut_errors *errors) {
    const double least = x->tol[x->c->tols - 1];
    const double tol = fmax(BETTER * least, fmin(TAUT_FINEST, least));
    taut_status first = TAUT_OK;
    taut_errors *said = TAUT_NEW(x->arena, taut_errors); /* by the first */
    if (!said) return TAUT_ERR_MEMORY;
    bool over = false;
    for (int i = 0; i < x->formulations * CANDIDATES && !over; i++) {
        const taut_compared_pair pair = {.formulation = x->formulation[i / CANDIDATES],
                                         .solver = SOLID[i % CANDIDATES]};
        const taut_status status = try_reference(x, pair, tol);
        if (status == TAUT_OK) return TAUT_OK;
        over = taut_contest_is_over(x, status);
        if (first == TAUT_OK || over) {
            first = status;
            *said = *x->said;
        }
        /* what is wrong with the file or the call is wrong for all, not so what one refuses */
        over = over || (i == 0 && (status == TAUT_ERR_INPUT || status == TAUT_ERR_CALL));
    }
    taut_errors_join(errors, said);
    return first;
}

taut_status taut_contest_estimate(taut_contest *x) {
    const taut_compared_pair pair = x->asked;
    const taut_run_options o = common_options(x, &pair, x->c->reference_tol);
    x->begun = taut_seconds();
    const taut_status status = taut_certify(x->model, &o, x->truth, NULL);
    x->done++;
    const taut_certificate *certificate = taut_result_certificate(x->truth);
    x->c->reference_error = certificate ? certificate->error : (double)NAN;
    return taut_contest_is_over(x, status) ? status : TAUT_OK;
}

taut_status taut_contest_sensitivity(taut_contest *x) {
    const taut_compared_pair pair = x->asked;
    for (int i = 0; i < x->c->tols; i++) {
        taut_result *other = NULL;
        const taut_run_options o = common_options(x, &pair, x->c->reference_tol);
        const taut_status status = taut_contest_run(x, &o, x->tol[i], &other);
        x->sensitivity[i] = (double)NAN;
        if (status == TAUT_OK)
            x->sensitivity[i] =
                taut_yardstick_gap(&x->yardstick, x->truth, other, x->scratch).error;
        taut_result_free(&other);
        if (taut_contest_is_over(x, status)) return status;
    }
    return TAUT_OK;
}

double taut_contest_allowed(const taut_contest *x, int tol, double own) {
    double unit = x->tol[tol];
    unit = fmax(unit, x->sensitivity[tol]); /* either may be NaN, which fmax takes for nothing */
    unit = fmax(unit, x->c->reference_error);
    return fmax(FAR * unit, OWN * own);
}

/* Runs one candidate; keeps it as the witness if it is the nearest so far. */
static taut_status try_witness(taut_contest *x, taut_compared_pair pair) {
    taut_comparison *c = x->c;
    taut_result *other = NULL;
    const double tol = reachable(pair.solver, c->reference_tol);
    const taut_run_options o = common_options(x, &pair, tol);
    const taut_status status = taut_contest_run(x, &o, 0.0, &other);
    if (status == TAUT_OK && !taut_yardstick_misses(&x->yardstick, other)) {
        const double gap = taut_yardstick_gap(&x->yardstick, x->truth, other, x->scratch).error;
        if (!c->witness.solver || gap < c->witness_difference) {
            c->witness = pair;
            c->witness_tol = tol;
            c->witness_difference = gap;
            c->confirmed = gap <= taut_contest_allowed(x, c->tols - 1, 0.0);
        }
    }
    taut_result_free(&other);
    return taut_contest_is_over(x, status) ? status : TAUT_OK;
}

/* Has the reference been found by this solver, or partly? */
static bool has_used(const taut_contest *x, const char *solver) {
    return strstr(x->c->reference.solver, solver) != NULL;
}

/* The same solver in other coordinates sees the same, and is no witness; one that has found a part
 * of the reference is, in other coordinates. */
static taut_status try_formulation(taut_contest *x, const char *formulation, bool same) {
    for (int k = 0; k < CANDIDATES && !x->c->confirmed; k++) {
        if (strcmp(x->c->reference.solver, OTHERS[k]) == 0) continue;
        if (same && has_used(x, OTHERS[k])) continue;
        TAUT_TRY(
            try_witness(x, (taut_compared_pair){.formulation = formulation, .solver = OTHERS[k]}));
    }
    return TAUT_OK;
}

taut_status taut_contest_witness(taut_contest *x) {
    for (int f = 0; f < x->formulations && !x->c->confirmed; f++)
        if (x->formulation[f] != x->asked.formulation)
            TAUT_TRY(try_formulation(x, x->formulation[f], false));
    if (!x->c->confirmed) TAUT_TRY(try_formulation(x, x->asked.formulation, true));
    return TAUT_OK;
}
