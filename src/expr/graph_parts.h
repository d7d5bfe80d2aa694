/* What the tables of a graph consist of. Private to expr/graph*.c. */
#ifndef TAUT_EXPR_GRAPH_PARTS_H
#define TAUT_EXPR_GRAPH_PARTS_H

#include "expr/graph.h"

/* The p-th time derivative of a node. */
typedef struct taut_dot_entry {
    taut_node node; /* 0: empty */
    int p;
    taut_node result;
} taut_dot_entry;

/* A node whose derivative waits for those of its arguments from number `next` on. */
typedef struct taut_dot_frame {
    taut_node node;
    uint32_t next;
} taut_dot_frame;

/* A node and the half of its hash that tells its place in a table of any size. */
typedef struct taut_node_entry {
    taut_node node; /* 0: empty */
    uint32_t hashed;
} taut_node_entry;

/* There is no memory, or an argument is missing. */
static inline taut_node taut_graph_lost(taut_graph *g) {
    g->failed = true;
    return TAUT_NO_NODE;
}

static inline uint64_t taut_hash_mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

/* Where a hash begins in a table of fewer than 2^32 places: by its highest bits, which every bit
 * has an influence on; numbers like 2 and 0.5 differ in theirs alone. */
static inline size_t taut_hash_place(uint64_t hashed, size_t size) {
    return (size_t)((hashed >> 32) * size >> 32);
}

/* Is the parameter with this index kept? */
bool taut_graph_is_kept(const taut_graph *g, int index);

/* A node of an operator with arguments; coef NULL: only sums have them. A steady one knows its
 * number, and 0 is the number 0 unless it is held: what vanishes must not be left in the structure.
 */
taut_node taut_graph_make(taut_graph *g, taut_op op, int index, double constant, uint32_t count,
                          const taut_node *arg, const double *coef);

#endif
