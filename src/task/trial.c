/* Single runs of a study. A simulation is used for one run after the other, which saves forming its
 * equations; after a run that has failed another one is made, so that nothing of the failure can
 * reach the next run. */
#include <string.h>

#include "task/meter.h"
#include "task/simulation.h"
#include "task/study.h"

struct taut_trial {
    const taut_study *study;
    taut_simulation *simulation; /* NULL: to be made */
    taut_meter *meter;
};

static taut_status equip(taut_trial *x, taut_errors *errors) {
    const taut_study *study = x->study;
    if (x->simulation) return TAUT_OK;
    taut_meter_free(&x->meter);
    TAUT_TRY(taut_meter_create(study->figure, study->figures, &x->meter));
    return taut_simulation_create(study->model, &study->run, &x->simulation, errors);
}

taut_status taut_trial_create(const taut_study *study, taut_trial **trial, taut_errors *errors) {
    taut_trial *x = *trial = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    x->study = study;
    const taut_status status = equip(x, errors);
    if (status != TAUT_OK) taut_trial_free(trial);
    return status;
}

void taut_trial_free(taut_trial **trial) {
    if (!*trial) return;
    taut_simulation_free(&(*trial)->simulation);
    taut_meter_free(&(*trial)->meter);
    taut_release((void **)trial);
}

taut_status taut_trial_start(taut_trial *x, long run, taut_errors *errors) {
    TAUT_TRY(equip(x, errors));
    for (int k = 0; k < x->study->axes; k++) {
        const taut_study_axis *axis = &x->study->axis[k];
        const double value = taut_study_varied(x->study, run, k);
        TAUT_TRY(axis->initial
                     ? taut_simulation_set_initial(x->simulation, axis->name, value, errors)
                     : taut_simulation_set_parameter(x->simulation, axis->name, value, errors));
    }
    return taut_simulation_start(x->simulation, errors);
}

taut_status taut_trial_check(taut_trial *x, taut_errors *errors) {
    return taut_meter_begin(x->meter, x->simulation, errors);
}

static taut_status perform(taut_trial *x, long run, const atomic_bool *stop, double *value,
                           taut_errors *errors) {
    taut_status status;
    TAUT_TRY(taut_trial_start(x, run, errors));
    TAUT_TRY(taut_meter_begin(x->meter, x->simulation, errors));
    while ((status = taut_simulation_step(x->simulation, errors)) == TAUT_OK) {
        if (stop && atomic_load_explicit(stop, memory_order_relaxed)) return TAUT_INTERRUPTED;
        TAUT_TRY(taut_meter_step(x->meter, x->simulation, errors));
    }
    if (status != TAUT_AT_END) return status;
    return taut_meter_end(x->meter, x->simulation, value, errors);
}

taut_status taut_trial_run(taut_trial *x, long run, const atomic_bool *stop, double *value,
                           taut_errors *errors) {
    const taut_status status = perform(x, run, stop, value, errors);
    if (status != TAUT_OK) taut_simulation_free(&x->simulation);
    return status;
}
