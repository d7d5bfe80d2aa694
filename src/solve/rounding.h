/* How large the rounding of equations is, from the sizes of the terms that cancel in them. */
#ifndef TAUT_SOLVE_ROUNDING_H
#define TAUT_SOLVE_ROUNDING_H

#include "solve/series.h"

/* At the point that the series holds: rounding[i] of f_i, which is also that of its scaled
 * coefficients. size [tape->size] is work space. */
void taut_rounding_find(const taut_series *series, double *size, double *rounding);

#endif
