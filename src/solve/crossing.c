/* From the fall of sigma at accepted points to the time at which it vanishes. */
#include "solve/crossing.h"

#include <math.h>

/* It is near where the least singular value of the constraints' Jacobian has fallen to this part of
 * what it was at most. */
static const double NEAR = 1e-3;
/* It is looked for when it would be reached within so many steps. */
static const double SOON = 6.0;

taut_status taut_crossing_create(taut_series *series, taut_arena *arena, taut_crossing *c) {
    *c = (taut_crossing){.singular = (double)NAN};
    return taut_pole_create(series, arena, &c->pole);
}

void taut_crossing_release(taut_crossing *c) { taut_pole_release(&c->pole); }

void taut_crossing_begin(taut_crossing *c, double t) {
    c->singular = (double)NAN;
    c->t = t;
    c->step = c->sigma = c->usual = 0.0;
}

bool taut_crossing_watch(taut_crossing *c, double t, taut_place_fn *place, void *user) {
    if (c->pole.rows == 0) return false;
    const double h = t - c->t;
    taut_pole_look(&c->pole);
    const double sigma = c->pole.sigma, falling = c->sigma - sigma;
    c->sigma = sigma;
    c->t = t;
    c->step = h;
    c->usual = fmax(c->usual, sigma);
    const bool ahead = (c->singular - t) * h > 0.0; /* known already, if not quite exactly */
    const double guess = ahead ? c->singular - t : sigma * h / falling;
    if (!ahead && (!(falling > 0.0) || fabs(guess) > SOON * fabs(h))) return false;
    const double r = taut_pole_find(&c->pole, guess, guess, place, user);
    if (r != 0.0) {
        c->singular = t + r;
        c->nearest = NEAR * fabs(r) * c->usual / sigma;
    }
    return true;
}

bool taut_crossing_is_near(const taut_crossing *c, double t) {
    return fabs(t - c->singular) < c->nearest; /* false for NaN */
}

bool taut_crossing_is_due(const taut_crossing *c) {
    return fabs(c->singular - c->t) < fabs(c->step);
}
