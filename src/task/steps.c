/* Steps: which method and which constraints for the next one, the step itself, the accounts. */
#include <assert.h>
#include <float.h>
#include <math.h>

#include "core/bits.h"
#include "core/bounds.h"
#include "core/clock.h"
#include "core/hash.h"
#include "task/adapt.h"
#include "task/resolve.h"
#include "task/sensitivity.h"

/* A choice of constraints is given up when the condition has fallen to this part of its best and
 * costs digits: when rounding, divided by it, comes this close to the tolerance. */
static const double FADED = 0.05, FELT = 3e-4;

taut_status taut_simulation_supervise(taut_simulation *s) {
    const taut_phase before = taut_count_for(s->watch, TAUT_PHASE_STEPS);
    assert(s->stepper);
    double residual = taut_stepper_residual(s->stepper);
    if (s->prepared->problem->constraint) /* they restrict nothing, so the stepper sees none */
        residual = taut_observer_residual(s->observer, s->stepper, s->stepper->t);
    s->stats.constraint_residual = taut_larger(s->stats.constraint_residual, residual);
    const taut_status status = taut_alarm_step(s, residual);
    taut_observer_expect_nothing(s->observer);
    if (s->prepared->problem->conservative) {
        s->largest_drift = taut_larger(s->largest_drift, fabs(s->alarm.now - s->alarm.first));
        s->largest_kinetic = s->alarm.kinetic;
    }
    taut_count_for(s->watch, before);
    return status;
}

/* Goes on from a state, with the constraints that were chosen anew. */
static taut_status change_constraints(taut_simulation *s, const taut_state *from,
                                      taut_errors *errors) {
    TAUT_TRY(taut_equip_adopt(s, errors));
    taut_series *series = taut_observer_series(s->observer);
    taut_state_take(s->state, from);
    taut_state_write(s->state, series);
    /* what was left out holds but for rounding, which a first step would take for its own error */
    if (taut_series_settle(series, true, NULL, NULL) == TAUT_ERR_MEMORY) return TAUT_ERR_MEMORY;
    taut_state_read(s->state, series);
    TAUT_TRY(taut_equip_begin(s, s->state, errors));
    s->good_rcond = taut_stepper_rcond(s->stepper);
    s->waited = 0;
    return taut_trace_mark(&s->trace, s->stepper->t, TAUT_MARK_CONSTRAINTS,
                           "other redundant constraints are left out from here on");
}

/* Redundant constraints: the set that was left out may become a poor choice as the mechanism moves.
 * Chooses again and goes on from the present state with the new set; *changed tells if it did. */
static taut_status choose_constraints(taut_simulation *s, bool *changed, taut_errors *errors) {
    TAUT_TRY(taut_program_leave(s));
    const int count = s->prepared->problem->first_constraint;
    taut_arena arena = {0};
    taut_state *now = s->state;
    double *x = TAUT_NEW_ARRAY(&arena, 2 * (size_t)count, double); /* positions, velocities */
    taut_status status = x ? TAUT_OK : TAUT_ERR_MEMORY;
    taut_stepper_point(s->stepper, now);
    for (int j = 0; j < count && status == TAUT_OK; j++)
        for (int k = 0; k < 2 && k < s->prepared->structure.offsets.d[j]; k++)
            x[k * count + j] = *taut_state_at(now, j, k);
    const taut_motion motion = {now->t, x, x ? x + count : NULL};
    if (status == TAUT_OK) status = taut_prepare_choose(s->prepared, &motion, changed);
    if (status == TAUT_OK && *changed) {
        s->state = NULL; /* the stepper to come has another one */
        status = change_constraints(s, now, errors);
        taut_state_free(&now);
    }
    taut_arena_release(&arena);
    return status;
}

/* Choosing again takes as long as dozens of steps, so it must be worth it. */
static bool has_faded(const taut_simulation *s) {
    const double rcond = taut_stepper_rcond(s->stepper);
    const double tol = fmax(s->options.rtol, s->options.atol);
    return rcond < FADED * s->good_rcond && DBL_EPSILON > FELT * tol * rcond;
}

/* If constraints were left out and the choice has faded, chooses again. */
static taut_status renew_constraints(taut_simulation *s, taut_errors *errors) {
    bool changed = false;
    const bool shares = taut_loose_shares(s);
    if (!s->prepared->full && !shares) return TAUT_OK;
    if (has_faded(s)) {
        if (shares) TAUT_TRY(taut_loose_renew(s, &changed, errors));
        if (s->prepared->full && !changed) TAUT_TRY(choose_constraints(s, &changed, errors));
        if (!changed) s->good_rcond = taut_stepper_rcond(s->stepper);
    }
    s->good_rcond = fmax(s->good_rcond, taut_stepper_rcond(s->stepper));
    return TAUT_OK;
}

/* Everything before the step of the stepper. *done: the stiff method has taken it. */
static taut_status prepare_step(taut_simulation *s, bool *done, taut_errors *errors) {
    *done = false;
    TAUT_TRY(taut_adapt(s));
    TAUT_TRY(renew_constraints(s, errors));
    TAUT_TRY(taut_happen_aim(s));
    if (!s->adapts || !s->method->stiff) return TAUT_OK;
    taut_status status = taut_stepper_step(s->stepper, NULL);
    *done = status == TAUT_OK || status == TAUT_ERR_MEMORY || !taut_adapt_give_up(s);
    return *done ? status : taut_happen_aim(s);
}

taut_status taut_simulation_check_started(const taut_simulation *s, taut_errors *errors) {
    if (!s) return taut_fail(errors, TAUT_ERR_CALL, "the simulation is NULL");
    if (s->name && !s->waits) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "the simulation has not started: call taut_simulation_start");
}

/* What a call without a status had to say. */
static taut_status report_misuse(taut_simulation *s, taut_errors *errors) {
    if (!s->misuse[0]) return TAUT_OK;
    taut_fail(errors, TAUT_ERR_CALL, "%s", s->misuse);
    s->misuse[0] = '\0';
    return TAUT_ERR_CALL;
}

/* A step of length zero: to the other side of an event. */
static taut_status pass_event(taut_simulation *s, taut_errors *errors) {
    const double begin = taut_seconds();
    s->stopped = taut_happen_fire(s, errors);
    s->stats.wall_s += taut_seconds() - begin;
    return s->stopped;
}

/* To read the clock twice takes a tenth of the shortest steps. After the first ones of a run, steps
 * that are as short as that are timed by sample: one of SAMPLE, by chance, which counts so often.
 */
enum { TIMED = 1024, SAMPLE = 16 };
static const double SHORT = 5e-6; /* seconds */

static int count_of_step(taut_simulation *s) {
    const long step = s->begun++;
    if (s->untimed) return 0;
    if (s->watch || step < TIMED || s->stats.wall_s > SHORT * (double)step) return 1;
    return taut_hash_pair((uint64_t)step, 0) % SAMPLE == 0 ? SAMPLE : 0;
}

taut_status taut_simulation_begin_step(taut_simulation *s, taut_stepper **stepper,
                                       taut_errors *errors) {
    bool done;
    *stepper = NULL;
    TAUT_TRY(taut_simulation_check_started(s, errors));
    TAUT_TRY(report_misuse(s, errors));
    if (s->stopped != TAUT_OK)
        return taut_fail(errors, s->stopped,
                         "the simulation has stopped at t = %.10g and cannot go on; start it again",
                         s->stats.reached);
    if (taut_happen_is_pending(s)) return pass_event(s, errors);
    if (s->stepper->t == s->tend || (s->happen && s->happen->halted)) return TAUT_AT_END;
    s->counted = taut_count_for(s->watch, TAUT_PHASE_STEPS);
    s->counts = count_of_step(s);
    s->step_began = s->counts > 0 ? taut_seconds() : 0.0;
    s->stats.reached = s->stepper->t;
    s->row_time = (double)NAN;
    const taut_status status = prepare_step(s, &done, errors);
    if (done || status != TAUT_OK) return taut_simulation_end_step(s, status, errors);
    *stepper = s->stepper;
    return TAUT_OK;
}

taut_status taut_simulation_end_step(taut_simulation *s, taut_status stepped, taut_errors *errors) {
    s->stopped = stepped;
    if (s->stopped == TAUT_OK) s->stopped = taut_sensitivity_step(s, errors);
    if (s->counts > 0) s->stats.wall_s += s->counts * (taut_seconds() - s->step_began);
    taut_count_for(s->watch, s->counted);
    if (s->stopped == TAUT_OK) s->stopped = taut_happen_look(s, errors);
    if (s->stepper) s->stats.reached = taut_simulation_reached(s);
    s->time = s->stats.reached;
    if (s->stopped != TAUT_OK) return s->stopped;
    TAUT_TRY(taut_simulation_supervise(s));
    if (isfinite(s->stepper->singular))
        TAUT_TRY(taut_trace_mark(&s->trace, s->stepper->singular, TAUT_MARK_SINGULAR,
                                 "singular position: constraints are dependent for an instant"));
    return s->alarm.held ? TAUT_OK : taut_alarm_tell(s, s->stepper->t == s->tend, errors);
}

taut_status taut_simulation_step(taut_simulation *s, taut_errors *errors) {
    taut_stepper *stepper;
    TAUT_TRY(taut_simulation_begin_step(s, &stepper, errors));
    if (!stepper) return TAUT_OK;
    return taut_simulation_end_step(s, taut_stepper_step(stepper, errors), errors);
}

taut_status taut_simulation_set_end(taut_simulation *s, double tend) {
    s->tend = tend;
    return taut_stepper_set_end(s->stepper, tend);
}

taut_status taut_simulation_run_to(taut_simulation *s, double t, taut_errors *errors) {
    TAUT_TRY(taut_simulation_check_started(s, errors));
    TAUT_TRY(report_misuse(s, errors));
    const double sign = s->tend < s->t0 ? -1.0 : 1.0;
    if (!(sign * (t - s->tend) <= 0.0))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "t = %.17g is beyond the end of the run, %.17g: set tend in the options",
                         t, s->tend);
    if (sign * (t - taut_simulation_begin(s)) < 0.0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "t = %.17g is before the last step, which began at %.17g: a simulation "
                         "does not go back; start it again",
                         t, taut_simulation_begin(s));
    while (sign * (t - taut_simulation_reached(s)) > 0.0 ||
           (t == taut_simulation_reached(s) && taut_happen_is_pending(s))) {
        TAUT_TRY(taut_bounds_ask());
        TAUT_TRY(taut_simulation_step(s, errors));
    }
    s->time = t;
    return TAUT_OK;
}

double taut_simulation_time(const taut_simulation *s) { return s ? s->time : (double)NAN; }
double taut_simulation_begin(const taut_simulation *s) {
    if (!s) return (double)NAN;
    return s->stepper ? s->stepper->begin : s->time;
}
double taut_simulation_reached(const taut_simulation *s) {
    if (!s) return (double)NAN;
    if (taut_happen_is_pending(s)) return s->happen->time;
    return s->stepper ? s->stepper->t : s->time;
}
