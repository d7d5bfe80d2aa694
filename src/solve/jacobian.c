/* One LEADING sweep an equation. */
#include "solve/jacobian.h"

#include <string.h>

#include "expr/diff.h"
#include "expr/plain.h"

typedef struct entry {
    int row, column;
    taut_node node;
} entry;

/* By rows, as they are found. */
typedef struct entries {
    entry *item; /* on the heap */
    size_t count, room;
} entries;

static taut_status add_row(const taut_system *system, int row, const taut_sweep *sweep,
                           entries *list) {
    const size_t reached = taut_sweep_reached(sweep);
    if (taut_grow((void **)&list->item, &list->room, list->count + reached, sizeof *list->item))
        return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < reached; k++) {
        const taut_node v = taut_sweep_variable(sweep, k);
        list->item[list->count++] =
            (entry){row, taut_node_get(system->graph, v)->index, taut_sweep_adjoint(sweep, k)};
    }
    return TAUT_OK;
}

static taut_status differentiate(const taut_system *system, const int *offset, entries *list) {
    taut_sweep *sweep;
    TAUT_TRY(taut_sweep_create(system->graph, &sweep));
    const taut_node one = taut_number(system->graph, 1.0);
    taut_status status = TAUT_OK;
    for (int i = 0; i < system->n && status == TAUT_OK; i++) {
        taut_sweep_begin(sweep, TAUT_SWEEP_LEADING, offset);
        taut_sweep_seed(sweep, system->equation[i].node, 1.0, one);
        status = taut_sweep_run(sweep);
        if (status == TAUT_OK) status = add_row(system, i, sweep, list);
    }
    taut_sweep_free(&sweep);
    return status;
}

/* From rows, which are in order, to columns. */
static taut_status transpose(const taut_system *system, const entries *list, taut_arena *arena,
                             taut_jacobian *j) {
    j->entries = (int)list->count;
    j->start = TAUT_NEW_ARRAY(arena, system->n + 1, int);
    j->row = TAUT_NEW_ARRAY(arena, list->count, int);
    j->node = TAUT_NEW_ARRAY(arena, list->count, taut_node);
    if (!j->start || !j->row || !j->node) return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < list->count; k++) j->start[list->item[k].column + 1]++;
    for (int c = 0; c < system->n; c++) j->start[c + 1] += j->start[c];
    for (size_t k = 0; k < list->count; k++) { /* start[c] goes through column c ... */
        const int at = j->start[list->item[k].column]++;
        j->row[at] = list->item[k].row;
        j->node[at] = list->item[k].node;
    }
    memmove(j->start + 1, j->start,
            (size_t)system->n * sizeof *j->start); /* ... and is now its end */
    j->start[0] = 0;
    return TAUT_OK;
}

static taut_status find_needed(const taut_system *system, taut_arena *arena, taut_jacobian *j) {
    taut_node *found;
    size_t count;
    taut_status status =
        taut_plain_leaves(system->graph, j->node, (size_t)j->entries, &found, &count);
    j->needs = (int)count;
    j->needed = status == TAUT_OK ? TAUT_NEW_ARRAY(arena, count, taut_node) : NULL;
    if (status == TAUT_OK && !j->needed) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK && count > 0) memcpy(j->needed, found, count * sizeof *found);
    taut_release((void **)&found);
    return status;
}

taut_status taut_jacobian_create(const taut_system *system, const int *offset, taut_arena *arena,
                                 taut_jacobian *j) {
    entries list = {0};
    *j = (taut_jacobian){0};
    taut_status status = differentiate(system, offset, &list);
    if (status == TAUT_OK) status = transpose(system, &list, arena, j);
    if (status == TAUT_OK) status = find_needed(system, arena, j);
    taut_release((void **)&list.item);
    return status;
}
