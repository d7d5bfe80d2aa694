/* Bounds as a stack of each thread. */
#include "core/bounds.h"

#ifndef __wasm__
#include <sys/resource.h>
#endif
#include <unistd.h>

#include "core/clock.h"

static const double PAUSE = 0.02; /* seconds between two questions */

static _Thread_local taut_bounds *current;

void taut_bounds_begin(taut_bounds *bounds) {
    bounds->stopped = false;
    bounds->next = taut_seconds() + PAUSE;
    bounds->outer = current;
    if (current && !bounds->stop) {
        bounds->stop = current->stop;
        bounds->user = current->user;
    }
    if (current && !(bounds->memory > 0.0)) bounds->memory = current->memory;
    current = bounds;
}

void taut_bounds_end(taut_bounds *bounds) { current = bounds->outer; }

bool taut_bounds_are_set(void) { return current && current->stop; }

taut_status taut_bounds_ask(void) {
    taut_bounds *b = current;
    if (!b || !b->stop) return TAUT_OK;
    if (b->stopped) return TAUT_INTERRUPTED;
    const double now = taut_seconds();
    if (now < b->next) return TAUT_OK;
    b->next = now + PAUSE;
    b->stopped = b->stop(b->user) != 0;
    return b->stopped ? TAUT_INTERRUPTED : TAUT_OK;
}

taut_status taut_bounds_check(const char *what, double rows, double columns, taut_errors *errors) {
    const double bytes = rows * columns * (double)sizeof(double);
    const double most = current && current->memory > 0.0 ? current->memory : TAUT_MEMORY_DEFAULT;
    if (bytes <= most) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_INPUT,
                     "%s would have %.10g rows and %.10g columns: that is %.3g GB, and "
                     "options.memory allows %.3g",
                     what, rows, columns, 1e-9 * bytes, 1e-9 * most);
}

/* What the machine has, or what the process may have of it. */
static double memory_of_process(void) {
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
#ifndef __wasm__
    static const int kind[] = {RLIMIT_AS, RLIMIT_DATA};
    for (int i = 0; i < 2; i++) {
        struct rlimit limit;
        if (getrlimit(kind[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
            (double)limit.rlim_cur < memory)
            memory = (double)limit.rlim_cur;
    }
#endif
    return memory;
}

int taut_bounds_fitting(double bytes, int least) {
    static const double MOST = 1e8;
    const double count = memory_of_process() / bytes;
    return count > MOST ? (int)MOST : count > least ? (int)count : least;
}
