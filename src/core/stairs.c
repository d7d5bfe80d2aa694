/* Row elimination with scaled partial pivoting, among the rows that a column reaches. */
#include "core/stairs.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double SINGULAR_PIVOT = 1e-15; /* beside what its column had at first: none */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define FOR_ALL_PROCESSORS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_ALL_PROCESSORS
#endif

/* Rows begin at full vectors. */
static int stride_for(int n) { return (n + 7) / 8 * 8; }

taut_status taut_stairs_create(int n, taut_stairs_shape shape, taut_arena *arena, taut_stairs *s) {
    *s = (taut_stairs){.n = n, .stride = stride_for(n), .shape = shape};
    s->entry = TAUT_NEW_ARRAY(arena, (size_t)n * (size_t)s->stride, double);
    s->row = TAUT_NEW_ARRAY(arena, n, double *);
    s->order = TAUT_NEW_ARRAY(arena, n, int);
    s->scale = TAUT_NEW_ARRAY(arena, n, double);
    s->work = TAUT_NEW_ARRAY(arena, n, double);
    s->inverse = TAUT_NEW_ARRAY(arena, n, double);
    s->end = TAUT_NEW_ARRAY(arena, n, int);
    s->largest = TAUT_NEW_ARRAY(arena, n, double);
    if (!s->largest || !s->entry || !s->row || !s->order || !s->scale) return TAUT_ERR_MEMORY;
    return s->work && s->inverse && s->end ? TAUT_OK : TAUT_ERR_MEMORY;
}

void taut_stairs_share(const taut_stairs *larger, int n, taut_stairs_shape shape, taut_stairs *s) {
    *s = *larger;
    s->n = n;
    s->stride = stride_for(n);
    s->shape = shape;
}

void taut_stairs_clear(taut_stairs *s) {
    memset(s->entry, 0, (size_t)s->n * (size_t)s->stride * sizeof *s->entry);
}

/* The largest |row[j]|, as the bits of a number: these are ordered like the numbers, with NaN on
 * top, and compare side by side. */
static inline __attribute__((always_inline)) int64_t largest_bits(const double *row, int n) {
    int64_t largest = 0;
    for (int j = 0; j < n; j++) {
        const double size = fabs(row[j]);
        int64_t bits;
        memcpy(&bits, &size, sizeof bits);
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

/* column[j] = max(column[j], scale |row[j]|) */
static inline __attribute__((always_inline)) void
raise(double *restrict column, const double *restrict row, double scale, int from, int to) {
    for (int j = from; j < to; j++) {
        const double size = fabs(row[j]) * scale;
        column[j] = size > column[j] ? size : column[j];
    }
}

/* Rows as they are, with their scales; false if one is empty or not finite. */
static inline __attribute__((always_inline)) bool prepare(taut_stairs *s) {
    memset(s->largest, 0, (size_t)s->n * sizeof *s->largest);
    for (int i = 0; i < s->n; i++) {
        double *row = s->entry + (size_t)i * (size_t)s->stride, largest;
        const int first = s->shape.first[i], end = s->shape.end[i];
        const int64_t bits = largest_bits(row + first, end - first);
        memcpy(&largest, &bits, sizeof largest);
        if (!(largest > 0.0) || !isfinite(largest)) return false;
        s->scale[i] = 1.0 / largest;
        s->row[i] = row;
        s->order[i] = i;
        s->end[i] = end;
        raise(s->largest, row, s->scale[i], first, end);
    }
    return true;
}

/* y[from .. to-1] -= factor x[from .. to-1] */
static inline __attribute__((always_inline)) void
subtract(double *restrict y, const double *restrict x, double factor, int from, int to) {
    for (int j = from; j < to; j++) y[j] -= factor * x[j];
}

static void swap_rows(taut_stairs *s, int a, int b) {
    double *row = s->row[a];
    const int order = s->order[a];
    s->row[a] = s->row[b];
    s->order[a] = s->order[b];
    s->row[b] = row;
    s->order[b] = order;
}

FOR_ALL_PROCESSORS taut_status taut_stairs_factor(taut_stairs *s) {
    if (!prepare(s)) return TAUT_SINGULAR;
    for (int c = 0; c < s->n; c++) {
        int best = c;
        double pivot = 0.0;
        for (int i = c; i < s->shape.reach[c]; i++) {
            const double size = fabs(s->row[i][c]) * s->scale[s->order[i]];
            if (size > pivot) {
                pivot = size;
                best = i;
            }
        }
        if (!(pivot > SINGULAR_PIVOT * s->largest[c])) return TAUT_SINGULAR;
        swap_rows(s, c, best);
        const double *top = s->row[c], inverse = 1.0 / top[c];
        s->inverse[c] = inverse;
        const int end = s->end[s->order[c]];
        for (int i = c + 1; i < s->shape.reach[c]; i++) {
            double *row = s->row[i];
            if (row[c] == 0.0) continue;
            row[c] *= inverse;
            subtract(row, top, row[c], c + 1, end);
            int *own = &s->end[s->order[i]];
            if (end > *own) *own = end;
        }
    }
    return TAUT_OK;
}

/* The sum of a[j] b[j], from <= j < to, in eight partial sums that are added up in pairs. */
static inline __attribute__((always_inline)) double inner(const double *a, const double *b,
                                                          int from, int to) {
    double part[8] = {0}, rest = 0.0;
    int j = from;
    for (; j + 8 <= to; j += 8)
        for (int k = 0; k < 8; k++) part[k] += a[j + k] * b[j + k];
    if (j + 4 <= to) {
        for (int k = 0; k < 4; k++) part[k] += a[j + k] * b[j + k];
        j += 4;
    }
    for (; j < to; j++) rest += a[j] * b[j];
    for (int k = 0; k < 4; k++) part[k] += part[k + 4];
    return (part[0] + part[2]) + (part[1] + part[3]) + rest;
}

/* Rows in blocks: their sums over what is known before do not wait for each other. */
FOR_ALL_PROCESSORS void taut_stairs_solve(const taut_stairs *s, double *b) {
    enum { BLOCK = 4 };
    const int n = s->n;
    double *x = s->work;
    for (int top = 0; top < n; top += BLOCK) {
        const int below = top + BLOCK < n ? top + BLOCK : n;
        for (int i = top; i < below; i++)
            x[i] = b[s->order[i]] - inner(s->row[i], x, s->shape.first[s->order[i]], top);
        for (int i = top + 1; i < below; i++) {
            const double *row = s->row[i];
            double sum = x[i];
            for (int j = top; j < i; j++) sum -= row[j] * x[j];
            x[i] = sum;
        }
    }
    for (int below = n; below > 0; below -= BLOCK) {
        const int top = below > BLOCK ? below - BLOCK : 0;
        for (int i = top; i < below; i++) x[i] -= inner(s->row[i], x, below, s->end[s->order[i]]);
        for (int i = below - 1; i >= top; i--) {
            const double *row = s->row[i];
            double sum = x[i];
            for (int j = i + 1; j < below; j++) sum -= row[j] * x[j];
            x[i] = sum * s->inverse[i];
        }
    }
    memcpy(b, x, (size_t)n * sizeof *b);
}
