/* Forces and torques in joints as outputs of a linearisation: the balances of bodies,
 * differentiated in every direction (task/balance_rate). */
#include <math.h>
#include <string.h>

#include "task/linear.h"

bool taut_picks_react(const taut_catalogue *c, const taut_picks *picks) {
    for (int i = 0; i < picks->count; i++)
        if (c->item[picks->item[i].item].reacts) return true;
    return false;
}

taut_status taut_linear_reactions_create(const taut_reactions *reactions, taut_arena *arena,
                                         taut_node *function, int *level, int *functions,
                                         taut_linear_reactions *r) {
    *r = (taut_linear_reactions){.reactions = reactions, .first = *functions};
    for (int i = 0; i < reactions->vectors; i++)
        for (int k = 0; k < 3; k++) {
            function[*functions] = reactions->vector[i][k];
            level[(*functions)++] = 0;
        }
    TAUT_TRY(taut_balance_create(reactions, arena, &r->balance));
    r->value = TAUT_NEW_ARRAY(arena, reactions->columns + 1, double);
    r->rate = taut_arena_array(arena, (size_t)reactions->vectors + 1, sizeof *r->rate);
    r->work = TAUT_NEW_ARRAY(arena, taut_balance_work(r->balance), double);
    return r->value && r->rate && r->work ? TAUT_OK : TAUT_ERR_MEMORY;
}

void taut_linear_reactions_release(taut_linear_reactions *r) {
    if (r->balance) taut_balance_free(&r->balance);
}

/* Also if their derivatives are not finite: what is open here is not open nearby. */
static taut_status check_unique(const taut_linear_reactions *r, const taut_catalogue *c,
                                const taut_picks *picks, const double *vary, taut_errors *errors) {
    for (int i = 0; i < picks->count; i++) {
        const taut_named *q = &c->item[picks->item[i].item];
        if (!q->reacts) continue;
        if (!taut_balance_is_unique(r->balance, q->reaction) ||
            (vary && !isfinite(vary[q->reaction])))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "options.outputs: rigid bodies do not determine '%s', because the "
                             "mechanism is overconstrained: it has no derivative",
                             q->name);
    }
    return TAUT_OK;
}

taut_status taut_linear_reactions_find(taut_linear_reactions *r, const taut_variational *v,
                                       const taut_catalogue *catalogue, const taut_picks *picks,
                                       taut_arena *arena, taut_errors *errors) {
    const int vectors = r->reactions->vectors, columns = r->reactions->columns;
    const int directions = taut_variational_directions(v);
    for (int i = 0; i < vectors; i++)
        for (int k = 0; k < 3; k++)
            taut_balance_vector(r->balance, i)[k] =
                taut_variational_value(v, r->first + 3 * i + k, 0);
    TAUT_TRY(taut_balance_solve(r->balance, r->value));
    TAUT_TRY(check_unique(r, catalogue, picks, NULL, errors));
    if (!r->vary) r->vary = TAUT_NEW_ARRAY(arena, (size_t)directions * (size_t)columns + 1, double);
    if (!r->vary) return TAUT_ERR_MEMORY;
    for (int d = 0; d < directions; d++) {
        for (int i = 0; i < vectors; i++)
            for (int k = 0; k < 3; k++)
                r->rate[i][k] = taut_variational_of(v, r->first + 3 * i + k, 0, d, NULL);
        TAUT_TRY(taut_balance_vary(r->balance, (const double(*)[3])r->rate, r->work,
                                   r->vary + (size_t)d * (size_t)columns));
        TAUT_TRY(check_unique(r, catalogue, picks, r->vary + (size_t)d * (size_t)columns, errors));
    }
    return TAUT_OK;
}
