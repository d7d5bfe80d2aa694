/* Terms that several sums have in common: a pass over a tape that is being made. Private to the
 * room. */
#ifndef TAUT_EXPR_COMMON_H
#define TAUT_EXPR_COMMON_H

#include "expr/tape.h"

/* Terms that the same sums have, up to a factor and derivatives of the whole, become a sum of their
 * own, which these sums read instead; renumbers the slots. Instructions have their terms, `root`
 * and offsets by now. Memory from arena. */
taut_status taut_tape_share(taut_tape *tape, taut_arena *arena);

#endif
