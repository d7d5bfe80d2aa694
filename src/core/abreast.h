/* Numbers of TAUT_ABREAST runs side by side, as vectors. Compilers split them where registers are
 * shorter. They are handed over by address: how they would be passed depends on the processor. */
#ifndef TAUT_CORE_ABREAST_H
#define TAUT_CORE_ABREAST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lanes.h"

typedef double taut_abreast __attribute__((vector_size(8 * TAUT_ABREAST), aligned(64)));
typedef int64_t taut_abreast_bits __attribute__((vector_size(8 * TAUT_ABREAST), aligned(64)));

typedef uint8_t taut_crowd; /* a set of lanes, one bit each */
enum { TAUT_EVERYBODY = (1 << TAUT_ABREAST) - 1 };

static inline bool taut_in_crowd(taut_crowd who, int lane) { return (who >> lane & 1) != 0; }
static inline void taut_leave_crowd(taut_crowd *who, int lane) {
    *who &= (taut_crowd) ~(1 << lane);
}
static inline void taut_join_crowd(taut_crowd *who, int lane) { *who |= (taut_crowd)(1 << lane); }

/* *x = *y where the mask is set */
TAUT_INLINE void taut_choose_abreast(const taut_abreast_bits *mask, const taut_abreast *y,
                                     taut_abreast *x) {
    *x = (taut_abreast)((*mask & (taut_abreast_bits)*y) | (~*mask & (taut_abreast_bits)*x));
}
/* *x = *y where that is larger */
TAUT_INLINE void taut_raise_abreast(taut_abreast *x, const taut_abreast *y) {
    const taut_abreast_bits mask = (taut_abreast_bits)(*y > *x);
    taut_choose_abreast(&mask, y, x);
}
/* *x = *y where that is smaller */
TAUT_INLINE void taut_lower_abreast(taut_abreast *x, const taut_abreast *y) {
    const taut_abreast_bits mask = (taut_abreast_bits)(*y < *x);
    taut_choose_abreast(&mask, y, x);
}
/* *size = |*x| */
TAUT_INLINE void taut_size_abreast(const taut_abreast *x, taut_abreast *size) {
    *size = (taut_abreast)((taut_abreast_bits)*x & ~(taut_abreast_bits)(-(taut_abreast){0}));
}
/* All lanes the same. */
TAUT_INLINE void taut_alike_abreast(double x, taut_abreast *to) {
    *to = (taut_abreast){x, x, x, x, x, x, x, x};
}

#endif
