/* One sweep an equation; entries sorted by columns. */
#include "solve/jacobian.h"

#include <stdlib.h>

#include "expr/diff.h"
#include "expr/tape.h"

typedef struct entry {
    int row, column;
    taut_node node;
} entry;

static int by_column(const void *a, const void *b) {
    const entry *x = a, *y = b;
    return x->column != y->column ? x->column - y->column : x->row - y->row;
}

/* The entries of J as nodes: one LEADING sweep an equation. *list is on the heap. */
static taut_status differentiate(const taut_system *system, const int *offset, entry **list,
                                 size_t *count) {
    taut_sweep *sweep;
    size_t room = 0;
    *list = NULL;
    *count = 0;
    TAUT_TRY(taut_sweep_create(system->graph, &sweep));
    const taut_node one = taut_number(system->graph, 1.0);
    taut_status status = TAUT_OK;
    for (int i = 0; i < system->n && status == TAUT_OK; i++) {
        taut_sweep_begin(sweep, TAUT_SWEEP_LEADING, offset);
        taut_sweep_seed(sweep, system->equation[i].node, 1.0, one);
        status = taut_sweep_run(sweep);
        const size_t reached = status == TAUT_OK ? taut_sweep_reached(sweep) : 0;
        if (taut_grow((void **)list, &room, *count + reached, sizeof **list))
            status = TAUT_ERR_MEMORY;
        for (size_t k = 0; k < reached && status == TAUT_OK; k++) {
            const taut_node v = taut_sweep_variable(sweep, k);
            (*list)[(*count)++] =
                (entry){i, taut_node_get(system->graph, v)->index, taut_sweep_adjoint(sweep, k)};
        }
    }
    taut_sweep_free(&sweep);
    return status;
}

taut_status taut_jacobian_create(const taut_system *system, const int *d, taut_arena *arena,
                                 taut_jacobian *jacobian) {
    const int n = system->n;
    int *offset;
    entry *list;
    size_t count;
    TAUT_TRY(taut_tape_offsets(system->graph, d, arena, &offset));
    taut_status status = differentiate(system, offset, &list, &count);
    int *start = TAUT_NEW_ARRAY(arena, n + 1, int);
    int *row = TAUT_NEW_ARRAY(arena, count, int);
    taut_node *node = TAUT_NEW_ARRAY(arena, count, taut_node);
    if (status == TAUT_OK && (!start || !row || !node)) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        if (count) qsort(list, count, sizeof *list, by_column);
        for (size_t k = 0; k < count; k++) {
            start[list[k].column + 1]++;
            row[k] = list[k].row;
            node[k] = list[k].node;
        }
        for (int j = 0; j < n; j++) start[j + 1] += start[j];
        *jacobian = (taut_jacobian){system, (int)count, start, row, node};
    }
    taut_release((void **)&list);
    return status;
}
