/* The largest value of a column changes as the column itself does where it is largest (the time of
 * the extremum changes as well, but there the column is stationary, or the end of the run); mean
 * and rms are integrals of derivatives, by Clenshaw and Curtis over each step. */
#include "task/slope.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"

enum { POINTS = 17 }; /* in a step, for integrals */

struct taut_slope {
    taut_arena arena;
    const taut_figure *figure; /* [count] */
    int count, names;
    double *high, *low;       /* [count * names] at the extrema, or the value or integral so far */
    double *high_at, *low_at; /* [count] when these were */
    double *d;                /* [names] */
    double t0, begin;
    double point[POINTS], weight[POINTS]; /* on [0, 1] */
};

bool taut_slope_knows(const taut_figure *figure) { return figure->kind <= TAUT_FIGURE_AT; }

static void fill_points(taut_slope *x) {
    const int n = POINTS - 1;
    for (int i = 0; i <= n; i++) {
        const double angle = M_PI * (double)i / (double)n;
        double sum = 0.0;
        for (int k = 1; 2 * k <= n; k++)
            sum += (2 * k == n ? 1.0 : 2.0) * cos(2.0 * (double)k * angle) /
                   (4.0 * (double)k * (double)k - 1.0);
        x->point[i] = 0.5 * (1.0 - cos(angle));
        x->weight[i] = (i == 0 || i == n ? 0.5 : 1.0) * (1.0 - sum) / (double)n;
    }
}

taut_status taut_slope_create(const taut_figure *figure, int count, int names, taut_slope **slope) {
    taut_slope *x = *slope = taut_new(sizeof *x);
    if (!x) return TAUT_ERR_MEMORY;
    *x = (taut_slope){.figure = figure, .count = count, .names = names};
    const size_t size = (size_t)count * (size_t)names + 1;
    x->high = TAUT_NEW_ARRAY(&x->arena, size, double);
    x->low = TAUT_NEW_ARRAY(&x->arena, size, double);
    x->high_at = TAUT_NEW_ARRAY(&x->arena, count + 1, double);
    x->low_at = TAUT_NEW_ARRAY(&x->arena, count + 1, double);
    x->d = TAUT_NEW_ARRAY(&x->arena, names + 1, double);
    fill_points(x);
    if (x->high && x->low && x->high_at && x->low_at && x->d) return TAUT_OK;
    taut_slope_free(slope);
    return TAUT_ERR_MEMORY;
}

void taut_slope_free(taut_slope **slope) {
    if (!*slope) return;
    taut_arena_release(&(*slope)->arena);
    taut_release((void **)slope);
}

static double *at(const taut_slope *x, double *list, int figure) {
    return list + (size_t)figure * (size_t)x->names;
}

/* The derivative at an extremum, if that has moved. */
static taut_status follow(taut_slope *x, int i, bool high, const taut_meter *meter,
                          taut_simulation *s, taut_errors *errors) {
    const double t = taut_meter_extremum_time(meter, i, high);
    double *known = high ? &x->high_at[i] : &x->low_at[i];
    if (t == *known) return TAUT_OK;
    *known = t;
    return taut_simulation_differentiate(s, x->figure[i].column, t,
                                         at(x, high ? x->high : x->low, i), errors);
}

static taut_status look(taut_slope *x, int i, const taut_meter *meter, taut_simulation *s,
                        taut_errors *errors) {
    const taut_figure_kind kind = x->figure[i].kind;
    if (kind == TAUT_FIGURE_MAX || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(follow(x, i, true, meter, s, errors));
    if (kind == TAUT_FIGURE_MIN || kind == TAUT_FIGURE_RANGE)
        TAUT_TRY(follow(x, i, false, meter, s, errors));
    return TAUT_OK;
}

taut_status taut_slope_begin(taut_slope *x, const taut_meter *meter, taut_simulation *s,
                             taut_errors *errors) {
    x->t0 = x->begin = taut_simulation_time(s);
    memset(x->high, 0, (size_t)x->count * (size_t)x->names * sizeof *x->high);
    memset(x->low, 0, (size_t)x->count * (size_t)x->names * sizeof *x->low);
    for (int i = 0; i < x->count; i++) {
        const taut_figure *f = &x->figure[i];
        x->high_at[i] = x->low_at[i] = (double)NAN;
        TAUT_TRY(look(x, i, meter, s, errors));
        if (f->kind == TAUT_FIGURE_AT && f->time == x->t0)
            TAUT_TRY(
                taut_simulation_differentiate(s, f->column, f->time, at(x, x->high, i), errors));
    }
    return TAUT_OK;
}

/* Adds the integral of the derivative, or of value times derivative, over the step. */
static taut_status integrate(taut_slope *x, int i, double end, taut_simulation *s,
                             taut_errors *errors) {
    const taut_figure *f = &x->figure[i];
    const double h = end - x->begin;
    double *sum = at(x, x->high, i), value = 1.0;
    for (int p = 0; p < POINTS; p++) {
        const double t = p == POINTS - 1 ? end : x->begin + h * x->point[p];
        TAUT_TRY(taut_simulation_differentiate(s, f->column, t, x->d, errors));
        if (f->kind == TAUT_FIGURE_RMS)
            TAUT_TRY(taut_simulation_read(s, f->column, t, &value, errors));
        for (int k = 0; k < x->names; k++) sum[k] += h * x->weight[p] * value * x->d[k];
    }
    return TAUT_OK;
}

taut_status taut_slope_step(taut_slope *x, const taut_meter *meter, taut_simulation *s,
                            taut_errors *errors) {
    const double end = taut_simulation_reached(s), sign = end < x->begin ? -1.0 : 1.0;
    for (int i = 0; i < x->count && end != x->begin; i++) {
        const taut_figure *f = &x->figure[i];
        TAUT_TRY(look(x, i, meter, s, errors));
        if (f->kind == TAUT_FIGURE_MEAN || f->kind == TAUT_FIGURE_RMS)
            TAUT_TRY(integrate(x, i, end, s, errors));
        if (f->kind == TAUT_FIGURE_AT && sign * (f->time - x->begin) > 0.0 &&
            sign * (end - f->time) >= 0.0)
            TAUT_TRY(
                taut_simulation_differentiate(s, f->column, f->time, at(x, x->high, i), errors));
    }
    x->begin = end;
    return TAUT_OK;
}

taut_status taut_slope_end(taut_slope *x, const taut_meter *meter, taut_simulation *s,
                           const double *value, double *derivative, taut_errors *errors) {
    const double span = x->begin - x->t0;
    for (int i = 0; i < x->count; i++) {
        double *out = at(x, derivative, i);
        const double *high = at(x, x->high, i), *low = at(x, x->low, i);
        const taut_figure_kind kind = x->figure[i].kind;
        TAUT_TRY(look(x, i, meter, s, errors));
        if (kind == TAUT_FIGURE_END)
            TAUT_TRY(taut_simulation_differentiate(
                s, x->figure[i].column, taut_simulation_reached(s), at(x, x->high, i), errors));
        for (int k = 0; k < x->names; k++)
            out[k] = kind == TAUT_FIGURE_MIN     ? low[k]
                     : kind == TAUT_FIGURE_RANGE ? high[k] - low[k]
                     : kind == TAUT_FIGURE_MEAN  ? high[k] / span
                     : kind == TAUT_FIGURE_RMS
                         ? (value[i] > 0.0 ? high[k] / (span * value[i]) : 0.0)
                         : high[k];
    }
    return TAUT_OK;
}
