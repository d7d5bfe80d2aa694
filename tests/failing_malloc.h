/* Allocations that fail on purpose. Linking failing_malloc.c replaces malloc and its kin in the
 * whole process, shared libraries included. */
#ifndef TAUT_TESTS_FAILING_MALLOC_H
#define TAUT_TESTS_FAILING_MALLOC_H

#include <stdbool.h>

/* Counts allocations of this thread from now on; number `which` (from 1) fails, once; 0: none. */
void failing_malloc_begin(long which);
/* From now on all allocations fail that would make this thread use so many bytes more than now. */
void failing_malloc_limit(long bytes);
/* Lets all succeed for a while, uncounted; what it was before. */
bool failing_malloc_pause(bool pause);
/* Ends it; how many there were. */
long failing_malloc_end(void);
/* Blocks that were allocated and not freed since the program began, in this thread. Always 0 under
 * the sanitizers, whose strdup allocates past this file; they look for leaks themselves. */
long failing_malloc_live(void);

#endif
