/* What rows consist of: their terms, part by part, and the convolutions in them. */
#include "expr/layout_parts.h"

/* ---- terms ---- */

/* Does x read the newest order of a slot? Otherwise that order was found at an earlier stage. */
static bool reads_newest(const taut_layout_builder *b, const taut_instr *x, int slot, int p) {
    return b->tape->instr[slot].offset - p == x->offset;
}

/* Appends a term of x, if it belongs to the part: TAUT_BASE has what was found at earlier stages.
 */
static void list_term(const taut_layout_builder *b, const taut_instr *x, taut_row_part which,
                      taut_row_term t, taut_row_term *to, int *count) {
    if (reads_newest(b, x, t.slot, t.p) == (which == TAUT_BASE)) return;
    t.source = taut_moving_place(b, x, t.slot, t.p);
    t.pace = TAUT_LANES;
    if (which == TAUT_OPENING) {
        if (b->opening[t.slot] == TAUT_PLACE_ZERO) return;
        t.source = b->opening[t.slot];
        t.pace = 0;
    }
    to[(*count)++] = t;
}

/* Appends the terms of a product in a sum: convolutions have what was found at earlier stages. */
static void list_product(const taut_layout_builder *b, const taut_instr *x, taut_row_part which,
                         const taut_tape_term *t, taut_row_term *to, int *count) {
    if (which == TAUT_BASE) return;
    const bool square = t->slot == t->other;
    taut_row_term term = {.slot = t->slot,
                          .p = t->p,
                          .scale = t->coef,
                          .partial = t->other,
                          .origin = t->origin,
                          .twice = square};
    if (square) term.scale *= 2.0;
    list_term(b, x, which, term, to, count);
    if (square) return;
    term.slot = t->other;
    term.partial = t->slot;
    list_term(b, x, which, term, to, count);
}

/* Appends the convolutions of a slot. */
static void list_results(const taut_layout_builder *b, int slot, taut_row_term *to, int *count) {
    for (int i = b->first_job[slot]; i < b->first_job[slot + 1]; i++)
        to[(*count)++] = (taut_row_term){
            .slot = -1, .source = b->job[i].result, .p = b->job[i].p, .scale = 1.0, .partial = -1};
}

/* The terms of one part of a row. */
int taut_layout_list(const taut_layout_builder *b, const taut_instr *x, taut_row_part which,
                     taut_row_term *to) {
    const int slot = taut_slot_of(b, x);
    int n = 0;
    if (which == TAUT_BASE) list_results(b, slot, to, &n);
    if (taut_is_divided(x)) {
        list_term(b, x, which, (taut_row_term){.slot = x->a, .scale = 1.0, .partial = -1}, to, &n);
        if (x->kernel == TAUT_KERNEL_DIVIDE)
            list_term(b, x, which, (taut_row_term){.slot = x->b, .scale = -1.0, .partial = slot},
                      to, &n);
        return n;
    }
    for (int i = 0; i < x->count; i++) {
        const taut_tape_term *t = &b->tape->term[x->first + i];
        if (x->kernel == TAUT_KERNEL_CHAIN)
            list_term(b, x, which,
                      (taut_row_term){.slot = t->slot, .scale = 1.0, .partial = t->other}, to, &n);
        else if (t->other >= 0)
            list_product(b, x, which, t, to, &n);
        else
            list_term(b, x, which,
                      (taut_row_term){.slot = t->slot,
                                      .p = t->p,
                                      .scale = t->coef,
                                      .partial = -1,
                                      .origin = t->origin},
                      to, &n);
    }
    return n;
}

/* ---- convolutions ---- */

static taut_job job_of_product(const taut_layout_builder *b, const taut_instr *x,
                               const taut_tape_term *t) {
    const bool new_a = reads_newest(b, x, t->slot, t->p),
               new_b = reads_newest(b, x, t->other, t->p);
    taut_job job = {.kind = TAUT_SUM_INNER,
                    .a = t->slot,
                    .b = t->other,
                    .p = t->p,
                    .coef = t->coef,
                    .origin = t->origin};
    if (!new_a && !new_b)
        job.kind = TAUT_SUM_ALL;
    else if (t->slot == t->other)
        job.kind = TAUT_SUM_SQUARE;
    else if (!new_a || !new_b)
        job.kind = TAUT_SUM_TO_END;
    if (job.kind == TAUT_SUM_TO_END && new_a) {
        job.a = t->other;
        job.b = t->slot;
    }
    return job;
}

static int list_jobs(const taut_layout_builder *b, const taut_instr *x, taut_job *job) {
    const int slot = taut_slot_of(b, x);
    int n = 0;
    if (taut_is_brief(b, x)) return 0;
    if (x->kernel == TAUT_KERNEL_DIVIDE)
        job[n++] = (taut_job){.kind = TAUT_SUM_INNER, .a = x->b, .b = slot, .coef = -1.0};
    if (x->kernel == TAUT_KERNEL_ROOT)
        job[n++] = (taut_job){.kind = TAUT_SUM_SQUARE, .a = slot, .b = slot, .coef = -1.0};
    for (int i = 0; i < x->count; i++) {
        const taut_tape_term *t = &b->tape->term[x->first + i];
        if (x->kernel == TAUT_KERNEL_CHAIN)
            job[n++] = (taut_job){.kind = TAUT_SUM_MEAN, .a = t->slot, .b = t->other, .coef = 1.0};
        else if (t->other >= 0)
            job[n++] = job_of_product(b, x, t);
    }
    for (int i = 0; i < n; i++) job[i].offset = x->offset + job[i].p;
    return n;
}

taut_status taut_layout_convolve(taut_layout_builder *b) {
    const taut_tape *t = b->tape;
    b->first_job = TAUT_NEW_ARRAY(&b->scratch, t->size + 1, int);
    b->job = TAUT_NEW_ARRAY(&b->scratch, t->size + t->terms, taut_job);
    if (!b->first_job || !b->job) return TAUT_ERR_MEMORY;
    for (int i = 0; i < t->size; i++)
        b->first_job[i + 1] =
            b->first_job[i] + list_jobs(b, &t->instr[i], b->job + b->first_job[i]);
    return taut_convolutions_create(b->jet, b->job, (size_t)b->first_job[t->size], b->arena);
}
