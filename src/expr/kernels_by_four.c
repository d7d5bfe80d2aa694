/* Four lanes at a time: for AVX2. */
#include "core/lanes.h"
#include "expr/kernels.h"

#if TAUT_WIDER
#define WIDTH 4
#define KERNEL(name) taut_##name##_by_four
#define FOR_PROCESSORS TAUT_FOR_FOUR
#include "expr/loops.h"
#endif
