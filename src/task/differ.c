/* Differences of runs. */
#include "task/differ.h"

#include <math.h>
#include <string.h>

#include "task/scale.h"

static const double ZERO = 1e-12; /* of its scale: a coordinate without a relative error */

taut_status taut_yardstick_make(const taut_result *truth, taut_arena *arena,
                                taut_yardstick *yardstick) {
    *yardstick = (taut_yardstick){truth, TAUT_NEW_ARRAY(arena, truth->columns, double)};
    if (!yardstick->scale) return TAUT_ERR_MEMORY;
    taut_scales_find_safe(truth, yardstick->scale);
    return TAUT_OK;
}

const char *taut_yardstick_misses(const taut_yardstick *y, const taut_result *a) {
    for (int c = 0; c < y->truth->columns; c++)
        if (c >= a->columns || strcmp(y->truth->name[c], a->name[c]) != 0) return y->truth->name[c];
    return NULL;
}

taut_gap taut_yardstick_gap(const taut_yardstick *y, const taut_result *a, const taut_result *b,
                            double *at) {
    const int columns = y->truth->columns;
    taut_gap gap = {.error = (double)NAN, .t = (double)NAN};
    for (long row = 0; row < y->truth->rows; row++) {
        at[row] = (double)NAN;
        if (row >= a->rows || row >= b->rows) continue;
        at[row] = 0.0;
        if (isnan(gap.error)) gap.error = 0.0;
        for (int c = 1; c < columns; c++) {
            if (y->scale[c] == 0.0) continue;
            const double error =
                fabs(a->value[row * a->columns + c] - b->value[row * b->columns + c]) / y->scale[c];
            if (error > at[row]) at[row] = error;
            if (!(error > gap.error)) continue;
            gap = (taut_gap){error, y->truth->name[c], y->truth->value[row * columns]};
        }
    }
    return gap;
}

/* The coordinates of the model: what it is described by, without velocities, forces, energies. */
static bool is_coordinate(taut_column_role role) {
    return role.order == 0 && (role.kind == TAUT_COLUMN_SCALAR || role.kind == TAUT_COLUMN_POINT ||
                               role.kind == TAUT_COLUMN_VECTOR || role.kind == TAUT_COLUMN_ANGLE);
}

double taut_yardstick_scd(const taut_yardstick *y, const taut_result *a) {
    const taut_result *truth = y->truth;
    double worst = (double)NAN;
    if (truth->rows == 0 || a->rows < truth->rows) return worst;
    const double *right = truth->value + (truth->rows - 1) * truth->columns;
    const double *value = a->value + (truth->rows - 1) * a->columns;
    for (int c = 1; c < truth->columns; c++) {
        if (!is_coordinate(truth->role[c]) || !(fabs(right[c]) > ZERO * y->scale[c])) continue;
        const double error = fabs(value[c] - right[c]) / fabs(right[c]);
        if (isnan(worst) || error > worst) worst = error;
    }
    return taut_digits(worst);
}
