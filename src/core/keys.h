/* Orders by keys of 64 bits, without comparisons. */
#ifndef TAUT_CORE_KEYS_H
#define TAUT_CORE_KEYS_H

#include <stddef.h>
#include <stdint.h>

typedef struct taut_keyed {
    uint64_t key;
    int item; /* whatever the key belongs to */
} taut_keyed;

/* A part of a key that orders negative numbers before others. */
static inline uint32_t taut_key_of(int x) { return (uint32_t)x ^ UINT32_C(0x80000000); }

/* Sorts list[count] by ascending keys; equal ones stay in their order. spare[count] is work space.
 */
void taut_keys_sort(taut_keyed *list, taut_keyed *spare, size_t count);

#endif
