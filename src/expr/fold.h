/* Sums and products inside sums become part of them: a pass over a tape that is being made. Private
 * to the room. */
#ifndef TAUT_EXPR_FOLD_H
#define TAUT_EXPR_FOLD_H

#include "expr/tape.h"

/* Merges sums that only sums read into their readers, where that saves work, fuse: products as
 * well, and removes what nobody reads any more; renumbers the slots. Instructions have their terms
 * and `root` by now, and offsets, which stay. Memory from arena. */
taut_status taut_tape_fold(taut_tape *tape, bool fuse, taut_arena *arena);

#endif
