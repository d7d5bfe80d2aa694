/* The terms of every group, lane by lane: what its rows are computed from. */
#include "expr/layout_parts.h"

/* Lists the terms of the members one behind the other, TAUT_LANES times `longest`; count[] is 0. */
static void list_members(const taut_layout_builder *b, const taut_bunch *from, taut_row_part which,
                         int *count) {
    for (int i = 0; i < from->count && !taut_is_brief(b, from->member[0]); i++)
        count[i] = taut_layout_list(b, from->member[i], which, b->term + i * b->longest);
}

/* How many columns the listed members need, a term of each in a column, in all and, in b->columns,
 * by the number of derivatives, for terms that stay and for those that move. */
static int count_columns(const taut_layout_builder *b, const taut_bunch *from, const int *count) {
    taut_layout_clear(b, b->columns);
    for (int i = 0; i < from->count; i++) {
        const taut_row_term *t = b->term + i * b->longest;
        taut_layout_clear(b, b->own);
        for (int k = 0; k < count[i]; k++) b->own[2 * t[k].p + (t[k].pace > 0)]++;
        taut_layout_widen(b);
    }
    int most = 0;
    for (int k = 0; k < taut_layout_kinds(b); k++) most += b->columns[k];
    return most;
}

static void start_column(const taut_layout_builder *b, int offset, int pace, int p,
                         taut_lane_term *term, taut_lane_factor *factor) {
    *term = (taut_lane_term){.pace = pace, .p = p, .steady = true};
    *factor = (taut_lane_factor){0};
    for (int i = 0; i < TAUT_LANES; i++) {
        term->source[i] = b->layout->zero + pace * offset;
        factor->partial[i] = b->layout->one;
    }
}

/* The factor of a term depends on parameters. Both places are kept up to date: which of them counts
 * may be decided by another lane. */
static taut_status note_term(const taut_layout_builder *b, const taut_row_term *t,
                             taut_row_part which, const taut_row_program *to, const double *coef,
                             const double *scale) {
    static const taut_number_array array[TAUT_PARTS] = {
        [TAUT_NEWEST] = TAUT_IN_ALL, [TAUT_BASE] = TAUT_IN_BASES, [TAUT_OPENING] = TAUT_IN_OPENING};
    static const int factors = TAUT_IN_ALL_FACTOR - TAUT_IN_ALL;
    const taut_number_array at = array[which];
    TAUT_TRY(taut_layout_note(b->layout, t->origin, at, taut_bytes_between(to->term, coef),
                              t->twice, b->arena));
    return taut_layout_note(b->layout, t->origin, (taut_number_array)((int)at + factors),
                            taut_bytes_between(to->factor, scale), t->twice, b->arena);
}

/* Puts the terms of one pace and so many derivatives of member i into its lane. */
static taut_status fill_lane(const taut_layout_builder *b, int i, int count, taut_row_part which,
                             taut_row_program *to) {
    taut_lane_term *term = to->term + to->terms;
    taut_lane_factor *factor = to->factor + to->terms;
    const int pace = term->pace, p = term->p;
    for (int k = 0, n = 0; k < count; k++) {
        const taut_row_term *t = &b->term[i * b->longest + k];
        if (t->pace != pace || t->p != p) continue;
        term[n].source[i] = t->source;
        term[n].coef[i] = factor[n].scale[i] = t->scale;
        if (t->partial >= 0) {
            factor[n].partial[i] = b->jet->place[t->partial];
            term[n].steady = false;
        }
        if (t->origin) TAUT_TRY(note_term(b, t, which, to, &term[n].coef[i], &factor[n].scale[i]));
        n++;
    }
    return TAUT_OK;
}

/* Appends the terms of a group to those of a program. */
static taut_status add_columns(taut_layout_builder *b, const taut_bunch *from, taut_row_part which,
                               taut_row_program *to) {
    const int offset = from->member[0]->offset;
    int count[TAUT_LANES] = {0};
    list_members(b, from, which, count);
    count_columns(b, from, count);
    for (int pace = 0; pace <= TAUT_LANES; pace += TAUT_LANES)
        for (int p = 0; p <= b->jet->most_derivatives; p++) {
            const int columns = b->columns[2 * p + (pace > 0)];
            taut_lane_term *term = to->term + to->terms;
            taut_lane_factor *factor = to->factor + to->terms;
            for (int n = 0; n < columns; n++)
                start_column(b, offset, pace, p, &term[n], &factor[n]);
            for (int i = 0; i < from->count && columns > 0; i++)
                TAUT_TRY(fill_lane(b, i, count[i], which, to));
            for (int n = 0; n < columns; n++)
                term[n].whole = taut_layout_is_whole(term[n].source, from->count);
            to->terms += columns;
        }
    return TAUT_OK;
}

/* ---- groups ---- */

static taut_status add_divisors(taut_layout_builder *b, const taut_bunch *from, taut_rows *g) {
    taut_divisors *new = g->divisors = TAUT_NEW(b->arena, taut_divisors);
    if (!new) return TAUT_ERR_MEMORY;
    for (int i = 0; i < TAUT_LANES; i++) {
        new->place[i] = b->layout->one;
        new->scale[i] = 1.0;
        if (i >= from->count) continue;
        const taut_instr *x = from->member[i];
        const bool quotient = x->kernel == TAUT_KERNEL_DIVIDE;
        new->place[i] = b->jet->place[quotient ? x->b : taut_slot_of(b, x)];
        new->scale[i] = quotient ? 1.0 : 2.0;
    }
    return TAUT_OK;
}

/* Where the rows of a group start from. */
static void set_bases(const taut_layout_builder *b, const taut_bunch *from, taut_rows *g) {
    for (int i = 0; i < TAUT_LANES; i++) {
        const int base =
            i < from->count ? b->base[taut_slot_of(b, from->member[i])] : TAUT_PLACE_ZERO;
        g->base[i] = base == TAUT_PLACE_ZERO ? b->layout->zero : base;
        g->based = g->based || base != TAUT_PLACE_ZERO;
    }
    g->whole = taut_layout_is_whole(g->base, from->count);
}

/* Appends a group. */
static taut_status add_rows(taut_layout_builder *b, const taut_bunch *from, taut_row_part which,
                            taut_row_program *to) {
    const taut_instr *first = from->member[0];
    taut_rows *g = &to->rows[to->groups++];
    *g = (taut_rows){.column = to->terms,
                     .result = from->place,
                     .offset = first->offset,
                     .count = (uint8_t)from->count};
    for (int i = 0; i < from->count; i++) g->active = g->active || from->member[i]->active;
    TAUT_TRY(add_columns(b, from, which, to));
    g->columns = to->terms - g->column;
    if (which == TAUT_BASE) return TAUT_OK;
    set_bases(b, from, g);
    if (which == TAUT_NEWEST) {
        g->pace = TAUT_LANES;
        g->result += first->offset * TAUT_LANES;
    }
    return taut_is_divided(first) && !taut_is_brief(b, first) ? add_divisors(b, from, g) : TAUT_OK;
}

/* The program of the groups that have been formed. */
taut_status taut_layout_program(taut_layout_builder *b, taut_row_part which, taut_row_program *p) {
    const taut_bunches *from = &b->group[which];
    int terms = 0;
    for (size_t i = 0; i < from->count; i++) {
        int count[TAUT_LANES] = {0};
        list_members(b, &from->item[i], which, count);
        terms += count_columns(b, &from->item[i], count);
    }
    p->rows = TAUT_NEW_ARRAY(b->arena, from->count, taut_rows);
    p->term = TAUT_NEW_ARRAY(b->arena, terms, taut_lane_term);
    p->factor = TAUT_NEW_ARRAY(b->arena, terms, taut_lane_factor);
    if (!p->rows || !p->term || !p->factor) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < from->count; i++)
        if (!taut_is_leaf(from->item[i].member[0])) TAUT_TRY(add_rows(b, &from->item[i], which, p));
    return TAUT_OK;
}
