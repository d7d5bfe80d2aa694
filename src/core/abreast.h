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
/* *who = the lanes where the mask is set */
TAUT_INLINE void taut_find_crowd(const taut_abreast_bits *mask, taut_crowd *who) {
    const taut_abreast_bits bit = *mask & (taut_abreast_bits){1, 2, 4, 8, 16, 32, 64, 128};
    int sum = 0;
    for (int l = 0; l < TAUT_ABREAST; l++) sum |= (int)bit[l];
    *who = (taut_crowd)sum;
}
/* All lanes the same. */
TAUT_INLINE void taut_alike_abreast(double x, taut_abreast *to) {
    *to = (taut_abreast){x, x, x, x, x, x, x, x};
}
/* Rows become columns: number l of row k is number k of row l afterwards. */
TAUT_INLINE void taut_transpose_abreast(taut_abreast x[TAUT_ABREAST]) {
    taut_abreast y[TAUT_ABREAST];
    for (int i = 0; i < TAUT_ABREAST; i += 2) { /* pairs of neighbours */
        y[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        y[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < TAUT_ABREAST; i++) { /* pairs of these */
        const int k = i / 4 * 4 + i % 2;
        x[i] = i % 4 < 2 ? __builtin_shufflevector(y[k], y[k + 2], 0, 1, 8, 9, 4, 5, 12, 13)
                         : __builtin_shufflevector(y[k], y[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < TAUT_ABREAST; i++) y[i] = x[i];
    for (int i = 0; i < TAUT_ABREAST / 2; i++) { /* halves */
        x[i] = __builtin_shufflevector(y[i], y[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        x[i + 4] = __builtin_shufflevector(y[i], y[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

#endif
