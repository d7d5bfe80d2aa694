/* What to say if steps become too short to be taken. */
#include "solve/trouble.h"

#include <float.h>
#include <math.h>

#include "core/number.h"

/* Why a step of size h cannot be taken at time t, after so many attempts. */
static const char *reason(long attempts, double h, double t) {
    /* the very first step, which nothing has shortened, is lost in the digits of the time */
    if (attempts == 0 && fabs(h) < 64.0 * DBL_EPSILON * fabs(t))
        return "times as large as this have too few digits for it; let the run begin nearer to t = "
               "0";
    return "the solution seems to have a singularity just beyond";
}

taut_status taut_collapse_explain(const taut_system *system, const taut_stepper *stepper, double h,
                                  const taut_component *worst, double value, taut_errors *errors) {
    const taut_stepper_stats stats = taut_stepper_statistics(stepper);
    char text[200] = "", there[260] = "";
    if (worst) {
        taut_derivative_name(system, worst->variable, worst->order, text, sizeof text);
        taut_format(there, sizeof there, " (%s = %.6g there)", text, value);
    }
    return taut_fail_at(errors, TAUT_STEP_COLLAPSED, system->place,
                        "the step size collapsed to %.2g at t = %.10g: %s%s", h, stepper->t,
                        reason(stats.steps + stats.rejected, h, stepper->t), there);
}
