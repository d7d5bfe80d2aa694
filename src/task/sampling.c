/* Sample times of controllers. Sample k is at t0 + Offset + k Every, from the integer k and never
 * by adding, so that a million samples later it is still exact; steps end there. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "task/happen.h"

static const double ROUNDING =
    8.0 * DBL_EPSILON; /* times that are closer are one, beside their size */

static const taut_model *model_of(const taut_simulation *s) { return s->prepared->problem->model; }

static double time_of(const taut_simulation *s, int controller, double k) {
    const taut_model *m = model_of(s);
    const taut_model_controller *c = &m->controller[controller];
    return m->t0 + (c->offset + k * c->whole / c->parts);
}

/* How far apart two times may be that are the same but for rounding. */
static double slack(const taut_simulation *s, double t) {
    return ROUNDING * fmax(fabs(t), fabs(model_of(s)->t0));
}

double taut_sampling_next(const taut_simulation *s) {
    const taut_model *m = model_of(s);
    double next = HUGE_VAL;
    for (int i = 0; i < m->controllers; i++)
        next = fmin(next, time_of(s, i, s->happen->samples[i]));
    return fabs(next - s->tend) <= slack(s, s->tend) ? s->tend : next;
}

bool taut_sampling_mark(taut_simulation *s, double time) {
    const taut_model *m = model_of(s);
    bool any = false;
    for (int i = 0; i < m->controllers; i++) {
        s->happen->due[i] = time_of(s, i, s->happen->samples[i]) <= time + slack(s, time);
        any = any || s->happen->due[i];
    }
    return any;
}

taut_status taut_happen_aim(taut_simulation *s) {
    if (!s->happen || model_of(s)->controllers == 0) return TAUT_OK;
    return taut_stepper_set_end(s->stepper, fmin(taut_sampling_next(s), s->tend));
}

/* ---- the start ---- */

/* The samples that a state says it has had; otherwise those before its time. */
static double samples_of(const taut_simulation *s, int controller, const taut_state *from) {
    const taut_model_controller *c = &model_of(s)->controller[controller];
    for (int k = 0; from && k < from->discretes; k++)
        if (strcmp(from->discrete[k].name, c->name) == 0 && from->discrete[k].value >= 0.0)
            return floor(from->discrete[k].value);
    double k = fmax(0.0, ceil((s->t0 - model_of(s)->t0 - c->offset) / c->every) - 1.0);
    while (time_of(s, controller, k) < s->t0 - slack(s, s->t0)) k++;
    return k;
}

taut_status taut_sampling_begin(taut_simulation *s, const taut_state *from, taut_errors *errors) {
    const taut_model *m = model_of(s);
    const double reach = fmax(fabs(s->t0), fabs(s->tend));
    for (int i = 0; i < m->controllers; i++) {
        const taut_model_controller *c = &m->controller[i];
        if (s->tend < s->t0)
            return taut_fail_at(errors, TAUT_ERR_INPUT, c->place,
                                "backward in time the controller '%s' cannot be run: what its "
                                "states and outputs were does not follow from what they are",
                                c->name);
        if (c->every < 4.0 * ROUNDING * reach)
            return taut_fail_at(errors, TAUT_ERR_INPUT, c->place,
                                "the period of the controller '%s', %.3g, is too short: times up "
                                "to %.10g cannot tell its samples apart",
                                c->name, c->every, reach);
        s->happen->samples[i] = samples_of(s, i, from);
    }
    return TAUT_OK;
}
