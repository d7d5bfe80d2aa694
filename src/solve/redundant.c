/* Rank-revealing QR of the constraints' Jacobian at the start and at a second position nearby, with
 * exchanges afterwards: pivoting finds the rank, but of several constraints of which one follows
 * from the others it leaves out any. The one to leave out is the one that takes the largest part in
 * the combination that vanishes: then the others are far from depending on each other, and stay so
 * longest when the mechanism moves. */
#include "solve/redundant.h"

#include <math.h>
#include <string.h>

#include "core/bounds.h"
#include "core/dense.h"
#include "core/independent.h"
#include "solve/redundant_parts.h"
#include "solve/rounding.h"

static const double RANK_LIMIT = TAUT_RANK_LIMIT;
/* At positions nearby, which are at a distance of 1e-3: the search for one may end where branches
 * meet, and is off by the root of rounding there. */
static const double CLEAR_RANK = 1e-6;
/* Rows this much smaller than the terms of their equations, in units of the sizes, are rounding. */
static const double NOISE = 1e-13;
/* An exchange must gain this: parts that are equal but for rounding decide nothing. */
static const double GAIN = 1.05;
/* A driver with at least this part in a combination goes, whatever parts the others have. */
static const double PART = 1e-6, HUGE_GAIN = 1e12;
enum { MOST_EXCHANGES = 100 };
/* Of so many rows a sparse elimination is looked at first: if so much is left of each, beside all
 * others and of the longest one's length, QR would find nothing else. */
enum { MANY = 200 };
static const double CLEAR = 1e-4, LONG_ENOUGH = 1e-6;

/* ---- rank ---- */

double taut_orthogonalise(int n, const double *q, int count, double *v) {
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

void taut_divide_row(int n, double *v, double by) {
    for (int i = 0; i < n && by > 0.0; i++) v[i] /= by;
}

/* Rows of velocities come beyond those of positions: a constraint of velocities may follow from one
 * of positions, never the other way round. */
void taut_order_rows_beyond(int n, double *q, int count, int rows, double *v, int *order,
                            int *rank) {
    for (int k = 0; k < count; k++) {
        double *u = q + (size_t)k * (size_t)n;
        taut_divide_row(n, u, taut_orthogonalise(n, q, k, u));
    }
    for (int k = 0; k < rows; k++) {
        order[k] = k;
        taut_divide_row(n, v + (size_t)k * (size_t)n,
                        taut_orthogonalise(n, q, 0, v + (size_t)k * (size_t)n));
    }
    for (*rank = 0; *rank < rows; ++*rank) {
        double largest = 0.0;
        int best = *rank;
        for (int k = *rank; k < rows; k++) {
            const double left = taut_orthogonalise(n, q, count, v + (size_t)order[k] * (size_t)n);
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
        taut_divide_row(n, q + (size_t)count++ * (size_t)n, largest);
    }
}

static bool is_driven(taut_roles roles, int i) {
    return roles.driven && i >= roles.first_constraint && roles.driven[i - roles.first_constraint];
}

static bool takes_part(taut_roles roles, int i) {
    return i < roles.coordinates + roles.angles || i >= roles.first_constraint;
}

/* The longest row among the components of the vector to which row i belongs, times the limit of
 * the rank. */
static double least_component(const taut_series *s, const taut_constraint_rows *g,
                              const double *length, int i) {
    const int vector = s->system->equation[g->row[i]].vector;
    double most = 0.0;
    for (int k = 0; k < g->rows && vector > 0; k++)
        if (s->system->equation[g->row[k]].vector == vector) most = fmax(most, length[k]);
    return RANK_LIMIT * most;
}

/* A row that is nothing but rounding beside the terms of its equation (u . Q where Q turns about u)
 * becomes 0; so does a component of a vector that is next to nothing beside the others. */
static taut_status silence(const taut_series *s, taut_arena *arena, taut_constraint_rows *g) {
    double *room = TAUT_NEW_ARRAY(arena, s->tape->size, double);
    double *terms = TAUT_NEW_ARRAY(arena, s->system->n, double);
    double *length = TAUT_NEW_ARRAY(arena, g->rows, double);
    if (!room || !terms || !length) return TAUT_ERR_MEMORY;
    taut_rounding_find_sizes(s, room, terms);
    for (int i = 0; i < g->rows; i++) {
        double *v = g->a + (size_t)i * (size_t)g->columns;
        length[i] = taut_orthogonalise(g->columns, v, 0, v);
    }
    for (int i = 0; i < g->rows; i++)
        if (!(length[i] > NOISE * terms[g->row[i]]) || length[i] < least_component(s, g, length, i))
            memset(g->a + (size_t)i * (size_t)g->columns, 0, (size_t)g->columns * sizeof *g->a);
    return TAUT_OK;
}

taut_status taut_constraint_rows_find(taut_series *s, taut_roles roles, taut_arena *arena,
                                      taut_constraint_rows *g) {
    const int n = s->system->n, *c = s->structure->offsets.c, *d = s->structure->offsets.d;
    int *place = TAUT_NEW_ARRAY(arena, n, int);
    double *size;
    *g = (taut_constraint_rows){.row = TAUT_NEW_ARRAY(arena, n, int)};
    if (!place || !g->row) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        const bool here = c[i] >= 1 && takes_part(roles, i);
        place[i] = here ? g->rows : -1;
        g->positions += here && i < roles.first_velocity;
        if (here) g->row[g->rows++] = i;
    }
    for (int i = 0; i < roles.first_constraint; i++) {
        if (!taut_roles_engage(&roles, i)) continue;
        place[i] = g->rows;
        g->row[g->rows++] = i;
        g->engaged++;
    }
    for (int j = 0; j < n; j++) g->columns += d[j] == 2 && takes_part(roles, j);
    g->a = taut_arena_array(arena, (size_t)g->rows * (size_t)g->columns, sizeof *g->a);
    if (!g->a) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_position_sizes(s, arena, &size));
    taut_series_look(s, -1);
    taut_series_jacobian(s);
    for (int j = 0, at = 0; j < n; j++) {
        if (d[j] != 2 || !takes_part(roles, j)) continue;
        for (int k = s->start[j]; k < s->start[j + 1]; k++)
            if (place[s->row[k]] >= 0)
                g->a[(size_t)place[s->row[k]] * (size_t)g->columns + (size_t)at] =
                    s->J[k] * size[j];
        at++;
    }
    return silence(s, arena, g);
}

/* Takes out of all other rows what they have along a row that must stay, so that it never appears
 * as the dependent one. Such rows are at right angles to each other: no two of them contain the
 * same coordinate. */
static void set_apart(taut_roles roles, taut_constraint_rows *g) {
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

/* Work space: an orthonormal basis of the rows that are kept, and how these follow from it. */
typedef struct basis {
    double *q; /* [count][columns] */
    double *r; /* [count][count] row k of the kept ones is the sum of r[k][i] q[i], i <= k */
    double *y; /* [count] */
    double *v; /* [columns] */
    int count;
} basis;

/* v = row i, of length 1. */
static void copy_row(const taut_constraint_rows *g, int i, double *v) {
    memcpy(v, g->a + (size_t)i * (size_t)g->columns, (size_t)g->columns * sizeof *v);
    taut_divide_row(g->columns, v, taut_orthogonalise(g->columns, v, 0, v));
}

static double inner(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void find_basis(const taut_constraint_rows *g, const int *kept, basis *b) {
    const size_t n = (size_t)g->columns;
    for (int k = 0; k < b->count; k++) {
        double *u = b->q + (size_t)k * n, *r = b->r + (size_t)k * (size_t)b->count;
        copy_row(g, kept[k], b->v);
        memcpy(u, b->v, n * sizeof *u);
        r[k] = taut_orthogonalise(g->columns, b->q, k, u);
        taut_divide_row(g->columns, u, r[k]);
        for (int i = 0; i < k; i++) r[i] = inner(g->columns, b->q + (size_t)i * n, b->v);
    }
}

/* y: row i as a combination of the kept ones. */
static void combine(const taut_constraint_rows *g, int i, basis *b) {
    const size_t count = (size_t)b->count;
    copy_row(g, i, b->v);
    for (int k = 0; k < b->count; k++)
        b->y[k] = inner(g->columns, b->q + (size_t)k * (size_t)g->columns, b->v);
    for (int k = b->count - 1; k >= 0; k--) {
        b->y[k] /= b->r[(size_t)k * count + (size_t)k];
        for (int j = 0; j < k; j++) b->y[j] -= b->r[(size_t)k * count + (size_t)j] * b->y[k];
    }
}

/* What there is to gain by leaving out row `out` instead of `in`, of which it is y times: that
 * much, unless drivers are among them. */
static double gain(const taut_constraint_rows *g, taut_roles roles, int out, int in, double y) {
    const bool driver = is_driven(roles, g->row[out]);
    if (is_driven(roles, g->row[in])) return 0.0;
    return driver && fabs(y) > PART ? fabs(y) * HUGE_GAIN : fabs(y);
}

/* Exchanges rows that are kept, pivot[0 .. rank-1], and others as long as a combination takes one
 * of the former more than once: the volume that the kept ones span grows each time. A driver that
 * takes part in a combination is what is too much. */
static taut_status exchange(const taut_constraint_rows *g, taut_roles roles, int rank, int *pivot,
                            taut_arena *arena) {
    basis b = {.count = rank};
    if (rank == 0 || rank == g->positions) return TAUT_OK;
    b.q = taut_arena_array(arena, (size_t)rank * (size_t)g->columns, sizeof *b.q);
    b.r = taut_arena_array(arena, (size_t)rank * (size_t)rank, sizeof *b.r);
    b.y = TAUT_NEW_ARRAY(arena, rank, double);
    b.v = TAUT_NEW_ARRAY(arena, g->columns, double);
    if (!b.q || !b.r || !b.y || !b.v) return TAUT_ERR_MEMORY;
    for (int tries = 0; tries < MOST_EXCHANGES; tries++) {
        double most = GAIN;
        int in = -1, out = -1;
        find_basis(g, pivot, &b);
        for (int k = rank; k < g->positions; k++) {
            combine(g, pivot[k], &b);
            for (int j = 0; j < rank; j++) {
                const double gained = gain(g, roles, pivot[j], pivot[k], b.y[j]);
                if (gained > most) {
                    most = gained;
                    out = j;
                    in = k;
                }
            }
        }
        if (in < 0) return TAUT_OK;
        const int left = pivot[out];
        pivot[out] = pivot[in];
        pivot[in] = left;
    }
    return TAUT_OK;
}

/* Rank at the series' point, and an order of the rows with an independent set first. */
static taut_status find_rank(taut_series *s, taut_roles roles, double limit, taut_arena *arena,
                             int **order, int *rows, int *rank) {
    taut_constraint_rows g;
    int others = 0;
    TAUT_TRY(taut_bounds_ask());
    TAUT_TRY(taut_constraint_rows_find(s, roles, arena, &g));
    set_apart(roles, &g);
    const int m = g.positions, more = g.rows - m;
    const size_t width = (size_t)g.columns;
    double *qr = taut_arena_array(arena, (size_t)g.rows * width, sizeof *qr);
    int *pivot = TAUT_NEW_ARRAY(arena, g.rows, int);
    *order = TAUT_NEW_ARRAY(arena, g.rows, int);
    if (!qr || !pivot || !*order) return TAUT_ERR_MEMORY;
    /* the columns of the transposed matrix are the rows */
    if (m > 0) memcpy(qr, g.a, (size_t)m * width * sizeof *qr);
    TAUT_TRY(taut_pivoted_columns(g.columns, m, qr, limit, pivot, rank));
    TAUT_TRY(exchange(&g, roles, *rank, pivot, arena));
    for (int k = 0; k < *rank && more > 0; k++)
        memcpy(qr + (size_t)k * width, g.a + (size_t)pivot[k] * width, width * sizeof *qr);
    if (more > 0)
        taut_order_rows_beyond(g.columns, qr, *rank, more, g.a + (size_t)m * width, pivot + m,
                               &others);
    int at = 0;
    for (int k = 0; k < *rank; k++) (*order)[at++] = g.row[pivot[k]];
    for (int k = 0; k < others; k++) (*order)[at++] = g.row[m + pivot[m + k]];
    for (int k = *rank; k < m; k++) (*order)[at++] = g.row[pivot[k]];
    for (int k = others; k < more; k++) (*order)[at++] = g.row[m + pivot[m + k]];
    *rank += others;
    *rows = g.rows;
    return TAUT_OK;
}

/* The rows of find_gradients as columns of a sparse matrix. */
static taut_status find_sparse(taut_series *s, taut_roles roles, taut_arena *arena, int *rows,
                               taut_sparse_columns *g) {
    const int n = s->system->n, *c = s->structure->offsets.c, *d = s->structure->offsets.d;
    int *place = TAUT_NEW_ARRAY(arena, n, int), *start = TAUT_NEW_ARRAY(arena, n + 2, int);
    int *row = TAUT_NEW_ARRAY(arena, s->entries, int), *next = start ? start + 1 : NULL;
    double *value = TAUT_NEW_ARRAY(arena, s->entries, double), *size;
    if (!place || !start || !row || !value) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_position_sizes(s, arena, &size));
    taut_series_look(s, -1);
    taut_series_jacobian(s);
    *rows = 0;
    for (int i = 0; i < n; i++) place[i] = c[i] >= 1 && takes_part(roles, i) ? (*rows)++ : -1;
    for (int pass = 0; pass < 2; pass++) { /* count, then take; next becomes start */
        for (int j = 0; j < n; j++)
            for (int k = s->start[j]; k < s->start[j + 1]; k++) {
                const int at = place[s->row[k]];
                if (at < 0 || d[j] != 2 || !takes_part(roles, j)) continue;
                if (pass == 0) {
                    next[at + 1]++;
                    continue;
                }
                row[next[at]] = j;
                value[next[at]++] = s->J[k] * size[j];
            }
        for (int i = 0; i < *rows && pass == 0; i++) next[i + 1] += next[i];
    }
    *g = (taut_sparse_columns){n, *rows, start, row, value};
    return TAUT_OK;
}

/* Are all rows independent, beyond any doubt, at the series' point? */
static taut_status look_full(taut_series *s, taut_roles roles, taut_arena *arena, int *rows,
                             bool *full) {
    taut_sparse_columns g;
    int rank;
    double longest = 0.0, shortest = HUGE_VAL;
    *full = false;
    TAUT_TRY(find_sparse(s, roles, arena, rows, &g));
    for (int i = 0; i < g.n; i++) {
        double most = 0.0;
        for (int k = g.start[i]; k < g.start[i + 1]; k++) most = fmax(most, fabs(g.value[k]));
        longest = fmax(longest, most);
        shortest = fmin(shortest, most);
    }
    if (g.n < MANY || !(shortest > LONG_ENOUGH * longest)) return TAUT_OK;
    int *pivot = TAUT_NEW_ARRAY(arena, g.n, int);
    if (!pivot) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_independent_columns(&g, CLEAR, pivot, &rank));
    *full = rank == g.n;
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
        if (status == TAUT_ERR_MEMORY || status == TAUT_INTERRUPTED) return status;
        if (status != TAUT_OK) continue;
        TAUT_TRY(find_rank(s, roles, CLEAR_RANK, arena, &order, &rows, &found));
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
    bool full;
    TAUT_TRY(taut_geometry_start(s, roles, t, arena, errors));
    TAUT_TRY(look_full(s, roles, arena, &result->rows, &full));
    if (full) {
        result->rank = result->start_rank = result->rows;
        return TAUT_OK;
    }
    TAUT_TRY(taut_bounds_check("the dense matrix of constraints, of which the rank is wanted,",
                               s->system->n - roles.first_constraint, roles.coordinates, errors));
    TAUT_TRY(find_rank(s, roles, RANK_LIMIT, arena, &order, &result->rows, &result->start_rank));
    result->rank = result->start_rank;
    if (result->rank < result->rows) /* more there cannot be */
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
    taut_status status = find_rank(series, roles, RANK_LIMIT, arena, &order, &rows, &here);
    taut_series_free(&series);
    TAUT_TRY(status);
    return list_dropped(order, rank, rows, roles.first_constraint, arena, dropped, drops);
}
