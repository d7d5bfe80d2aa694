/* What an optimisation has found. */
#include <math.h>
#include <string.h>

#include "task/optimize.h"

int taut_optimum_variables(const taut_optimum *o) { return o ? o->box.n : 0; }
int taut_optimum_limits(const taut_optimum *o) { return o ? o->limits : 0; }
int taut_optimum_starts(const taut_optimum *o) { return o ? o->starts : 0; }
int taut_optimum_best(const taut_optimum *o) { return o ? o->best : -1; }

const char *taut_optimum_method(const taut_optimum *o) {
    if (!o) return NULL;
    return !o->by_gradient                          ? "a search without derivatives (NLopt)"
           : taut_gradients_are_exact(o->gradients) ? "gradients by sensitivities (IPOPT)"
                                                    : "gradients by differences (IPOPT)";
}

bool taut_optimum_is_exact(const taut_optimum *o) {
    return o && o->by_gradient && taut_gradients_are_exact(o->gradients);
}

const char *taut_optimum_name(const taut_optimum *o, int k) {
    return o && k >= 0 && k < o->box.n ? o->box.name[k] : NULL;
}

const char *taut_optimum_limit(const taut_optimum *o, int i) {
    return o && i >= 0 && i < o->limits ? o->goal[1 + i].name : NULL;
}

double taut_optimum_value(const taut_optimum *o, int k) {
    return o && o->best >= 0 && k >= 0 && k < o->box.n ? o->start[o->best].value[k] : (double)NAN;
}

double taut_optimum_objective(const taut_optimum *o) {
    return o && o->best >= 0 ? o->start[o->best].objective : (double)NAN;
}

/* The row of the record with the best point has all that is known of it. */
double taut_optimum_excess(const taut_optimum *o, int limit) {
    if (!o || o->best < 0 || limit < 0 || limit >= o->limits) return (double)NAN;
    const taut_result *r = o->record;
    for (long i = 0; i < r->rows; i++) {
        const double *row = r->value + (size_t)i * (size_t)r->columns;
        if ((int)row[1] == o->best &&
            memcmp(row + 2, o->start[o->best].value, (size_t)o->box.n * sizeof *row) == 0)
            return row[3 + o->box.n + limit];
    }
    return (double)NAN;
}

const taut_optimum_start *taut_optimum_get_start(const taut_optimum *o, int start) {
    return o && start >= 0 && start < o->starts ? &o->start[start] : NULL;
}

taut_status taut_optimum_record(const taut_optimum *o, taut_result **record) {
    TAUT_NEED(record, "record", NULL);
    *record = NULL;
    TAUT_NEED(o, "optimum", NULL);
    TAUT_TRY(taut_result_create(o->record->columns, record));
    for (int c = 0; c < o->record->columns; c++) {
        const char *name = o->record->name[c];
        if (!((*record)->name[c] = taut_arena_copy(&(*record)->arena, name, strlen(name)))) {
            taut_result_free(record);
            return TAUT_ERR_MEMORY;
        }
    }
    for (long i = 0; i < o->record->rows; i++) {
        double *row = taut_result_add_row(*record);
        if (!row) {
            taut_result_free(record);
            return TAUT_ERR_MEMORY;
        }
        memcpy(row, o->record->value + (size_t)i * (size_t)o->record->columns,
               (size_t)o->record->columns * sizeof *row);
    }
    return TAUT_OK;
}

taut_status taut_optimum_gradient(taut_optimum *o, int limit, const double *value,
                                  double *derivative, taut_errors *errors) {
    TAUT_NEED(o, "optimum", errors);
    TAUT_NEED(derivative, "derivative", errors);
    if (limit < -1 || limit >= o->limits)
        return taut_fail(errors, TAUT_ERR_CALL, "there is no limit %d", limit);
    double *u = TAUT_NEW_ARRAY(&o->arena, o->box.n, double);
    if (!u) return TAUT_ERR_MEMORY;
    taut_box_start(&o->box, 0, 0, u);
    for (int k = 0; k < o->box.n && value; k++) u[k] = taut_box_coordinate(&o->box, k, value[k]);
    if (!taut_optimum_evaluate(o, u, true))
        return taut_fail(errors, TAUT_ERR_NUMERICS, "there is no run with these values");
    const double sign = limit < 0 && o->maximize ? -1.0 : 1.0;
    for (int k = 0; k < o->box.n; k++)
        derivative[k] =
            sign * o->derivative[(limit + 1) * o->box.n + k] / taut_box_rate(&o->box, k, u[k]);
    return TAUT_OK;
}

taut_status taut_optimum_text(const taut_optimum *o, const double *value, char **text,
                              taut_errors *errors) {
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    TAUT_NEED(o, "optimum", errors);
    if (!value && o->best < 0)
        return taut_fail(errors, TAUT_ERR_CALL, "there is no optimum: give values");
    return taut_model_rewrite(o->model, o->box.name, value ? value : o->start[o->best].value,
                              o->box.n, text, errors);
}
