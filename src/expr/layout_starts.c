/* Order 0 of every group: the terms of sums, the arguments of functions. */
#include "expr/layout_parts.h"

/* A term at order 0. */
typedef struct value_term {
    double coef;
    int a, b; /* places */
    int origin;
} value_term;

/* A term of a sum with p derivatives, at order 0. Leibniz's rule, in Taylor coefficients: a product
 * is all pairs of orders whose sum is p. */
static int values_of(const taut_tape_term *t) { return t->other >= 0 ? t->p + 1 : 1; }

/* How many columns of terms a group of sums needs, in all and, in b->columns, by the number of
 * derivatives, without and with products. */
static int count_values(const taut_layout_builder *b, const taut_bunch *from) {
    taut_layout_clear(b, b->columns);
    for (int i = 0; i < from->count; i++) {
        const taut_instr *x = from->member[i];
        taut_layout_clear(b, b->own);
        for (int k = x->first; k < x->first + x->count; k++) {
            const taut_tape_term *t = &b->tape->term[k];
            b->own[2 * t->p + (t->other >= 0)] += values_of(t);
        }
        taut_layout_widen(b);
    }
    int count = 0;
    for (int k = 0; k < taut_layout_kinds(b); k++) count += b->columns[k];
    return count;
}

/* The terms of a sum at order 0 with p derivatives, products or not; returns how many there are. */
static int list_values(const taut_layout_builder *b, const taut_instr *x, bool product, int p,
                       value_term *to) {
    int n = 0;
    for (int k = x->first; k < x->first + x->count; k++) {
        const taut_tape_term *t = &b->tape->term[k];
        if ((t->other >= 0) != product || t->p != p) continue;
        for (int l = product ? 0 : p; l <= p; l++) {
            const int other = product ? b->jet->place[t->other] + (p - l) * TAUT_LANES : 0;
            to[n++] =
                (value_term){t->coef, b->jet->place[t->slot] + l * TAUT_LANES, other, t->origin};
        }
    }
    return n;
}

/* Writes so many columns of terms with p derivatives, products or not. */
static taut_status add_values(const taut_layout_builder *b, const taut_bunch *from, bool product,
                              int p, int columns, value_term *work, taut_value_term *to) {
    for (int n = 0; n < columns; n++) {
        to[n] = (taut_value_term){.p = p, .product = product};
        for (int i = 0; i < TAUT_LANES; i++) to[n].a[i] = to[n].b[i] = b->layout->zero;
    }
    for (int i = 0; i < from->count; i++) {
        const int count = list_values(b, from->member[i], product, p, work);
        for (int n = 0; n < count; n++) {
            to[n].coef[i] = work[n].coef;
            to[n].a[i] = work[n].a;
            to[n].b[i] = work[n].b;
            TAUT_TRY(taut_layout_note(b->layout, work[n].origin, TAUT_IN_VALUE,
                                      taut_bytes_between(b->layout->value, &to[n].coef[i]), false,
                                      b->arena));
        }
    }
    for (int n = 0; n < columns; n++) to[n].whole = taut_layout_is_whole(to[n].a, from->count);
    return TAUT_OK;
}

/* The value terms of a group of sums, and how many there are. */
static taut_status add_all_values(const taut_layout_builder *b, const taut_bunch *from,
                                  value_term *work, taut_value_term *to, int *count) {
    *count = count_values(b, from);
    for (int k = 0; k < taut_layout_kinds(b); k++) {
        const int columns = b->columns[k];
        if (columns > 0) TAUT_TRY(add_values(b, from, k % 2 == 1, k / 2, columns, work, to));
        to += columns;
    }
    return TAUT_OK;
}

static taut_status fill_start(const taut_layout_builder *b, const taut_bunch *from,
                              taut_layout_start *start) {
    for (int i = 0; i < TAUT_LANES; i++) {
        start->argument[0][i] = start->argument[1][i] = b->layout->zero;
        if (i >= from->count) continue;
        const taut_instr *x = from->member[i];
        start->op[i] = x->op;
        if (x->a >= 0) start->argument[0][i] = b->jet->place[x->a];
        if (x->a >= 0) start->argument[1][i] = b->jet->place[x->b >= 0 ? x->b : x->a];
        if (!start->sum) continue;
        start->constant[i] = b->tape->constant[taut_slot_of(b, x)];
        TAUT_TRY(taut_layout_note(b->layout, b->tape->origin[taut_slot_of(b, x)], TAUT_IN_START,
                                  taut_bytes_between(b->layout->start, &start->constant[i]), false,
                                  b->arena));
    }
    return TAUT_OK;
}

taut_status taut_layout_starts(taut_layout_builder *b) {
    taut_layout *l = b->layout;
    const taut_bunches *from = &b->group[TAUT_NEWEST];
    int values = 0, groups = 0;
    for (size_t i = 0; i < from->count; i++)
        if (from->item[i].member[0]->kernel == TAUT_KERNEL_SUM)
            values += count_values(b, &from->item[i]);
    value_term *work =
        TAUT_NEW_ARRAY(&b->scratch, b->longest * (b->jet->most_derivatives + 1), value_term);
    l->start = TAUT_NEW_ARRAY(b->arena, from->count, taut_layout_start);
    l->value = TAUT_NEW_ARRAY(b->arena, values, taut_value_term);
    if (!work || !l->start || !l->value) return TAUT_ERR_MEMORY;
    values = 0;
    for (size_t i = 0; i < from->count; i++) {
        const taut_instr *x = from->item[i].member[0];
        if (taut_is_leaf(x)) continue;
        taut_layout_start *start = &l->start[groups++];
        start->sum = x->kernel == TAUT_KERNEL_SUM;
        start->column = values;
        if (start->sum)
            TAUT_TRY(add_all_values(b, &from->item[i], work, l->value + values, &start->columns));
        values += start->columns;
        TAUT_TRY(fill_start(b, &from->item[i], start));
        l->kept += x->kept;
        if (-x->offset > l->last_start) l->last_start = -x->offset;
    }
    l->values = values;
    return TAUT_OK;
}
