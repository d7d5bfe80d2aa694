/* Inverse dynamics: a run of the model in which actuators are unknowns and their motion is
 * prescribed, and what is to be said of the motion that is not (docs/math/inverse.md). */
#include "taut/inverse.h"

#include <math.h>

#include "model/model.h"
#include "task/simulation.h"
#include "taut/linear.h"

/* Eigenvalues of what the motion leaves open. */
static taut_status look_inside(const taut_model *m, const taut_run_options *options,
                               taut_inverse_notes *notes) {
    taut_linear *linear = NULL;
    taut_linear_options none = taut_linear_options_default();
    taut_run_options start = options ? *options : taut_run_options_default();
    start.ats = 0;
    none.inputs = none.outputs = "";
    notes->growing = -1;
    const taut_status status = taut_linearize(m, &start, &none, &linear, NULL);
    const taut_linear_point *p = status == TAUT_OK ? taut_linear_at(linear, 0) : NULL;
    if (p) {
        notes->internal = p->states;
        notes->growing = 0;
        notes->growth = p->states > 0 ? -HUGE_VAL : 0.0;
        for (int k = 0; k < p->states; k++) {
            notes->growing += p->eigenvalue[k][0] > 0.0;
            notes->growth = fmax(notes->growth, p->eigenvalue[k][0]);
        }
    }
    taut_linear_free(&linear);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static taut_status perform(const taut_model *m, const taut_run_options *options,
                           taut_inverse_notes *notes, taut_result **result, taut_errors *errors) {
    const taut_status status = taut_simulate(m, options, result, errors);
    const taut_run_stats *stats = *result ? taut_result_stats(*result) : NULL;
    *notes = (taut_inverse_notes){.actuators = m->actuators, .motions = m->motions};
    if (!stats) return status;
    notes->index = stats->index;
    notes->internal = (int)stats->dof;
    if (status == TAUT_OK) TAUT_TRY(look_inside(m, options, notes));
    return status;
}

taut_status taut_inverse(const taut_model *model, const taut_run_options *options,
                         taut_inverse_notes *notes, taut_result **result, taut_errors *errors) {
    taut_inverse_notes own;
    taut_model *variant = NULL;
    TAUT_NEED(result, "result", errors);
    *result = NULL;
    TAUT_NEED(model, "model", errors);
    const bool driven = model->mechanism && model->mechanism->drivers > 0;
    if (!taut_yaml_get(model->root, "Inverse") && !driven)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "nothing prescribes a motion: the model has neither 'Inverse' nor "
                         "'Drivers'");
    const taut_variation variation = {
        .initial = model->initial, .initials = model->initials, .inverse = true};
    taut_status status = taut_model_vary(model, &variation, &variant, errors);
    if (status == TAUT_OK && variant->motions == 0 && !driven)
        status = taut_fail(errors, TAUT_ERR_CALL,
                           "nothing prescribes a motion: 'Inverse' has no 'Motion', and there are "
                           "no 'Drivers'");
    if (status == TAUT_OK) status = perform(variant, options, notes ? notes : &own, result, errors);
    taut_model_free(&variant);
    return status;
}
