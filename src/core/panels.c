/* Terms are in the order in which classes are added up; those of a class ascend, and all of them
 * do where there is one class. */
#include "core/panels.h"

#include <string.h>

enum { SUMS = TAUT_PANEL_SUMS, CLASSES = TAUT_PANEL_CLASSES };

typedef taut_abreast lanes;

/* ---- which sums go together ---- */

bool taut_panels_create(int n, taut_arena *arena, taut_panels *p) {
    *p = (taut_panels){.sums = TAUT_NEW_ARRAY(arena, n, int),
                       .sum = TAUT_NEW_ARRAY(arena, n * SUMS, int),
                       .start = TAUT_NEW_ARRAY(arena, n * CLASSES + 1, int),
                       .term = TAUT_NEW_ARRAY(arena, n * n, int),
                       .first = TAUT_NEW_ARRAY(arena, n, int),
                       .factor = TAUT_NEW_ARRAY(arena, n * n, lanes),
                       .place = TAUT_NEW_ARRAY(arena, n * n, int)};
    return p->sums && p->sum && p->start && p->term && p->first && p->factor && p->place;
}

static int count(uint64_t set) {
    int sum = 0;
    for (; set; set &= set - 1) sum++;
    return sum;
}

/* What a panel costs, in loads: a term needs its factors and a number of the vector, a panel the
 * beginning and the end of its loops. */
static int price(int terms, int sums, bool classes) {
    return terms * (sums + 1) + (classes ? 32 : 4);
}

/* The sum of `left` that makes a panel with these terms dearer by the least, sums of them so far,
 * compared with a panel of its own; -1: none of them makes it cheaper. */
static int find_sum(const uint64_t *terms, uint64_t left, uint64_t these, int sums, bool classes) {
    int best = -1, least = 0;
    const int now = sums > 0 ? price(count(these), sums, classes) : 0;
    for (int i = 0; i < TAUT_PANELS_MOST; i++) {
        if (!(left >> i & 1)) continue;
        const int own = price(count(terms[i]), 1, classes),
                  dearer = price(count(terms[i] | these), sums + 1, classes) - now - own;
        if (sums > 0 ? dearer >= least : best >= 0 && own <= least) continue;
        best = i;
        least = sums > 0 ? dearer : own;
    }
    return best;
}

/* The terms of a panel, class by class; at[term]: where they are. */
static void list_terms(taut_panels *p, bool classes, uint64_t these, int *at) {
    static const int ORDER[CLASSES] = {0, 4, 2, 6, 1, 5, 3, 7};
    int *start = p->start + p->count * CLASSES;
    for (int c = 0; c < CLASSES; c++) {
        start[c + 1] = start[c];
        for (int k = 0; k < TAUT_PANELS_MOST; k++) {
            if (!(these >> k & 1) || (classes ? k % CLASSES != ORDER[c] : c > 0)) continue;
            at[k] = start[c + 1];
            p->term[start[c + 1]++] = k;
        }
    }
}

/* The next panel, of sums that are left. */
static uint64_t choose_sums(taut_panels *p, const uint64_t *terms, uint64_t *left, bool classes) {
    int *own = p->sum + p->count * SUMS, sums = 0;
    uint64_t these = 0;
    for (int i; sums < SUMS && (i = find_sum(terms, *left, these, sums, classes)) >= 0; sums++) {
        own[sums] = i;
        *left &= ~(UINT64_C(1) << i);
        these |= terms[i];
    }
    p->sums[p->count] = sums;
    return these;
}

void taut_panels_plan(taut_panels *p, int n, int entries, const int *sum, const int *term,
                      bool classes) {
    uint64_t terms[TAUT_PANELS_MOST] = {0}, left = 0;
    int factors = 0;
    for (int e = 0; e < entries; e++) terms[sum[e]] |= UINT64_C(1) << term[e];
    for (int i = 0; i < n; i++) left |= UINT64_C(1) << i;
    for (p->count = 0; left; p->count++) {
        int at[TAUT_PANELS_MOST];
        const uint64_t these = choose_sums(p, terms, &left, classes);
        const int *own = p->sum + p->count * SUMS, sums = p->sums[p->count];
        list_terms(p, classes, these, at);
        p->first[p->count] = factors;
        for (int e = 0; e < entries; e++)
            for (int r = 0; r < sums; r++)
                if (own[r] == sum[e])
                    p->place[e] = factors + (at[term[e]] - p->start[p->count * CLASSES]) * sums + r;
        factors += count(these) * sums;
    }
    memset(p->factor, 0, (size_t)factors * sizeof *p->factor);
}

TAUT_ALL_WIDTHS void taut_panels_fill(taut_panels *p, int entries, const lanes *value) {
    for (int e = 0; e < entries; e++) p->factor[p->place[e]] = value[e];
}

/* ---- products ---- */

/* sums: as many as the panel has, written out so that all of them stay in registers. */
TAUT_INLINE const lanes *add_terms(const taut_panels *p, int from, int to, int sums,
                                   const lanes *factor, const lanes *x, lanes *sum) {
    for (int k = from; k < to; k++, factor += sums) {
        const lanes by = x[p->term[k]];
        for (int r = 0; r < sums; r++) sum[r] += factor[r] * by;
    }
    return factor;
}

TAUT_INLINE void store(const taut_panels *p, int panel, int sums, const lanes *sum, lanes *to) {
    const int *own = p->sum + panel * SUMS;
    for (int r = 0; r < sums; r++) to[own[r]] = sum[r];
}

TAUT_INLINE void multiply(const taut_panels *p, int i, int sums, const lanes *x, lanes *to) {
    const int *start = p->start + i * CLASSES;
    lanes sum[SUMS] = {{0}};
    add_terms(p, start[0], start[CLASSES], sums, p->factor + p->first[i], x, sum);
    store(p, i, sums, sum, to);
}

TAUT_ALL_WIDTHS void taut_panels_multiply(const taut_panels *p, const lanes *x, lanes *to) {
    for (int i = 0; i < p->count; i++) switch (p->sums[i]) {
        case 1: multiply(p, i, 1, x, to); break;
        case 2: multiply(p, i, 2, x, to); break;
        case 3: multiply(p, i, 3, x, to); break;
        default: multiply(p, i, SUMS, x, to);
        }
}

/* The sum of two classes. */
TAUT_INLINE const lanes *add_pair(const taut_panels *p, const int *start, int sums,
                                  const lanes *factor, const lanes *x, lanes *sum) {
    lanes other[SUMS] = {{0}};
    for (int r = 0; r < sums; r++) sum[r] = (lanes){0};
    factor = add_terms(p, start[0], start[1], sums, factor, x, sum);
    factor = add_terms(p, start[1], start[2], sums, factor, x, other);
    for (int r = 0; r < sums; r++) sum[r] += other[r];
    return factor;
}

/* ... and of four. */
TAUT_INLINE const lanes *add_half(const taut_panels *p, const int *start, int sums,
                                  const lanes *factor, const lanes *x, lanes *sum) {
    lanes other[SUMS];
    factor = add_pair(p, start, sums, factor, x, sum);
    factor = add_pair(p, start + 2, sums, factor, x, other);
    for (int r = 0; r < sums; r++) sum[r] += other[r];
    return factor;
}

TAUT_INLINE void multiply_by_classes(const taut_panels *p, int i, int sums, const lanes *x,
                                     lanes *to) {
    const int *start = p->start + i * CLASSES;
    lanes sum[SUMS], other[SUMS];
    const lanes *factor = add_half(p, start, sums, p->factor + p->first[i], x, sum);
    add_half(p, start + CLASSES / 2, sums, factor, x, other);
    for (int r = 0; r < sums; r++) sum[r] += other[r];
    store(p, i, sums, sum, to);
}

TAUT_ALL_WIDTHS void taut_panels_multiply_by_classes(const taut_panels *p, const lanes *x,
                                                     lanes *to) {
    for (int i = 0; i < p->count; i++) switch (p->sums[i]) {
        case 1: multiply_by_classes(p, i, 1, x, to); break;
        case 2: multiply_by_classes(p, i, 2, x, to); break;
        case 3: multiply_by_classes(p, i, 3, x, to); break;
        default: multiply_by_classes(p, i, SUMS, x, to);
        }
}
