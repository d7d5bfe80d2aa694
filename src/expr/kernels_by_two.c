/* Two lanes at a time: for every processor. */
#define WIDTH 2
#define KERNEL(name) taut_##name##_by_two
#define FOR_PROCESSORS
#include "expr/loops.h"
