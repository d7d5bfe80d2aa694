/* Singular positions near a Taylor step: where they are, and the step past them
 * (docs/math/singular-positions.md). */
#include <math.h>

#include "core/bits.h"
#include "solve/taylor.h"
#include "solve/taylor_parts.h"

static const double TRUSTED = 1.8;    /* a polynomial, this far beside the step it allows */
static const double TURNING = 0.85;   /* part of the mean slope of sigma that tells of a turn */
static const double FAR = 0.4;        /* steps that a singular position limits are longer than
                                         this part of the way to it */
static const double CROSSING = 1e-10; /* gaps of branches that cross: rounding (solve/pole.h) */

/* Puts the series as far as J needs it at distance s from the beginning of the step. */
static void place_at(void *user, double s) {
    taut_taylor_stepper *p = user;
    const int last = p->series->jacobian_stage;
    taut_series_start(p->series, p->base.t + s, p->poly_h);
    for (int j = 0; j < p->system->n; j++)
        for (int k = 0; k <= last + p->structure->offsets.d[j]; k++)
            taut_series_set(p->series, j, k, taut_taylor_value(p, j, k, p->base.t + s));
    taut_series_look(p->series, last);
}

/* Takes the poles at r and, if it is not 0, at r2 out of the coming polynomial. */
static void close_poles(taut_taylor_stepper *p) {
    const double sign = p->tend < p->base.t ? -1.0 : 1.0;
    const double a = -sign * p->poly_h / p->r, b = p->r2 != 0.0 ? -sign * p->poly_h / p->r2 : 0.0;
    const double q1 = a + b, q2 = a * b;
    const double d[] = {1.0, 2.0 * q1, q1 * q1 + 2.0 * q2, 2.0 * q1 * q2, q2 * q2};
    for (int i = 0; i <= TAUT_TAYLOR_CLOSING; i++) p->closing_d[i] = d[i];
    p->closing_q[0] = q1;
    p->closing_q[1] = q2;
}

/* The last coefficients of D(s) X(s) of a state, from the highest order on; degree: of D. */
static void multiply_by_closing(const taut_taylor_stepper *p, const taut_component *x, int degree,
                                int count, double *y) {
    double c[TAUT_TAYLOR_LAST + TAUT_TAYLOR_CLOSING] = {0.0};
    const int top = taut_taylor_top(p, x);
    for (int m = 0; m < count + degree; m++)
        c[m] = taut_taylor_coef(p, x->variable, x->order, top - m);
    for (int i = 0; i < count; i++) {
        y[i] = 0.0;
        for (int m = 0; m <= degree; m++) y[i] += p->closing_d[m] * c[i + m];
    }
}

double taut_taylor_closed_step(taut_taylor_stepper *p) {
    const double per_h = 1.0 / fabs(p->poly_h); /* a power of 2 */
    const int degree = p->r2 != 0.0 ? TAUT_TAYLOR_CLOSING : 2;
    for (int q = 0; q < p->orders; q++) p->ratio[q] = 0.0;
    for (int i = 0; i < p->states; i++) {
        const taut_component *x = &p->state[i];
        const int top = taut_taylor_top(p, x), count = taut_taylor_closed_orders(top);
        double unit = 1.0, y[TAUT_TAYLOR_LAST];
        for (int k = 0; k < x->order; k++) unit *= per_h;
        multiply_by_closing(p, x, degree, count, y);
        for (int m = 0; m < count; m++)
            taut_taylor_raise_ratio(&p->ratio[top - m], fabs(y[m]) * unit,
                                    TAUT_TAYLOR_CLOSED * p->weight[i]);
    }
    return TAUT_TAYLOR_SAFETY * taut_taylor_theta(p) * fabs(p->poly_h);
}

/* ---- where they are ---- */

/* How far away sigma would vanish if it went on like this; 0: it does not fall. At the start there
 * is no step before to tell. */
static double guess_pole(taut_taylor_stepper *p, double sigma, double before, double reach) {
    double length = fabs(p->h);
    if (before < 0.0) {
        length = reach;
        before = sigma; /* the roles of here and there are changed */
        sigma = taut_pole_tilt(&p->pole, taut_taylor_direction(p) * reach, place_at, p);
        return before > sigma ? before * length / (before - sigma) : 0.0;
    }
    return before > sigma && length > 0.0 ? sigma * length / (before - sigma) : 0.0;
}

/* Before a turn sigma falls more slowly: then there is a second singular position, before the one
 * that was found or beyond it. Beyond what the polynomial can tell p->r2 stays what it was. */
static void find_second(taut_taylor_stepper *p, double tilt) {
    const double sign = taut_taylor_direction(p), further = TRUSTED * p->plain - p->r;
    const bool turns = fabs(p->pole.rate * p->r) < TURNING * tilt;
    const double before =
        turns ? sign * taut_pole_second(&p->pole, sign * p->r, -sign * p->r, place_at, p) : 0.0;
    if (before > 0.0 && before < p->r) {
        p->r2 = p->r;
        p->r = before;
    } else if (further > 0.0 && p->r2 < p->r + further) {
        p->r2 = turns ? sign * taut_pole_second(&p->pole, sign * p->r, sign * further, place_at, p)
                      : 0.0;
    }
}

/* With a singular position at r, which taut_pole_find has found (0: none), from where sigma and w^T
 * G n are these: sets p->r and p->r2. */
static void take_pole(taut_taylor_stepper *p, double r, double sigma, double tilt) {
    p->r = taut_taylor_direction(p) * r;
    if (p->r > 0.0)
        find_second(p, tilt);
    else
        p->r2 = 0.0;
    p->pole.sigma = sigma;
}

static void find_pole(taut_taylor_stepper *p, double guess, double reach) {
    const double sigma = p->pole.sigma, tilt = p->pole.tilt, sign = taut_taylor_direction(p);
    const double r = taut_pole_find(&p->pole, sign * guess, sign * reach, place_at, p);
    take_pole(p, r, sigma, tilt);
}

/* There is one to look for, beginning at this distance. */
static void seek(const taut_taylor_stepper *p, double guess, taut_taylor_search *search) {
    const double sign = taut_taylor_direction(p);
    search->due = true;
    search->from = (taut_pole_search){sign * guess, sign * search->reach, p->pole.sigma, 0};
}

/* One is behind: it is kept until it is far; is there a further one ahead? */
static void begin_beyond(taut_taylor_stepper *p, double before, taut_taylor_search *search) {
    const double reach = search->reach, guess = guess_pole(p, p->pole.sigma, before, reach);
    search->behind = p->r;
    p->r = p->r2 > 0.0 ? p->r2 : 0.0;
    if (p->r == 0.0 && guess > 0.0 && guess < 3.0 * reach) seek(p, guess, search);
}

static void end_beyond(taut_taylor_stepper *p, const taut_taylor_search *search) {
    if (p->r > 0.0)
        p->r2 = search->behind;
    else
        p->r = search->behind;
    if (-p->r > 2.0 * search->reach) p->r = p->r2 = 0.0;
}

void taut_taylor_begin_search(taut_taylor_stepper *p, double h, taut_taylor_search *search) {
    const double reach = taut_smaller(taut_larger(h, p->usual_step), fabs(p->tend - p->base.t));
    if (p->landed < 0.0)
        taut_pole_look(&p->pole);
    else
        p->pole.sigma = p->landed; /* the landing has looked */
    const double sigma = p->pole.sigma, before = p->last_sigma;
    *search = (taut_taylor_search){.reach = reach, .tilt = p->pole.tilt};
    p->last_sigma = sigma;
    p->landed = -1.0;
    for (int j = 0; j < p->system->n; j++) {
        p->w[j] = p->pole.w[j];
        p->n[j] = p->pole.n[j];
    }
    if (taut_taylor_is_apart(p)) return;
    if (p->r < 0.0) {
        begin_beyond(p, before, search);
        return;
    }
    double guess = p->r;
    if (guess == 0.0) {
        guess = guess_pole(p, sigma, before, reach);
        if (guess == 0.0 || guess > TAUT_TAYLOR_FAR_POLE * reach) return;
        guess = fmin(guess, 3.5 * reach);
    }
    seek(p, guess, search);
}

void taut_taylor_end_search(taut_taylor_stepper *p, const taut_taylor_search *search, double r) {
    if (search->due) take_pole(p, r, search->from.first, search->tilt);
    if (search->behind < 0.0) end_beyond(p, search);
}

double taut_taylor_search_alone(taut_taylor_stepper *p, const taut_taylor_search *search) {
    return search->due ? taut_pole_go_on(&p->pole, search->from, place_at, p) : 0.0;
}

void taut_taylor_watch_pole(taut_taylor_stepper *p, double h) {
    taut_taylor_search search;
    taut_taylor_begin_search(p, h, &search);
    taut_taylor_end_search(p, &search, taut_taylor_search_alone(p, &search));
}

/* ---- the way past ---- */

bool taut_taylor_begin_passage(taut_taylor_stepper *p, double *h) {
    if (p->plain < FAR * fabs(p->r)) { /* it is not what limits the step */
        p->usual_step = *h = p->plain;
        if (p->r < 0.0) p->r = p->r2 = 0.0;
        return false;
    }
    close_poles(p);
    return true;
}

bool taut_taylor_choose_passage(taut_taylor_stepper *p, double closed, double *h) {
    if (p->usual_step == 0.0) p->usual_step = fmax(p->plain, closed); /* close to it already */
    const taut_passage pass = p->r > 0.0 && p->r2 > p->r
                                  ? taut_pole_plan_two(p->r, p->r2, p->plain, closed, p->usual_step)
                                  : taut_pole_plan(p->r, p->plain, closed, p->usual_step);
    p->closing = pass.closure;
    *h = pass.h;
    return pass.closure && p->r >= 0.0;
}

/* Where branches only come close to each other, the motion turns from one into the other, and that
 * has to be followed. */
double taut_taylor_end_passage(taut_taylor_stepper *p, double h, double gap) {
    const double left = fabs(p->tend - p->base.t);
    p->gap = gap;
    if (p->gap > CROSSING) {
        p->apart = p->base.t + 2.0 * taut_taylor_direction(p) * p->r;
        p->r = p->r2 = 0.0;
        p->closing = false;
        return p->plain;
    }
    p->blind = fabs(p->r - left) < TAUT_TAYLOR_NEAREST * p->r && h >= left;
    return h;
}

double taut_taylor_find_gap(taut_taylor_stepper *p) {
    const double sigma = p->pole.sigma;
    const double gap = taut_pole_gap(&p->pole, taut_taylor_direction(p) * p->r, place_at, p);
    p->pole.sigma = sigma;
    return gap;
}

double taut_taylor_plan_passage(taut_taylor_stepper *p) {
    double h;
    if (!taut_taylor_begin_passage(p, &h)) return h;
    const bool crosses = taut_taylor_choose_passage(p, taut_taylor_closed_step(p), &h);
    return crosses ? taut_taylor_end_passage(p, h, taut_taylor_find_gap(p)) : h;
}

/* Does a step h lead past two singular positions at once? */
bool taut_taylor_passes_two(const taut_taylor_stepper *p, double h) {
    return p->r > 0.0 && p->r2 > p->r && p->r2 < fabs(h);
}

/* How far the end of a step h is from the singular position, in units of the allowed errors. */
double taut_taylor_way_from_pole(const taut_taylor_stepper *p, double h) {
    const double middle = p->r2 > 0.0 && p->r2 < fabs(h) ? 0.5 * (p->r + p->r2) : p->r;
    const double at = p->base.t + taut_taylor_direction(p) * middle;
    double largest = 0.0;
    for (int i = 0; i < p->states; i++)
        if (p->state[i].order == 0)
            largest = fmax(largest,
                           fabs(p->try_hi[i] - taut_taylor_value(p, p->state[i].variable, 0, at)) /
                               p->weight[i]);
    return largest;
}

/* Beyond a singular position n points the other way if w does not. */
static bool has_crossed(const taut_taylor_stepper *p) {
    double w = 0.0, n = 0.0;
    for (int j = 0; j < p->system->n; j++) {
        w += p->w[j] * p->pole.w[j];
        n += p->n[j] * p->pole.n[j];
    }
    return w > 0.8 && n < -0.5;
}

/* A step that ends much closer to a singular position than it began, or beyond one, and did not
 * know of it, is taken back: it is looked for once more. */
bool taut_taylor_is_surprised(taut_taylor_stepper *p, double landed, double h) {
    const double sigma = p->pole.sigma;
    const bool crossed = has_crossed(p);
    if (taut_taylor_is_apart(p) || (landed >= TAUT_TAYLOR_NEAREST * sigma && !crossed))
        return false;
    find_pole(p, fabs(h) * sigma / (crossed ? sigma + landed : sigma - landed), fabs(h));
    if (p->r == 0.0) p->apart = p->base.t + h; /* there is none */
    return p->surprised = true;
}

taut_status taut_taylor_foresee(taut_stepper *stepper, double *h, double *r) {
    taut_taylor_stepper *p = (taut_taylor_stepper *)stepper;
    taut_taylor_measure(p);
    p->plain = *h = taut_taylor_allowed_step(p);
    if (p->pole.rows > 0) taut_taylor_watch_pole(p, *h);
    *r = p->r > 0.0 ? p->r : 0.0;
    p->last_sigma = p->landed = -1.0; /* the first step looks again: */
    p->r = p->r2 = 0.0;
    place_at(p, 0.0);
    taut_series_jacobian(p->series); /* whose factors are still there */
    return p->pole.starved ? TAUT_ERR_MEMORY : TAUT_OK;
}
