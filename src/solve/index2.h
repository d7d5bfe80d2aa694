/* A system as a stabilised DAE of index 2, F(t, Y, Y') = 0: every x_j^(k), k < d_j, is a variable
 * of its own, equations are differentiated up to the last level that restricts the state, and the
 * lower levels are kept by multipliers of their own (docs/math/sundials.md). */
#ifndef TAUT_SOLVE_INDEX2_H
#define TAUT_SOLVE_INDEX2_H

#include "solve/ode.h"
#include "solve/partials.h"

typedef struct taut_index2 taut_index2;

/* Y: the states of ode, then the variables with d_j = 0, then the stabilising multipliers. */
taut_status taut_index2_create(const taut_ode *ode, taut_index2 **form);
void taut_index2_free(taut_index2 **form);
/* See taut_series_set_numbers. */
taut_status taut_index2_set_numbers(taut_index2 *form, const double *parameter);
/* See taut_series_forget. */
void taut_index2_forget(taut_index2 *form);
int taut_index2_size(const taut_index2 *form);
/* Where x_j stands in Y, of a variable with d_j = 0. */
int taut_index2_algebraic(const taut_index2 *form, int j);

/* F [size]. It may contain NaN. */
void taut_index2_residual(taut_index2 *form, double t, const double *Y, const double *rate,
                          double *F);
/* The pattern of dF/dY + cj dF/dY' in compressed columns: start [size + 1], row [entries]. */
int taut_index2_entries(const taut_index2 *form);
const int *taut_index2_start(const taut_index2 *form);
const int *taut_index2_row(const taut_index2 *form);
/* Its values [entries], exact where the stabilising multipliers are 0, which they are on the
 * solution. */
void taut_index2_jacobian(taut_index2 *form, double t, const double *Y, const double *rate,
                          double cj, double *value);

#endif
