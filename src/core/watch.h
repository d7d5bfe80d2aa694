/* Where the time of a run goes: a stopwatch that always counts for one phase. */
#ifndef TAUT_CORE_WATCH_H
#define TAUT_CORE_WATCH_H

#include <stddef.h>

#include "taut/run.h"

/* Zeroed but for `now`, which is TAUT_PHASES while it stands still. */
typedef struct taut_watch {
    taut_phase now;                  /* what it counts for, ... */
    double since;                    /* ... since when */
    double seconds[TAUT_PHASES + 1]; /* so far; the last one: no phase */
} taut_watch;

/* Counts for another phase from now on; returns the one before, to be turned back to. */
taut_phase taut_watch_turn(taut_watch *watch, taut_phase phase);

/* The same where there may be no watch: without one it costs a comparison. */
static inline taut_phase taut_count_for(taut_watch *watch, taut_phase phase) {
    return watch ? taut_watch_turn(watch, phase) : phase;
}

#endif
