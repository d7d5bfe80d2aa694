/* Numbers side by side, for the processor at hand. Private to the room. */
#ifndef TAUT_EXPR_LANES_H
#define TAUT_EXPR_LANES_H

#include "expr/jet.h"

/* Eight numbers, one a lane. */
typedef double taut_lanes __attribute__((vector_size(64), aligned(64)));

/* Loops over lanes are compiled for several processors; the order of operations, and so every
 * digit, is the same in all of them. Not under the thread sanitizer: resolvers run before it is
 * ready. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define TAUT_ALL_PROCESSORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TAUT_ALL_PROCESSORS
#endif
#define TAUT_INLINE static inline __attribute__((always_inline))

/* *to = the numbers at these places. Put together two by two: inserted one after the other, each
 * would wait for the last. */
TAUT_INLINE void taut_collect(const double *from, const int *place, taut_lanes *to) {
    typedef double two __attribute__((vector_size(16)));
    typedef double four __attribute__((vector_size(32)));
    const two a = {from[place[0]], from[place[1]]}, b = {from[place[2]], from[place[3]]};
    const two c = {from[place[4]], from[place[5]]}, d = {from[place[6]], from[place[7]]};
    const four e = __builtin_shufflevector(a, b, 0, 1, 2, 3);
    const four f = __builtin_shufflevector(c, d, 0, 1, 2, 3);
    *to = __builtin_shufflevector(e, f, 0, 1, 2, 3, 4, 5, 6, 7);
}

#endif
