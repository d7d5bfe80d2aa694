/* Stages of a series by compiled C: the straight lines of its jet (expr/straight.h), with the
 * solutions between them. */
#ifndef TAUT_SOLVE_STRAIGHT_SERIES_H
#define TAUT_SOLVE_STRAIGHT_SERIES_H

#include "expr/straight.h"
#include "solve/series.h"

/* What has been compiled for a series. */
typedef struct taut_compiled {
    taut_straight straight;
    taut_unrolled unrolled;
    bool has_unrolled;
    const char *(*made_by)(void); /* the compiler */
    /* solve/straight_steps.h; correct: NULL without unrolled factors */
    void (*correct)(taut_straight_numbers *, double *coef, const double *factor, double *y, int s);
    void (*tails)(const double *coef, double theta, double per_h, double *tail);
    double *tail;    /* [n * (largest d + 1)] */
    double *rows;    /* [n * orders] coefficients as rows, from order d_j + 1 on, ... */
    long rows_at;    /* ... of this start of the series; -1: of none */
    long expansions; /* so far, ... */
    long next;       /* ... and the next one after which it is looked whether all of this is right:
                        at once, and as soon as there is something to compare: */
    bool check_corrections, check_tails;
    double *coef[3]; /* work space: all orders of all variables, ... */
    int orders;      /* ... so many of each */
} taut_compiled;

/* From now on the series' stages, and factors for the pivots that it has at this point, where J is
 * factored, are computed by C that is written for it, compiled and loaded (core/compiler.h).
 * seen: another series of the same equations whose outputs are looked at all the time, which are
 * compiled as well if that is worth it; NULL: there is none. TAUT_ERR_CALL, with the reason, if it
 * cannot be done. */
taut_status taut_series_compile(taut_series *series, taut_series *seen, taut_errors *errors);
/* Compilers make mistakes: after expansions number 1, 4, 16, 64 ... by compiled code, computes the
 * same by the interpreter, from the projection on; that is what stays. If the two differ by more
 * than rounding, compiled code is used no longer, and series->miscompiled says who made it
 * (solve/straight_proof.c). */
void taut_series_verify(taut_series *series, int last);
/* The same if it has no result at all; the series is to be computed anew. */
void taut_series_distrust(taut_series *series);

#endif
