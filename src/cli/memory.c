/* The heap of the GNU C library, made so large at once that it can consist of large pages. Only
 * what is touched of it takes memory. */
#define _DEFAULT_SOURCE /* madvise, sbrk */
#include "cli/memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE) && UINTPTR_MAX > UINT32_MAX

enum { ROOM = 256 << 20, LARGE_PAGE = 2 << 20, SOME = 256 << 10, BEGIN = 4 << 10 };

/* Is there plenty? Otherwise what is kept here is missing where libraries want to have it. */
static int is_plenty(void) {
    static const int kind[] = {RLIMIT_AS, RLIMIT_DATA};
    for (int i = 0; i < 2; i++) {
        struct rlimit limit;
        if (getrlimit(kind[i], &limit) != 0) return 0;
        if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 16 < ROOM) return 0;
    }
    return 1;
}

void memory_prepare(void) {
    if (!is_plenty()) return;
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* large arrays are part of the heap, too, ... */
    mallopt(M_TRIM_THRESHOLD, ROOM);     /* ... and what was released stays */
    mallopt(M_TOP_PAD, ROOM);
    /* The heap begins just before a large page, so that the first one is not broken by what malloc
     * writes at once: it takes as long as thirty small ones. What lies before is never touched. */
    const uintptr_t before = (uintptr_t)sbrk(0);
    const uintptr_t first = (before + BEGIN + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    sbrk((intptr_t)(first - BEGIN - before));
    for (size_t size = 1; size <= SOME && (uintptr_t)sbrk(0) <= first; size *= SOME) {
        void *volatile some = malloc(size); /* the first makes a heap, the second makes one grow */
        free(some);
    }
    const uintptr_t after = (uintptr_t)sbrk(0);
    const uintptr_t end = after / LARGE_PAGE * LARGE_PAGE;
    if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
    mallopt(M_TOP_PAD, LARGE_PAGE); /* for what comes later, or if there is no such room */
}

#else

void memory_prepare(void) {}

#endif
