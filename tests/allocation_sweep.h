/* Every allocation of a piece of work made to fail once: a clean error each time, nothing lost,
 * nothing half-written. Needs program.c and failing_malloc.c. */
#ifndef TAUT_TESTS_ALLOCATION_SWEEP_H
#define TAUT_TESTS_ALLOCATION_SWEEP_H

#include "taut/taut.h"

/* What the work under test reports to; it empties the list first. */
extern taut_errors allocation_errors;

/* use(path) writes out.csv when all is well. All of the first allocations fail, then about `sample`
 * more; with TAUT_ALLOCATION_ALL in the environment every one. */
void allocation_sweep(taut_status (*use)(const char *), const char *path, long sample);

#endif
