/* Sums inside sums become one sum: a pass over a tape that is being made. Private to the room. */
#ifndef TAUT_EXPR_FOLD_H
#define TAUT_EXPR_FOLD_H

#include "expr/tape.h"

/* Merges sums that only sums read into their readers, where that saves work, and removes what
 * nobody reads any more; renumbers the slots. Instructions have their terms and `root` by now, but
 * no levels; offsets stay as they are. Memory from arena. */
taut_status taut_tape_fold(taut_tape *tape, taut_arena *arena);

#endif
