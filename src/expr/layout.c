/* Vectorisation of a tape. Independent instructions of one level of the dependency graph are
 * grouped into the lanes of a vector, with adjacent results: that gives every slot its place in
 * memory. Then the terms of every group are resolved to places. Convolutions are grouped
 * separately, since they depend on earlier orders only. Instructions are sorted by the places of
 * their operands, so that most loads are contiguous. */
#include "expr/layout.h"

#include <limits.h>

#include "expr/layout_parts.h"

int taut_layout_block(taut_layout *l, int orders) {
    const size_t place = l->coefs;
    l->coefs += (size_t)orders * TAUT_LANES;
    return l->coefs < INT_MAX ? (int)place : -1;
}

bool taut_layout_is_whole(const int *place, int count) {
    if (place[0] % TAUT_LANES != 0) return false;
    for (int i = 1; i < count; i++)
        if (place[i] != place[0] + i) return false;
    return true;
}

static taut_status allocate(taut_layout_builder *b) {
    const taut_tape *t = b->tape;
    for (int i = 0; i < t->size; i++)
        if (t->instr[i].count > b->longest) b->longest = t->instr[i].count;
    b->longest = 2 * b->longest + 3; /* a product has two terms */
    b->jet->place = TAUT_NEW_ARRAY(b->arena, t->size, int);
    b->jet->opened = TAUT_NEW_ARRAY(b->arena, t->size, int);
    b->jet->layout = b->layout = TAUT_NEW(b->arena, taut_layout);
    b->level = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->base = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->opening = TAUT_NEW_ARRAY(&b->scratch, t->size, int);
    b->term = TAUT_NEW_ARRAY(&b->scratch, TAUT_LANES * b->longest, taut_row_term);
    b->columns = TAUT_NEW_ARRAY(&b->scratch, taut_layout_kinds(b), int);
    b->own = TAUT_NEW_ARRAY(&b->scratch, taut_layout_kinds(b), int);
    if (!b->jet->place || !b->jet->opened || !b->layout || !b->level || !b->base || !b->opening ||
        !b->term || !b->columns || !b->own)
        return TAUT_ERR_MEMORY;
    b->layout->zero =
        taut_layout_block(b->layout, b->jet->shift_orders + b->jet->most_derivatives + 1);
    b->layout->one = taut_layout_block(b->layout, 1);
    return b->layout->zero < 0 || b->layout->one < 0 ? TAUT_ERR_MEMORY : TAUT_OK;
}

double *taut_layout_coefs(const taut_layout *l, taut_arena *arena) {
    double *coef = TAUT_NEW_ARRAY(arena, l->coefs, double);
    if (coef) coef[l->one] = 1.0;
    return coef;
}

static taut_status build(taut_layout_builder *b) {
    TAUT_TRY(allocate(b));
    TAUT_TRY(taut_layout_form_rows(b));
    TAUT_TRY(taut_layout_convolve(b));
    TAUT_TRY(taut_layout_form_bases(b));
    TAUT_TRY(taut_layout_program(b, TAUT_BASE, &b->layout->bases));
    TAUT_TRY(taut_layout_program(b, TAUT_NEWEST, &b->layout->all));
    TAUT_TRY(taut_layout_starts(b));
    TAUT_TRY(taut_layout_form_openings(b));
    TAUT_TRY(taut_layout_program(b, TAUT_OPENING, &b->layout->opening));
    if (b->layout->coefs >= INT_MAX) return TAUT_ERR_MEMORY;
    b->jet->coef = taut_layout_coefs(b->layout, b->arena);
    return b->jet->coef ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_layout_create(taut_jet *jet, taut_arena *arena) {
    taut_layout_builder b = {.jet = jet, .tape = jet->tape, .arena = arena};
    taut_status status = build(&b);
    for (taut_row_part which = 0; which < TAUT_PARTS; which++)
        taut_release((void **)&b.group[which].item);
    taut_arena_release(&b.scratch);
    return status;
}
