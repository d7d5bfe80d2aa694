/* Sorting by the bytes of keys, the last one first: only those in which any two keys differ. */
#include "core/keys.h"

#include <string.h>

enum { FEW = 24, BYTE = 8, VALUES = 1 << BYTE, BITS = 64 };

static void sort_few(taut_keyed *list, size_t count) {
    for (size_t k = 1; k < count; k++) {
        const taut_keyed x = list[k];
        size_t at = k;
        for (; at > 0 && list[at - 1].key > x.key; at--) list[at] = list[at - 1];
        list[at] = x;
    }
}

/* One pass: by the byte that begins with a bit. */
static void sort_by_byte(const taut_keyed *from, taut_keyed *to, size_t count, int bit) {
    size_t place[VALUES] = {0}, next = 0;
    for (size_t k = 0; k < count; k++) place[from[k].key >> bit & (VALUES - 1)]++;
    for (int v = 0; v < VALUES; v++) {
        const size_t many = place[v];
        place[v] = next;
        next += many;
    }
    for (size_t k = 0; k < count; k++) to[place[from[k].key >> bit & (VALUES - 1)]++] = from[k];
}

void taut_keys_sort(taut_keyed *list, taut_keyed *spare, size_t count) {
    uint64_t differ = 0;
    if (count <= FEW) {
        sort_few(list, count);
        return;
    }
    for (size_t k = 1; k < count; k++) differ |= list[k].key ^ list[0].key;
    taut_keyed *from = list, *to = spare;
    for (int bit = 0; bit < BITS; bit += BYTE) {
        if (!(differ >> bit & (VALUES - 1))) continue;
        sort_by_byte(from, to, count, bit);
        taut_keyed *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != list) memcpy(list, from, count * sizeof *list);
}
