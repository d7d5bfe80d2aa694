/* The equations of one Hermite-Obreschkoff step, with all Taylor coefficients at its end as
 * unknowns (docs/math/hermite-obreschkoff.md). */
#ifndef TAUT_SOLVE_LIFTED_H
#define TAUT_SOLVE_LIFTED_H

#include "solve/newton.h"
#include "solve/partials.h"

/* The largest q. */
enum { TAUT_LIFTED_MOST = 9 };

/* The derivatives of the equations as series, on a tape of nothing else. */
typedef struct taut_slopes {
    taut_partial *partial; /* [count] */
    int count;
    taut_jet *jet;
    int *slot;     /* [count] of the partials */
    int *variable; /* [n] slots of the variables */
} taut_slopes;

/* All coefficients are scaled: (x_j)_m h^m with the step h. */
typedef struct taut_lifted {
    const taut_system *system;       /* must outlive it */
    const taut_structure *structure; /* likewise */
    taut_arena arena;
    taut_series *series;                       /* the equations at the end of the step */
    taut_slopes slopes;                        /* and their derivatives, to low orders */
    int *states_before;                        /* [n+1] sum of d_i, i < j */
    taut_newton *matrix[TAUT_LIFTED_MOST + 1]; /* by q; NULL: not asked for */
    int p, q;                                  /* the pair */
    double h;                                  /* the step */
    int size;                                  /* unknowns: n q + sum of d_j */
    double ahead[TAUT_LIFTED_MOST + 1];        /* (-1)^i c_i(q, p) */
    double behind[TAUT_LIFTED_MOST + 1];       /* c_i(p, q) */
    double *x;                                 /* [size] the unknowns */
    double *change;                            /* [size] the last correction */
    double *side;                              /* [size] right-hand side, by rows */
    double *history;                           /* [states] what the formula takes from t */
    long evaluations, factorisations, corrections;
} taut_lifted;

/* For pairs with q from least_q to most_q <= TAUT_LIFTED_MOST: all memory is allocated here.
 * TAUT_ERR_CALL: a derivative is too high for this method. */
taut_status taut_lifted_create(const taut_system *system, const taut_structure *structure,
                               int least_q, int most_q, taut_lifted **lifted);
void taut_lifted_free(taut_lifted **lifted);
/* From now on with these values of the parameters: see taut_series_set_numbers. */
taut_status taut_lifted_set_numbers(taut_lifted *lifted, const double *parameter);

/* A step from t to t + h with the formula of the pair (p, q), p <= q. */
void taut_lifted_begin(taut_lifted *lifted, double t, double h, int p, int q);
/* The coefficients 0 .. q + d_j - 1 of variable j at the end of the step, to be guessed. */
double *taut_lifted_unknown(const taut_lifted *lifted, int j);
/* The last correction of these. */
const double *taut_lifted_change(const taut_lifted *lifted, int j);
/* Evaluates so many stages of a series of the same system at the unknowns. */
void taut_lifted_look(const taut_lifted *lifted, taut_series *series, int stages);
/* What is known at t: coefficients 0 .. p + d_j - 1 of every variable, scaled with h. */
void taut_lifted_remember(taut_lifted *lifted, double *const *known);
/* Newton's matrix at the unknowns, and its factors. */
taut_status taut_lifted_linearise(taut_lifted *lifted);
/* One correction with the factors at hand; false if something is not finite (then x is as it was).
 */
bool taut_lifted_correct(taut_lifted *lifted);
/* What a fault of each state in the formula, [states], scaled as the unknowns are, does to all of
 * them: in taut_lifted_change. */
void taut_lifted_spread(taut_lifted *lifted, const double *fault);
/* By how much the states would differ with the formula of the pair (a, b), b <= q, instead: an
 * estimate of the error of that one where it is of a lower order. known has a + d_j coefficients of
 * every variable at least. The difference of (x_j)_k, k < d_j, is change[] at its place. misfit
 * (states) is how far the coefficients themselves are from that formula. */
void taut_lifted_compare(taut_lifted *lifted, int a, int b, double *const *known, double *misfit);

#endif
