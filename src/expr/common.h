/* Common subexpressions of sums: an optimisation pass over a tape under construction. Private to
 * the room. */
#ifndef TAUT_EXPR_COMMON_H
#define TAUT_EXPR_COMMON_H

#include "expr/tape.h"

/* Factors out common subexpressions: terms that several sums share, up to a factor and derivatives
 * of the whole, become a sum of their own, which these sums read instead; renumbers the slots.
 * Terms, `root` and offsets of the instructions must be set. Memory from arena. */
taut_status taut_tape_share(taut_tape *tape, taut_arena *arena);

#endif
