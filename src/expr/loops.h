/* The loops of Taylor arithmetic for lanes that are WIDTH at a time; for the files kernels_by_*.c,
 * which define
 *   WIDTH           2, 4 or 8
 *   KERNEL(name)    the name of a function for this width
 *   FOR_PROCESSORS  the processors that it is compiled for
 * Vectors wider than the registers of a processor would be slow: compilers spill them to memory.
 *
 * Each order k >= 1 is a base, known before the stage and computed once, plus multiples of the
 * newest orders of the arguments (docs/math/taylor.md, sections 2, 3 and 6). The order of
 * additions, and so every digit, is the same for all widths and processors. */
#include "expr/kernels.h"
#include "core/lanes.h"
#include "expr/layout.h"
#include "expr/ops.h"

#define LANES_OF_(name, width) name##_##width
#define LANES_OF(name, width) LANES_OF_(name, width)
#define ROWS(name) LANES_OF(name, ROWS_WIDTH)

/* Groups of few rows are computed with vectors of half the width: there is less to collect. */
#if WIDTH == 8
#define NARROW 4
#define ROWS_WIDTH 4
#include "expr/rows.h"
#define ROWS_WIDTH 8
#include "expr/rows.h"
#elif WIDTH == 4
#define NARROW 2
#define ROWS_WIDTH 2
#include "expr/rows.h"
#define ROWS_WIDTH 4
#include "expr/rows.h"
#else
#define NARROW 2
#define ROWS_WIDTH 2
#include "expr/rows.h"
#endif

typedef LANES_OF(lanes, WIDTH) lanes;
/* NOLINTBEGIN(readability-identifier-naming): names of functions, one set of them a width. */
#define collect LANES_OF(collect, WIDTH)
#define part_at LANES_OF(part_at, WIDTH)
#define parts LANES_OF(parts, WIDTH)
/* NOLINTEND(readability-identifier-naming) */

enum { STEP = TAUT_LANES / WIDTH }; /* parts of all lanes: from one order to the next */

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

/* The same, and of the sum with k + 1 instead what is known by now, all but its first and last
 * term: each coefficient that is fetched serves both. */
TAUT_INLINE void convolve_two(const lanes *x, const lanes *y, int k, lanes *sum, lanes *next) {
    y += (ptrdiff_t)k * STEP;
    lanes s0 = {0}, s1 = {0}, n0 = {0}, n1 = {0};
    const ptrdiff_t run = (k - 1) / 2 * STEP, end = (ptrdiff_t)k * STEP;
    lanes before0 = {0}, before1 = y[-run];
    for (ptrdiff_t l = STEP; l <= run; l += STEP) {
        const ptrdiff_t i = l + run;
        const lanes now0 = y[-l], now1 = y[-i];
        s0 += x[l] * now0;
        n0 += x[l] * before0;
        s1 += x[i] * now1;
        n1 += x[i] * before1;
        before0 = now0;
        before1 = now1;
    }
    if (2 * run + STEP < end) {
        const lanes last = x[2 * run + STEP];
        s1 += last * y[-2 * run - STEP];
        if (run > 0) n1 += last * before1;
    }
    *sum = s0 + s1;
    *next = n0 + n1;
}

TAUT_INLINE void convolve_all(const taut_jet *jet, taut_convolution *c, int k, taut_turn t,
                              int part, lanes *sum) {
    const lanes *a = part_at(jet, c->a, part), *b = part_at(jet, c->b, part);
    const ptrdiff_t last = (ptrdiff_t)k * STEP;
    lanes *ahead = (lanes *)(c->ahead + part * WIDTH);
    if (c->kind == TAUT_SUM_SQUARE) {
        convolve_square(a, k, sum);
        return;
    }
    switch (t) {
    case TAUT_TURN_ALONE: convolve(a, b, k, sum); break;
    case TAUT_TURN_FIRST: convolve_two(a, b, k, sum, ahead); break;
    case TAUT_TURN_SECOND:
        if (k > 2) *sum = a[last - STEP] * b[STEP];
        if (k > 1) *sum = a[STEP] * b[last - STEP] + (*ahead + *sum);
    }
    if (c->kind == TAUT_SUM_TO_END || c->kind == TAUT_SUM_ALL) *sum += a[last] * b[0];
    if (c->kind == TAUT_SUM_ALL) *sum += a[0] * b[last];
    if (c->kind == TAUT_SUM_MEAN) *sum /= (double)k;
}

TAUT_INLINE void run_convolution(const taut_jet *jet, taut_convolution *c, int k, taut_turn t) {
    for (int part = 0; part < parts(c->count); part++) {
        lanes sum = {0};
        convolve_all(jet, c, k, t, part, &sum);
        *part_at(jet, c->result, part) = sum * *(const lanes *)(c->coef + part * WIDTH);
    }
}

/* ---- rows ---- */

/* The newest orders of a group, which are not orders 0. */
TAUT_INLINE void add_up(const taut_jet *jet, const taut_row_program *p, const taut_rows *g, int s) {
    /* NOLINTNEXTLINE(bugprone-branch-clone): they differ unless WIDTH is NARROW */
    if (g->count <= NARROW)
        LANES_OF(add_up, NARROW)(jet, p, g, s);
    else
        LANES_OF(add_up, WIDTH)(jet, p, g, s);
}

/* Orders 0 of group i of all rows. */
TAUT_INLINE void start_row(const taut_jet *jet, int i) {
    const taut_rows *g = &jet->layout->all.rows[i];
    const taut_layout_start *start = &jet->layout->start[i];
    /* NOLINTNEXTLINE(bugprone-branch-clone): as above */
    if (start->sum && g->count <= NARROW) {
        LANES_OF(start_sums, NARROW)(jet, g, start);
    } else if (start->sum) {
        LANES_OF(start_sums, WIDTH)(jet, g, start);
    } else {
        double *result = jet->coef + g->result - (ptrdiff_t)g->offset * TAUT_LANES;
        for (int lane = 0; lane < g->count; lane++)
            result[lane] =
                taut_op_value((taut_op)start->op[lane], jet->coef[start->argument[0][lane]],
                              jet->coef[start->argument[1][lane]]);
    }
}

/* ---- what the rows are made of ---- */

/* Factors and divisors from the values at the point. */
TAUT_INLINE void refresh(const taut_jet *jet, const taut_row_program *p, const taut_rows *g) {
    for (int n = g->column; n < g->column + g->columns; n++) {
        if (p->term[n].steady) continue;
        /* NOLINTNEXTLINE(bugprone-branch-clone): as above */
        if (g->count <= NARROW)
            LANES_OF(renew, NARROW)(jet, &p->factor[n], g->count, &p->term[n]);
        else
            LANES_OF(renew, WIDTH)(jet, &p->factor[n], g->count, &p->term[n]);
    }
    if (!g->divisors) return;
    for (int lane = 0; lane < TAUT_LANES; lane++)
        g->divisors->value[lane] = jet->coef[g->divisors->place[lane]] * g->divisors->scale[lane];
}

/* All groups, or those that are at order 1. */
TAUT_INLINE void refresh_program(const taut_jet *jet, const taut_row_program *p, int s, bool all) {
    for (int i = 0; i < p->groups; i++)
        if (all || s + p->rows[i].offset == 1) refresh(jet, p, &p->rows[i]);
}

/* Once for all stages without an order 0: nothing that the factors are made of changes any more. */
TAUT_INLINE void refresh_all(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    if (jet->fresh) return;
    refresh_program(jet, &l->bases, s, true);
    refresh_program(jet, &l->all, s, true);
    refresh_program(jet, &l->opening, s, true);
    jet->fresh = s > l->last_start;
}

/* Orders of operands that the last stage has found go where convolutions read them. */
TAUT_INLINE void copy_operands(taut_jet *jet) {
    const taut_layout *l = jet->layout;
    const int s = jet->uncopied;
    if (s == TAUT_NO_STAGE) return;
    jet->uncopied = TAUT_NO_STAGE;
    for (int i = 0; i < l->copies; i++) {
        const taut_copy *c = &l->copy[i];
        const ptrdiff_t k = s + c->offset;
        for (int part = 0; k >= 0 && part < parts(c->count); part++) {
            lanes x = {0};
            collect(jet->coef + (ptrdiff_t)s * TAUT_LANES, c->source + part * WIDTH, &x);
            *part_at(jet, c->block + k * TAUT_LANES, part) = c->weighted ? x * (double)k : x;
        }
    }
}

TAUT_INLINE void find_bases(taut_jet *jet, int s, taut_turn t) {
    const taut_layout *l = jet->layout;
    if (jet->uncopied < s) copy_operands(jet);
    for (int i = 0; i < l->convolutions; i++) {
        const int k = s + l->convolution[i].offset;
        if (k >= 1) run_convolution(jet, &l->convolution[i], k, t);
    }
    for (int i = 0; i < l->bases.groups; i++)
        if (s + l->bases.rows[i].offset >= 1) add_up(jet, &l->bases, &l->bases.rows[i], s);
}

/* ---- stages ---- */

FOR_PROCESSORS void KERNEL(stage)(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    if (s <= l->last_start) jet->fresh = false;
    if (s > 0) {
        refresh_all(jet, s);
    } else {
        refresh_program(jet, &l->bases, s, false);
        refresh_program(jet, &l->all, s, false);
    }
    find_bases(jet, s, TAUT_TURN_ALONE);
    jet->ahead = TAUT_NO_STAGE;
    for (int i = 0; i < l->all.groups; i++) {
        const int k = s + l->all.rows[i].offset;
        if (k == 0) start_row(jet, i);
        if (k > 0) add_up(jet, &l->all, &l->all.rows[i], s);
    }
    jet->uncopied = s;
}

FOR_PROCESSORS void KERNEL(open)(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    if (l->timed && s + l->time_offset >= 0)
        jet->coef[l->time] = jet->coef[l->time_now + (ptrdiff_t)s * TAUT_LANES];
    refresh_all(jet, s);
    if (jet->ahead == s) {
        find_bases(jet, s, TAUT_TURN_SECOND);
        jet->ahead = TAUT_NO_STAGE;
    } else {
        find_bases(jet, s, TAUT_TURN_FIRST);
        jet->ahead = s + 1;
    }
    for (int i = 0; i < l->opening.groups; i++) add_up(jet, &l->opening, &l->opening.rows[i], s);
}

FOR_PROCESSORS void KERNEL(finish)(taut_jet *jet, int s) {
    const taut_layout *l = jet->layout;
    if (s > l->last_start) {
        for (int i = 0; i < l->kept; i++) add_up(jet, &l->all, &l->all.rows[i], s);
        jet->uncopied = s;
        return;
    }
    for (int i = 0; i < l->all.groups; i++) {
        const taut_rows *g = &l->all.rows[i];
        const int k = s + g->offset;
        if (!g->active && s <= 0) continue; /* taut_kernels_stage has found it */
        if (k == 0) start_row(jet, i);
        if (k > 0) add_up(jet, &l->all, g, s);
    }
    jet->fresh = false;
    jet->uncopied = s;
}
