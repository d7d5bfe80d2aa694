/* Functions that can be flat to the last bit in one place and steep in another, quotients and roots
 * among them, and high powers. Sines and cosines cannot: one of the two has a derivative that does
 * not vanish, wherever one looks. Only what the user wrote counts, and only as far as the equations
 * contain it: the springs, dampers and joints of a mechanism have nothing to hide. */
#include "solve/suspects.h"

#include "expr/ops.h"

/* Products of so many factors that vary can be flat like x^8 near a zero. */
enum { HIGH_POWER = 8 };

typedef struct search {
    taut_graph *graph;
    taut_node size;
    uint8_t *own;    /* [size] below a formula of the user's */
    uint8_t *solved; /* [size] below an equation */
    uint8_t *piece;  /* [size] below the value of a table */
    int *degree;     /* [size] factors of a product */
} search;

static bool is_suspect_function(taut_op op) {
    switch (op) {
    case TAUT_OP_SIN:
    case TAUT_OP_COS: return false;
    case TAUT_OP_DIV:
    case TAUT_OP_SQRT:
    case TAUT_OP_POW:
    case TAUT_OP_ATAN2: return true;
    default: return taut_op_is_function(op);
    }
}

/* A Lagrangian may contain these of which the equations have the derivative alone, which is another
 * function. */
static bool leaves_derivative_alone(taut_op op) {
    return op == TAUT_OP_LOG || op == TAUT_OP_ATAN || op == TAUT_OP_ASIN || op == TAUT_OP_ACOS ||
           op == TAUT_OP_ATAN2;
}

/* Everything below the marked nodes; arguments have smaller ids than results. */
static void spread(const taut_graph *g, uint8_t *mark, taut_node size) {
    for (taut_node v = size; v-- > 1;) {
        const taut_node_data *d = taut_node_get(g, v);
        if (!mark[v] || d->steady) continue;
        for (uint32_t i = 0; i < d->count; i++) mark[taut_node_args(g, v)[i]] = 1;
    }
}

static void mark_own(const taut_system *system, uint8_t *own, taut_node size) {
    for (int i = 0; i < system->formulas; i++) own[system->formula[i]] = 1;
    spread(system->graph, own, size);
}

/* Adds the derivatives of the user's functions to the graph, and to the formulas. Returns false if
 * there is no memory. */
static bool differentiate(const taut_system *system, const uint8_t *own, taut_node size,
                          uint8_t *also) {
    taut_graph *g = system->graph;
    for (taut_node v = 1; v < size; v++) {
        const taut_node_data d = *taut_node_get(g, v);
        if (!own[v] || d.steady || !leaves_derivative_alone((taut_op)d.op)) continue;
        for (uint32_t i = 0; i < d.count; i++) {
            const taut_node w = taut_op_partial(g, v, (int)i);
            if (w == TAUT_NO_NODE) return false;
            if (also) also[w] = 1;
        }
    }
    return true;
}

static void find_degrees(const search *s) {
    for (taut_node v = 1; v < s->size; v++) {
        const taut_node_data *d = taut_node_get(s->graph, v);
        const taut_node *arg = taut_node_args(s->graph, v);
        s->degree[v] = d->steady ? 0 : 1;
        if (d->steady || taut_op_is_function((taut_op)d->op)) continue;
        int most = 0, sum = 0;
        for (uint32_t i = 0; i < d->count; i++) {
            most = s->degree[arg[i]] > most ? s->degree[arg[i]] : most;
            sum = sum + s->degree[arg[i]] < 1000 ? sum + s->degree[arg[i]] : 1000;
        }
        if (d->op == TAUT_OP_MUL) s->degree[v] = sum;
        if (d->op == TAUT_OP_SQR) s->degree[v] = sum < 500 ? 2 * sum : 1000;
        if (d->op == TAUT_OP_SUM || d->op == TAUT_OP_DIFF) s->degree[v] = most;
    }
}

static bool is_suspect(const search *s, taut_node v) {
    const taut_node_data *d = taut_node_get(s->graph, v);
    if (!s->own[v] || !s->solved[v] || d->steady) return false;
    if (is_suspect_function((taut_op)d->op)) return true;
    if (s->piece[v] && d->held) return false; /* a product with its coefficients */
    return (d->op == TAUT_OP_MUL || d->op == TAUT_OP_SQR) && s->degree[v] >= HIGH_POWER;
}

static taut_status collect(const search *s, taut_arena *arena, taut_node **node, int *nodes) {
    int count = 0;
    for (taut_node v = 1; v < s->size; v++) count += is_suspect(s, v);
    *node = TAUT_NEW_ARRAY(arena, count, taut_node);
    if (!*node) return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v < s->size; v++)
        if (is_suspect(s, v)) (*node)[(*nodes)++] = v;
    return TAUT_OK;
}

static taut_status find(const taut_system *system, taut_arena *work, taut_arena *arena,
                        taut_node **node, int *nodes) {
    search s = {.graph = system->graph};
    const taut_node before = taut_graph_size(system->graph);
    uint8_t *written = TAUT_NEW_ARRAY(work, before, uint8_t);
    if (!written) return TAUT_ERR_MEMORY;
    mark_own(system, written, before);
    if (!differentiate(system, written, before, NULL)) return TAUT_ERR_MEMORY;
    s.size = taut_graph_size(system->graph);
    s.own = TAUT_NEW_ARRAY(work, s.size, uint8_t);
    s.solved = TAUT_NEW_ARRAY(work, s.size, uint8_t);
    s.piece = TAUT_NEW_ARRAY(work, s.size, uint8_t);
    s.degree = TAUT_NEW_ARRAY(work, s.size, int);
    if (!s.own || !s.solved || !s.piece || !s.degree) return TAUT_ERR_MEMORY;
    differentiate(system, written, before, s.own); /* they are there: nothing is added */
    mark_own(system, s.own, s.size);
    for (int i = 0; i < system->n; i++) s.solved[system->equation[i].node] = 1;
    spread(system->graph, s.solved, s.size);
    for (int i = 0; i < system->sampleds; i++) s.piece[system->sampled[i]] = 1;
    spread(system->graph, s.piece, s.size);
    find_degrees(&s);
    return collect(&s, arena, node, nodes);
}

/* Is anything of what the user wrote more than numbers and variables? */
static bool has_formulas(const taut_system *system) {
    for (int i = 0; i < system->formulas; i++)
        if (taut_node_get(system->graph, system->formula[i])->count > 0) return true;
    return false;
}

taut_status taut_suspects_find(const taut_system *system, taut_arena *arena, taut_node **node,
                               int *nodes) {
    taut_arena work = {0};
    *node = NULL;
    *nodes = 0;
    if (!has_formulas(system)) return TAUT_OK;
    const taut_status status = find(system, &work, arena, node, nodes);
    taut_arena_release(&work);
    return status;
}
