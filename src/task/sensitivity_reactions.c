/* Variations of reactions. They are a map from vectors (positions, directions, what bodies need) to
 * forces and torques, by balances that are solved together, of least size where rigid bodies do not
 * determine them; the balances are differentiated (balance_rate.c). */
#include "task/sensitivity.h"

taut_status taut_sensitivity_equip_reactions(taut_simulation *s) {
    taut_sensitivity *x = s->sensitivity;
    const taut_reactions *r = x->reactions = s->prepared->problem->reactions;
    TAUT_TRY(taut_balance_create(r, &x->made, &x->balance));
    x->rate = TAUT_NEW_ARRAY(&x->made, 3 * (size_t)r->vectors, double);
    x->force = TAUT_NEW_ARRAY(&x->made, r->columns, double);
    x->balance_work = TAUT_NEW_ARRAY(&x->made, taut_balance_work(x->balance), double);
    return x->rate && x->force && x->balance_work ? TAUT_OK : TAUT_ERR_MEMORY;
}

taut_status taut_sensitivity_reactions(taut_simulation *s, const double *vectors, int directions,
                                       double *to) {
    const taut_sensitivity *x = s->sensitivity;
    const int count = x->reactions->vectors, columns = x->reactions->columns;
    for (int i = 0; i < 3 * count; i++)
        taut_balance_vector(x->balance, i / 3)[i % 3] = taut_observer_vector(s->observer, i);
    TAUT_TRY(taut_balance_solve(x->balance, x->force));
    for (int d = 0; d < directions; d++) {
        for (int i = 0; i < 3 * count; i++) x->rate[i] = vectors[i * directions + d];
        TAUT_TRY(
            taut_balance_vary(x->balance, (const double(*)[3])x->rate, x->balance_work, x->force));
        for (int c = 0; c < columns; c++) to[c * directions + d] = x->force[c];
    }
    return TAUT_OK;
}
