/* Structure, redundancy, and whether the Jacobian that the structure promises is regular. */
#include "task/analyze.h"

#include "form/formulation.h"
#include "solve/consistent.h"
#include "solve/singular.h"
#include "task/handover.h"

static taut_status check_jacobian(taut_analysis *a, taut_errors *errors) {
    taut_series *series;
    TAUT_TRY(taut_series_create(&a->prepared.problem->system, &a->prepared.structure, 0, NULL, 0,
                                &series));
    taut_status status = TAUT_OK;
    a->applicable = !taut_singular_everywhere(series); /* J stays at the last point it looked at */
    if (!a->applicable) status = taut_singular_explain(series, "", errors);
    taut_series_free(&series);
    return status;
}

/* The start, found in natural coordinates, into *start; TAUT_ERR_INPUT where the file does not
 * determine it. */
static taut_status find_start(const taut_model *model, taut_analysis *a, taut_start *start) {
    taut_prepared *p = &a->assembly;
    const taut_order order = {.tol = 1e-9, .search = {.methods = TAUT_BY_ALL}, .arena = &a->arena};
    taut_series *series;
    bool fewer;
    TAUT_TRY(taut_prepare_by(model, (taut_forming){.whole = true}, p, NULL));
    TAUT_TRY(taut_prepare_reduce(p, &fewer, NULL));
    TAUT_TRY(taut_series_create(&p->problem->system, &p->structure, 0, NULL, 0, &series));
    taut_status status = taut_consistent_find(series, p->problem->model->t0, &order, NULL, NULL);
    if (status == TAUT_OK) status = taut_hand_over(p, series, &a->arena, start);
    taut_series_free(&series);
    return status;
}

/* Forms the problem and analyses its structure. */
static taut_status prepare(const taut_model *model, const taut_formulation *formulation,
                           const char *cut, taut_analysis *a, taut_errors *errors) {
    taut_forming forming = {.formulation = formulation, .cut = cut};
    const bool split = model->mechanism && model->mechanism->splits > 0;
    if (split || !taut_formulation_is_natural(formulation)) {
        taut_start *start = TAUT_NEW(&a->arena, taut_start);
        taut_status status = start ? find_start(model, a, start) : TAUT_ERR_MEMORY;
        if (status == TAUT_ERR_MEMORY) return status;
        if (status == TAUT_OK) forming.start = start;
    }
    return taut_prepare_by(model, forming, &a->prepared, errors);
}

taut_status taut_analysis_create(const taut_model *model, const taut_formulation *formulation,
                                 const char *cut, taut_analysis *a, taut_errors *errors) {
    bool fewer;
    *a = (taut_analysis){.mobility = -1};
    if (model->kind == TAUT_MODEL_MECHANISM &&
        taut_doctor_examine(model, &a->arena, &a->patient, &a->diagnosis) == TAUT_ERR_MEMORY)
        return TAUT_ERR_MEMORY;
    TAUT_TRY(prepare(model, formulation, cut, a, errors));
    /* without initial positions nothing can be said about redundancy */
    taut_status status = taut_prepare_reduce(&a->prepared, &fewer, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    a->mobility = taut_prepared_mobility(&a->prepared);
    return check_jacobian(a, errors);
}

void taut_analysis_release(taut_analysis *a) {
    taut_prepared_release(&a->prepared);
    taut_prepared_release(&a->assembly);
    taut_problem_free(&a->patient);
    taut_arena_release(&a->arena);
}
