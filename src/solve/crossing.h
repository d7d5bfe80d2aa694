/* Singular positions on the way of an ordinary integrator (docs/math/minimal.md, section 4): where
 * the next one is, and how close to it equations can be trusted. */
#ifndef TAUT_SOLVE_CROSSING_H
#define TAUT_SOLVE_CROSSING_H

#include "solve/pole.h"

typedef struct taut_crossing {
    taut_pole pole;
    double singular; /* the last one found; NaN: none */
    double nearest;  /* how close to it is too close */
    double t, step;  /* the last accepted point, and the step that led to it */
    double sigma;    /* there ... */
    double usual;    /* ... and the largest so far */
} taut_crossing;

taut_status taut_crossing_create(taut_series *series, taut_arena *arena, taut_crossing *crossing);
void taut_crossing_release(taut_crossing *crossing);
/* Begins at time t. */
void taut_crossing_begin(taut_crossing *crossing, double t);
/* Looks for one ahead of an accepted point whose J is factored in the series; place as in
 * taut_pole_find. True if the series has been used for it. */
bool taut_crossing_watch(taut_crossing *crossing, double t, taut_place_fn *place, void *user);
/* Is time t too close to one? */
bool taut_crossing_is_near(const taut_crossing *crossing, double t);
/* Is there one within a step of the last accepted point? */
bool taut_crossing_is_due(const taut_crossing *crossing);

#endif
