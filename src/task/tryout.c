/* A simulation is used for one run after the other, which saves forming its equations; after a run
 * that has failed another one is made, so that nothing of the failure can reach the next run.
 * Equilibria and eigenvalues are those of a model that has the values written into it. */
#include "task/tryout.h"

#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "core/number.h"
#include "model/model.h"
#include "task/adjoint.h"
#include "task/slope.h"
#include "task/simulation.h"
#include "taut/linear.h"

enum { NUMBER = 40 }; /* characters of one */

struct taut_tryout {
    taut_arena arena;
    taut_tryout_order order;
    bool runs;                   /* some result needs a run, ... */
    bool analyses;               /* ... some are of the model alone */
    taut_simulation *simulation; /* NULL: to be made */
    taut_meter *meter;
    taut_slope *slope;       /* NULL: no derivatives */
    taut_override *override; /* [names] of a varied model, and their texts */
    char (*text)[NUMBER];
    taut_initial *initial; /* [initials of the model + names] */
};

bool taut_model_has_event(const taut_model *model, const char *name) {
    static const char *const SECTION[] = {"Events",   "Contacts", "Limits",
                                          "Friction", "Locks",    "Breaks"};
    for (size_t i = 0; i < sizeof SECTION / sizeof SECTION[0]; i++)
        if (taut_yaml_get(taut_yaml_get(model->root, SECTION[i]), name)) return true;
    return false;
}

static taut_status check_events(const taut_tryout *x, taut_errors *errors) {
    for (int i = 0; i < x->order.figures; i++) {
        const taut_figure *f = &x->order.figure[i];
        if (f->kind != TAUT_FIGURE_FIRST && f->kind != TAUT_FIGURE_COUNT) continue;
        if (!taut_model_has_event(x->order.model, f->column))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "report %s: the model has no event or contact '%s'", f->name,
                             f->column);
    }
    return TAUT_OK;
}

static taut_status equip(taut_tryout *x, taut_errors *errors) {
    if (x->simulation) return TAUT_OK;
    taut_meter_free(&x->meter);
    taut_slope_free(&x->slope);
    TAUT_TRY(taut_meter_create(x->order.figure, x->order.figures, &x->meter));
    if (x->order.run->sensitivity)
        TAUT_TRY(taut_slope_create(x->order.figure, x->order.figures, x->order.names, x->order.back,
                                   &x->slope));
    TAUT_TRY(x->order.program
                 ? taut_simulation_create_from(x->order.program, &x->simulation, errors)
                 : taut_simulation_create(x->order.model, x->order.run, &x->simulation, errors));
    if (x->order.back) taut_adjoint_record(x->simulation);
    return TAUT_OK;
}

static taut_status build(taut_tryout *x, taut_errors *errors) {
    const taut_tryout_order *o = &x->order;
    for (int i = 0; i < o->figures; i++) {
        if (taut_figure_needs_run(&o->figure[i]))
            x->runs = true;
        else
            x->analyses = true;
    }
    x->override = TAUT_NEW_ARRAY(&x->arena, o->names + 1, taut_override);
    x->text = taut_arena_array(&x->arena, (size_t)o->names + 1, sizeof *x->text);
    x->initial = TAUT_NEW_ARRAY(&x->arena, o->model->initials + o->names + 1, taut_initial);
    if (!x->override || !x->text || !x->initial) return TAUT_ERR_MEMORY;
    TAUT_TRY(check_events(x, errors));
    return equip(x, errors);
}

taut_status taut_tryout_create(const taut_tryout_order *order, taut_tryout **tryout,
                               taut_errors *errors) {
    taut_tryout *x = *tryout = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    x->order = *order;
    const taut_status status = build(x, errors);
    if (status != TAUT_OK) taut_tryout_free(tryout);
    return status;
}

void taut_tryout_free(taut_tryout **tryout) {
    if (!*tryout) return;
    taut_simulation_free(&(*tryout)->simulation);
    taut_meter_free(&(*tryout)->meter);
    taut_slope_free(&(*tryout)->slope);
    taut_arena_release(&(*tryout)->arena);
    taut_release((void **)tryout);
}

taut_status taut_tryout_start(taut_tryout *x, const double *value, taut_errors *errors) {
    TAUT_TRY(equip(x, errors));
    for (int k = 0; value && k < x->order.names; k++) {
        const char *name = x->order.name[k];
        TAUT_TRY(x->order.initial[k]
                     ? taut_simulation_set_initial(x->simulation, name, value[k], errors)
                     : taut_simulation_set_parameter(x->simulation, name, value[k], errors));
    }
    return taut_simulation_start(x->simulation, errors);
}

/* ---- events ---- */

static void count_events(taut_tryout *x, double *result) {
    const taut_notes *notes = taut_simulation_notes(x->simulation);
    for (int i = 0; i < x->order.figures; i++) {
        const taut_figure *f = &x->order.figure[i];
        double first = (double)NAN, count = 0.0;
        if (f->kind != TAUT_FIGURE_FIRST && f->kind != TAUT_FIGURE_COUNT) continue;
        for (int k = 0; k < notes->events; k++) {
            if (strcmp(notes->event[k].name, f->column) != 0) continue;
            if (count++ == 0.0) first = notes->event[k].t;
        }
        result[i] = f->kind == TAUT_FIGURE_FIRST ? first : count;
    }
}

/* ---- equilibria and eigenvalues ---- */

taut_status taut_tryout_vary(taut_tryout *x, const double *value, taut_model **variant,
                             taut_errors *errors) {
    const taut_model *m = x->order.model;
    int overrides = 0, initials = 0;
    for (int i = 0; i < m->initials; i++) x->initial[initials++] = m->initial[i];
    for (int k = 0; k < x->order.names; k++) {
        if (x->order.initial[k]) {
            x->initial[initials++] = (taut_initial){x->order.name[k], value[k], false};
            continue;
        }
        taut_format(x->text[k], NUMBER, "%.17g", value[k]);
        x->override[overrides++] = (taut_override){x->order.name[k], x->text[k]};
    }
    const taut_variation variation = {.override = x->override,
                                      .overrides = overrides,
                                      .initial = x->initial,
                                      .initials = initials};
    return taut_model_vary(m, &variation, variant, errors);
}

static taut_status find_rest(taut_tryout *x, const taut_model *model, double *result,
                             taut_errors *errors) {
    taut_equilibria *all = NULL;
    taut_result *table = NULL;
    taut_status status = taut_equilibria_find(model, x->order.run, 0, &all, errors);
    if (status == TAUT_OK) status = taut_equilibria_table(all, x->order.run, &table, errors);
    for (int i = 0; i < x->order.figures && status == TAUT_OK; i++) {
        const taut_figure *f = &x->order.figure[i];
        int c = 0;
        if (f->kind != TAUT_FIGURE_REST) continue;
        while (c < taut_result_columns(table) &&
               !taut_is_column(taut_result_name(table, c), f->column))
            c++;
        if (c == taut_result_columns(table))
            status = taut_fail(errors, TAUT_ERR_CALL,
                               "report %s: an equilibrium has no column '%s'", f->name, f->column);
        else
            result[i] = taut_result_value(table, 0, c);
    }
    taut_result_free(&table);
    taut_equilibria_free(&all);
    return status;
}

static taut_status find_eigenvalues(taut_tryout *x, const taut_model *model, double *result,
                                    taut_errors *errors) {
    taut_linear *linear = NULL;
    taut_linear_options options = taut_linear_options_default();
    options.inputs = options.outputs = "";
    taut_status status = taut_linearize(model, x->order.run, &options, &linear, errors);
    const taut_linear_point *p = taut_linear_at(linear, 0);
    for (int i = 0; i < x->order.figures && status == TAUT_OK; i++) {
        const taut_figure *f = &x->order.figure[i];
        if (f->kind != TAUT_FIGURE_EIGEN) continue;
        if (f->eigenvalue >= p->states)
            status = taut_fail(errors, TAUT_ERR_CALL, "report %s: there are %d eigenvalues",
                               f->name, p->states);
        else
            result[i] = p->eigenvalue[f->eigenvalue][f->imaginary ? 1 : 0];
    }
    taut_linear_free(&linear);
    return status;
}

static bool has_kind(const taut_tryout *x, taut_figure_kind kind) {
    for (int i = 0; i < x->order.figures; i++)
        if (x->order.figure[i].kind == kind) return true;
    return false;
}

static taut_status analyse(taut_tryout *x, const double *value, double *result,
                           taut_errors *errors) {
    taut_model *variant = NULL;
    TAUT_TRY(taut_tryout_vary(x, value, &variant, errors));
    taut_status status = TAUT_OK;
    if (has_kind(x, TAUT_FIGURE_REST)) status = find_rest(x, variant, result, errors);
    if (status == TAUT_OK && has_kind(x, TAUT_FIGURE_EIGEN))
        status = find_eigenvalues(x, variant, result, errors);
    taut_model_free(&variant);
    return status;
}

/* ---- runs ---- */

/* An equilibrium that is not found with these values may be there with others; a name that does not
 * exist is never there. */
static taut_status check_analyses(taut_tryout *x, const double *value, taut_errors *errors) {
    if (!x->analyses) return TAUT_OK;
    double *result = taut_new((size_t)x->order.figures * sizeof *result);
    if (!result) return TAUT_ERR_MEMORY;
    taut_status status = analyse(x, value, result, NULL);
    if (status == TAUT_ERR_CALL) status = analyse(x, value, result, errors);
    taut_release((void **)&result);
    return status == TAUT_ERR_CALL || status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

taut_status taut_tryout_check(taut_tryout *x, const double *value, taut_errors *errors) {
    TAUT_TRY(taut_meter_begin(x->meter, x->simulation, errors));
    return check_analyses(x, value, errors);
}

taut_status taut_tryout_begin(taut_tryout *x, const double *value, taut_errors *errors) {
    if (!x->runs) return TAUT_OK;
    TAUT_TRY(taut_tryout_start(x, value, errors));
    return taut_meter_begin(x->meter, x->simulation, errors);
}

taut_status taut_tryout_follow(taut_tryout *x, taut_errors *errors) {
    return taut_meter_step(x->meter, x->simulation, errors);
}

static taut_status read_meter(taut_tryout *x, double *result, taut_errors *errors) {
    TAUT_TRY(taut_meter_end(x->meter, x->simulation, result, errors));
    count_events(x, result);
    return TAUT_OK;
}

taut_status taut_tryout_end(taut_tryout *x, const double *value, double *result,
                            taut_errors *errors) {
    if (x->runs) TAUT_TRY(read_meter(x, result, errors));
    return x->analyses ? analyse(x, value, result, errors) : TAUT_OK;
}

void taut_tryout_drop(taut_tryout *x) { taut_simulation_free(&x->simulation); }

taut_simulation *taut_tryout_simulation(taut_tryout *x) { return x->runs ? x->simulation : NULL; }

/* All steps; slopes: derivatives are wanted as well. */
static taut_status take_steps(taut_tryout *x, const double *value, const atomic_bool *stop,
                              bool slopes, taut_errors *errors) {
    taut_status status;
    TAUT_TRY(taut_tryout_begin(x, value, errors));
    if (slopes) TAUT_TRY(taut_slope_begin(x->slope, x->meter, x->simulation, errors));
    while ((status = taut_simulation_step(x->simulation, errors)) == TAUT_OK) {
        if (stop && atomic_load_explicit(stop, memory_order_relaxed)) return TAUT_INTERRUPTED;
        TAUT_TRY(taut_bounds_ask());
        TAUT_TRY(taut_tryout_follow(x, errors));
        if (slopes) TAUT_TRY(taut_slope_step(x->slope, x->meter, x->simulation, errors));
    }
    return status == TAUT_AT_END ? TAUT_OK : status;
}

taut_status taut_tryout_run(taut_tryout *x, const double *value, const atomic_bool *stop,
                            double *result, taut_errors *errors) {
    taut_status status = x->runs ? take_steps(x, value, stop, false, errors) : TAUT_OK;
    if (status == TAUT_OK && x->runs) status = read_meter(x, result, errors);
    if (status != TAUT_OK) taut_tryout_drop(x);
    if (status == TAUT_OK && x->analyses) status = analyse(x, value, result, errors);
    return status;
}

static taut_status find_slopes(taut_tryout *x, const double *value, double *result, double *slope,
                               taut_errors *errors) {
    TAUT_TRY(take_steps(x, value, NULL, true, errors));
    TAUT_TRY(taut_meter_end(x->meter, x->simulation, result, errors));
    TAUT_TRY(taut_slope_end(x->slope, x->meter, x->simulation, result, slope, errors));
    count_events(x, result);
    return TAUT_OK;
}

taut_status taut_tryout_slopes(taut_tryout *x, const double *value, double *result, double *slope,
                               taut_errors *errors) {
    TAUT_TRY(equip(x, errors));
    if (!x->slope) return TAUT_ERR_CALL;
    const taut_status status = find_slopes(x, value, result, slope, errors);
    if (status != TAUT_OK) taut_tryout_drop(x);
    return status;
}
