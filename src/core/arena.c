/* Arenas and growing arrays: every byte that taut itself allocates comes from here. */
#include "core/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Arrays start at a cache line; what is smaller than one is packed. */
enum {
    ALIGNMENT = 64,
    SMALL_ALIGNMENT = 16,
    FIRST_BLOCK = 4096,
    LARGEST_BLOCK = 1 << 16,
    LARGE = 1 << 18,
    FIRST_ARRAY = 4096
};

typedef struct taut_arena_block {
    struct taut_arena_block *next;
    size_t size, used; /* of the bytes that follow the header */
    char *bytes;       /* aligned */
} block;

static block *block_create(size_t size) {
    if (size > SIZE_MAX - sizeof(block) - ALIGNMENT) return NULL;
    /* a large array has a block of its own: fresh pages are clear, and those never used cost
     * nothing */
    block *b = size > LARGE ? calloc(1, sizeof(block) + ALIGNMENT + size)
                            : malloc(sizeof(block) + ALIGNMENT + size);
    if (!b) return NULL;
    uintptr_t first = ((uintptr_t)(b + 1) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    *b = (block){.size = size, .bytes = (char *)first};
    return b;
}

/* A block with room for so many bytes. Only the foremost one is filled further, and blocks double:
 * what would be a large part of the next one has one of its own behind it, so that little room is
 * lost. */
static block *block_add(taut_arena *arena, size_t size) {
    block *front = arena->blocks;
    size_t want = front ? 2 * arena->filled : FIRST_BLOCK;
    if (want > LARGEST_BLOCK) want = LARGEST_BLOCK;
    const bool own = size > want / 4;
    block *b = block_create(own ? size : want);
    if (!b) return NULL;
    if (front && own) {
        b->next = front->next;
        return front->next = b;
    }
    arena->filled = want;
    b->next = front;
    return arena->blocks = b;
}

void *taut_arena_alloc(taut_arena *arena, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    const size_t alignment = size < ALIGNMENT ? SMALL_ALIGNMENT : ALIGNMENT;
    block *b = arena->blocks;
    size_t start = b ? (b->used + alignment - 1) & ~(alignment - 1) : 0;
    if (!b || b->size < start || b->size - start < size) {
        b = block_add(arena, size);
        if (!b) return NULL;
        start = 0;
    }
    b->used = start + (size ? size : 1);
    return size > LARGE ? b->bytes : memset(b->bytes + start, 0, size);
}

void *taut_arena_array(taut_arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    return taut_arena_alloc(arena, count * size);
}

char *taut_arena_copy(taut_arena *arena, const char *text, size_t length) {
    char *copy = taut_arena_alloc(arena, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

/* Returns where the text ends. */
static char *put(char *to, const char *text) {
    while (*text) *to++ = *text++;
    return to;
}

char *taut_arena_concat(taut_arena *arena, const char *a, const char *b, const char *c) {
    char *all = taut_arena_alloc(arena, strlen(a) + strlen(b) + strlen(c) + 1);
    if (all) put(put(put(all, a), b), c);
    return all;
}

char *taut_arena_join(taut_arena *arena, const char *const *text, int count) {
    size_t size = 1;
    for (int k = 0; k < count; k++) size += strlen(text[k]) + 1;
    char *all = taut_arena_alloc(arena, size), *p = all;
    for (int k = 0; k < count && all; k++) {
        const size_t n = strlen(text[k]);
        if (k > 0) *p++ = ',';
        memcpy(p, text[k], n);
        p += n;
    }
    if (p) *p = '\0';
    return all;
}

void taut_arena_release(taut_arena *arena) {
    block *b = arena->blocks;
    while (b) {
        block *next = b->next;
        free(b);
        b = next;
    }
    *arena = (taut_arena){0};
}

void *taut_new(size_t size) { return calloc(1, size ? size : 1); }

/* The caller's pointer is a T *, not a void *: as an object of its own type it may be read and
 * written byte by byte only. */
static void *pointer_get(void **array) {
    void *pointer;
    memcpy(&pointer, array, sizeof pointer);
    return pointer;
}

static void pointer_set(void **array, void *pointer) { memcpy(array, &pointer, sizeof pointer); }

/* An array begins with 16 elements, but large ones come one by one. */
static size_t first_room(size_t size) {
    const size_t room = size ? FIRST_ARRAY / size : 16;
    return room < 1 ? 1 : room > 16 ? 16 : room;
}

static int resize(void **array, size_t *capacity, size_t room, size_t size) {
    if (room > SIZE_MAX / size) return -1;
    void *grown = realloc(pointer_get(array), room * size);
    if (!grown) return -1;
    pointer_set(array, grown);
    *capacity = room;
    return 0;
}

int taut_grow_more(void **array, size_t *capacity, size_t need, size_t size) {
    size_t room = *capacity ? *capacity : first_room(size);
    while (room < need) {
        if (room > SIZE_MAX / 2) return -1;
        room *= 2;
    }
    return resize(array, capacity, room, size);
}

int taut_reserve(void **array, size_t *capacity, size_t need, size_t size) {
    return need <= *capacity ? 0 : resize(array, capacity, need, size);
}

void taut_release(void **array) {
    free(pointer_get(array));
    pointer_set(array, NULL);
}
