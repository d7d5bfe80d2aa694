/* Plain values at the expansion points of runs side by side (expr/jets.h): the entries of their
 * matrices J, the same bits as by expr/point.h. */
#ifndef TAUT_EXPR_POINTS_H
#define TAUT_EXPR_POINTS_H

#include "expr/jets.h"
#include "expr/point.h"

typedef struct taut_points taut_points;

/* For programs that are copies of this one, which must outlive them. Memory from arena. */
taut_status taut_points_create(const taut_point *like, taut_arena *arena, taut_points **points);
/* A lane gets what depends on parameters from a copy of that program. */
void taut_points_take_numbers(taut_points *points, int lane, const taut_point *from);
/* result[i * TAUT_ABREAST + lane] of target i, from order 0 of the series. */
void taut_points_eval(const taut_points *points, const taut_jets *jets, double *result);

#endif
