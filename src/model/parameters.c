/* Formulas of numbers, node by node. A parameter's own formula has smaller ids than its leaf, which
 * is made when the formula has been read, and the leaf smaller ones than whatever uses it: one pass
 * upwards finds them all. */
#include "model/parameters.h"

#include <math.h>
#include <string.h>

#include "expr/ops.h"
#include "model/reader.h"

int taut_model_numbers(const taut_model *m) { return m->parameters + m->values; }

size_t taut_model_number_work(const taut_model *m) { return (size_t)m->number_nodes; }

/* ---- which nodes ---- */

/* Marks what is below the nodes that are marked: arguments have smaller ids. */
static void mark_below(const taut_graph *g, bool *wanted) {
    for (taut_node v = taut_graph_size(g) - 1; v > 0; v--) {
        const taut_node_data *d = taut_node_get(g, v);
        for (uint32_t i = 0; wanted[v] && i < d->count; i++) wanted[taut_node_args(g, v)[i]] = true;
    }
}

taut_status taut_model_list_numbers(taut_model *m) {
    const uint32_t size = taut_graph_size(m->graph);
    bool *wanted = TAUT_NEW_ARRAY(&m->arena, size, bool);
    int *at = TAUT_NEW_ARRAY(&m->arena, size, int), count = 0;
    if (!wanted || !at) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->parameters; i++) wanted[m->parameter_formula[i]] = true;
    for (int i = 0; i < m->values; i++) wanted[m->value[i].number] = true;
    mark_below(m->graph, wanted);
    for (taut_node v = 1; v < size; v++)
        if (wanted[v]) at[v] = count++;
    m->number_at = at;
    m->number_node = TAUT_NEW_ARRAY(&m->arena, count, taut_node);
    if (!m->number_node) return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v < size; v++)
        if (wanted[v]) m->number_node[m->number_nodes++] = v;
    return TAUT_OK;
}

/* ---- values ---- */

/* The value of a node; those of its arguments are in work. */
static double value_of(const taut_model *m, taut_node v, const bool *set, const double *number,
                       const double *work) {
    const taut_node_data *d = taut_node_get(m->graph, v);
    const taut_node *arg = taut_node_args(m->graph, v);
    switch (d->op) {
    case TAUT_OP_CONST: return d->value;
    case TAUT_OP_PARAM:
        return set[d->index] ? number[d->index]
                             : work[m->number_at[m->parameter_formula[d->index]]];
    case TAUT_OP_SUM: {
        double sum = d->constant;
        for (uint32_t i = 0; i < d->count; i++)
            sum += taut_node_coefs(m->graph, v)[i] * work[m->number_at[arg[i]]];
        return sum;
    }
    default:
        return taut_op_value((taut_op)d->op, work[m->number_at[arg[0]]],
                             d->count > 1 ? work[m->number_at[arg[1]]] : 0.0);
    }
}

void taut_model_fill_numbers(const taut_model *m, const bool *set, double *number, double *work) {
    for (int k = 0; k < m->number_nodes; k++)
        work[k] = value_of(m, m->number_node[k], set, number, work);
    for (int i = 0; i < m->parameters; i++)
        if (!set[i] && m->parameter_formula[i] != TAUT_NO_NODE)
            number[i] = work[m->number_at[m->parameter_formula[i]]];
    for (int i = 0; i < m->values; i++) {
        const int k = m->parameters + i;
        if (set[k]) continue;
        const taut_node formula = m->value[i].number;
        number[k] = formula == TAUT_NO_NODE ? m->value[i].value : work[m->number_at[formula]];
    }
}

/* ---- names ---- */

int taut_model_find_parameter(const taut_model *m, const char *name) {
    for (int i = 0; i < m->parameters; i++)
        if (m->parameter_name[i] && strcmp(m->parameter_name[i], name) == 0) return i;
    return -1;
}

int taut_model_find_initial(const taut_model *m, const char *name) {
    taut_node node = TAUT_NO_NODE;
    int order = 0;
    if (taut_model_find_value(m, name, &node, &order, NULL) != TAUT_OK) return -1;
    for (int i = 0; i < m->values; i++)
        if (m->value[i].node == node && m->value[i].order == order &&
            m->value[i].number != TAUT_NO_NODE)
            return m->parameters + i;
    return -1;
}

const double *taut_model_own_numbers(const taut_model *m, taut_arena *arena) {
    const int n = taut_model_numbers(m);
    const bool *set = TAUT_NEW_ARRAY(arena, n, bool); /* none */
    double *number = TAUT_NEW_ARRAY(arena, n, double);
    double *work = TAUT_NEW_ARRAY(arena, taut_model_number_work(m), double);
    if (!set || !number || !work) return NULL;
    taut_model_fill_numbers(m, set, number, work);
    return number;
}

double taut_model_number(const taut_model *m, const char *name) {
    const int i = taut_model_find_parameter(m, name);
    taut_arena arena = {0};
    const double *number = taut_model_own_numbers(m, &arena);
    const double value = i >= 0 && number ? number[i] : (double)NAN;
    taut_arena_release(&arena);
    return value;
}
