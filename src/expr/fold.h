/* Folding of nested sums and fusion of products into sums: an optimisation pass over a tape under
 * construction. Private to the room. */
#ifndef TAUT_EXPR_FOLD_H
#define TAUT_EXPR_FOLD_H

#include "expr/tape.h"

/* Merges sums that only sums read into their readers, where that saves work (with `fuse`, products
 * as well), and eliminates dead instructions; renumbers the slots. Terms, `root` and offsets of the
 * instructions must be set; offsets stay. Memory from arena. */
taut_status taut_tape_fold(taut_tape *tape, bool fuse, taut_arena *arena);

/* Gives the slots of nodes new numbers (-1: none), while the instructions still have their old
 * ones. A sum that several share stands for no node. */
void taut_tape_renumber(taut_tape *tape, const int *number);

#endif
