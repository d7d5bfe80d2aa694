/* One attempt of a stiff step: predict the coefficients at its end, Newton on the lifted equations,
 * estimate the error, look between the ends, project what the constraints restrict. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "solve/hermite_parts.h"
#include "solve/projecting.h"

enum { ITERATIONS = 8 };
static const double NEWTON = 0.01; /* what Newton leaves, beside the errors that are allowed */
static const double BETWEEN = 0.1; /* of what a formula misses shows between the ends of a step */

/* Scales what is known with h. */
static void rescale(taut_hermite_stepper *s, double h) {
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
static void read_states(const taut_hermite_stepper *s,
                        double *(*of)(const taut_hermite_stepper *, int), double h, double *value) {
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        value[i] = of(s, x->variable)[x->order] * taut_unscale(h, x->order);
    }
}

static double *known_of(const taut_hermite_stepper *s, int j) { return s->known[j]; }
static double *unknown_of(const taut_hermite_stepper *s, int j) {
    return taut_lifted_unknown(s->lifted, j);
}

void taut_hermite_read_states(taut_hermite_stepper *s) {
    read_states(s, known_of, s->known_h, s->value);
}

/* The last coefficient of variable j to trust beyond the point: from where on they grow, they tell
 * of what has died out, or of errors. */
static int trusted(const taut_hermite_stepper *s, int j) {
    const int d = s->structure->offsets.d[j], last = s->known_stages + d - 1;
    const double *x = s->known[j];
    for (int m = d + 2; m <= last; m++)
        if (fabs(x[m]) > fmax(fabs(x[m - 1]), fabs(x[m - 2]))) return m - 1;
    return last;
}

/* The Taylor polynomial, moved to the end of the step. */
static void predict(taut_hermite_stepper *s) {
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

/* ---- errors that are allowed ---- */

/* A motion that begins at rest with the tail of a pulse has no size yet, and nothing in it can be
 * smaller than what rounding of the equations makes of it in a step. */
static void allow_rounding(taut_hermite_stepper *s) {
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

/* So many times its rounding is a state that has just begun to move. */
static const double BEGINS = 100.0;

/* The same for what follows from these states in the step, and has no rounding of its own: with x'
 * = y, x begins as rough as y. What is larger has a scale, and stiff forces would make its rounding
 * seem large. */
static void spread_rounding(taut_hermite_stepper *s) {
    const int *d = s->structure->offsets.d;
    const double h = s->lifted->h;
    if (!s->motion) return;
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        s->misfit[i] = fabs(s->noise[x->variable]) * pow(fabs(h), d[x->variable] - x->order) /
                       taut_unscale(h, x->order);
    }
    taut_lifted_spread(s->lifted, s->misfit);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        if (s->noise[x->variable] != 0.0) continue;
        const double moved = taut_lifted_change(s->lifted, x->variable)[x->order];
        const double rough = fabs(moved * taut_unscale(h, x->order));
        if (fabs(s->value[i]) <= BEGINS * rough) s->allowed[i] = fmax(s->allowed[i], rough);
    }
}

/* So many times the tolerance, and this part of its weight: stiff forces do rough work. */
static const double LOOSE = 30.0, PART = 0.3;

/* What nothing depends on is weighed with the energy in the motion, and need not converge before
 * that is known: it may begin with the rounding of its rate. */
static void allow_passive(taut_hermite_stepper *s, int i) {
    const double least = LOOSE * s->weights.atol * taut_weights_passive(&s->weights);
    s->allowed[i] = least > 0.0 ? fmax(PART * s->weights.weight[i], least) : (double)INFINITY;
}

/* Sets what errors are allowed in a step whose end is in the unknowns: a part of the weights, but
 * not less than rounding. Where a stiff force ties positions, the last bit of x is 1/h times as
 * much in x', and what is tied to x has it, too: so it is the last bit of the largest of its kind,
 * as it is now (a value that has become small is to keep its digits).
 */
static void weigh(taut_hermite_stepper *s) {
    taut_weights_begin(&s->weights);
    read_states(s, unknown_of, s->lifted->h, s->value);
    memset(s->largest, 0, (size_t)s->system->groups * sizeof *s->largest);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        taut_weights_raise(&s->weights, i, fabs(s->value[i]));
        if (x->order == 0) s->largest[x->group] = fmax(s->largest[x->group], fabs(s->value[i]));
    }
    taut_weights_set(&s->weights, s->value);
    const double inner = TAUT_HERMITE_INNER * taut_weights_part(&s->options, s->lifted->h);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        const double bit = DBL_EPSILON * s->largest[x->group];
        s->allowed[i] = fmax(inner * s->weights.weight[i],
                             8.0 * fabs(bit * taut_unscale(s->lifted->h, x->order)));
        if (s->system->unknown[x->variable].passive) allow_passive(s, i);
    }
    allow_rounding(s);
}

/* ---- an attempt ---- */

/* The last change of a state, or of one of its coefficients as the next step will weigh it, in
 * units of what is allowed; which state has the largest one. */
static double changed(taut_hermite_stepper *s, int coefficients) {
    double largest = 0.0;
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        const double *change = taut_lifted_change(s->lifted, x->variable) + x->order;
        double size = 0.0, binomial = 1.0;
        for (int m = 0; m <= coefficients; m++) {
            size = fmax(size, fabs(s->lifted->behind[m] * binomial * change[m]));
            binomial *= (double)(x->order + m + 1) / (double)(m + 1);
        }
        size *= fabs(taut_unscale(s->lifted->h, x->order)) / s->allowed[i];
        if (size > largest) {
            largest = size;
            s->worst = i;
        }
    }
    return largest;
}

static taut_status iterate(taut_hermite_stepper *s) {
    double before = 0.0;
    s->trouble = TAUT_NO_NEWTON;
    for (int i = 0; i < ITERATIONS; i++) {
        TAUT_TRY(taut_bounds_ask());
        if (!taut_lifted_correct(s->lifted)) {
            s->trouble = TAUT_NOT_FINITE;
            return TAUT_OK;
        }
        const double now = changed(s, s->lifted->p);
        if (i > 0) s->rate = fmax(now / before, 1e-3);
        const double left = s->rate < 1.0 ? now * s->rate / (1.0 - s->rate) : (double)INFINITY;
        if (now == 0.0 || left <= NEWTON || (i > 1 && now < NEWTON)) {
            s->trouble = TAUT_FINE;
            return TAUT_OK;
        }
        if (i > 0 && s->rate > 0.9) return TAUT_OK;
        before = now;
    }
    return TAUT_OK;
}

/* The error of a step by the formula (a, b), of a lower order than the one that was taken. A mode
 * that is much faster than the step is long takes no part in it, since whatever is wrong there dies
 * out; but between the ends its polynomial has to be good as well. */
static double error_of(taut_hermite_stepper *s, int a, int b) {
    taut_lifted_compare(s->lifted, a, b, s->known, s->misfit);
    double error = changed(s, 0);
    for (int i = 0; i < s->weights.states; i++) {
        const double size =
            fabs(s->misfit[i] * taut_unscale(s->lifted->h, s->weights.state[i].order));
        error = fmax(error, BETWEEN * size / s->allowed[i]);
    }
    return error;
}

taut_status taut_hermite_attempt(taut_hermite_stepper *s, double h) {
    rescale(s, h);
    taut_lifted_begin(s->lifted, s->base.t, h, s->p, s->p + 1);
    taut_lifted_remember(s->lifted, s->known);
    predict(s);
    weigh(s);
    taut_status status = taut_lifted_linearise(s->lifted);
    s->trouble = TAUT_SINGULAR_MATRIX;
    if (status == TAUT_SINGULAR) return TAUT_OK;
    TAUT_TRY(status);
    s->rate = 0.5;
    TAUT_TRY(iterate(s));
    if (s->trouble != TAUT_FINE || s->options.step > 0.0) return TAUT_OK;
    weigh(s);
    spread_rounding(s);
    if (s->looks) s->lower = error_of(s, s->p - 2, s->p);
    s->error = error_of(s, s->p - 1, s->p + 1);
    if (!(s->error <= 1.0)) s->trouble = TAUT_TOO_FAR;
    return TAUT_OK;
}

/* Looks for features between the ends of an attempt that went well. */
void taut_hermite_look_inside(taut_hermite_stepper *s, double t) {
    const int *d = s->structure->offsets.d, p = s->lifted->p, q = s->lifted->q;
    if (!s->motion || s->trouble != TAUT_FINE) return;
    for (int j = 0; j < s->system->n; j++) {
        s->reached[j] = taut_lifted_unknown(s->lifted, j);
        taut_twopoint_set(&s->motion[j], s->known[j], p + d[j], s->reached[j], q + d[j]);
    }
    const taut_twoview_end left = {s->base.t, s->known, p}, right = {t, s->reached, q};
    if (!taut_twoview_agrees(&s->view, &left, &right, s->lifted->h, s->motion, &s->good))
        s->trouble = TAUT_HIDDEN;
}

/* One correction of the states by the constraints of all levels, with the factors at hand; its
 * largest part, beside the scales. */
static double correct_states(taut_hermite_stepper *s) {
    taut_series *series = s->lifted->series;
    const int *d = s->structure->offsets.d;
    double largest = 0.0;
    for (int stage = -s->structure->largest_d; stage < 0; stage++) taut_series_solve(series, stage);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        double *own = taut_lifted_unknown(s->lifted, x->variable) + x->order;
        const double now = *taut_jet_at(series->jet, series->variable[x->variable], x->order);
        const double scale = s->weights.coming[x->group * s->weights.levels + x->order];
        const double change = fabs((now - *own) * taut_unscale(s->lifted->h, x->order));
        if (x->order < d[x->variable] && scale > 0.0) largest = fmax(largest, change / scale);
        if (x->order < d[x->variable]) *own = now;
    }
    return largest;
}

/* Corrects the states to satisfy the constraints of all levels; everything beyond them stays. Once
 * is enough unless more is asked for: errors of a step are small. */
taut_status taut_hermite_project(taut_hermite_stepper *s) {
    taut_series *series = s->lifted->series;
    taut_projecting more = taut_projecting_begin(s->options.projection, 0.0, 1);
    taut_lifted_look(s->lifted, series, 1);
    if (!s->projects) return TAUT_OK;
    do {
        if (more.rounds > 0) taut_lifted_look(s->lifted, series, 1);
        const taut_status status = taut_series_factor(series);
        if (status == TAUT_SINGULAR) s->trouble = TAUT_SINGULAR_MATRIX;
        if (status != TAUT_OK) return status == TAUT_SINGULAR ? TAUT_OK : status;
        s->rcond = taut_lu_rcond(series->lu);
    } while (taut_projecting_goes_on(&more, correct_states(s)));
    return TAUT_OK;
}
