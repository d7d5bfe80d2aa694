/* States, rates, projection and scales for integrators of ordinary differential equations. */
#include "solve/ode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double UNSEEN = 1e-3; /* of the largest scale of its level: a group that is still 0 */
static const int PROJECTIONS = 3;  /* at most, in one call */

taut_status taut_ode_create(const taut_system *system, const taut_structure *structure,
                            const taut_stepping *stepping, taut_arena *arena, taut_ode *ode) {
    const int n = system->n;
    *ode = (taut_ode){.system = system, .structure = structure};
    TAUT_TRY(taut_weights_create(system, structure, stepping, false, arena, &ode->weights));
    ode->states = ode->weights.states;
    ode->first = TAUT_NEW_ARRAY(arena, n + 1, int);
    ode->guess = TAUT_NEW_ARRAY(arena, n, double);
    if (!ode->first || !ode->guess) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) ode->first[j + 1] = ode->first[j] + structure->offsets.d[j];
    return taut_series_create(system, structure, 0, NULL, 0, &ode->series);
}

void taut_ode_release(taut_ode *ode) {
    taut_series_free(&ode->series);
    taut_partials_release(&ode->partials);
}

void taut_ode_take(taut_ode *ode, const taut_series *from, double *y) {
    for (int i = 0; i < ode->states; i++)
        y[i] = taut_series_get(from, ode->weights.state[i].variable, ode->weights.state[i].order);
    /* where they enter nonlinearly the highest derivatives are part of the point */
    for (int j = 0; j < ode->system->n; j++)
        ode->guess[j] = ode->structure->quasilinear
                            ? 0.0
                            : taut_series_get(from, j, ode->structure->offsets.d[j]);
}

static void place(const taut_ode *ode, taut_series *series, double t, const double *y) {
    taut_series_start(series, t, 1.0);
    for (int i = 0; i < ode->states; i++)
        taut_series_set(series, ode->weights.state[i].variable, ode->weights.state[i].order, y[i]);
    for (int j = 0; j < ode->system->n; j++)
        taut_series_set(series, j, ode->structure->offsets.d[j], ode->guess[j]);
}

taut_status taut_ode_rates(taut_ode *ode, double t, const double *y, double *rate) {
    const int *d = ode->structure->offsets.d;
    place(ode, ode->series, t, y);
    TAUT_TRY(taut_series_settle(ode->series, false, NULL, NULL));
    for (int j = 0; j < ode->system->n; j++) {
        ode->guess[j] = taut_series_get(ode->series, j, d[j]);
        const int first = ode->first[j];
        for (int k = 0; k + 1 < d[j]; k++) rate[first + k] = y[first + k + 1];
        if (d[j] > 0) rate[first + d[j] - 1] = ode->guess[j];
    }
    return TAUT_OK;
}

/* ---- Jacobian ---- */

static int by_state(const void *a, const void *b) {
    const taut_ode_term *x = a, *y = b;
    if (x->state != y->state) return x->state - y->state;
    return x->partial != y->partial ? x->partial - y->partial : x->m - y->m;
}

/* Calls with term NULL only count. */
static void list_terms(taut_ode *ode, taut_ode_term *term) {
    const int *c = ode->structure->offsets.c, *d = ode->structure->offsets.d;
    ode->terms = 0;
    for (int k = 0; k < ode->partials.count; k++) {
        const taut_partial *p = &ode->partials.partial[k];
        for (int m = 0; m <= c[p->equation] && p->order + m < d[p->variable]; m++) {
            const int state = ode->first[p->variable] + p->order + m;
            if (term) term[ode->terms] = (taut_ode_term){state, k, m};
            ode->terms++;
        }
    }
}

taut_status taut_ode_differentiate(taut_ode *ode, taut_arena *arena) {
    TAUT_TRY(taut_partials_create(ode->system, ode->structure, 0, arena, &ode->partials));
    list_terms(ode, NULL);
    ode->term = TAUT_NEW_ARRAY(arena, ode->terms, taut_ode_term);
    if (!ode->term) return TAUT_ERR_MEMORY;
    list_terms(ode, ode->term);
    if (ode->terms) qsort(ode->term, (size_t)ode->terms, sizeof *ode->term, by_state);
    return TAUT_OK;
}

/* f^(c)(y, z) = 0 with z = x^(d) gives J dz = -(df^(c)/dy) dy: one solve a state. */
taut_status taut_ode_jacobian(taut_ode *ode, double t, const double *y, double *jacobian) {
    taut_series *s = ode->partials.series;
    const int n = ode->system->n, *c = ode->structure->offsets.c, *d = ode->structure->offsets.d;
    place(ode, s, t, y);
    TAUT_TRY(taut_series_settle(s, false, NULL, NULL));
    memset(jacobian, 0, (size_t)ode->states * (size_t)ode->states * sizeof *jacobian);
    for (int i = 0, next = 0; i < ode->states; i++) {
        double *column = jacobian + (size_t)i * (size_t)ode->states;
        memset(s->y, 0, (size_t)n * sizeof *s->y);
        for (; next < ode->terms && ode->term[next].state == i; next++) {
            const taut_ode_term *x = &ode->term[next];
            const int equation = ode->partials.partial[x->partial].equation;
            s->y[equation] -= taut_partials_term(&ode->partials, x->partial, c[equation], x->m);
        }
        taut_lu_solve(s->lu, s->y);
        for (int j = 0; j < n; j++)
            if (d[j] > 0) column[ode->first[j] + d[j] - 1] = s->y[j];
        if (ode->weights.state[i].order > 0) column[i - 1] = 1.0;
    }
    return TAUT_OK;
}

/* ---- projection ---- */

typedef struct correcting {
    taut_ode *ode;
    double *correction;
    double largest; /* beside the scales */
} correcting;

static double *scale_of(const taut_ode *ode, int i) {
    const taut_state *x = &ode->weights.state[i];
    return &ode->weights.scale[x->group * ode->weights.levels + x->order];
}

static void take_correction(void *user, int stage) {
    correcting *c = user;
    const taut_ode *ode = c->ode;
    const int *d = ode->structure->offsets.d;
    for (int i = 0; i < ode->states; i++) {
        const int j = ode->weights.state[i].variable;
        if (ode->weights.state[i].order != stage + d[j]) continue;
        const double y = ode->series->y[j], scale = *scale_of(ode, i);
        c->correction[i] += y;
        if (scale > 0.0) c->largest = fmax(c->largest, fabs(y) / scale);
    }
}

taut_status taut_ode_project(taut_ode *ode, double t, const double *y, double *correction) {
    memset(correction, 0, (size_t)ode->states * sizeof *correction);
    place(ode, ode->series, t, y);
    for (int round = 0; round < PROJECTIONS; round++) {
        correcting c = {ode, correction, 0.0};
        TAUT_TRY(taut_series_settle(ode->series, true, take_correction, &c));
        /* the error of a correction is of the order of its square */
        if (c.largest < 1e-7) break;
    }
    return TAUT_OK;
}

/* ---- scales ---- */

/* A velocity that begins at 0 will be of the size sqrt(position * acceleration). */
static void raise_between(taut_ode *ode, const double *rate) {
    for (int i = 0; i < ode->states; i++) {
        if (ode->weights.state[i].order == 0 ||
            ode->weights.state[i].order + 1 <
                ode->structure->offsets.d[ode->weights.state[i].variable])
            continue;
        double *scale = scale_of(ode, i);
        *scale = fmax(*scale, sqrt(*scale_of(ode, i - 1) * fabs(rate[i])));
    }
}

void taut_ode_begin_scales(taut_ode *ode, const double *y, const double *rate) {
    const int groups = ode->system->groups, levels = ode->weights.levels;
    taut_weights_forget(&ode->weights);
    taut_weights_reach(&ode->weights, y);
    raise_between(ode, rate);
    for (int level = 0; level < levels; level++) {
        double largest = 0.0;
        for (int g = 0; g < groups; g++)
            largest = fmax(largest, ode->weights.scale[g * levels + level]);
        const double least = largest > 0.0 ? UNSEEN * largest : 1.0;
        for (int g = 0; g < groups; g++) {
            double *scale = &ode->weights.scale[g * levels + level];
            *scale = fmax(*scale, least);
        }
    }
}

double taut_ode_weight(const taut_ode *ode, int i, double y) {
    if (ode->system->unknown[ode->weights.state[i].variable].passive) return (double)INFINITY;
    return ode->weights.rtol * fabs(y) + ode->weights.atol * *scale_of(ode, i);
}

double taut_ode_first_step(const taut_ode *ode, const double *y, const double *rate, double tol) {
    double h = (double)INFINITY;
    for (int i = 0; i < ode->states; i++)
        if (rate[i] != 0.0 && !ode->system->unknown[ode->weights.state[i].variable].passive)
            h = fmin(h, fmax(*scale_of(ode, i), fabs(y[i])) / fabs(rate[i]));
    return isfinite(h) ? 0.1 * sqrt(tol) * h : 0.0;
}
