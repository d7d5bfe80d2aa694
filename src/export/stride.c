/* Step and order, from runs with fixed steps that are compared with a reference. */
#include <math.h>

#include "core/bounds.h"
#include "export/code.h"
#include "task/differ.h"
#include "task/scale.h"

enum {
    ROWS = 101, /* of runs that are compared */
    ATTEMPTS = 16,
    TRIALS = 6 /* of pivots */
};
static const double MOST_FIXED = 2e6; /* steps from t0 to tend */
static const double REFERENCE = 1e-13;
static const double SAFE = 0.3; /* of the tolerance: what fixed steps may be off by */

typedef struct choice {
    taut_code *code;
    taut_arena arena;
    double *time, *at; /* [ROWS] of compared rows; work */
    taut_result *truth;
    taut_yardstick yardstick;
} choice;

static taut_run_options options_for(const choice *x, double tol, int order, double step) {
    taut_run_options o = x->code->options->run;
    o.solver = "taylor";
    o.rtol = o.atol = tol;
    o.order = order;
    o.step = step;
    o.at = x->time;
    o.ats = ROWS;
    o.every = 0.0;
    o.progress = NULL; /* the bounds of the export ask for all of them */
    return o;
}

/* How far a run with these options is from the reference; infinite if it fails. */
static taut_status measure(const choice *x, const taut_run_options *o, double *error) {
    static const taut_status fatal = TAUT_ERR_MEMORY;
    taut_result *result = NULL;
    taut_errors *none = NULL;
    const taut_status status = taut_simulate(x->code->model, o, &result, none);
    *error = (double)INFINITY;
    if (status == TAUT_OK) {
        const taut_gap gap = taut_yardstick_gap(&x->yardstick, x->truth, result, x->at);
        *error = isfinite(gap.error) ? gap.error : (double)INFINITY;
    }
    taut_result_free(&result);
    return status == fatal || status == TAUT_INTERRUPTED ? status : TAUT_OK;
}

/* An energy by itself may be 0 but for rounding, and nothing says how large that is; it follows
 * from the other columns. */
static void leave_out_energy(const choice *x) {
    const int energy = taut_result_find(x->truth, "energy");
    if (energy >= 0 && taut_result_find(x->truth, "kinetic") < 0) x->yardstick.scale[energy] = 0.0;
}

static taut_status make_reference(choice *x, taut_errors *errors) {
    const taut_code *c = x->code;
    x->time = TAUT_NEW_ARRAY(&x->arena, ROWS, double);
    x->at = TAUT_NEW_ARRAY(&x->arena, ROWS, double);
    if (!x->time || !x->at) return TAUT_ERR_MEMORY;
    for (int i = 0; i < ROWS; i++) x->time[i] = c->t0 + (c->tend - c->t0) * i / (ROWS - 1);
    x->time[ROWS - 1] = c->tend;
    taut_run_options o = options_for(x, REFERENCE, 0, 0.0);
    TAUT_TRY(taut_simulate(c->model, &o, &x->truth, errors));
    TAUT_TRY(taut_yardstick_make(x->truth, &x->arena, &x->yardstick));
    taut_scales_find_safe(x->truth, x->yardstick.scale);
    leave_out_energy(x);
    o.rtol = o.atol = 10.0 * REFERENCE;
    o.order = 20;
    return measure(x, &o, &x->code->reference);
}

/* The shortest step of variable steps of this order, the first and the last ones aside. */
static taut_status shortest_step(const choice *x, int order, double *shortest) {
    const double span = x->code->tend - x->code->t0;
    taut_run_options o = options_for(x, x->code->tolerance, order, 0.0);
    taut_result *result = NULL;
    o.ats = 0;
    o.at = NULL;
    o.every = TAUT_EVERY_STEP;
    const taut_status status = taut_simulate(x->code->model, &o, &result, NULL);
    const long rows = result ? taut_result_rows(result) : 0;
    *shortest = rows > 1 ? span / (double)(rows - 1) : span;
    for (long i = 3; i + 1 < rows; i++)
        *shortest =
            fmin(*shortest, taut_result_value(result, i, 0) - taut_result_value(result, i - 1, 0));
    taut_result_free(&result);
    if (status != TAUT_OK && status != TAUT_ERR_MEMORY && status != TAUT_INTERRUPTED)
        *shortest = 0.0;
    return status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED ? status : TAUT_OK;
}

/* Work of one step: convolutions grow with the square of the order. */
static double work_of(int order) { return order * order + 8.0 * order + 60.0; }

/* The order with the least work, by the shortest of variable steps. */
static taut_status guess_order(choice *x, int *order, double *step) {
    static const int tried[] = {4, 6, 8, 10, 12, 14, 16, 18, 20, 24};
    double least = (double)INFINITY;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        double h;
        const int given = x->code->options->run.order, p = given > 0 ? given : tried[i];
        TAUT_TRY(shortest_step(x, p, &h));
        if (h > 0.0 && work_of(p) / h < least) {
            least = work_of(p) / h;
            *order = p;
            *step = h;
        }
        if (given > 0) break;
    }
    return TAUT_OK;
}

/* Error of n fixed steps. */
static taut_status measure_steps(const choice *x, int order, double steps, double *error) {
    const double h = (x->code->tend - x->code->t0) / steps;
    const taut_run_options o = options_for(x, x->code->tolerance, order, h);
    return measure(x, &o, error);
}

/* The fewest steps, within a few per cent, that are accurate enough. */
static taut_status find_steps(choice *x, int order, double step, double *steps, double *error) {
    const double wanted = SAFE * x->code->tolerance, span = x->code->tend - x->code->t0;
    double good = 0.0, good_error = 0.0, bad = 0.0, n = ceil(fmax(span / step, 1.0));
    for (int i = 0; i < ATTEMPTS && n <= MOST_FIXED; i++) {
        double e;
        TAUT_TRY(measure_steps(x, order, n, &e));
        if (e <= wanted) {
            good = n;
            good_error = e;
        } else {
            bad = n;
        }
        /* errors go with the order-th power of the step; between a good and a bad number the middle
         */
        const double ratio = isfinite(e) ? pow(fmax(e, 1e-18) / wanted, 1.0 / order) : 2.0;
        double next = ceil(n * fmin(fmax(1.02 * ratio, 0.5), 2.0));
        if (good > 0.0 && bad > 0.0 && (next <= bad || next >= good)) next = ceil(sqrt(good * bad));
        if (e > wanted && next <= n) next = n + 1.0;
        if (good > 0.0 && (next >= 0.95 * good || next <= bad)) break;
        n = next;
    }
    *steps = good;
    *error = good_error;
    return TAUT_OK;
}

static taut_status refuse_tolerance(const taut_code *c, double error, taut_errors *errors) {
    return taut_fail(errors, TAUT_ERR_INPUT,
                     "fixed steps of %.6g with order %d are off by %.2g, more than the tolerance "
                     "%.2g: ask for shorter steps, a higher order or a larger tolerance",
                     c->step, c->order, error, c->tolerance);
}

/* The step is given: the lowest order that is accurate enough, or the order that is given. */
static taut_status choose_order(choice *x, taut_errors *errors) {
    taut_code *c = x->code;
    const double span = c->tend - c->t0;
    double error = 0.0;
    c->step = c->options->run.step;
    const double steps = ceil(span / c->step * (1.0 - 1e-12));
    if (!(steps >= 1.0) || steps > MOST_FIXED)
        return taut_fail(
            errors, TAUT_ERR_CALL,
            "options.step = %.6g: from t0 to tend these are %.0f steps, and there may be "
            "1 to %.0f",
            c->step, span / c->step, MOST_FIXED);
    c->steps = (long)steps;
    const int given = c->options->run.order;
    for (c->order = given > 0 ? given : 4; c->order <= 30; c->order += 2) {
        const taut_run_options o = options_for(x, c->tolerance, c->order, c->step);
        TAUT_TRY(measure(x, &o, &error));
        c->error = error;
        if (error <= SAFE * c->tolerance) return TAUT_OK;
        if (given > 0) break;
    }
    if (given > 0 && error <= c->tolerance) return TAUT_OK;
    if (given <= 0) c->order = 30;
    return refuse_tolerance(c, error, errors);
}

/* ---- controllers ---- */

enum { MOST_PARTS = 200 }; /* steps from one sample to the next */

/* Steps end at all samples and at tend: the fewest that do, with the lowest order that is accurate
 * enough. */
static taut_status choose_division(choice *x, taut_errors *errors) {
    taut_code *c = x->code;
    const double base = taut_code_base(c), span = c->tend - c->t0;
    const int given = c->options->run.order;
    if (!isfinite(base))
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "the periods of the controllers have nothing in common, and a fixed step "
                         "cannot end at all of their samples: there is no C code for it");
    for (int parts = 1; parts <= MOST_PARTS && span / base * parts <= MOST_FIXED; parts++) {
        c->step = base / parts;
        if (!taut_code_fits_samples(c, c->step)) continue;
        c->steps = lround(span / c->step);
        c->step = span / (double)c->steps;
        for (c->order = given > 0 ? given : 4; c->order <= 24; c->order += 2) {
            const taut_run_options o = options_for(x, c->tolerance, c->order, c->step);
            TAUT_TRY(measure(x, &o, &c->error));
            if (c->error <= SAFE * c->tolerance) return TAUT_OK;
            if (given > 0) break;
        }
    }
    return taut_fail(errors, TAUT_ERR_INPUT,
                     "no fixed step ends at all samples of the controllers and at tend, and keeps "
                     "the tolerance %.2g: there is no C code for it; periods, offsets and tend "
                     "should be multiples of one step",
                     c->tolerance);
}

/* ---- last terms ---- */

/* The last term of the polynomial of a component of the state, for steps of length h. */
static double last_term(const taut_code *c, const taut_expansion *e, const taut_code_state *x,
                        double h) {
    const int top = c->order - 1 + c->structure->offsets.d[x->variable];
    if (e->stages < c->order - 1) return 0.0;
    double term = e->c[x->variable][top] * pow(h / e->h, top);
    for (int k = 0; k < x->order; k++) term *= (top - k) / h;
    return term;
}

/* Along the fixed steps: how large last terms are that do no harm (where a motion forgets, as stiff
 * ones do, they may be large), and whether pivots are good. */
static taut_status try_steps(const choice *x) {
    taut_code *c = x->code;
    taut_run_options o = options_for(x, c->tolerance, c->order, c->step);
    taut_simulation *sim;
    taut_status status = taut_simulation_create(c->model, &o, &sim, NULL);
    if (status == TAUT_OK) status = taut_simulation_start(sim, NULL);
    while (status == TAUT_OK && (status = taut_simulation_step(sim, NULL)) == TAUT_OK) {
        const taut_expansion e = taut_stepper_expansion(sim->stepper, false);
        double sum = 0.0;
        for (int i = 0; e.c && i < c->states; i++) {
            const double scale = c->state[i].scale > 0.0 ? c->state[i].scale : 1.0;
            const double term = last_term(c, &e, &c->state[i], c->step) / (c->tolerance * scale);
            sum += term * term;
        }
        if (isfinite(sum)) c->tail = fmax(c->tail, sum);
        status = taut_code_try_pivots(c, sim->stepper);
        if (status == TAUT_OK) status = taut_bounds_ask();
    }
    taut_simulation_free(&sim);
    return status == TAUT_AT_END ? TAUT_OK : status;
}

static taut_status choose(choice *x, taut_errors *errors) {
    taut_code *c = x->code;
    double step = 0.0, steps = 0.0;
    int order = 0;
    TAUT_TRY(make_reference(x, errors));
    if (c->reference > 0.2 * c->tolerance)
        return taut_fail(
            errors, TAUT_ERR_INPUT,
            "the motion is so sensitive that runs of the highest accuracy differ by "
            "%.2g: a tolerance of %.2g cannot be verified; ask for a larger one, or an "
            "earlier tend",
            c->reference, c->tolerance);
    if (c->options->run.step > 0.0 && !taut_code_fits_samples(c, c->options->run.step))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "options.step = %.6g: periods and offsets of the controllers, and tend, "
                         "are no multiples of it",
                         c->options->run.step);
    if (c->options->run.step > 0.0) return choose_order(x, errors);
    if (c->controllers > 0) return choose_division(x, errors);
    TAUT_TRY(guess_order(x, &order, &step));
    if (order > 0) TAUT_TRY(find_steps(x, order, step, &steps, &c->error));
    if (order == 0 || !(steps > 0.0))
        return taut_fail(
            errors, TAUT_ERR_INPUT,
            "no number of fixed steps up to %.0f reaches the tolerance %.2g: there is no "
            "C code for it",
            MOST_FIXED, c->tolerance);
    c->order = order;
    c->steps = (long)steps;
    c->step = (c->tend - c->t0) / steps;
    return TAUT_OK;
}

/* Chooses pivots again as long as there are poor ones. */
static taut_status try_pivots(const choice *x, taut_errors *errors) {
    taut_code *c = x->code;
    for (int i = 0; i < TRIALS; i++) {
        TAUT_TRY(try_steps(x));
        if (c->samples.offenders == 0) return TAUT_OK;
        TAUT_TRY(taut_code_choose_again(c, errors));
    }
    return taut_fail(
        errors, TAUT_ERR_INPUT,
        "no fixed order of pivots serves along the whole motion: there is no C code for "
        "it");
}

taut_status taut_code_choose_step(taut_code *c, taut_errors *errors) {
    choice x = {.code = c};
    if (!(c->tend > c->t0))
        return taut_fail(errors, TAUT_ERR_CALL, "there is no C code for a run that goes backwards");
    taut_status status = choose(&x, errors);
    if (status == TAUT_OK) taut_code_count_samples(c);
    if (status == TAUT_OK) status = try_pivots(&x, errors);
    taut_result_free(&x.truth);
    taut_arena_release(&x.arena);
    return status;
}
