/* Chebyshev's points: where rows are taken to see a column over a part of a step. */
#ifndef TAUT_TASK_CHEBYSHEV_H
#define TAUT_TASK_CHEBYSHEV_H

/* Points 0 .. n on [0, 1] from left to right, and Clenshaw's and Curtis's weights, n even: the
 * integral of the interpolating polynomial. */
void taut_chebyshev_points(int n, double *point, double *weight);
/* The polynomial through samples f (n + 1) at these points, by the barycentric formula. */
double taut_chebyshev_interpolate(const double *point, const double *f, int n, double x);

#endif
