/* Steady nodes for other values of the parameters, and whether the graph's decisions still hold. */
#include <math.h>

#include "expr/ops.h"

/* As the graph's constructors compute it, operation by operation: the same values give the same
 * bits. */
static double value_of(const taut_graph *g, taut_node v, const double *parameter,
                       const double *value) {
    const taut_node_data *d = taut_node_get(g, v);
    const taut_node *arg = taut_node_args(g, v);
    switch (d->op) {
    case TAUT_OP_CONST: return d->value;
    case TAUT_OP_PARAM: return parameter[d->index];
    case TAUT_OP_SUM: {
        const double *coef = taut_node_coefs(g, v);
        double sum = d->constant;
        for (uint32_t i = 0; i < d->count; i++) sum += coef[i] * value[arg[i]];
        return sum;
    }
    default:
        return taut_op_value((taut_op)d->op, value[arg[0]], d->count > 1 ? value[arg[1]] : 0.0);
    }
}

void taut_parameter_values(const taut_graph *g, double *parameter) {
    for (int i = 0; i < taut_graph_parameters(g); i++) parameter[i] = 0.0;
    for (taut_node v = 1; v < taut_graph_size(g); v++) {
        const taut_node_data *d = taut_node_get(g, v);
        if (d->op == TAUT_OP_PARAM) parameter[d->index] = d->value;
    }
}

void taut_steady_values(const taut_graph *g, const double *parameter, double *value) {
    const uint32_t size = taut_graph_size(g);
    value[0] = 0.0;
    for (taut_node v = 1; v < size; v++)
        value[v] = taut_node_get(g, v)->steady ? value_of(g, v, parameter, value) : 0.0;
}

bool taut_assumption_holds(const taut_assumption *a, double value) {
    switch (a->kind) {
    case TAUT_ASSUME_ZERO: return value == 0.0;
    case TAUT_ASSUME_EQUAL:
    case TAUT_ASSUME_CHOICE: return value == a->value;
    case TAUT_ASSUME_POSITIVE: return value > 0.0;
    case TAUT_ASSUME_NEGATIVE: return value < 0.0;
    case TAUT_ASSUME_FRACTION: return !taut_power_is_product(value);
    }
    return false;
}

bool taut_graph_assumptions_hold(const taut_graph *g, const double *parameter, double *work) {
    const uint32_t size = taut_graph_size(g);
    size_t count;
    const taut_assumption *a = taut_graph_assumptions(g, &count);
    taut_steady_values(g, parameter, work);
    for (taut_node v = 1; v < size; v++) {
        const taut_node_data *d = taut_node_get(g, v);
        if (!d->steady || d->held || d->op == TAUT_OP_CONST) continue;
        if (d->value != 0.0 && (work[v] == 0.0 || isfinite(work[v]) != isfinite(d->value)))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!taut_assumption_holds(&a[i], work[a[i].node])) return false;
    return true;
}
