/* Sweeps and walks that more than one formulation needs. */
#include "form/vary.h"

#include "core/arena.h"
#include "expr/heap.h"

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
    TAUT_TRY(taut_sweep_of(sweep, TAUT_SWEEP_VELOCITY, f));
    *result = taut_number(g, 0.0);
    for (size_t i = 0; i < taut_sweep_reached(sweep); i++) {
        const taut_node q = taut_sweep_variable(sweep, i);
        if (taut_node_get(g, q)->index >= coordinates) continue;
        const taut_node term = taut_mul(g, taut_dot(g, q, 1), taut_sweep_adjoint(sweep, i));
        *result = taut_add(g, *result, term);
    }
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* ---- walks ---- */

/* The nodes of a formula, the highest first, each once; not what is below steady ones. Its cost
 * goes by the formula, not by the graph around it. */
typedef struct walk {
    taut_node *node; /* owned */
    size_t count, room;
} walk;

static taut_status gather(const taut_graph *g, taut_node f, walk *w) {
    taut_heap heap = {0};
    bool failed = taut_heap_push(&heap, f) != 0;
    while (heap.size > 0 && !failed) {
        const taut_node v = taut_heap_pop(&heap);
        if (w->count > 0 && w->node[w->count - 1] == v) continue; /* reached by several ways */
        failed = taut_grow((void **)&w->node, &w->room, w->count + 1, sizeof *w->node) != 0;
        if (failed) break;
        w->node[w->count++] = v;
        const taut_node_data *d = taut_node_get(g, v);
        for (uint32_t k = 0; k < d->count && !d->steady && !failed; k++)
            failed = taut_heap_push(&heap, taut_node_args(g, v)[k]) != 0;
    }
    taut_heap_release(&heap);
    return failed ? TAUT_ERR_MEMORY : TAUT_OK;
}

static void walk_release(walk *w) { taut_release((void **)&w->node); }

taut_status taut_vary_is_open(const taut_graph *g, taut_node f, int known, bool *open) {
    walk w = {0};
    const taut_status status = gather(g, f, &w);
    for (size_t i = 0; i < w.count && status == TAUT_OK; i++) {
        const taut_node_data *d = taut_node_get(g, w.node[i]);
        if (d->op == TAUT_OP_TIME || (d->op == TAUT_OP_VAR && d->index >= known)) *open = true;
    }
    walk_release(&w);
    return status;
}

/* ---- homogeneity ---- */

/* What is known of a node: its degree in the velocities, doubled so that a root has one, and what
 * stands in it. The number 0 has every degree. */
typedef struct degree {
    int twice;
    bool mixed, zero, moves, other; /* moves: a coordinate; other: t or another variable */
} degree;

/* The degrees of the nodes of a walk, from the lowest on. */
typedef struct degrees {
    const walk *walk;
    degree *of; /* [walk->count] */
} degrees;

static const degree *known(const degrees *x, taut_node v) {
    size_t low = 0, high = x->walk->count - 1; /* the highest node comes first */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x->walk->node[middle] > v)
            low = middle + 1;
        else
            high = middle;
    }
    return &x->of[low];
}

static degree sum_degree(const taut_graph *g, taut_node v, const degrees *x) {
    const taut_node_data *d = taut_node_get(g, v);
    degree sum = {.zero = d->constant == 0.0};
    for (uint32_t i = 0; i < d->count; i++) {
        const degree *a = known(x, taut_node_args(g, v)[i]);
        if (a->zero) continue;
        if (!sum.zero && a->twice != sum.twice) sum.mixed = true;
        sum.twice = a->twice;
        sum.zero = false;
    }
    return sum;
}

/* A coordinate has the degree 0, the rate of a function of coordinates 1, that of t and others 0.
 */
static degree degree_of(const taut_graph *g, taut_node v, int coordinates, const degrees *x) {
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
    if (d->op == TAUT_OP_SUM) result = sum_degree(g, v, x);
    bool below = false; /* a velocity among the arguments */
    for (uint32_t i = 0; i < d->count; i++) {
        result.mixed = result.mixed || known(x, a[i])->mixed;
        result.moves = result.moves || known(x, a[i])->moves;
        result.other = result.other || known(x, a[i])->other;
        below = below || known(x, a[i])->twice != 0;
    }
    switch (d->op) {
    case TAUT_OP_SUM: break;
    case TAUT_OP_MUL: result.twice = known(x, a[0])->twice + known(x, a[1])->twice; break;
    case TAUT_OP_DIV: result.twice = known(x, a[0])->twice - known(x, a[1])->twice; break;
    case TAUT_OP_SQR: result.twice = 2 * known(x, a[0])->twice; break;
    case TAUT_OP_SQRT:
        result.twice = known(x, a[0])->twice / 2;
        result.mixed = result.mixed || known(x, a[0])->twice % 2 != 0;
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
    walk w = {0};
    taut_status status = gather(g, f, &w);
    const degrees x = {&w, TAUT_NEW_ARRAY(&arena, w.count, degree)};
    if (!x.of) status = TAUT_ERR_MEMORY;
    for (size_t i = w.count; i-- > 0 && status == TAUT_OK;)
        x.of[i] = degree_of(g, w.node[i], coordinates, &x);
    if (status == TAUT_OK) *result = !x.of[0].mixed && x.of[0].twice > 0;
    walk_release(&w);
    taut_arena_release(&arena);
    return status;
}
