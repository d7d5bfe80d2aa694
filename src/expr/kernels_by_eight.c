/* Eight lanes at a time: for AVX-512. */
#include "expr/lanes.h"

#if TAUT_WIDER
#define WIDTH 8
#define KERNEL(name) taut_##name##_by_eight
#define FOR_PROCESSORS __attribute__((target("avx512f")))
#include "expr/loops.h"
#endif
