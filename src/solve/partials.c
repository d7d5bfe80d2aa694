/* One EVERY sweep an equation; the results are outputs of a series. */
#include "solve/partials.h"

#include "expr/diff.h"

typedef struct found {
    taut_partial *partial;
    taut_node *node;
    size_t count, partial_room, node_room;
} found;

/* Appends the derivatives of an equation by variables, or by parameters. */
static taut_status sweep_equation(const taut_system *system, taut_sweep *sweep, int i,
                                  bool by_parameters, found *list) {
    TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_EVERY, system->equation[i].node));
    const size_t reached = taut_sweep_reached(sweep), need = list->count + reached;
    if (taut_grow((void **)&list->partial, &list->partial_room, need, sizeof *list->partial) ||
        taut_grow((void **)&list->node, &list->node_room, need, sizeof *list->node))
        return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < reached; k++) {
        const taut_node_data *d = taut_node_get(system->graph, taut_sweep_variable(sweep, k));
        const int j = d->index;
        if (by_parameters != (d->op == TAUT_OP_PARAM)) continue;
        list->partial[list->count] = (taut_partial){i, j, taut_sweep_order(sweep, k)};
        list->node[list->count++] = taut_sweep_adjoint(sweep, k);
    }
    return TAUT_OK;
}

static taut_status sweep_all(const taut_system *system, bool by_parameters, found *list) {
    taut_sweep *sweep;
    TAUT_TRY(taut_sweep_create(system->graph, &sweep));
    taut_sweep_by_parameters(sweep, by_parameters);
    taut_status status = TAUT_OK;
    for (int i = 0; i < system->n && status == TAUT_OK; i++)
        status = sweep_equation(system, sweep, i, by_parameters, list);
    taut_sweep_free(&sweep);
    return status;
}

/* Lists them in the arena; by parameters: the variable of a partial is a parameter. */
static taut_status list_all(const taut_system *system, bool by_parameters, taut_arena *arena,
                            taut_partial **partial, taut_node **node, int *count) {
    found list = {0};
    taut_status status = sweep_all(system, by_parameters, &list);
    *count = (int)list.count;
    *partial = TAUT_NEW_ARRAY(arena, list.count, taut_partial);
    *node = TAUT_NEW_ARRAY(arena, list.count, taut_node);
    if (status == TAUT_OK && (!*partial || !*node)) status = TAUT_ERR_MEMORY;
    for (size_t k = 0; k < list.count && status == TAUT_OK; k++) {
        (*partial)[k] = list.partial[k];
        (*node)[k] = list.node[k];
    }
    taut_release((void **)&list.partial);
    taut_release((void **)&list.node);
    return status;
}

taut_status taut_partials_list(const taut_system *system, taut_arena *arena, taut_partial **partial,
                               taut_node **node, int *count) {
    return list_all(system, false, arena, partial, node, count);
}

taut_status taut_partials_by_parameters(const taut_system *system, taut_arena *arena,
                                        taut_parameter_partial **partial, taut_node **node,
                                        int *count) {
    taut_partial *all;
    TAUT_TRY(list_all(system, true, arena, &all, node, count));
    *partial = TAUT_NEW_ARRAY(arena, *count, taut_parameter_partial);
    if (!*partial) return TAUT_ERR_MEMORY;
    for (int k = 0; k < *count; k++)
        (*partial)[k] = (taut_parameter_partial){all[k].equation, all[k].variable};
    return TAUT_OK;
}

taut_status taut_partials_create(const taut_system *system, const taut_structure *structure,
                                 int last_stage, taut_arena *arena, taut_partials *p) {
    taut_node *node;
    *p = (taut_partials){0};
    TAUT_TRY(taut_partials_list(system, arena, &p->partial, &node, &p->count));
    return taut_series_create(system, structure, last_stage, node, p->count, &p->series);
}

void taut_partials_release(taut_partials *p) { taut_series_free(&p->series); }

taut_status taut_partials_set_numbers(const taut_partials *p, const double *parameter) {
    return p->series ? taut_series_set_numbers(p->series, parameter) : TAUT_OK;
}

double taut_partials_term(const taut_partials *p, int k, int level, int m) {
    double binomial = 1.0;
    for (int i = 0; i < m; i++) binomial *= (double)(level - i) / (double)(i + 1);
    return binomial * taut_series_output(p->series, k, level - m);
}
