/* Each order k >= 1 is an inner sum over l = 1..k-1, computed once and kept, plus end terms with
 * the newest orders of the arguments (docs/math/taylor.md, sections 2, 3 and 6). The loops are
 * compiled for several processors; the order of additions, and so every digit, is the same in all
 * of them. */
#include "expr/kernels.h"

#include "expr/ops.h"

/* Eight numbers, one a lane. */
typedef double lanes __attribute__((vector_size(64), aligned(64)));

/* Not under the thread sanitizer: resolvers run before it is ready. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define FOR_ALL_PROCESSORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_ALL_PROCESSORS
#endif
#define INLINE static inline __attribute__((always_inline))

INLINE double *packed(const taut_group *g, int operand) {
    return g->packed + (size_t)operand * (size_t)g->length * TAUT_LANES;
}

/* Copies order k of an operand of all lanes. */
INLINE void pack(const taut_group *g, int operand, int k, double factor) {
    const double *const *source = g->source + operand * TAUT_LANES;
    double *to = packed(g, operand) + k * TAUT_LANES;
    for (int i = 0; i < g->count; i++) to[i] = factor * source[i][k];
}

/* sum over l = 1..k-1 of a_l b_(k-l), in four partial sums so that no addition waits for the last.
 * Each is over a run of neighbours: where signs alternate they cancel early, and rounding stays
 * small. */
INLINE void convolve(const double *a, const double *b, int k, lanes *sum) {
    const lanes *x = (const lanes *)a, *y = (const lanes *)b + k;
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    const int run = (k - 1) / 4;
    for (int l = 1; l <= run; l++) {
        const int m = l + run, n = m + run, o = n + run;
        s0 += x[l] * y[-l];
        s1 += x[m] * y[-m];
        s2 += x[n] * y[-n];
        s3 += x[o] * y[-o];
    }
    for (int l = 4 * run + 1; l < k; l++) s3 += x[l] * y[-l];
    *sum = (s0 + s1) + (s2 + s3);
}

/* The same with a = b: half of the products, twice. */
INLINE void convolve_square(const double *a, int k, lanes *sum) {
    const lanes *x = (const lanes *)a, *y = (const lanes *)a + k;
    lanes s0 = {0}, s1 = {0};
    const int half = (k - 1) / 2, run = half / 2;
    for (int l = 1; l <= run; l++) {
        const int m = l + run;
        s0 += x[l] * y[-l];
        s1 += x[m] * y[-m];
    }
    for (int l = 2 * run + 1; l <= half; l++) s1 += x[l] * y[-l];
    s0 = (s0 + s1) * 2.0;
    if (k % 2 == 0) s0 += x[k / 2] * x[k / 2];
    *sum = s0;
}

/* ---- sums, order 0 and shifts ---- */

INLINE void add_up(const taut_sum_group *g, int k) {
    double sum = k == 0 ? g->constant : 0.0;
    for (int i = 0; i < g->plains; i++) sum += g->plain[i].coef * g->plain[i].series[k];
    for (int i = 0; i < g->shifteds; i++)
        sum += g->shifted[i].coef * g->shifted[i].factor[k] * g->shifted[i].series[k];
    g->result[k] = sum;
}

static void order_zero(const taut_group *g) {
    for (int i = 0; i < g->count; i++)
        g->result[i][0] =
            taut_op_value((taut_op)g->op[i], g->argument[0][i][0], g->argument[1][i][0]);
}

static void shift(const taut_jet *jet, const taut_group *g, int k) {
    const double factor = jet->shift[(size_t)g->p * (size_t)jet->shift_orders + (size_t)k];
    for (int i = 0; i < g->count; i++) g->result[i][k] = factor * g->argument[0][i][k + g->p];
}

/* ---- convolutions ---- */

/* Operands that a group sums over; a chain sums l a_l w_(k-l), so a is stored as l a_l. */
INLINE double pack_factor(const taut_group *g, int operand, int k) {
    return g->kernel == TAUT_KERNEL_CHAIN && operand % 2 == 0 && k > 0 ? (double)k : 1.0;
}

/* Is operand i the result itself, or one order behind? Then its order k is not known yet. */
INLINE bool is_behind(const taut_group *g, int i) {
    return (g->kernel == TAUT_KERNEL_DIVIDE && i == 1) || g->kernel == TAUT_KERNEL_ROOT ||
           (g->kernel == TAUT_KERNEL_CHAIN && i % 2 == 1);
}

/* Orders k-1, which are final now, and k as far as they are known. */
INLINE void pack_newest(taut_group *g, int k) {
    for (int i = 0; i < g->operands; i++) {
        pack(g, i, k - 1, pack_factor(g, i, k - 1));
        if (!is_behind(g, i)) pack(g, i, k, pack_factor(g, i, k));
    }
}

INLINE void inner_sums(taut_group *g, int k) {
    lanes sum = {0}, part;
    switch (g->kernel) {
    case TAUT_KERNEL_MULTIPLY: convolve(packed(g, 0), packed(g, 1), k, &sum); break;
    case TAUT_KERNEL_SQUARE: convolve_square(packed(g, 0), k, &sum); break;
    case TAUT_KERNEL_DIVIDE: convolve(packed(g, 0), packed(g, 1), k, &sum); break;
    case TAUT_KERNEL_ROOT: convolve_square(packed(g, 0), k, &sum); break;
    case TAUT_KERNEL_CHAIN:
        for (int i = 0; i < g->pairs; i++) {
            convolve(packed(g, 2 * i), packed(g, 2 * i + 1), k, &part);
            sum += part;
        }
        sum /= (double)k;
        break;
    default: break;
    }
    *(lanes *)g->inner = sum;
}

/* Order k from the inner sums and the newest orders of the arguments. */
INLINE void end_terms(taut_group *g, int k) {
    lanes a = {0}, b = {0}, v = *(const lanes *)g->inner;
    double *x = (double *)&a, *y = (double *)&b;
    if (g->kernel == TAUT_KERNEL_CHAIN) {
        for (int p = 0; p < g->pairs; p++) {
            for (int i = 0; i < g->count; i++) x[i] = g->source[2 * p * TAUT_LANES + i][k];
            v += a * *(const lanes *)packed(g, 2 * p + 1);
        }
    } else {
        for (int i = 0; i < g->count; i++) x[i] = g->argument[0][i][k];
        const lanes a0 = *(const lanes *)packed(g, 0); /* of the first operand */
        switch (g->kernel) {
        case TAUT_KERNEL_MULTIPLY:
            for (int i = 0; i < g->count; i++) y[i] = g->argument[1][i][k];
            v = a0 * b + a * *(const lanes *)packed(g, 1) + v;
            break;
        case TAUT_KERNEL_SQUARE: v = a0 * a * 2.0 + v; break;
        case TAUT_KERNEL_DIVIDE:
            for (int i = 0; i < g->count; i++) y[i] = g->argument[1][i][k];
            v = (a - *(const lanes *)packed(g, 1) * b - v) / a0;
            break;
        case TAUT_KERNEL_ROOT: v = (a - v) / (a0 * 2.0); break;
        default: break;
        }
    }
    const double *result = (const double *)&v;
    for (int i = 0; i < g->count; i++) g->result[i][k] = result[i];
}

/* ---- all operations ---- */

FOR_ALL_PROCESSORS void taut_kernels_stage(taut_jet *jet, int s) {
    const taut_schedule *all = jet->all;
    int i = 0, n = 0;
    for (int level = 0; level < all->levels; level++) {
        for (; i < all->level[level].sums_end; i++) {
            const int k = s + all->sum[i].offset;
            if (k >= 0) add_up(&all->sum[i], k);
        }
        for (; n < all->level[level].groups_end; n++) {
            taut_group *g = all->group[n];
            const int k = s + g->offset;
            if (k < 0) continue;
            if (g->kernel == TAUT_KERNEL_SHIFT) {
                shift(jet, g, k);
            } else if (k == 0) {
                order_zero(g);
            } else {
                pack_newest(g, k);
                inner_sums(g, k);
                end_terms(g, k);
            }
        }
    }
}

FOR_ALL_PROCESSORS void taut_kernels_finish(taut_jet *jet, int s) {
    const taut_schedule *list = s > 0 ? jet->late : jet->all;
    int i = 0, n = 0;
    for (int level = 0; level < list->levels; level++) {
        for (; i < list->level[level].sums_end; i++) {
            const int k = s + list->sum[i].offset;
            if (k >= 0 && list->sum[i].active) add_up(&list->sum[i], k);
        }
        for (; n < list->level[level].groups_end; n++) {
            taut_group *g = list->group[n];
            const int k = s + g->offset;
            if (k < 0 || !g->active) continue;
            if (g->kernel == TAUT_KERNEL_SHIFT)
                shift(jet, g, k);
            else if (k == 0)
                order_zero(g);
            else
                end_terms(g, k);
        }
    }
}

void taut_kernels_repack(taut_jet *jet, int s) {
    for (int n = 0; n < jet->groups; n++) {
        taut_group *g = &jet->group[n];
        for (int i = 0; i < g->operands; i++)
            for (int k = 0; k <= s + g->offset && k < g->length; k++)
                pack(g, i, k, pack_factor(g, i, k));
    }
}
