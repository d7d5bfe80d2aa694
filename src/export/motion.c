/* The motion that code is generated for: a reference run along which J is sampled for the pivots,
 * and what a fixed step cannot do. Pivots are then tried along the fixed steps themselves
 * (stride.c), and chosen again with the matrices for which they are poor. */
#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "export/code.h"

enum {
    LOOKS = 6, /* at J inside each step */
    LEAST_SAMPLES = 64,
    MOST_SAMPLES = 512, /* of J */
    MOST_STEPS = 100000,
    MOST_OFFENDERS = 32 /* matrices with poor pivots that are taken from one trial */
};
static const double WORK = 4e7;            /* for one elimination of all samples */
static const double MOST_MULTIPLIER = 3e4; /* along the fixed steps */
static const double CLOSEST = 1e-7;        /* pivots beside their largest values: singular below */

/* ---- along the reference run ---- */

/* J at a point of a stepper's last step, into the series of the samples. */
static const double *find_matrix(taut_code *c, const taut_stepper *stepper, double t) {
    taut_series *series = c->samples.series;
    const int *d = c->structure->offsets.d;
    taut_series_start(series, t, 1.0);
    for (int j = 0; j < c->system->n; j++)
        for (int k = 0; k <= d[j]; k++)
            taut_series_set(series, j, k, taut_stepper_value(stepper, j, k, t));
    taut_series_look(series, 0);
    taut_series_jacobian(series);
    return series->J;
}

/* If there is no room, every other one goes. */
static void thin_out(taut_code_samples *s, size_t entries) {
    for (int i = 0; 2 * i < s->count; i++) {
        memmove(s->value + (size_t)i * entries, s->value + 2 * (size_t)i * entries,
                entries * sizeof *s->value);
        s->time[i] = s->time[2 * i];
    }
    s->count = (s->count + 1) / 2;
    s->every *= 2;
}

static void keep_matrix(taut_code *c, const double *value, double t) {
    taut_code_samples *s = &c->samples;
    const size_t entries = (size_t)c->entries;
    if (s->count == s->room) thin_out(s, entries);
    memcpy(s->value + (size_t)s->count * entries, value, entries * sizeof *value);
    s->time[s->count++] = t;
}

static void sample(taut_code *c, double t) {
    if (c->samples.seen++ % c->samples.every != 0) return;
    keep_matrix(c, find_matrix(c, c->simulation->stepper, t), t);
}

/* The largest values so far, group by group and order by order. */
static void raise_scales(taut_code *c) {
    for (int i = 0; i < c->states; i++) {
        const taut_code_state *x = &c->state[i];
        const double size = fabs(taut_stepper_state(c->simulation->stepper, x->variable, x->order));
        for (int k = 0; k < c->states; k++)
            if (c->state[k].order == x->order && c->system->unknown[c->state[k].variable].group ==
                                                     c->system->unknown[x->variable].group)
                c->state[k].scale = fmax(c->state[k].scale, size);
    }
}

static taut_status refuse_singular(double t, taut_errors *errors) {
    return taut_fail(
        errors, TAUT_ERR_INPUT,
        "the motion passes a singular position at t = %.6g, where constraints lose rank "
        "and a step of fixed length fails: there is no C code for it; a tend before "
        "that, or another formulation, may do",
        t);
}

static taut_status follow_motion(taut_code *c, taut_errors *errors) {
    taut_simulation *sim = c->simulation;
    const taut_problem *problem = c->problem;
    taut_status status = TAUT_OK;
    for (long steps = 0; status == TAUT_OK; steps++) {
        TAUT_TRY(taut_bounds_ask());
        status = taut_simulation_step(sim, errors);
        if (status != TAUT_OK) break;
        if (isfinite(sim->stepper->singular))
            return refuse_singular(sim->stepper->singular, errors);
        if (sim->prepared->problem != problem)
            return taut_fail(errors, TAUT_ERR_INPUT,
                             "at t = %.6g other constraints become redundant, and the equations of "
                             "generated code are fixed: there is no C code for it",
                             sim->time);
        if (steps == MOST_STEPS)
            return taut_fail(errors, TAUT_ERR_INPUT,
                             "the motion takes more than %d steps of variable length (it may be "
                             "stiff): there is no C code for it",
                             MOST_STEPS);
        for (int k = 0; k < LOOKS; k++)
            sample(c, sim->stepper->begin + (sim->stepper->t - sim->stepper->begin) * k / LOOKS);
        raise_scales(c);
        TAUT_TRY(taut_code_look_at_reactions(c, errors));
    }
    if (status != TAUT_AT_END) return status;
    sample(c, sim->stepper->t);
    return TAUT_OK;
}

static taut_status choose_pivots(taut_code *c, taut_errors *errors) {
    const taut_code_samples *s = &c->samples;
    const taut_pivot_matrices matrices = {
        .n = c->system->n, .start = c->start, .row = c->row, .value = s->value, .count = s->count};
    TAUT_TRY(taut_pivots_choose(&matrices, &c->arena, &c->pivots));
    if (c->pivots.closest < CLOSEST) return refuse_singular(s->time[c->pivots.worst], errors);
    return TAUT_OK;
}

taut_status taut_code_follow_motion(taut_code *c, taut_errors *errors) {
    taut_code_samples *s = &c->samples;
    const double n = c->system->n, most = WORK / (n * n * n + 1.0);
    s->every = 1;
    s->room = most > MOST_SAMPLES ? MOST_SAMPLES : most < LEAST_SAMPLES ? LEAST_SAMPLES : (int)most;
    s->value = TAUT_NEW_ARRAY(&c->arena, (size_t)s->room * (size_t)(c->entries + 1), double);
    s->time = TAUT_NEW_ARRAY(&c->arena, s->room, double);
    if (!s->value || !s->time) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_series_create(c->system, c->structure, 0, NULL, 0, &s->series));
    raise_scales(c);
    TAUT_TRY(follow_motion(c, errors));
    return choose_pivots(c, errors);
}

/* ---- trials ---- */

taut_status taut_code_try_pivots(taut_code *c, const taut_stepper *stepper) {
    const double *J = find_matrix(c, stepper, stepper->t);
    if (taut_pivots_largest_multiplier(&c->pivots, J, c->samples.work) <= MOST_MULTIPLIER)
        return TAUT_OK;
    if (c->samples.offenders++ < MOST_OFFENDERS) keep_matrix(c, J, stepper->t);
    return TAUT_OK;
}

taut_status taut_code_choose_again(taut_code *c, taut_errors *errors) {
    c->samples.offenders = 0;
    return choose_pivots(c, errors);
}
