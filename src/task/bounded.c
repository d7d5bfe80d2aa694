/* Variables of optimisation and fitting. */
#include "task/bounded.h"

#include <math.h>
#include <string.h>

#include "core/philox.h"
#include "model/parameters.h"

/* What the model gives its parameters and initial values. */
static taut_status fill_own(const taut_model *m, taut_box *b, taut_arena *arena) {
    const size_t count = (size_t)taut_model_numbers(m);
    double *number = TAUT_NEW_ARRAY(arena, count + 1, double);
    double *work = TAUT_NEW_ARRAY(arena, taut_model_number_work(m) + 1, double);
    bool *set = TAUT_NEW_ARRAY(arena, count + 1, bool);
    if (!number || !work || !set) return TAUT_ERR_MEMORY;
    taut_model_fill_numbers(m, set, number, work);
    for (int k = 0; k < b->n; k++) {
        const int i = b->initial[k] ? taut_model_find_initial(m, b->name[k])
                                    : taut_model_find_parameter(m, b->name[k]);
        b->own[k] = i >= 0 ? number[i] : (double)NAN;
    }
    return TAUT_OK;
}

static taut_status check_one(const taut_bounded *v, taut_errors *errors) {
    if (!v->name || !v->name[0])
        return taut_fail(errors, TAUT_ERR_CALL, "options.variable: one has no name");
    if (!isfinite(v->low) || !isfinite(v->high) || !(v->low < v->high) ||
        (v->log && !(v->low > 0.0)))
        return taut_fail(errors, TAUT_ERR_CALL,
                         "variable %s: the lower bound is below the upper one%s", v->name,
                         v->log ? ", and above 0 on a logarithmic scale" : "");
    return TAUT_OK;
}

static taut_bounded at(const taut_model *m, const taut_bounded *variable, int k) {
    if (variable) return variable[k];
    const taut_model_variable_bounds *v = &m->study.variable[k];
    return (taut_bounded){v->name, v->low, v->high, v->log};
}

taut_status taut_box_read(const taut_model *m, const taut_bounded *variable, int count,
                          const char *what, taut_arena *arena, taut_box *b, taut_errors *errors) {
    const int n = variable ? count : m->study.variables;
    if (n < 1)
        return taut_fail(errors, TAUT_ERR_CALL,
                         "nothing may change: to %s, the model's section Study has Variables with "
                         "bounds, as in Study: {Variables: {L: [0.5, 2]}}",
                         what);
    *b = (taut_box){.n = n};
    b->name = TAUT_NEW_ARRAY(arena, n, const char *);
    b->initial = TAUT_NEW_ARRAY(arena, n, bool);
    b->log = TAUT_NEW_ARRAY(arena, n, bool);
    b->low = TAUT_NEW_ARRAY(arena, n, double);
    b->high = TAUT_NEW_ARRAY(arena, n, double);
    b->own = TAUT_NEW_ARRAY(arena, n, double);
    if (!b->name || !b->initial || !b->log || !b->low || !b->high || !b->own)
        return TAUT_ERR_MEMORY;
    for (int k = 0; k < n; k++) {
        const taut_bounded v = at(m, variable, k);
        TAUT_TRY(check_one(&v, errors));
        for (int i = 0; i < k; i++)
            if (strcmp(b->name[i], v.name) == 0)
                return taut_fail(errors, TAUT_ERR_CALL, "variable %s: it is there twice", v.name);
        if (!(b->name[k] = taut_arena_copy(arena, v.name, strlen(v.name)))) return TAUT_ERR_MEMORY;
        b->low[k] = v.low, b->high[k] = v.high, b->log[k] = v.log;
        b->initial[k] = taut_model_check_parameter(m, v.name, NULL) != TAUT_OK;
    }
    return fill_own(m, b, arena);
}

double taut_box_value(const taut_box *b, int k, double u) {
    if (u <= 0.0) return b->low[k];
    if (u >= 1.0) return b->high[k];
    return b->log[k] ? b->low[k] * pow(b->high[k] / b->low[k], u)
                     : b->low[k] + u * (b->high[k] - b->low[k]);
}

double taut_box_rate(const taut_box *b, int k, double u) {
    return b->log[k] ? taut_box_value(b, k, u) * log(b->high[k] / b->low[k])
                     : b->high[k] - b->low[k];
}

double taut_box_coordinate(const taut_box *b, int k, double value) {
    const double u = b->log[k] ? log(fmax(value, 1e-300) / b->low[k]) / log(b->high[k] / b->low[k])
                               : (value - b->low[k]) / (b->high[k] - b->low[k]);
    return fmin(1.0, fmax(0.0, u));
}

void taut_box_start(const taut_box *b, uint64_t seed, int start, double *u) {
    for (int k = 0; k < b->n; k++) {
        const uint64_t stream = taut_hash(TAUT_HASH_BEGIN, b->name[k], strlen(b->name[k]));
        u[k] = taut_random_unit(taut_random_bits(seed, (uint64_t)start, stream));
        if (start == 0) u[k] = isfinite(b->own[k]) ? taut_box_coordinate(b, k, b->own[k]) : 0.5;
    }
}
