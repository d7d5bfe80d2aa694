/* Steppers that leave the steps to a package: where a step is to end, in which coordinates it is
 * taken, what lies inside it, what a later start needs. */
#include "solve/package.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "expr/diff.h"
#include "solve/singular.h"
#include "solve/sundials.h"

static const double NEWTON_LEAVES = 1e-12; /* see part_of_step */
static const double LOOSE = 1e3;           /* the tolerance of multipliers beside that of states */
static const double CROSSING = 0.58;       /* see plan_end */
static const double LEAST_CUT = 0.05;      /* of a step that is cut before a feature, ... */
enum { MOST_CUTS = 7 };                    /* ... so many times */
static const double TICKS = 4.0, LATE = 100.0; /* see blur */
static const double DRAW = 0.05;               /* see taut_package_drawn_rates */
static const double ABSURD = 1e30;             /* see sturdy_rates in solve/sundials.c */
/* see taut_package_length */
static const double PROPORTIONAL = 0.8, INTEGRAL = 0.31, LEAST_MISS = 1e-10;

/* ---- what the packages ask for ---- */

/* What IDA solves for beside the states: next to nothing in norms where equations restrict the
 * states. Of index 1 it is as well determined as they are, and is to be found, if less exactly. */
static void weigh_others(const taut_package *s, const double *y, double *w) {
    const double tol = fmax(s->options.rtol, s->options.atol);
    double largest = 0.0;
    for (int i = s->flow->states; i < s->n && s->flow->structure->conditions == 0; i++)
        largest = fmax(largest, fabs(y[i]));
    for (int i = s->flow->states; i < s->n; i++)
        w[i] = largest > 0.0 ? 1.0 / (LOOSE * tol * largest) : DBL_MIN;
}

/* How much a state changes between two times that are next to each other, in a run that is short
 * beside the time at which it begins: functions of t are not known better, and at t = 1e6 that is
 * more than a tolerance of 1e-10. */
static double blur(const taut_package *s, int i) {
    const double rate = fabs(s->form ? s->slope[i] : s->lately[i]), span = s->options.span;
    if (!isfinite(rate) || !(span > 0.0) || fabs(s->base.t) <= LATE * span) return 0.0;
    return TICKS * DBL_EPSILON * fabs(s->base.t) * rate;
}

/* The part of these errors that the coming step may have, if they count per unit step. What Newton
 * leaves of IDA's equations does not become smaller with the step. */
static double part_of_step(const taut_package *s) {
    double h = s->usual;
    if (!s->options.per_unit) return 1.0;
    if (s->memory && s->base.t != s->base.begin && s->engine->ahead(s->memory, &h)) h = 0.0;
    const double part = taut_weights_part(&s->options, h);
    if (s->engine != &taut_engine_ida) return part;
    return fmin(1.0, fmax(part, NEWTON_LEAVES / fmax(s->options.rtol, s->options.atol)));
}

void taut_package_weights(taut_package *s, const double *y, double *w) {
    const double part = part_of_step(s);
    s->flow->kind->weights(s->flow, y, s->allowed);
    for (int i = 0; i < s->flow->states; i++) s->allowed[i] *= part;
    for (int i = 0; i < s->flow->states; i++)
        w[i] = isfinite(s->allowed[i]) ? 1.0 / fmax(fmax(s->allowed[i], blur(s, i)), DBL_MIN)
                                       : DBL_MIN;
    weigh_others(s, y, w);
}

taut_status taut_package_drawn_rates(taut_package *s, double t, const double *y, double h,
                                     double *rate) {
    TAUT_TRY(s->flow->kind->project(s->flow, t, y, s->pull));
    for (int i = 0; i < s->n; i++) s->nearest[i] = y[i] + s->pull[i];
    TAUT_TRY(s->flow->kind->rates(s->flow, t, s->nearest, rate));
    memcpy(s->lately, rate, (size_t)s->n * sizeof *rate);
    for (int i = 0; i < s->n && h != 0.0; i++) rate[i] += DRAW / h * s->pull[i];
    return TAUT_OK;
}

taut_status taut_package_project(taut_package *s, double t, double *y) {
    TAUT_TRY(s->flow->kind->project(s->flow, t, y, s->rate));
    for (int i = 0; i < s->n; i++) y[i] += s->rate[i];
    return TAUT_OK;
}

/* ARKODE's own choice of the next step (a PI controller, Hairer and Wanner, section IV.2), written
 * out because it looks back on the error of the step before: a run that goes on from a state has it
 * from there. */
double taut_package_length(taut_package *s, double h, double error, double before, int p) {
    if (s->resumed && s->base.t == s->base.begin) before = s->missed;
    s->latest = error;
    return h * pow(fmax(error, LEAST_MISS), -PROPORTIONAL / p) *
           pow(fmax(before, LEAST_MISS), INTEGRAL / p);
}

void taut_package_complete(taut_package *s) {
    memcpy(s->slope, s->rate, (size_t)s->flow->states * sizeof *s->rate);
    for (int i = s->flow->states; i < s->n; i++) s->y[i] = s->slope[i] = 0.0;
    for (int j = 0; j < s->flow->system->n; j++)
        if (s->flow->structure->offsets.d[j] == 0)
            s->y[taut_index2_algebraic(s->form, j)] = s->ode->guess[j];
}

/* ---- creation ---- */

static void release(taut_stepper *stepper) {
    taut_package *s = (taut_package *)stepper;
    if (s->vendor) s->engine->close(s);
    taut_index2_free(&s->form);
    if (s->flow) s->flow->kind->release(s->flow);
    taut_arena_release(&s->arena);
    taut_release((void **)&s);
}

static taut_status allocate(taut_package *s) {
    s->n = s->form ? taut_index2_size(s->form) : s->flow->states;
    double **array[] = {&s->y,      &s->before,      &s->rate,  &s->pull,    &s->nearest,
                        &s->inside, &s->inside_rate, &s->slope, &s->allowed, &s->lately};
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++)
        if (!(*array[i] = TAUT_NEW_ARRAY(&s->arena, s->n, double))) return TAUT_ERR_MEMORY;
    s->inside_x = TAUT_NEW_ARRAY(&s->arena, s->flow->values, double);
    return s->inside_x ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* The flow, and what a package needs beside it. */
static taut_status create_flow(taut_package *s, const taut_system *system,
                               const taut_structure *structure) {
    const taut_flow_maker *maker = s->options.maker ? s->options.maker : &taut_ode_maker;
    TAUT_TRY(maker->create(maker->user, system, structure, &s->options, &s->arena, &s->flow));
    s->flow->series->watch = s->options.watch;
    if (s->engine == &taut_engine_bdf && s->flow->kind->differentiate)
        TAUT_TRY(s->flow->kind->differentiate(s->flow));
    if (s->engine != &taut_engine_ida || maker != &taut_ode_maker) return TAUT_OK;
    s->ode = (taut_ode *)s->flow;
    return taut_index2_create(s->ode, &s->form);
}

static taut_status create(const taut_engine *engine, const taut_system *system,
                          const taut_structure *structure, const taut_stepping *options,
                          taut_stepper **stepper) {
    taut_package *s = NULL;
    size_t room = 0;
    *stepper = NULL;
    if (taut_grow((void **)&s, &room, 1, sizeof *s)) return TAUT_ERR_MEMORY;
    *s = (taut_package){.engine = engine, .options = *options};
    taut_status status = taut_vigil_create(system, options, &s->arena, &s->vigil);
    if (status == TAUT_OK) status = create_flow(s, system, structure);
    if (status == TAUT_ERR_CALL) { /* said by check() */
        s->failed = status;
        status = TAUT_OK;
    }
    if (status == TAUT_OK) status = allocate(s);
    if (status == TAUT_OK) status = taut_vendor_create(&s->arena, &s->vendor);
    if (status == TAUT_OK)
        *stepper = &s->base;
    else
        release(&s->base);
    return status;
}

/* ---- what is remembered ---- */

static bool remembers(const taut_package *s) {
    return (s->engine == &taut_engine_erk || s->engine == &taut_engine_rk4) &&
           s->flow->kind->remember;
}

static void remember(const taut_stepper *stepper, taut_memory *memory) {
    const taut_package *s = (const taut_package *)stepper;
    double ahead = 0.0;
    if (!remembers(s)) return;
    if (s->memory && s->base.t != s->base.begin && s->engine->ahead(s->memory, &ahead)) return;
    taut_memory_put(memory, s->end == s->tend && ahead != 0.0 ? ahead : s->usual);
    taut_memory_put(memory, s->missed);
    s->flow->kind->remember(s->flow, memory);
}

static void recall(taut_package *s, const taut_state *from) {
    taut_recall r = taut_state_recall(from, s->base.method->name);
    if (!remembers(s) || r.memory->count == 0) return;
    s->usual = taut_recall_get(&r);
    s->missed = taut_recall_get(&r);
    s->resumed = true;
    s->flow->kind->recall(s->flow, &r);
}

/* ---- the start ---- */

static taut_status check(const taut_package *s, taut_errors *errors) {
    const char *name = s->base.method->name;
    const bool fixed = s->options.step > 0.0;
    if (s->n == 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%s has nothing to integrate: no variable is differentiated; use taylor",
                         name);
    if (s->engine == &taut_engine_ida && !s->ode)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "ida solves equations with their constraints, and these coordinates have "
                         "none: use bdf, or the formulation natural");
    if (s->failed == TAUT_ERR_CALL)
        return taut_fail_at(errors, TAUT_ERR_CALL, s->flow->system->place,
                            "%s does not take derivatives of order %d and more; use taylor", name,
                            TAUT_SWEEP_ORDERS);
    if (s->engine == &taut_engine_rk4 && !fixed)
        return taut_fail(errors, TAUT_ERR_CALL, "rk4 needs a fixed step: give one");
    if (fixed && s->engine != &taut_engine_rk4 && s->engine != &taut_engine_erk)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "%s chooses its own steps; a fixed one is for taylor, ho, erk and rk4",
                         name);
    if (s->options.order > 0 && s->engine == &taut_engine_rk4)
        return taut_fail(errors, TAUT_ERR_CALL, "the order of rk4 is fixed");
    /* ARKODE interpolates by polynomials of degree 5 at most */
    if (s->options.order > 0 && s->engine == &taut_engine_erk && !s->flow->kind->inside)
        return taut_fail(errors, TAUT_ERR_CALL, "the order of erk is fixed");
    if (s->engine->has_order && !s->engine->has_order(s->options.order))
        return taut_fail(errors, TAUT_ERR_CALL, "the orders of erk are 5, 6 and 8");
    const int most = s->engine->most_order;
    if (s->options.order > most)
        return taut_fail(errors, TAUT_ERR_CALL, "the order of %s is at most %d", name, most);
    return TAUT_OK;
}

static taut_status open_engine(taut_package *s) {
    s->engine->close(s);
    TAUT_TRY(s->engine->open(s));
    if (!isfinite(s->vigil.cap) || s->options.step > 0.0) return TAUT_OK;
    return s->engine->set_longest(s->memory, s->vigil.cap) ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status start(taut_stepper *stepper, const taut_state *from, double tend,
                         taut_errors *errors) {
    taut_package *s = (taut_package *)stepper;
    s->tend = tend;
    s->inside_t = (double)NAN;
    TAUT_TRY(check(s, errors));
    s->past = (taut_stepper_stats){0};
    s->end = tend;
    s->usual = 0.0;
    s->missed = 1.0;
    s->resumed = false;
    taut_status status = s->flow->kind->start(s->flow, from, s->y, s->rate);
    if (status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS)
        return taut_fail_at(errors, TAUT_ERR_NUMERICS, s->flow->system->place,
                            "the highest derivatives cannot be found at the start");
    TAUT_TRY(status);
    memcpy(s->before, s->y, (size_t)s->n * sizeof *s->y);
    memcpy(s->lately, s->rate, (size_t)s->flow->states * sizeof *s->rate);
    recall(s, from);
    return tend == s->base.t ? TAUT_OK : open_engine(s);
}

static taut_status set_end(taut_stepper *stepper, double tend) {
    taut_package *s = (taut_package *)stepper;
    if (s->end == s->tend) s->end = tend;
    s->tend = tend;
    return s->memory || tend == s->base.t ? TAUT_OK : open_engine(s);
}

/* ---- inside the last step ---- */

/* All states and their rates at a time inside the last step. At its ends the states themselves:
 * they satisfy the constraints, which interpolation does not know. */
static void interpolate(taut_package *s, double time) {
    const bool moved = s->memory && s->base.t != s->base.begin;
    if (!moved || s->engine->derivative(s, time, 1, s->inside_rate))
        memcpy(s->inside_rate, s->rate, (size_t)s->n * sizeof *s->rate);
    const bool between = time != s->base.t && time != s->base.begin;
    if (!between || s->engine->derivative(s, time, 0, s->inside))
        memcpy(s->inside, time == s->base.begin ? s->before : s->y, (size_t)s->n * sizeof *s->y);
}

static void look_inside(taut_package *s, double time) {
    if (time == s->inside_t) return;
    if (s->flow->kind->inside) {
        s->flow->kind->inside(s->flow, time, s->inside_x);
    } else {
        interpolate(s, time);
        s->flow->kind->values(s->flow, s->inside, s->inside_rate, s->inside_x);
    }
    s->inside_t = time;
}

static double value(const taut_stepper *stepper, int j, int k, double time) {
    taut_package *s =
        (taut_package *)stepper; /* what is computed is kept: a row asks for every variable */
    look_inside(s, time);
    return s->inside_x[s->flow->value[j] + k];
}

/* ---- a step ---- */

/* A driver that asks for more than a linkage can reach, at the last point. */
static taut_status explain_dead_point(taut_package *s, taut_errors *errors) {
    taut_series *series = s->flow->series;
    s->inside_t = (double)NAN;
    look_inside(s, s->base.t);
    taut_series_start(series, s->base.t, 1.0);
    for (int j = 0; j < s->flow->system->n; j++)
        for (int k = 0; k <= s->flow->structure->offsets.d[j]; k++)
            taut_series_set(series, j, k, s->inside_x[s->flow->value[j] + k]);
    return taut_singular_dead_point(series, s->base.t, errors);
}

static taut_status explain(taut_package *s, taut_errors *errors) {
    if (s->failed == TAUT_ERR_MEMORY) return TAUT_ERR_MEMORY;
    TAUT_TRY(explain_dead_point(s, errors));
    const bool nowhere = s->failed == TAUT_SINGULAR || s->failed == TAUT_ERR_NUMERICS;
    return taut_fail_at(errors, TAUT_STEP_COLLAPSED, s->flow->system->place,
                        "%s stopped at t = %.10g: %s", s->base.method->name, s->base.t,
                        nowhere
                            ? "the equations have no solution just beyond; constraints may lose "
                              "rank there (a singular position), or a formula its value: "
                              "the solver taylor tells more"
                        : s->said[0] ? s->said
                                     : "no step could be taken");
}

/* Other coordinates for the coming step, if the flow wants them. */
static taut_status renew(taut_package *s) {
    bool changed = false;
    if (!s->flow->kind->renew) return TAUT_OK;
    const bool remembers = s->engine == &taut_engine_bdf || s->engine == &taut_engine_adams;
    TAUT_TRY(s->flow->kind->renew(s->flow, s->base.t, s->y, remembers, &changed));
    if (!changed) return TAUT_OK;
    return s->engine->restart(s) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* Where the coming step is to end. A singular position ahead is to lie at CROSSING of the step that
 * passes it, where none of the methods evaluates anything; the step before it is cut accordingly.
 */
static double plan_end(const taut_package *s) {
    const double r = s->flow->singular - s->base.t, h = s->usual;
    if (!(r * h > 0.0) || s->options.step > 0.0) return s->tend;
    if (fabs(r) > (1.0 + CROSSING) * fabs(h)) return s->tend;
    /* two equal steps, or only the second one of them */
    const bool cross = fabs(r) <= 1.01 * CROSSING * fabs(h);
    const double end = s->base.t + r / (cross ? CROSSING : 1.0 + CROSSING);
    return fabs(end - s->base.t) < fabs(s->tend - s->base.t) ? end : s->tend;
}

/* x_j^(k) ahead of the present point, from what is known there. */
static bool foresee(void *user, const taut_sample_input *x, const double *time, double *result) {
    taut_package *s = user;
    const int j = x->variable, d = j >= 0 ? s->flow->structure->offsets.d[j] : -1;
    for (int m = 0; m < TAUT_SAMPLES && d >= x->order; m++) result[m] = 0.0;
    for (int k = d; k >= x->order; k--) {
        const double c = value(&s->base, j, k, s->base.t);
        for (int m = 0; m < TAUT_SAMPLES; m++)
            result[m] = c + result[m] * (time[m] - s->base.t) / (double)(k - x->order + 1);
    }
    return d >= x->order;
}

/* The same before a feature of a formula that the coming step would pass over: its end is to lie
 * inside, where the package sees it. One that begins at once (its tail may be long) does not make
 * the step arbitrarily short; but in what is left of it there must be no other. */
static taut_status guard_end(taut_package *s) {
    double h = 0.0, time;
    if (s->vigil.nodes == 0) return TAUT_OK;
    if (s->base.t != s->base.begin && s->engine->ahead(s->memory, &h)) return TAUT_ERR_MEMORY;
    h = fmax(fabs(h), fabs(s->usual));
    if (h == 0.0 || h > s->vigil.cap) h = s->vigil.cap;
    h = copysign(fmin(h, fabs(s->end - s->base.t)), s->end - s->base.t);
    for (int cuts = 0; cuts < MOST_CUTS; cuts++, h *= LEAST_CUT) {
        if (!taut_vigil_jumps(&s->vigil, foresee, s, s->base.t, s->base.t + h, &time))
            return TAUT_OK;
        const double least = s->base.t + LEAST_CUT * h;
        s->end = (time - least) * h > 0.0 ? time : least;
        if (s->end == time) return TAUT_OK;
    }
    return TAUT_OK;
}

/* What is to be settled before a step: where it ends, and in which coordinates it is taken. */
static taut_status prepare_step(taut_package *s) {
    if (s->base.t != s->base.begin && s->end == s->tend && s->engine->ahead(s->memory, &s->usual))
        return TAUT_ERR_MEMORY;
    s->end = plan_end(s);
    TAUT_TRY(renew(s));
    TAUT_TRY(guard_end(s));
    return s->engine->set_end(s->memory, s->end) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* The package takes a step to *t. On failure y is what it was. */
static taut_status advance(taut_package *s, double *t, taut_errors *errors) {
    s->failed = TAUT_OK;
    s->absurd = ABSURD;
    s->said[0] = '\0';
    const locale_t before = taut_locale_plain(); /* its messages have numbers */
    const int flag = s->engine->advance(s, t);
    taut_locale_restore(before);
    if (flag >= 0 && !(fabs(*t - s->base.t) > 16.0 * DBL_EPSILON * fabs(*t)) && *t != s->tend)
        taut_format(s->said, sizeof s->said, "the step size collapsed to %.2g", *t - s->base.t);
    if (flag >= 0 && !s->said[0]) return TAUT_OK;
    memcpy(s->y, s->inside, (size_t)s->n * sizeof *s->y);
    return explain(s, errors);
}

/* The flow follows to t, or finds that there is nothing: then the step was too long, in coordinates
 * that do not reach as far, and a shorter one is prepared; *again. */
static taut_status follow(taut_package *s, double t, bool *again) {
    const taut_status status = s->flow->kind->reach(s->flow, t, s->y);
    *again = (status == TAUT_ERR_NUMERICS || status == TAUT_SINGULAR) && s->engine->restart &&
             s->options.step == 0.0;
    if (!*again) return status;
    memcpy(s->y, s->inside, (size_t)s->n * sizeof *s->y);
    s->usual = 0.25 * (t - s->base.t);
    s->end = s->tend;
    return s->engine->restart(s) ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status step(taut_stepper *stepper, taut_errors *errors) {
    taut_package *s = (taut_package *)stepper;
    bool again = true;
    double t = s->base.t;
    TAUT_TRY(prepare_step(s));
    memcpy(s->inside, s->y, (size_t)s->n * sizeof *s->y);
    s->inside_t = (double)NAN;
    while (again) {
        TAUT_TRY(advance(s, &t, errors));
        TAUT_TRY(follow(s, t, &again));
    }
    memcpy(s->before, s->inside, (size_t)s->n * sizeof *s->y);
    s->base.begin = s->base.t;
    s->base.t = t;
    s->missed = s->latest;
    const double singular = s->flow->singular;
    const bool passed = (singular - s->base.begin) * (t - singular) >= 0.0;
    s->base.singular = passed ? singular : (double)NAN;
    return TAUT_OK;
}

/* ---- the other calls ---- */

static double state(const taut_stepper *stepper, int j, int k) {
    return value(stepper, j, k, stepper->t);
}

static double residual(const taut_stepper *stepper) {
    taut_package *s = (taut_package *)stepper;
    if (s->flow->kind->rates(s->flow, s->base.t, s->y, s->rate) != TAUT_OK) return (double)NAN;
    return taut_series_constraint_residual(s->flow->series);
}

static double rcond(const taut_stepper *stepper) {
    return taut_lu_rcond(((const taut_package *)stepper)->flow->series->lu);
}

static taut_stepper_stats statistics(const taut_stepper *stepper) {
    const taut_package *s = (const taut_package *)stepper;
    taut_stepper_stats stats = {.factorisations = s->flow->series->factorisations,
                                .operations = taut_tape_operations(s->flow->series->tape)};
    if (s->memory) s->engine->count(s, &stats);
    stats.steps += s->past.steps;
    stats.rejected += s->past.rejected;
    stats.evaluations += s->past.evaluations;
    return stats;
}

static taut_flow *flow_of(taut_stepper *stepper) { return ((taut_package *)stepper)->flow; }

static taut_status set_numbers(taut_stepper *stepper, const double *parameter) {
    taut_package *s = (taut_package *)stepper;
    if (!s->flow->kind->set_numbers) return TAUT_CONTRADICTED;
    TAUT_TRY(taut_vigil_set_numbers(&s->vigil, parameter));
    TAUT_TRY(s->flow->kind->set_numbers(s->flow, parameter));
    return s->form ? taut_index2_set_numbers(s->form, parameter) : TAUT_OK;
}

static void forget(taut_stepper *stepper) {
    taut_package *s = (taut_package *)stepper;
    s->engine->close(s);
    s->past = (taut_stepper_stats){0};
    taut_vigil_restart(&s->vigil);
    taut_series_forget(s->flow->series);
    s->flow->series->factorisations = 0;
    if (s->flow->kind->forget) s->flow->kind->forget(s->flow);
    if (s->form) taut_index2_forget(s->form);
}

#define METHOD(title, flows, text)                                                                 \
    static taut_status create_##title(const taut_system *system, const taut_structure *structure,  \
                                      const taut_stepping *options, taut_stepper **stepper) {      \
        return create(&taut_engine_##title, system, structure, options, stepper);                  \
    }                                                                                              \
    const taut_method taut_##title = {.name = #title,                                              \
                                      .words = (text),                                             \
                                      .ordinary = (flows),                                         \
                                      .create = create_##title,                                    \
                                      .free = release,                                             \
                                      .start = start,                                              \
                                      .step = step,                                                \
                                      .set_end = set_end,                                          \
                                      .remember = remember,                                        \
                                      .value = value,                                              \
                                      .state = state,                                              \
                                      .residual = residual,                                        \
                                      .rcond = rcond,                                              \
                                      .statistics = statistics,                                    \
                                      .flow = flow_of,                                             \
                                      .set_numbers = set_numbers,                                  \
                                      .forget = forget}
METHOD(bdf, true, "BDF formulas (CVODE)");
METHOD(adams, true, "Adams formulas (CVODE)");
METHOD(erk, true, "Runge-Kutta formulas (ARKODE)");
METHOD(rk4, true, "the classical Runge-Kutta formula");
METHOD(ida, false, "BDF formulas (IDA)");
