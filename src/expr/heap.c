/* A binary heap of node numbers. */
#include "expr/heap.h"

#include "core/arena.h"

int taut_heap_push(taut_heap *h, uint32_t item) {
    if (taut_grow((void **)&h->item, &h->room, h->size + 1, sizeof *h->item)) return -1;
    size_t i = h->size++;
    while (i > 0 && h->item[(i - 1) / 2] < item) {
        h->item[i] = h->item[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->item[i] = item;
    return 0;
}

uint32_t taut_heap_pop(taut_heap *h) {
    uint32_t top = h->item[0], last = h->item[--h->size];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->size) break;
        if (child + 1 < h->size && h->item[child + 1] > h->item[child]) child++;
        if (h->item[child] <= last) break;
        h->item[i] = h->item[child];
        i = child;
    }
    if (h->size > 0) h->item[i] = last;
    return top;
}

void taut_heap_release(taut_heap *h) {
    taut_release((void **)&h->item);
    h->size = h->room = 0;
}
