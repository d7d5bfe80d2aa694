/* Co-simulation by taut's own stepper: steps of variable length that end at communication points,
 * or earlier at an event if the host wants to know of it. */
#include <math.h>

#include "fmu/instance_parts.h"

/* Inputs and tunable parameters that have been set since the last step begin to count. */
static taut_status apply(taut_instance *x) {
    taut_arena arena = {0};
    const double t = taut_simulation_reached(x->simulation);
    const size_t most = (size_t)x->list.count * (TAUT_FMU_INPUT_ORDER + 2);
    taut_parameter_change *change = TAUT_NEW_ARRAY(&arena, most, taut_parameter_change);
    int count = 0;
    for (int i = 0; i < x->list.count && change; i++)
        if (taut_fmu_is_set(&x->list.item[i]) && taut_instance_take_input(x, i, t))
            count += taut_instance_changes(x, i, change + count);
    const taut_status status =
        !change      ? TAUT_ERR_MEMORY
        : count == 0 ? TAUT_OK
                     : taut_simulation_alter(x->simulation, change, count, &x->errors);
    taut_arena_release(&arena);
    return status;
}

/* After a step inside: the host may look at it, and may want to have the rest later. */
static bool tell(taut_instance *x, double end, double *wanted) {
    const taut_host_wishes *h = &x->host;
    const double t = taut_simulation_reached(x->simulation);
    if (!h->update || t >= end) return false;
    const taut_mode before = x->mode;
    x->mode = TAUT_MODE_INTERMEDIATE;
    *wanted = end;
    const bool early = h->update(x->user, t, h->early_return, wanted);
    x->mode = before;
    return early && h->early_return;
}

/* Steps until the end of the communication step, where the last one ends, or to an event. */
static taut_status advance(taut_instance *x, double end, taut_step_report *r) {
    taut_simulation *s = x->simulation;
    taut_status status = TAUT_OK;
    double wanted = end;
    TAUT_TRY(taut_simulation_set_end(s, end));
    while (status == TAUT_OK) {
        const bool event = taut_happen_is_pending(s);
        if (event && x->host.event_mode) {
            r->event = true;
            break;
        }
        status = taut_simulation_step(s, &x->errors);
        if (status != TAUT_OK) break;
        if (event && x->host.early_return && taut_simulation_reached(s) < end) break;
        if (!tell(x, end, &wanted)) continue;
        if (!(wanted > taut_simulation_reached(s))) break;
        end = fmin(end, wanted);
        TAUT_TRY(taut_simulation_set_end(s, end));
    }
    r->ended = status == TAUT_AT_END && s->happen && s->happen->halted;
    return status == TAUT_AT_END ? TAUT_OK : status;
}

bool taut_instance_step(taut_instance *x, double t, double h, taut_step_report *r) {
    const double now = taut_simulation_reached(x->simulation), end = t + h;
    *r = (taut_step_report){.reached = now};
    if (!(fabs(t - now) <= 1e-9 * fmax(fabs(now), h)))
        return taut_instance_refuse(x, "step", "it does not begin where the last one ended");
    if (!(h > 0.0) || !isfinite(end))
        return taut_instance_refuse(x, "step", "its length is not positive");
    if (end > x->stop * (1.0 + 1e-12) + 1e-12 * h)
        return taut_instance_refuse(x, "step", "it goes beyond the stop time");
    taut_instance_moved(x);
    /* with the end far away, inputs can be set anywhere before it */
    taut_status status = taut_simulation_set_end(x->simulation, end);
    if (status == TAUT_OK) status = apply(x);
    if (status == TAUT_OK) status = advance(x, end, r);
    r->reached = taut_simulation_reached(x->simulation);
    taut_instance_rest_inputs(x, r->reached);
    r->early = r->reached < end;
    x->ended = r->ended;
    return taut_instance_fail(x, status);
}

bool taut_instance_has_ended(const taut_instance *x) { return x->ended; }

/* ---- event mode of co-simulation ---- */

bool taut_instance_pass_event(taut_instance *x, bool *ended) {
    taut_status status = TAUT_OK;
    while (status == TAUT_OK && taut_happen_is_pending(x->simulation))
        status = taut_simulation_step(x->simulation, &x->errors);
    taut_instance_moved(x);
    *ended = x->ended = x->simulation->happen && x->simulation->happen->halted;
    return taut_instance_fail(x, status);
}
