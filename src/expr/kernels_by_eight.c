/* Eight lanes at a time: for AVX-512. */
#include "core/lanes.h"
#include "expr/kernels.h"

#if TAUT_WIDER
#define WIDTH 8
#define KERNEL(name) taut_##name##_by_eight
#define FOR_PROCESSORS TAUT_FOR_EIGHT
#include "expr/loops.h"
#endif
