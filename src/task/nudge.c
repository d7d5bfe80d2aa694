/* Runs from an initial state that is changed a little: how much does it matter? */
#include <float.h>
#include <math.h>

#include "task/simulation.h"

static const double ROUNDING = 16.0 * DBL_EPSILON; /* a nudge that constraints do not notice */
enum { SETTLINGS = 4 };                            /* Newton steps back to them from a larger one */

/* Brings a state that was changed by more than rounding back to the constraints. Where that fails
 * the first step will say so. */
static taut_status settle(taut_state *state, taut_series *series) {
    taut_status status = TAUT_OK;
    taut_state_write(state, series);
    for (int i = 0; i < SETTLINGS && status == TAUT_OK; i++)
        status = taut_series_settle(series, true, NULL, NULL);
    taut_state_read(state, series);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

/* The largest number of each group and level, and of each level. */
static void find_sizes(const taut_state *state, const taut_system *system, int levels, double *size,
                       double *level) {
    for (int j = 0; j < state->n; j++)
        for (int k = 0; k < taut_state_order(state, j); k++) {
            double *largest = &size[system->unknown[j].group * levels + k];
            *largest = fmax(*largest, fabs(*taut_state_at(state, j, k)));
            level[k] = fmax(level[k], *largest);
        }
}

/* Changes every number of the state by a part of the largest one of its group, up or down as a hash
 * decides. A zero is exact: only changes larger than rounding change it, too. */
static taut_status nudge(const void *user, taut_state *state, taut_series *series) {
    const double part = *(const double *)user;
    const taut_system *system = series->system;
    const int levels = series->structure->largest_d;
    taut_arena arena = {0};
    double *size = TAUT_NEW_ARRAY(&arena, (system->groups + 1) * levels, double);
    double *level = TAUT_NEW_ARRAY(&arena, levels + 1, double); /* of all groups */
    unsigned hash = 2463534242u;
    if (size && level) find_sizes(state, system, levels, size, level);
    for (int j = 0; j < state->n && size && level; j++)
        for (int k = 0; k < taut_state_order(state, j); k++) {
            hash ^= hash << 13;
            hash ^= hash >> 17;
            hash ^= hash << 5;
            const double own = size[system->unknown[j].group * levels + k];
            const double zero = fabs(part) > ROUNDING ? level[k] : 0.0;
            const double change = part * (own > 0.0 ? own : zero);
            *taut_state_at(state, j, k) += hash & 64u ? change : -change;
        }
    const bool done = size && level;
    taut_arena_release(&arena);
    if (!done) return TAUT_ERR_MEMORY;
    return fabs(part) > ROUNDING ? settle(state, series) : TAUT_OK;
}

taut_alteration taut_nudging(const double *part) {
    return (taut_alteration){nudge, part, fabs(*part)};
}

taut_status taut_simulate_nudged(const taut_model *model, const taut_run_options *options,
                                 double part, taut_result **result, taut_errors *errors) {
    const taut_alteration alteration = taut_nudging(&part);
    return taut_simulate_altered(model, options, part != 0.0 ? &alteration : NULL, result, errors);
}
