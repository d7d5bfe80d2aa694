/* Which watched functions cannot be zero in a step, from bounds of the unknowns over it: a value
 * and a radius for each, carried through the formulas. It costs a few operations a function, where
 * its polynomial would cost some for each coefficient; what it cannot exclude is looked at by that.
 */
#ifndef TAUT_SOLVE_EXCLUDE_H
#define TAUT_SOLVE_EXCLUDE_H

#include <math.h>

#include "expr/sample.h"
#include "solve/stepper.h"

/* A number that is at most `radius` away from `value`; infinite: nothing is known. */
typedef struct taut_ball {
    double value, radius;
} taut_ball;

typedef struct taut_excluder {
    taut_arena arena;
    taut_sample sample; /* the formulas as a program; values at times are not used */
    taut_ball *ball;    /* [size of the program] */
} taut_excluder;

taut_status taut_exclude_create(const taut_graph *graph, const taut_node *node, int count,
                                taut_excluder **excluder);
void taut_exclude_free(taut_excluder **excluder);
/* From now on with these values of the parameters, see taut_series_set_numbers. */
taut_status taut_exclude_set_numbers(taut_excluder *x, const double *parameter);
/* Bounds over the last step; false: the method has no polynomial that begins where the step does,
 * or another one as well. */
bool taut_exclude_step(taut_excluder *excluder, const taut_stepper *stepper);
/* The bounds of function i. */
static inline taut_ball taut_exclude_bounds(const taut_excluder *x, int i) {
    const taut_tape_term *target = &x->sample.plain.target[i];
    const taut_ball b = x->ball[target->slot];
    return (taut_ball){target->coef * b.value, fabs(target->coef) * b.radius};
}

#endif
