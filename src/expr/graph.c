/* A graph as a whole: its storage, and which numbers it took for granted. Nodes are made in
 * graph_nodes.c, time derivatives in graph_dot.c. */
#include "expr/graph.h"

#include <string.h>

#include "core/arena.h"
#include "expr/graph_parts.h"

taut_status taut_graph_create(taut_graph **graph) {
    *graph = NULL;
    taut_graph *g = NULL;
    size_t room = 0, table_room = 0;
    if (taut_grow((void **)&g, &room, 1, sizeof *g)) return TAUT_ERR_MEMORY;
    memset(g, 0, sizeof *g);
    if (taut_grow((void **)&g->table, &table_room, 1024, sizeof *g->table) ||
        taut_grow((void **)&g->node, &g->node_room, 256, sizeof *g->node) ||
        taut_grow((void **)&g->arg, &g->arg_room, 256, sizeof *g->arg) ||
        taut_grow((void **)&g->coef, &g->coef_room, 256, sizeof *g->coef)) {
        taut_graph_free(&g);
        return TAUT_ERR_MEMORY;
    }
    memset(g->table, 0, table_room * sizeof *g->table);
    memset(&g->node[0], 0, sizeof g->node[0]); /* id 0 is no node */
    g->table_size = table_room;
    g->size = 1;
    *graph = g;
    return TAUT_OK;
}

void taut_graph_free(taut_graph **graph) {
    taut_graph *g = *graph;
    if (!g) return;
    taut_release((void **)&g->node);
    taut_release((void **)&g->arg);
    taut_release((void **)&g->coef);
    taut_release((void **)&g->table);
    taut_release((void **)&g->dot);
    taut_release((void **)&g->frame);
    taut_release((void **)&g->assumption);
    taut_release((void **)&g->kept);
    taut_release((void **)graph);
}

/* count entries of a list in memory of their own; room is what the list has. */
static int copy_list(void **to, size_t *room, const void *from, size_t count, size_t size) {
    *to = NULL;
    *room = 0;
    if (count == 0) return 0;
    if (taut_reserve(to, room, count, size)) return -1;
    memcpy(*to, from, count * size);
    return 0;
}

taut_status taut_graph_copy(const taut_graph *graph, taut_graph **copy) {
    taut_graph *g = NULL;
    size_t room = 0, table_room, dot_room;
    *copy = NULL;
    if (taut_grow((void **)&g, &room, 1, sizeof *g)) return TAUT_ERR_MEMORY;
    *g = (taut_graph){.size = graph->size,
                      .used = graph->used,
                      .table_size = graph->table_size,
                      .dot_size = graph->dot_size,
                      .dots = graph->dots,
                      .assumptions = graph->assumptions,
                      .keeps = graph->keeps,
                      .parameters = graph->parameters,
                      .follows = graph->follows,
                      .failed = graph->failed};
    if (copy_list((void **)&g->node, &g->node_room, graph->node, g->size, sizeof *g->node) ||
        copy_list((void **)&g->arg, &g->arg_room, graph->arg, g->used, sizeof *g->arg) ||
        copy_list((void **)&g->coef, &g->coef_room, graph->coef, g->used, sizeof *g->coef) ||
        /* nothing may be added to NULL, not even 0: a graph whose nodes have no arguments */
        (!g->arg && taut_grow((void **)&g->arg, &g->arg_room, 1, sizeof *g->arg)) ||
        (!g->coef && taut_grow((void **)&g->coef, &g->coef_room, 1, sizeof *g->coef)) ||
        copy_list((void **)&g->table, &table_room, graph->table, g->table_size, sizeof *g->table) ||
        copy_list((void **)&g->dot, &dot_room, graph->dot, g->dot_size, sizeof *g->dot) ||
        copy_list((void **)&g->assumption, &g->assumption_room, graph->assumption, g->assumptions,
                  sizeof *g->assumption) ||
        copy_list((void **)&g->kept, &g->keep_room, graph->kept, g->keeps, sizeof *g->kept)) {
        taut_graph_free(&g);
        return TAUT_ERR_MEMORY;
    }
    *copy = g;
    return TAUT_OK;
}

bool taut_graph_failed(const taut_graph *g) { return g->failed; }
void taut_graph_fail(taut_graph *g) { g->failed = true; }
bool taut_node_is_number(const taut_graph *g, taut_node n, double number) {
    return g->node[n].op == TAUT_OP_CONST && g->node[n].value == number;
}

/* ---- assumptions ---- */

void taut_graph_assume(taut_graph *g, taut_node v, taut_assume_kind kind) {
    if (v == TAUT_NO_NODE || g->node[v].op == TAUT_OP_CONST || !g->node[v].steady) return;
    const uint8_t bit = (uint8_t)(1u << kind);
    if (g->node[v].assumed & bit) return;
    if (taut_grow((void **)&g->assumption, &g->assumption_room, g->assumptions + 1,
                  sizeof *g->assumption)) {
        taut_graph_lost(g);
        return;
    }
    g->node[v].assumed |= bit;
    g->assumption[g->assumptions++] = (taut_assumption){v, kind, g->node[v].value};
}

void taut_graph_tolerate(taut_graph *g, bool yes) { g->tolerant = yes; }

bool taut_graph_tolerates(const taut_graph *g, const taut_assumption *a) {
    return g->tolerant && a->kind == TAUT_ASSUME_CHOICE;
}

const taut_assumption *taut_graph_assumptions(const taut_graph *g, size_t *count) {
    *count = g->assumptions;
    return g->assumption;
}

void taut_graph_follow(taut_graph *g) { g->follows = true; }
bool taut_graph_follows(const taut_graph *g) { return g->follows; }
int taut_graph_parameters(const taut_graph *g) { return g->parameters; }

bool taut_graph_is_kept(const taut_graph *g, int index) {
    return (size_t)index < g->keeps && g->kept[index];
}

void taut_graph_keep(taut_graph *g, int index) {
    const size_t needed = (size_t)index + 1;
    if (taut_grow((void **)&g->kept, &g->keep_room, needed, sizeof *g->kept)) {
        taut_graph_lost(g);
        return;
    }
    for (; g->keeps < needed; g->keeps++) g->kept[g->keeps] = 0;
    g->kept[index] = 1;
}
