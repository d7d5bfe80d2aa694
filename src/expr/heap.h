/* A priority queue (max-heap): the order of a walk through few nodes of a graph (expr/descent for
 * many). */
#ifndef TAUT_EXPR_HEAP_H
#define TAUT_EXPR_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct taut_heap {
    uint32_t *item;
    size_t size, room;
} taut_heap;

int taut_heap_push(taut_heap *heap, uint32_t item); /* 0, or -1 without memory */
uint32_t taut_heap_pop(taut_heap *heap);            /* the heap must not be empty */
void taut_heap_release(taut_heap *heap);

#endif
