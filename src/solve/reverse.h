/* The transpose of the tangent of a motion: how numbers that are made of its end depend on its
 * beginning and on parameters, several of them at once, in one lane each (docs/math/sensitivity.md,
 * section 5).
 *
 * A tangent maps variations at a point to those of coefficients, functions and later states; here
 * what is known of these (adjoints) goes back to the point, stage by stage from the last one to the
 * first, with the transpose of the same J. */
#ifndef TAUT_SOLVE_REVERSE_H
#define TAUT_SOLVE_REVERSE_H

#include "solve/forward.h"

enum { TAUT_REVERSE_LANES = TAUT_FORWARD_LANES };

typedef struct taut_reverse taut_reverse;

/* Of a tangent, which must outlive it; its own directions play no part. */
taut_status taut_reverse_create(taut_forward *forward, taut_reverse **reverse);
void taut_reverse_free(taut_reverse **reverse);
/* What follows does not depend on earlier points, to the last bit. */
void taut_reverse_forget(taut_reverse *reverse);

/* After taut_forward_expand or taut_forward_take: nothing depends on anything yet. TAUT_SINGULAR.
 */
taut_status taut_reverse_begin(taut_reverse *reverse);
/* The number of a lane depends on x_j^(k) at a time near the point, k < d_j, by so much. Only the
 * last `tail` terms of the polynomial, unless that is 0. */
void taut_reverse_add_value(taut_reverse *reverse, int j, int k, double time, int lane, double by,
                            int tail);
/* ... on a derivative of a function at the point. */
void taut_reverse_add_function(taut_reverse *reverse, int function, int level, int lane, double by);
/* Then: back to the point, tangent space of the constraints included. */
void taut_reverse_solve(taut_reverse *reverse);
/* What the numbers depend on: x_j^(k) at the point, k < d_j, and parameters. */
double taut_reverse_get(const taut_reverse *reverse, int j, int k, int lane);
double taut_reverse_number(const taut_reverse *reverse, int number, int lane);

#endif
