/* Is a linearisation steady? Its states rest, but for those that nothing depends on, and A is the
 * same a moment later. */
#include <math.h>

#include "task/linear_parts.h"

static const double CHANGES = 1e-7; /* of A, relative: it depends on time */
static const double RESTS = 1e-8;   /* rates, beside their terms */
static const double STANDS = 1e-12; /* rates, beside values */
static const double MOMENT = 1e-12; /* error of the look ahead */

/* As long as the Taylor polynomial of a variable is good. */
static double reach_of(const taut_series *series, int i) {
    const int d = series->structure->offsets.d[i], last = d + TAUT_LINEAR_STAGES;
    double size = 1e-3, factorial = 1.0, h = HUGE_VAL;
    for (int k = 0; k <= d; k++) size = fmax(size, fabs(taut_series_get(series, i, k)));
    for (int k = 1; k <= last; k++) {
        factorial *= (double)k;
        const double x = fabs(taut_series_get(series, i, k)) / factorial;
        if (k > last - 4 && x > 0.0) h = fmin(h, pow(MOMENT * size / x, 1.0 / (double)k));
    }
    return h;
}

/* Moves the series to a moment later, by its polynomials; x: room for all x_j^(k), k <= d_j. */
static void look_ahead(taut_series *series, double *x) {
    const int *d = series->structure->offsets.d, n = series->system->n;
    const double t = series->jet->t;
    double h = HUGE_VAL;
    int at = 0;
    for (int i = 0; i < n; i++) h = fmin(h, reach_of(series, i));
    if (!isfinite(h)) h = 1.0; /* nothing moves */
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= d[i]; k++, at++) {
            double power = 1.0;
            x[at] = 0.0;
            for (int m = 0; k + m <= d[i] + TAUT_LINEAR_STAGES; m++) {
                x[at] += power * taut_series_get(series, i, k + m);
                power *= h / (double)(m + 1);
            }
        }
    taut_series_start(series, t + h, h);
    at = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= d[i]; k++) taut_series_set(series, i, k, x[at++]);
}

/* Do the states rest, but for those that nothing depends on? */
static bool rests(const taut_linear_spot *s) {
    const int n = s->states.count;
    double largest = 0.0;
    for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(s->A[i]));
    for (int k = 0; k < n; k++) {
        double column = 0.0, size = 0.0;
        for (int i = 0; i < n; i++) column = fmax(column, fabs(s->A[i * n + k]));
        for (int i = 0; i < n; i++) size += fabs(s->A[k * n + i]) * fmax(1.0, fabs(s->x0[i]));
        if (fabs(s->rate[k]) > RESTS * fmax(size, 1e-3) && column > RESTS * largest) return false;
    }
    return true;
}

/* Do the equations contain t? Arguments come before the nodes that contain them. */
static taut_status knows_time(const taut_system *system, taut_arena *arena, bool *knows) {
    const taut_graph *graph = system->graph;
    const uint32_t nodes = taut_graph_size(graph);
    bool *needed = TAUT_NEW_ARRAY(arena, nodes, bool);
    *knows = false;
    if (!needed) return TAUT_ERR_MEMORY;
    for (int i = 0; i < system->n; i++) needed[system->equation[i].node] = true;
    for (uint32_t v = nodes; v-- > 0 && !*knows;) {
        const taut_node_data *d = taut_node_get(graph, v);
        *knows = needed[v] && d->op == TAUT_OP_TIME;
        for (uint32_t i = 0; i < d->count && needed[v]; i++)
            needed[taut_node_args(graph, v)[i]] = true;
    }
    return TAUT_OK;
}

/* Nothing moves, and nothing will: A stays without a look. */
static taut_status stands(const taut_linear_spot *s, taut_arena *arena, bool *still) {
    const taut_series *series = taut_variational_series(s->v);
    *still = true;
    for (int i = 0; i < series->system->n && *still; i++) {
        const double size = fmax(1e-3, fabs(taut_series_get(series, i, 0)));
        for (int k = 1; k <= series->structure->offsets.d[i] && *still; k++)
            *still = fabs(taut_series_get(series, i, k)) <= STANDS * size;
    }
    if (!*still) return TAUT_OK;
    bool knows;
    TAUT_TRY(knows_time(series->system, arena, &knows));
    *still = !knows;
    return TAUT_OK;
}

taut_status taut_linear_is_steady(const taut_linear_job *j, taut_linear_spot *s, bool *steady) {
    const int n = s->states.count;
    const double *before = s->A;
    double largest = 0.0, change = 0.0;
    bool still = false;
    *steady = rests(s);
    if (*steady) TAUT_TRY(stands(s, &s->arena, &still));
    if (!*steady || still) return TAUT_OK;
    taut_series *series = taut_variational_series(s->v);
    int values = 1;
    for (int i = 0; i < series->system->n; i++) values += series->structure->offsets.d[i] + 1;
    double *x = TAUT_NEW_ARRAY(&s->arena, values, double);
    if (!x) return TAUT_ERR_MEMORY;
    look_ahead(series, x);
    taut_status status = taut_linear_find_directions(j, s, true);
    if (status == TAUT_OK) status = taut_linear_fill_matrices(j, s);
    if (status == TAUT_ERR_MEMORY) return status;
    for (int i = 0; i < n * n && status == TAUT_OK; i++) {
        largest = fmax(largest, fabs(before[i]));
        change = fmax(change, fabs(s->A[i] - before[i]));
    }
    *steady = status == TAUT_OK && change <= CHANGES * largest;
    return TAUT_OK;
}
