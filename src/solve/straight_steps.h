/* What a step does with a series beside stages above 0, as straight lines of C: corrections of
 * stages up to 0, and the ends of its polynomials. */
#ifndef TAUT_SOLVE_STRAIGHT_STEPS_H
#define TAUT_SOLVE_STRAIGHT_STEPS_H

#include "solve/straight_series.h"

/* Function `correct`: solutions and corrections of stages first .. 0 that have been evaluated, by
 * factors with these pivots, and what follows from them. */
void taut_straight_write_corrections(taut_string *text, const taut_series *series,
                                     const taut_factors *factors);
/* Function `tails`: terms beyond the first of x_j^(k), theta scales from the centre and in units of
 * the scale, for all k <= d_j, to tail[j * (largest d + 1) + k]. */
void taut_straight_write_tails(taut_string *text, const taut_series *series);

/* Has the stage been corrected by compiled code, as taut_series_solve does it? */
bool taut_straight_correct(taut_series *series, int stage, const double *factor);
/* Rows of coefficients from order d_j + 1 on as the last extension left them; NULL: they are not
 * known. */
const double *taut_straight_row(const taut_series *series, int j);
/* Tails of the series at the present point, as above; NULL: there is no compiled code. */
const double *taut_straight_tails(const taut_series *series, double theta);
#endif
