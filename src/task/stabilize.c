/* The choice, the rates alpha and beta, and the change of the equations. */
#include "task/stabilize.h"

#include <math.h>
#include <string.h>

#include "form/formulation.h"
#include "form/kin.h"

/* So many times the time scale of the first accelerations may pass: at rest there is no other one,
 * otherwise they may only be a violent beginning. */
static const double AT_REST = 3.0, ON_THE_MOVE = 30.0;
static const char *const NAME[] = {"projection", "baumgarte", "none"};

const char *taut_stabilizing_name(taut_stabilizing stabilizing) { return NAME[stabilizing]; }

/* ---- the choice ---- */

static bool is_reference_by_ida(const taut_run_options *o, const taut_formulation *formulation) {
    return formulation == taut_formulation_find("reference") && strcmp(o->solver, "ida") == 0;
}

static taut_status check_rates(const taut_run_options *o, taut_stabilizing stabilizing,
                               taut_errors *errors) {
    const bool given = o->alpha != 0.0 || o->beta != 0.0;
    if (!(o->alpha >= 0.0) || !(o->beta >= 0.0) || !isfinite(o->alpha + o->beta))
        return taut_fail(errors, TAUT_ERR_CALL, "alpha and beta must be above 0");
    if (given && stabilizing != TAUT_BY_BAUMGARTE)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "alpha and beta belong to Baumgarte's equations, but constraints are kept "
                         "by %s here: add options.stabilize = \"baumgarte\"",
                         stabilizing == TAUT_BY_PROJECTION ? "projection" : "nothing");
    return TAUT_OK;
}

taut_status taut_stabilizing_choose(const taut_run_options *o, const taut_formulation *formulation,
                                    taut_stabilizing *stabilizing, taut_errors *errors) {
    *stabilizing = TAUT_BY_PROJECTION;
    if (!o->stabilize && is_reference_by_ida(o, formulation)) *stabilizing = TAUT_BY_BAUMGARTE;
    if (o->stabilize) {
        int k = 0;
        while (k <= TAUT_BY_NOTHING && strcmp(NAME[k], o->stabilize) != 0) k++;
        if (k > TAUT_BY_NOTHING)
            return taut_fail(errors, TAUT_ERR_CALL,
                             "constraints cannot be kept by '%s': there are projection, baumgarte "
                             "and none",
                             o->stabilize);
        *stabilizing = (taut_stabilizing)k;
    }
    return check_rates(o, *stabilizing, errors);
}

/* ---- how fast ---- */

/* Largest values, rates and accelerations by kinds of coordinates; of equations that are given as
 * such, where nobody knows what a variable is, all in one. */
static void find_sizes(const taut_simulation *s, const taut_series *point,
                       double size[TAUT_GROUPS][3]) {
    const int *d = s->prepared->structure.offsets.d;
    const bool given = !s->plan.formulation;
    const int count = given ? s->prepared->structure.n : s->prepared->problem->coordinates;
    for (int j = 0; j < count; j++)
        for (int k = 0; k < 3 && k <= d[j] && d[j] > 0; k++) {
            double *x = &size[given ? TAUT_GROUP_LENGTH : point->system->unknown[j].group][k];
            *x = fmax(*x, fabs(taut_series_get(point, j, k)));
        }
}

/* The time in which the motion changes by its own size, from the initial point: |x|/|x'|, but not
 * less than sqrt(|x|/|x''|) and not much more, over kinds of coordinates; that of accelerations
 * counts only if it is shorter than the run, as they may be nothing but rounding. Angles and
 * directions have the size 1. */
static double time_scale(const taut_simulation *s, const taut_series *point) {
    double size[TAUT_GROUPS][3] = {{0.0}}, rate = 0.0, pull = 0.0;
    find_sizes(s, point, size);
    for (int g = 0; g < TAUT_GROUPS; g++) {
        const double x = g == TAUT_GROUP_LENGTH ? size[g][0] : 1.0;
        if (!(x > 0.0)) continue;
        rate = fmax(rate, size[g][1] / x);
        pull = fmax(pull, sqrt(size[g][2] / x));
    }
    const double span = fabs(s->tend - s->t0);
    double time = span / 10.0;
    if (rate > 0.0) time = fmin(time, 1.0 / rate);
    if (pull * span > 1.0)
        time = fmax(1.0 / pull, fmin(time, (rate > 0.0 ? ON_THE_MOVE : AT_REST) / pull));
    return time > 0.0 ? time : 1.0;
}

/* Errors should be gone after a few steps, and those of a method of order 5 are about tol^(1/6) of
 * the time scale long. */
static void choose_rates(taut_simulation *s, const taut_series *point) {
    const taut_run_options *o = &s->options;
    const double tol = fmax(o->rtol, o->atol);
    s->alpha = s->beta = 0.0;
    if (s->plan.stabilizing == TAUT_BY_NOTHING) return;
    s->alpha = o->alpha > 0.0 ? o->alpha : o->beta;
    s->beta = o->beta > 0.0 ? o->beta : o->alpha;
    if (s->alpha > 0.0) return;
    s->alpha = s->beta = pow(tol, -1.0 / 6.0) / time_scale(s, point);
}

/* ---- the change ---- */

/* Stage 0 of the equations with constraints: accelerations, rates of angles, multipliers. */
static taut_status find_highest(const taut_simulation *s, taut_series *point, taut_errors *errors) {
    const taut_status status = taut_series_settle(point, false, NULL, NULL);
    if (status == TAUT_OK || status == TAUT_ERR_MEMORY) return status;
    return taut_fail_at(errors, TAUT_ERR_INPUT, s->prepared->problem->system.place,
                        "the accelerations cannot be found at the start");
}

taut_status taut_stabilize(taut_simulation *s, taut_errors *errors) {
    if (s->plan.stabilizing == TAUT_BY_PROJECTION) return TAUT_OK;
    taut_series *point = taut_observer_series(s->observer);
    taut_state *was = NULL, *now = NULL;
    TAUT_TRY(find_highest(s, point, errors));
    choose_rates(s, point);
    taut_status status =
        taut_state_create(&s->prepared->problem->system, &s->prepared->structure, &was);
    if (status == TAUT_OK) {
        was->t = s->t0;
        for (int j = 0; j < was->n; j++)
            for (int k = 0; k <= taut_state_order(was, j); k++)
                *taut_state_at(was, j, k) = taut_series_get(point, j, k);
        taut_observer_free(&s->observer);
        /* Backward in time, what is to decay has to grow in t. */
        status = taut_prepare_decay(s->prepared, s->tend < s->t0 ? -s->alpha : s->alpha, s->beta,
                                    errors);
    }
    if (status == TAUT_OK) status = taut_simulation_observe(s, s->prepared, &s->observer);
    if (status == TAUT_OK)
        status = taut_state_create(&s->prepared->problem->system, &s->prepared->structure, &now);
    if (status == TAUT_OK) {
        taut_state_take(now, was);
        taut_state_write(now, taut_observer_series(s->observer));
    }
    taut_state_free(&was);
    taut_state_free(&now);
    return status;
}
