/* Loops over series that lie side by side. */
#include "solve/stretch.h"

#include <string.h>

#include "core/lanes.h"

enum {
    BLOCK = 8, /* what most stretches of unknowns have: unrolled */
    WORTH = 4  /* series a stretch, in the mean */
};

static int find(int n, double *const *at, const int *offset, int most, taut_stretch *item) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        taut_stretch *last = count > 0 ? &item[count - 1] : NULL;
        if (last && last->count < most && at[i] == last->at + last->count &&
            offset[i] == last->offset)
            last->count++;
        else
            item[count++] = (taut_stretch){at[i], i, 1, offset[i]};
    }
    return count;
}

taut_status taut_stretches_create(int n, double *const *at, const int *offset, taut_arena *arena,
                                  taut_stretches *stretches) {
    taut_stretch *item = TAUT_NEW_ARRAY(arena, n, taut_stretch);
    if (!item) return TAUT_ERR_MEMORY;
    int count = find(n, at, offset, n, item);
    const bool together = count * WORTH <= n;
    if (!together) count = find(n, at, offset, 1, item);
    *stretches = (taut_stretches){item, count, together};
    return TAUT_OK;
}

TAUT_INLINE void take(const double *restrict from, double factor, int count, double *restrict y) {
    for (int i = 0; i < count; i++) y[i] = -from[i] * factor;
}

TAUT_INLINE uint64_t put(const double *restrict y, double factor, int count, double *restrict to) {
    uint64_t any = 0;
    for (int i = 0; i < count; i++) {
        any |= taut_infinity(y[i]);
        to[i] = y[i] / factor;
    }
    return any;
}

TAUT_INLINE uint64_t add(const double *restrict y, double factor, int count, double *restrict to) {
    uint64_t any = 0;
    for (int i = 0; i < count; i++) {
        any |= taut_infinity(y[i]);
        to[i] += y[i] / factor;
    }
    return any;
}

TAUT_ALL_WIDTHS
void taut_stretches_take_together(const taut_stretches *stretches, const double *factor,
                                  double *y) {
    for (int m = 0; m < stretches->count; m++) {
        const taut_stretch *s = &stretches->item[m];
        take(s->at, factor[s->offset], s->count, y + s->first);
    }
}

TAUT_ALL_WIDTHS
bool taut_stretches_put_together(const taut_stretches *stretches, ptrdiff_t shift,
                                 const double *factor, const double *y) {
    uint64_t any = 0;
    for (int m = 0; m < stretches->count; m++) {
        const taut_stretch *s = &stretches->item[m];
        const double by = factor[s->offset];
        /* NOLINTNEXTLINE(bugprone-branch-clone): the first one is unrolled */
        if (s->count == BLOCK)
            any |= put(y + s->first, by, BLOCK, s->at + shift);
        else
            any |= put(y + s->first, by, s->count, s->at + shift);
    }
    return any < TAUT_SIGN_BIT;
}

TAUT_ALL_WIDTHS
bool taut_stretches_add_together(const taut_stretches *stretches, ptrdiff_t shift,
                                 const double *factor, double *y) {
    uint64_t any = 0;
    for (int m = 0; m < stretches->count; m++) {
        const taut_stretch *s = &stretches->item[m];
        const double by = factor[s->offset];
        if (by == 0.0) {
            any |= taut_all_finite(y + s->first, s->count) ? 0 : TAUT_SIGN_BIT;
            memset(y + s->first, 0, (size_t)s->count * sizeof *y);
        } else {
            any |= add(y + s->first, by, s->count, s->at + shift);
        }
    }
    return any < TAUT_SIGN_BIT;
}

TAUT_INLINE uint64_t look(const double *from, int count) {
    uint64_t any = 0;
    for (int i = 0; i < count; i++) any |= taut_infinity(from[i]);
    return any;
}

TAUT_ALL_WIDTHS
bool taut_stretches_are_finite_together(const taut_stretches *stretches, int stage) {
    uint64_t any = 0;
    for (int m = 0; m < stretches->count; m++) {
        const taut_stretch *s = &stretches->item[m];
        const double *from = s->at - (ptrdiff_t)s->offset * TAUT_LANES;
        for (int k = 0; k <= stage + s->offset; k++, from += TAUT_LANES)
            /* NOLINTNEXTLINE(bugprone-branch-clone): the first one is unrolled */
            any |= s->count == BLOCK ? look(from, BLOCK) : look(from, s->count);
    }
    return any < TAUT_SIGN_BIT;
}
