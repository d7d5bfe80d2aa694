/* How large the rounding of equations is, from the sizes of the terms that cancel in them. */
#ifndef TAUT_SOLVE_ROUNDING_H
#define TAUT_SOLVE_ROUNDING_H

#include "solve/series.h"

/* The sizes of the terms of f_i, at the point that the series holds. length [tape->size] is work
 * space. */
void taut_rounding_find_sizes(const taut_series *series, double *length, double *size);
/* At the point that the series holds: rounding[i] of f_i, which is also that of its scaled
 * coefficients. error [tape->size] is work space. */
void taut_rounding_find(const taut_series *series, double *error, double *rounding);

/* The same for the outputs first .. first + count - 1 of a series without a view. */
void taut_rounding_of_outputs(const taut_series *series, int first, int count, double *error,
                              double *rounding);

#endif
