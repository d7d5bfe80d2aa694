/* Structure, and whether the Jacobian that it promises is regular. */
#include "task/analyze.h"

#include "solve/singular.h"

static taut_status check_jacobian(taut_analysis *a, taut_errors *errors) {
    taut_series *series;
    TAUT_TRY(taut_series_create(&a->problem->system, &a->structure, 0, NULL, 0, &series));
    taut_status status = TAUT_OK;
    a->applicable = !taut_singular_everywhere(series); /* J stays at the last point it looked at */
    if (!a->applicable) status = taut_singular_explain(series, "", errors);
    taut_series_free(&series);
    return status;
}

taut_status taut_analysis_create(taut_model *model, taut_analysis *a, taut_errors *errors) {
    *a = (taut_analysis){.mobility = -1};
    TAUT_TRY(taut_problem_create(model, &a->problem, errors));
    TAUT_TRY(taut_structure_create(&a->problem->system, &a->arena, &a->structure, errors));
    a->regular = true;
    a->mobility =
        a->problem->mobility >= 0 ? a->problem->mobility : taut_structure_mobility(&a->structure);
    return check_jacobian(a, errors);
}

void taut_analysis_release(taut_analysis *a) {
    taut_problem_free(&a->problem);
    taut_arena_release(&a->arena);
}
