/* The last two points of a motion as Taylor coefficients: what lies ahead of them, and what between
 * them. */
#ifndef TAUT_SOLVE_TRAIL_H
#define TAUT_SOLVE_TRAIL_H

#include "solve/series.h"

enum { TAUT_TRAIL_STAGES = 6 }; /* that a point is known by, beyond stage 0 */

typedef struct taut_footprint {
    double t;
    int stages; /* how many of them are finite */
    double *c;  /* x_j^(k)/k!, k <= d_j + TAUT_TRAIL_STAGES, from coefficient[j] on */
} taut_footprint;

typedef struct taut_trail {
    const taut_structure *structure;
    int *coefficient;            /* [n] */
    int *value;                  /* [n] where x_j stands among x_j^(k), k <= d_j ... */
    int values;                  /* ... of which there are so many */
    taut_footprint last, before; /* the same one at first */
} taut_trail;

taut_status taut_trail_create(const taut_structure *structure, taut_arena *arena,
                              taut_trail *trail);
/* Begins, or goes on, at the point in a series with at least TAUT_TRAIL_STAGES stages, of which
 * stage 0 has been solved. */
void taut_trail_begin(taut_trail *trail, taut_series *series, double t);
void taut_trail_add(taut_trail *trail, taut_series *series, double t);
/* Every x_j^(k), k <= d_j, into x [values]: by the polynomial of the last point alone, ... */
void taut_trail_predict(const taut_trail *trail, double t, double *x);
/* ... or, between the two, by the one that fits both. */
void taut_trail_look(const taut_trail *trail, double t, double *x);

#endif
