/* Rows of Pryce's signature matrix: one traversal of the graph for each expression, carrying the
 * order of time differentiation so far. Ids descend, so the highest number at a node is known when
 * the node is taken. */
#include "expr/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "expr/descent.h"

struct taut_pattern {
    const taut_graph *graph;
    int *taken; /* [size] derivatives taken above a node, plus one; 0: not touched */
    size_t room, size;
    taut_descent waiting; /* nodes */
    taut_pattern_entry *entry;
    size_t entry_room;
    bool has_time;
};

taut_status taut_pattern_create(const taut_graph *graph, taut_pattern **pattern) {
    size_t room = 0;
    *pattern = NULL;
    if (taut_grow((void **)pattern, &room, 1, sizeof **pattern)) return TAUT_ERR_MEMORY;
    memset(*pattern, 0, sizeof **pattern);
    (*pattern)->graph = graph;
    return TAUT_OK;
}

void taut_pattern_free(taut_pattern **pattern) {
    taut_pattern *p = *pattern;
    if (!p) return;
    taut_release((void **)&p->taken);
    taut_descent_release(&p->waiting);
    taut_release((void **)&p->entry);
    taut_release((void **)pattern);
}

static int by_variable(const void *a, const void *b) {
    return ((const taut_pattern_entry *)a)->variable - ((const taut_pattern_entry *)b)->variable;
}

/* Notes that `node` is reached after `taken` derivatives. */
static void reach(taut_pattern *p, taut_node node, int taken) {
    if (taut_node_get(p->graph, node)->steady) return;
    if (p->taken[node] == 0) taut_descent_put(&p->waiting, node);
    if (p->taken[node] < taken + 1) p->taken[node] = taken + 1;
}

taut_status taut_pattern_row(taut_pattern *p, taut_node root, const taut_pattern_entry **entry,
                             size_t *count) {
    const size_t size = taut_graph_size(p->graph);
    if (taut_grow((void **)&p->taken, &p->room, size, sizeof *p->taken)) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_descent_reserve(&p->waiting, size));
    if (size > p->size) memset(p->taken + p->size, 0, (size - p->size) * sizeof *p->taken);
    p->size = size;

    size_t n = 0;
    p->has_time = false;
    bool failed = false;
    reach(p, root, 0);
    while (p->waiting.size > 0) {
        taut_node v = taut_descent_take(&p->waiting);
        const int taken = p->taken[v] - 1;
        p->taken[v] = 0;
        if (failed) continue;
        const taut_node_data *d = taut_node_get(p->graph, v);
        if (d->op == TAUT_OP_VAR || d->op == TAUT_OP_LEAF) {
            failed = taut_grow((void **)&p->entry, &p->entry_room, n + 1, sizeof *p->entry) != 0;
            if (!failed) p->entry[n++] = (taut_pattern_entry){d->index, taken};
        }
        if (d->op == TAUT_OP_TIME) p->has_time = true;
        const int below = taken + (d->op == TAUT_OP_DIFF ? d->index : 0);
        for (uint32_t i = 0; i < d->count && !failed; i++)
            reach(p, taut_node_args(p->graph, v)[i], below);
    }
    if (failed) return TAUT_ERR_MEMORY;
    if (n) qsort(p->entry, n, sizeof *p->entry, by_variable);
    *entry = p->entry;
    *count = n;
    return TAUT_OK;
}

bool taut_pattern_has_time(const taut_pattern *p) { return p->has_time; }
