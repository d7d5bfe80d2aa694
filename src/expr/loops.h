/* The loops of Taylor arithmetic for lanes that are WIDTH at a time; for the files kernels_by_*.c,
 * which define
 *   WIDTH           2, 4 or 8
 *   KERNEL(name)    the name of a function for this width
 *   FOR_PROCESSORS  the processors that it is compiled for
 * Wider vectors than a processor has would be slow beyond belief: compilers keep them in memory.
 *
 * Each order k >= 1 is a base, known before the stage and computed once, plus multiples of the
 * newest orders of the arguments (docs/math/taylor.md, sections 2, 3 and 6). The order of
 * additions, and so every digit, is the same for all widths and processors. */
#include "expr/kernels.h"
#include "expr/lanes.h"
#include "expr/layout.h"
#include "expr/ops.h"

typedef double lanes __attribute__((vector_size(8 * WIDTH), aligned(8 * WIDTH)));

enum { STEP = TAUT_LANES / WIDTH }; /* parts of all lanes: from one order to the next */
/* How many parts so many lanes are. */
#if WIDTH == 8
#define PARTS(count) 1
#else
#define PARTS(count) (((count) + WIDTH - 1) / WIDTH)
#endif

/* *to = the numbers at these places. Put together two by two: inserted one after the other, each
 * would wait for the last. */
TAUT_INLINE void collect(const double *from, const int *place, lanes *to) {
    typedef double two __attribute__((vector_size(16)));
#if WIDTH == 2
    *to = (two){from[place[0]], from[place[1]]};
#else
    typedef double four __attribute__((vector_size(32)));
    const two a = {from[place[0]], from[place[1]]}, b = {from[place[2]], from[place[3]]};
    const four e = __builtin_shufflevector(a, b, 0, 1, 2, 3);
#if WIDTH == 4
    *to = e;
#else
    const two c = {from[place[4]], from[place[5]]}, d = {from[place[6]], from[place[7]]};
    const four f = __builtin_shufflevector(c, d, 0, 1, 2, 3);
    *to = __builtin_shufflevector(e, f, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
#endif
}

/* One part of what lies side by side from a place on. */
TAUT_INLINE lanes *part_at(const taut_jet *jet, int place, int part) {
    return (lanes *)(jet->coef + place + part * WIDTH);
}
/* The same of order k of series. */
TAUT_INLINE lanes *order(const taut_jet *jet, int series, int k, int part) {
    return part_at(jet, series, part) + (ptrdiff_t)k * STEP;
}

/* *to = a part of the numbers at these places, whole: which lie side by side. */
TAUT_INLINE void fetch(const double *from, const int *place, bool whole, int part, lanes *to) {
    if (whole)
        *to = *(const lanes *)(from + place[0] + part * WIDTH);
    else
        collect(from, place + part * WIDTH, to);
}

/* ---- convolutions ---- */

/* sum over l = 1..k-1 of a_l b_(k-l), in four partial sums so that no addition waits for the last.
 * Each is over a run of neighbours: where signs alternate they cancel early, and rounding stays
 * small. */
TAUT_INLINE void convolve(const lanes *x, const lanes *y, int k, lanes *sum) {
    y += (ptrdiff_t)k * STEP;
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    const ptrdiff_t run = (k - 1) / 4 * STEP, end = (ptrdiff_t)k * STEP;
    for (ptrdiff_t l = STEP; l <= run; l += STEP) {
        const ptrdiff_t i = l + run, j = i + run, n = j + run;
        s0 += x[l] * y[-l];
        s1 += x[i] * y[-i];
        s2 += x[j] * y[-j];
        s3 += x[n] * y[-n];
    }
    for (ptrdiff_t l = 4 * run + STEP; l < end; l += STEP) s3 += x[l] * y[-l];
    *sum = (s0 + s1) + (s2 + s3);
}

/* The same with a = b: half of the products, twice. */
TAUT_INLINE void convolve_square(const lanes *x, int k, lanes *sum) {
    const lanes *y = x + (ptrdiff_t)k * STEP;
    lanes s0 = {0}, s1 = {0};
    const ptrdiff_t middle = (k - 1) / 2, run = middle / 2 * STEP;
    for (ptrdiff_t l = STEP; l <= run; l += STEP) {
        const ptrdiff_t m = l + run;
        s0 += x[l] * y[-l];
        s1 += x[m] * y[-m];
    }
    for (ptrdiff_t l = 2 * run + STEP; l <= middle * STEP; l += STEP) s1 += x[l] * y[-l];
    s0 = (s0 + s1) * 2.0;
    if (k % 2 == 0) s0 += x[k / 2 * STEP] * x[k / 2 * STEP];
    *sum = s0;
}

TAUT_INLINE void sum_up(const taut_jet *jet, const taut_convolution *c, int k, int part,
                        lanes *sum) {
    const lanes *a = part_at(jet, c->a, part), *b = part_at(jet, c->b, part);
    switch (c->kind) {
    case TAUT_SUM_INNER: convolve(a, b, k, sum); break;
    case TAUT_SUM_TO_END:
        convolve(a, b, k, sum);
        *sum += a[(ptrdiff_t)k * STEP] * b[0];
        break;
    case TAUT_SUM_SQUARE: convolve_square(a, k, sum); break;
    case TAUT_SUM_MEAN: convolve(a, b, k, sum); *sum /= (double)k;
    }
    if (c->minus) *sum = -*sum;
}

TAUT_INLINE void add_to_bases(const taut_jet *jet, const taut_convolution *c, int k) {
    for (int part = 0; part < PARTS(c->count); part++) {
        lanes sum = {0};
        sum_up(jet, c, k, part, &sum);
        if (c->whole && !c->add) {
            *part_at(jet, c->target[0], part) = sum;
            continue;
        }
        const int first = part * WIDTH;
        for (int i = 0; i < WIDTH && first + i < c->count; i++) {
            double *base = jet->coef + c->target[first + i];
            *base = c->add ? *base + sum[i] : sum[i];
        }
    }
}

/* ---- rows ---- */

/* *sum += terms at order k >= 1; of old ones, the sources are that order of a series. */
TAUT_INLINE void add_terms(const taut_jet *jet, const taut_lane_term *t, int count, int k, bool old,
                           int part, lanes *sum) {
    lanes total = *sum, x = {0};
    for (const taut_lane_term *end = t + count; t < end; t++) {
        const double *from = jet->coef;
        lanes coef = *(const lanes *)(t->coef + part * WIDTH);
        if (old) from += (ptrdiff_t)(k + t->p) * TAUT_LANES;
        if (t->p > 0) coef *= jet->shift[(ptrdiff_t)t->p * jet->shift_orders + k];
        fetch(from, t->source, t->whole, part, &x);
        total += coef * x;
    }
    *sum = total;
}

/* Order k >= 1. */
TAUT_INLINE void add_up(const taut_jet *jet, const taut_program *p, int i, int k) {
    const taut_rows *g = &p->rows[i];
    for (int part = 0; part < PARTS(g->count); part++) {
        lanes sum = {0}, base = {0};
        fetch(jet->coef, g->base, g->whole, part, &base);
        if (!g->divided) sum = base;
        add_terms(jet, p->term + g->column, g->columns, k, false, part, &sum);
        if (g->divided)
            sum = (sum + base) / *(const lanes *)(p->details[i].divisors->value + part * WIDTH);
        *part_at(jet, g->result, part) = sum;
    }
}

/* *sum += terms of sums at order 0. */
TAUT_INLINE void add_numbers(const taut_jet *jet, const taut_program *p, int first, int count,
                             bool old, int part, lanes *sum) {
    for (int i = first; i < first + count; i++) {
        const taut_lane_term *t = &p->term[i];
        const double *from = jet->coef + (old ? (ptrdiff_t)t->p * TAUT_LANES : 0);
        const double *number = t->steady ? t->coef : p->factor[i].number;
        lanes x = {0}, coef = *(const lanes *)(number + part * WIDTH);
        if (t->p > 0) coef *= jet->shift[(ptrdiff_t)t->p * jet->shift_orders];
        fetch(from, t->source, t->whole, part, &x);
        *sum += coef * x;
    }
}

TAUT_INLINE void order_zero(const taut_jet *jet, const taut_program *p, int i) {
    const taut_rows *g = &p->rows[i];
    const taut_row_details *d = &p->details[i];
    if (!g->plain) {
        for (int lane = 0; lane < g->count; lane++)
            jet->coef[g->result + lane] =
                taut_op_value((taut_op)d->op[lane], jet->coef[d->argument[0][lane]],
                              jet->coef[d->argument[1][lane]]);
        return;
    }
    for (int part = 0; part < PARTS(g->count); part++) {
        lanes sum = *(const lanes *)(d->constant + part * WIDTH), x = {0}, y = {0};
        if (g->products) {
            fetch(jet->coef, d->argument[0], d->whole[0], part, &x);
            fetch(jet->coef, d->argument[1], d->whole[1], part, &y);
            sum += x * y;
        }
        if (g->olds) add_numbers(jet, p, d->old, d->olds, true, part, &sum);
        add_numbers(jet, p, g->column, g->columns, false, part, &sum);
        *part_at(jet, g->result, part) = sum;
    }
}

/* ---- what the rows are made of ---- */

/* Factors and divisors from the values at the point. */
TAUT_INLINE void refresh(const taut_jet *jet, const taut_program *p, int i) {
    const taut_rows *g = &p->rows[i];
    const taut_row_details *d = &p->details[i];
    if (g->plain && !g->products) return;
    for (int n = g->column; n < d->old + d->olds; n++) {
        const taut_lane_factor *f = &p->factor[n];
        if (p->term[n].steady) continue;
        for (int at = 0; at < PARTS(g->count) * WIDTH; at += WIDTH) {
            lanes partial = {0};
            collect(jet->coef, f->partial + at, &partial);
            *(lanes *)(p->term[n].coef + at) = partial * *(const lanes *)(f->scale + at);
        }
    }
    if (!g->divided) return;
    for (int lane = 0; lane < TAUT_LANES; lane++)
        d->divisors->value[lane] = jet->coef[d->divisors->place[lane]] * d->divisors->scale[lane];
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
        for (int part = 0; k >= 0 && (variables || !leaves->variable) && part < PARTS(TAUT_LANES);
             part++)
            *part_at(jet, leaves->result, part) = *order(jet, leaves->series, k, part);
    }
}

TAUT_INLINE void find_bases(const taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    const taut_program *p = &l->all;
    for (int i = 0; i < p->with_olds; i++) {
        const taut_rows *g = &p->rows[p->with_old[i]];
        const taut_row_details *d = &p->details[p->with_old[i]];
        for (int part = 0; s + g->offset >= 1 && part < PARTS(g->count); part++) {
            lanes sum = {0};
            add_terms(jet, p->term + d->old, d->olds, s + g->offset, true, part, &sum);
            *part_at(jet, g->base[0], part) = sum;
        }
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
        for (int part = 0; k >= 0 && part < PARTS(g->count); part++)
            *order(jet, g->series, k, part) = *part_at(jet, g->result, part);
    }
    for (int i = 0; i < l->copies; i++) {
        const taut_copy *c = &l->copy[i];
        const int k = s + c->offset;
        for (int part = 0; k >= 0 && part < PARTS(c->count); part++) {
            lanes x = {0};
            collect(jet->coef, c->source + part * WIDTH, &x);
            *order(jet, c->block, k, part) = c->weighted ? x * (double)k : x;
        }
    }
}

/* ---- stages ---- */

FOR_PROCESSORS void KERNEL(stage)(taut_jet *jet, int s) {
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

FOR_PROCESSORS void KERNEL(open)(taut_jet *jet, int s) {
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

FOR_PROCESSORS void KERNEL(finish)(taut_jet *jet, int s) {
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
            for (int part = 0; part < PARTS(g->count); part++)
                *part_at(jet, g->result, part) = *order(jet, g->series, k, part);
        else if (k == 0)
            order_zero(jet, p, i);
        else
            add_up(jet, p, i, k);
    }
    jet->fresh = false;
    file_away(jet, s, p->groups);
}
