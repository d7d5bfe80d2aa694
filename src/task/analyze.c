/* Structure, redundancy, and whether the Jacobian that the structure promises is regular. */
#include "task/analyze.h"

#include "solve/singular.h"

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

taut_status taut_analysis_create(const taut_model *model, taut_analysis *a, taut_errors *errors) {
    bool fewer;
    *a = (taut_analysis){.mobility = -1};
    if (model->kind == TAUT_MODEL_MECHANISM &&
        taut_doctor_examine(model, &a->arena, &a->patient, &a->diagnosis) == TAUT_ERR_MEMORY)
        return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_prepare(model, &a->prepared, errors));
    /* without initial positions nothing can be said about redundancy */
    taut_status status = taut_prepare_reduce(&a->prepared, &fewer, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    a->mobility = taut_prepared_mobility(&a->prepared);
    return check_jacobian(a, errors);
}

void taut_analysis_release(taut_analysis *a) {
    taut_prepared_release(&a->prepared);
    taut_problem_free(&a->patient);
    taut_arena_release(&a->arena);
}
