/* Polynomials from Taylor coefficients at one point, or at two. */
#include "solve/trail.h"

#include "solve/twopoint.h"

taut_status taut_trail_create(const taut_structure *structure, taut_arena *arena,
                              taut_trail *trail) {
    const int n = structure->n;
    int coefficients = 0;
    *trail = (taut_trail){.structure = structure};
    trail->coefficient = TAUT_NEW_ARRAY(arena, n, int);
    trail->value = TAUT_NEW_ARRAY(arena, n, int);
    if (!trail->coefficient || !trail->value) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) {
        trail->coefficient[j] = coefficients;
        trail->value[j] = trail->values;
        coefficients += structure->offsets.d[j] + TAUT_TRAIL_STAGES + 1;
        trail->values += structure->offsets.d[j] + 1;
    }
    trail->last.c = TAUT_NEW_ARRAY(arena, coefficients, double);
    trail->before.c = TAUT_NEW_ARRAY(arena, coefficients, double);
    return trail->last.c && trail->before.c ? TAUT_OK : TAUT_ERR_MEMORY;
}

void taut_trail_add(taut_trail *trail, taut_series *series, double t) {
    const taut_footprint oldest = trail->before;
    trail->before = trail->last;
    trail->last = (taut_footprint){.t = t, .c = oldest.c};
    taut_series_extend(series, 1, TAUT_TRAIL_STAGES);
    if (taut_series_is_finite(series, TAUT_TRAIL_STAGES)) trail->last.stages = TAUT_TRAIL_STAGES;
    for (int j = 0; j < trail->structure->n; j++) {
        const int last = trail->structure->offsets.d[j] + trail->last.stages;
        double factorial = 1.0;
        for (int k = 0; k <= last; k++) {
            trail->last.c[trail->coefficient[j] + k] = taut_series_get(series, j, k) / factorial;
            factorial *= k + 1;
        }
    }
}

void taut_trail_begin(taut_trail *trail, taut_series *series, double t) {
    taut_trail_add(trail, series, t);
    trail->before.t = t; /* nothing lies between */
}

/* x^(r) at a distance s from a point, from the coefficients c_0 .. c_last there. */
static double derivative(const double *c, int last, int r, double s) {
    double value = 0.0;
    for (int k = last; k >= r; k--) {
        double factor = 1.0;
        for (int i = 0; i < r; i++) factor *= k - i;
        value = value * s + factor * c[k];
    }
    return value;
}

void taut_trail_predict(const taut_trail *trail, double t, double *x) {
    for (int j = 0; j < trail->structure->n; j++) {
        const int d = trail->structure->offsets.d[j];
        for (int r = 0; r <= d; r++)
            x[trail->value[j] + r] = derivative(trail->last.c + trail->coefficient[j],
                                                d + trail->last.stages, r, t - trail->last.t);
    }
}

/* Coefficients scaled with h. */
static void scale(const double *c, int count, double h, double *scaled) {
    double power = 1.0;
    for (int k = 0; k < count; k++, power *= h) scaled[k] = c[k] * power;
}

static void interpolate(const taut_trail *trail, int j, double t, double *x) {
    const int d = trail->structure->offsets.d[j];
    const int lefts = d + trail->before.stages + 1, rights = d + trail->last.stages + 1;
    const double h = trail->last.t - trail->before.t, theta = (t - trail->before.t) / h;
    double left[TAUT_TWOPOINT_MOST], right[TAUT_TWOPOINT_MOST], factor = 1.0;
    taut_twopoint poly;
    scale(trail->before.c + trail->coefficient[j], lefts, h, left);
    scale(trail->last.c + trail->coefficient[j], rights, h, right);
    taut_twopoint_set(&poly, left, lefts, right, rights);
    for (int r = 0; r <= d; r++) {
        x[r] = taut_twopoint_value(&poly, r, theta) * factor;
        factor *= (r + 1) / h;
    }
}

void taut_trail_look(const taut_trail *trail, double t, double *x) {
    const bool between = (t - trail->before.t) * (trail->last.t - t) > 0.0;
    if (!between) {
        taut_trail_predict(trail, t, x);
        return;
    }
    for (int j = 0; j < trail->structure->n; j++) interpolate(trail, j, t, x + trail->value[j]);
}
