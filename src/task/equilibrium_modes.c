/* Equilibria where equations hold up to a boundary only: a search stays on one piece of each table,
 * one branch of each kink and one mode of each contact; where it ends, the run that would begin
 * there says which ones hold, and the search goes on with these. */
#include <math.h>

#include "model/parameters.h"
#include "task/equilibrium.h"
#include "task/resolve.h"

static const double SAME = 1e-11; /* where something sticks is known so well */

/* Copies numbers in use, but for those that the search itself changes. Are they other ones? */
static bool take_numbers(taut_rest *s) {
    const double *now = taut_numbers_in_use(s->simulation);
    bool changed = false;
    for (int i = 0; now && i < taut_model_numbers(s->model); i++) {
        bool free = false;
        for (int k = 0; k < s->frees; k++) free = free || s->free[k] == i;
        if (free || s->number[i] == now[i]) continue;
        changed = changed || fabs(s->number[i] - now[i]) > SAME * fmax(1.0, fabs(now[i]));
        s->number[i] = now[i];
        s->set[i] = true; /* not by its formula */
    }
    return changed;
}

taut_status taut_rest_refit(taut_rest *s) {
    if (s->formed == s->simulation->prepared->problem->serial) return TAUT_OK;
    take_numbers(s);
    return taut_rest_prepare(s);
}

taut_status taut_rest_follow(taut_rest *s, bool *changed) {
    *changed = false;
    const taut_status status = taut_simulation_set_state(s->simulation, s->state, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    if (status != TAUT_OK) return TAUT_ERR_NUMERICS;
    *changed = take_numbers(s) || s->formed != s->simulation->prepared->problem->serial;
    return taut_rest_refit(s);
}
