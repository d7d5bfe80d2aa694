/* Series of unknowns, or equations, one behind the other, that lie side by side in a jet: loops
 * over them need no places. */
#ifndef TAUT_SOLVE_STRETCH_H
#define TAUT_SOLVE_STRETCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/bits.h"
#include "core/status.h"
#include "expr/jet.h"

typedef struct taut_stretch {
    double *at; /* where the first of them is at stage 0 */
    int first, count;
    int offset; /* which all of them have */
} taut_stretch;

typedef struct taut_stretches {
    taut_stretch *item;
    int count;
    bool together; /* most of them have several; if not, each has one */
} taut_stretches;

/* For at[n], with these offsets: as few as there can be, or n if these were hardly fewer. */
taut_status taut_stretches_create(int n, double *const *at, const int *offset, taut_arena *arena,
                                  taut_stretches *stretches);
void taut_stretches_take_together(const taut_stretches *stretches, const double *factor, double *y);
bool taut_stretches_put_together(const taut_stretches *stretches, ptrdiff_t shift,
                                 const double *factor, const double *y);
/* y[i] = -*at[i] * factor[offset] */
static inline void taut_stretches_take(const taut_stretches *stretches, const double *factor,
                                       double *y) {
    const taut_stretch *s = stretches->item;
    if (stretches->together)
        taut_stretches_take_together(stretches, factor, y);
    else
        for (int i = 0; i < stretches->count; i++) y[i] = -*s[i].at * factor[s[i].offset];
}
/* at[i][shift] = y[i] / factor[offset]. False: one of y is not finite. */
static inline bool taut_stretches_put(const taut_stretches *stretches, ptrdiff_t shift,
                                      const double *factor, const double *y) {
    const taut_stretch *s = stretches->item;
    uint64_t any = 0;
    if (stretches->together) return taut_stretches_put_together(stretches, shift, factor, y);
    for (int i = 0; i < stretches->count; i++) {
        any |= taut_infinity(y[i]);
        s[i].at[shift] = y[i] / factor[s[i].offset];
    }
    return any < TAUT_SIGN_BIT;
}
bool taut_stretches_add_together(const taut_stretches *stretches, ptrdiff_t shift,
                                 const double *factor, double *y);
/* at[i][shift] += y[i] / factor[offset], or y[i] = 0 where the factor is 0. False: as above. */
static inline bool taut_stretches_add(const taut_stretches *stretches, ptrdiff_t shift,
                                      const double *factor, double *y) {
    const taut_stretch *s = stretches->item;
    uint64_t any = 0;
    if (stretches->together) return taut_stretches_add_together(stretches, shift, factor, y);
    for (int i = 0; i < stretches->count; i++) {
        const double by = factor[s[i].offset];
        any |= taut_infinity(y[i]);
        if (by == 0.0)
            y[i] = 0.0;
        else
            s[i].at[shift] += y[i] / by;
    }
    return any < TAUT_SIGN_BIT;
}

/* Are orders 0 to stage + offset of all series finite, those of stage 0 being at at[i]? */
bool taut_stretches_are_finite_together(const taut_stretches *stretches, int stage);
static inline bool taut_stretches_are_finite(const taut_stretches *stretches, int stage) {
    uint64_t any = 0;
    if (stretches->together) return taut_stretches_are_finite_together(stretches, stage);
    for (int i = 0; i < stretches->count; i++) {
        const int offset = stretches->item[i].offset;
        const double *from = stretches->item[i].at - (ptrdiff_t)offset * TAUT_LANES;
        for (int k = 0; k <= stage + offset; k++, from += TAUT_LANES) any |= taut_infinity(*from);
    }
    return any < TAUT_SIGN_BIT;
}

#endif
