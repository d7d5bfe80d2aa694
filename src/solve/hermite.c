/* One step: predict the coefficients at its end, Newton on the lifted equations, estimate the
 * error, project what the constraints restrict.
 *
 * The coefficients at a point are those that the step which led there has solved for. They are
 * never computed anew from the state: at a stiff point the recurrences would multiply one unit in
 * the last place by (h lambda)^i. */
#include "solve/hermite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "solve/lifted.h"
#include "solve/rounding.h"
#include "solve/singular.h"
#include "solve/twoview.h"
#include "solve/weights.h"

enum { LEAST_P = 1, MOST_P = TAUT_LIFTED_MOST - 1, ITERATIONS = 8 };
enum { LOW_P = 2 };                /* the lowest pair that a run with variable order goes down to */
enum { LOOK_AFTER = 4 };           /* steps it asks again what the pair below would do */
static const double INNER = 0.05;  /* errors are kept below this part of the tolerance ... */
static const double NEWTON = 0.01; /* ... what Newton leaves, below this part of that, ... */
static const double AIM = 0.1;     /* ... and steps are chosen for this part of it */
static const double DAMPING = 0.3; /* how much one change of the length counts */
static const double STEADY = 1.5;  /* changes below are no news */
static const double GROWTH = 5.0, SHRINK = 0.1; /* of the step, at most */
static const double ROUNDING = 3e-3; /* errors that remain below are not of the formula */
static const double BETWEEN = 0.1;   /* of what a formula misses shows between the ends of a step */
static const double COST = 1.4;      /* a step of the pair (p, q) costs q^COST */
static const double HYSTERESIS = 0.1; /* another pair must be better by this part */
static const double DARING = 10.0;    /* the first step, beside what the coefficients allow */

/* Why an attempt failed. */
typedef enum trouble { FINE, TOO_FAR, HIDDEN, NOT_FINITE, SINGULAR_MATRIX, NO_NEWTON } trouble;

typedef struct hermite {
    taut_stepper base;
    const taut_system *system;
    const taut_structure *structure;
    taut_arena arena;
    taut_stepping options;
    taut_lifted *lifted;
    taut_weights weights;
    double **known; /* [n] coefficients at base.t, scaled with known_h */
    double **left;  /* [n] those at base.begin, scaled with poly_h: a part of poly */
    double known_h;
    int known_stages;    /* known[j] has known_stages + d_j coefficients */
    double *allowed;     /* [states] errors of a step */
    double *largest;     /* [groups] of the values at its end */
    double *value;       /* [states] work space ... */
    double *misfit;      /* [states] ... likewise */
    taut_twopoint *poly; /* [n] the last step, scaled with poly_h */
    double poly_h;
    taut_twoview view;     /* features between the ends of a step */
    taut_twopoint *motion; /* [n] the attempted step, for it; NULL: there is nothing to look for */
    double **reached;      /* [n] coefficients at its end, likewise */
    double *rounding;      /* [n] of the equations at the start, likewise, ... */
    double *noise, *size;  /* [n], [tape size] ... and work space */
    double good;           /* up to where an attempt saw all that there is */
    int left_stages;       /* of poly, beyond stage 0 */
    int p;                 /* the pair is (p, p + 1), ... */
    int most_p;            /* ... p at most this, which belongs to the tolerance */
    double tend, h;        /* h: to try next */
    double rate;           /* at which Newton converged last */
    double error;          /* of the last attempt, in units of what is allowed */
    double lower;          /* the same for the pair below */
    double ideal_before;   /* the step before should have been so long; 0: there is none */
    double trend;          /* how much longer that was than the one before it */
    bool quiet;            /* its error was rounding rather than the formula's */
    bool varies;           /* the pair may change */
    bool looks;            /* the next step tells how others would do */
    int waited;            /* steps since the last time */
    bool projects;         /* there are constraints on the state */
    double rcond;
    trouble trouble;
    int worst; /* the state with the largest error */
    taut_stepper_stats stats;
} hermite;

/* ---- creation ---- */

static taut_status allocate(hermite *s) {
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
    s->motion = TAUT_NEW_ARRAY(&s->arena, n, taut_twopoint);
    s->reached = TAUT_NEW_ARRAY(&s->arena, n, double *);
    s->rounding = TAUT_NEW_ARRAY(&s->arena, n, double);
    s->noise = TAUT_NEW_ARRAY(&s->arena, n, double);
    s->size = TAUT_NEW_ARRAY(&s->arena, s->lifted->series->tape->size, double);
    return s->motion && s->reached && s->rounding && s->noise && s->size ? TAUT_OK
                                                                         : TAUT_ERR_MEMORY;
}

static void release(taut_stepper *stepper) {
    hermite *s = (hermite *)stepper;
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
    hermite *s = NULL;
    size_t room = 0;
    *stepper = NULL;
    if (taut_grow((void **)&s, &room, 1, sizeof *s)) return TAUT_ERR_MEMORY;
    *s = (hermite){.system = system, .structure = structure, .options = *options};
    s->p = s->most_p = choose_p(options);
    s->varies = options->order == 0 && options->step <= 0.0 && s->p > LOW_P;
    s->projects = structure->conditions > 0;
    const int least = s->varies ? LOW_P : s->p;
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
    hermite *s = (hermite *)stepper;
    TAUT_TRY(taut_twoview_set_numbers(&s->view, parameter));
    return taut_lifted_set_numbers(s->lifted, parameter);
}

/* ---- coefficients ---- */

/* k! / h^k */
static double unscale(double h, int k) {
    double factor = 1.0;
    for (int i = 1; i <= k; i++) factor *= (double)i / h;
    return factor;
}

/* Scales what is known with h. */
static void rescale(hermite *s, double h) {
    const double ratio = h / s->known_h;
    if (ratio == 1.0) return;
    for (int j = 0; j < s->system->n; j++) {
        double power = 1.0;
        for (int m = 0; m < s->known_stages + s->structure->offsets.d[j]; m++, power *= ratio)
            s->known[j][m] *= power;
    }
    s->known_h = h;
}

/* The states among coefficients x_j(m) scaled with h. */
static void read_states(const hermite *s, double *(*of)(const hermite *, int), double h,
                        double *value) {
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        value[i] = of(s, x->variable)[x->order] * unscale(h, x->order);
    }
}

static double *known_of(const hermite *s, int j) { return s->known[j]; }
static double *unknown_of(const hermite *s, int j) { return taut_lifted_unknown(s->lifted, j); }

/* The last coefficient of variable j to trust beyond the point: from where on they grow, they tell
 * of what has died out, or of errors. */
static int trusted(const hermite *s, int j) {
    const int d = s->structure->offsets.d[j], last = s->known_stages + d - 1;
    const double *x = s->known[j];
    for (int m = d + 2; m <= last; m++)
        if (fabs(x[m]) > fmax(fabs(x[m - 1]), fabs(x[m - 2]))) return m - 1;
    return last;
}

/* The Taylor polynomial, moved to the end of the step. */
static void predict(hermite *s) {
    for (int j = 0; j < s->system->n; j++) {
        double *x = taut_lifted_unknown(s->lifted, j);
        const int count = s->lifted->q + s->structure->offsets.d[j], top = trusted(s, j);
        for (int m = 0; m < count; m++) {
            double binomial = 1.0;
            x[m] = 0.0;
            for (int i = m; i <= top; i++) {
                x[m] += binomial * s->known[j][i];
                binomial *= (double)(i + 1) / (double)(i + 1 - m);
            }
        }
    }
}

/* ---- an attempt ---- */

/* A motion that begins at rest with the tail of a pulse has no size yet, and nothing in it can be
 * smaller than what rounding of the equations makes of it in a step. */
static void allow_rounding(hermite *s) {
    const int *c = s->structure->offsets.c, *d = s->structure->offsets.d;
    const double h = fabs(s->lifted->h);
    if (!s->motion) return;
    for (int i = 0; i < s->system->n; i++) s->noise[i] = s->rounding[i] / pow(h, c[i]);
    taut_lu_solve(s->lifted->series->lu, s->noise);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        const double noise = fabs(s->noise[x->variable]) * pow(h, d[x->variable] - x->order);
        if (noise > s->allowed[i]) s->allowed[i] = noise;
    }
}

/* Sets what errors are allowed in a step whose end is in the unknowns: a part of the weights, but
 * not less than rounding. Where a stiff force ties positions, the last bit of x is 1/h times as
 * much in x', and what is tied to x has it, too: so it is the last bit of the largest of its kind,
 * as it is now (a value that has become small is to keep its digits).
 */
static void weigh(hermite *s) {
    taut_weights_begin(&s->weights);
    read_states(s, unknown_of, s->lifted->h, s->value);
    memset(s->largest, 0, (size_t)s->system->groups * sizeof *s->largest);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        taut_weights_raise(&s->weights, i, fabs(s->value[i]));
        if (x->order == 0) s->largest[x->group] = fmax(s->largest[x->group], fabs(s->value[i]));
    }
    taut_weights_set(&s->weights, s->value);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        const double bit = DBL_EPSILON * s->largest[x->group];
        s->allowed[i] =
            fmax(INNER * s->weights.weight[i], 8.0 * fabs(bit * unscale(s->lifted->h, x->order)));
        /* what nothing depends on need not converge: at the start its scale is not known */
        if (s->system->unknown[x->variable].passive) s->allowed[i] = (double)INFINITY;
    }
    allow_rounding(s);
}

/* The last change of a state, or of one of its coefficients as the next step will weigh it, in
 * units of what is allowed; which state has the largest one. */
static double changed(hermite *s, int coefficients) {
    double largest = 0.0;
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        const double *change = taut_lifted_change(s->lifted, x->variable) + x->order;
        double size = 0.0, binomial = 1.0;
        for (int m = 0; m <= coefficients; m++) {
            size = fmax(size, fabs(s->lifted->behind[m] * binomial * change[m]));
            binomial *= (double)(x->order + m + 1) / (double)(m + 1);
        }
        size *= fabs(unscale(s->lifted->h, x->order)) / s->allowed[i];
        if (size > largest) {
            largest = size;
            s->worst = i;
        }
    }
    return largest;
}

static void iterate(hermite *s) {
    double before = 0.0;
    s->trouble = NO_NEWTON;
    for (int i = 0; i < ITERATIONS; i++) {
        if (!taut_lifted_correct(s->lifted)) {
            s->trouble = NOT_FINITE;
            return;
        }
        const double now = changed(s, s->lifted->p);
        if (i > 0) s->rate = fmax(now / before, 1e-3);
        const double left = s->rate < 1.0 ? now * s->rate / (1.0 - s->rate) : (double)INFINITY;
        if (now == 0.0 || left <= NEWTON || (i > 1 && now < NEWTON)) {
            s->trouble = FINE;
            return;
        }
        if (i > 0 && s->rate > 0.9) return;
        before = now;
    }
}

/* The error of a step by the formula (a, b), of a lower order than the one that was taken. A mode
 * that is much faster than the step is long takes no part in it, since whatever is wrong there dies
 * out; but between the ends its polynomial has to be good as well. */
static double error_of(hermite *s, int a, int b) {
    taut_lifted_compare(s->lifted, a, b, s->known, s->misfit);
    double error = changed(s, 0);
    for (int i = 0; i < s->weights.states; i++) {
        const double size = fabs(s->misfit[i] * unscale(s->lifted->h, s->weights.state[i].order));
        error = fmax(error, BETWEEN * size / s->allowed[i]);
    }
    return error;
}

static taut_status attempt(hermite *s, double h) {
    rescale(s, h);
    taut_lifted_begin(s->lifted, s->base.t, h, s->p, s->p + 1);
    taut_lifted_remember(s->lifted, s->known);
    predict(s);
    weigh(s);
    taut_status status = taut_lifted_linearise(s->lifted);
    s->trouble = SINGULAR_MATRIX;
    if (status == TAUT_SINGULAR) return TAUT_OK;
    TAUT_TRY(status);
    s->rate = 0.5;
    iterate(s);
    if (s->trouble != FINE || s->options.step > 0.0) return TAUT_OK;
    weigh(s);
    if (s->looks) s->lower = error_of(s, s->p - 2, s->p);
    s->error = error_of(s, s->p - 1, s->p + 1);
    if (!(s->error <= 1.0)) s->trouble = TOO_FAR;
    return TAUT_OK;
}

/* Looks for features between the ends of an attempt that went well. */
static void look_inside(hermite *s, double t) {
    const int *d = s->structure->offsets.d, p = s->lifted->p, q = s->lifted->q;
    if (!s->motion || s->trouble != FINE) return;
    for (int j = 0; j < s->system->n; j++) {
        s->reached[j] = taut_lifted_unknown(s->lifted, j);
        taut_twopoint_set(&s->motion[j], s->known[j], p + d[j], s->reached[j], q + d[j]);
    }
    const taut_end left = {s->base.t, s->known, p}, right = {t, s->reached, q};
    if (!taut_twoview_agrees(&s->view, &left, &right, s->lifted->h, s->motion, &s->good))
        s->trouble = HIDDEN;
}

/* ---- landing ---- */

/* Corrects the states to satisfy the constraints of all levels; everything beyond them stays. */
static taut_status project(hermite *s) {
    taut_series *series = s->lifted->series;
    const int *d = s->structure->offsets.d;
    taut_lifted_look(s->lifted, series, 1);
    if (!s->projects) return TAUT_OK;
    taut_status status = taut_series_factor(series);
    if (status == TAUT_SINGULAR) s->trouble = SINGULAR_MATRIX;
    if (status != TAUT_OK) return status == TAUT_SINGULAR ? TAUT_OK : status;
    s->rcond = taut_lu_rcond(series->lu);
    for (int stage = -s->structure->largest_d; stage < 0; stage++) taut_series_solve(series, stage);
    for (int j = 0; j < s->system->n; j++)
        for (int k = 0; k < d[j]; k++)
            taut_lifted_unknown(s->lifted, j)[k] =
                *taut_jet_at(series->jet, series->variable[j], k);
    return TAUT_OK;
}

static void accept(hermite *s, double t) {
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
    read_states(s, known_of, s->known_h, s->value);
    taut_weights_reach(&s->weights, s->value);
    s->stats.steps++;
    s->stats.order = p + q;
}

/* ---- trouble in words ---- */

static taut_status explain(hermite *s, double h, taut_errors *errors) {
    char text[200] = "", where[80];
    taut_series *series = s->lifted->series;
    read_states(s, known_of, s->known_h, s->value); /* back to the last point */
    for (int i = 0; i < s->weights.states; i++)
        taut_series_set(series, s->weights.state[i].variable, s->weights.state[i].order,
                        s->value[i]);
    TAUT_TRY(taut_singular_dead_point(series, s->base.t, errors));
    if (s->trouble == SINGULAR_MATRIX) {
        taut_format(where, sizeof where, "near t = %.10g", s->base.t);
        taut_singular_explain(series, where, errors);
        return TAUT_SINGULAR;
    }
    if (s->worst >= 0)
        taut_derivative_name(s->system, s->weights.state[s->worst].variable,
                             s->weights.state[s->worst].order, text, sizeof text);
    if (s->trouble == NO_NEWTON || s->trouble == NOT_FINITE)
        return taut_fail_at(errors, TAUT_STEP_COLLAPSED, s->system->place,
                            "the equations of a step cannot be solved beyond t = %.10g, however "
                            "short it is: Newton's method does not converge (%s changes most)",
                            s->base.t, text);
    return taut_collapse_explain(s->system,
                                 (taut_collapse){s->stats.steps + s->stats.rejected, h, s->base.t,
                                                 text, s->worst >= 0 ? s->value[s->worst] : 0.0},
                                 errors);
}

/* ---- the calls ---- */

/* |Y_i| of a state at the known point, i >= 1, for a step h. */
static double known_size(const hermite *s, const taut_component *x, int i, double h) {
    double size = fabs(s->known[x->variable][x->order + i]) * unscale(s->known_h, x->order);
    for (int k = 1; k <= x->order; k++) size *= (double)(i + k) / (double)k;
    return size * pow(fabs(h / s->known_h), i);
}

/* How many of these are known. */
static int known_orders(const hermite *s, const taut_component *x) {
    return s->known_stages + s->structure->offsets.d[x->variable] - 1 - x->order;
}

/* The step for which the last two known coefficients stay within the tolerance, with the scales of
 * a step h. The first one is no measure: from rest, it is the scale. */
static double allowed_step(hermite *s, double h) {
    double allowed = fabs(s->tend - s->base.t);
    taut_weights_begin(&s->weights);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        taut_weights_raise(&s->weights, i, fabs(s->value[i]));
        for (int m = 1; m <= known_orders(s, x); m++)
            taut_weights_raise(&s->weights, i, known_size(s, x, m, h));
    }
    taut_weights_set(&s->weights, s->value);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        if (s->system->unknown[x->variable].passive) continue;
        const int top = known_orders(s, x);
        for (int m = top; m > top - 2 && m > 1; m--) {
            const double size = known_size(s, x, m, s->known_h);
            if (size > INNER * s->weights.weight[i])
                allowed = fmin(allowed, fabs(s->known_h) *
                                            pow(INNER * s->weights.weight[i] / size, 1.0 / m));
        }
    }
    return allowed;
}

/* The first step. The formula has twice as many orders as are known here, so more can be dared. */
static double first_step(hermite *s) {
    double h = 1e-3 * fabs(s->tend - s->base.t);
    for (int i = 0; i < 100; i++) {
        const double next = allowed_step(s, h);
        const bool settled = fabs(next - h) < 0.1 * h;
        h = next;
        if (settled) break;
    }
    return fmin(DARING * h, fabs(s->tend - s->base.t));
}

/* The coefficients at the start, by the recurrences: there is no step yet to take them from. */
static taut_status expand(hermite *s, const taut_state *from, taut_errors *errors) {
    taut_series *series = s->lifted->series;
    const int *d = s->structure->offsets.d;
    taut_series_start(series, s->base.t, s->tend != s->base.t ? 1e-3 * (s->tend - s->base.t) : 1.0);
    for (int j = 0; j < s->system->n; j++) {
        taut_series_set(series, j, d[j], 0.0);
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

/* ---- what is remembered ---- */

static int known_count(const hermite *s, int stages) {
    int count = 0;
    for (int j = 0; j < s->system->n; j++) count += stages + s->structure->offsets.d[j];
    return count;
}

static void remember(const taut_stepper *stepper, taut_memory *memory) {
    const hermite *s = (const hermite *)stepper;
    const double number[] = {s->p,     s->known_stages, s->known_h, s->h,      s->ideal_before,
                             s->trend, s->quiet,        s->looks,   s->waited, s->rcond};
    taut_memory_put_all(memory, number, sizeof number / sizeof number[0]);
    taut_memory_put_all(memory, s->weights.scale, s->system->groups * s->weights.levels);
    for (int j = 0; j < s->system->n; j++)
        taut_memory_put_all(memory, s->known[j], s->known_stages + s->structure->offsets.d[j]);
}

/* The coefficients at the point are a part of it: see the top of this file. */
static void recall(hermite *s, const taut_state *from) {
    taut_recall r = taut_state_recall(from, s->base.method->name);
    const int least = s->varies ? LOW_P : s->p, scales = s->system->groups * s->weights.levels;
    const int p = taut_recall_whole(&r, least, s->most_p);
    const int stages = taut_recall_whole(&r, 1, TAUT_LIFTED_MOST);
    const double h = taut_recall_get(&r);
    if (r.failed || stages < p || h == 0.0 ||
        r.memory->count != 10 + (size_t)scales + (size_t)known_count(s, stages))
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
    for (int j = 0; j < s->system->n; j++) {
        const int count = stages + s->structure->offsets.d[j];
        taut_recall_all(&r, s->known[j], count);
        taut_twopoint_set(&s->poly[j], s->known[j], count, s->known[j], 0);
    }
    read_states(s, known_of, s->known_h, s->value);
}

static taut_status start(taut_stepper *stepper, const taut_state *from, double tend,
                         taut_errors *errors) {
    hermite *s = (hermite *)stepper;
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
    read_states(s, known_of, s->known_h, s->value);
    s->h = s->options.step > 0.0 ? s->options.step : first_step(s);
    taut_weights_reach(&s->weights, s->value);
    recall(s, from);
    s->stats.order = 2 * s->p + 1;
    return TAUT_OK;
}

static taut_status set_end(taut_stepper *stepper, double tend) {
    ((hermite *)stepper)->tend = tend;
    return TAUT_OK;
}

/* How much longer or shorter a step with the pair p should have been, with this error. */
static double ideal(int p, double error) {
    if (error == 0.0) return GROWTH;
    return fmin(GROWTH, fmax(SHRINK, pow(AIM / error, 1.0 / (2.0 * p + 1.0))));
}

/* How far a step gets for its cost. */
static double worth(int p, double error) { return ideal(p, error) / pow(p + 1.0, COST); }

/* The pair for the next attempt: this one or one of its neighbours, up to the one that belongs to
 * the tolerance. Errors fall from pair to pair in a constant ratio, like the terms of a series;
 * those that are rounding tell nothing. */
static void choose_pair(hermite *s) {
    if (!s->looks) return;
    s->waited = 0;
    if (s->error < ROUNDING) return;
    const double higher = s->lower > s->error ? s->error * s->error / s->lower : s->error;
    const double least = worth(s->p, s->error) * (1.0 + HYSTERESIS);
    if (s->p > LOW_P && worth(s->p - 1, s->lower) > least) {
        s->p--;
        s->error = s->lower;
    } else if (s->p < s->most_p && s->p < s->known_stages && worth(s->p + 1, higher) > least) {
        s->p++;
        s->error = higher;
    }
}

/* The next step after one of length h: as long as this one should have been, or shorter if that
 * length shrinks. If it did so twice, it will go on like this: towards a jump, every step would be
 * too long otherwise. */
static double next_length(hermite *s, double h) {
    const bool quiet = s->error < ROUNDING;
    const double now = h * ideal(s->p, s->error);
    const double trend = s->ideal_before > 0.0 ? fmax(SHRINK, now / s->ideal_before) : 1.0;
    double next = now * fmin(fmin(1.0, fmax(trend, s->trend)), pow(trend, DAMPING));
    if (quiet && s->quiet) next = fmax(next, 2.0 * h);
    s->looks = s->varies && (++s->waited >= LOOK_AFTER || trend > STEADY || trend * STEADY < 1.0);
    s->ideal_before = now;
    s->trend = trend;
    s->quiet = quiet;
    return next;
}

/* How much shorter the next attempt should be. */
static double retreat(const hermite *s) {
    return s->trouble == TOO_FAR ? ideal(s->p, s->error) : 0.3;
}

/* The length to try: to the end at once, or in two equal steps rather than a long and a tiny one.
 */
static double length_to_try(const hermite *s) {
    const double left = fabs(s->tend - s->base.t);
    const double h = s->options.step > 0.0 ? s->h : fmin(s->h, s->view.vigil.cap);
    if (h >= left * (1.0 - 1e-9)) return left;
    return s->options.step <= 0.0 && h > 0.5 * left ? 0.5 * left : h;
}

static taut_status step(taut_stepper *stepper, taut_errors *errors) {
    hermite *s = (hermite *)stepper;
    for (;;) {
        const double h = length_to_try(s), left = s->tend - s->base.t;
        const double t = h == fabs(left) ? s->tend : s->base.t + copysign(h, left);
        if (!(h > 16.0 * DBL_EPSILON * fabs(s->base.t)) || t == s->base.t || !isfinite(t))
            return explain(s, h, errors);
        TAUT_TRY(attempt(s, t - s->base.t));
        look_inside(s, t);
        if (s->trouble == FINE) TAUT_TRY(project(s));
        if (s->trouble == FINE) {
            accept(s, t);
            if (s->options.step > 0.0) return TAUT_OK;
            choose_pair(s);
            s->h = next_length(s, h);
            return TAUT_OK;
        }
        s->stats.rejected++;
        if (s->options.step > 0.0) return explain(s, h, errors);
        s->h = s->trouble == HIDDEN ? fabs(s->good - s->base.t) : h * retreat(s);
    }
}

static double state_now(const taut_stepper *stepper, int j, int k) {
    const hermite *s = (const hermite *)stepper;
    if (k >= s->known_stages + s->structure->offsets.d[j]) return 0.0;
    return s->known[j][k] * unscale(s->known_h, k);
}

static double value(const taut_stepper *stepper, int j, int k, double time) {
    const hermite *s = (const hermite *)stepper;
    if (time == s->base.t) return state_now(stepper, j, k);
    const double theta = (time - s->base.begin) / s->poly_h;
    return taut_twopoint_value(&s->poly[j], k, theta) * unscale(s->poly_h, k);
}

static double residual(const taut_stepper *stepper) {
    const hermite *s = (const hermite *)stepper;
    return taut_series_constraint_residual(s->lifted->series);
}

static double rcond(const taut_stepper *stepper) { return ((const hermite *)stepper)->rcond; }

static taut_stepper_stats statistics(const taut_stepper *stepper) {
    const hermite *s = (const hermite *)stepper;
    taut_stepper_stats stats = s->stats;
    stats.evaluations = s->lifted->evaluations;
    stats.factorisations = s->lifted->factorisations;
    stats.corrections = s->lifted->corrections;
    return stats;
}

static taut_expansion expansion(const taut_stepper *stepper, bool end) {
    const hermite *s = (const hermite *)stepper;
    if (s->base.t == s->base.begin) return (taut_expansion){0};
    if (end) return (taut_expansion){s->known, s->known_stages - 1, s->base.t, s->known_h};
    return (taut_expansion){s->left, s->left_stages, s->base.begin, s->poly_h};
}

static double ahead(taut_stepper *stepper) { return ((const hermite *)stepper)->h; }

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
                                  .set_numbers = set_numbers};
