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

/* What a Jacobian is made of. */
typedef struct source {
    const taut_system *system;
    const int *offset;
    const taut_intermediates *between; /* NULL: there are none */
    int size;
} source;

static int column_of(const source *x, taut_node v) {
    const taut_node_data *d = taut_node_get(x->system->graph, v);
    return d->op == TAUT_OP_VAR ? d->index : x->system->n + x->between->number[v];
}

static taut_status add_entry(entries *list, int row, int column, taut_node node) {
    if (taut_grow((void **)&list->item, &list->room, list->count + 1, sizeof *list->item))
        return TAUT_ERR_MEMORY;
    list->item[list->count++] = (entry){row, column, node};
    return TAUT_OK;
}

/* The derivatives of a node, times `factor`. */
static taut_status add_row(const source *x, int row, taut_node root, taut_node factor,
                           taut_sweep *sweep, entries *list) {
    taut_sweep_begin(sweep, TAUT_SWEEP_LEADING, x->offset);
    if (x->between) taut_sweep_stop_at(sweep, x->between->is);
    taut_sweep_seed(sweep, root, 1.0, factor);
    TAUT_TRY(taut_sweep_run(sweep));
    for (size_t k = 0; k < taut_sweep_reached(sweep); k++)
        TAUT_TRY(add_entry(list, row, column_of(x, taut_sweep_variable(sweep, k)),
                           taut_sweep_adjoint(sweep, k)));
    return TAUT_OK;
}

/* Rows of equations, then those of intermediates: v less what it is made of is 0. */
static taut_status differentiate(const source *x, entries *list) {
    taut_sweep *sweep;
    TAUT_TRY(taut_sweep_create(x->system->graph, &sweep));
    const taut_node one = taut_number(x->system->graph, 1.0),
                    less = taut_number(x->system->graph, -1.0);
    taut_status status = one && less ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < x->system->n && status == TAUT_OK; i++)
        status = add_row(x, i, x->system->equation[i].node, one, sweep, list);
    for (int i = x->system->n; i < x->size && status == TAUT_OK; i++) {
        status = add_row(x, i, x->between->node[i - x->system->n], less, sweep, list);
        if (status == TAUT_OK) status = add_entry(list, i, i, one);
    }
    taut_sweep_free(&sweep);
    return status;
}

/* From rows, which are in order, to columns. */
static taut_status transpose(int size, const entries *list, taut_arena *arena, taut_jacobian *j) {
    j->size = size;
    j->entries = (int)list->count;
    j->start = TAUT_NEW_ARRAY(arena, size + 1, int);
    j->row = TAUT_NEW_ARRAY(arena, list->count, int);
    j->node = TAUT_NEW_ARRAY(arena, list->count, taut_node);
    if (!j->start || !j->row || !j->node) return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < list->count; k++) j->start[list->item[k].column + 1]++;
    for (int c = 0; c < size; c++) j->start[c + 1] += j->start[c];
    for (size_t k = 0; k < list->count; k++) { /* start[c] goes through column c ... */
        const int at = j->start[list->item[k].column]++;
        j->row[at] = list->item[k].row;
        j->node[at] = list->item[k].node;
    }
    memmove(j->start + 1, j->start, (size_t)size * sizeof *j->start); /* ... and is now its end */
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

static taut_status create(const source *x, taut_arena *arena, taut_jacobian *j) {
    entries list = {0};
    *j = (taut_jacobian){0};
    taut_status status = differentiate(x, &list);
    if (status == TAUT_OK) status = transpose(x->size, &list, arena, j);
    if (status == TAUT_OK) status = find_needed(x->system, arena, j);
    taut_release((void **)&list.item);
    return status;
}

taut_status taut_jacobian_create(const taut_system *system, const int *offset, taut_arena *arena,
                                 taut_jacobian *j) {
    return create(&(source){system, offset, NULL, system->n}, arena, j);
}

taut_status taut_jacobian_create_wide(const taut_system *system, const int *offset,
                                      const taut_intermediates *between, taut_arena *arena,
                                      taut_jacobian *j) {
    return create(&(source){system, offset, between, system->n + between->count}, arena, j);
}
