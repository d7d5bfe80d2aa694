#include "expr/slots.h"

taut_status taut_slots_create(const taut_node *node, int count, size_t nodes, taut_arena *arena,
                              taut_slots *slots) {
    const taut_slots s = {
        .on = {TAUT_NEW_ARRAY(arena, taut_marks_words(nodes), uint64_t), taut_marks_words(nodes)},
        .before = TAUT_NEW_ARRAY(arena, taut_marks_words(nodes), int),
        .slot = TAUT_NEW_ARRAY(arena, count, int)};
    if (!s.on.word || !s.before || !s.slot) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        if (node[i] == TAUT_NO_NODE) continue;
        taut_marks_put(&s.on, node[i]);
        s.before[node[i] / 64]++;
    }
    for (size_t k = 0, sum = 0, here; k < s.on.words; k++, sum += here) {
        here = (size_t)s.before[k]; /* how many there are in this word */
        s.before[k] = (int)sum;
    }
    for (int i = 0; i < count; i++)
        if (node[i] != TAUT_NO_NODE) s.slot[taut_slots_rank(&s, node[i])] = i;
    *slots = s;
    return TAUT_OK;
}
