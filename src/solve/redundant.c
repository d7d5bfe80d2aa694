/* Rank-revealing QR of the constraints' Jacobian at the start and at a second position nearby. The
 * structural analysis may fail on a redundant system, so the offsets that mechanics always has are
 * used instead: 2 for coordinates and constraints, 0 for motions and multipliers. */
#include "solve/redundant.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "expr/pattern.h"
#include "solve/consistent.h"

enum { TRIES = 4 };
static const double RANK_LIMIT = 1e-9;

/* Offsets without a matching. An angle that is driven is determined at the level of positions. */
static taut_status mechanical_structure(const taut_system *system, int coordinates, int first,
                                        taut_arena *arena, taut_structure *s) {
    const int n = system->n, angles = first - coordinates;
    *s = (taut_structure){.n = n, .largest_d = 2, .quasilinear = true};
    s->offsets.c = TAUT_NEW_ARRAY(arena, n, int);
    s->offsets.d = TAUT_NEW_ARRAY(arena, n, int);
    s->nonlinear = TAUT_NEW_ARRAY(arena, n, bool);
    if (!s->offsets.c || !s->offsets.d || !s->nonlinear) return TAUT_ERR_MEMORY;
    for (int j = 0; j < coordinates; j++) s->offsets.d[j] = 2;
    for (int j = 0; j < angles; j++) s->offsets.d[coordinates + j] = 1;
    taut_pattern *pattern;
    TAUT_TRY(taut_pattern_create(system->graph, &pattern));
    taut_status status = TAUT_OK;
    for (int i = first; i < n && status == TAUT_OK; i++) {
        const taut_pattern_entry *entry;
        size_t count;
        s->offsets.c[i] = 2;
        status = taut_pattern_row(pattern, system->equation[i].node, &entry, &count);
        for (size_t k = 0; k < count && status == TAUT_OK; k++) {
            const int j = entry[k].variable;
            if (j < coordinates || j >= first) continue;
            s->offsets.d[j] = 2;
            s->offsets.c[j] = 1; /* its own equation has the same number */
        }
    }
    taut_pattern_free(&pattern);
    return status;
}

/* Rank of the rows with c >= 1 over the columns with d = 2 at the series' point, and an order of
 * these rows with an independent set first. */
static taut_status find_rank(taut_series *s, taut_arena *arena, int **order, int *rows, int *rank) {
    const int n = s->system->n, *c = s->structure->offsets.c, *d = s->structure->offsets.d;
    int *place = TAUT_NEW_ARRAY(arena, n, int), *row = TAUT_NEW_ARRAY(arena, n, int), columns = 0;
    if (!place || !row) return TAUT_ERR_MEMORY;
    *rows = 0;
    for (int i = 0; i < n; i++) {
        place[i] = c[i] >= 1 ? *rows : -1;
        if (c[i] >= 1) row[(*rows)++] = i;
    }
    for (int j = 0; j < n; j++) columns += d[j] == 2;
    double *a = taut_arena_array(arena, (size_t)*rows * (size_t)columns, sizeof *a);
    int *pivot = TAUT_NEW_ARRAY(arena, *rows, int);
    if (!a || !pivot) return TAUT_ERR_MEMORY;
    taut_series_look(s, -1);
    taut_series_jacobian(s);
    for (int j = 0, at = 0; j < n; j++) { /* the transposed matrix: its columns are the rows */
        if (d[j] != 2) continue;
        for (int k = s->start[j]; k < s->start[j + 1]; k++)
            if (place[s->row[k]] >= 0)
                a[(size_t)place[s->row[k]] * (size_t)columns + (size_t)at] = s->J[k];
        at++;
    }
    TAUT_TRY(taut_pivoted_columns(columns, *rows, a, RANK_LIMIT, pivot, rank));
    *order = TAUT_NEW_ARRAY(arena, *rows, int);
    if (!*order) return TAUT_ERR_MEMORY;
    for (int k = 0; k < *rows; k++) (*order)[k] = row[pivot[k]];
    return TAUT_OK;
}

/* The size of the positions, to judge what "nearby" means. */
static double position_size(const taut_series *s) {
    double largest = 1e-3;
    for (int j = 0; j < s->system->n; j++)
        if (s->structure->offsets.d[j] == 2)
            largest = fmax(largest, fabs(taut_series_get(s, j, 0)));
    return largest;
}

/* Rank at a position near the one in the series, the largest that is found. */
static taut_status generic_rank(taut_series *s, taut_arena *arena, int start_rank, int *rank) {
    const int n = s->system->n;
    const double size = position_size(s);
    double *saved = TAUT_NEW_ARRAY(arena, n, double);
    unsigned seed = 1;
    if (!saved) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) saved[j] = taut_series_get(s, j, 0);
    *rank = start_rank;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        const double distance = size * (attempt % 2 ? 1e-2 : 1e-3);
        for (int j = 0; j < n; j++) {
            seed = seed * 1664525u + 1013904223u;
            const double shift = ((double)(seed >> 8) / (double)(1u << 24) - 0.5) * distance;
            if (s->structure->offsets.d[j] == 2) taut_series_set(s, j, 0, saved[j] + shift);
        }
        int *order, rows, found;
        taut_status status = taut_consistent_nearest(s);
        if (status == TAUT_ERR_MEMORY) return status;
        if (status != TAUT_OK) continue;
        TAUT_TRY(find_rank(s, arena, &order, &rows, &found));
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

static taut_status analyse(taut_series *s, double t, int first_constraint, taut_arena *arena,
                           taut_redundancy *result, taut_errors *errors) {
    int *order;
    TAUT_TRY(taut_consistent_positions(s, t, arena, errors));
    TAUT_TRY(find_rank(s, arena, &order, &result->rows, &result->start_rank));
    TAUT_TRY(generic_rank(s, arena, result->start_rank, &result->rank));
    return list_dropped(order, result->rank, result->rows, first_constraint, arena,
                        &result->dropped, &result->drops);
}

taut_status taut_redundancy_find(const taut_system *system, int coordinates, int first_constraint,
                                 double t, taut_arena *arena, taut_redundancy *result,
                                 taut_errors *errors) {
    taut_structure structure;
    taut_series *series;
    *result = (taut_redundancy){0};
    TAUT_TRY(mechanical_structure(system, coordinates, first_constraint, arena, &structure));
    TAUT_TRY(taut_series_create(system, &structure, 0, NULL, 0, &series));
    taut_status status = analyse(series, t, first_constraint, arena, result, errors);
    taut_series_free(&series);
    return status;
}

taut_status taut_redundancy_choose(const taut_system *system, int coordinates, int first_constraint,
                                   double t, const double *position, int rank, taut_arena *arena,
                                   int **dropped, int *drops) {
    taut_structure structure;
    taut_series *series;
    int *order, rows, here;
    TAUT_TRY(mechanical_structure(system, coordinates, first_constraint, arena, &structure));
    TAUT_TRY(taut_series_create(system, &structure, 0, NULL, 0, &series));
    taut_series_start(series, t, 1.0);
    for (int j = 0; j < first_constraint; j++) taut_series_set(series, j, 0, position[j]);
    taut_status status = find_rank(series, arena, &order, &rows, &here);
    taut_series_free(&series);
    TAUT_TRY(status);
    return list_dropped(order, rank, rows, first_constraint, arena, dropped, drops);
}
