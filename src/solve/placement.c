/* The structural analysis may fail on a redundant system, so the offsets that mechanics always has
 * are used instead: 2 for coordinates and constraints, 1 for constraints of velocities, 0 for
 * motions and multipliers; and forces, which have no say here, are left out of the motions. */
#include "solve/placement.h"

#include <math.h>
#include <string.h>

#include "expr/pattern.h"
#include "solve/consistent.h"

static double given_value(const taut_system *system, int j) {
    for (int i = 0; i < system->givens; i++)
        if (system->given[i].variable == j && system->given[i].order == 0)
            return system->given[i].value;
    return 0.0;
}

/* An angle in a constraint is determined at the level of positions, with its own equation, which
 * has the same number. */
static taut_status find_used_angles(taut_geometry *g) {
    const int first = g->roles.coordinates, end = first + g->roles.angles;
    taut_pattern *pattern;
    taut_status status = TAUT_OK;
    TAUT_TRY(taut_pattern_create(g->system.graph, &pattern));
    for (int i = end; i < g->system.n && status == TAUT_OK; i++) {
        const taut_pattern_entry *entry;
        size_t count;
        if (i < g->roles.first_constraint && !taut_roles_engage(&g->roles, i)) continue;
        status = taut_pattern_row(pattern, g->system.equation[i].node, &entry, &count);
        for (size_t k = 0; k < count && status == TAUT_OK; k++) {
            const int j = entry[k].variable;
            if (j < first || j >= end) continue;
            g->structure.offsets.d[j] = 2;
            g->structure.offsets.c[j] = 1;
        }
    }
    taut_pattern_free(&pattern);
    return status;
}

taut_status taut_geometry_create(const taut_system *system, taut_roles roles, taut_arena *arena,
                                 taut_geometry *g) {
    const int n = system->n;
    taut_graph *graph = system->graph;
    *g = (taut_geometry){.system = *system, .roles = roles};
    g->structure = (taut_structure){.n = n, .largest_d = 2, .quasilinear = true};
    int *c = g->structure.offsets.c = TAUT_NEW_ARRAY(arena, n, int);
    int *d = g->structure.offsets.d = TAUT_NEW_ARRAY(arena, n, int);
    g->structure.nonlinear = TAUT_NEW_ARRAY(arena, n, bool);
    taut_equation *row = g->system.equation = TAUT_NEW_ARRAY(arena, n, taut_equation);
    if (!c || !d || !g->structure.nonlinear || !row) return TAUT_ERR_MEMORY;
    memcpy(row, system->equation, (size_t)n * sizeof *row);
    for (int j = 0; j < roles.first_constraint; j++) {
        const taut_node x = taut_variable(graph, j);
        d[j] = 2;
        if (j < roles.coordinates) {
            row[j].node = taut_dot(graph, x, 2);
        } else if (j < roles.coordinates + roles.angles) {
            d[j] = 1;
        } else if (taut_roles_engage(&roles, j)) {
            row[j].node = roles.engaged[j];
            d[j] = 0;
            c[j] = 2;
        } else {
            row[j].node = taut_sub(graph, x, taut_number(graph, given_value(system, j)));
            c[j] = 2;
        }
    }
    for (int i = roles.first_constraint; i < n; i++) c[i] = i < roles.first_velocity ? 2 : 1;
    if (taut_graph_failed(graph)) return TAUT_ERR_MEMORY;
    return find_used_angles(g);
}

void taut_geometry_let_go(taut_geometry *g, int equation) {
    g->system.equation[equation].node = taut_variable(g->system.graph, equation);
    g->structure.offsets.c[equation] = 0;
}

taut_status taut_geometry_start(taut_series *s, taut_roles roles, double t, taut_arena *arena,
                                taut_errors *errors) {
    if (roles.first_velocity < s->system->n) /* their derivatives may depend on velocities */
        return taut_consistent_velocities(s, t, arena, errors);
    return taut_consistent_positions(s, t, arena, errors);
}

/* ---- nearby ---- */

taut_status taut_position_sizes(const taut_series *s, taut_arena *arena, double **size) {
    const taut_unknown *unknown = s->system->unknown;
    double most = 0.0, *largest = TAUT_NEW_ARRAY(arena, s->system->groups + 1, double);
    *size = TAUT_NEW_ARRAY(arena, s->system->n, double);
    if (!largest || !*size) return TAUT_ERR_MEMORY;
    for (int j = 0; j < s->system->n; j++) {
        if (s->structure->offsets.d[j] != 2) continue;
        double *own = &largest[unknown[j].group];
        *own = fmax(*own, fabs(taut_series_get(s, j, 0)));
        most = fmax(most, *own);
    }
    for (int j = 0; j < s->system->n; j++) {
        const double own = largest[unknown[j].group];
        (*size)[j] = unknown[j].sizing == TAUT_SIZE_ONE ? 1.0
                     : own > 0.0                        ? own
                     : most > 0.0                       ? most
                                                        : 1.0;
    }
    return TAUT_OK;
}

taut_status taut_neighbourhood_begin(const taut_series *s, taut_arena *arena,
                                     taut_neighbourhood *near) {
    const int n = s->system->n;
    *near = (taut_neighbourhood){.seed = 1};
    near->from = TAUT_NEW_ARRAY(arena, n, double);
    if (!near->from) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_position_sizes(s, arena, &near->size));
    for (int j = 0; j < n; j++) near->from[j] = taut_series_get(s, j, 0);
    return TAUT_OK;
}

taut_status taut_neighbourhood_next(taut_series *s, taut_neighbourhood *near) {
    const double part = near->tried++ % 2 ? 1e-2 : 1e-3;
    for (int j = 0; j < s->system->n; j++) {
        near->seed = near->seed * 1664525u + 1013904223u;
        const double shift =
            ((double)(near->seed >> 8) / (double)(1u << 24) - 0.5) * part * near->size[j];
        if (s->structure->offsets.d[j] == 2) taut_series_set(s, j, 0, near->from[j] + shift);
    }
    return taut_consistent_nearest(s);
}
