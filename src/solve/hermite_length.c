/* How long a stiff step should be, and of which order: from the error of the last one; at the start
 * from the coefficients. */
#include <math.h>

#include "solve/hermite_parts.h"

enum { LOOK_AFTER = 4 };           /* steps it asks again what the pair below would do */
static const double AIM = 0.1;     /* steps are chosen for this part of the errors allowed */
static const double DAMPING = 0.3; /* how much one change of the length counts */
static const double STEADY = 1.5;  /* changes below are no news */
static const double GROWTH = 5.0, SHRINK = 0.1; /* of the step, at most */
static const double ROUNDING = 3e-3;  /* errors that remain below are not of the formula */
static const double COST = 1.4;       /* a step of the pair (p, q) costs q^COST */
static const double HYSTERESIS = 0.1; /* another pair must be better by this part */
static const double DARING = 10.0;    /* the first step, beside what the coefficients allow */

/* ---- the first step ---- */

/* |Y_i| of a state at the known point, i >= 1, for a step h. */
static double known_size(const taut_hermite_stepper *s, const taut_component *x, int i, double h) {
    double size = fabs(s->known[x->variable][x->order + i]) * taut_unscale(s->known_h, x->order);
    for (int k = 1; k <= x->order; k++) size *= (double)(i + k) / (double)k;
    return size * pow(fabs(h / s->known_h), i);
}

/* How many of these are known. */
static int known_orders(const taut_hermite_stepper *s, const taut_component *x) {
    return s->known_stages + s->structure->offsets.d[x->variable] - 1 - x->order;
}

/* The step for which the last two known coefficients stay within the tolerance, with the scales of
 * a step h. The first one is no measure: from rest, it is the scale. */
static double allowed_step(taut_hermite_stepper *s, double h) {
    double allowed = fabs(s->tend - s->base.t);
    taut_weights_begin(&s->weights);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        taut_weights_raise(&s->weights, i, fabs(s->value[i]));
        for (int m = 1; m <= known_orders(s, x); m++)
            taut_weights_raise(&s->weights, i, known_size(s, x, m, h));
    }
    taut_weights_set(&s->weights, s->value);
    const double inner = TAUT_HERMITE_INNER * taut_weights_part(&s->options, h);
    for (int i = 0; i < s->weights.states; i++) {
        const taut_component *x = &s->weights.state[i];
        if (s->system->unknown[x->variable].passive) continue;
        const int top = known_orders(s, x);
        for (int m = top; m > top - 2 && m > 1; m--) {
            const double size = known_size(s, x, m, s->known_h);
            const double weight = inner * s->weights.weight[i];
            if (size > weight)
                allowed = fmin(allowed, fabs(s->known_h) * pow(weight / size, 1.0 / m));
        }
    }
    return allowed;
}

/* The first step. The formula has twice as many orders as are known here, so more can be dared. */
double taut_hermite_first_step(taut_hermite_stepper *s) {
    double h = 1e-3 * fabs(s->tend - s->base.t);
    for (int i = 0; i < 100; i++) {
        const double next = allowed_step(s, h);
        const bool settled = fabs(next - h) < 0.1 * h;
        h = next;
        if (settled) break;
    }
    return fmin(DARING * h, fabs(s->tend - s->base.t));
}

/* ---- the next one ---- */

/* How much longer or shorter a step with the pair p should have been, with this error: per unit
 * step it is of one order less. */
static double ideal(const taut_hermite_stepper *s, int p, double error) {
    const double order = s->options.per_unit ? 2.0 * p : 2.0 * p + 1.0;
    if (error == 0.0) return GROWTH;
    return fmin(GROWTH, fmax(SHRINK, pow(AIM / error, 1.0 / order)));
}

/* How far a step gets for its cost. */
static double worth(const taut_hermite_stepper *s, int p, double error) {
    return ideal(s, p, error) / pow(p + 1.0, COST);
}

/* The pair for the next attempt: this one or one of its neighbours, up to the one that belongs to
 * the tolerance. Errors fall from pair to pair in a constant ratio, like the terms of a series;
 * those that are rounding tell nothing. */
void taut_hermite_choose_pair(taut_hermite_stepper *s) {
    if (!s->looks) return;
    s->waited = 0;
    if (s->error < ROUNDING) return;
    const double higher = s->lower > s->error ? s->error * s->error / s->lower : s->error;
    const double least = worth(s, s->p, s->error) * (1.0 + HYSTERESIS);
    if (s->p > TAUT_HERMITE_LOW && worth(s, s->p - 1, s->lower) > least) {
        s->p--;
        s->error = s->lower;
    } else if (s->p < s->most_p && s->p < s->known_stages && worth(s, s->p + 1, higher) > least) {
        s->p++;
        s->error = higher;
    }
}

/* The next step after one of length h: as long as this one should have been, or shorter if that
 * length shrinks. If it did so twice, it will go on like this: towards a jump, every step would be
 * too long otherwise. */
double taut_hermite_next_length(taut_hermite_stepper *s, double h) {
    const bool quiet = s->error < ROUNDING;
    const double now = h * ideal(s, s->p, s->error);
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
double taut_hermite_retreat(const taut_hermite_stepper *s) {
    return s->trouble == TAUT_TOO_FAR ? ideal(s, s->p, s->error) : 0.3;
}

/* The length to try: to the end at once, or in two equal steps rather than a long and a tiny one.
 */
double taut_hermite_length_to_try(const taut_hermite_stepper *s) {
    const double left = fabs(s->tend - s->base.t);
    const double h = s->options.step > 0.0 ? s->h : fmin(s->h, s->view.vigil.cap);
    if (h >= left * (1.0 - 1e-9)) return left;
    return s->options.step <= 0.0 && h > 0.5 * left ? 0.5 * left : h;
}
