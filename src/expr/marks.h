/* A set of nodes as bits, for walks through the few nodes of a large graph that something needs. */
#ifndef TAUT_EXPR_MARKS_H
#define TAUT_EXPR_MARKS_H

#include "expr/graph.h"

typedef struct taut_marks {
    uint64_t *word; /* [words], cleared by whoever provides them */
    size_t words;
} taut_marks;

/* So many words are needed for the nodes of a graph of this size. */
static inline size_t taut_marks_words(size_t nodes) { return nodes / 64 + 1; }

static inline bool taut_marks_have(const taut_marks *m, taut_node v) {
    return m->word[v / 64] >> (v % 64) & 1;
}

static inline void taut_marks_put(const taut_marks *m, taut_node v) {
    m->word[v / 64] |= UINT64_C(1) << (v % 64);
}

/* The first marked node from v on; TAUT_NO_NODE: there is none. */
static inline taut_node taut_marks_from(const taut_marks *m, taut_node v) {
    size_t at = v / 64;
    if (at >= m->words) return TAUT_NO_NODE;
    uint64_t word = m->word[at] & ~UINT64_C(0) << (v % 64);
    while (word == 0 && ++at < m->words) word = m->word[at];
    return word ? (taut_node)(64 * at) + (taut_node)__builtin_ctzll(word) : TAUT_NO_NODE;
}

/* The last marked node below v; TAUT_NO_NODE: there is none. Others may be marked below it on the
 * way. */
static inline taut_node taut_marks_below(const taut_marks *m, taut_node v) {
    size_t at = v / 64;
    uint64_t word = v % 64 ? m->word[at] & ~(~UINT64_C(0) << (v % 64)) : 0;
    while (word == 0 && at > 0) word = m->word[--at];
    return word ? (taut_node)(64 * at) + 63 - (taut_node)__builtin_clzll(word) : TAUT_NO_NODE;
}

#endif
