/* Unknowns of a law beside coordinates and rates of its hinges: Euler parameters and directions of
 * rods on one side, quaternions and angular velocities on the other. */
#ifndef TAUT_TREE_HINGES_H
#define TAUT_TREE_HINGES_H

#include "tree/law.h"

typedef struct taut_hinges {
    const taut_law *law;
    const taut_recursion *tree;
    double *x;     /* [unknowns * 3] value, first and second derivative of every unknown */
    double *q, *v; /* coordinates and rates */
} taut_hinges;

/* Value and derivatives of an unknown. */
static inline double *taut_hinges_of(const taut_hinges *h, int variable) {
    return h->x + 3 * (size_t)variable;
}

/* How many unknowns and rates the i-th hinge has, and where its rates begin. */
int taut_hinge_unknowns(const taut_law *law, int i);
int taut_hinge_rates(const taut_law *law, int i);
int taut_hinge_rate(const taut_hinges *hinges, int i);

/* q and v from values and first derivatives. */
void taut_hinges_enter(taut_hinges *hinges);
/* Second derivatives from accelerations. */
void taut_hinges_leave(taut_hinges *hinges, const double *acceleration);
/* What acts on the unknowns of the i-th hinge, in the place of their second derivatives, as it acts
 * on its rates: written to force, which is as long as all rates. */
void taut_hinges_pull(const taut_hinges *hinges, int i, double *force);
/* Second derivatives of the i-th hinge become 0. */
void taut_hinges_clear(taut_hinges *hinges, int i);
/* Moves values (order 0) or first derivatives (1) by a step of the rates. */
void taut_hinges_move(taut_hinges *hinges, int order, const double *step);
/* Euler parameters and directions become as long as they should be. */
void taut_hinges_normalise(taut_hinges *hinges);

#endif
