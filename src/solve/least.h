/* The least movement of everything that is listed, unknowns or not (docs/math/consistent.md,
 * section 3). */
#ifndef TAUT_SOLVE_LEAST_H
#define TAUT_SOLVE_LEAST_H

#include "solve/stage.h"

/* From a point that satisfies `rows`, along these, to where the listed values of unknowns
 * (guess [columns]) and those of points that are none, which are rows of `all`, have moved least in
 * the sense of least squares. Listed angles and distances that are met stay met. The point stays
 * where it was if that fails or is not much better. */
taut_status taut_least_movement(taut_stage *rows, taut_stage *all, const double *guess);

#endif
