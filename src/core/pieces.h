/* Functions of one variable through samples, as polynomials from knot to knot: straight lines,
 * cubics that keep the shape of the samples, cubic splines, and few pieces of high order within a
 * tolerance (docs/math/tables.md). */
#ifndef TAUT_CORE_PIECES_H
#define TAUT_CORE_PIECES_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

typedef enum taut_between {
    TAUT_BETWEEN_LINEAR,
    TAUT_BETWEEN_PCHIP,
    TAUT_BETWEEN_SPLINE,
    TAUT_BETWEEN_FIT
} taut_between;

typedef struct taut_samples {
    const double *x, *y; /* [count] x rising strictly */
    int count;           /* at least 2 */
    bool periodic;       /* y[count - 1] is y[0], and the function goes on as it began */
} taut_samples;

typedef struct taut_pieces {
    int degree, count;
    double *knot;  /* [count + 1] */
    double *about; /* [count] */
    double *coef;  /* [count * (degree + 1)] of powers of x - about, lowest first */
} taut_pieces;

/* Memory from arena. Pieces that go on with the same polynomial are one. tolerance: of a fit. */
taut_status taut_pieces_create(const taut_samples *samples, taut_between between, double tolerance,
                               taut_arena *arena, taut_pieces *pieces);
/* The order-th derivative of piece k at x, wherever that is. */
double taut_pieces_value(const taut_pieces *pieces, int k, int order, double x);
/* The piece that has x, the first or the last one outside. */
int taut_pieces_find(const taut_pieces *pieces, double x);

/* slope[count] of the cubic spline through samples: its third derivative does not jump at the
 * second knot and at the last but one; periodic: it goes on smoothly. work: [4 * count]. */
void taut_spline_slopes(const taut_samples *samples, double *work, double *slope);
/* c[4] of the cubic over a length h with values and slopes at its ends, about its left end. */
void taut_hermite_cubic(double h, const double y[2], const double slope[2], double c[4]);
/* The order-th derivative of sum c[k] u^k, k <= degree. */
double taut_powers_value(const double *c, int degree, int order, double u);

#endif
