/* What rows are computed with, ROWS_WIDTH lanes at a time; for loops.h, which includes this file
 * for each width that it needs and names everything by ROWS. */

typedef double ROWS(lanes) __attribute__((vector_size(8 * ROWS_WIDTH), aligned(8 * ROWS_WIDTH)));

/* The number of vectors of ROWS_WIDTH that hold this many lanes. */
TAUT_INLINE int ROWS(parts)(int count) {
    return ROWS_WIDTH == TAUT_LANES ? 1 : (count + ROWS_WIDTH - 1) / ROWS_WIDTH;
}

/* *to = the numbers at these places. Put together two by two: inserted one after the other, each
 * would wait for the last. */
TAUT_INLINE void ROWS(collect)(const double *from, const int *place, ROWS(lanes) * to) {
    typedef double two __attribute__((vector_size(16)));
#if ROWS_WIDTH == 2
    *to = (two){from[place[0]], from[place[1]]};
#else
    typedef double four __attribute__((vector_size(32)));
    const two a = {from[place[0]], from[place[1]]}, b = {from[place[2]], from[place[3]]};
    const four e = __builtin_shufflevector(a, b, 0, 1, 2, 3);
#if ROWS_WIDTH == 4
    *to = e;
#else
    const two c = {from[place[4]], from[place[5]]}, d = {from[place[6]], from[place[7]]};
    const four f = __builtin_shufflevector(c, d, 0, 1, 2, 3);
    *to = __builtin_shufflevector(e, f, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
#endif
}

/* One part of what lies side by side from a place on. */
TAUT_INLINE ROWS(lanes) * ROWS(part_at)(const taut_jet *jet, ptrdiff_t place, int part) {
    return (ROWS(lanes) *)(jet->coef + place + part * ROWS_WIDTH);
}

/* *to = a part of the numbers at these places, whole: which lie side by side. */
TAUT_INLINE void ROWS(fetch)(const double *from, const int *place, bool whole, int part,
                             ROWS(lanes) * to) {
    if (whole)
        *to = *(const ROWS(lanes) *)(from + place[0] + part * ROWS_WIDTH);
    else
        ROWS(collect)(from, place + part * ROWS_WIDTH, to);
}

/* *sum += terms of order k >= 1 at stage s. */
TAUT_INLINE void ROWS(add_terms)(const taut_jet *jet, const taut_lane_term *t, int count, int s,
                                 int k, int part, ROWS(lanes) * sum) {
    ROWS(lanes) total = *sum, x = {0};
    for (const taut_lane_term *end = t + count; t < end; t++) {
        ROWS(lanes) coef = *(const ROWS(lanes) *)(t->coef + part * ROWS_WIDTH);
        if (t->p > 0) coef *= jet->shift[(ptrdiff_t)t->p * jet->shift_orders + k];
        ROWS(fetch)(jet->coef + (ptrdiff_t)t->pace * s, t->source, t->whole, part, &x);
        total += coef * x;
    }
    *sum = total;
}

/* The newest orders of a group, which are not orders 0. */
TAUT_INLINE void ROWS(add_up)(const taut_jet *jet, const taut_row_program *p, const taut_rows *g,
                              int s) {
    for (int part = 0; part < ROWS(parts)(g->count); part++) {
        ROWS(lanes) sum = {0}, base = {0};
        if (g->based) ROWS(fetch)(jet->coef, g->base, g->whole, part, &base);
        if (!g->divisors) sum = base;
        ROWS(add_terms)(jet, p->term + g->column, g->columns, s, s + g->offset, part, &sum);
        if (g->divisors)
            sum = (sum + base) / *(const ROWS(lanes) *)(g->divisors->value + part * ROWS_WIDTH);
        *ROWS(part_at)(jet, g->result + (ptrdiff_t)g->pace * s, part) = sum;
    }
}

/* *sum += terms of order 0. */
TAUT_INLINE void ROWS(add_values)(const taut_jet *jet, const taut_layout_start *start, int part,
                                  ROWS(lanes) * sum) {
    const taut_value_term *t = jet->layout->value + start->column;
    for (const taut_value_term *end = t + start->columns; t < end; t++) {
        ROWS(lanes) x = {0}, y = {0}, coef = *(const ROWS(lanes) *)(t->coef + part * ROWS_WIDTH);
        if (t->p > 0) coef *= jet->shift[(ptrdiff_t)t->p * jet->shift_orders];
        ROWS(fetch)(jet->coef, t->a, t->whole, part, &x);
        if (t->product) {
            ROWS(collect)(jet->coef, t->b + part * ROWS_WIDTH, &y);
            x *= y;
        }
        *sum += coef * x;
    }
}

/* Orders 0 of a group of sums. */
TAUT_INLINE void ROWS(start_sums)(const taut_jet *jet, const taut_rows *g,
                                  const taut_layout_start *start) {
    const ptrdiff_t place = g->result - (ptrdiff_t)g->offset * TAUT_LANES;
    for (int part = 0; part < ROWS(parts)(g->count); part++) {
        ROWS(lanes) sum = *(const ROWS(lanes) *)(start->constant + part * ROWS_WIDTH);
        ROWS(add_values)(jet, start, part, &sum);
        *ROWS(part_at)(jet, place, part) = sum;
    }
}

/* The factors of a term from the values at the point. */
TAUT_INLINE void ROWS(renew)(const taut_jet *jet, const taut_lane_factor *f, int count,
                             taut_lane_term *t) {
    for (int at = 0; at < ROWS(parts)(count) * ROWS_WIDTH; at += ROWS_WIDTH) {
        ROWS(lanes) partial = {0};
        ROWS(collect)(jet->coef, f->partial + at, &partial);
        *(ROWS(lanes) *)(t->coef + at) = partial * *(const ROWS(lanes) *)(f->scale + at);
    }
}
#undef ROWS_WIDTH
