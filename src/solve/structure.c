/* From equations to structure: signature rows by walking the graph, then offsets and blocks. */
#include "solve/structure.h"

#include <stdio.h>
#include <string.h>

#include "expr/pattern.h"
#include "expr/tape.h"
#include "solve/wide.h"

/* ---- the signature matrix ---- */

static taut_status build_sigma(const taut_system *system, taut_pattern *pattern, taut_arena *arena,
                               taut_sigma *sigma) {
    int *start = TAUT_NEW_ARRAY(arena, system->n + 1, int), *column = NULL, *order = NULL;
    size_t used = 0, column_room = 0, order_room = 0;
    taut_status status = start ? TAUT_OK : TAUT_ERR_MEMORY;
    for (int i = 0; i < system->n && status == TAUT_OK; i++) {
        const taut_pattern_entry *entry;
        size_t count;
        status = taut_pattern_row(pattern, system->equation[i].node, &entry, &count);
        if (status != TAUT_OK) break;
        if (taut_grow((void **)&column, &column_room, used + count, sizeof *column) ||
            taut_grow((void **)&order, &order_room, used + count, sizeof *order)) {
            status = TAUT_ERR_MEMORY;
            break;
        }
        for (size_t k = 0; k < count; k++) {
            column[used] = entry[k].variable;
            order[used++] = entry[k].order;
        }
        start[i + 1] = (int)used;
    }
    int *own_column = TAUT_NEW_ARRAY(arena, used, int),
        *own_order = TAUT_NEW_ARRAY(arena, used, int);
    if (!own_column || !own_order) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK && used > 0) {
        memcpy(own_column, column, used * sizeof *column);
        memcpy(own_order, order, used * sizeof *order);
    }
    taut_release((void **)&column);
    taut_release((void **)&order);
    *sigma = (taut_sigma){system->n, start, own_column, own_order};
    return status;
}

/* ---- what to say about a singular structure ---- */

/* "a, b, c and 7 more" */
static void list_names(const taut_system *system, const int *item, int count, bool equations,
                       char *text, size_t size) {
    enum { SHOWN = 6 };
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && i < SHOWN && used < size; i++) {
        const char *name =
            equations ? system->equation[item[i]].name : system->unknown[item[i]].name;
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name);
    }
    if (count > SHOWN && used < size)
        snprintf(text + used, size - used, " and %d more", count - SHOWN);
}

static taut_status explain_singular(const taut_system *system, const taut_structure *s,
                                    taut_arena *arena, taut_errors *errors) {
    taut_dm dm;
    char rows[300], columns[300];
    TAUT_TRY(taut_dm_split(&s->sigma, &s->offsets, arena, &dm));
    if (dm.nover_rows > 0) {
        list_names(system, dm.over_rows, dm.nover_rows, true, rows, sizeof rows);
        list_names(system, dm.over_columns, dm.nover_columns, false, columns, sizeof columns);
        const char *subject = dm.nover_rows == 1 ? "contains" : "together contain";
        if (dm.nover_columns == 0)
            taut_fail_at(errors, TAUT_ERR_INPUT, system->equation[dm.over_rows[0]].place,
                         "%s %s no variable at all; it cannot determine anything", rows, subject);
        else
            taut_fail_at(errors, TAUT_ERR_INPUT, system->equation[dm.over_rows[0]].place,
                         "over-determined: the %d equations (%s) contain only %d variable%s (%s); "
                         "remove %d of them or let them contain other variables",
                         dm.nover_rows, rows, dm.nover_columns, dm.nover_columns == 1 ? "" : "s",
                         columns, dm.nover_rows - dm.nover_columns);
    }
    if (dm.nunder_columns > 0) {
        list_names(system, dm.under_rows, dm.nunder_rows, true, rows, sizeof rows);
        list_names(system, dm.under_columns, dm.nunder_columns, false, columns, sizeof columns);
        if (dm.nunder_rows == 0)
            taut_fail_at(errors, TAUT_ERR_INPUT, system->unknown[dm.under_columns[0]].place,
                         "under-determined: %s %s in no equation", columns,
                         dm.nunder_columns == 1 ? "occurs" : "occur");
        else
            taut_fail_at(errors, TAUT_ERR_INPUT, system->unknown[dm.under_columns[0]].place,
                         "under-determined: the %d variables (%s) occur in only %d equation%s (%s)",
                         dm.nunder_columns, columns, dm.nunder_rows, dm.nunder_rows == 1 ? "" : "s",
                         rows);
    }
    return TAUT_ERR_INPUT;
}

/* ---- coordinates without mass ---- */

/* Where an equation is matched, its offsets agree. */
static int matched_order(const taut_structure *s, int i) {
    int e = s->sigma.start[i];
    while (s->sigma.column[e] != s->offsets.column_of_row[i]) e++;
    return s->sigma.order[e];
}

/* Raises offsets until they are valid again; false if that would go beyond 2, or reach an unknown
 * that is algebraic. */
static bool settle_offsets(const taut_structure *s, int *c, int *d) {
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < s->n; i++) {
            const int least = d[s->offsets.column_of_row[i]] - matched_order(s, i);
            if (c[i] < least) c[i] = least;
            for (int e = s->sigma.start[i]; e < s->sigma.start[i + 1]; e++) {
                const int j = s->sigma.column[e], wanted = s->sigma.order[e] + c[i];
                if (d[j] >= wanted) continue;
                if (wanted > 2 || d[j] == 0) return false;
                d[j] = wanted;
                again = true;
            }
        }
    }
    return true;
}

/* The smallest offsets take a coordinate without mass for an unknown of stage 0, where it enters
 * nonlinearly. Larger ones are as good (docs/math/structure.md): d = 2 as for all others. */
static taut_status raise_coordinates(const taut_system *system, taut_structure *s,
                                     taut_arena *arena) {
    const size_t size = (size_t)s->n * sizeof(int);
    int *c = TAUT_NEW_ARRAY(arena, s->n, int), *d = TAUT_NEW_ARRAY(arena, s->n, int);
    int algebraic = 0, largest_c = 0;
    bool any = false;
    if (!c || !d) return TAUT_ERR_MEMORY;
    if (s->n > 0) memcpy(c, s->offsets.c, size);
    if (s->n > 0) memcpy(d, s->offsets.d, size);
    for (int j = 0; j < s->n; j++) {
        if (!system->unknown[j].mechanical || d[j] >= 2) continue;
        d[j] = 2;
        any = true;
    }
    if (!any || !settle_offsets(s, c, d)) return TAUT_OK;
    s->offsets.c = c;
    s->offsets.d = d;
    for (int i = 0; i < s->n; i++) {
        if (c[i] > largest_c) largest_c = c[i];
        if (d[i] == 0) algebraic = 1;
    }
    s->offsets.index = largest_c + algebraic;
    return TAUT_OK;
}

/* ---- quasi-linearity ---- */

/* How the highest derivatives (order 0 at stage 0) enter a node with offset 0. */
enum { ABSENT, LINEAR, NONLINEAR };

static uint8_t lead_of(const taut_graph *g, taut_node v, const int *offset, const uint8_t *lead) {
    const taut_node_data *d = taut_node_get(g, v);
    if (offset[v] != 0) return ABSENT;
    if (d->op == TAUT_OP_VAR || d->op == TAUT_OP_DIFF) return LINEAR;
    uint8_t most = ABSENT;
    int involved = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const uint8_t below = lead[taut_node_args(g, v)[i]];
        if (below > most) most = below;
        if (below != ABSENT) involved++;
    }
    if (most == ABSENT || d->op == TAUT_OP_SUM) return most;
    const bool linear_in_one = (d->op == TAUT_OP_MUL && involved == 1) ||
                               (d->op == TAUT_OP_DIV && lead[taut_node_args(g, v)[1]] == ABSENT);
    return linear_in_one ? most : NONLINEAR;
}

static taut_status find_nonlinear(const taut_system *system, taut_structure *s, taut_arena *arena) {
    const taut_graph *g = system->graph;
    int *offset;
    TAUT_TRY(taut_tape_offsets(g, s->offsets.d, arena, &offset));
    s->offset = offset;
    const uint32_t size = taut_graph_size(g);
    uint8_t *lead = TAUT_NEW_ARRAY(arena, size, uint8_t);
    s->nonlinear = TAUT_NEW_ARRAY(arena, s->n, bool);
    if (!lead || !s->nonlinear) return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v < size; v++) lead[v] = lead_of(g, v, offset, lead);
    s->quasilinear = true;
    for (int b = 0; b < s->blocks.nblocks; b++) {
        const int first = s->blocks.block_start[b], end = s->blocks.block_start[b + 1];
        bool nonlinear = false;
        for (int k = first; k < end; k++)
            if (lead[system->equation[s->blocks.row[k]].node] == NONLINEAR) nonlinear = true;
        for (int k = first; k < end; k++) s->nonlinear[s->blocks.column[k]] = nonlinear;
        if (nonlinear) s->quasilinear = false;
    }
    return TAUT_OK;
}

/* Without the signature matrix, which is dense; *found: it is such a system. */
static taut_status create_wide(const taut_system *system, taut_arena *arena, taut_structure *s,
                               bool *found) {
    TAUT_TRY(taut_wide_find(system, arena, s, found));
    if (!*found) return TAUT_OK;
    TAUT_TRY(find_nonlinear(system, s, arena));
    *found = s->quasilinear; /* otherwise Newton looks at J */
    return TAUT_OK;
}

taut_status taut_structure_create(const taut_system *system, taut_arena *arena, taut_structure *s,
                                  taut_errors *errors) {
    taut_pattern *pattern;
    bool found = false;
    if (system->wide) TAUT_TRY(create_wide(system, arena, s, &found));
    if (found) return TAUT_OK;
    *s = (taut_structure){.n = system->n};
    TAUT_TRY(taut_pattern_create(system->graph, &pattern));
    taut_status status = build_sigma(system, pattern, arena, &s->sigma);
    taut_pattern_free(&pattern);
    TAUT_TRY(status);
    TAUT_TRY(taut_assign(&s->sigma, arena, &s->offsets));
    if (s->offsets.rank < s->n) return explain_singular(system, s, arena, errors);
    TAUT_TRY(raise_coordinates(system, s, arena));
    TAUT_TRY(taut_blocks_find(&s->sigma, &s->offsets, arena, &s->blocks));
    for (int j = 0; j < s->n; j++) {
        if (s->offsets.d[j] > s->largest_d) s->largest_d = s->offsets.d[j];
        s->conditions += s->offsets.c[j];
    }
    return find_nonlinear(system, s, arena);
}

taut_status taut_structure_differentiate(const taut_system *system, taut_arena *arena,
                                         taut_structure *s) {
    if (s->jacobian || s->wide) return TAUT_OK;
    taut_jacobian *jacobian = TAUT_NEW(arena, taut_jacobian);
    if (!jacobian) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_jacobian_create(system, s->offset, arena, jacobian));
    s->jacobian = jacobian;
    return TAUT_OK;
}

int taut_needed(const taut_structure *s, int j) {
    return s->offsets.d[j] + (s->nonlinear[j] ? 1 : 0);
}

int taut_structure_mobility(const taut_structure *s) {
    if (s->largest_d != 2) return -1;
    int mobility = 0;
    for (int i = 0; i < s->n; i++) mobility += (s->offsets.d[i] >= 2) - (s->offsets.c[i] >= 2);
    return mobility;
}
