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

/* The same for a piece of work with the model of a text, which is read anew each time. */
typedef taut_status allocation_task(const taut_model *model);
void allocation_sweep_text(allocation_task *use, const char *text, long sample);
/* What writes no table says in out.csv that it has ended well. */
taut_status allocation_done(taut_status status);

#endif
