/* Inverse dynamics: what actuators must supply for a prescribed motion (docs/guide.md).
 *
 *     taut_result *forces;
 *     taut_inverse(model, NULL, NULL, &forces, &errors);
 */
#ifndef TAUT_INVERSE_H
#define TAUT_INVERSE_H

#include "taut/model.h"
#include "taut/result.h"
#include "taut/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the prescribed motion leaves open. */
typedef struct taut_inverse_notes {
    int actuators, motions; /* of the model's section Inverse; 0: its drivers are both */
    int index;              /* structural index of the equations */
    int internal;  /* independent values of the motion that is not prescribed; 0: there is none */
    int growing;   /* so many of its eigenvalues at the start have a positive real part: it is
                      unstable; -1: there is no linearisation */
    double growth; /* the largest real part; 0 without internal motion */
} taut_inverse_notes;

/* A run in which the actuators of the section Inverse are unknowns and have columns; power_u is the
 * power of u. Without that section the drivers of a mechanism are the actuators. More actuators
 * than motions: sum of weight * u^2 is least at every time. Options as for taut_simulate, the
 * result, too; notes and options may be NULL. TAUT_ERR_CALL: nothing prescribes a motion. */
TAUT_API taut_status taut_inverse(const taut_model *model, const taut_run_options *options,
                                  taut_inverse_notes *notes, taut_result **result,
                                  taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
