/* How long a Taylor step may be, by its last coefficients and the errors that are allowed. */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "solve/taylor_parts.h"

static const double FAR_BELOW = 0.1; /* of the weight: an amplitude that does not matter */

/* How many of the last coefficients are looked at: four, but not at low orders, where that would
 * reach down to the velocity itself. */
int taut_taylor_looked_at(const taut_taylor_stepper *p) {
    const int most = p->stats.order / 3 < 2 ? 2 : p->stats.order / 3;
    return most < TAUT_TAYLOR_LAST ? most : TAUT_TAYLOR_LAST;
}

/* Sizes of so many coefficients c of a derivative. */
static inline void measure(const double *restrict c, const double *restrict falling, double unit,
                           int count, double *restrict size) {
    for (int q = 0; q < count; q++) size[q] = fabs(falling[q] * c[q]) * unit;
}

void taut_taylor_measure_states(taut_taylor_stepper *p, int first, int end) {
    const double per_h = 1.0 / fabs(p->poly_h); /* a power of 2 */
    const int middle = p->last_stage / 2, beyond = p->last_stage - middle + 1;
    for (int i = first; i < end; i++) {
        const taut_component *x = &p->state[i];
        const double *falling = p->falling + x->order * p->orders;
        const double *c = p->poly[x->variable] + x->order;
        const int top = taut_taylor_top(p, x);
        double unit = 1.0, *low = p->low + i * (TAUT_TAYLOR_FIRST + 1),
               *high = p->high + i * TAUT_TAYLOR_LAST;
        for (int k = 0; k < x->order; k++) unit *= per_h;
        /* beyond the last coefficient there are zeros */
        for (int q = 0; q <= TAUT_TAYLOR_FIRST; q++) low[q] = fabs(falling[q] * c[q]) * unit;
        for (int m = 0; m < TAUT_TAYLOR_LAST; m++)
            high[m] = top - m > 0 ? fabs(falling[top - m] * c[top - m]) * unit : 0.0;
        double *to = p->middle + i * TAUT_TAYLOR_MIDDLE;
        /* NOLINTNEXTLINE(bugprone-branch-clone): the first one is unrolled */
        if (beyond >= TAUT_TAYLOR_MIDDLE)
            measure(c + middle, falling + middle, unit, TAUT_TAYLOR_MIDDLE, to);
        else
            measure(c + middle, falling + middle, unit, beyond, to);
    }
}

void taut_taylor_measure(taut_taylor_stepper *p) { taut_taylor_measure_states(p, 0, p->states); }

/* Scales of all groups and levels if the coming step is theta scales long, and from them the error
 * that each state may have. */
void taut_taylor_weigh(taut_taylor_stepper *p, double theta) {
    taut_weights_begin(&p->weights);
    p->weights.horizon =
        fmin(TAUT_TAYLOR_HORIZON * theta * fabs(p->poly_h), fabs(p->tend - p->base.t));
    double power[TAUT_TAYLOR_FIRST + 1] = {1.0};
    for (int q = 1; q <= TAUT_TAYLOR_FIRST; q++) power[q] = power[q - 1] * theta;
    for (int i = 0; i < p->states; i++) {
        const double *low = p->low + i * (TAUT_TAYLOR_FIRST + 1);
        double largest = 0.0;
        for (int q = 0; q <= TAUT_TAYLOR_FIRST; q++)
            if (low[q] * power[q] > largest) largest = low[q] * power[q];
        taut_weights_raise(&p->weights, i, largest);
    }
    taut_weights_set(&p->weights, p->hi);
    const double part = p->caution * taut_weights_part(&p->options, theta * p->poly_h);
    for (int i = 0; i < p->states; i++) p->weight[i] *= part;
}

/* Numbers whose exponents are what their bits say. */
static const double LEAST_NORMAL = 1e-300, MOST_NORMAL = 1e300;

/* Of which order is the ratio that allows the least theta? 0: there is none. -1: rough logarithms
 * do not tell. */
static int find_least_roughly(const taut_taylor_stepper *p) {
    double least = (double)INFINITY, next = (double)INFINITY;
    int best = 0;
    for (int q = 1; q < p->orders; q++) {
        const double ratio = p->ratio[q];
        if (!(ratio > 0.0)) continue;
        if (!(ratio > LEAST_NORMAL && ratio < MOST_NORMAL)) return -1;
        const double logarithm = -taut_rough_logarithm(ratio) / q;
        if (logarithm < least) {
            next = least;
            least = logarithm;
            best = q;
        } else if (logarithm < next) {
            next = logarithm;
        }
    }
    return best == 0 || next - least > 2.0 * TAUT_ROUGH ? best : -1;
}

/* The same by logarithms, which are quicker than powers. */
static int find_least(const taut_taylor_stepper *p) {
    double least = (double)INFINITY;
    int best = 0;
    for (int q = 1; q < p->orders; q++) {
        if (!(p->ratio[q] > 0.0)) continue;
        const double logarithm = -log2(p->ratio[q]) / q;
        if (logarithm >= least) continue;
        least = logarithm;
        best = q;
    }
    return best;
}

/* The longest theta for which no coefficient is above its weight, from the largest ratio of each
 * order. */
double taut_taylor_theta(const taut_taylor_stepper *p) {
    int best = find_least_roughly(p);
    if (best < 0) best = find_least(p);
    return best > 0 ? pow(p->ratio[best], -1.0 / best) : (double)INFINITY;
}

/* The largest ratios of the last coefficients and their weights, by order. Looking at four orders,
 * over all variables, survives symmetric starts where most coefficients vanish. False if they are
 * what they were before. */
static bool find_ratios(taut_taylor_stepper *p) {
    const int looked = taut_taylor_looked_at(p);
    double *before = p->largest;
    bool changed = false;
    for (int q = 0; q < p->orders; q++) {
        before[q] = p->ratio[q];
        p->ratio[q] = 0.0;
    }
    for (int i = 0; i < p->states; i++) {
        const int top = taut_taylor_top(p, &p->state[i]);
        const double *high = p->high + i * TAUT_TAYLOR_LAST;
        for (int m = 0; m < looked && m < top; m++)
            taut_taylor_raise_ratio(&p->ratio[top - m], high[m], p->weight[i]);
    }
    for (int q = 0; q < p->orders; q++) changed = changed || p->ratio[q] != before[q];
    return changed;
}

/* The step that the tolerance allows. The weights depend on the step; from above this shrinks
 * slowly, from below it settles at once. */
double taut_taylor_allowed_step(taut_taylor_stepper *p) {
    double theta = 1.0;
    for (int i = 0; i < 100; i++) {
        taut_taylor_weigh(p, theta);
        if (!find_ratios(p) && i > 0) break; /* all the same once more */
        double next = taut_taylor_theta(p);
        /* nothing more changes: to the end at once */
        if (!isfinite(next)) next = fabs((p->tend - p->base.t) / p->poly_h) / TAUT_TAYLOR_SAFETY;
        const bool settled = fabs(next - theta) < TAUT_TAYLOR_SETTLED * theta;
        theta = next;
        if (settled) break;
    }
    const double h = TAUT_TAYLOR_SAFETY * theta * fabs(p->poly_h);
    const double most = p->h != 0.0 ? TAUT_TAYLOR_GROWTH * fabs(p->h) : (double)INFINITY;
    /* coefficients that happen to vanish allow any step: what is allowed on the way that is really
     * taken must not be what it would be on that one */
    const double taken = fmin(most, fabs(p->tend - p->base.t));
    if (h > 2.0 * taken) taut_taylor_weigh(p, taken / fabs(p->poly_h));
    return fmin(h, most);
}

/* ---- the step to try ---- */

/* To the end at once, or in two equal steps rather than a long and a tiny one. */
double taut_taylor_fit_step(const taut_taylor_stepper *p, double h) {
    const double remaining = p->tend - p->base.t, left = fabs(remaining);
    if (h >= left * (1.0 - 1e-9))
        h = left;
    else if (p->options.step <= 0.0 && h > 0.5 * left && p->r == 0.0)
        h = 0.5 * left;
    return copysign(h, remaining);
}

double taut_taylor_choose_within(taut_taylor_stepper *p, double allowed) {
    double h = allowed;
    p->closing = p->blind = false;
    p->plain = allowed;
    if (p->pole.rows > 0) taut_taylor_watch_pole(p, h);
    if (p->r != 0.0)
        h = taut_taylor_plan_passage(p);
    else
        p->usual_step = h;
    return taut_taylor_fit_step(p, fmin(h, p->vigil.cap));
}

double taut_taylor_choose_step(taut_taylor_stepper *p) {
    if (p->options.step <= 0.0) return taut_taylor_choose_within(p, taut_taylor_allowed_step(p));
    p->closing = p->blind = false;
    taut_taylor_weigh(p, p->options.step / fabs(p->poly_h));
    return taut_taylor_fit_step(p, p->options.step);
}

/* ---- is it stability that limits it? ---- */

/* What coefficients are measured by: one over the weights. */
static void find_units(const taut_taylor_stepper *p, double *unit) {
    const double per_h = 1.0 / fabs(p->poly_h);
    for (int i = 0; i < p->states; i++) unit[i] = 1.0 / p->weight[i];
    for (int i = 0; i < p->states; i++)
        for (int k = 0; k < p->state[i].order; k++) unit[i] *= per_h;
}

/* The largest coefficients of orders q to q + TAUT_TAYLOR_AT_ONCE - 1 of the last polynomial, in
 * these units. */
static void find_largest(const taut_taylor_stepper *p, int q, const double *unit, double *largest) {
    const int left = p->last_stage - q + 1;
    const int count = left < TAUT_TAYLOR_AT_ONCE ? left : TAUT_TAYLOR_AT_ONCE;
    for (int m = 0; m < TAUT_TAYLOR_AT_ONCE; m++) largest[m] = 0.0;
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const double *falling = p->falling + x->order * p->orders + q;
        const double *c = p->poly[x->variable] + x->order + q;
        for (int m = 0; m < count; m++) {
            const double size = fabs(falling[m] * c[m]) * unit[i];
            if (size > largest[m]) largest[m] = size;
        }
    }
}

/* The same from the middle on, where they have been measured. */
static void find_largest_of_middle(const taut_taylor_stepper *p, double *largest) {
    double most[TAUT_TAYLOR_MIDDLE] = {0.0};
    for (int i = 0; i < p->states; i++) {
        const double *middle = p->middle + i * TAUT_TAYLOR_MIDDLE, unit = 1.0 / p->weight[i];
        for (int m = 0; m < TAUT_TAYLOR_MIDDLE; m++) {
            const double size = middle[m] * unit;
            most[m] = size > most[m] ? size : most[m];
        }
    }
    memcpy(largest, most, sizeof most);
}

/* Orders from q on; returns how many. */
static int look_at(const taut_taylor_stepper *p, int q, double *largest) {
    if (q == p->last_stage / 2 && !p->aloof) { /* otherwise the polynomial is that of a lane */
        find_largest_of_middle(p, largest);
        return TAUT_TAYLOR_MIDDLE;
    }
    find_units(p, p->unit);
    find_largest(p, q, p->unit, largest);
    return TAUT_TAYLOR_AT_ONCE;
}

/* A fast mode delta exp(lambda t) leaves delta lambda^k / k! in the high coefficients. If that is
 * all they consist of, and delta is far below the tolerance, then the steps are as short as they
 * are only to keep it there (docs/math/hermite-obreschkoff.md, section 8). */
bool taut_taylor_looks_strained(const taut_taylor_stepper *p) {
    const int K = p->last_stage;
    double least = (double)INFINITY, most = 0.0, *size = p->largest;
    for (int k = K / 2, known = k; k <= K - 2; k++) { /* size[k]: orders below `known` */
        while (known <= k + 2) known += look_at(p, known, size + known);
        const double rate = sqrt((double)((k + 1) * (k + 2)) * (size[k + 2] / size[k]));
        least = fmin(least, rate);
        most = fmax(most, rate);
        if (!(most < TAUT_TAYLOR_ONE_RATE * least)) return false;
    }
    double delta = size[K];
    for (int k = 1; k <= K; k++) delta *= (double)k / sqrt(least * most);
    return delta < FAR_BELOW;
}
