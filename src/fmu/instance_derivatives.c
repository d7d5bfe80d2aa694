/* Derivatives by time in co-simulation: inputs that are polynomials during a step, and outputs,
 * whose derivatives taut's series have. */
#include <math.h>
#include <string.h>

#include "fmu/instance_parts.h"

enum { ORDER = TAUT_FMU_INPUT_ORDER, COEFFICIENTS = ORDER + 2 };

/* ---- inputs ---- */

static bool moves(const taut_instance *x, int i) {
    return x->moves && x->list.item[i].role == TAUT_FMU_INPUT;
}

int taut_instance_changes(const taut_instance *x, int i, taut_parameter_change *change) {
    if (!moves(x, i)) {
        change[0] = (taut_parameter_change){x->list.item[i].name, x->applied[i]};
        return 1;
    }
    const char *const *name = x->coefficient + (size_t)i * COEFFICIENTS;
    change[0] = (taut_parameter_change){name[0], x->applied[i]};
    for (int k = 1; k < COEFFICIENTS; k++)
        change[k] = (taut_parameter_change){name[k], x->moving[i * (ORDER + 1) + k - 1]};
    return COEFFICIENTS;
}

taut_status taut_instance_put(taut_instance *x, taut_simulation *s, int i) {
    taut_parameter_change change[COEFFICIENTS];
    const int count = taut_instance_changes(x, i, change);
    for (int k = 0; k < count; k++)
        TAUT_TRY(taut_simulation_set_parameter(s, change[k].name, change[k].value, &x->errors));
    return TAUT_OK;
}

static taut_status name_coefficients(taut_instance *x) {
    x->coefficient = TAUT_NEW_ARRAY(&x->arena, (size_t)x->list.count * COEFFICIENTS, const char *);
    if (!x->coefficient) return TAUT_ERR_MEMORY;
    for (int i = 0; i < x->list.count * COEFFICIENTS; i++) {
        char name[TAUT_FMU_NAME];
        if (x->list.item[i / COEFFICIENTS].role != TAUT_FMU_INPUT) continue;
        taut_fmu_coefficient(x->list.item[i / COEFFICIENTS].name, i % COEFFICIENTS, name);
        x->coefficient[i] = taut_arena_copy(&x->arena, name, strlen(name));
        if (!x->coefficient[i]) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

/* Inputs are columns there: others have moved. */
static taut_status find_columns(taut_instance *x) {
    for (int i = 0; i < x->list.count; i++) {
        taut_fmu_variable *v = &x->list.item[i];
        if (v->role != TAUT_FMU_OUTPUT) continue;
        v->column = 1;
        while (v->column < taut_simulation_columns(x->simulation) &&
               strcmp(taut_simulation_name(x->simulation, v->column), v->name) != 0)
            v->column++;
        if (v->column == taut_simulation_columns(x->simulation)) return TAUT_ERR_NUMERICS;
    }
    return TAUT_OK;
}

taut_status taut_instance_become_moving(taut_instance *x) {
    taut_model *source = NULL, *model = NULL;
    TAUT_TRY(name_coefficients(x));
    const taut_status status =
        taut_fmu_read_moving(x->moving_path, &x->list, &x->arena, &source, &model, &x->errors);
    if (status != TAUT_OK) {
        taut_model_free(&model);
        taut_model_free(&source);
        return status;
    }
    taut_instance_release(x);
    if (x->model != x->source) taut_model_free(&x->model);
    taut_model_free(&x->source);
    x->source = source;
    x->model = model;
    x->moves = true;
    TAUT_TRY(taut_instance_make(x));
    return find_columns(x);
}

bool taut_instance_set_input_derivative(taut_instance *x, unsigned reference, int order,
                                        double value) {
    static const char call[] = "derivative of an input";
    if (reference >= (unsigned)x->list.count || x->list.item[reference].role != TAUT_FMU_INPUT)
        return taut_instance_refuse(x, call, "there is no input with this reference");
    if (!x->moves)
        return taut_instance_refuse(x, call, "the model does not allow inputs that move");
    if (order < 1 || order > ORDER)
        return taut_instance_refuse(x, call, "the order must be 1, 2 or 3");
    if (!isfinite(value)) return taut_instance_refuse(x, call, "the value is not finite");
    x->slope[reference * ORDER + (unsigned)order - 1] = value;
    return true;
}

static bool is_zero(const double *v, int n) {
    for (int i = 0; i < n; i++)
        if (v[i] != 0.0) return false;
    return true;
}

bool taut_instance_take_input(taut_instance *x, int i, double t) {
    double *slope = x->slope + (size_t)i * ORDER, *moving = x->moving + (size_t)i * (ORDER + 1);
    if (x->value[i] == x->applied[i] && is_zero(slope, ORDER) && is_zero(moving, ORDER))
        return false;
    x->applied[i] = x->value[i];
    memcpy(moving, slope, ORDER * sizeof *slope);
    moving[ORDER] = is_zero(slope, ORDER) ? 0.0 : t;
    return true;
}

void taut_instance_rest_inputs(taut_instance *x, double t) {
    for (int i = 0; i < x->list.count && x->moves; i++) {
        double *slope = x->slope + (size_t)i * ORDER;
        const double s = t - x->moving[i * (ORDER + 1) + ORDER];
        if (is_zero(slope, ORDER)) continue;
        x->value[i] = x->applied[i] + s * (slope[0] + s * (slope[1] / 2.0 + s * slope[2] / 6.0));
        memset(slope, 0, ORDER * sizeof *slope);
    }
}

/* ---- outputs ---- */

/* A row with more derivatives than the columns have, where the motion is now. */
static taut_status watch(taut_instance *x) {
    taut_simulation *s = x->simulation;
    const taut_prepared *p = s->prepared;
    const double t = taut_simulation_reached(s);
    int missing;
    if (x->watcher && x->watched != p->problem->serial) taut_observer_free(&x->watcher);
    if (!x->watcher) {
        const int orders = x->settings.derivatives + TAUT_FMU_OUTPUT_ORDER;
        TAUT_TRY(taut_observer_create(p->problem, &p->structure,
                                      &(taut_observing){.derivatives = orders}, &x->watcher));
        x->watched = p->problem->serial;
        x->watched_at = (double)NAN;
        if (taut_grow((void **)&x->row, &x->row_room, (size_t)taut_observer_columns(x->watcher),
                      sizeof *x->row))
            return TAUT_ERR_MEMORY;
    }
    if (x->watched_at == t) return TAUT_OK;
    x->watched_at = t;
    return taut_observer_row(x->watcher, s->stepper, t, x->row, &missing);
}

bool taut_instance_get_output_derivative(taut_instance *x, unsigned reference, int order,
                                         double *value) {
    static const char call[] = "derivative of an output";
    taut_column_source source, other;
    if (reference >= (unsigned)x->list.count || x->list.item[reference].role != TAUT_FMU_OUTPUT)
        return taut_instance_refuse(x, call, "there is no output with this reference");
    const taut_fmu_variable *v = &x->list.item[reference];
    if (x->exchanges) return taut_instance_refuse(x, call, "that is for co-simulation");
    if (order < 1 || order > TAUT_FMU_OUTPUT_ORDER)
        return taut_instance_refuse(x, call, "the order must be 1, 2 or 3");
    if (!taut_instance_fail(x, watch(x))) return false;
    if (taut_observer_source(x->simulation->observer, v->column, &source))
        for (int c = 1; c < taut_observer_columns(x->watcher); c++)
            if (taut_observer_source(x->watcher, c, &other) && other.node == source.node &&
                other.order == source.order + order) {
                *value = x->row[c];
                return isfinite(*value) || taut_instance_refuse(x, v->name, "it has none here");
            }
    return taut_instance_refuse(x, v->name, "it has no derivatives");
}
