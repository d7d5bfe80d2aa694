/* Optimisation without derivatives, by NLopt: minimise f(x) for 0 <= x <= 1 subject to g(x) <= 0
 * and h(x) = 0. */
#ifndef TAUT_SOLVE_DIRECT_SEARCH_H
#define TAUT_SOLVE_DIRECT_SEARCH_H

#include <stdbool.h>

#include "core/status.h"

typedef struct taut_direct_search {
    int n, m;          /* unknowns, constraints */
    const bool *equal; /* [m] g = 0 instead of g <= 0 */
    /* Goes to x (n) and fills f and g (m) there; false: there are no values. */
    bool (*go)(void *user, const double *x, double *f, double *g);
    void *user;
    double tolerance; /* of x */
    int most;         /* calls of go */
} taut_direct_search;

/* From x (n) to the best point, in x. TAUT_ERR_IO with the reason if there is no NLopt;
 * TAUT_ERR_NUMERICS: the search has ended without success. */
taut_status taut_direct_search_run(taut_direct_search *search, double *x, taut_errors *errors);

#endif
