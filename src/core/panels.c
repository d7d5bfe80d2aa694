/* Terms are in the order in which classes are added up; those of a class ascend, and all of them
 * do where there is one class. */
#include "core/panels.h"

#include <string.h>

enum { SUMS = TAUT_PANEL_SUMS, CLASSES = TAUT_PANEL_CLASSES };

typedef taut_abreast lanes;

/* ---- which sums go together ---- */

bool taut_panels_create(int n, taut_arena *arena, taut_panels *p) {
    const int most = (n + SUMS - 1) / SUMS;
    *p = (taut_panels){.sum = TAUT_NEW_ARRAY(arena, most * SUMS, int),
                       .start = TAUT_NEW_ARRAY(arena, most * CLASSES + 1, int),
                       .term = TAUT_NEW_ARRAY(arena, most * n, int),
                       .factor = TAUT_NEW_ARRAY(arena, most * n * SUMS, lanes),
                       .place = TAUT_NEW_ARRAY(arena, n * n, int)};
    return p->sum && p->start && p->term && p->factor && p->place;
}

static int count(uint64_t set) {
    int sum = 0;
    for (; set; set &= set - 1) sum++;
    return sum;
}

/* Takes the sum out of *left whose terms are most like these, and adds its own. */
static int take_sum(const uint64_t *terms, int n, uint64_t *left, uint64_t *these) {
    int best = -1, least = 0;
    for (int i = 0; i < n; i++) {
        const int others = count(terms[i] ^ *these);
        if (!(*left >> i & 1) || (best >= 0 && others >= least)) continue;
        best = i;
        least = others;
    }
    *left &= ~(UINT64_C(1) << best);
    *these |= terms[best];
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

void taut_panels_plan(taut_panels *p, int n, int entries, const int *sum, const int *term,
                      bool classes) {
    uint64_t terms[TAUT_PANELS_MOST] = {0}, left = 0;
    for (int e = 0; e < entries; e++) terms[sum[e]] |= UINT64_C(1) << term[e];
    for (int i = 0; i < n; i++) left |= UINT64_C(1) << i;
    for (p->count = 0; left; p->count++) {
        int *own = p->sum + p->count * SUMS, at[TAUT_PANELS_MOST];
        uint64_t these = 0;
        int sums = 0;
        for (; sums < SUMS && left; sums++) own[sums] = take_sum(terms, n, &left, &these);
        for (int r = sums; r < SUMS; r++) own[r] = own[0]; /* which is stored last */
        list_terms(p, classes, these, at);
        for (int e = 0; e < entries; e++)
            for (int r = 0; r < sums; r++)
                if (own[r] == sum[e]) p->place[e] = at[term[e]] * SUMS + r;
    }
    memset(p->factor, 0, (size_t)(p->start[p->count * CLASSES] * SUMS) * sizeof *p->factor);
}

TAUT_ALL_WIDTHS void taut_panels_fill(taut_panels *p, int entries, const lanes *value) {
    for (int e = 0; e < entries; e++) p->factor[p->place[e]] = value[e];
}

/* ---- products ---- */

TAUT_INLINE void add_terms(const taut_panels *p, int from, int to, const lanes *x, lanes *sum) {
    const lanes *factor = p->factor + (ptrdiff_t)from * SUMS;
    for (int k = from; k < to; k++, factor += SUMS) {
        const lanes by = x[p->term[k]];
        for (int r = 0; r < SUMS; r++) sum[r] += factor[r] * by;
    }
}

TAUT_INLINE void store(const taut_panels *p, int panel, const lanes *sum, lanes *to) {
    const int *own = p->sum + panel * SUMS;
    for (int r = SUMS - 1; r >= 0; r--) to[own[r]] = sum[r];
}

TAUT_ALL_WIDTHS void taut_panels_multiply(const taut_panels *p, const lanes *x, lanes *to) {
    for (int i = 0; i < p->count; i++) {
        lanes sum[SUMS] = {{0}};
        add_terms(p, p->start[i * CLASSES], p->start[(i + 1) * CLASSES], x, sum);
        store(p, i, sum, to);
    }
}

/* The sum of two classes. */
TAUT_INLINE void add_pair(const taut_panels *p, const int *start, const lanes *x, lanes *sum) {
    lanes other[SUMS] = {{0}};
    for (int r = 0; r < SUMS; r++) sum[r] = (lanes){0};
    add_terms(p, start[0], start[1], x, sum);
    add_terms(p, start[1], start[2], x, other);
    for (int r = 0; r < SUMS; r++) sum[r] += other[r];
}

/* ... and of four. */
TAUT_INLINE void add_half(const taut_panels *p, const int *start, const lanes *x, lanes *sum) {
    lanes other[SUMS];
    add_pair(p, start, x, sum);
    add_pair(p, start + 2, x, other);
    for (int r = 0; r < SUMS; r++) sum[r] += other[r];
}

TAUT_ALL_WIDTHS void taut_panels_multiply_by_classes(const taut_panels *p, const lanes *x,
                                                     lanes *to) {
    for (int i = 0; i < p->count; i++) {
        const int *start = p->start + i * CLASSES;
        lanes sum[SUMS], other[SUMS];
        add_half(p, start, x, sum);
        add_half(p, start + CLASSES / 2, x, other);
        for (int r = 0; r < SUMS; r++) sum[r] += other[r];
        store(p, i, sum, to);
    }
}
