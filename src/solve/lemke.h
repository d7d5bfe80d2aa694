/* Linear complementarity: w = M z + q, w >= 0, z >= 0, w . z = 0, by Lemke's method. */
#ifndef TAUT_SOLVE_LEMKE_H
#define TAUT_SOLVE_LEMKE_H

#include <stdbool.h>

#include "core/status.h"

typedef struct taut_lcp {
    int n;
    const double *M; /* [n][n] by rows */
    const double *q; /* [n] */
} taut_lcp;

/* *found: there is a solution, z[n]; otherwise the method ends without one, which for matrices that
 * are not those of friction means that there is none. lean: of the covering vector, above -1, for
 * another way to a solution; 0: none. */
taut_status taut_lemke_solve(const taut_lcp *lcp, double lean, double *z, bool *found);

#endif
