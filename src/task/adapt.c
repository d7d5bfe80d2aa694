/* Which method, and how the state gets from one to the other: the stiff method has equations of its
 * own, with the forces of springs and dampers as unknowns. Both methods stay ready once they have
 * been in use. */
#include "task/adapt.h"

#include <math.h>

/* How many steps of Taylor series one of the stiff method may cost. */
static const double COST = 4.0;
/* And how many steps must be left for it to be worth while to form its equations. */
static const double WORTH_WHILE = 50.0;
enum { LOOK_AFTER = 12 };  /* steps of the stiff method */
enum { FIRST_PAUSE = 50 }; /* steps of Taylor series after an attempt that did not pay */

/* ---- the other method ---- */

/* Forces that may be unknowns, so that its equations are different for the stiff method? */
static bool has_forces(const taut_model *m) {
    return m->kind == TAUT_MODEL_MECHANISM || m->kind == TAUT_MODEL_LAGRANGIAN;
}

/* Makes the stiff method ready, with equations of its own. */
static taut_status create_stiff(taut_simulation *s) {
    taut_spare *x = &s->spare;
    const taut_run_options *o = &s->options;
    const bool forces = has_forces(s->model);
    x->prepared = forces || s->lent ? &s->lifted : s->prepared;
    x->method = taut_method_find("ho");
    if (x->prepared == &s->lifted) TAUT_TRY(taut_prepare_again(s->prepared, forces, x->prepared));
    const taut_stepping stepping = {.rtol = o->rtol,
                                    .atol = o->atol,
                                    .max_step = taut_simulation_max_step(s),
                                    .span = taut_simulation_span(s),
                                    .energy = &s->alarm.kinetic,
                                    .per_unit = o->per_unit,
                                    .projection = o->projection,
                                    .reduced = x->prepared->full != NULL,
                                    .watch = s->watch};
    TAUT_TRY(taut_simulation_observe(s, x->prepared, &x->observer));
    TAUT_TRY(taut_state_create(&x->prepared->problem->system, &x->prepared->structure, &x->state));
    TAUT_TRY(taut_stepper_create(x->method, &x->prepared->problem->system, &x->prepared->structure,
                                 &stepping, &x->stepper));
    const double *number = taut_refresh_numbers(s);
    return number ? taut_stepper_set_numbers(x->stepper, number) : TAUT_OK;
}

/* Starts the other method where this one is. Its equations have the same variables, and forces. */
static taut_status start_other(taut_simulation *s) {
    taut_stepper_point(s->stepper, s->state);
    taut_state_forget(s->spare.state);
    taut_state_take(s->spare.state, s->state);
    return taut_stepper_start(s->spare.stepper, s->spare.state, s->tend, NULL);
}

static void exchange(taut_simulation *s) {
    const taut_spare was = {s->prepared, s->observer, s->method,
                            s->stepper,  s->state,    s->good_rcond};
    s->prepared = s->spare.prepared;
    s->observer = s->spare.observer;
    s->method = s->spare.method;
    s->stepper = s->spare.stepper;
    s->state = s->spare.state;
    s->good_rcond = s->spare.good_rcond;
    s->spare = was;
}

/* Goes on with the other method, which has been started. */
static taut_status change(taut_simulation *s, const char *why) {
    exchange(s);
    s->changes++;
    s->waited = 0;
    const double t = s->stepper->t;
    taut_string_add(&s->switched, "t = %.6g: %s, on by %s\n", t, why, s->method->words);
    if (s->switched.failed) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_notebook_switch(&s->notebook, t, why, s->method->name));
    return taut_trace_mark(&s->trace, t, TAUT_MARK_SWITCH, "%s: on by %s", why, s->method->words);
}

/* Anything but a lack of memory only means that everything stays as it is. */
static taut_status stay(taut_simulation *s, taut_status status) {
    s->adapts = false;
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static taut_status look_for_stiffness(taut_simulation *s) {
    const double left = fabs(s->tend - s->stepper->t), h = fabs(s->stepper->t - s->stepper->begin);
    if (++s->waited <= s->stint.pause || !taut_stepper_strained(s->stepper) ||
        left < WORTH_WHILE * h)
        return TAUT_OK;
    taut_status status = s->spare.stepper ? TAUT_OK : create_stiff(s);
    if (status == TAUT_OK) status = start_other(s);
    if (status != TAUT_OK) return stay(s, status);
    s->stint = (taut_stint){.t = s->stepper->t, .h = h, .pause = s->stint.pause};
    return change(s, "stiff");
}

/* Were its steps as long as they cost? If not, the next attempt will be later: a mode that is not
 * much faster than the others would have the methods take turns all the time. */
static void judge_stint(taut_simulation *s) {
    taut_stint *x = &s->stint;
    const bool paid = fabs(s->stepper->t - x->t) >= COST * x->h * (double)x->steps;
    x->pause = paid ? 0 : x->pause > 0 ? 2 * x->pause : FIRST_PAUSE;
}

/* Taylor series started from here tell what steps they would take: short ones as long as there is a
 * fast mode, because it multiplies the last digits of the state. */
static taut_status look_for_an_end(taut_simulation *s) {
    s->stint.steps++;
    if (++s->waited < LOOK_AFTER) return TAUT_OK;
    const taut_status status = start_other(s);
    s->waited = 0;
    if (status != TAUT_OK) return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
    const double other = taut_stepper_ahead(s->spare.stepper);
    if (COST * other <= taut_stepper_ahead(s->stepper)) return TAUT_OK;
    judge_stint(s);
    return change(s, "no longer stiff");
}

/* Steps to come from which on it is worth a word that these are so short for stability alone. */
static const double VERY_MANY = 1e6;

/* Series that were asked for by name go on, but not without a word. */
static taut_status remark_stiffness(taut_simulation *s) {
    const double left = fabs(s->tend - s->stepper->t), h = fabs(s->stepper->t - s->stepper->begin);
    if (s->stint.told || left < VERY_MANY * h || !taut_stepper_strained(s->stepper)) return TAUT_OK;
    s->stint.told = true;
    return taut_notebook_remark(
        &s->notebook,
        "stiff at t = %.6g: %s would need some %.1g steps to the end, however "
        "large the tolerance is; use --solver auto or ho",
        s->stepper->t, s->method->words, left / h);
}

taut_status taut_adapt(taut_simulation *s) {
    if (!s->adapts) return remark_stiffness(s);
    return s->method->stiff ? look_for_an_end(s) : look_for_stiffness(s);
}

bool taut_adapt_give_up(taut_simulation *s) {
    if (!s->adapts || !s->method->stiff || start_other(s) != TAUT_OK) return false;
    s->adapts = false;
    return change(s, "too hard for this method") == TAUT_OK;
}

taut_status taut_adapt_use(taut_simulation *s, bool stiff) {
    if (s->method->stiff == stiff) return TAUT_OK;
    if (!s->spare.stepper) TAUT_TRY(create_stiff(s));
    exchange(s);
    return TAUT_OK;
}
