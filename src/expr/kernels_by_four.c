/* Four lanes at a time: for AVX2. */
#include "expr/lanes.h"

#if TAUT_WIDER
#define WIDTH 4
#define KERNEL(name) taut_##name##_by_four
#define FOR_PROCESSORS __attribute__((target("avx2")))
#include "expr/loops.h"
#endif
