/* Four lanes at a time: for AVX2, and for every processor. */
#include "expr/lanes.h"

#define WIDTH 4
#define KERNEL(name) taut_##name##_by_four
#define FOR_PROCESSORS TAUT_ALL_PROCESSORS
#include "expr/loops.h"
