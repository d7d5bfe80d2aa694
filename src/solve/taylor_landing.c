/* The end of a Taylor step: the state is projected and stage 0 redone; what the corrections say of
 * the step; corrections that are rounding are no reason to take it back. */
#include <math.h>
#include <string.h>

#include "core/bits.h"
#include "solve/projecting.h"
#include "solve/rounding.h"
#include "solve/taylor_parts.h"

static const double NEAR_LIMIT = 1000.0; /* of the projection, near a singular position, ... */
static const double NEAR_PART = 0.05;    /* ... and beside the way beyond it */
static const double NOISE_OF_TWO = 1e-5; /* likewise past two of them, beside the scales */
static const double NOISE_FACTOR =
    30.0;                         /* a correction within this factor of rounding is rounding */
static const double GROSS = 1e-8; /* of the largest value of its kind: beyond that, it is not */

/* What the corrections of a landing say, in units of the allowed error. */
typedef struct landing {
    taut_taylor_stepper *stepper;
    double h;
    bool corrected; /* stage 0 has been corrected once */
    double projection, defect;
    double worst; /* the larger of the two, so far */
    double shift; /* of positions, by the projection */
    double
        moved; /* the largest part of the projection beside the scales, if somebody wants to know */
} landing;

/* hi + lo += x, exactly up to the last bits of lo */
static void add_to(double *hi, double *lo, double x) {
    const double y = x + *lo, sum = *hi + y;
    const double part = sum - *hi;
    *lo = (*hi - (sum - part)) + (y - part);
    *hi = sum;
}

/* Keeps the largest value, and which state has it. Nothing is jumped over: nobody could guess which
 * one is larger. */
static inline void note(landing *l, int state_number, double *largest, double value) {
    *largest = value > *largest ? value : *largest;
    l->stepper->worst = value > l->worst ? state_number : l->stepper->worst;
    l->worst = value > l->worst ? value : l->worst;
}

static void note_move(landing *l, const taut_component *x, double y) {
    const taut_weights *w = &l->stepper->weights;
    const double scale = w->coming[x->group * w->levels + x->order];
    if (scale > 0.0) l->moved = fmax(l->moved, fabs(y) / scale);
}

/* Adds the corrections of a stage to the states that it corrects. */
static void take_correction_of(landing *l, int stage) {
    taut_taylor_stepper *p = l->stepper;
    for (int m = p->level_first[-stage]; m < p->level_first[1 - stage]; m++) {
        const int i = p->by_level[m];
        const taut_component *x = &p->state[i];
        const double y = p->series->y[x->variable], size = fabs(y) / p->weight[i];
        add_to(&p->try_hi[i], &p->try_lo[i], y);
        if (stage < 0) note(l, i, &l->projection, size);
        if (x->order == 0) l->shift = taut_larger(l->shift, size);
        if (p->options.projection != 0.0 && stage < 0) note_move(l, x, y);
    }
}

/* The same with the tried state. The first one of stage 0 is the defect of the polynomial:
 * (order + 1) / h times the local error of x_j^(d_j - 1). */
static void take_correction(void *user, int stage) {
    landing *l = user;
    const taut_taylor_stepper *p = l->stepper;
    if (stage > -p->levels) take_correction_of(l, stage);
    if (stage != 0) return;
    for (int m = p->level_first[1]; m < p->level_first[2] && !l->corrected; m++) {
        const int i = p->by_level[m];
        const double y = p->series->y[p->state[i].variable];
        note(l, i, &l->defect, fabs(y * l->h) / (p->stats.order + 1) / p->weight[i]);
    }
    l->corrected = true;
}

/* Near a singular position the highest derivatives are noisy although the motion is not, so there
 * the projection alone tells how good a step is; a step must not land much closer to the position
 * than it began; and beyond it what the projection moves must be little beside the way from there,
 * or it might be the way to another branch. */
bool taut_taylor_is_good_near(const taut_taylor_stepper *p, double projection, double shift,
                              double landed, double h) {
    if (p->r > 0.0 && shift > NEAR_PART * taut_taylor_way_from_pole(p, h)) return false;
    /* towards two of them sigma falls with the square of the distance */
    const double nearest = p->r2 > 0.0 && !p->closing ? TAUT_TAYLOR_NEAREST * TAUT_TAYLOR_NEAREST
                                                      : TAUT_TAYLOR_NEAREST;
    /* past two at once there is more noise; it lies across the branch, so projection removes it */
    const bool both = taut_taylor_passes_two(p, h);
    const double tol = fmax(p->options.rtol, p->options.atol);
    const double limit = both ? fmax(NEAR_LIMIT, NOISE_OF_TWO / tol) : NEAR_LIMIT;
    return projection <= limit && landed >= nearest * p->pole.sigma;
}

static bool is_good(taut_taylor_stepper *p, const landing *l) {
    const bool smooth = l->projection <= TAUT_TAYLOR_DEFECT && l->defect <= TAUT_TAYLOR_DEFECT;
    if (p->pole.rows == 0 || (p->r == 0.0 && !smooth)) return smooth;
    const double sigma = p->pole.sigma;
    taut_pole_look(&p->pole);
    const double landed = p->landed = p->pole.sigma;
    p->pole.sigma = sigma;
    if (p->r == 0.0) return !taut_taylor_is_surprised(p, landed, l->h);
    return taut_taylor_is_good_near(p, l->projection, l->shift, landed, l->h);
}

/* ---- excuses ---- */

/* Has the landing moved a state, or a rate over the step, by a visible part of the largest value of
 * its order? That is no rounding, whatever a second correction makes of it. */
static bool is_gross(const taut_taylor_stepper *p, double h) {
    const taut_weights *w = &p->weights;
    const int *d = p->structure->offsets.d;
    const double span = fmax(p->options.span, fabs(p->tend - p->base.t));
    double largest = 0.0; /* what moves values by little in the whole span is little as well */
    for (int k = 0; k < p->levels; k++) {
        double moved = 0.0;
        largest /= k > 0 ? span : 1.0;
        largest = fmax(largest, TAUT_WEIGHTS_NOTHING); /* as scales without a state would be */
        for (int m = k > 0 ? w->used_end[k - 1] : 0; m < w->used_end[k]; m++)
            largest = fmax(largest, w->coming[w->used[m]]);
        for (int i = 0; i < p->states; i++)
            if (p->state[i].order == k)
                moved = fmax(moved, fabs(p->try_hi[i] - p->hi[i] - p->tails[i]));
        for (int j = 0; j < p->system->n; j++)
            if (d[j] == k + 1)
                moved = fmax(moved, fabs(h * (taut_series_get(p->series, j, d[j]) -
                                              taut_taylor_head(p, j, d[j]) - p->guess[j])) /
                                        (p->stats.order + 1));
        if (moved > GROSS * largest) return true;
    }
    return false;
}

/* Corrections that look too large may be rounding: of a coordinate that is still tiny beside the
 * others its equations contain. A second correction at the corrected point shows how large rounding
 * is. */
static taut_status excuse_noise(taut_taylor_stepper *p, const landing *l) {
    landing again = {.stepper = p, .h = l->h};
    if (p->r != 0.0 || p->surprised) return TAUT_OK;
    taut_status status = taut_series_settle(p->series, true, take_correction, &again);
    p->put.settlings = 2;
    if (status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS) return TAUT_OK;
    TAUT_TRY(status);
    if (is_gross(p, l->h)) return TAUT_OK;
    const bool projected =
        l->projection <= fmax(TAUT_TAYLOR_DEFECT, NOISE_FACTOR * again.projection);
    if (projected && l->defect <= fmax(TAUT_TAYLOR_DEFECT, NOISE_FACTOR * again.defect))
        p->trouble = TAUT_FINE;
    return TAUT_OK;
}

void taut_taylor_put(const taut_taylor_stepper *p, double t, taut_series *to) {
    taut_series_start(to, t, p->put.h);
    taut_series_set_all(to, p->leading, p->system->n, p->put.leading);
    taut_series_set_all(to, p->state, p->states, p->put.hi);
}

/* What a landing with a step h begins with. */
static void begin(taut_taylor_stepper *p, double h, bool first) {
    p->put.h = h;
    p->put.settlings = first ? 0 : 1;
}

/* Adds the tail of state i to the tried state. */
static inline void move_state(taut_taylor_stepper *p, int i) {
    p->try_hi[i] = p->hi[i];
    p->try_lo[i] = p->lo[i];
    add_to(&p->try_hi[i], &p->try_lo[i], p->tails[i]);
}

/* Puts the polynomial's values at time t into the series and the tried state. first: the state as
 * it was given. */
static void place(taut_taylor_stepper *p, double t, double h, bool first) {
    const int *d = p->structure->offsets.d;
    for (int j = 0; j < p->system->n; j++)
        p->put.leading[j] = (first ? 0.0 : taut_taylor_head(p, j, d[j])) + p->guess[j];
    for (int i = 0; i < p->states && !first; i++) move_state(p, i);
    memcpy(p->put.hi, p->try_hi, (size_t)p->states * sizeof *p->try_hi);
    begin(p, h, first);
    taut_taylor_put(p, t, p->series);
}

/* The same for a stretch of the series that the polynomial was taken from. */
static void place_stretch(taut_taylor_stepper *p, const taut_stretch *s) {
    const int d = s->offset;
    const double per_h = 1.0 / p->poly_h;
    for (int m = 0; m < s->count; m++) {
        const int j = s->first + m, first = p->first_state[j], end = p->first_state[j + 1];
        double head = s->at[m]; /* as taut_taylor_head finds it */
        for (int i = 1; i <= d; i++) head *= (double)i * per_h;
        p->put.leading[j] = head + p->guess[j];
        s->at[m] = taut_series_scaled(p->series, p->put.leading[j], d);
        for (int i = first; i < end; i++) {
            move_state(p, i);
            p->put.hi[i] = p->try_hi[i];
            s->at[m + (ptrdiff_t)(i - first - d) * TAUT_LANES] =
                taut_series_scaled(p->series, p->put.hi[i], i - first);
        }
    }
}

/* The polynomial's values at time t: each stretch of the series is read and then written while it
 * is in the cache. */
static void move_to(taut_taylor_stepper *p, double t, double h) {
    const double theta = (t - p->base.begin) / p->poly_h;
    if (!taut_taylor_is_series(p) || taut_taylor_is_straight(p)) {
        taut_taylor_tails(p, theta);
        place(p, t, h, false);
        return;
    }
    begin(p, h, false);
    taut_series_start(p->series, t, h);
    taut_series_unscale(p->series);
    for (int n = 0; n < p->series->unknowns.count; n++) {
        taut_taylor_tails_of_stretch(p, n, theta);
        place_stretch(p, &p->series->unknowns.item[n]);
    }
}

/* Corrections may be the rounding of terms that cancel, of a function that is all but flat: steps
 * as from one number to the next, which a second correction does not show. Is the landing good if
 * that much of the residuals is not corrected? Then it is repeated as usual. */
static taut_status excuse_rounding(taut_taylor_stepper *p, double t, const landing *l) {
    landing lenient = {.stepper = p, .h = l->h};
    place(p, t, l->h, false);
    taut_series_look(p->series, 0);
    taut_rounding_find(p->series, p->size, p->rounding);
    p->series->forgiven = p->rounding;
    taut_status status = taut_series_settle(p->series, true, take_correction, &lenient);
    p->series->forgiven = NULL;
    if (status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS) return TAUT_OK;
    TAUT_TRY(status);
    if (!is_good(p, &lenient)) return TAUT_OK;
    place(p, t, l->h, false);
    status = taut_series_settle(p->series, true, take_correction, &lenient);
    if (status == TAUT_OK) p->trouble = TAUT_FINE;
    return status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS ? TAUT_OK : status;
}

/* ---- all of it ---- */

/* Further corrections, as somebody has asked for: one is enough otherwise, as errors of a step are
 * small. A later start has to repeat them all. */
static taut_status correct_further(taut_taylor_stepper *p, const landing *l) {
    taut_projecting more = taut_projecting_begin(p->options.projection, 0.0, 1);
    double moved = l->moved;
    while (taut_projecting_goes_on(&more, moved)) {
        landing again = {.stepper = p, .h = l->h, .corrected = true};
        const taut_status status = taut_series_settle(p->series, true, take_correction, &again);
        if (status == TAUT_SINGULAR || status == TAUT_ERR_NUMERICS) p->trouble = TAUT_NO_NEWTON;
        if (p->trouble != TAUT_FINE) return TAUT_OK;
        TAUT_TRY(status);
        p->put.settlings++;
        moved = again.moved;
    }
    return TAUT_OK;
}

/* Projects the tried state, redoes stage 0 and checks both: p->trouble says what came of it. */
static taut_status land(taut_taylor_stepper *p, double t, double h, bool first, landing *l) {
    taut_series *s = p->series;
    *l = (landing){.stepper = p, .h = h};
    p->worst = -1;
    p->landed = -1.0;
    p->surprised = false;
    if (first)
        place(p, t, h, true);
    else
        move_to(p, t, h);
    if (p->blind && t == p->tend) {
        taut_series_look(s, 0);
        p->trouble = taut_series_is_finite(s, 0) ? TAUT_FINE : TAUT_NOT_FINITE;
        return TAUT_OK;
    }
    taut_status status = taut_series_settle(s, !first, take_correction, l);
    /* without a guess, what is nearly 0 has the rounding of the largest forces, beside which the
     * tail of a pulse is nothing: once more */
    if (first && status == TAUT_OK && p->vigil.nodes > 0)
        status = taut_series_settle(s, false, take_correction, l);
    p->trouble = TAUT_FINE;
    if (status == TAUT_SINGULAR) {
        p->trouble = TAUT_SINGULAR_MATRIX;
    } else if (status == TAUT_ERR_NUMERICS) {
        p->trouble = s->bad_slot >= 0 ? TAUT_NOT_FINITE : TAUT_NO_NEWTON;
    } else if (status != TAUT_OK) {
        return status;
    } else if (!first && p->options.step <= 0.0 && !is_good(p, l)) {
        p->trouble = TAUT_TOO_FAR;
        if (p->r != 0.0 || p->surprised) return TAUT_OK;
        TAUT_TRY(excuse_noise(p, l));
        return p->trouble == TAUT_FINE || p->vigil.nodes == 0 ? TAUT_OK : excuse_rounding(p, t, l);
    }
    return TAUT_OK;
}

taut_status taut_taylor_land(taut_taylor_stepper *p, double t, double h, bool first) {
    landing l;
    TAUT_TRY(land(p, t, h, first, &l));
    const bool more = p->options.projection != 0.0 && !first && p->r == 0.0;
    return more && p->trouble == TAUT_FINE ? correct_further(p, &l) : TAUT_OK;
}
