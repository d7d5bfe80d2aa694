/* Differences of runs. */
#include "task/differ.h"

#include <math.h>
#include <string.h>

#include "task/scale.h"

static const double NEARLY = 1e-6; /* of the span: so far apart one event may be in two runs */
static const double ZERO = 1e-12;  /* of its scale: a coordinate without a relative error */

/* The next event of a run from number i on; touching does nothing. */
static int next_event(const taut_notes *n, int i) {
    while (i < n->events && strcmp(n->event[i].kind, "touch") == 0) i++;
    return i;
}

/* The events in turn, one by one in both runs. */
void taut_runs_straddle(const taut_result *a, const taut_result *b, const double *time, long count,
                        bool *straddles) {
    const taut_notes *p = &a->notebook.notes, *q = &b->notebook.notes;
    const double sign = a->stats.tend < a->stats.t0 ? -1.0 : 1.0;
    const double near = NEARLY * fabs(a->stats.reached - a->stats.t0);
    int i = next_event(p, 0), k = next_event(q, 0);
    for (long row = 0; row < count; row++) {
        straddles[row] = false;
        for (; i < p->events && k < q->events; i = next_event(p, i + 1), k = next_event(q, k + 1)) {
            const double x = sign * (time[row] - p->event[i].t);
            const double y = sign * (time[row] - q->event[k].t);
            straddles[row] = fmax(x, y) >= 0.0 && fmin(x, y) <= 0.0 && fabs(x - y) <= near;
            if (fmin(x, y) <= 0.0) break;
        }
        /* the end of one run is just before an event of the other */
        if (i < p->events && k == q->events)
            straddles[row] = fabs(p->event[i].t - b->stats.reached) <= near &&
                             sign * (time[row] - p->event[i].t) >= 0.0;
        if (k < q->events && i == p->events)
            straddles[row] = fabs(q->event[k].t - a->stats.reached) <= near &&
                             sign * (time[row] - q->event[k].t) >= 0.0;
    }
}

taut_status taut_yardstick_make(const taut_result *truth, taut_arena *arena,
                                taut_yardstick *yardstick) {
    *yardstick = (taut_yardstick){.truth = truth,
                                  .scale = TAUT_NEW_ARRAY(arena, truth->columns, double),
                                  .time = TAUT_NEW_ARRAY(arena, truth->rows, double),
                                  .straddles = TAUT_NEW_ARRAY(arena, truth->rows, bool)};
    if (!yardstick->scale || !yardstick->time || !yardstick->straddles) return TAUT_ERR_MEMORY;
    for (long i = 0; i < truth->rows; i++) yardstick->time[i] = truth->value[i * truth->columns];
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
    taut_runs_straddle(a, b, y->time, y->truth->rows, y->straddles);
    for (long row = 0; row < y->truth->rows; row++) {
        at[row] = (double)NAN;
        if (row >= a->rows || row >= b->rows) continue;
        at[row] = 0.0;
        if (isnan(gap.error)) gap.error = 0.0;
        for (int c = 1; c < columns && !y->straddles[row]; c++) {
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
