/* The caller's progress as bounds. */
#include "task/allowance.h"

static int ask_caller(void *user) {
    const taut_run_options *o = user;
    return o->progress(o->user, 0.0);
}

void taut_allowance_begin(taut_allowance *a, const taut_run_options *options) {
    a->options = options;
    a->bounds = (taut_bounds){0};
    if (options && options->progress) {
        a->bounds.stop = ask_caller;
        a->bounds.user = (void *)options; /* not changed: ask_caller reads it */
    }
    if (options) a->bounds.memory = options->memory;
    taut_bounds_begin(&a->bounds);
}

taut_status taut_allowance_end(taut_allowance *a, taut_status status, taut_errors *errors) {
    taut_bounds_end(&a->bounds);
    if (!a->bounds.stopped || status == TAUT_ERR_MEMORY) return status;
    if (errors) errors->count = errors->dropped = 0;
    return taut_fail(errors, TAUT_INTERRUPTED, "interrupted");
}
