/* A simulation as an object: its creation, and values inside the last step. How it gets its
 * equations is in equip, its start in start, its steps in steps; taut_simulate is built on it. */
#include "task/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task/options.h"
#include "task/sensitivity.h"

taut_run_options taut_run_options_default(void) {
    return (taut_run_options){
        .cookie = TAUT_RUN_COOKIE, .rtol = 1e-9, .atol = 1e-9, .solver = "auto", .derivatives = 1};
}

taut_status taut_simulation_make(const taut_model *model, const taut_run_options *options,
                                 bool follows, taut_simulation **simulation, taut_errors *errors) {
    const taut_run_options standard = taut_run_options_default();
    TAUT_NEED(simulation, "simulation", errors);
    *simulation = NULL;
    TAUT_NEED(model, "model", errors);
    if (!options) options = &standard;
    taut_simulation *s = taut_new(sizeof *s);
    if (!s) return TAUT_ERR_MEMORY;
    *s = (taut_simulation){.model = model, .options = *options, .follows = follows};
    if (options->sensitivity) s->follows = true; /* the start is looked for with others */
    if (model->kinks + model->lookups + model->holds > 0) s->follows = true;
    for (int i = 0; i < model->actions; i++) /* numbers will change on the way */
        if (model->action[i].parameter >= 0) s->follows = true;
    taut_status status = taut_plan_make(model, options, &s->plan, errors);
    s->method = s->plan.method;
    if (status == TAUT_OK) status = taut_options_copy(options, &s->settings.names, &s->options);
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
    if (!simulation || !*simulation) return;
    taut_simulation *s = *simulation;
    taut_equip_forget_run(s);
    taut_equip_forget(s);
    taut_settings_release(&s->settings);
    taut_release((void **)simulation);
}

/* ---- values ---- */

taut_status taut_simulation_fill(taut_simulation *s, double t, double *row, int *missing) {
    TAUT_TRY(taut_observer_row(s->observer, s->stepper, t, row, missing));
    if (!s->sensitivity) return TAUT_OK;
    return taut_sensitivity_row(s, t, row, taut_observer_columns(s->observer), missing);
}

static taut_status check_inside(const taut_simulation *s, double t, taut_errors *errors) {
    const double begin = taut_simulation_begin(s), end = taut_simulation_reached(s);
    if (s->stepper && t >= fmin(begin, end) && t <= fmax(begin, end)) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL,
                     "t = %.17g is outside the last step, which goes from %.17g to %.17g", t, begin,
                     end);
}

/* Fills the row, unless it is there already. */
static taut_status look_at(taut_simulation *s, double t, taut_errors *errors) {
    int missing;
    TAUT_TRY(taut_simulation_check_started(s, errors));
    if (t == s->row_time) return TAUT_OK;
    TAUT_TRY(check_inside(s, t, errors));
    s->row_time = (double)NAN;
    TAUT_TRY(taut_simulation_fill(s, t, s->row, &missing));
    s->row_time = t;
    return TAUT_OK;
}

taut_status taut_simulation_row(taut_simulation *s, double t, double *row, taut_errors *errors) {
    TAUT_NEED(row, "row", errors);
    TAUT_TRY(look_at(s, t, errors));
    memcpy(row, s->row, (size_t)s->columns * sizeof *row);
    return TAUT_OK;
}

static taut_status unknown_column(const taut_simulation *s, const char *name, taut_errors *errors) {
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; i < s->columns; i++) taut_nearest_offer(&nearest, s->name[i]);
    if (!nearest.best && strpbrk(name, "+*/^( "))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "there is no column '%.80s'; a formula becomes one by a name under "
                         "'Outputs'",
                         name);
    return taut_fail(errors, TAUT_ERR_CALL, "there is no column '%.80s'%s%s%s", name,
                     nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
}

/* The value of a column by number, or by name if there is one. */
static taut_status read_column(taut_simulation *s, const char *name, int column, double t,
                               taut_errors *errors, double *value) {
    *value = (double)NAN;
    TAUT_TRY(taut_simulation_check_started(s, errors));
    if (name) column = taut_simulation_find(s, name);
    if (name && column < 0) return unknown_column(s, name, errors);
    if (column < 0 || column >= s->columns)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "there is no column number %d: they go from 0 to %d", column,
                         s->columns - 1);
    TAUT_TRY(look_at(s, t, errors));
    *value = s->row[column];
    return TAUT_OK;
}

/* The same for calls that have no status: a fault is kept for the next one that has. */
static double value_or_nan(taut_simulation *s, const char *name, int column, double t) {
    double value;
    if (!s) return (double)NAN;
    if (read_column(s, name, column, t, NULL, &value) == TAUT_OK || s->misuse[0]) return value;
    taut_errors *errors = taut_new(sizeof *errors); /* large: not on the stack */
    if (errors && read_column(s, name, column, t, errors, &value) == TAUT_ERR_CALL &&
        errors->count > 0)
        snprintf(s->misuse, sizeof s->misuse, "%.290s", errors->item[0].message);
    taut_release((void **)&errors);
    return (double)NAN;
}

taut_status taut_simulation_read(taut_simulation *s, const char *name, double t, double *value,
                                 taut_errors *errors) {
    TAUT_NEED(value, "value", errors);
    *value = (double)NAN;
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(name, "name", errors);
    return read_column(s, name, -1, t, errors, value);
}

double taut_simulation_get(taut_simulation *s, int column, double t) {
    return value_or_nan(s, NULL, column, t);
}

double taut_simulation_value(taut_simulation *s, const char *name, double t) {
    return value_or_nan(s, name ? name : "", -1, t);
}

double taut_simulation_now(taut_simulation *s, const char *name) {
    return taut_simulation_value(s, name, taut_simulation_time(s));
}

int taut_simulation_find(const taut_simulation *s, const char *name) {
    for (int i = 0; s && name && i < s->columns; i++)
        if (taut_is_column(s->name[i], name)) return i;
    return -1;
}

int taut_simulation_columns(const taut_simulation *s) { return s ? s->columns : 0; }
const char *taut_simulation_name(const taut_simulation *s, int column) {
    return s && column >= 0 && column < s->columns ? s->name[column] : NULL;
}

/* ---- derivatives ---- */

int taut_simulation_sensitivities(const taut_simulation *s) {
    return s && s->sensitivity ? s->sensitivity->directions : 0;
}

taut_status taut_simulation_differentiate(taut_simulation *s, const char *name, double t,
                                          double *derivative, taut_errors *errors) {
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(name, "name", errors);
    TAUT_NEED(derivative, "derivative", errors);
    TAUT_TRY(taut_simulation_check_started(s, errors));
    if (!s->sensitivity)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "there are no sensitivities: name parameters in options.sensitivity");
    const int column = taut_simulation_find(s, name);
    if (column < 0) return unknown_column(s, name, errors);
    TAUT_TRY(look_at(s, t, errors));
    taut_sensitivity_of(s, column, derivative);
    return TAUT_OK;
}
