/* Extrema of polynomials on [0, 1], all of them found: no sampling that could miss one. */
#ifndef TAUT_TASK_EXTREMUM_H
#define TAUT_TASK_EXTREMUM_H

enum { TAUT_EXTREMUM_MOST = 160 }; /* degree */

/* The largest value of sign * p, p(theta) = sum of c[k] theta^k, k <= degree, and where it is. What
 * is not above `floor` is of no interest: then any value that is not above it may be returned. */
double taut_extremum(const double *c, int degree, double sign, double floor, double *theta);

#endif
