/* Time derivatives: of sums and steady multiples term by term; all others are nodes. */
#include <string.h>

#include "core/arena.h"
#include "expr/graph_parts.h"

/* Sums and steady multiples: derivatives of these are built from those of their arguments, and are
 * remembered, since an argument may be reached in very many ways. */
static bool is_linear(const taut_graph *g, taut_node a) {
    const taut_node_data *d = &g->node[a];
    return !d->steady &&
           (d->op == TAUT_OP_SUM || (d->op == TAUT_OP_MUL && g->node[g->arg[d->first]].steady));
}

/* ---- those that are known ---- */

static taut_dot_entry *dot_slot(taut_dot_entry *table, size_t size, taut_node a, int p) {
    size_t i = taut_hash_place(taut_hash_mix(taut_hash_mix(0, a), (uint64_t)p), size);
    while (table[i].node && (table[i].node != a || table[i].p != p)) i = (i + 1) & (size - 1);
    return &table[i];
}

static taut_node dot_known(const taut_graph *g, taut_node a, int p) {
    return g->dot_size ? dot_slot(g->dot, g->dot_size, a, p)->result : TAUT_NO_NODE;
}

static bool dot_remember(taut_graph *g, taut_node a, int p, taut_node result) {
    if (2 * (g->dots + 1) > g->dot_size) {
        taut_dot_entry *table = NULL;
        size_t room = 0;
        if (taut_grow((void **)&table, &room, g->dot_size ? 2 * g->dot_size : 64, sizeof *table))
            return false;
        memset(table, 0, room * sizeof *table);
        for (size_t i = 0; i < g->dot_size; i++)
            if (g->dot[i].node) *dot_slot(table, room, g->dot[i].node, g->dot[i].p) = g->dot[i];
        taut_release((void **)&g->dot);
        g->dot = table;
        g->dot_size = room;
    }
    *dot_slot(g->dot, g->dot_size, a, p) = (taut_dot_entry){a, p, result};
    g->dots++;
    return true;
}

/* ---- new ones ---- */

/* What is neither a sum nor a multiple. */
static taut_node dot_single(taut_graph *g, taut_node a, int p) {
    const taut_node_data d = g->node[a];
    if (d.steady) return taut_number(g, 0.0);
    if (d.op == TAUT_OP_TIME) return taut_number(g, p == 1 ? 1.0 : 0.0);
    if (d.op == TAUT_OP_DIFF) { /* the argument of a DIFF is single */
        a = g->arg[d.first];
        p += d.index;
    }
    return taut_graph_make(g, TAUT_OP_DIFF, p, 0.0, 1, &a, NULL);
}

/* A sum or a multiple; the derivatives of its linear arguments are known. */
static taut_node dot_linear(taut_graph *g, taut_node a, int p) {
    const taut_node_data d = g->node[a];
    if (d.op == TAUT_OP_MUL) {
        const taut_node factor = g->arg[d.first], b = g->arg[d.first + 1];
        return taut_mul(g, factor, is_linear(g, b) ? dot_known(g, b, p) : dot_single(g, b, p));
    }
    taut_node few[32], *term = few, *heap = NULL;
    double few_coef[32], *coef = few_coef, *heap_coef = NULL;
    size_t room = 0, coef_room = 0;
    bool ok = true;
    if (d.count > 32) {
        ok = !taut_grow((void **)&heap, &room, d.count, sizeof *heap) &&
             !taut_grow((void **)&heap_coef, &coef_room, d.count, sizeof *heap_coef);
        term = heap;
        coef = heap_coef;
    }
    for (uint32_t i = 0; i < d.count && ok; i++) {
        const taut_node b = g->arg[d.first + i];
        coef[i] = g->coef[d.first + i];
        term[i] = is_linear(g, b) ? dot_known(g, b, p) : dot_single(g, b, p);
    }
    const taut_node result = ok ? taut_sum(g, 0.0, d.count, coef, term) : taut_graph_lost(g);
    taut_release((void **)&heap);
    taut_release((void **)&heap_coef);
    return result;
}

/* Depth first, without recursion: sums may hang on each other in long chains. */
taut_node taut_dot(taut_graph *g, taut_node a, int p) {
    if (a == TAUT_NO_NODE) return taut_graph_lost(g);
    if (p == 0) return a;
    if (!is_linear(g, a)) return dot_single(g, a, p);
    size_t depth = 0;
    taut_node result = dot_known(g, a, p);
    if (result != TAUT_NO_NODE) return result;
    if (taut_grow((void **)&g->frame, &g->frame_room, 1, sizeof *g->frame))
        return taut_graph_lost(g);
    g->frame[depth++] = (taut_dot_frame){a, 0};
    while (depth > 0) {
        taut_dot_frame *f = &g->frame[depth - 1];
        const taut_node_data *d = &g->node[f->node];
        if (f->next < d->count) {
            const taut_node b = g->arg[d->first + f->next++];
            if (d->op == TAUT_OP_MUL && f->next == 1) continue; /* the steady factor */
            if (!is_linear(g, b)) {
                dot_single(g, b, p); /* nodes are made in the order of the terms */
            } else if (dot_known(g, b, p) == TAUT_NO_NODE) {
                if (taut_grow((void **)&g->frame, &g->frame_room, depth + 1, sizeof *g->frame))
                    return taut_graph_lost(g);
                g->frame[depth++] = (taut_dot_frame){b, 0};
            }
            continue;
        }
        result = dot_linear(g, f->node, p);
        if (result == TAUT_NO_NODE || !dot_remember(g, f->node, p, result))
            return taut_graph_lost(g);
        depth--;
    }
    return result;
}
