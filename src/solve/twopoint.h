/* Two-point Hermite interpolation: a polynomial from Taylor coefficients at both ends of a step
 * (docs/math/hermite-obreschkoff.md, section 6). */
#ifndef TAUT_SOLVE_TWOPOINT_H
#define TAUT_SOLVE_TWOPOINT_H

enum { TAUT_TWOPOINT_MOST = 32 };

/* On the unit interval: sum of left[i] theta^i + theta^lefts * sum of rest[i] (theta - 1)^i. */
typedef struct taut_twopoint {
    int lefts, rests;
    double left[TAUT_TWOPOINT_MOST], rest[TAUT_TWOPOINT_MOST];
} taut_twopoint;

/* From `lefts` coefficients at 0 and `rights` at 1, both scaled with the length of the interval;
 * at most TAUT_TWOPOINT_MOST each are used. */
void taut_twopoint_set(taut_twopoint *poly, const double *left, int lefts, const double *right,
                       int rights);
/* The k-th Taylor coefficient at theta, scaled likewise. */
double taut_twopoint_value(const taut_twopoint *poly, int k, double theta);
/* Coefficient k at theta of the polynomial c (count) about 0. */
double taut_twopoint_shifted(const double *c, int count, int k, double theta);

#endif
