/* Options of exports: defaults and ranges. */
#include "export/export_options.h"

#include <math.h>

#include "core/status.h"
#include "task/options.h"

enum { COOKIE = 0x7a0c22, MOST_ORDER = 60 };

taut_export_options taut_export_options_default(void) {
    return (taut_export_options){.cookie = COOKIE, .run = taut_run_options_default(), .fmi = 3};
}

taut_status taut_export_check_options(const taut_export_options *o, taut_errors *errors) {
    if (o->cookie != COOKIE)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "the options have not been filled: begin with "
                         "taut_export_options_default()");
    TAUT_TRY(taut_options_check_cookie(&o->run, errors));
    if (!(o->run.rtol > 0.0) || !isfinite(o->run.rtol) || o->run.rtol >= 1.0)
        return taut_fail(errors, TAUT_ERR_CALL, "options.rtol must be between 0 and 1");
    if (!(o->run.step >= 0.0) || !isfinite(o->run.step))
        return taut_fail(errors, TAUT_ERR_CALL, "options.step must not be negative");
    if (o->run.order != 0 && (o->run.order < 4 || o->run.order > MOST_ORDER))
        return taut_fail(errors, TAUT_ERR_CALL, "options.order must be 4 to %d", MOST_ORDER);
    return TAUT_OK;
}
