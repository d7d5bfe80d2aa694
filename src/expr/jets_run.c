/* Run-time dispatch of the loops over runs side by side to the vector width of this processor. */
#include "expr/jets_parts.h"
#include "expr/kernels.h"
#include "expr/ops.h"

#define WIDTH 2
#define FOR_WIDTH(name) name##_by_two
#define FOR_PROCESSORS
#include "expr/jets_loops.h"

#if TAUT_WIDER
#define WIDTH 4
#define FOR_WIDTH(name) name##_by_four
#define FOR_PROCESSORS TAUT_FOR_FOUR
#include "expr/jets_loops.h"

#define WIDTH 8
#define FOR_WIDTH(name) name##_by_eight
#define FOR_PROCESSORS TAUT_FOR_EIGHT
#include "expr/jets_loops.h"
#endif

const taut_jets_loops *taut_jets_loops_here(void) { return TAUT_BY_WIDTH(&LOOPS); }
