/* Sorts instructions into groups of those that do not wait for each other. */
#include <string.h>

#include "core/keys.h"
#include "expr/layout_parts.h"

typedef struct candidate {
    const taut_instr *instr;
    bool first; /* it comes before those that do not */
    int level;  /* of one offset, lower ones come before; offsets descend */
    int rank;   /* sorts that do not mix */
    int shape;  /* how many terms it has, derivatives first */
    int place;  /* of the first one that is no derivative */
} candidate;

/* ---- the order of candidates ---- */

/* Sums, functions, and what is divided do not mix: order 0 differs, or the end. */
static int sort_of(const taut_instr *x) {
    if (taut_is_divided(x)) return 2;
    return x->kernel == TAUT_KERNEL_SUM ? 0 : 1;
}

static int compare_class(const candidate *x, const candidate *y) {
    if (x->first != y->first) return y->first - x->first;
    if (x->instr->offset != y->instr->offset) return y->instr->offset - x->instr->offset;
    if (x->level != y->level) return x->level - y->level;
    return x->rank - y->rank;
}

/* The same as a key: offsets have less than 23 bits, ranks less than 8. */
static uint64_t class_key(const candidate *x) {
    const uint64_t offset = (uint64_t)((1 << 22) - x->instr->offset);
    const uint64_t level = taut_key_of(x->level);
    return (uint64_t)!x->first << 63 | offset << 40 | level << 8 | (uint64_t)x->rank;
}

static uint64_t shape_key(const candidate *x) {
    return (uint64_t)taut_key_of(x->shape) << 32 | taut_key_of(x->place);
}

/* Work space for sorting. */
typedef struct sorting {
    taut_keyed *list, *spare;
    candidate *other;
} sorting;

static taut_status create_sorting(taut_layout_builder *b, int size, sorting *s) {
    s->list = TAUT_NEW_ARRAY(&b->scratch, size, taut_keyed);
    s->spare = TAUT_NEW_ARRAY(&b->scratch, size, taut_keyed);
    s->other = TAUT_NEW_ARRAY(&b->scratch, size, candidate);
    return s->list && s->spare && s->other ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Sorts candidates by their keys; equal ones stay in their order, which is that of the tape. */
static void sort(const sorting *s, candidate *c, int count, uint64_t key(const candidate *)) {
    for (int i = 0; i < count; i++) s->list[i] = (taut_keyed){key(&c[i]), i};
    taut_keys_sort(s->list, s->spare, (size_t)count);
    memcpy(s->other, c, (size_t)count * sizeof *c);
    for (int i = 0; i < count; i++) c[i] = s->other[s->list[i].item];
}

/* What an instruction is sorted by among its equals: the place of something that it reads, which
 * has one already; bases by that of the rows that they belong to. */
static void set_keys(const taut_layout_builder *b, candidate *c, taut_row_part which) {
    const taut_instr *x = c->instr;
    c->shape = c->place = 0;
    if (taut_is_leaf(x)) return;
    const int count = taut_layout_list(b, x, which, b->term);
    int shifted = 0, first = -1;
    for (int i = 0; i < count; i++) {
        shifted += b->term[i].p > 0;
        if (first < 0 || (b->term[first].p > 0 && b->term[i].p == 0)) first = i;
    }
    c->shape = (shifted << 16) + count - shifted;
    if (which == TAUT_BASE)
        c->place = b->jet->place[taut_slot_of(b, x)];
    else if (first >= 0)
        c->place = b->term[first].source;
}

/* ---- groups ---- */

/* How many of the sorted c[0 .. count-1] form a group: up to TAUT_LANES, fewer if the next ones
 * fill one whose sources lie side by side, or one of another shape. */
static int cut(const candidate *c, int count) {
    int m = 1;
    for (; m < TAUT_LANES && m < count; m++) {
        const int last = m + TAUT_LANES - 1;
        if (last >= count || c[m].shape != c[last].shape) continue;
        if (c[m - 1].shape != c[m].shape) break;
        if (c[m].place % TAUT_LANES == 0 && c[last].place == c[m].place + TAUT_LANES - 1) break;
    }
    return m;
}

static int length_of(const taut_layout_builder *b, const taut_instr *x, taut_row_part which) {
    if (which != TAUT_NEWEST) return 1;
    const int length = b->jet->last_stage + x->offset + 1;
    return length > 0 ? length : 0;
}

/* Takes the next group of sorted candidates, and gives its slots places. */
static taut_status add_bunch(taut_layout_builder *b, const candidate *c, int count,
                             taut_row_part which) {
    taut_bunch new = {.count = count,
                      .place = taut_layout_block(b->layout, length_of(b, c[0].instr, which))};
    int *place = which == TAUT_NEWEST ? b->jet->place : which == TAUT_BASE ? b->base : b->opening;
    for (int i = 0; i < count; i++) {
        new.member[i] = c[i].instr;
        place[taut_slot_of(b, c[i].instr)] = new.place + i;
    }
    taut_bunches *to = &b->group[which];
    if (new.place < 0 || taut_grow((void **)&to->item, &to->room, to->count + 1, sizeof new))
        return TAUT_ERR_MEMORY;
    to->item[to->count++] = new;
    return TAUT_OK;
}

/* Sorts candidates, which are in the order of their classes, into groups. */
static taut_status form_bunches(taut_layout_builder *b, const sorting *s, candidate *c, int size,
                                taut_row_part which) {
    for (int first = 0, end; first < size; first = end) {
        for (end = first; end < size && compare_class(&c[first], &c[end]) == 0; end++)
            set_keys(b, &c[end], which);
        sort(s, c + first, end - first, shape_key);
        for (int i = first, count; i < end; i += count) {
            count = cut(c + i, end - i);
            TAUT_TRY(add_bunch(b, c + i, count, which));
        }
    }
    return TAUT_OK;
}

/* Levels within an offset: arguments of a larger one come first anyway. */
static int level_of(const taut_layout_builder *b, const taut_instr *x, taut_row_part which) {
    const int count = taut_layout_list(b, x, which, b->term);
    int level = 0;
    for (int i = 0; i < count; i++) {
        const int slot = b->term[i].slot;
        if (b->tape->instr[slot].offset != x->offset || taut_is_leaf(&b->tape->instr[slot]))
            continue;
        if (b->level[slot] >= level) level = b->level[slot] + 1;
    }
    return level;
}

taut_status taut_layout_form_rows(taut_layout_builder *b) {
    const int size = b->tape->size;
    sorting s;
    candidate *c = TAUT_NEW_ARRAY(&b->scratch, size, candidate);
    if (!c) return TAUT_ERR_MEMORY;
    TAUT_TRY(create_sorting(b, size, &s));
    for (int i = 0; i < size; i++) {
        const taut_instr *x = &b->tape->instr[i];
        b->level[i] = taut_is_leaf(x) ? -1 : level_of(b, x, TAUT_NEWEST);
        c[i] = (candidate){.instr = x,
                           .first = x->kept,
                           .level = b->level[i],
                           .rank = taut_is_leaf(x) ? x->kernel : sort_of(x)};
    }
    sort(&s, c, size, class_key);
    return form_bunches(b, &s, c, size, TAUT_NEWEST);
}

/* ---- bases ---- */

/* Where a row starts from: nothing, one convolution, or a sum, which has no place yet. */
static int find_base(const taut_layout_builder *b, const taut_instr *x) {
    const bool none = taut_is_leaf(x) || taut_is_brief(b, x);
    const int count = none ? 0 : taut_layout_list(b, x, TAUT_BASE, b->term);
    if (count == 0) return TAUT_PLACE_ZERO;
    const taut_row_term *first = &b->term[0];
    return count == 1 && first->slot < 0 && first->p == 0 ? first->source : TAUT_PLACE_UNKNOWN;
}

taut_status taut_layout_form_bases(taut_layout_builder *b) {
    int size = 0;
    sorting s;
    candidate *c = TAUT_NEW_ARRAY(&b->scratch, b->tape->size, candidate);
    if (!c) return TAUT_ERR_MEMORY;
    TAUT_TRY(create_sorting(b, b->tape->size, &s));
    for (size_t i = 0; i < b->group[TAUT_NEWEST].count; i++) { /* in the order of classes */
        const taut_bunch *rows = &b->group[TAUT_NEWEST].item[i];
        for (int k = 0; k < rows->count; k++) {
            const taut_instr *x = rows->member[k];
            int *base = &b->base[taut_slot_of(b, x)];
            *base = find_base(b, x);
            if (*base == TAUT_PLACE_UNKNOWN) c[size++] = (candidate){.instr = x, .first = x->kept};
        }
    }
    return form_bunches(b, &s, c, size, TAUT_BASE);
}

/* ---- before a stage is solved ---- */

/* Where the newest order of a slot is then: nowhere, because it is 0; in the base; in a row. */
static int find_opening(taut_layout_builder *b, const taut_instr *x) {
    taut_layout *l = b->layout;
    const int slot = taut_slot_of(b, x);
    if (x->kernel == TAUT_KERNEL_TIME) { /* there is only one */
        l->timed = true;
        l->time = taut_layout_block(l, 1);
        l->time_now = taut_moving_place(b, x, slot, 0);
        l->time_offset = x->offset;
        return l->time;
    }
    if (taut_is_leaf(x)) return TAUT_PLACE_ZERO;
    if (taut_is_divided(x) || taut_layout_list(b, x, TAUT_OPENING, b->term) > 0)
        return TAUT_PLACE_UNKNOWN;
    return b->base[slot];
}

taut_status taut_layout_form_openings(taut_layout_builder *b) {
    int size = 0;
    sorting s;
    candidate *c = TAUT_NEW_ARRAY(&b->scratch, b->tape->size, candidate);
    if (!c) return TAUT_ERR_MEMORY;
    TAUT_TRY(create_sorting(b, b->tape->size, &s));
    if (b->jet->last_stage < 1) { /* no stage is ever opened */
        for (int i = 0; i < b->tape->size; i++) b->jet->opened[i] = b->layout->zero;
        return TAUT_OK;
    }
    for (int i = 0; i < b->tape->size; i++) {
        const taut_instr *x = &b->tape->instr[i];
        b->opening[i] = find_opening(b, x);
        b->level[i] = -1;
        if (b->opening[i] != TAUT_PLACE_UNKNOWN || !x->urgent || x->offset < 0) continue;
        b->level[i] = level_of(b, x, TAUT_OPENING);
        c[size++] = (candidate){.instr = x, .level = b->level[i], .rank = sort_of(x)};
    }
    sort(&s, c, size, class_key);
    TAUT_TRY(form_bunches(b, &s, c, size, TAUT_OPENING));
    for (int i = 0; i < b->tape->size; i++)
        b->jet->opened[i] = b->opening[i] < 0 ? b->layout->zero : b->opening[i];
    return TAUT_OK;
}
