/* Derivatives of equations and functions by all that they contain: swept, put on a tape, given
 * places (docs/math/sensitivity.md, section 2). */
#include "expr/diff.h"
#include "solve/forward_parts.h"

enum { LANES = TAUT_FORWARD_LANES };

static taut_status add_node(taut_forward *v, taut_node node, size_t at) {
    if (taut_grow((void **)&v->node, &v->node_room, at + 1, sizeof *v->node))
        return TAUT_ERR_MEMORY;
    v->node[at] = node;
    return TAUT_OK;
}

/* Appends the derivatives of one row. Equal ones are one output. */
static taut_status sweep_row(taut_forward *v, taut_sweep *sweep, taut_node g) {
    const taut_graph *graph = v->system->graph;
    TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_EVERY, g));
    for (size_t k = 0; k < taut_sweep_reached(sweep); k++) {
        const taut_node_data *d = taut_node_get(graph, taut_sweep_variable(sweep, k));
        const bool parameter = d->op == TAUT_OP_PARAM;
        if (parameter && (d->index >= v->order.numbers || !v->order.may_vary[d->index])) continue;
        if (taut_grow((void **)&v->entry, &v->entry_room, v->entries + 1, sizeof *v->entry))
            return TAUT_ERR_MEMORY;
        const int order = parameter ? d->index : taut_sweep_order(sweep, k);
        v->entry[v->entries] = (taut_forward_entry){parameter ? -1 : d->index, order, 0};
        TAUT_TRY(add_node(v, taut_sweep_adjoint(sweep, k), v->entries));
        if (!parameter && order >= v->orders) v->orders = order + 1;
        v->entries++;
    }
    return TAUT_OK;
}

static taut_status sweep_rows(taut_forward *v) {
    const int n = v->system->n;
    taut_sweep *sweep;
    TAUT_TRY(taut_sweep_create(v->system->graph, &sweep));
    taut_sweep_by_parameters(sweep, true);
    taut_status status = TAUT_OK;
    for (int g = 0; g < n + v->order.functions && status == TAUT_OK; g++) {
        status =
            sweep_row(v, sweep, g < n ? v->system->equation[g].node : v->order.function[g - n]);
        v->first[g + 1] = (int)v->entries;
    }
    taut_sweep_free(&sweep);
    return status;
}

/* Numbers the outputs: each node once. */
static taut_status number_outputs(taut_forward *v) {
    taut_arena work = {0};
    int *at = TAUT_NEW_ARRAY(&work, taut_graph_size(v->system->graph), int);
    if (!at) return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < v->entries; k++) {
        const taut_node node = v->node[k];
        if (at[node] == 0) {
            v->node[v->outputs] = node; /* no further than k */
            at[node] = ++v->outputs;
        }
        v->entry[k].output = at[node] - 1;
    }
    taut_arena_release(&work);
    return TAUT_OK;
}

static taut_status make_tape(taut_forward *v) {
    const int n = v->system->n;
    v->variable = TAUT_NEW_ARRAY(&v->arena, n, int);
    v->slot = TAUT_NEW_ARRAY(&v->arena, v->outputs + 1, int);
    if (!v->variable || !v->slot) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_tape_create(v->system->graph, v->structure->offsets.d, v->node,
                              (size_t)v->outputs, &v->arena, &v->tape));
    TAUT_TRY(taut_jet_create(v->tape, v->stage, &v->arena, &v->jet));
    for (int j = 0; j < n; j++) v->variable[j] = -1;
    for (int i = 0; i < v->tape->size; i++)
        if (v->tape->instr[i].kernel == TAUT_KERNEL_VARIABLE)
            v->variable[v->tape->instr[i].index] = i;
    for (int i = 0; i < v->outputs; i++) v->slot[i] = taut_tape_slot(v->tape, v->node[i]);
    return TAUT_OK;
}

/* J_ij = df_i/dx_j^(d_j - c_i) is one of the entries: the pattern by columns. */
static taut_status find_pattern(taut_forward *v) {
    const int n = v->system->n, *c = v->structure->offsets.c, *d = v->structure->offsets.d;
    taut_arena work = {0};
    int *start = TAUT_NEW_ARRAY(&work, n + 2, int), *row_of_entry = NULL;
    if (!start) return TAUT_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++)
            for (int k = v->first[i]; k < v->first[i + 1]; k++) {
                const taut_forward_entry *e = &v->entry[k];
                if (e->variable < 0 || e->order != d[e->variable] - c[i]) continue;
                const int to = pass == 0 ? start[e->variable + 2]++ : start[e->variable + 1]++;
                if (pass == 0) continue;
                v->lu_entry[to] = v->start[e->output];
                row_of_entry[to] = i;
            }
        if (pass == 1) break;
        for (int j = 0; j < n; j++) start[j + 2] += start[j + 1];
        v->lu_entries = n > 0 ? start[n + 1] : 0;
        v->lu_entry = TAUT_NEW_ARRAY(&v->arena, v->lu_entries + 1, int);
        v->J = TAUT_NEW_ARRAY(&v->arena, v->lu_entries + 1, double);
        row_of_entry = TAUT_NEW_ARRAY(&work, v->lu_entries + 1, int);
        if (!v->lu_entry || !v->J || !row_of_entry) {
            taut_arena_release(&work);
            return TAUT_ERR_MEMORY;
        }
    }
    const taut_status status = taut_lu_create(n, start, row_of_entry, &v->lu);
    taut_arena_release(&work);
    return status;
}

/* The highest order of a row that is ever asked for. */
static int top_of(const taut_forward *v, int g) {
    const int n = v->system->n;
    return g < n ? v->structure->offsets.c[g] + v->stage : v->order.levels[g - n];
}

static taut_status place_coefficients(taut_forward *v) {
    v->need = TAUT_NEW_ARRAY(&v->arena, v->outputs + 1, int);
    v->start = TAUT_NEW_ARRAY(&v->arena, v->outputs + 1, int);
    if (!v->need || !v->start) return TAUT_ERR_MEMORY;
    for (int g = 0; g < v->system->n + v->order.functions; g++)
        for (int i = v->first[g]; i < v->first[g + 1]; i++) {
            const int output = v->entry[i].output;
            const bool steady = v->tape->instr[v->slot[output]].kernel == TAUT_KERNEL_STEADY;
            if (!steady && top_of(v, g) > v->need[output]) v->need[output] = top_of(v, g);
        }
    /* with a zero behind each: a stage looks one order ahead */
    for (int i = 0; i < v->outputs; i++) v->start[i + 1] = v->start[i] + v->need[i] + 2;
    int most = 0; /* zeros behind all of them */
    for (int g = 0; g < v->system->n + v->order.functions; g++)
        if (top_of(v, g) > most) most = top_of(v, g);
    v->coef = TAUT_NEW_ARRAY(&v->arena, v->start[v->outputs] + most + 2, double);
    return v->coef ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status place_variations(taut_forward *v) {
    const int n = v->system->n, *d = v->structure->offsets.d;
    v->highest = TAUT_NEW_ARRAY(&v->arena, n, int);
    if (!v->highest) return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++) v->place[j + 1] = v->place[j] + d[j] + v->stage + 1;
    for (size_t k = 0; k < v->entries; k++) {
        const taut_forward_entry *e = &v->entry[k];
        if (e->variable >= 0 && e->order > v->highest[e->variable])
            v->highest[e->variable] = e->order;
    }
    v->blocks = (v->order.directions + LANES - 1) / LANES;
    const size_t lanes = (size_t)v->blocks * LANES, places = (size_t)v->place[n];
    v->x = TAUT_NEW_ARRAY(&v->arena, LANES * (size_t)v->orders * places, double);
    v->all = TAUT_NEW_ARRAY(&v->arena, lanes * places, double);
    v->number = TAUT_NEW_ARRAY(&v->arena, lanes * (size_t)v->order.numbers + LANES, double);
    v->varies = TAUT_NEW_ARRAY(&v->arena, v->order.numbers + 1, bool);
    v->side = TAUT_NEW_ARRAY(&v->arena, (size_t)n * LANES, double);
    v->next = TAUT_NEW_ARRAY(&v->arena, (size_t)n * LANES, double);
    v->work = TAUT_NEW_ARRAY(&v->arena, (size_t)n * LANES, double);
    v->factor = TAUT_NEW_ARRAY(&v->arena, v->structure->largest_d + 1, double);
    return v->x && v->all && v->number && v->varies && v->side && v->next && v->work && v->factor
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

/* The entries as products, by kinds. */
static taut_status list_terms(taut_forward *v) {
    const int rows = v->system->n + v->order.functions;
    v->row = TAUT_NEW_ARRAY(&v->arena, rows, taut_forward_row);
    v->term = TAUT_NEW_ARRAY(&v->arena, v->entries + (size_t)rows + 1, taut_forward_term);
    v->number_term = TAUT_NEW_ARRAY(&v->arena, v->entries + 1, taut_forward_term);
    if (!v->row || !v->term || !v->number_term) return TAUT_ERR_MEMORY;
    taut_forward_term *next = v->term;
    for (int g = 0; g < rows; g++)
        for (int kind = 0; kind < 2; kind++) {
            *(kind == 0 ? &v->row[g].moving : &v->row[g].steady) = next;
            for (int i = v->first[g]; i < v->first[g + 1]; i++) {
                const taut_forward_entry *e = &v->entry[i];
                if (e->variable < 0 || (v->need[e->output] > 0) != (kind == 0)) continue;
                *next++ = (taut_forward_term){
                    v->start[e->output],
                    (e->order * v->place[v->system->n] + v->place[e->variable]) * LANES,
                    v->need[e->output] + 1};
            }
            /* products with what moves go in pairs: the last one may have nothing beside it */
            if (kind == 0 && (next - v->row[g].moving) % 2 != 0)
                *next++ = (taut_forward_term){v->start[v->outputs], 0, 0};
            v->row[g].end = next;
        }
    return TAUT_OK;
}

/* The last stage that is asked for. */
static taut_status find_stage(taut_forward *v) {
    taut_arena work = {0};
    int *offset;
    v->stage = v->order.stages > 0 ? v->order.stages : 0; /* J needs stage 0 */
    if (v->order.functions == 0) return TAUT_OK;
    const taut_status status =
        taut_tape_offsets(v->system->graph, v->structure->offsets.d, &work, &offset);
    for (int i = 0; i < v->order.functions && status == TAUT_OK; i++) {
        const int need = v->order.levels[i] - offset[v->order.function[i]];
        if (need > v->stage) v->stage = need;
    }
    taut_arena_release(&work);
    return status;
}

taut_status taut_forward_plan(taut_forward *v) {
    const int n = v->system->n;
    v->first = TAUT_NEW_ARRAY(&v->arena, n + v->order.functions + 1, int);
    v->place = TAUT_NEW_ARRAY(&v->arena, n + 1, int);
    if (!v->first || !v->place) return TAUT_ERR_MEMORY;
    TAUT_TRY(find_stage(v));
    TAUT_TRY(sweep_rows(v));
    TAUT_TRY(number_outputs(v));
    TAUT_TRY(make_tape(v));
    TAUT_TRY(place_coefficients(v));
    TAUT_TRY(find_pattern(v));
    TAUT_TRY(place_variations(v));
    return list_terms(v);
}
