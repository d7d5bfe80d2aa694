/* States, rates, projection and scales for integrators of ordinary differential equations. */
#include "solve/ode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/projecting.h"

static const int PROJECTIONS = 3;  /* at most, in one call */
static const double SQUARE = 1e-7; /* the error of a correction is of the order of its square */

static void place(const taut_ode *ode, taut_series *series, double t, const double *y) {
    taut_series_start(series, t, 1.0);
    for (int i = 0; i < ode->flow.states; i++)
        taut_series_set(series, ode->weights.state[i].variable, ode->weights.state[i].order, y[i]);
    for (int j = 0; j < ode->flow.system->n; j++)
        taut_series_set(series, j, ode->flow.structure->offsets.d[j], ode->guess[j]);
}

static taut_status rates(taut_flow *flow, double t, const double *y, double *rate) {
    taut_ode *ode = (taut_ode *)flow;
    const int *d = ode->flow.structure->offsets.d;
    place(ode, ode->flow.series, t, y);
    TAUT_TRY(taut_series_settle(ode->flow.series, false, NULL, NULL));
    for (int j = 0; j < ode->flow.system->n; j++) {
        ode->guess[j] = taut_series_get(ode->flow.series, j, d[j]);
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
    const int *c = ode->flow.structure->offsets.c, *d = ode->flow.structure->offsets.d;
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

static taut_status differentiate(taut_flow *flow) {
    taut_ode *ode = (taut_ode *)flow;
    TAUT_TRY(taut_partials_create(flow->system, flow->structure, 0, ode->arena, &ode->partials));
    list_terms(ode, NULL);
    ode->term = TAUT_NEW_ARRAY(ode->arena, ode->terms, taut_ode_term);
    if (!ode->term) return TAUT_ERR_MEMORY;
    list_terms(ode, ode->term);
    if (ode->terms) qsort(ode->term, (size_t)ode->terms, sizeof *ode->term, by_state);
    return TAUT_OK;
}

/* f^(c)(y, z) = 0 with z = x^(d) gives J dz = -(df^(c)/dy) dy: one solve a state. */
static taut_status jacobian(taut_flow *flow, double t, const double *y, double *matrix) {
    taut_ode *ode = (taut_ode *)flow;
    taut_series *s = ode->partials.series;
    const int n = ode->flow.system->n, *c = ode->flow.structure->offsets.c,
              *d = ode->flow.structure->offsets.d;
    place(ode, s, t, y);
    TAUT_TRY(taut_series_settle(s, false, NULL, NULL));
    memset(matrix, 0, (size_t)ode->flow.states * (size_t)ode->flow.states * sizeof *matrix);
    for (int i = 0, next = 0; i < ode->flow.states; i++) {
        double *column = matrix + (size_t)i * (size_t)ode->flow.states;
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

static void take_correction(void *user, int stage) {
    correcting *c = user;
    const taut_ode *ode = c->ode;
    const int *d = ode->flow.structure->offsets.d;
    for (int i = 0; i < ode->flow.states; i++) {
        const int j = ode->weights.state[i].variable;
        if (ode->weights.state[i].order != stage + d[j]) continue;
        const double y = ode->flow.series->y[j], scale = taut_weights_scale(&ode->weights, i);
        c->correction[i] += y;
        if (scale > 0.0) c->largest = fmax(c->largest, fabs(y) / scale);
    }
}

static taut_status project(taut_flow *flow, double t, const double *y, double *correction) {
    taut_ode *ode = (taut_ode *)flow;
    memset(correction, 0, (size_t)ode->flow.states * sizeof *correction);
    place(ode, ode->flow.series, t, y);
    taut_projecting more = taut_projecting_begin(ode->projection, SQUARE, PROJECTIONS);
    correcting c;
    do {
        c = (correcting){ode, correction, 0.0};
        TAUT_TRY(taut_series_settle(ode->flow.series, true, take_correction, &c));
    } while (taut_projecting_goes_on(&more, c.largest));
    return TAUT_OK;
}

/* ---- the flow ---- */

static void take(taut_ode *ode, const taut_state *from, double *y) {
    for (int i = 0; i < ode->flow.states; i++)
        y[i] = *taut_state_at(from, ode->weights.state[i].variable, ode->weights.state[i].order);
    /* where they enter nonlinearly the highest derivatives are part of the point */
    for (int j = 0; j < ode->flow.system->n; j++)
        ode->guess[j] = ode->flow.structure->quasilinear
                            ? 0.0
                            : *taut_state_at(from, j, ode->flow.structure->offsets.d[j]);
}

/* Scales of what is passive, from what it does where the motion is on its way; rate is work space.
 */
static taut_status foresee(taut_ode *ode, double t, const double *y, double *rate) {
    const double time = taut_weights_foresee(&ode->weights, y, rate, ode->ahead);
    if (!(time > 0.0)) return TAUT_OK;
    const taut_status status = rates(&ode->flow, t, ode->ahead, rate);
    if (status == TAUT_OK) taut_weights_raise_passive(&ode->weights, time, rate);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

static taut_status start(taut_flow *flow, const taut_state *from, double *y, double *rate) {
    taut_ode *ode = (taut_ode *)flow;
    take(ode, from, y);
    TAUT_TRY(rates(flow, from->t, y, rate));
    if (from->continued) {
        taut_weights_reach(&ode->weights, y);
        return TAUT_OK;
    }
    taut_weights_start(&ode->weights, y, rate);
    TAUT_TRY(foresee(ode, from->t, y, rate));
    take(ode, from, y);
    return rates(flow, from->t, y, rate);
}

static void weights(const taut_flow *flow, const double *y, double *allowed) {
    for (int i = 0; i < flow->states; i++)
        allowed[i] = taut_weights_allowed(&((const taut_ode *)flow)->weights, i, y[i]);
}

static void values(const taut_flow *flow, const double *y, const double *rate, double *x) {
    const taut_ode *ode = (const taut_ode *)flow;
    for (int j = 0; j < flow->system->n; j++) {
        const int d = flow->structure->offsets.d[j], first = ode->first[j];
        double *own = x + flow->value[j];
        for (int k = 0; k < d; k++) own[k] = y[first + k];
        own[d] = d > 0 ? rate[first + d - 1] : ode->guess[j];
    }
}

static taut_status reach(taut_flow *flow, double t, const double *y) {
    (void)t;
    taut_weights_reach(&((taut_ode *)flow)->weights, y);
    return TAUT_OK;
}

static void remember(const taut_flow *flow, taut_memory *memory) {
    const taut_weights *w = &((const taut_ode *)flow)->weights;
    taut_memory_put_all(memory, w->scale, flow->system->groups * w->levels);
}

static void recall(taut_flow *flow, taut_recall *r) {
    const taut_weights *w = &((const taut_ode *)flow)->weights;
    taut_recall_all(r, w->scale, flow->system->groups * w->levels);
}

static taut_status set_numbers(taut_flow *flow, const double *parameter) {
    const taut_ode *ode = (const taut_ode *)flow;
    TAUT_TRY(taut_series_set_numbers(flow->series, parameter));
    return taut_partials_set_numbers(&ode->partials, parameter);
}

static void forget(taut_flow *flow) {
    const taut_ode *ode = (const taut_ode *)flow;
    if (ode->partials.series) taut_series_forget(ode->partials.series);
}

static void release(taut_flow *flow) { taut_ode_release((taut_ode *)flow); }

static const taut_flow_kind KIND = {.release = release,
                                    .start = start,
                                    .rates = rates,
                                    .weights = weights,
                                    .values = values,
                                    .reach = reach,
                                    .project = project,
                                    .remember = remember,
                                    .recall = recall,
                                    .differentiate = differentiate,
                                    .jacobian = jacobian,
                                    .set_numbers = set_numbers,
                                    .forget = forget};

taut_status taut_ode_create(const taut_system *system, const taut_structure *structure,
                            const taut_stepping *stepping, taut_arena *arena, taut_ode *ode) {
    const int n = system->n;
    *ode = (taut_ode){.flow = {.kind = &KIND, .system = system, .structure = structure},
                      .arena = arena,
                      .projection = stepping->projection};
    TAUT_TRY(taut_weights_create(system, structure, stepping, false, arena, &ode->weights));
    ode->flow.states = ode->weights.states;
    ode->flow.singular = (double)NAN;
    ode->flow.restricted = structure->conditions > 0;
    ode->flow.value = TAUT_NEW_ARRAY(arena, n, int);
    ode->first = TAUT_NEW_ARRAY(arena, n + 1, int);
    ode->guess = TAUT_NEW_ARRAY(arena, n, double);
    ode->ahead = TAUT_NEW_ARRAY(arena, ode->flow.states, double);
    if (!ode->flow.value || !ode->first || !ode->guess || !ode->ahead) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) {
        ode->first[j + 1] = ode->first[j] + structure->offsets.d[j];
        ode->flow.value[j] = ode->first[j] + j;
    }
    ode->flow.values = ode->first[n] + n;
    return taut_series_create_wide(system, structure, 0, NULL, 0, &ode->flow.series);
}

void taut_ode_release(taut_ode *ode) {
    taut_series_free(&ode->flow.series);
    taut_partials_release(&ode->partials);
}

static taut_status make(const void *user, const taut_system *system,
                        const taut_structure *structure, const taut_stepping *stepping,
                        taut_arena *arena, taut_flow **flow) {
    taut_ode *ode = TAUT_NEW_ARRAY(arena, 1, taut_ode);
    (void)user;
    if (!ode) return TAUT_ERR_MEMORY;
    *flow = &ode->flow;
    return taut_ode_create(system, structure, stepping, arena, ode);
}
const taut_flow_maker taut_ode_maker = {make, NULL};
