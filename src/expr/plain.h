/* Plain values of nodes as a tape: the operations of expr/tape.h at one point instead of on series.
 *
 * Only order 0 has a meaning here: functions have no pairs, terms no derivatives, instructions no
 * offsets. What is not computed is a TAUT_KERNEL_INPUT, and `active` says that an instruction
 * depends on one, not on t alone. The evaluators of J (expr/point.h) and of samples in time
 * (expr/sample.h) are made of it, and so is what writes such values down as code; expr/listing.h
 * prints it.
 *
 * Steady factors are numbers; a multiple of something is no operation of its own where a sum or a
 * target reads it. */
#ifndef TAUT_EXPR_PLAIN_H
#define TAUT_EXPR_PLAIN_H

#include "expr/tape.h"

typedef struct taut_plain {
    taut_tape tape;
    int inputs;
    taut_node *input; /* [inputs] the node of INPUT number i */
    size_t targets;
    taut_tape_term *target; /* [targets] coef times what is in slot */
} taut_plain;

typedef struct taut_plain_wanted {
    const taut_node *target;
    size_t targets;
    const taut_tape *on; /* what moves and is on this tape is an input; NULL: there is none */
} taut_plain_wanted;

/* The program for the targets, in the order of their ids. Variables and derivatives are inputs.
 * Memory from arena, that of tape.numbers (to be finished by taut_numbers_finish, or abandoned)
 * from lasting. After an error there is nothing to abandon. */
taut_status taut_plain_create(const taut_graph *graph, taut_plain_wanted wanted, taut_arena *arena,
                              taut_arena *lasting, taut_plain *plain);
/* Variables, derivatives and t, as far as the targets contain them: what has to be a root of a tape
 * on which they are computed. *found is on the heap. */
taut_status taut_plain_leaves(const taut_graph *graph, const taut_node *target, size_t count,
                              taut_node **found, size_t *founds);

#endif
