/* malloc and its kin, counted and made to fail; the real ones are the next in the order of the
 * libraries, so that this works under the address sanitizer as well. The thread sanitizer does not
 * bear it: nothing fails there. */
#define _GNU_SOURCE
#include "failing_malloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

#if defined(__SANITIZE_ADDRESS__)
/* The leak sanitizer takes a thread's block of a library that is loaded late, allocated here and 16
 * bytes behind a page's beginning, for one with a header of an older glibc, and crashes. */
EXPORT const char *__asan_default_options(void);
EXPORT const char *__asan_default_options(void) { return "intercept_tls_get_addr=0"; }
#endif

static _Thread_local long count, failing, used, limit;
static _Thread_local bool armed;

#if !defined(__SANITIZE_THREAD__)

static _Thread_local long live;

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
} next;

/* What dlsym itself may want before the real functions are known; never given back. */
static _Alignas(16) char early[4096];
static size_t early_used;

static void *early_block(size_t size) {
    void *block = early + early_used;
    size = (size + 15) & ~(size_t)15;
    if (size > sizeof early - early_used) return NULL;
    early_used += size;
    return block;
}

static bool is_early(const void *block) {
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static bool find_real(void) {
    static _Thread_local bool looking;
    if (next.aligned_alloc) return true;
    if (looking) return false;
    looking = true;
#define FIND(name) *(void **)&next.name = dlsym(RTLD_NEXT, #name)
    FIND(malloc);
    FIND(calloc);
    FIND(realloc);
    FIND(free);
    FIND(posix_memalign);
    FIND(aligned_alloc);
#undef FIND
    looking = false;
    return true;
}

/* Is this the one that fails? */
static bool fails(size_t size) {
    if (!armed || (++count != failing && (limit == 0 || used + (long)size <= limit))) return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *block) {
    if (!block) return block;
    live++;
    if (armed) used += (long)malloc_usable_size(block); /* not before a sanitizer has begun */
    return block;
}

EXPORT void *malloc(size_t size) {
    if (!find_real()) return early_block(size);
    return fails(size) ? NULL : counted(next.malloc(size));
}

EXPORT void *calloc(size_t n, size_t size) {
    if (!find_real()) return early_block(n * size);
    return fails(n * size) ? NULL : counted(next.calloc(n, size));
}

EXPORT void *realloc(void *block, size_t size) {
    if (!find_real()) return early_block(size);
    if (fails(size)) return NULL;
    const long before = block && armed ? (long)malloc_usable_size(block) : 0;
    void *grown = next.realloc(block, size);
    if (block && grown && armed) used += (long)malloc_usable_size(grown) - before;
    return block ? grown : counted(grown);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size) {
    find_real();
    if (fails(size)) return ENOMEM;
    const int bad = next.posix_memalign(block, alignment, size);
    if (!bad) counted(*block);
    return bad;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
    find_real();
    return fails(size) ? NULL : counted(next.aligned_alloc(alignment, size));
}

EXPORT void free(void *block) {
    if (!block || is_early(block)) return;
    find_real();
    live--;
    if (armed) used -= (long)malloc_usable_size(block);
    next.free(block);
}

#endif

void failing_malloc_begin(long which) {
    count = 0;
    failing = which;
    limit = 0;
    armed = true;
}

void failing_malloc_limit(long bytes) {
    failing_malloc_begin(0);
    limit = used + bytes;
}

bool failing_malloc_pause(bool pause) {
    const bool before = !armed;
    armed = !pause;
    return before;
}

long failing_malloc_end(void) {
    armed = false;
    return count;
}

long failing_malloc_live(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0;
#else
    return live;
#endif
}
