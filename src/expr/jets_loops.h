/* The loops of expr/jets_run.c for WIDTH lanes at a time; it defines
 *   WIDTH            2, 4 or 8
 *   FOR_WIDTH(name)  the name of a function for this width
 *   FOR_PROCESSORS   the processors that it is compiled for
 * Every sum has the terms of expr/loops.h and expr/rows.h, in their order. */

typedef double FOR_WIDTH(lanes) __attribute__((vector_size(8 * WIDTH), aligned(8 * WIDTH)));
#define LANES FOR_WIDTH(lanes)
enum { FOR_WIDTH(STEP) = TAUT_ABREAST / WIDTH }; /* vectors from one number to the next */
#define STEP FOR_WIDTH(STEP)

TAUT_INLINE LANES *FOR_WIDTH(at)(double *array, ptrdiff_t number, int part) {
    return (LANES *)(array + number * TAUT_ABREAST) + part;
}

/* ---- convolutions ---- */

TAUT_INLINE void FOR_WIDTH(convolve)(const LANES *x, const LANES *y, int k, LANES *sum) {
    y += (ptrdiff_t)k * STEP;
    LANES s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    const ptrdiff_t run = (ptrdiff_t)((k - 1) / 4) * STEP, end = (ptrdiff_t)k * STEP;
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

TAUT_INLINE void FOR_WIDTH(convolve_square)(const LANES *x, int k, LANES *sum) {
    const LANES *y = x + (ptrdiff_t)k * STEP;
    LANES s0 = {0}, s1 = {0};
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

TAUT_INLINE void FOR_WIDTH(convolve_two)(const LANES *x, const LANES *y, int k, LANES *sum,
                                         LANES *next) {
    y += (ptrdiff_t)k * STEP;
    LANES s0 = {0}, s1 = {0}, n0 = {0}, n1 = {0};
    const ptrdiff_t run = (ptrdiff_t)((k - 1) / 2) * STEP, end = (ptrdiff_t)k * STEP;
    LANES before0 = {0}, before1 = y[-run];
    for (ptrdiff_t l = STEP; l <= run; l += STEP) {
        const ptrdiff_t i = l + run;
        const LANES now0 = y[-l], now1 = y[-i];
        s0 += x[l] * now0;
        n0 += x[l] * before0;
        s1 += x[i] * now1;
        n1 += x[i] * before1;
        before0 = now0;
        before1 = now1;
    }
    if (2 * run + STEP < end) {
        const LANES last = x[2 * run + STEP];
        s1 += last * y[-2 * run - STEP];
        if (run > 0) n1 += last * before1;
    }
    *sum = s0 + s1;
    *next = n0 + n1;
}

TAUT_INLINE void FOR_WIDTH(run_convolution)(const taut_jets *jets, int i, int k, taut_turn t,
                                            int part) {
    const taut_jets_program *p = jets->program;
    const taut_jets_convolution *c = &p->convolution[i];
    const LANES *a = FOR_WIDTH(at)(jets->coef, c->a, part),
                *b = FOR_WIDTH(at)(jets->coef, c->b, part);
    LANES *next = FOR_WIDTH(at)(p->next, i, part), sum = {0};
    const ptrdiff_t last = (ptrdiff_t)k * STEP;
    if (c->kind == TAUT_SUM_SQUARE) {
        FOR_WIDTH(convolve_square)(a, k, &sum);
    } else {
        switch (t) {
        case TAUT_TURN_ALONE: FOR_WIDTH(convolve)(a, b, k, &sum); break;
        case TAUT_TURN_FIRST: FOR_WIDTH(convolve_two)(a, b, k, &sum, next); break;
        case TAUT_TURN_SECOND:
            if (k > 2) sum = a[last - STEP] * b[STEP];
            if (k > 1) sum = a[STEP] * b[last - STEP] + (*next + sum);
        }
        if (c->kind == TAUT_SUM_TO_END || c->kind == TAUT_SUM_ALL) sum += a[last] * b[0];
        if (c->kind == TAUT_SUM_ALL) sum += a[0] * b[last];
        if (c->kind == TAUT_SUM_MEAN) sum /= (double)k;
    }
    *FOR_WIDTH(at)(jets->coef, c->result, part) = sum * *FOR_WIDTH(at)(p->factor, i, part);
}

/* ---- rows ---- */

/* from: where places of both paces are at the stage; shift: of order k, for the row's terms. */
TAUT_INLINE void FOR_WIDTH(add_terms)(const taut_jets_rows *rows, const taut_jets_row *r,
                                      const double *const *from, const double *shift, int part,
                                      LANES *sum) {
    const LANES *coef = FOR_WIDTH(at)(rows->coef, r->first, part);
    const taut_jets_term *t = rows->term + r->first, *end = t + r->count;
    for (; t < end; t++, coef += STEP) {
        LANES by = *coef;
        if (shift) by *= *(const LANES *)(shift + t->shift);
        *sum += by * *(const LANES *)(from[t->pace] + t->source);
    }
}

TAUT_INLINE void FOR_WIDTH(add_up)(const taut_jets *jets, const taut_jets_rows *rows,
                                   const taut_jets_row *r, int s, int part) {
    double *own = jets->coef + (ptrdiff_t)part * WIDTH, *const from[] = {
                                                            own, own + (ptrdiff_t)s * TAUT_ABREAST};
    const LANES base = r->base >= 0 ? *(const LANES *)(own + r->base) : (LANES){0};
    LANES sum = {0};
    if (r->divisor < 0) sum = base;
    if (r->shifted) FOR_WIDTH(add_terms)
    (rows, r, (const double *const *)from,
     (const double *)FOR_WIDTH(at)(jets->shift, s + r->offset, part), part, &sum);
    else FOR_WIDTH(add_terms)(rows, r, (const double *const *)from, NULL, part, &sum);
    if (r->padded) sum += 0.0;
    if (r->divisor >= 0)
        sum = (sum + base) / *FOR_WIDTH(at)(jets->program->divisor_value, r->divisor, part);
    *(LANES *)(from[r->pace] + r->result) = sum;
}

/* Order 0 of row i of all rows. */
TAUT_INLINE void FOR_WIDTH(start_row)(const taut_jets *jets, int i, int part) {
    const taut_jets_program *p = jets->program;
    const taut_jets_zeroth *start = &p->start[i];
    const taut_jets_row *r = &p->part[TAUT_JETS_ALL].row[i];
    const int orders = jets->like->shift_orders;
    LANES *result =
        (LANES *)(jets->coef + r->result) + part - (ptrdiff_t)r->offset * STEP; /* of order 0 */
    if (!start->sum) {
        const double *a = (const double *)FOR_WIDTH(at)(jets->coef, start->a, part);
        const double *b = (const double *)FOR_WIDTH(at)(jets->coef, start->b, part);
        for (int l = 0; l < WIDTH; l++)
            ((double *)result)[l] = taut_op_value((taut_op)start->op, a[l], b[l]);
        return;
    }
    LANES sum = *FOR_WIDTH(at)(p->constant, i, part);
    for (int n = start->first; n < start->first + start->count; n++) {
        const taut_jets_value *t = &p->value[n];
        LANES coef = *FOR_WIDTH(at)(p->value_coef, n, part);
        if (t->p > 0) coef *= *FOR_WIDTH(at)(jets->shift, (ptrdiff_t)t->p * orders, part);
        LANES x = *FOR_WIDTH(at)(jets->coef, t->a, part);
        if (t->b >= 0) x *= *FOR_WIDTH(at)(jets->coef, t->b, part);
        sum += coef * x;
    }
    if (start->padded) sum += 0.0;
    *result = sum;
}

/* ---- what the rows are made of ---- */

TAUT_INLINE void FOR_WIDTH(refresh)(const taut_jets *jets, const taut_jets_rows *rows, int s,
                                    bool all, int part) {
    const taut_jets_program *p = jets->program;
    for (int i = 0; i < rows->rows; i++) {
        const taut_jets_row *r = &rows->row[i];
        if (!all && s + r->offset != 1) continue;
        for (int n = r->first; n < r->first + r->count; n++)
            if (rows->term[n].partial >= 0)
                *FOR_WIDTH(at)(rows->coef, n, part) =
                    *FOR_WIDTH(at)(jets->coef, rows->term[n].partial, part) *
                    *FOR_WIDTH(at)(rows->scale, n, part);
        if (r->divisor >= 0)
            *FOR_WIDTH(at)(p->divisor_value, r->divisor, part) =
                *FOR_WIDTH(at)(jets->coef, p->divisor[r->divisor].place, part) *
                p->divisor[r->divisor].scale;
    }
}

TAUT_INLINE void FOR_WIDTH(refresh_all)(const taut_jets *jets, int s, int part) {
    for (int k = 0; k < TAUT_JETS_PARTS && !jets->fresh; k++)
        FOR_WIDTH(refresh)(jets, &jets->program->part[k], s, true, part);
}

TAUT_INLINE void FOR_WIDTH(find_bases)(const taut_jets *jets, int s, taut_turn t, int part) {
    const taut_jets_program *p = jets->program;
    const int last = jets->uncopied;
    for (int i = 0; i < p->copies && last != TAUT_NO_STAGE && last < s; i++) {
        const taut_jets_copy *c = &p->copy[i];
        const int k = last + c->offset;
        if (k >= 0)
            *FOR_WIDTH(at)(jets->coef, c->block + k, part) =
                *FOR_WIDTH(at)(jets->coef, c->source + k, part) * (double)k;
    }
    for (int i = 0; i < p->convolutions; i++) {
        const int k = s + p->convolution[i].offset;
        if (k >= 1) FOR_WIDTH(run_convolution)(jets, i, k, t, part);
    }
    const taut_jets_rows *bases = &p->part[TAUT_JETS_BASES];
    for (int i = 0; i < bases->rows; i++)
        if (s + bases->row[i].offset >= 1) FOR_WIDTH(add_up)(jets, bases, &bases->row[i], s, part);
}

/* ---- stages ---- */

FOR_PROCESSORS static void FOR_WIDTH(stage)(taut_jets *jets, int s) {
    const taut_jets_program *p = jets->program;
    const taut_jets_rows *all = &p->part[TAUT_JETS_ALL];
    const int last_start = jets->like->layout->last_start;
    if (s <= last_start) jets->fresh = false;
    for (int part = 0; part < STEP; part++) {
        if (s > 0) {
            FOR_WIDTH(refresh_all)(jets, s, part);
        } else {
            FOR_WIDTH(refresh)(jets, &p->part[TAUT_JETS_BASES], s, false, part);
            FOR_WIDTH(refresh)(jets, all, s, false, part);
        }
        FOR_WIDTH(find_bases)(jets, s, TAUT_TURN_ALONE, part);
        for (int i = 0; i < all->rows; i++) {
            const int k = s + all->row[i].offset;
            if (k == 0) FOR_WIDTH(start_row)(jets, i, part);
            if (k > 0) FOR_WIDTH(add_up)(jets, all, &all->row[i], s, part);
        }
    }
    if (s > 0) jets->fresh = jets->fresh || s > last_start;
    jets->ahead = TAUT_NO_STAGE;
    jets->uncopied = s;
}

FOR_PROCESSORS static void FOR_WIDTH(open)(taut_jets *jets, int s) {
    const taut_layout *l = jets->like->layout;
    const taut_jets_rows *opening = &jets->program->part[TAUT_JETS_OPENING];
    const taut_turn t = jets->ahead == s ? TAUT_TURN_SECOND : TAUT_TURN_FIRST;
    for (int part = 0; part < STEP; part++) {
        if (l->timed && s + l->time_offset >= 0)
            *FOR_WIDTH(at)(jets->coef, jets->program->time, part) = *FOR_WIDTH(at)(
                jets->coef, jets->program->time_now + s + (ptrdiff_t)l->time_offset, part);
        FOR_WIDTH(refresh_all)(jets, s, part);
        FOR_WIDTH(find_bases)(jets, s, t, part);
        for (int i = 0; i < opening->rows; i++)
            FOR_WIDTH(add_up)(jets, opening, &opening->row[i], s, part);
    }
    jets->fresh = jets->fresh || s > l->last_start;
    jets->ahead = t == TAUT_TURN_SECOND ? TAUT_NO_STAGE : s + 1;
    if (jets->uncopied < s) jets->uncopied = TAUT_NO_STAGE;
}

FOR_PROCESSORS static void FOR_WIDTH(finish)(taut_jets *jets, int s) {
    const taut_jets_program *p = jets->program;
    const taut_jets_rows *all = &p->part[TAUT_JETS_ALL];
    const bool late = s > jets->like->layout->last_start;
    for (int part = 0; part < STEP; part++)
        for (int i = 0; i < (late ? p->kept : all->rows); i++) {
            const taut_jets_row *r = &all->row[i];
            const int k = s + r->offset;
            if (!late && !r->active && s <= 0) continue;
            if (k == 0 && !late) FOR_WIDTH(start_row)(jets, i, part);
            if (k > 0 || late) FOR_WIDTH(add_up)(jets, all, r, s, part);
        }
    if (!late) jets->fresh = false;
    jets->uncopied = s;
}

FOR_PROCESSORS static void FOR_WIDTH(shifts)(taut_jets *jets) {
    const ptrdiff_t orders = jets->like->shift_orders;
    for (int part = 0; part < STEP; part++)
        for (int p = 1; p <= jets->like->most_derivatives; p++)
            for (int k = 0; k < orders; k++)
                *FOR_WIDTH(at)(jets->shift, p * orders + k, part) =
                    *FOR_WIDTH(at)(jets->shift, (p - 1) * orders + k, part) *
                    ((double)(k + p) / *FOR_WIDTH(at)(jets->h, 0, part));
}

static const taut_jets_loops FOR_WIDTH(LOOPS) = {FOR_WIDTH(stage), FOR_WIDTH(open),
                                                 FOR_WIDTH(finish), FOR_WIDTH(shifts)};

#undef STEP
#undef LANES
#undef FOR_PROCESSORS
#undef FOR_WIDTH
#undef WIDTH
