/* Which nodes of a graph have a slot, and which one: a small table for what is looked up after a
 * tape is made, when few of its nodes are left. */
#ifndef TAUT_EXPR_SLOTS_H
#define TAUT_EXPR_SLOTS_H

#include "core/arena.h"
#include "core/status.h"
#include "expr/marks.h"

typedef struct taut_slots {
    taut_marks on; /* the nodes that have one */
    int *before;   /* [words] how many there are in the words before this one */
    int *slot;     /* of each of them, by ascending nodes */
} taut_slots;

/* Slot i is that of node[i], i < count; TAUT_NO_NODE: of none. Nodes are below `nodes`. Memory from
 * arena. */
taut_status taut_slots_create(const taut_node *node, int count, size_t nodes, taut_arena *arena,
                              taut_slots *slots);

/* How many nodes before one of them have a slot. */
static inline int taut_slots_rank(const taut_slots *s, taut_node v) {
    const uint64_t below = s->on.word[v / 64] & ~(~UINT64_C(0) << (v % 64));
    return s->before[v / 64] + __builtin_popcountll(below);
}

/* -1: it has none. */
static inline int taut_slots_find(const taut_slots *s, taut_node v) {
    if (v / 64 >= s->on.words || !taut_marks_have(&s->on, v)) return -1;
    return s->slot[taut_slots_rank(s, v)];
}

#endif
