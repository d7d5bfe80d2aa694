/* Numbers that are put in and taken out in descending order, each once: reverse topological order
 * of a sweep through the graph. A set of bits, and bits that tell which of its words are empty. */
#ifndef TAUT_EXPR_DESCENT_H
#define TAUT_EXPR_DESCENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "taut/status.h"

enum { TAUT_DESCENT_LEVELS = 6 }; /* 64^6 numbers */

typedef struct taut_descent {
    uint64_t *word[TAUT_DESCENT_LEVELS];
    size_t room[TAUT_DESCENT_LEVELS], used[TAUT_DESCENT_LEVELS]; /* words that are there, cleared */
    int levels; /* the last one of these has one word */
    size_t size;
} taut_descent;

/* Room for numbers below `numbers`; what is in it stays. */
taut_status taut_descent_reserve(taut_descent *descent, size_t numbers);
void taut_descent_release(taut_descent *descent);

/* A number that is not in it. */
static inline void taut_descent_put(taut_descent *d, uint32_t number) {
    d->size++;
    for (int level = 0; level < d->levels; level++) {
        uint64_t *word = &d->word[level][number >> 6];
        const bool known = *word != 0; /* above as well */
        *word |= UINT64_C(1) << (number & 63);
        if (known) return;
        number >>= 6;
    }
}

/* The largest one; it must not be empty. */
static inline uint32_t taut_descent_take(taut_descent *d) {
    size_t place = 0; /* of a word, and then of a bit in its level */
    for (int level = d->levels - 1; level >= 0; level--)
        place = place << 6 | (63 - (size_t)__builtin_clzll(d->word[level][place]));
    const uint32_t number = (uint32_t)place;
    d->size--;
    for (int level = 0; level < d->levels; level++) {
        uint64_t *word = &d->word[level][place >> 6];
        *word &= ~(UINT64_C(1) << (place & 63));
        if (*word) break;
        place >>= 6;
    }
    return number;
}

#endif
