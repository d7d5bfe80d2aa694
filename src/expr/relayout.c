/* The numbers of a layout: where those stand that depend on parameters, and a second set of all
 * that change. */
#include <string.h>

#include "expr/layout.h"

taut_status taut_layout_note(taut_layout *l, int origin, taut_number_array array, size_t offset,
                             bool twice, taut_arena *arena) {
    if (!origin) return TAUT_OK;
    if (offset > UINT32_MAX) return TAUT_ERR_MEMORY;
    if (l->numbers == l->number_room) {
        const int room = l->number_room ? 2 * l->number_room : 64;
        taut_number_place *larger = TAUT_NEW_ARRAY(arena, room, taut_number_place);
        if (!larger) return TAUT_ERR_MEMORY;
        if (l->numbers > 0) memcpy(larger, l->number, (size_t)l->numbers * sizeof *larger);
        l->number = larger;
        l->number_room = room;
    }
    l->number[l->numbers++] = (taut_number_place){
        .origin = origin, .offset = (uint32_t)offset, .array = (uint8_t)array, .twice = twice};
    return TAUT_OK;
}

void taut_layout_set_numbers(taut_layout *l, double *leaf, const double *value) {
    char *const base[TAUT_NUMBER_ARRAYS] = {
        [TAUT_IN_BASES] = (char *)l->bases.term,
        [TAUT_IN_ALL] = (char *)l->all.term,
        [TAUT_IN_OPENING] = (char *)l->opening.term,
        [TAUT_IN_BASES_FACTOR] = (char *)l->bases.factor,
        [TAUT_IN_ALL_FACTOR] = (char *)l->all.factor,
        [TAUT_IN_OPENING_FACTOR] = (char *)l->opening.factor,
        [TAUT_IN_VALUE] = (char *)l->value,
        [TAUT_IN_START] = (char *)l->start,
        [TAUT_IN_CONVOLUTION] = (char *)l->convolution,
        [TAUT_IN_LEAF] = (char *)leaf,
    };
    for (size_t i = 0; i < (size_t)l->numbers; i++) {
        const taut_number_place *n = &l->number[i];
        const double x = value[n->origin];
        *(double *)(void *)(base[n->array] + n->offset) = n->twice ? 2.0 * x : x;
    }
}

/* ---- a second set ---- */

static void *copied(const void *array, size_t count, size_t size, taut_arena *arena) {
    void *copy = taut_arena_array(arena, count, size);
    if (copy && count > 0) memcpy(copy, array, count * size);
    return copy;
}

/* Rows of their own, for divisors of their own. */
static taut_status copy_divisors(taut_row_program *p, taut_arena *arena) {
    int divided = 0;
    for (int i = 0; i < p->groups; i++) divided += p->rows[i].divisors != NULL;
    if (divided == 0) return TAUT_OK;
    taut_divisors *own = TAUT_NEW_ARRAY(arena, divided, taut_divisors);
    p->rows = copied(p->rows, (size_t)p->groups, sizeof *p->rows, arena);
    if (!own || !p->rows) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->groups; i++) {
        if (!p->rows[i].divisors) continue;
        *own = *p->rows[i].divisors;
        p->rows[i].divisors = own++;
    }
    return TAUT_OK;
}

/* Factors that depend on the point change; their scales, and others, with the parameters. */
static taut_status copy_program(taut_row_program *p, bool numbers, taut_arena *arena) {
    p->term = copied(p->term, (size_t)p->terms, sizeof *p->term, arena);
    if (numbers) p->factor = copied(p->factor, (size_t)p->terms, sizeof *p->factor, arena);
    if (!p->term || !p->factor) return TAUT_ERR_MEMORY;
    return copy_divisors(p, arena);
}

taut_status taut_layout_copy(taut_layout *l, taut_arena *arena) {
    const bool numbers = l->numbers > 0;
    TAUT_TRY(copy_program(&l->bases, numbers, arena));
    TAUT_TRY(copy_program(&l->all, numbers, arena));
    TAUT_TRY(copy_program(&l->opening, numbers, arena));
    l->convolution = copied(l->convolution, (size_t)l->convolutions, sizeof *l->convolution, arena);
    if (!l->convolution) return TAUT_ERR_MEMORY;
    if (!numbers) return TAUT_OK;
    l->value = copied(l->value, (size_t)l->values, sizeof *l->value, arena);
    l->start = copied(l->start, (size_t)l->all.groups, sizeof *l->start, arena);
    return l->value && l->start ? TAUT_OK : TAUT_ERR_MEMORY;
}
