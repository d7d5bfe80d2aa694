/* What a graph consists of. Private to expr/graph*.c. */
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

struct taut_graph {
    bool tolerant;        /* see taut_graph_tolerate */
    taut_node_data *node; /* [size] */
    size_t size, node_room;
    taut_node *arg; /* [used] arguments of all nodes */
    double *coef;   /* [used] their coefficients; only sums use them */
    size_t used, arg_room, coef_room;
    taut_node *table; /* [table_size] open addressing; 0 is empty */
    size_t table_size;
    taut_dot_entry *dot; /* [dot_size] open addressing; derivatives of sums and multiples so far */
    size_t dot_size, dots;
    taut_dot_frame *frame; /* work of taut_dot */
    size_t frame_room;
    taut_assumption *assumption; /* [assumptions] in the order in which they were made */
    size_t assumptions, assumption_room;
    uint8_t *kept; /* [keeps] by index: is the parameter kept? Those beyond are not */
    size_t keeps, keep_room;
    int parameters; /* one more than the largest index so far */
    bool follows;   /* see taut_graph_follow */
    bool failed;
};

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
