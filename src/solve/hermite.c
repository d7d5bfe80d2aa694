/* The loop over attempts of a step, its start, and what lies between its ends.
 *
 * The coefficients at a point are those that the step which led there has solved for. They are
 * never computed anew from the state: at a stiff point the recurrences would multiply one unit in
 * the last place by (h lambda)^i. */
#include "solve/hermite.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "solve/hermite_parts.h"
#include "solve/rounding.h"
#include "solve/singular.h"

enum { LEAST_P = 1, MOST_P = TAUT_LIFTED_MOST - 1 };

/* ---- creation ---- */

static taut_status allocate(taut_hermite_stepper *s) {
    const int n = s->system->n, *d = s->structure->offsets.d;
    TAUT_TRY(
        taut_weights_create(s->system, s->structure, &s->options, false, &s->arena, &s->weights));
    s->known = TAUT_NEW_ARRAY(&s->arena, n, double *);
    s->left = TAUT_NEW_ARRAY(&s->arena, n, double *);
    s->poly = TAUT_NEW_ARRAY(&s->arena, n, taut_twopoint);
    s->value = TAUT_NEW_ARRAY(&s->arena, s->weights.states, double);
    s->misfit = TAUT_NEW_ARRAY(&s->arena, s->weights.states, double);
    s->allowed = TAUT_NEW_ARRAY(&s->arena, s->weights.states, double);
    s->largest = TAUT_NEW_ARRAY(&s->arena, s->system->groups, double);
    if (!s->allowed || !s->largest) return TAUT_ERR_MEMORY;
    if (!s->known || !s->left || !s->poly || !s->value || !s->misfit) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) {
        s->left[j] = s->poly[j].left;
        s->known[j] = TAUT_NEW_ARRAY(&s->arena, TAUT_LIFTED_MOST + d[j], double);
        if (!s->known[j]) return TAUT_ERR_MEMORY;
    }
    TAUT_TRY(taut_twoview_create(s->system, s->structure, &s->options, TAUT_LIFTED_MOST, &s->arena,
                                 &s->view));
    if (s->view.vigil.nodes == 0) return TAUT_OK;
    s->weights.flat = true;
    s->motion = TAUT_NEW_ARRAY(&s->arena, n, taut_twopoint);
    s->reached = TAUT_NEW_ARRAY(&s->arena, n, double *);
    s->rounding = TAUT_NEW_ARRAY(&s->arena, n, double);
    s->noise = TAUT_NEW_ARRAY(&s->arena, n, double);
    s->size = TAUT_NEW_ARRAY(&s->arena, s->lifted->series->tape->size, double);
    return s->motion && s->reached && s->rounding && s->noise && s->size ? TAUT_OK
                                                                         : TAUT_ERR_MEMORY;
}

static void release(taut_stepper *stepper) {
    taut_hermite_stepper *s = (taut_hermite_stepper *)stepper;
    taut_lifted_free(&s->lifted);
    taut_arena_release(&s->arena);
    taut_release((void **)&s);
}

/* p of the pair (p, p + 1) for an order, or for a tolerance. */
static int choose_p(const taut_stepping *o) {
    const double tol = fmax(o->rtol, o->atol);
    const int p = o->order > 0 ? (o->order - 1) / 2 : (int)floor(2.0 - log10(tol) / 2.0);
    return p < LEAST_P ? LEAST_P : p > MOST_P ? MOST_P : p;
}

static taut_status create(const taut_system *system, const taut_structure *structure,
                          const taut_stepping *options, taut_stepper **stepper) {
    taut_hermite_stepper *s = NULL;
    size_t room = 0;
    *stepper = NULL;
    if (taut_grow((void **)&s, &room, 1, sizeof *s)) return TAUT_ERR_MEMORY;
    *s = (taut_hermite_stepper){.system = system, .structure = structure, .options = *options};
    s->p = s->most_p = choose_p(options);
    s->varies = options->order == 0 && options->step <= 0.0 && s->p > TAUT_HERMITE_LOW;
    s->projects = structure->conditions > 0;
    const int least = s->varies ? TAUT_HERMITE_LOW : s->p;
    taut_status status = taut_lifted_create(system, structure, least + 1, s->p + 1, &s->lifted);
    if (status == TAUT_OK) status = allocate(s);
    if (status == TAUT_OK) {
        s->stats.operations = taut_tape_operations(s->lifted->series->tape);
        s->lifted->series->watch = options->watch;
        *stepper = &s->base;
    } else {
        release(&s->base);
    }
    return status;
}

static taut_status set_numbers(taut_stepper *stepper, const double *parameter) {
    taut_hermite_stepper *s = (taut_hermite_stepper *)stepper;
    TAUT_TRY(taut_twoview_set_numbers(&s->view, parameter));
    return taut_lifted_set_numbers(s->lifted, parameter);
}

/* ---- trouble in words ---- */

static taut_status explain(taut_hermite_stepper *s, double h, taut_errors *errors) {
    char text[200] = "", where[80];
    taut_series *series = s->lifted->series;
    taut_hermite_read_states(s); /* back to the last point */
    for (int i = 0; i < s->weights.states; i++)
        taut_series_set(series, s->weights.state[i].variable, s->weights.state[i].order,
                        s->value[i]);
    TAUT_TRY(taut_singular_dead_point(series, s->base.t, errors));
    if (s->trouble == TAUT_SINGULAR_MATRIX) {
        taut_format(where, sizeof where, "near t = %.10g", s->base.t);
        taut_singular_explain(series, where, errors);
        return TAUT_SINGULAR;
    }
    if (s->worst >= 0)
        taut_derivative_name(s->system, s->weights.state[s->worst].variable,
                             s->weights.state[s->worst].order, text, sizeof text);
    if (s->trouble == TAUT_NO_NEWTON || s->trouble == TAUT_NOT_FINITE)
        return taut_fail_at(errors, TAUT_STEP_COLLAPSED, s->system->place,
                            "the equations of a step cannot be solved beyond t = %.10g, however "
                            "short it is: Newton's method does not converge (%s changes most)",
                            s->base.t, text);
    return taut_collapse_explain(s->system, &s->base, h,
                                 s->worst >= 0 ? &s->weights.state[s->worst] : NULL,
                                 s->worst >= 0 ? s->value[s->worst] : 0.0, errors);
}

/* ---- what is remembered ---- */

static int known_count(const taut_hermite_stepper *s, int stages) {
    int count = 0;
    for (int j = 0; j < s->system->n; j++) count += stages + s->structure->offsets.d[j];
    return count;
}

/* How many equations have a rounding that counts. */
static int roundings(const taut_hermite_stepper *s) { return s->motion ? s->system->n : 0; }

static void remember(const taut_stepper *stepper, taut_memory *memory) {
    const taut_hermite_stepper *s = (const taut_hermite_stepper *)stepper;
    const double number[] = {s->p,     s->known_stages, s->known_h, s->h,      s->ideal_before,
                             s->trend, s->quiet,        s->looks,   s->waited, s->rcond};
    taut_memory_put_all(memory, number, sizeof number / sizeof number[0]);
    taut_memory_put_all(memory, s->weights.scale, s->system->groups * s->weights.levels);
    taut_memory_put_all(memory, s->rounding, roundings(s));
    for (int j = 0; j < s->system->n; j++)
        taut_memory_put_all(memory, s->known[j], s->known_stages + s->structure->offsets.d[j]);
}

/* The coefficients at the point are a part of it: see the top of this file. */
static void recall(taut_hermite_stepper *s, const taut_state *from) {
    taut_recall r = taut_state_recall(from, s->base.method->name);
    const int least = s->varies ? TAUT_HERMITE_LOW : s->p,
              scales = s->system->groups * s->weights.levels;
    const int p = taut_recall_whole(&r, least, s->most_p);
    const int stages = taut_recall_whole(&r, 1, TAUT_LIFTED_MOST);
    const double h = taut_recall_get(&r);
    if (r.failed || stages < p || h == 0.0 ||
        r.memory->count != 10 + (size_t)(scales + roundings(s) + known_count(s, stages)))
        return;
    s->p = p;
    s->known_stages = stages;
    s->known_h = s->poly_h = h;
    s->h = taut_recall_get(&r);
    s->ideal_before = taut_recall_get(&r);
    s->trend = taut_recall_get(&r);
    s->quiet = taut_recall_get(&r) != 0.0;
    s->looks = s->varies && taut_recall_get(&r) != 0.0;
    s->waited = taut_recall_whole(&r, 0, 1000000);
    s->rcond = taut_recall_get(&r);
    taut_recall_all(&r, s->weights.scale, scales);
    taut_recall_all(&r, s->rounding, roundings(s));
    for (int j = 0; j < s->system->n; j++) {
        const int count = stages + s->structure->offsets.d[j];
        taut_recall_all(&r, s->known[j], count);
        taut_twopoint_set(&s->poly[j], s->known[j], count, s->known[j], 0);
    }
    taut_hermite_read_states(s);
}

/* ---- the calls ---- */

/* The coefficients at the start, by the recurrences: there is no step yet to take them from. */
static taut_status expand(taut_hermite_stepper *s, const taut_state *from, taut_errors *errors) {
    taut_series *series = s->lifted->series;
    const int *d = s->structure->offsets.d;
    taut_series_start(series, s->base.t, s->tend != s->base.t ? 1e-3 * (s->tend - s->base.t) : 1.0);
    for (int j = 0; j < s->system->n; j++) {
        /* what enters linearly here may be under a root in another block */
        const bool linear = s->structure->quasilinear;
        taut_series_set(series, j, d[j], linear ? 0.0 : *taut_state_at(from, j, d[j]));
        for (int k = 0; k < taut_needed(s->structure, j); k++)
            taut_series_set(series, j, k, *taut_state_at(from, j, k));
    }
    taut_status status = taut_series_settle(series, false, NULL, NULL);
    if (status == TAUT_SINGULAR) return taut_singular_explain(series, "at the start", errors);
    TAUT_TRY(status);
    s->rcond = taut_lu_rcond(series->lu);
    for (int tries = 0; tries < 40; tries++) {
        taut_series_extend(series, 1, s->p - 1);
        if (taut_series_is_finite(series, s->p - 1)) return TAUT_OK;
        taut_jet_rescale(series->jet, 0x1p-7, 0);
    }
    return TAUT_ERR_NUMERICS;
}

static taut_status start(taut_stepper *stepper, const taut_state *from, double tend,
                         taut_errors *errors) {
    taut_hermite_stepper *s = (taut_hermite_stepper *)stepper;
    taut_series *series = s->lifted->series;
    if (s->weights.states == 0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, s->system->place,
                            "there is nothing to integrate: these equations contain no derivative "
                            "that carries on from one instant to the next; use the solver taylor");
    taut_series_forget(series);
    s->tend = tend;
    s->worst = -1;
    s->p = s->most_p;
    s->ideal_before = 0.0;
    s->trend = 1.0;
    s->looks = s->varies;
    s->waited = 0;
    s->quiet = false;
    taut_weights_forget(&s->weights);
    TAUT_TRY(expand(s, from, errors));
    if (s->motion) taut_rounding_find(series, s->size, s->rounding);
    for (int j = 0; j < s->system->n; j++) {
        const int count = s->p + s->structure->offsets.d[j];
        for (int m = 0; m < count; m++)
            s->known[j][m] = *taut_jet_at(series->jet, series->variable[j], m);
        taut_twopoint_set(&s->poly[j], s->known[j], count, s->known[j], 0);
    }
    s->known_h = s->poly_h = series->jet->h;
    s->known_stages = s->p;
    taut_hermite_read_states(s);
    s->h = s->options.step > 0.0 ? s->options.step : taut_hermite_first_step(s);
    taut_weights_reach(&s->weights, s->value);
    recall(s, from);
    s->stats.order = 2 * s->p + 1;
    return TAUT_OK;
}

static taut_status set_end(taut_stepper *stepper, double tend) {
    ((taut_hermite_stepper *)stepper)->tend = tend;
    return TAUT_OK;
}

static void accept(taut_hermite_stepper *s, double t) {
    const int *d = s->structure->offsets.d;
    const int p = s->lifted->p, q = s->lifted->q;
    for (int j = 0; j < s->system->n; j++) {
        const double *x = taut_lifted_unknown(s->lifted, j);
        taut_twopoint_set(&s->poly[j], s->known[j], p + d[j], x, q + d[j]);
        memcpy(s->known[j], x, (size_t)(q + d[j]) * sizeof *x);
    }
    s->poly_h = s->lifted->h;
    s->left_stages = p - 1;
    s->known_stages = q;
    s->base.begin = s->base.t;
    s->base.t = t;
    taut_hermite_read_states(s);
    taut_weights_reach(&s->weights, s->value);
    s->stats.steps++;
    s->stats.order = p + q;
}

static taut_status step(taut_stepper *stepper, taut_errors *errors) {
    taut_hermite_stepper *s = (taut_hermite_stepper *)stepper;
    for (;;) {
        const double h = taut_hermite_length_to_try(s), left = s->tend - s->base.t;
        const double t = h == fabs(left) ? s->tend : s->base.t + copysign(h, left);
        if (!(h > 16.0 * DBL_EPSILON * fabs(s->base.t)) || t == s->base.t || !isfinite(t))
            return explain(s, h, errors);
        TAUT_TRY(taut_hermite_attempt(s, t - s->base.t));
        taut_hermite_look_inside(s, t);
        if (s->trouble == TAUT_FINE) TAUT_TRY(taut_hermite_project(s));
        if (s->trouble == TAUT_FINE) {
            accept(s, t);
            if (s->options.step > 0.0) return TAUT_OK;
            taut_hermite_choose_pair(s);
            s->h = taut_hermite_next_length(s, h);
            return TAUT_OK;
        }
        s->stats.rejected++;
        if (s->options.step > 0.0) return explain(s, h, errors);
        s->h = s->trouble == TAUT_HIDDEN ? fabs(s->good - s->base.t) : h * taut_hermite_retreat(s);
    }
}

static double state_now(const taut_stepper *stepper, int j, int k) {
    const taut_hermite_stepper *s = (const taut_hermite_stepper *)stepper;
    if (k >= s->known_stages + s->structure->offsets.d[j]) return 0.0;
    return s->known[j][k] * taut_unscale(s->known_h, k);
}

static double value(const taut_stepper *stepper, int j, int k, double time) {
    const taut_hermite_stepper *s = (const taut_hermite_stepper *)stepper;
    if (time == s->base.t) return state_now(stepper, j, k);
    const double theta = (time - s->base.begin) / s->poly_h;
    return taut_twopoint_value(&s->poly[j], k, theta) * taut_unscale(s->poly_h, k);
}

static double residual(const taut_stepper *stepper) {
    const taut_hermite_stepper *s = (const taut_hermite_stepper *)stepper;
    return taut_series_constraint_residual(s->lifted->series);
}

static double rcond(const taut_stepper *stepper) {
    return ((const taut_hermite_stepper *)stepper)->rcond;
}

/* Every start forgets the motion. */
static void forget(taut_stepper *stepper) {
    taut_hermite_stepper *s = (taut_hermite_stepper *)stepper;
    s->stats.steps = s->stats.rejected = 0;
    s->lifted->evaluations = s->lifted->factorisations = s->lifted->corrections = 0;
}

static taut_stepper_stats statistics(const taut_stepper *stepper) {
    const taut_hermite_stepper *s = (const taut_hermite_stepper *)stepper;
    taut_stepper_stats stats = s->stats;
    stats.evaluations = s->lifted->evaluations;
    stats.factorisations = s->lifted->factorisations;
    stats.corrections = s->lifted->corrections;
    return stats;
}

static taut_expansion expansion(const taut_stepper *stepper, bool end) {
    const taut_hermite_stepper *s = (const taut_hermite_stepper *)stepper;
    if (s->base.t == s->base.begin) return (taut_expansion){0};
    if (end) return (taut_expansion){s->known, s->known_stages - 1, s->base.t, s->known_h};
    return (taut_expansion){s->left, s->left_stages, s->base.begin, s->poly_h};
}

static double ahead(taut_stepper *stepper) { return ((const taut_hermite_stepper *)stepper)->h; }

const taut_method taut_hermite = {.name = "ho",
                                  .words = "the Hermite-Obreschkoff method",
                                  .stiff = true,
                                  .create = create,
                                  .free = release,
                                  .start = start,
                                  .step = step,
                                  .set_end = set_end,
                                  .remember = remember,
                                  .expansion = expansion,
                                  .value = value,
                                  .state = state_now,
                                  .residual = residual,
                                  .rcond = rcond,
                                  .statistics = statistics,
                                  .ahead = ahead,
                                  .set_numbers = set_numbers,
                                  .forget = forget};
