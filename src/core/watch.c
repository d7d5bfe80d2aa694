/* A stopwatch for the phases of a run. */
#include "core/watch.h"

#include "core/clock.h"

taut_phase taut_watch_turn(taut_watch *w, taut_phase phase) {
    const double time = taut_seconds();
    const taut_phase before = w->now;
    w->seconds[before] += time - w->since;
    w->since = time;
    w->now = phase;
    return before;
}

const char *taut_phase_name(taut_phase phase) {
    static const char *const NAME[] = {
#define TAUT_PHASE(name, words) words,
#include "taut/phase.def"
#undef TAUT_PHASE
    };
    return (unsigned)phase < TAUT_PHASES ? NAME[phase] : NULL;
}
