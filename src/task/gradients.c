/* Differences are central ones of fourth order, at a tolerance that is far below the step; beside a
 * bound they lean inwards. All runs of a gradient go side by side (task/batch). */
#include "task/gradients.h"

#include <math.h>
#include <string.h>

#include "task/batch.h"
#include "task/options.h"
#include "task/slope.h"

enum { AROUND = 4 };               /* points for each name */
enum { BESIDE = 4, LANES = 8 };    /* results at once by adjoints, names at once by variations */
static const double TIGHT = 1e-11; /* tolerance of runs whose differences count */

struct taut_gradients {
    taut_arena arena;
    taut_tryout_order order;
    taut_run_options usual, tight, carried; /* options of plain runs, of those whose differences
                                               count, and of those with sensitivities */
    double *low, *high, *step;              /* [names] */
    double *point, *value;                  /* [AROUND * names + 1] points and their results */
    bool *good;
    double *offset; /* [names] by which the points of a name are moved, in steps */
    taut_tryout *plain;
    taut_tryout *exact;  /* NULL: there are no sensitivities */
    taut_tryout *back;   /* the same by adjoints; NULL: they do not pay, or cannot be had */
    taut_batch *batch;   /* NULL: not yet */
    long runs, failures; /* failures: of sensitivities, where differences helped out */
};

bool taut_gradients_prefer_adjoints(int figures, int names) {
    const int back = (figures + BESIDE - 1) / BESIDE, along = (names + LANES - 1) / LANES;
    return back < along;
}

/* Sensitivities, if the model has them with all of these results and names. */
static taut_status try_exact(taut_gradients *s) {
    taut_tryout_order order = s->order;
    for (int i = 0; i < order.figures; i++)
        if (!taut_slope_knows(&order.figure[i])) return TAUT_OK;
    s->carried = *s->order.run;
    if (!(s->carried.sensitivity = taut_arena_join(&s->arena, order.name, order.names)))
        return TAUT_ERR_MEMORY;
    order.run = &s->carried;
    taut_status status = taut_tryout_create(&order, &s->exact, NULL);
    order.back = true;
    if (status == TAUT_OK && taut_gradients_prefer_adjoints(order.figures, order.names))
        status = taut_tryout_create(&order, &s->back, NULL);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static double *copy(taut_gradients *s, const double *list) {
    double *own = TAUT_NEW_ARRAY(&s->arena, s->order.names + 1, double);
    if (own && s->order.names > 0) memcpy(own, list, (size_t)s->order.names * sizeof *own);
    return own;
}

static taut_status build(taut_gradients *s, bool exact, taut_errors *errors) {
    const size_t n = (size_t)s->order.names, points = AROUND * n + 1;
    s->point = TAUT_NEW_ARRAY(&s->arena, points * n + 1, double);
    s->value = TAUT_NEW_ARRAY(&s->arena, points * (size_t)s->order.figures, double);
    s->good = TAUT_NEW_ARRAY(&s->arena, points, bool);
    s->offset = TAUT_NEW_ARRAY(&s->arena, n + 1, double);
    if (!s->point || !s->value || !s->good || !s->offset) return TAUT_ERR_MEMORY;
    s->usual = s->tight = *s->order.run;
    s->usual.sensitivity = s->tight.sensitivity = NULL;
    s->tight.rtol = fmin(s->tight.rtol, TIGHT);
    s->tight.atol = fmin(s->tight.atol, TIGHT);
    if (exact) TAUT_TRY(try_exact(s));
    s->order.run = &s->usual;
    return taut_tryout_create(&s->order, &s->plain, errors);
}

taut_status taut_gradients_create(const taut_tryout_order *order, const double *low,
                                  const double *high, const double *step, bool exact,
                                  taut_gradients **gradients, taut_errors *errors) {
    taut_gradients *s = *gradients = taut_new(sizeof *s);
    if (!s) return TAUT_ERR_MEMORY;
    s->order = *order;
    s->low = copy(s, low);
    s->high = copy(s, high);
    s->step = copy(s, step);
    const taut_status status =
        s->low && s->high && s->step ? build(s, exact, errors) : TAUT_ERR_MEMORY;
    if (status != TAUT_OK) taut_gradients_free(gradients);
    return status;
}

void taut_gradients_free(taut_gradients **gradients) {
    if (!*gradients) return;
    taut_tryout_free(&(*gradients)->plain);
    taut_tryout_free(&(*gradients)->exact);
    taut_tryout_free(&(*gradients)->back);
    taut_batch_free(&(*gradients)->batch);
    taut_arena_release(&(*gradients)->arena);
    taut_release((void **)gradients);
}

bool taut_gradients_are_exact(const taut_gradients *s) {
    return s->exact != NULL && s->failures == 0;
}
taut_tryout *taut_gradients_tryout(taut_gradients *s) { return s->plain; }
long taut_gradients_runs(const taut_gradients *s) { return s->runs; }

/* ---- differences ---- */

/* Points at x + (offset + j) step, j = -2, -1, 1, 2; the middle one is the last of all. */
static void place_points(taut_gradients *s, const double *x) {
    static const double AT[AROUND] = {-2.0, -1.0, 1.0, 2.0};
    const int n = s->order.names;
    for (int k = 0; k < n; k++) {
        const double below = (x[k] - s->low[k]) / s->step[k],
                     above = (s->high[k] - x[k]) / s->step[k];
        s->offset[k] = below < 2.0 ? 2.0 - below : above < 2.0 ? above - 2.0 : 0.0;
        for (int j = 0; j < AROUND; j++) {
            double *p = s->point + (size_t)(AROUND * k + j) * (size_t)n;
            memcpy(p, x, (size_t)n * sizeof *p);
            p[k] = x[k] + (s->offset[k] + AT[j]) * s->step[k];
        }
    }
    memcpy(s->point + (size_t)(AROUND * n) * (size_t)n, x, (size_t)n * sizeof *x);
}

/* The derivative at -offset of the polynomial through four points at -2, -1, 1, 2 (in steps). */
static double differentiate(const double *f, int stride, double at) {
    static const double X[AROUND] = {-2.0, -1.0, 1.0, 2.0};
    double sum = 0.0;
    for (int j = 0; j < AROUND; j++) {
        double below = 1.0, above = 0.0;
        for (int i = 0; i < AROUND; i++) {
            if (i == j) continue;
            double product = 1.0;
            below *= X[j] - X[i];
            for (int k = 0; k < AROUND; k++)
                if (k != i && k != j) product *= at - X[k];
            above += product;
        }
        sum += f[j * stride] * above / below;
    }
    return sum;
}

static taut_status find_by_differences(taut_gradients *s, const double *x, double *result,
                                       double *slope, taut_errors *errors) {
    const int n = s->order.names, m = s->order.figures, points = AROUND * n + 1;
    if (!s->batch) {
        taut_tryout_order order = s->order;
        order.run = &s->tight;
        TAUT_TRY(taut_batch_create(&order, 0, &s->batch, errors));
    }
    place_points(s, x);
    s->runs += points;
    TAUT_TRY(taut_batch_run(s->batch, s->point, points, s->value, s->good, errors));
    for (int i = 0; i < points; i++)
        if (!s->good[i]) return TAUT_ERR_NUMERICS; /* the errors say why */
    memcpy(result, s->value + (size_t)(AROUND * n) * (size_t)m, (size_t)m * sizeof *result);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++)
            slope[i * n + k] =
                differentiate(s->value + (size_t)(AROUND * k) * (size_t)m + i, m, -s->offset[k]) /
                s->step[k];
    return TAUT_OK;
}

/* ---- the whole ---- */

static bool are_finite(const double *list, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(list[i])) return false;
    return true;
}

taut_status taut_gradients_find(taut_gradients *s, const double *x, double *result, double *slope,
                                taut_errors *errors) {
    const taut_run_options *o = &s->usual;
    const int m = s->order.figures, n = s->order.names;
    if (o->progress && o->progress(o->user, 0.5) != 0) return TAUT_INTERRUPTED;
    s->runs++;
    if (slope && s->back) {
        const taut_status status = taut_tryout_slopes(s->back, x, result, slope, NULL);
        if (status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED) return status;
        if (status == TAUT_OK && are_finite(result, m) && are_finite(slope, m * n)) return TAUT_OK;
        taut_tryout_free(&s->back); /* a singular position, or what it refuses at an event */
    }
    if (slope && s->exact) {
        const taut_status status = taut_tryout_slopes(s->exact, x, result, slope, NULL);
        if (status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED) return status;
        if (status == TAUT_OK && are_finite(result, m) && are_finite(slope, m * n)) return TAUT_OK;
        s->failures++; /* a singular position, a grazing event: differences may still tell */
    }
    if (slope) return find_by_differences(s, x, result, slope, errors);
    const taut_status status = taut_tryout_run(s->plain, x, NULL, result, errors);
    return status == TAUT_OK && !are_finite(result, m) ? TAUT_ERR_NUMERICS : status;
}
