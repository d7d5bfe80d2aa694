/* Options in words, and what fits together. */
#include "task/states.h"

#include <math.h>
#include <string.h>

/* From this tolerance on formulas of high order take fewer evaluations. */
static const double TIGHT = 1e-5;

static const char *const SUBSPACE[] = {
    [TAUT_NULL_QR] = "qr", [TAUT_NULL_SVD] = "svd", [TAUT_NULL_EIG] = "eig"};
enum { SUBSPACES = sizeof SUBSPACE / sizeof SUBSPACE[0] };

bool taut_states_are_minimal(const taut_run_options *o) {
    return o->formulation && strcmp(o->formulation, TAUT_MINIMAL) == 0;
}

const char *taut_states_base(const taut_run_options *o) {
    if (!taut_states_are_minimal(o)) return o->formulation;
    return o->base ? o->base : "natural";
}

const taut_method *taut_states_method(const taut_run_options *o) {
    if (strcmp(o->solver, "auto") != 0) return taut_method_find(o->solver);
    return taut_method_find(taut_states_are_minimal(o) ? "erk" : "taylor");
}

int taut_states_order(const taut_run_options *o, int mobility) {
    const bool free = strcmp(o->solver, "auto") == 0 && o->order == 0 && o->step == 0.0;
    const bool tight = fmax(o->rtol, o->atol) <= TIGHT;
    if (!free || !tight || !taut_states_are_minimal(o)) return o->order;
    /* the estimate of order 8 is 0 for plain integrals, and that is all there is without mobility
     */
    return mobility > 0 ? 8 : 6;
}

const taut_flow_maker *taut_states_maker(const taut_states *states) {
    return states->minimal ? &states->maker : NULL;
}

static taut_status read_subspace(const char *name, taut_null_method *method, taut_errors *errors) {
    for (int i = 0; i < SUBSPACES; i++)
        if (strcmp(SUBSPACE[i], name) == 0) {
            *method = (taut_null_method)i;
            return TAUT_OK;
        }
    return taut_fail(errors, TAUT_ERR_CALL, "there is no subspace '%s'; there are qr, svd and eig",
                     name);
}

taut_status taut_states_choose(const taut_run_options *o, taut_states *states,
                               taut_errors *errors) {
    *states = (taut_states){.minimal = taut_states_are_minimal(o)};
    if (!states->minimal) return TAUT_OK;
    if (strcmp(o->solver, "taylor") == 0 || strcmp(o->solver, "ho") == 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "taylor and ho expand the equations themselves, and minimal coordinates "
                         "have none: use erk, adams, bdf or rk4, or the formulation natural");
    if (o->stabilize && strcmp(o->stabilize, "projection") != 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "minimal coordinates satisfy the constraints by themselves: leave out "
                         "options.stabilize, or use the formulation natural or reference");
    if (o->subspace) TAUT_TRY(read_subspace(o->subspace, &states->options.subspace, errors));
    states->options.fresh = o->no_continuation;
    states->maker = (taut_flow_maker){taut_minimal_create, &states->options};
    return TAUT_OK;
}
