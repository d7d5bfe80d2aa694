/* Rows of constraints as numbers, for the search for those that follow from others. Private to
 * solve/redundant.c and solve/idle.c. */
#ifndef TAUT_SOLVE_REDUNDANT_PARTS_H
#define TAUT_SOLVE_REDUNDANT_PARTS_H

#include "solve/placement.h"

/* What is left of a row of length 1 beside others is rounding below this. */
#define TAUT_RANK_LIMIT 1e-9

/* The rows with c >= 1 over the columns with d = 2, further unknowns aside: of positions, then of
 * velocities, then those of what may let go; a is rows x columns. */
typedef struct taut_constraint_rows {
    int rows, positions, engaged, columns;
    int *row; /* [rows] equation */
    double *a;
} taut_constraint_rows;

/* In units of the unknowns' sizes. Rows keep their lengths: of several that say the same, the one
 * that says it most clearly is to stay. */
taut_status taut_constraint_rows_find(taut_series *series, taut_roles roles, taut_arena *arena,
                                      taut_constraint_rows *gradients);
/* Takes the parts along the unit vectors q[0 .. count-1] (each of length n) out of v, twice because
 * of rounding; returns what is left of its length. */
double taut_orthogonalise(int n, const double *q, int count, double *v);
void taut_divide_row(int n, double *v, double by);
/* Which of further rows depend neither on those before nor on each other. q holds `count`
 * independent rows and has room for all; v (rows x n) is overwritten. order: the independent ones
 * come first; *rank: how many; they are added to q. */
void taut_order_rows_beyond(int n, double *q, int count, int rows, double *v, int *order,
                            int *rank);

#endif
