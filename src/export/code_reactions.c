/* Reactions in generated code: the vectors that the balances of bodies are made of, and what is
 * fixed along the motion: sizes, rank, which ones rigid bodies do not determine. */
#include <math.h>

#include "export/code.h"

enum { MOST_ENTRIES = 100000 }; /* of the matrix of balances: 0.8 MB of work space */

static taut_status make_room(taut_code *c, const taut_reactions *r) {
    taut_code_reactions *x = c->reactions = TAUT_NEW(&c->arena, taut_code_reactions);
    if (!x) return TAUT_ERR_MEMORY;
    x->of = r;
    x->rank = -1;
    x->part = TAUT_NEW_ARRAY(&c->arena, 3 * (size_t)r->vectors, taut_code_column);
    x->open = TAUT_NEW_ARRAY(&c->arena, r->columns, bool);
    x->row = TAUT_NEW_ARRAY(&c->arena, taut_observer_columns(c->simulation->observer), double);
    if (!x->part || !x->open || !x->row) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_balance_create(r, &c->arena, &x->balance));
    taut_balance_matrix(x->balance, &x->rows, &x->unknowns);
    for (int i = 0; i < 3 * r->vectors; i++)
        x->part[i] = (taut_code_column){.name = "", .node = r->vector[i / 3][i % 3]};
    return TAUT_OK;
}

taut_status taut_code_plan_reactions(taut_code *c, taut_errors *errors) {
    const taut_reactions *r = c->options->run.reactions ? c->problem->reactions : NULL;
    if (!r || r->columns == 0) return TAUT_OK;
    TAUT_TRY(make_room(c, r));
    const taut_code_reactions *x = c->reactions;
    if ((double)x->rows * x->unknowns > MOST_ENTRIES)
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "reactions of %d balances by %d forces and torques take a matrix that is "
                         "too large for generated code: export without reactions",
                         x->rows, x->unknowns);
    return TAUT_OK;
}

/* ---- along the motion ---- */

taut_status taut_code_look_at_reactions(taut_code *c, taut_errors *errors) {
    taut_code_reactions *x = c->reactions;
    const taut_stepper *stepper = c->simulation->stepper;
    double residual, force;
    int missing;
    if (!x) return TAUT_OK;
    TAUT_TRY(taut_observer_row(c->simulation->observer, c->simulation->stepper, stepper->t, x->row,
                               &missing));
    for (int i = 0; i < 3 * x->of->vectors; i++)
        taut_balance_vector(x->balance, i / 3)[i % 3] =
            taut_observer_vector(c->simulation->observer, i);
    TAUT_TRY(taut_balance_solve(x->balance, x->row));
    const int rank = taut_balance_rank(x->balance);
    if (x->rank >= 0 && rank != x->rank)
        return taut_fail(errors, TAUT_ERR_INPUT,
                         "at t = %.6g joints transmit %d independent forces and torques, before it "
                         "was %d, and generated code counts on one number: export without "
                         "reactions",
                         stepper->t, rank, x->rank);
    x->rank = rank;
    for (int i = 0; i < x->of->columns; i++)
        x->open[i] = x->open[i] || !taut_balance_is_unique(x->balance, i);
    taut_balance_residual(x->balance, &residual, &force);
    x->force = fmax(x->force, force);
    return TAUT_OK;
}
