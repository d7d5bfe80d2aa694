/* How long the steps of a squad may be: solve/taylor_length.c and solve/weights.c in lanes. */
#include <float.h>
#include <math.h>

#include "core/bits.h"
#include "solve/squad_parts.h"

/* Numbers whose exponents are what their bits say. */
static const double LEAST_NORMAL = 1e-300, MOST_NORMAL = 1e300;

enum { LOWS = TAUT_TAYLOR_FIRST + 1, HIGHS = TAUT_TAYLOR_LAST };

/* Notes the sizes of the coefficients that the choice of a step looks at. */
TAUT_ALL_WIDTHS static void measure(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    taut_abreast scale;
    taut_size_abreast(&q->poly_h, &scale);
    const taut_abreast per_h = 1.0 / scale;
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const int top = taut_squad_top(q, i), lows = top + 1 < LOWS ? top + 1 : LOWS;
        const double *falling = p->falling + x->order * p->orders;
        const taut_abreast *c = q->poly + q->poly_at[x->variable] + x->order;
        taut_abreast unit, coef, *low = q->low + i * LOWS, *high = q->high + i * HIGHS;
        taut_alike_abreast(1.0, &unit);
        for (int k = 0; k < x->order; k++) unit *= per_h;
        for (int m = 0; m < lows; m++) { /* the others stay 0 */
            coef = falling[m] * c[m];
            taut_size_abreast(&coef, &low[m]);
            low[m] *= unit;
        }
        for (int m = 0; m < HIGHS && m < top; m++) {
            coef = falling[top - m] * c[top - m];
            taut_size_abreast(&coef, &high[m]);
            high[m] *= unit;
        }
    }
}

TAUT_INLINE void find_powers(const taut_abreast *theta, taut_abreast *power) {
    taut_alike_abreast(1.0, &power[0]);
    for (int k = 1; k < LOWS; k++) power[k] = power[k - 1] * *theta;
}

/* The largest term of a state in a step of which these are the powers. */
TAUT_INLINE void find_size_in_step(const taut_squad *q, int i, const taut_abreast *power,
                                   taut_abreast *largest) {
    taut_abreast most = {0};
    for (int k = 0; k < LOWS; k++) {
        const taut_abreast size = q->low[i * LOWS + k] * power[k];
        taut_raise_abreast(&most, &size);
    }
    *largest = most;
}

/* No scale is below the noise of the largest one of its level. */
TAUT_INLINE void raise_noise(taut_squad *q) {
    const taut_weights *w = &q->like->weights;
    taut_abreast nothing;
    taut_alike_abreast(TAUT_WEIGHTS_NOTHING, &nothing);
    for (int level = 0, first = 0; level < w->levels; first = w->used_end[level++]) {
        taut_abreast largest = {0};
        for (int m = first; m < w->used_end[level]; m++)
            taut_raise_abreast(&largest, &q->coming[w->used[m]]);
        largest *= w->noise;
        taut_raise_abreast(&largest, &nothing);
        for (int m = first; m < w->used_end[level]; m++)
            taut_raise_abreast(&q->coming[w->used[m]], &largest);
    }
}

/* Scales of the coming step, theta scales long. */
TAUT_INLINE void raise_scales(taut_squad *q, const taut_abreast *theta) {
    const taut_weights *w = &q->like->weights;
    taut_abreast power[LOWS], size;
    for (int m = 0; m < w->used_end[w->levels - 1]; m++)
        q->coming[w->used[m]] = q->scale[w->used[m]];
    find_powers(theta, power);
    q->raised = (taut_abreast_bits){0};
    for (int i = 0; i < w->states; i++) {
        find_size_in_step(q, i, power, &size);
        q->raised |= (taut_abreast_bits)(size > q->scale[w->cell[i]]);
        taut_raise_abreast(&q->coming[w->cell[i]], &size);
    }
    raise_noise(q);
}

/* The errors that states may have. horizon: for how long one of a rate matters; share: the part of
 * the tolerance that is used. */
TAUT_ALL_WIDTHS static void set_weights(taut_squad *q, const taut_abreast *theta,
                                        const taut_abreast *horizon, const taut_abreast *share) {
    const taut_weights *w = &q->like->weights;
    taut_abreast per_horizon = 1.0 / *horizon, size;
    const taut_abreast_bits none = (taut_abreast_bits)(*horizon <= (taut_abreast){0});
    const taut_abreast zero = {0};
    taut_choose_abreast(&none, &zero, &per_horizon);
    raise_scales(q, theta);
    taut_abreast_bits clear = ~(taut_abreast_bits){0};
    for (int i = 0; i < w->states; i++) {
        const int order = w->state[i].order;
        const taut_abreast *coming = &q->coming[w->cell[i]];
        taut_size_abreast(&q->hi[i], &size);
        taut_abreast weight = w->rtol * size + w->atol * *coming;
        if (order > 0) {
            taut_abreast least = 0.5 * DBL_EPSILON * coming[-order];
            for (int k = 0; k < order; k++) least *= per_horizon;
            clear &= (taut_abreast_bits)(least <= TAUT_WEIGHT_CLEAR * weight);
            taut_raise_abreast(&weight, &least);
        }
        if (w->passive[i]) weight *= TAUT_WEIGHTS_PASSIVE;
        q->weight[i] = weight * *share;
    }
    q->clear = clear;
}

/* The weights for these lengths of the coming steps. */
static void weigh(taut_squad *q, const double *theta, taut_crowd who) {
    taut_abreast horizon = {0}, share = {0}, length = {0};
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        const taut_taylor_stepper *p = q->member[l];
        length[l] = theta[l];
        horizon[l] = taut_smaller(TAUT_TAYLOR_HORIZON * theta[l] * fabs(q->poly_h[l]),
                                  fabs(p->tend - p->base.t));
        share[l] = p->caution * taut_weights_part(&p->options, theta[l] * q->poly_h[l]);
    }
    set_weights(q, &length, &horizon, &share);
}

/* In which lanes does a step of theta scales raise no scale? */
TAUT_ALL_WIDTHS static void find_within(const taut_squad *q, const taut_abreast *theta,
                                        taut_abreast_bits *within) {
    const taut_weights *w = &q->like->weights;
    taut_abreast power[LOWS], size;
    taut_abreast_bits beyond = {0};
    find_powers(theta, power);
    for (int i = 0; i < w->states; i++) {
        find_size_in_step(q, i, power, &size);
        beyond |= (taut_abreast_bits)(size > q->scale[w->cell[i]]);
    }
    *within = ~beyond;
}

/* Lanes of `who` that are weighed for a length whose weights are those for theta as well: as in
 * solve/taylor_length.c. */
static taut_crowd find_alike(const taut_squad *q, taut_crowd who, const double *weighed,
                             const double *theta) {
    const taut_abreast_bits may = q->clear & ~q->raised;
    taut_abreast longer = {0};
    taut_abreast_bits within;
    bool any = false;
    who &= taut_squad_lanes_of(&may);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        if (q->member[l]->options.per_unit || !(theta[l] >= TAUT_WEIGHTS_NEARER * weighed[l]))
            taut_leave_crowd(&who, l);
        else if (theta[l] > weighed[l])
            longer[l] = theta[l], any = true;
    }
    if (!any) return who;
    find_within(q, &longer,
                &within); /* the first terms alone are within, where nothing is longer */
    return who & taut_squad_lanes_of(&within);
}

/* The largest ratio of a coefficient and its weight, by order. */
TAUT_ALL_WIDTHS static void find_ratios(taut_squad *q) {
    const taut_taylor_stepper *p = q->like;
    const int looked = taut_taylor_looked_at(p);
    for (int k = p->first_ratio; k < p->end_ratio; k++) q->ratio[k] = (taut_abreast){0};
    for (int i = 0; i < p->states; i++) {
        const int top = taut_squad_top(q, i), count = looked < top ? looked : top;
        const taut_abreast *high = q->high + i * HIGHS, weight = q->weight[i];
        for (int m = 0; m < count; m++) {
            const taut_abreast ratio = high[m] / weight; /* NaN, if both are 0, is not larger */
            taut_raise_abreast(&q->ratio[top - m], &ratio);
        }
    }
}

/* Logarithms of numbers to base 2, of which ROUGH is the largest error. */
static const double ROUGH = 4e-4;
TAUT_INLINE void find_rough_logarithm(const taut_abreast *x, taut_abreast *result) {
    const taut_abreast_bits bits = (taut_abreast_bits)*x,
                            one = (taut_abreast_bits)((taut_abreast){0} + 1.0);
    const taut_abreast_bits part = bits & ~(~(taut_abreast_bits){0} << 52);
    /* the exponent as the last bits of 2^52, so that a subtraction makes a number of it */
    const taut_abreast_bits large = (taut_abreast_bits)((taut_abreast){0} + 0x1p52);
    const taut_abreast exponent = (taut_abreast)(large | (bits >> 52)) - (0x1p52 + 1023.0);
    const taut_abreast f = (taut_abreast)(one | part) - 1.0;
    *result = exponent + f + f * (1.0 - f) * (0.4408 + f * (0.0816 * f - 0.2427));
}

/* What the ratios of all lanes say of theta. */
typedef struct lengths {
    taut_abreast order, ratio; /* of which order the ratio is that allows the least one; 0: none */
    taut_abreast_bits vague;   /* rough logarithms do not tell */
} lengths;

TAUT_ALL_WIDTHS static void find_lengths(const taut_squad *q, lengths *result) {
    lengths best = {.vague = {0}};
    taut_abreast least, next;
    taut_alike_abreast((double)INFINITY, &least);
    next = least;
    for (int k = q->like->first_ratio; k < q->like->end_ratio; k++) {
        const taut_abreast zero = {0}, order = zero + (double)k, ratio = q->ratio[k];
        const taut_abreast_bits there = (taut_abreast_bits)(ratio > zero);
        taut_abreast logarithm, own;
        find_rough_logarithm(&ratio, &logarithm);
        logarithm *= -1.0 / k;
        taut_alike_abreast((double)INFINITY, &own);
        taut_choose_abreast(&there, &logarithm, &own);
        best.vague |= there & ~((taut_abreast_bits)(ratio > zero + LEAST_NORMAL) &
                                (taut_abreast_bits)(ratio < zero + MOST_NORMAL));
        const taut_abreast_bits lower = (taut_abreast_bits)(own < least);
        taut_lower_abreast(&next, &own);
        taut_choose_abreast(&lower, &least, &next);
        taut_choose_abreast(&lower, &own, &least);
        taut_choose_abreast(&lower, &order, &best.order);
        taut_choose_abreast(&lower, &ratio, &best.ratio);
    }
    /* where there is none at all the difference is no number, but then there is no ratio either */
    best.vague |= ~(taut_abreast_bits)(next - least > (taut_abreast){0} + 2.0 * ROUGH);
    *result = best;
}

/* As taut_taylor_theta, but logarithms are taken only where the rough ones leave it open which is
 * the least. */
static double find_theta(const taut_squad *q, int lane, const lengths *x) {
    double least = (double)INFINITY, ratio = x->ratio[lane], order = x->order[lane];
    for (int k = q->like->first_ratio; k < q->like->end_ratio && x->vague[lane]; k++) {
        const double other = q->ratio[k][lane];
        if (!(other > 0.0)) continue;
        const double logarithm = -log2(other) / k;
        if (logarithm >= least) continue;
        least = logarithm;
        ratio = other;
        order = k;
    }
    return order > 0.0 ? pow(ratio, -1.0 / order) : (double)INFINITY;
}

/* As taut_taylor_allowed_step. A lane that has settled keeps the length that it was weighed for. */
static void find_allowed(taut_squad *q, taut_crowd who, double *allowed) {
    double weighed[TAUT_ABREAST], theta[TAUT_ABREAST];
    taut_crowd open = who;
    lengths length;
    bool again = false;
    for (int l = 0; l < TAUT_ABREAST; l++) theta[l] = weighed[l] = 1.0;
    for (int i = 0; i < 100 && open; i++) {
        weigh(q, weighed, who);
        find_ratios(q);
        find_lengths(q, &length);
        for (int l = 0; l < TAUT_ABREAST; l++) {
            if (!taut_in_crowd(open, l)) continue;
            const taut_taylor_stepper *p = q->member[l];
            double next = find_theta(q, l, &length);
            if (!isfinite(next))
                next = fabs((p->tend - p->base.t) / q->poly_h[l]) / TAUT_TAYLOR_SAFETY;
            const bool settled = fabs(next - theta[l]) < TAUT_TAYLOR_SETTLED * theta[l];
            theta[l] = next;
            if (settled) taut_leave_crowd(&open, l);
        }
        open &= (taut_crowd)~find_alike(q, open, weighed, theta);
        for (int l = 0; l < TAUT_ABREAST && i < 99; l++)
            if (taut_in_crowd(open, l)) weighed[l] = theta[l];
    }
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(who, l)) continue;
        const taut_taylor_stepper *p = q->member[l];
        const double scale = fabs(q->poly_h[l]), h = TAUT_TAYLOR_SAFETY * theta[l] * scale;
        const double most = p->h != 0.0 ? TAUT_TAYLOR_GROWTH * fabs(p->h) : (double)INFINITY;
        const double taken = taut_smaller(most, fabs(p->tend - p->base.t));
        if (h > 2.0 * taken) {
            weighed[l] = taken / scale;
            again = true;
        }
        allowed[l] = taut_smaller(h, most);
    }
    if (again) weigh(q, weighed, who);
}

/* Is a singular position near, so that the lane's stepper has to look for it? */
static bool is_pole_near(const taut_taylor_stepper *p, double h) {
    const double reach = taut_smaller(taut_larger(h, p->usual_step), fabs(p->tend - p->base.t));
    const double sigma = p->landed, before = p->last_sigma, length = fabs(p->h);
    if (p->r != 0.0) return true;
    if (p->pole.rows > 0 && sigma < 0.0) return true; /* the first step: nobody has looked yet */
    if (p->pole.rows == 0 || taut_taylor_is_apart(p)) return false;
    if (before < 0.0) return true;
    const double guess = before > sigma && length > 0.0 ? sigma * length / (before - sigma) : 0.0;
    return guess != 0.0 && !(guess > TAUT_TAYLOR_FAR_POLE * reach);
}

/* ---- near singular positions ---- */

/* The member looks at its lane: with the polynomial, which it has, and the numbers there. */
static void begin_plan(taut_squad *q, int l, double allowed, taut_taylor_search *search) {
    taut_taylor_stepper *p = q->member[l];
    const taut_series *s = p->series;
    const bool bare = p->aloof && p->pole.program; /* the search needs its masses */
    for (int i = 0; i < p->states; i++) p->weight[i] = q->weight[i][l];
    for (int i = 0; i < p->system->groups * p->levels; i++) p->weights.coming[i] = q->coming[i][l];
    for (int k = 0; k < s->entries && bare; k++) s->J[k] = q->sheaf->J[k * TAUT_ABREAST + l];
    p->closing = p->blind = false;
    p->plain = allowed;
    *search = (taut_taylor_search){0};
    if (p->pole.rows > 0) taut_taylor_begin_search(p, allowed, search);
}

/* Where the members find singular positions, side by side as far as they can. */
static void search(taut_squad *q, taut_crowd planning, taut_taylor_search *searches) {
    taut_crowd due = 0;
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(planning, l) && searches[l].due) taut_join_crowd(&due, l);
    const taut_crowd found = taut_squad_find_poles(q, due, searches);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(planning, l)) continue;
        taut_taylor_stepper *p = q->member[l];
        taut_taylor_end_search(p, &searches[l],
                               taut_in_crowd(found, l) ? searches[l].from.s
                                                       : taut_taylor_search_alone(p, &searches[l]));
    }
}

/* The steps past them, likewise. */
static void plan_passages(taut_squad *q, taut_crowd planning, double *h) {
    taut_crowd limited = 0, crossing = 0;
    double gap[TAUT_ABREAST], closed[TAUT_ABREAST];
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(planning, l)) continue;
        taut_taylor_stepper *p = q->member[l];
        if (p->r == 0.0)
            p->usual_step = h[l] = p->plain;
        else if (taut_taylor_begin_passage(p, &h[l]))
            taut_join_crowd(&limited, l);
    }
    if (limited) taut_squad_find_closed_steps(q, limited, closed);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(limited, l) && taut_taylor_choose_passage(q->member[l], closed[l], &h[l]))
            taut_join_crowd(&crossing, l);
    const taut_crowd found = taut_squad_find_gaps(q, crossing, gap);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(crossing, l)) continue;
        if (!taut_in_crowd(found, l)) gap[l] = taut_taylor_find_gap(q->member[l]);
        h[l] = taut_taylor_end_passage(q->member[l], h[l], gap[l]);
    }
}

/* These members choose their steps themselves. Whether a step is then taken there or alone: it is
 * not chosen again. */
static void plan(taut_squad *q, taut_crowd planning, const double *allowed) {
    taut_taylor_search searches[TAUT_ABREAST];
    double h[TAUT_ABREAST];
    taut_squad_hand_over_polys(q, planning);
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(planning, l)) begin_plan(q, l, allowed[l], &searches[l]);
    search(q, planning, searches);
    plan_passages(q, planning, h);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(planning, l)) continue;
        taut_taylor_stepper *p = q->member[l];
        p->planned_h = taut_taylor_fit_step(p, taut_smaller(h[l], p->vigil.cap));
        p->planned = true;
        taut_squad_take_vectors(q, l);
    }
    q->planned = planning;
}

void taut_squad_choose(taut_squad *q, taut_crowd *who) {
    double allowed[TAUT_ABREAST];
    q->planned = 0;
    measure(q);
    find_allowed(q, *who, allowed);
    taut_crowd planning = 0;
    for (int l = 0; l < TAUT_ABREAST; l++)
        if (taut_in_crowd(*who, l) && is_pole_near(q->member[l], allowed[l]))
            taut_join_crowd(&planning, l);
    if (planning) plan(q, planning, allowed);
    for (int l = 0; l < TAUT_ABREAST; l++) {
        if (!taut_in_crowd(*who, l)) continue;
        const taut_taylor_stepper *p = q->member[l];
        const bool near = taut_in_crowd(planning, l);
        q->plain[l] = q->usual[l] = allowed[l];
        const double h =
            near ? p->planned_h : taut_taylor_fit_step(p, taut_smaller(allowed[l], p->vigil.cap));
        const bool last = fabs(h) >= fabs(p->tend - p->base.t);
        q->h[l] = h;
        q->t[l] = last ? p->tend : p->base.t + h;
        if (!(fabs(h) > 16.0 * DBL_EPSILON * fabs(p->base.t)) || q->t[l] == p->base.t ||
            !isfinite(q->t[l]) || (near && (p->blind || p->pole.starved)))
            taut_leave_crowd(who, l);
    }
}
