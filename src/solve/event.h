/* All roots of a polynomial over [0, 1]: where a watched function of a step is zero, in order, and
 * how (docs/math/events.md). */
#ifndef TAUT_SOLVE_EVENT_H
#define TAUT_SOLVE_EVENT_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

typedef struct taut_zero {
    double theta;
    int way; /* 1: from below to above, -1: from above to below, 0: touches */
} taut_zero;

/* What is asked: the roots of g(theta) = sum of c[k] theta^k. */
typedef struct taut_root_query {
    const double *c; /* [order + 1] */
    int order;
    int zeros;  /* g has this many known zeros at theta = 0 (c[0], ... count as 0): not reported */
    int side;   /* sign of g before theta = 0, after the last step; 0: unknown */
    double rho; /* bound of what the polynomial leaves out at theta = 1 */
    double noise; /* of values of g, beside the rounding of the coefficients */
} taut_root_query;

typedef struct taut_root_finder {
    int most;          /* the highest order */
    double *stack;     /* Bernstein coefficients of the pieces that wait */
    double *from, *to; /* their ends */
    double *work;
    taut_zero *root; /* [roots] the answer */
    int roots;
    int side;       /* sign of g behind theta = 1 as far as it is known; for the next query */
    bool undecided; /* g is zero at theta = 1, and what follows decides whether it crosses */
} taut_root_finder;

/* Room for polynomials up to this order; memory is the arena's. */
taut_status taut_root_finder_create(int most, taut_arena *arena, taut_root_finder *finder);
/* Finds them; nothing is allocated. No two of them are closer than what rounding can tell. */
void taut_roots_find(taut_root_finder *finder, const taut_root_query *query);
/* How many derivatives of g vanish at theta = 0, g itself included, where it is known to be zero
 * there; order + 1: all of them. */
int taut_root_zeros(const double *c, int order, double noise);

#endif
