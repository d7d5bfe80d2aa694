/* Sweeps and walks that more than one formulation needs. */
#include "form/vary.h"

#include "core/arena.h"
#include "expr/pattern.h"

taut_status taut_vary_add(taut_graph *g, taut_sweep *sweep, int first, int count, double coef,
                          taut_node *row) {
    TAUT_TRY(taut_sweep_run(sweep));
    for (int j = 0; j < count; j++) {
        const taut_node adjoint = taut_sweep_find(sweep, taut_variable(g, first + j));
        row[j] = taut_sum(g, 0.0, 2, (double[]){1.0, coef}, (taut_node[]){row[j], adjoint});
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_vary_velocity_product(taut_graph *g, taut_sweep *sweep, int coordinates,
                                       taut_node f, taut_node *result) {
    taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
    taut_sweep_seed(sweep, f, 1.0, taut_number(g, 1.0));
    TAUT_TRY(taut_sweep_run(sweep));
    *result = taut_number(g, 0.0);
    for (size_t i = 0; i < taut_sweep_reached(sweep); i++) {
        const taut_node q = taut_sweep_variable(sweep, i);
        if (taut_node_get(g, q)->index >= coordinates) continue;
        const taut_node term = taut_mul(g, taut_dot(g, q, 1), taut_sweep_adjoint(sweep, i));
        *result = taut_add(g, *result, term);
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_vary_is_open(const taut_graph *g, taut_node f, int known, bool *open) {
    taut_pattern *pattern;
    const taut_pattern_entry *entry;
    size_t count;
    TAUT_TRY(taut_pattern_create(g, &pattern));
    taut_status status = taut_pattern_row(pattern, f, &entry, &count);
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        if (entry[i].variable >= known) *open = true;
    if (status == TAUT_OK && taut_pattern_has_time(pattern)) *open = true;
    taut_pattern_free(&pattern);
    return status;
}

/* ---- homogeneity ---- */

/* What is known of a node: its degree in the velocities, doubled so that a root has one, and what
 * stands in it. The number 0 has every degree. */
typedef struct degree {
    int twice;
    bool mixed, zero, moves, other; /* moves: a coordinate; other: t or another variable */
} degree;

static degree sum_degree(const taut_graph *g, taut_node v, const degree *known) {
    const taut_node_data *d = taut_node_get(g, v);
    degree sum = {.zero = d->constant == 0.0};
    for (uint32_t i = 0; i < d->count; i++) {
        const degree *a = &known[taut_node_args(g, v)[i]];
        if (a->zero) continue;
        if (!sum.zero && a->twice != sum.twice) sum.mixed = true;
        sum.twice = a->twice;
        sum.zero = false;
    }
    return sum;
}

/* A coordinate has the degree 0, the rate of a function of coordinates 1, that of t and others 0.
 */
static degree degree_of(const taut_graph *g, taut_node v, int coordinates, const degree *known) {
    const taut_node_data *d = taut_node_get(g, v);
    const taut_node *a = taut_node_args(g, v);
    degree result = {0};
    if (d->steady) return (degree){.zero = d->value == 0.0};
    if (d->op == TAUT_OP_VAR) {
        result.moves = d->index < coordinates;
        result.other = !result.moves;
        return result;
    }
    if (d->op == TAUT_OP_TIME) return (degree){.other = true};
    if (d->op == TAUT_OP_SUM) result = sum_degree(g, v, known);
    bool below = false; /* a velocity among the arguments */
    for (uint32_t i = 0; i < d->count; i++) {
        result.mixed = result.mixed || known[a[i]].mixed;
        result.moves = result.moves || known[a[i]].moves;
        result.other = result.other || known[a[i]].other;
        below = below || known[a[i]].twice != 0;
    }
    switch (d->op) {
    case TAUT_OP_SUM: break;
    case TAUT_OP_MUL: result.twice = known[a[0]].twice + known[a[1]].twice; break;
    case TAUT_OP_DIV: result.twice = known[a[0]].twice - known[a[1]].twice; break;
    case TAUT_OP_SQR: result.twice = 2 * known[a[0]].twice; break;
    case TAUT_OP_SQRT:
        result.twice = known[a[0]].twice / 2;
        result.mixed = result.mixed || known[a[0]].twice % 2 != 0;
        break;
    case TAUT_OP_DIFF:
        result.twice = result.moves ? 2 : 0;
        result.mixed = result.mixed || below || (result.moves && result.other);
        break;
    default: result.mixed = result.mixed || below;
    }
    return result;
}

taut_status taut_vary_is_homogeneous(const taut_graph *g, taut_node f, int coordinates,
                                     bool *result) {
    taut_arena arena = {0};
    degree *known = TAUT_NEW_ARRAY(&arena, (int)f + 1, degree);
    if (!known) return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v <= f; v++) known[v] = degree_of(g, v, coordinates, known);
    *result = !known[f].mixed && known[f].twice > 0;
    taut_arena_release(&arena);
    return TAUT_OK;
}
