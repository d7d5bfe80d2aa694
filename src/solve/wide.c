/* Intermediates by the number of unknowns that a node depends on: where it grows beyond a few, the
 * node becomes an unknown itself, and what is made of it depends on one. */
#include "solve/wide.h"

#include <string.h>

#include "expr/pattern.h"
#include "expr/tape.h"

/* Below, or where it is larger than a dense J, nothing is gained. */
enum { LEAST_UNKNOWNS = 48 };
enum { MOST_SOURCES = 4 }; /* unknowns and intermediates that a node may depend on */

/* ---- offsets ---- */

/* The highest order of a derivative in every node; -1: steady. */
static void find_orders(const taut_graph *g, int *order) {
    const uint32_t size = taut_graph_size(g);
    for (taut_node v = 1; v < size; v++) {
        const taut_node_data *d = taut_node_get(g, v);
        const taut_node *arg = taut_node_args(g, v);
        order[v] = d->op == TAUT_OP_VAR || d->op == TAUT_OP_LEAF ? 0 : -1;
        for (uint32_t i = 0; i < d->count; i++)
            if (order[arg[i]] > order[v]) order[v] = order[arg[i]];
        if (d->op == TAUT_OP_DIFF && order[v] >= 0) order[v] += d->index;
    }
}

/* d_j is the highest order of x_j in any equation; -1: there is none. */
static void find_largest(const taut_system *system, int *above, int *d) {
    const taut_graph *g = system->graph;
    const uint32_t size = taut_graph_size(g);
    for (taut_node v = 0; v < size; v++) above[v] = -1;
    for (int j = 0; j < system->n; j++) d[j] = -1;
    for (int i = 0; i < system->n; i++) above[system->equation[i].node] = 0;
    for (taut_node v = size - 1; v > 0; v--) {
        const taut_node_data *x = taut_node_get(g, v);
        if (above[v] < 0) continue;
        if (x->op == TAUT_OP_VAR && above[v] > d[x->index]) d[x->index] = above[v];
        const int below = above[v] + (x->op == TAUT_OP_DIFF ? x->index : 0);
        const taut_node *arg = taut_node_args(g, v);
        for (uint32_t i = 0; i < x->count; i++)
            if (above[arg[i]] < below) above[arg[i]] = below;
    }
}

/* With c_i = 0 the offsets d_j are the smallest ones, if J is regular with them. False: an equation
 * restricts the state, or has no highest derivative, or an unknown is nowhere. */
static taut_status find_offsets(const taut_system *system, taut_arena *arena, taut_structure *s,
                                bool *found) {
    taut_arena scratch = {0};
    int *work = TAUT_NEW_ARRAY(&scratch, taut_graph_size(system->graph), int), *offset = NULL;
    int *c = TAUT_NEW_ARRAY(arena, system->n, int), *d = TAUT_NEW_ARRAY(arena, system->n, int);
    taut_status status = work && c && d ? TAUT_OK : TAUT_ERR_MEMORY;
    *found = true;
    if (status == TAUT_OK) {
        find_orders(system->graph, work);
        for (int i = 0; i < system->n; i++)
            if (work[system->equation[i].node] < 1) *found = false;
    }
    if (status == TAUT_OK && *found) {
        find_largest(system, work, d);
        for (int j = 0; j < system->n; j++)
            if (d[j] < 1) *found = false;
    }
    if (status == TAUT_OK && *found) status = taut_tape_offsets(system->graph, d, arena, &offset);
    for (int i = 0; i < system->n && status == TAUT_OK && *found; i++)
        if (offset[system->equation[i].node] != 0) *found = false;
    taut_arena_release(&scratch);
    s->offset = offset;
    s->offsets = (taut_offsets){.c = c, .d = d};
    for (int j = 0; j < system->n && status == TAUT_OK && *found; j++) {
        s->offsets.dof += d[j];
        if (d[j] > s->largest_d) s->largest_d = d[j];
    }
    return status;
}

/* ---- intermediates ---- */

typedef struct finder {
    const taut_system *system;
    const int *offset;
    uint8_t *use;    /* [nodes] see below */
    int *count;      /* [nodes] sources that a node depends on ... */
    taut_node *list; /* [nodes x MOST_SOURCES] ... ascending */
    bool *is;        /* [nodes] is an intermediate */
    int *number;     /* [nodes] */
    taut_node *node; /* [intermediates] */
    int intermediates;
} finder;

enum { UNUSED, FOR_EQUATION, FOR_OTHERS };

/* Which nodes do the highest derivatives pass through? */
static void mark_used(finder *f) {
    const taut_graph *g = f->system->graph;
    for (int i = 0; i < f->system->n; i++) f->use[f->system->equation[i].node] = FOR_EQUATION;
    for (taut_node v = taut_graph_size(g) - 1; v > 0; v--) {
        const taut_node_data *d = taut_node_get(g, v);
        const taut_node *arg = taut_node_args(g, v);
        if (f->use[v] == UNUSED) continue;
        for (uint32_t i = 0; i < d->count; i++)
            if (d->op == TAUT_OP_DIFF || f->offset[arg[i]] == f->offset[v])
                f->use[arg[i]] = FOR_OTHERS;
    }
}

/* Adds the sources of `a` to a list of at most MOST_SOURCES; false: they are too many. */
static bool join(const finder *f, taut_node a, taut_node *list, int *count) {
    taut_node all[2 * MOST_SOURCES];
    const taut_node *own = f->list + (size_t)a * MOST_SOURCES;
    int n = 0, i = 0, k = 0;
    while (i < *count || k < f->count[a]) {
        if (k == f->count[a] || (i < *count && list[i] < own[k])) {
            all[n++] = list[i++];
        } else {
            if (i < *count && list[i] == own[k]) i++;
            all[n++] = own[k++];
        }
    }
    if (n > MOST_SOURCES) return false;
    memcpy(list, all, (size_t)n * sizeof *all);
    *count = n;
    return true;
}

static void become_source(finder *f, taut_node v) {
    f->list[(size_t)v * MOST_SOURCES] = v;
    f->count[v] = 1;
}

static void find_sources(finder *f) {
    const taut_graph *g = f->system->graph;
    const uint32_t size = taut_graph_size(g);
    for (taut_node v = 1; v < size; v++) {
        const taut_node_data *d = taut_node_get(g, v);
        const taut_node *arg = taut_node_args(g, v);
        bool few = true;
        if (f->use[v] == UNUSED) continue;
        if (d->op == TAUT_OP_VAR) become_source(f, v);
        for (uint32_t i = 0; i < d->count && few; i++)
            if (d->op == TAUT_OP_DIFF || f->offset[arg[i]] == f->offset[v])
                few = join(f, arg[i], f->list + (size_t)v * MOST_SOURCES, &f->count[v]);
        if (few || f->use[v] == FOR_EQUATION) continue; /* a row may be longer */
        become_source(f, v);
        f->is[v] = true;
        f->number[v] = f->intermediates;
        f->node[f->intermediates++] = v;
    }
}

static taut_status find_intermediates(const taut_system *system, const int *offset,
                                      taut_arena *arena, taut_intermediates *between) {
    const uint32_t size = taut_graph_size(system->graph);
    finder f = {.system = system, .offset = offset};
    f.use = TAUT_NEW_ARRAY(arena, size, uint8_t);
    f.count = TAUT_NEW_ARRAY(arena, size, int);
    f.list = TAUT_NEW_ARRAY(arena, (size_t)size * MOST_SOURCES, taut_node);
    f.is = TAUT_NEW_ARRAY(arena, size, bool);
    f.number = TAUT_NEW_ARRAY(arena, size, int);
    f.node = TAUT_NEW_ARRAY(arena, size, taut_node);
    if (!f.use || !f.count || !f.list || !f.is || !f.number || !f.node) return TAUT_ERR_MEMORY;
    mark_used(&f);
    find_sources(&f);
    *between = (taut_intermediates){f.intermediates, f.node, f.is, f.number};
    return TAUT_OK;
}

/* ---- the structure ---- */

/* Has the matrix a transversal? */
static taut_status find_regular(const taut_jacobian *j, bool *regular) {
    taut_arena scratch = {0};
    int *zero = TAUT_NEW_ARRAY(&scratch, j->entries, int);
    taut_offsets offsets = {0};
    taut_status status = zero ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) /* rows and columns exchanged */
        status = taut_assign(&(taut_sigma){j->size, j->start, j->row, zero}, &scratch, &offsets);
    *regular = status == TAUT_OK && offsets.rank == j->size;
    taut_arena_release(&scratch);
    return status;
}

/* All equations together. */
static taut_status one_block(int n, taut_arena *arena, taut_structure *s) {
    int *start = TAUT_NEW_ARRAY(arena, 2, int), *same = TAUT_NEW_ARRAY(arena, n, int);
    int *rows = TAUT_NEW_ARRAY(arena, n + 1, int);
    if (!start || !same || !rows) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) same[i] = i;
    start[1] = n;
    s->blocks = (taut_blocks){1, start, same, same};
    s->sigma = (taut_sigma){n, rows, NULL, NULL};
    s->offsets.column_of_row = s->offsets.row_of_column = same;
    s->offsets.rank = n;
    return TAUT_OK;
}

static taut_status differentiate(const taut_system *system, taut_arena *arena, taut_structure *s,
                                 bool *found) {
    taut_arena scratch = {0};
    taut_intermediates between = {0};
    taut_jacobian *wide = TAUT_NEW(arena, taut_jacobian);
    taut_status status = wide ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = find_intermediates(system, s->offset, &scratch, &between);
    *found = status == TAUT_OK && between.count > 0;
    if (*found) status = taut_jacobian_create_wide(system, s->offset, &between, arena, wide);
    if (*found && status == TAUT_OK) *found = wide->entries < (double)system->n * system->n;
    if (*found && status == TAUT_OK) status = find_regular(wide, found);
    if (*found) s->wide = wide;
    taut_arena_release(&scratch);
    return status;
}

/* Does the last equation have no derivatives? So it is with constraints, and no look at the others
 * is needed. */
static taut_status ends_with_constraint(const taut_system *system, bool *constraint) {
    taut_pattern *pattern = NULL;
    const taut_pattern_entry *entry;
    size_t count = 0;
    TAUT_TRY(taut_pattern_create(system->graph, &pattern));
    const taut_status status =
        taut_pattern_row(pattern, system->equation[system->n - 1].node, &entry, &count);
    *constraint = status == TAUT_OK;
    for (size_t k = 0; k < count && *constraint; k++)
        if (entry[k].order > 0) *constraint = false;
    taut_pattern_free(&pattern);
    return status;
}

taut_status taut_wide_find(const taut_system *system, taut_arena *arena, taut_structure *s,
                           bool *found) {
    *found = false;
    bool constraint = false;
    if (system->n < LEAST_UNKNOWNS) return TAUT_OK;
    TAUT_TRY(ends_with_constraint(system, &constraint));
    if (constraint) return TAUT_OK;
    taut_structure wide = {.n = system->n};
    TAUT_TRY(find_offsets(system, arena, &wide, found));
    if (*found) TAUT_TRY(differentiate(system, arena, &wide, found));
    if (*found) TAUT_TRY(one_block(system->n, arena, &wide));
    if (*found) *s = wide;
    return TAUT_OK;
}
