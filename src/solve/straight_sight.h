/* Outputs of a series by compiled C, up to stage 0. Whoever keeps a watch on the energy asks for
 * them at every step. */
#ifndef TAUT_SOLVE_STRAIGHT_SIGHT_H
#define TAUT_SOLVE_STRAIGHT_SIGHT_H

#include "expr/straight.h"
#include "solve/series_view.h"

typedef struct taut_sight {
    taut_straight straight;
    long looks[2];           /* so far, at states and at what follows from them, ... */
    long next[2];            /* ... after which the next one is made sure of */
    double *kept;            /* [tape size] work space */
    const char *made_by;     /* the compiler */
    const char *miscompiled; /* the same, once it has been found wrong; NULL: it has not */
} taut_sight;

/* Is it worth it, and can it be done? */
bool taut_sight_fits(const taut_series_view *view);
/* Function `see`. */
taut_status taut_sight_write(taut_string *text, const taut_series_view *view);
/* Room for what the function needs; with its place, to be filled in. */
taut_status taut_sight_create(taut_arena *arena, const taut_series_view *view, taut_sight **sight);
/* From now on by that function. */
void taut_sight_use(taut_series_view *view, taut_sight *sight, const char *made_by);
/* After looks number 1, 4, 16, ... of both kinds: does the interpreter see the same? Its numbers
 * stay. If not, compiled code is used no longer. */
void taut_sight_verify(taut_series_view *view, const taut_jet *from, const int *variable);

#endif
