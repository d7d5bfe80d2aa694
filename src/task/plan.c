/* From options to a plan. */
#include "task/plan.h"

#include <math.h>
#include <string.h>

#include "task/options.h"
#include "task/stabilize.h"

/* From this tolerance on formulas of high order take fewer evaluations. */
static const double TIGHT = 1e-5;

static const char *const SUBSPACE[] = {
    [TAUT_NULL_QR] = "qr", [TAUT_NULL_SVD] = "svd", [TAUT_NULL_EIG] = "eig"};
enum { SUBSPACES = sizeof SUBSPACE / sizeof SUBSPACE[0] };

static bool is_auto(const taut_run_options *o) { return strcmp(o->solver, "auto") == 0; }

bool taut_plan_is_minimal(const taut_run_options *o) {
    return o->formulation && strcmp(o->formulation, TAUT_MINIMAL) == 0;
}

const char *taut_plan_base(const taut_run_options *o) {
    if (!taut_plan_is_minimal(o)) return o->formulation;
    return o->base ? o->base : "natural";
}

taut_status taut_plan_formulation(const taut_model *model, const taut_run_options *o,
                                  const taut_formulation **formulation, taut_errors *errors) {
    *formulation = NULL;
    if (model->kind != TAUT_MODEL_MECHANISM && taut_plan_is_minimal(o)) return TAUT_OK;
    return taut_formulation_for(model, taut_plan_base(o), formulation, errors);
}

const taut_method *taut_plan_method(const taut_run_options *o) {
    if (!is_auto(o)) return taut_method_find(o->solver);
    return taut_method_find(taut_plan_is_minimal(o) ? "erk" : "taylor");
}

int taut_plan_order(const taut_plan *plan, const taut_run_options *o) {
    return plan->high_order ? 8 : o->order;
}

const taut_flow_maker *taut_plan_maker(const taut_plan *plan) {
    return plan->minimal && !plan->free ? &plan->maker : NULL;
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

/* Methods that need equations. */
static taut_status refuse_series(const taut_run_options *o, const taut_plan *plan,
                                 taut_errors *errors) {
    if (strcmp(o->solver, "taylor") != 0 && strcmp(o->solver, "ho") != 0) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "taylor and ho expand the equations themselves, and minimal coordinates have "
                     "none: use erk, adams, bdf or rk4, or %s",
                     plan->formulation ? "the formulation natural"
                                       : "leave out options.formulation");
}

/* Minimal coordinates and what they exclude. */
static taut_status choose_states(const taut_run_options *o, taut_plan *plan, taut_errors *errors) {
    plan->minimal = taut_plan_is_minimal(o);
    if (!plan->minimal) return TAUT_OK;
    if (plan->formulation) TAUT_TRY(refuse_series(o, plan, errors));
    if (o->stabilize && strcmp(o->stabilize, "projection") != 0)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "minimal coordinates satisfy the constraints by themselves: leave out "
                         "options.stabilize, or %s",
                         plan->formulation ? "use the formulation natural or reference"
                                           : "options.formulation");
    if (o->subspace) TAUT_TRY(read_subspace(o->subspace, &plan->subspace.subspace, errors));
    plan->subspace.fresh = o->no_continuation;
    plan->maker = (taut_flow_maker){taut_minimal_create, &plan->subspace};
    return TAUT_OK;
}

void taut_plan_minimize(taut_plan *plan) {
    plan->minimal = plan->exchanges = true;
    plan->adapts = plan->free = false;
    plan->maker = (taut_flow_maker){taut_minimal_create, &plan->subspace};
}

static bool is_open(const taut_run_options *o) {
    return is_auto(o) && o->order == 0 && o->step == 0.0;
}

taut_status taut_plan_settle(taut_plan *plan, const taut_run_options *o, bool free,
                             taut_errors *errors) {
    if (plan->formulation || !plan->minimal || plan->exchanges) return TAUT_OK;
    plan->free = free;
    if (!free) return refuse_series(o, plan, errors);
    if (is_auto(o)) plan->method = taut_method_find("taylor");
    plan->adapts = is_open(o);
    plan->high_order = false;
    return TAUT_OK;
}

taut_status taut_plan_make(const taut_model *model, const taut_run_options *o, taut_plan *plan,
                           taut_errors *errors) {
    *plan = (taut_plan){0};
    TAUT_TRY(taut_options_check(model, o, errors));
    const bool open = is_open(o);
    TAUT_TRY(taut_plan_formulation(model, o, &plan->formulation, errors));
    TAUT_TRY(taut_stabilizing_choose(o, plan->formulation, &plan->stabilizing, errors));
    TAUT_TRY(choose_states(o, plan, errors));
    plan->method = taut_plan_method(o);
    plan->adapts = open && !plan->minimal && !o->sensitivity;
    plan->high_order = open && plan->minimal && fmax(o->rtol, o->atol) <= TIGHT;
    plan->careful = o->multipliers && strcmp(o->multipliers, "qr") == 0;
    return TAUT_OK;
}
