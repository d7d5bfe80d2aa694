/* What loops over lanes need, for the processor at hand. Private to the room. */
#ifndef TAUT_EXPR_LANES_H
#define TAUT_EXPR_LANES_H

#include "expr/jet.h"

/* Loops over lanes are compiled for several processors; the order of operations, and so every
 * digit, is the same in all of them. */
#if defined(__x86_64__) && defined(__GNUC__)
#define TAUT_WIDER 1 /* vectors of AVX2 and AVX-512, if the processor has them */
#else
#define TAUT_WIDER 1
#endif
/* Not under the thread sanitizer: resolvers run before it is ready. */
#if TAUT_WIDER && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define TAUT_ALL_PROCESSORS __attribute__((target_clones("avx2", "default")))
#else
#define TAUT_ALL_PROCESSORS
#endif
#define TAUT_INLINE static inline __attribute__((always_inline))

#endif
