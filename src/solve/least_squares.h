/* Nonlinear least squares by Levenberg and Marquardt (MINPACK, by cminpack). */
#ifndef TAUT_SOLVE_LEAST_SQUARES_H
#define TAUT_SOLVE_LEAST_SQUARES_H

#include <stdbool.h>

#include "core/status.h"

typedef struct taut_least_squares {
    int m, n; /* residuals, unknowns; m >= n */
    /* Residuals r (m) at x (n), or their derivatives J (m x n, by columns) if r is NULL; false: the
     * search has to end. */
    bool (*go)(void *user, const double *x, double *r, double *J);
    void *user;
    double tolerance; /* relative, of sum of squares and unknowns */
    int most;         /* evaluations of r */
} taut_least_squares;

/* From x (n) to a local minimum of the sum of squares, in x. *converged: it is one.
 * TAUT_ERR_IO with the reason if there is no cminpack; TAUT_INTERRUPTED: go has said so. */
taut_status taut_least_squares_run(taut_least_squares *problem, double *x, bool *converged,
                                   taut_errors *errors);

#endif
