/* Nonlinear optimisation with equations and bounds, by IPOPT: minimise f(x) subject to g(x) = 0, or
 * g_low <= g(x) <= g_high, and low <= x <= high. */
#ifndef TAUT_SOLVE_NLP_H
#define TAUT_SOLVE_NLP_H

#include <stdbool.h>

#include "core/status.h"

/* A problem and the place where its owner leaves values. Patterns are lists of places, from 0;
 * entries at the same place add up. */
typedef struct taut_nlp {
    int n, m;                     /* unknowns, equations; m <= n, unless g has bounds */
    const double *low, *high;     /* [n] of x; NULL: none */
    const double *g_low, *g_high; /* [m] of g; NULL: 0 */
    int jacobian_entries, hessian_entries;
    const int *jacobian_row, *jacobian_column; /* [jacobian_entries] */
    const int *hessian_row, *hessian_column;   /* [hessian_entries] row >= column */
    /* Goes to x (n) and fills f, gradient, g and jacobian there; false: no finite value. */
    bool (*go)(void *user, const double *x);
    /* Fills hessian: factor * f'' + sum of lambda_i g_i'' (lambda: m) at the point where it is. */
    bool (*bend)(void *user, double factor, const double *lambda); /* NULL: it is approximated */
    void *user;
    double f;
    double *gradient;     /* [n] */
    double *g;            /* [m] */
    double *jacobian;     /* [jacobian_entries] */
    double *hessian;      /* [hessian_entries] */
    double tolerance;     /* of the conditions of optimality; 0: 1e-10 */
    int most_iterations;  /* bounds of the work */
    int most_evaluations; /* points at which go is called; 0: any number */
    double most_seconds;
} taut_nlp;

/* From x (n), the start, to a local minimum, in x. TAUT_ERR_NUMERICS if none was found: x is then
 * where the search ended. One search at a time in the whole process: others wait. TAUT_ERR_IO
 * with the reason if there is no IPOPT. */
taut_status taut_nlp_solve(taut_nlp *nlp, double *x, taut_errors *errors);

#endif
