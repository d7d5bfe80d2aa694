/* Stages of a series by compiled C: the straight lines of its jet (expr/straight.h), with the
 * solutions between them. */
#ifndef TAUT_SOLVE_STRAIGHT_SERIES_H
#define TAUT_SOLVE_STRAIGHT_SERIES_H

#include "expr/straight.h"
#include "solve/series.h"

/* From now on the series' stages are computed by C that is written for it, compiled and loaded
 * (core/compiler.h). TAUT_ERR_CALL, with the reason, if that cannot be done. */
taut_status taut_series_compile(taut_series *series, taut_errors *errors);

#endif
