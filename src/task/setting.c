/* What the caller sets by name: parameters and initial values, kept until equations are formed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "task/simulation.h"

/* Are these the same but for one point, as in A.x and Ax? */
bool taut_is_column(const char *column, const char *name) {
    bool skipped = false;
    if (strcmp(column, name) == 0) return true; /* joint.Fx has its point */
    for (; *column && *name; column++, name++) {
        if (*name == '.' && !skipped) {
            skipped = true;
            name++;
        }
        if (*column != *name) return false;
    }
    return *column == *name;
}

static taut_status check_number(const char *name, double value, taut_errors *errors) {
    if (isfinite(value)) return TAUT_OK;
    return taut_fail(errors, TAUT_ERR_CALL, "the value of %s is not a finite number", name);
}

/* A place for another parameter. */
static taut_status add_setting(taut_settings *x, const char *name) {
    const size_t need = (size_t)x->overrides + 1;
    const char *own = taut_arena_copy(&x->names, name, strlen(name));
    char *text = taut_arena_array(&x->names, 1, TAUT_SETTING_TEXT);
    if (!own || !text ||
        taut_grow((void **)&x->override, &x->override_room, need, sizeof *x->override) ||
        taut_grow((void **)&x->number, &x->number_room, need, sizeof *x->number))
        return TAUT_ERR_MEMORY;
    x->number[x->overrides] = (taut_setting){.text = text};
    x->override[x->overrides++] = (taut_override){.name = own, .formula = text};
    return TAUT_OK;
}

taut_status taut_simulation_set_parameter(taut_simulation *s, const char *name, double value,
                                          taut_errors *errors) {
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(name, "name", errors);
    TAUT_TRY(taut_model_check_parameter(s->model, name, errors));
    TAUT_TRY(check_number(name, value, errors));
    taut_settings *x = &s->settings;
    int i = 0;
    while (i < x->overrides && strcmp(x->override[i].name, name) != 0) i++;
    if (i == x->overrides) TAUT_TRY(add_setting(x, name));
    s->stale = true;
    x->number[i].value = value;
    taut_format(x->number[i].text, TAUT_SETTING_TEXT, "%.17g", value);
    return TAUT_OK;
}

/* Is there something of this name, primes aside, that has an initial value? A mechanism gives its
 * points values only while its equations are formed; what it knows is then among the columns. */
static taut_status check_initial(taut_simulation *s, const char *name, taut_errors *errors) {
    const taut_problem *p = s->prepared->problem;
    if (!p) return TAUT_OK; /* the next start will tell */
    if (!p->model->mechanism) return taut_model_check_initial(p->model, name, errors);
    char text[2 * TAUT_NAME_MAX];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(name, "'"), name);
    taut_nearest nearest = {.wanted = text};
    for (int c = 0; c < p->columns; c++) {
        if (taut_is_column(p->column[c].name, text)) return TAUT_OK;
        taut_nearest_offer(&nearest, p->column[c].name);
    }
    return taut_fail(errors, TAUT_ERR_CALL,
                     "initial value of %s: the model has no variable '%s'%s%s%s", name, text,
                     nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
}

static taut_status set_initial(taut_simulation *s, const char *name, double value, bool fixed,
                               taut_errors *errors) {
    TAUT_NEED(s, "simulation", errors);
    TAUT_NEED(name, "name", errors);
    TAUT_TRY(check_number(name, value, errors));
    TAUT_TRY(check_initial(s, name, errors));
    s->stale = true;
    for (int i = 0; i < s->settings.initials; i++)
        if (strcmp(s->settings.initial[i].name, name) == 0) {
            s->settings.initial[i].value = value;
            s->settings.initial[i].fixed = fixed;
            return TAUT_OK;
        }
    const char *own = taut_arena_copy(&s->settings.names, name, strlen(name));
    if (!own || taut_grow((void **)&s->settings.initial, &s->settings.initial_room,
                          (size_t)s->settings.initials + 1, sizeof *s->settings.initial))
        return TAUT_ERR_MEMORY;
    s->settings.initial[s->settings.initials++] = (taut_initial){own, value, fixed};
    return TAUT_OK;
}

taut_status taut_simulation_set_initial(taut_simulation *s, const char *name, double value,
                                        taut_errors *errors) {
    return set_initial(s, name, value, false, errors);
}

taut_status taut_simulation_fix_initial(taut_simulation *s, const char *name, double value,
                                        taut_errors *errors) {
    return set_initial(s, name, value, true, errors);
}

void taut_settings_release(taut_settings *settings) {
    taut_release((void **)&settings->override);
    taut_release((void **)&settings->number);
    taut_release((void **)&settings->initial);
    taut_arena_release(&settings->names);
}
