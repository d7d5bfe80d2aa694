/* A simulation as an object: its creation, and values inside the last step. How it gets its
 * equations is in equip, its start in start, its steps in steps; taut_simulate is built on it. */
#include "task/simulation.h"

#include <math.h>
#include <string.h>

taut_run_options taut_run_options_default(void) {
    return (taut_run_options){.rtol = 1e-9, .atol = 1e-9, .solver = "auto", .derivatives = 1};
}

taut_status taut_simulation_make(const taut_model *model, const taut_run_options *options,
                                 bool follows, taut_simulation **simulation, taut_errors *errors) {
    const taut_run_options standard = taut_run_options_default();
    size_t room = 0;
    *simulation = NULL;
    if (!options) options = &standard;
    taut_simulation *s = NULL;
    if (taut_grow((void **)&s, &room, 1, sizeof *s)) return TAUT_ERR_MEMORY;
    *s = (taut_simulation){.model = model, .options = *options, .follows = follows};
    taut_status status = taut_plan_make(model, options, &s->plan, errors);
    s->method = s->plan.method;
    if (status == TAUT_OK) status = taut_equip_form(s, errors);
    if (status == TAUT_OK)
        *simulation = s;
    else
        taut_simulation_free(&s);
    return status;
}

taut_status taut_simulation_create(const taut_model *model, const taut_run_options *options,
                                   taut_simulation **simulation, taut_errors *errors) {
    return taut_simulation_make(model, options, true, simulation, errors);
}

void taut_simulation_free(taut_simulation **simulation) {
    taut_simulation *s = *simulation;
    if (!s) return;
    taut_equip_forget_run(s);
    taut_equip_forget(s);
    taut_settings_release(&s->settings);
    taut_release((void **)simulation);
}

/* ---- values ---- */

/* Fills the row, unless it is there already. */
static taut_status look_at(taut_simulation *s, double t, taut_errors *errors) {
    int missing;
    TAUT_TRY(taut_simulation_check_started(s, errors));
    if (t == s->row_time) return TAUT_OK;
    const double begin = taut_simulation_begin(s), end = taut_simulation_reached(s);
    if (!s->stepper || !(t >= fmin(begin, end)) || !(t <= fmax(begin, end)))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "t = %.17g is outside the last step, which goes from %.17g to %.17g", t,
                         begin, end);
    s->row_time = (double)NAN;
    TAUT_TRY(taut_observer_row(s->observer, s->stepper, t, s->row, &missing));
    s->row_time = t;
    return TAUT_OK;
}

taut_status taut_simulation_row(taut_simulation *s, double t, double *row, taut_errors *errors) {
    TAUT_TRY(look_at(s, t, errors));
    memcpy(row, s->row, (size_t)s->columns * sizeof *row);
    return TAUT_OK;
}

double taut_simulation_get(taut_simulation *s, int column, double t) {
    if (column < 0 || column >= s->columns) return (double)NAN;
    return look_at(s, t, NULL) == TAUT_OK ? s->row[column] : (double)NAN;
}

double taut_simulation_value(taut_simulation *s, const char *name, double t) {
    return taut_simulation_get(s, taut_simulation_find(s, name), t);
}

double taut_simulation_now(taut_simulation *s, const char *name) {
    return taut_simulation_value(s, name, s->time);
}

int taut_simulation_find(const taut_simulation *s, const char *name) {
    for (int i = 0; i < s->columns; i++)
        if (taut_is_column(s->name[i], name)) return i;
    return -1;
}

int taut_simulation_columns(const taut_simulation *s) { return s->columns; }
const char *taut_simulation_name(const taut_simulation *s, int column) {
    return column >= 0 && column < s->columns ? s->name[column] : NULL;
}
