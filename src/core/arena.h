/* Memory: arenas (region allocators) for objects of one lifetime, and growing arrays. The only
 * calls of malloc. */
#ifndef TAUT_CORE_ARENA_H
#define TAUT_CORE_ARENA_H

#include <stddef.h>

/* Blocks that are released all at once. {0} is an empty arena. */
typedef struct taut_arena {
    struct taut_arena_block *blocks; /* the one that is being filled first */
    size_t filled;                   /* its room, unless an object has it alone */
} taut_arena;

/* size bytes, zeroed, aligned to 16 (to 64 from 64 bytes on); NULL if there is no memory. size 0
 * gives a valid pointer. */
void *taut_arena_alloc(taut_arena *arena, size_t size);
/* count * size bytes, zeroed; NULL if there is no memory or the product overflows. */
void *taut_arena_array(taut_arena *arena, size_t count, size_t size);
/* A terminated copy of length bytes of text. */
char *taut_arena_copy(taut_arena *arena, const char *text, size_t length);
/* Three texts as one, for names that come of others. */
char *taut_arena_concat(taut_arena *arena, const char *a, const char *b, const char *c);
/* Texts (count) with commas between them, "a,b,c"; NULL likewise. */
char *taut_arena_join(taut_arena *arena, const char *const *text, int count);
/* Releases everything; the arena is then empty and usable again. */
void taut_arena_release(taut_arena *arena);

#define TAUT_NEW(arena, type) ((type *)taut_arena_alloc((arena), sizeof(type)))
#define TAUT_NEW_ARRAY(arena, count, type)                                                         \
    ((type *)taut_arena_array((arena), (size_t)(count), sizeof(type)))

/* A single object of size bytes, zeroed; NULL if there is no memory. Free with taut_release. */
void *taut_new(size_t size);

/* The rest of taut_grow, where there is no room yet. */
int taut_grow_more(void **array, size_t *capacity, size_t need, size_t size);
/* Makes room for `need` elements of `size` bytes in *array (heap, capacity in *capacity, both 0 at
 * first): at least doubles. Returns 0, or -1 if there is no memory (*array is then unchanged). New
 * elements are not initialised. Release with taut_release. */
#ifdef __clang_analyzer__ /* which does not know that an array with room is not NULL */
int taut_grow(void **array, size_t *capacity, size_t need, size_t size);
#else
static inline int taut_grow(void **array, size_t *capacity, size_t need, size_t size) {
    return need <= *capacity ? 0 : taut_grow_more(array, capacity, need, size);
}
#endif
/* The same for whoever knows how many it will be: no more than that. */
int taut_reserve(void **array, size_t *capacity, size_t need, size_t size);
/* Frees *array and sets it to NULL. */
void taut_release(void **array);

#endif
