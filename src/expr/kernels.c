/* Each order k >= 1 is an inner sum over l = 1..k-1, computed once and kept, plus end terms with
 * the newest orders of the arguments (docs/math/taylor.md, sections 2, 3 and 6). The loops are
 * compiled for several processors; the order of additions, and so every digit, is the same in all
 * of them. */
#include "expr/kernels.h"

#include "expr/lanes.h"
#include "expr/layout.h"
#include "expr/ops.h"

/* Order k of a block. */
TAUT_INLINE taut_lanes *order(const taut_jet *jet, int block, int k) {
    return (taut_lanes *)(jet->coef + block) + k;
}

/* Order k of series that are no block. */
TAUT_INLINE void collect(const taut_jet *jet, const int *source, int k, taut_lanes *to) {
    taut_collect(jet->coef + (ptrdiff_t)k * TAUT_LANES, source, to);
}

/* sum over l = 1..k-1 of a_l b_(k-l), in four partial sums so that no addition waits for the last.
 * Each is over a run of neighbours: where signs alternate they cancel early, and rounding stays
 * small. */
TAUT_INLINE void convolve(const taut_lanes *x, const taut_lanes *y, int k, taut_lanes *sum) {
    y += k;
    taut_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
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
TAUT_INLINE void convolve_square(const taut_lanes *x, int k, taut_lanes *sum) {
    const taut_lanes *y = x + k;
    taut_lanes s0 = {0}, s1 = {0};
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

/* ---- sums and order 0 ---- */

TAUT_INLINE void add_up(const taut_jet *jet, const taut_sum_group *g, int k) {
    taut_lanes sum = {0}, x = {0};
    if (k == 0) sum = *(const taut_lanes *)g->constant;
    for (int i = 0; i < g->terms; i++) {
        const taut_lane_term *term = &g->term[i];
        taut_lanes coef = *(const taut_lanes *)term->coef;
        if (term->p > 0) coef *= jet->shift[(ptrdiff_t)term->p * jet->shift_orders + k];
        if (term->whole) {
            sum += coef * *order(jet, term->source[0], k + term->p);
        } else {
            collect(jet, term->source, k + term->p, &x);
            sum += coef * x;
        }
    }
    *order(jet, g->result, k) = sum;
}

TAUT_INLINE void order_zero(const taut_jet *jet, const taut_group *g) {
    taut_lanes *result = order(jet, g->result, 0);
    const taut_lanes *a = order(jet, g->operand[0], 0), *b = order(jet, g->operand[1], 0);
    switch (g->kernel) {
    case TAUT_KERNEL_MULTIPLY: *result = *a * *b; break;
    case TAUT_KERNEL_SQUARE: *result = *a * *a; break;
    case TAUT_KERNEL_DIVIDE: *result = *a / *b; break;
    default:
        for (int i = 0; i < g->count; i++)
            ((double *)result)[i] = taut_op_value((taut_op)g->op[i], jet->coef[g->argument[0][i]],
                                                  jet->coef[g->argument[1][i]]);
    }
}

/* ---- convolutions ---- */

/* l a_l of a chain, the newest order that is final. */
TAUT_INLINE void scale_operands(const taut_jet *jet, const taut_group *g, int l) {
    for (int p = 0; p < g->pairs; p++)
        *order(jet, g->scaled[p], l) = *order(jet, g->pair[2 * p], l) * (double)l;
}

TAUT_INLINE void inner_sums(const taut_jet *jet, taut_group *g, int k) {
    taut_lanes sum = {0}, part;
    const taut_lanes *a = order(jet, g->operand[0], 0), *b = order(jet, g->operand[1], 0);
    const taut_lanes *v = order(jet, g->result, 0);
    switch (g->kernel) {
    case TAUT_KERNEL_MULTIPLY: convolve(a, b, k, &sum); break;
    case TAUT_KERNEL_SQUARE: convolve_square(a, k, &sum); break;
    case TAUT_KERNEL_DIVIDE: convolve(b, v, k, &sum); break;
    case TAUT_KERNEL_ROOT: convolve_square(v, k, &sum); break;
    default: /* CHAIN */
        scale_operands(jet, g, k - 1);
        for (int p = 0; p < g->pairs; p++) {
            convolve(order(jet, g->scaled[p], 0), order(jet, g->pair[2 * p + 1], 0), k, &part);
            sum += part;
        }
        sum /= (double)k;
    }
    *(taut_lanes *)g->inner = sum;
}

/* Order k from the inner sums and the newest orders of the arguments. */
TAUT_INLINE void end_terms(const taut_jet *jet, const taut_group *g, int k) {
    taut_lanes *v = order(jet, g->result, 0), sum = *(const taut_lanes *)g->inner;
    const taut_lanes *a = order(jet, g->operand[0], 0), *b = order(jet, g->operand[1], 0);
    switch (g->kernel) {
    case TAUT_KERNEL_MULTIPLY: sum = a[0] * b[k] + a[k] * b[0] + sum; break;
    case TAUT_KERNEL_SQUARE: sum = a[0] * a[k] * 2.0 + sum; break;
    case TAUT_KERNEL_DIVIDE: sum = (a[k] - v[0] * b[k] - sum) / b[0]; break;
    case TAUT_KERNEL_ROOT: sum = (a[k] - sum) / (v[0] * 2.0); break;
    default: /* CHAIN */
        for (int p = 0; p < g->pairs; p++)
            sum += *order(jet, g->pair[2 * p], k) * *order(jet, g->pair[2 * p + 1], 0);
    }
    v[k] = sum;
}

/* ---- all operations ---- */

TAUT_INLINE void copy_order(const taut_jet *jet, const taut_copy *c, int k) {
    collect(jet, c->source, k, order(jet, c->block, k));
}

TAUT_ALL_PROCESSORS void taut_kernels_stage(taut_jet *jet, int s) {
    const taut_schedule *list = s > 0 ? jet->early : jet->all;
    int c = 0, i = 0, n = 0;
    for (int level = 0; level < list->levels; level++) {
        for (; c < list->level[level].copies_end; c++) {
            const int k = s + list->copy[c]->offset;
            if (k >= 0) copy_order(jet, list->copy[c], k);
        }
        for (; i < list->level[level].sums_end; i++) {
            const int k = s + list->sum[i]->offset;
            if (k >= 0) add_up(jet, list->sum[i], k);
        }
        for (; n < list->level[level].groups_end; n++) {
            taut_group *g = list->group[n];
            const int k = s + g->offset;
            if (k < 0) continue;
            if (k == 0) {
                order_zero(jet, g);
            } else {
                inner_sums(jet, g, k);
                end_terms(jet, g, k);
            }
        }
    }
}

TAUT_ALL_PROCESSORS void taut_kernels_finish(taut_jet *jet, int s) {
    const taut_schedule *list = s > 0 ? jet->late : jet->all;
    int c = 0, i = 0, n = 0;
    for (int level = 0; level < list->levels; level++) {
        for (; c < list->level[level].copies_end; c++) {
            const int k = s + list->copy[c]->offset;
            if (k >= 0 && (s > 0 || list->copy[c]->active)) copy_order(jet, list->copy[c], k);
        }
        for (; i < list->level[level].sums_end; i++) {
            const int k = s + list->sum[i]->offset;
            if (k >= 0 && (s > 0 || list->sum[i]->active)) add_up(jet, list->sum[i], k);
        }
        for (; n < list->level[level].groups_end; n++) {
            taut_group *g = list->group[n];
            const int k = s + g->offset;
            if (k < 0 || (s <= 0 && !g->active)) continue;
            if (k == 0) {
                order_zero(jet, g);
            } else {
                if (s > 0 && !g->urgent) inner_sums(jet, g, k);
                end_terms(jet, g, k);
            }
        }
    }
}

void taut_kernels_repack(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    for (int i = 0; i < l->copies; i++)
        for (int k = 0; k <= s + l->copy[i].offset; k++) copy_order(jet, &l->copy[i], k);
    for (int n = 0; n < l->groups; n++)
        for (int k = 0; k < s + l->group[n].offset; k++) scale_operands(jet, &l->group[n], k);
}
