/* Each order k >= 1 is a base, known before the stage and computed once, plus multiples of the
 * newest orders of the arguments (docs/math/taylor.md, sections 2, 3 and 6). The loops are compiled
 * for several processors; the order of additions, and so every digit, is the same in all of them.
 */
#include "expr/kernels.h"

#include "expr/lanes.h"
#include "expr/layout.h"
#include "expr/ops.h"

/* What lies side by side from a place on; order k of series that do. */
TAUT_INLINE taut_lanes *lanes_at(const taut_jet *jet, int place) {
    return (taut_lanes *)(jet->coef + place);
}
TAUT_INLINE taut_lanes *order(const taut_jet *jet, int series, int k) {
    return lanes_at(jet, series) + k;
}

/* *to = the numbers at these places, whole: which lie side by side. */
TAUT_INLINE void fetch(const double *from, const int *place, bool whole, taut_lanes *to) {
    if (whole)
        *to = *(const taut_lanes *)(from + place[0]);
    else
        taut_collect(from, place, to);
}

/* ---- convolutions ---- */

/* sum over l = 1..k-1 of a_l b_(k-l), in four partial sums so that no addition waits for the last.
 * Each is over a run of neighbours: where signs alternate they cancel early, and rounding stays
 * small. */
TAUT_INLINE void convolve(const taut_lanes *x, const taut_lanes *y, int k, taut_lanes *sum) {
    y += k;
    taut_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    const int run = (k - 1) / 4;
    for (int l = 1; l <= run; l++) {
        const int i = l + run, j = i + run, n = j + run;
        s0 += x[l] * y[-l];
        s1 += x[i] * y[-i];
        s2 += x[j] * y[-j];
        s3 += x[n] * y[-n];
    }
    for (int l = 4 * run + 1; l < k; l++) s3 += x[l] * y[-l];
    *sum = (s0 + s1) + (s2 + s3);
}

/* The same with a = b, l = 1..k-1: half of the products, twice. */
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

TAUT_INLINE void add_to_bases(const taut_jet *jet, const taut_convolution *c, int k) {
    const taut_lanes *a = lanes_at(jet, c->a), *b = lanes_at(jet, c->b);
    taut_lanes sum = {0};
    switch (c->kind) {
    case TAUT_SUM_INNER: convolve(a, b, k, &sum); break;
    case TAUT_SUM_TO_END:
        convolve(a, b, k, &sum);
        sum += a[k] * b[0];
        break;
    case TAUT_SUM_SQUARE: convolve_square(a, k, &sum); break;
    case TAUT_SUM_MEAN: convolve(a, b, k, &sum); sum /= (double)k;
    }
    if (c->minus) sum = -sum;
    if (c->whole && !c->add) {
        *lanes_at(jet, c->target[0]) = sum;
        return;
    }
    for (int i = 0; i < c->count; i++) {
        double *base = jet->coef + c->target[i];
        *base = c->add ? *base + sum[i] : sum[i];
    }
}

/* ---- rows ---- */

/* *sum += terms at order k >= 1; of old ones, the sources are that order of a series. */
TAUT_INLINE void add_terms(const taut_jet *jet, const taut_lane_term *t, int count, int k, bool old,
                           taut_lanes *sum) {
    taut_lanes total = *sum, x = {0};
    for (const taut_lane_term *end = t + count; t < end; t++) {
        const double *from = jet->coef;
        taut_lanes coef = *(const taut_lanes *)t->coef;
        if (old) from += (ptrdiff_t)(k + t->p) * TAUT_LANES;
        if (t->p > 0) coef *= jet->shift[(ptrdiff_t)t->p * jet->shift_orders + k];
        fetch(from, t->source, t->whole, &x);
        total += coef * x;
    }
    *sum = total;
}

/* Order k >= 1. */
TAUT_INLINE void add_up(const taut_jet *jet, const taut_program *p, int i, int k) {
    const taut_rows *g = &p->rows[i];
    taut_lanes sum = {0}, base = {0};
    fetch(jet->coef, g->base, g->whole, &base);
    if (!g->divided) sum = base;
    add_terms(jet, p->term + g->column, g->columns, k, false, &sum);
    if (g->divided) sum = (sum + base) / *(const taut_lanes *)p->details[i].divisors->value;
    *lanes_at(jet, g->result) = sum;
}

/* *sum += terms of sums at order 0. */
TAUT_INLINE void add_numbers(const taut_jet *jet, const taut_program *p, int first, int count,
                             bool old, taut_lanes *sum) {
    for (int i = first; i < first + count; i++) {
        const taut_lane_term *t = &p->term[i];
        const double *from = jet->coef + (old ? (ptrdiff_t)t->p * TAUT_LANES : 0);
        taut_lanes x = {0}, coef = *(const taut_lanes *)(t->steady ? t->coef : p->factor[i].number);
        if (t->p > 0) coef *= jet->shift[(ptrdiff_t)t->p * jet->shift_orders];
        fetch(from, t->source, t->whole, &x);
        *sum += coef * x;
    }
}

TAUT_INLINE void order_zero(const taut_jet *jet, const taut_program *p, int i) {
    const taut_rows *g = &p->rows[i];
    const taut_row_details *d = &p->details[i];
    taut_lanes *result = lanes_at(jet, g->result);
    if (!g->plain) {
        for (int lane = 0; lane < d->count; lane++)
            ((double *)result)[lane] =
                taut_op_value((taut_op)d->op[lane], jet->coef[d->argument[0][lane]],
                              jet->coef[d->argument[1][lane]]);
        return;
    }
    taut_lanes sum = *(const taut_lanes *)d->constant, x = {0}, y = {0};
    if (g->products) {
        fetch(jet->coef, d->argument[0], d->whole[0], &x);
        fetch(jet->coef, d->argument[1], d->whole[1], &y);
        sum += x * y;
    }
    if (g->olds) add_numbers(jet, p, d->old, d->olds, true, &sum);
    add_numbers(jet, p, g->column, g->columns, false, &sum);
    *result = sum;
}

/* ---- what the rows are made of ---- */

/* Factors and divisors from the values at the point. */
TAUT_INLINE void refresh(const taut_jet *jet, const taut_program *p, int i) {
    const taut_rows *g = &p->rows[i];
    const taut_row_details *d = &p->details[i];
    if (g->plain && !g->products) return;
    for (int n = g->column; n < d->old + d->olds; n++) {
        const taut_lane_factor *f = &p->factor[n];
        taut_lanes partial = {0};
        if (p->term[n].steady) continue;
        taut_collect(jet->coef, f->partial, &partial);
        *(taut_lanes *)p->term[n].coef = partial * *(const taut_lanes *)f->scale;
    }
    if (!g->divided) return;
    taut_lanes divisor = {0};
    taut_collect(jet->coef, d->divisors->place, &divisor);
    *(taut_lanes *)d->divisors->value = divisor * *(const taut_lanes *)d->divisors->scale;
}

/* Once for all stages without an order 0: nothing that the factors are made of changes any more. */
TAUT_INLINE void refresh_all(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    if (jet->fresh) return;
    for (int i = 0; i < l->all.groups; i++) refresh(jet, &l->all, i);
    for (int i = 0; i < l->opening.groups; i++) refresh(jet, &l->opening, i);
    jet->fresh = s > l->last_start;
}

TAUT_INLINE void load_leaves(const taut_jet *jet, int s, bool variables) {
    const taut_layout *l = jet->layout;
    for (int i = 0; i < l->leaf_groups; i++) {
        const taut_leaves *leaves = &l->leaves[i];
        const int k = s + leaves->offset;
        if (k >= 0 && (variables || !leaves->variable))
            *lanes_at(jet, leaves->result) = *order(jet, leaves->series, k);
    }
}

TAUT_INLINE void find_bases(const taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    const taut_program *p = &l->all;
    for (int i = 0; i < p->with_olds; i++) {
        const taut_rows *g = &p->rows[p->with_old[i]];
        const taut_row_details *d = &p->details[p->with_old[i]];
        taut_lanes sum = {0};
        if (s + g->offset < 1) continue;
        add_terms(jet, p->term + d->old, d->olds, s + g->offset, true, &sum);
        *lanes_at(jet, g->base[0]) = sum;
    }
    for (int i = 0; i < l->convolutions; i++) {
        const int k = s + l->convolution[i].offset;
        if (k >= 1) add_to_bases(jet, &l->convolution[i], k);
    }
}

/* The newest orders of the first groups go where they are read at later stages. */
TAUT_INLINE void file_away(const taut_jet *jet, int s, int groups) {
    const taut_layout *l = jet->layout;
    for (const taut_rows *g = l->all.rows, *end = g + groups; g < end; g++) {
        const int k = s + g->offset;
        if (k >= 0) *order(jet, g->series, k) = *lanes_at(jet, g->result);
    }
    for (int i = 0; i < l->copies; i++) {
        const taut_copy *c = &l->copy[i];
        const int k = s + c->offset;
        taut_lanes x = {0};
        if (k < 0) continue;
        taut_collect(jet->coef, c->source, &x);
        *order(jet, c->block, k) = c->weighted ? x * (double)k : x;
    }
}

/* ---- stages ---- */

TAUT_ALL_PROCESSORS void taut_kernels_stage(taut_jet *jet, int s) {
    const taut_program *p = &jet->layout->all;
    load_leaves(jet, s, true);
    if (s <= jet->layout->last_start) jet->fresh = false;
    if (s > 0)
        refresh_all(jet, s);
    else
        for (int i = 0; i < p->groups; i++)
            if (s + p->rows[i].offset == 1) refresh(jet, p, i);
    find_bases(jet, s);
    for (int i = 0; i < p->groups; i++) {
        const int k = s + p->rows[i].offset;
        if (k == 0) order_zero(jet, p, i);
        if (k > 0) add_up(jet, p, i, k);
    }
    file_away(jet, s, p->groups);
}

TAUT_ALL_PROCESSORS void taut_kernels_open(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    load_leaves(jet, s, false);
    refresh_all(jet, s);
    find_bases(jet, s);
    for (int i = 0; i < l->opening.groups; i++)
        add_up(jet, &l->opening, i, s + l->opening.rows[i].offset);
    for (int i = 0; i < l->residuals; i++) {
        const taut_residual *r = &l->residual[i];
        jet->coef[r->series + (ptrdiff_t)(s + r->offset) * TAUT_LANES] = jet->coef[r->source];
    }
}

/* Without orders 0. */
TAUT_INLINE void finish_solved(const taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    for (int i = 0; i < l->kept; i++) add_up(jet, &l->all, i, s + l->all.rows[i].offset);
    file_away(jet, s, l->kept);
}

TAUT_ALL_PROCESSORS void taut_kernels_finish(taut_jet *jet, int s) {
    const taut_program *p = &jet->layout->all;
    load_leaves(jet, s, true);
    if (s > jet->layout->last_start) {
        finish_solved(jet, s);
        return;
    }
    for (int i = 0; i < p->groups; i++) {
        const taut_rows *g = &p->rows[i];
        const int k = s + g->offset;
        if (k < 0) continue;
        if (!g->active && s <= 0) /* taut_kernels_stage has found it */
            *lanes_at(jet, g->result) = *order(jet, g->series, k);
        else if (k == 0)
            order_zero(jet, p, i);
        else
            add_up(jet, p, i, k);
    }
    jet->fresh = false;
    file_away(jet, s, p->groups);
}

void taut_kernels_repack(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    for (int i = 0; i < l->copies; i++) {
        const taut_copy *c = &l->copy[i];
        for (int k = 0; k <= s + c->offset; k++)
            for (int lane = 0; lane < TAUT_LANES; lane++) {
                const double x = jet->coef[c->series[lane] + (ptrdiff_t)k * TAUT_LANES];
                jet->coef[c->block + k * TAUT_LANES + lane] = c->weighted ? x * (double)k : x;
            }
    }
}
