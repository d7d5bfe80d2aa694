/* Rank-revealing QR of the constraints' Jacobian at the start and at a second position nearby. */
#include "solve/redundant.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "solve/placement.h"

static const double RANK_LIMIT = 1e-9;
static const double FIRST = 1e4; /* so much larger counts a driver's part in a dependency */

/* ---- rank ---- */

/* Takes the parts along the unit vectors q[0 .. count-1] (each of length n) out of v, twice because
 * of rounding; returns what is left of its length. */
static double orthogonalise(int n, const double *q, int count, double *v) {
    double square = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            const double *u = q + (size_t)k * (size_t)n;
            double dot = 0.0;
            for (int i = 0; i < n; i++) dot += u[i] * v[i];
            for (int i = 0; i < n; i++) v[i] -= dot * u[i];
        }
    for (int i = 0; i < n; i++) square += v[i] * v[i];
    return sqrt(square);
}

static void divide(int n, double *v, double by) {
    for (int i = 0; i < n && by > 0.0; i++) v[i] /= by;
}

/* Rows of velocities, beyond the rows of positions: a constraint of velocities may follow from one
 * of positions, never the other way round. q holds `count` independent rows of positions and has
 * room for all; v (rows x n) is overwritten. order: the independent ones come first; *rank: how
 * many. */
static void order_velocities(int n, double *q, int count, int rows, double *v, int *order,
                             int *rank) {
    for (int k = 0; k < count; k++) {
        double *u = q + (size_t)k * (size_t)n;
        divide(n, u, orthogonalise(n, q, k, u));
    }
    for (int k = 0; k < rows; k++) {
        order[k] = k;
        divide(n, v + (size_t)k * (size_t)n, orthogonalise(n, q, 0, v + (size_t)k * (size_t)n));
    }
    for (*rank = 0; *rank < rows; ++*rank) {
        double largest = 0.0;
        int best = *rank;
        for (int k = *rank; k < rows; k++) {
            const double left = orthogonalise(n, q, count, v + (size_t)order[k] * (size_t)n);
            if (left > largest) {
                largest = left;
                best = k;
            }
        }
        if (!(largest > RANK_LIMIT)) return;
        const int chosen = order[best];
        order[best] = order[*rank];
        order[*rank] = chosen;
        memcpy(q + (size_t)count * (size_t)n, v + (size_t)chosen * (size_t)n,
               (size_t)n * sizeof *v);
        divide(n, q + (size_t)count++ * (size_t)n, largest);
    }
}

/* The rows with c >= 1 over the columns with d = 2, further unknowns aside, rows of velocities
 * last; a is rows x columns. */
typedef struct gradients {
    int rows, positions, columns;
    int *row; /* [rows] equation */
    double *a;
} gradients;

static bool takes_part(taut_roles roles, int i) {
    return i < roles.coordinates + roles.angles || i >= roles.first_constraint;
}

static taut_status find_gradients(taut_series *s, taut_roles roles, taut_arena *arena,
                                  gradients *g) {
    const int n = s->system->n, *c = s->structure->offsets.c, *d = s->structure->offsets.d;
    int *place = TAUT_NEW_ARRAY(arena, n, int);
    *g = (gradients){.row = TAUT_NEW_ARRAY(arena, n, int)};
    if (!place || !g->row) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        const bool here = c[i] >= 1 && takes_part(roles, i);
        place[i] = here ? g->rows : -1;
        g->positions += here && i < roles.first_velocity;
        if (here) g->row[g->rows++] = i;
    }
    for (int j = 0; j < n; j++) g->columns += d[j] == 2 && takes_part(roles, j);
    g->a = taut_arena_array(arena, (size_t)g->rows * (size_t)g->columns, sizeof *g->a);
    if (!g->a) return TAUT_ERR_MEMORY;
    taut_series_look(s, -1);
    taut_series_jacobian(s);
    for (int j = 0, at = 0; j < n; j++) {
        if (d[j] != 2 || !takes_part(roles, j)) continue;
        for (int k = s->start[j]; k < s->start[j + 1]; k++)
            if (place[s->row[k]] >= 0)
                g->a[(size_t)place[s->row[k]] * (size_t)g->columns + (size_t)at] = s->J[k];
        at++;
    }
    return TAUT_OK;
}

/* Takes out of all other rows what they have along a row that must stay, so that it never appears
 * as the dependent one. Such rows are at right angles to each other: no two of them contain the
 * same coordinate. */
static void set_apart(taut_roles roles, gradients *g) {
    const size_t width = (size_t)g->columns;
    for (int k = 0; k < g->positions; k++) {
        const double *u = g->a + (size_t)k * width;
        double square = 0.0;
        if (!roles.own || g->row[k] < roles.first_constraint ||
            !roles.own[g->row[k] - roles.first_constraint])
            continue;
        for (size_t i = 0; i < width; i++) square += u[i] * u[i];
        for (int other = 0; other < g->rows && square > 0.0; other++) {
            double *v = g->a + (size_t)other * width, dot = 0.0;
            if (other == k) continue;
            for (size_t i = 0; i < width; i++) dot += u[i] * v[i];
            for (size_t i = 0; i < width && dot != 0.0; i++) v[i] -= dot / square * u[i];
        }
    }
}

static bool is_driver(taut_roles roles, int i) {
    return roles.driver && i >= roles.first_constraint && roles.driver[i - roles.first_constraint];
}

/* Which rows of positions to leave out: those that have the largest part in the dependencies among
 * all, so that the others hardly depend on each other, here and on the way. (A pivoted QR of the
 * rows themselves leaves the last one over, which may have a small part.) Drivers come first.
 * pivot: an order with `rank` independent rows first, in which they are put last. */
static taut_status leave_out(const gradients *g, taut_roles roles, int rank, taut_arena *arena,
                             int *pivot) {
    const int m = g->positions, n = g->columns, drops = m - rank;
    const size_t rows = (size_t)m, width = (size_t)n;
    double *unit = taut_arena_array(arena, rows * width, sizeof *unit);
    double *null = taut_arena_array(arena, rows * rows, sizeof *null);
    double *part = taut_arena_array(arena, rows * (size_t)drops, sizeof *part);
    double *zero = TAUT_NEW_ARRAY(arena, n, double), *x = TAUT_NEW_ARRAY(arena, m, double);
    int *picked = TAUT_NEW_ARRAY(arena, m, int), found, dimensions;
    bool *out = TAUT_NEW_ARRAY(arena, m, bool);
    if (!unit || !null || !part || !zero || !x || !picked || !out) return TAUT_ERR_MEMORY;
    memcpy(unit, g->a, rows * width * sizeof *unit);
    for (size_t k = 0; k < rows; k++)
        divide(n, unit + k * width, orthogonalise(n, NULL, 0, unit + k * width));
    TAUT_TRY(taut_least_norm_null(n, m, unit, zero, RANK_LIMIT, x, null, &found));
    if (found != rank) return TAUT_OK; /* nearly singular: the order stays as it is */
    for (size_t k = 0; k < rows; k++)
        for (size_t i = 0; i < (size_t)drops; i++)
            part[k * (size_t)drops + i] =
                null[i * rows + k] * (is_driver(roles, g->row[k]) ? FIRST : 1.0);
    TAUT_TRY(taut_pivoted_columns(drops, m, part, RANK_LIMIT, picked, &dimensions));
    if (dimensions != drops) return TAUT_OK;
    for (int k = 0; k < drops; k++) out[picked[k]] = true;
    int kept = 0, dropped = rank;
    memcpy(picked, pivot, rows * sizeof *pivot);
    for (int k = 0; k < m; k++) pivot[out[picked[k]] ? dropped++ : kept++] = picked[k];
    return TAUT_OK;
}

/* Rank at the series' point, and an order of the rows with an independent set first. */
static taut_status find_rank(taut_series *s, taut_roles roles, taut_arena *arena, int **order,
                             int *rows, int *rank) {
    gradients g;
    int others = 0;
    TAUT_TRY(find_gradients(s, roles, arena, &g));
    set_apart(roles, &g);
    const int m = g.positions, more = g.rows - m;
    const size_t width = (size_t)g.columns;
    double *qr = taut_arena_array(arena, (size_t)g.rows * width, sizeof *qr);
    int *pivot = TAUT_NEW_ARRAY(arena, g.rows, int);
    *order = TAUT_NEW_ARRAY(arena, g.rows, int);
    if (!qr || !pivot || !*order) return TAUT_ERR_MEMORY;
    /* the columns of the transposed matrix are the rows */
    if (m > 0) memcpy(qr, g.a, (size_t)m * width * sizeof *qr);
    TAUT_TRY(taut_pivoted_columns(g.columns, m, qr, RANK_LIMIT, pivot, rank));
    if (*rank < m) TAUT_TRY(leave_out(&g, roles, *rank, arena, pivot));
    for (int k = 0; k < *rank && more > 0; k++)
        memcpy(qr + (size_t)k * width, g.a + (size_t)pivot[k] * width, width * sizeof *qr);
    if (more > 0)
        order_velocities(g.columns, qr, *rank, more, g.a + (size_t)m * width, pivot + m, &others);
    int at = 0;
    for (int k = 0; k < *rank; k++) (*order)[at++] = g.row[pivot[k]];
    for (int k = 0; k < others; k++) (*order)[at++] = g.row[m + pivot[m + k]];
    for (int k = *rank; k < m; k++) (*order)[at++] = g.row[pivot[k]];
    for (int k = others; k < more; k++) (*order)[at++] = g.row[m + pivot[m + k]];
    *rank += others;
    *rows = g.rows;
    return TAUT_OK;
}

/* Rank at a position near the one in the series, the largest that is found. */
static taut_status generic_rank(taut_series *s, taut_roles roles, taut_arena *arena, int start_rank,
                                int *rank) {
    taut_neighbourhood near;
    TAUT_TRY(taut_neighbourhood_begin(s, arena, &near));
    *rank = start_rank;
    while (near.tried < TAUT_NEIGHBOURS) {
        int *order, rows, found;
        taut_status status = taut_neighbourhood_next(s, &near);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK) continue;
        TAUT_TRY(find_rank(s, roles, arena, &order, &rows, &found));
        if (found > *rank) *rank = found;
    }
    return TAUT_OK;
}

/* The rows beyond the rank, ascending, as far as they are constraints. */
static taut_status list_dropped(const int *order, int rank, int rows, int first_constraint,
                                taut_arena *arena, int **dropped, int *drops) {
    *drops = 0;
    *dropped = TAUT_NEW_ARRAY(arena, rows, int);
    if (!*dropped) return TAUT_ERR_MEMORY;
    for (int k = rank; k < rows; k++) {
        if (order[k] < first_constraint) continue;
        int at = (*drops)++;
        for (; at > 0 && (*dropped)[at - 1] > order[k]; at--) (*dropped)[at] = (*dropped)[at - 1];
        (*dropped)[at] = order[k];
    }
    return TAUT_OK;
}

static taut_status analyse(taut_series *s, double t, taut_roles roles, taut_arena *arena,
                           taut_redundancy *result, taut_errors *errors) {
    int *order;
    TAUT_TRY(taut_geometry_start(s, roles, t, arena, errors));
    TAUT_TRY(find_rank(s, roles, arena, &order, &result->rows, &result->start_rank));
    TAUT_TRY(generic_rank(s, roles, arena, result->start_rank, &result->rank));
    return list_dropped(order, result->rank, result->rows, roles.first_constraint, arena,
                        &result->dropped, &result->drops);
}

taut_status taut_redundancy_find(const taut_system *system, taut_roles roles, double t,
                                 taut_arena *arena, taut_redundancy *result, taut_errors *errors) {
    taut_geometry g;
    taut_series *series;
    *result = (taut_redundancy){0};
    TAUT_TRY(taut_geometry_create(system, roles, arena, &g));
    TAUT_TRY(taut_series_create(&g.system, &g.structure, 0, NULL, 0, &series));
    taut_status status = analyse(series, t, roles, arena, result, errors);
    taut_series_free(&series);
    return status;
}

taut_status taut_redundancy_choose(const taut_system *system, taut_roles roles,
                                   const taut_motion *motion, int rank, taut_arena *arena,
                                   int **dropped, int *drops) {
    taut_geometry g;
    taut_series *series;
    int *order, rows, here;
    TAUT_TRY(taut_geometry_create(system, roles, arena, &g));
    TAUT_TRY(taut_series_create(&g.system, &g.structure, 0, NULL, 0, &series));
    taut_series_start(series, motion->t, 1.0);
    for (int j = 0; j < roles.first_constraint; j++) {
        taut_series_set(series, j, 0, motion->x[j]);
        taut_series_set(series, j, 1, motion->v[j]);
    }
    taut_status status = find_rank(series, roles, arena, &order, &rows, &here);
    taut_series_free(&series);
    TAUT_TRY(status);
    return list_dropped(order, rank, rows, roles.first_constraint, arena, dropped, drops);
}
