/* The inner loops of Taylor arithmetic, for the processor at hand. Private to the room. */
#ifndef TAUT_EXPR_KERNELS_H
#define TAUT_EXPR_KERNELS_H

#include "expr/jet.h"

/* All operations at stage s; those that a finished stage changes; and fresh copies of all operands,
 * up to stage s. */
void taut_kernels_stage(taut_jet *jet, int s);
void taut_kernels_finish(taut_jet *jet, int s);
void taut_kernels_repack(taut_jet *jet, int s);

#endif
