/* Reverse sweeps: adjoints flow from the roots to the variables, in descending order of node ids.
 *
 * A node is keyed channels * id + channel. Channel 1 is used by VELOCITY sweeps for what lies under
 * the one DIFF that was passed; EVERY sweeps have a channel for each order of DIFF passed so far;
 * all others live in channel 0. Adjoints are gathered as lists of terms and become one n-ary sum
 * when their node is taken. */
#include "expr/diff.h"

#include <string.h>

#include "core/arena.h"
#include "core/bounds.h"
#include "expr/descent.h"
#include "expr/ops.h"

enum { PATIENCE = 1024 }; /* nodes between two questions whether to go on */

typedef struct adjoint_term {
    taut_node node;
    double coef;
    uint32_t next; /* in term[]; 0 ends the list */
} adjoint_term;

typedef struct reached {
    taut_node variable, adjoint;
    int order;
} reached;

struct taut_sweep {
    taut_graph *graph;
    taut_sweep_mode mode;
    uint32_t channels;
    const int *offset;
    const bool *stop; /* by node, or NULL */
    taut_node root;   /* seeded last: not stopped at */
    uint32_t *head;   /* [channels * graph size at begin] first term of a key; 0: untouched */
    size_t head_room, head_size;
    adjoint_term *term;
    size_t terms, term_room;
    taut_descent waiting; /* keys */
    reached *result;
    size_t results, result_room;
    taut_node *sum_node; /* gathered terms of one adjoint */
    double *sum_coef;
    size_t sum_node_room, sum_coef_room;
    bool by_parameters;
    bool failed;
};

taut_status taut_sweep_create(taut_graph *graph, taut_sweep **sweep) {
    size_t room = 0;
    *sweep = NULL;
    if (taut_grow((void **)sweep, &room, 1, sizeof **sweep)) return TAUT_ERR_MEMORY;
    memset(*sweep, 0, sizeof **sweep);
    (*sweep)->graph = graph;
    return TAUT_OK;
}

void taut_sweep_free(taut_sweep **sweep) {
    taut_sweep *s = *sweep;
    if (!s) return;
    taut_release((void **)&s->head);
    taut_release((void **)&s->term);
    taut_descent_release(&s->waiting);
    taut_release((void **)&s->result);
    taut_release((void **)&s->sum_node);
    taut_release((void **)&s->sum_coef);
    taut_release((void **)sweep);
}

void taut_sweep_begin(taut_sweep *s, taut_sweep_mode mode, const int *offset) {
    s->mode = mode;
    s->channels = mode == TAUT_SWEEP_EVERY ? TAUT_SWEEP_ORDERS : 2;
    s->offset = offset;
    s->stop = NULL;
    s->root = TAUT_NO_NODE;
    s->failed = false;
    s->results = 0;
    s->terms = 1; /* index 0 ends lists */
    while (s->waiting.size > 0) s->head[taut_descent_take(&s->waiting)] = 0; /* seeds only */
    const size_t need = s->channels * (size_t)taut_graph_size(s->graph);
    if (taut_grow((void **)&s->head, &s->head_room, need, sizeof *s->head) ||
        taut_descent_reserve(&s->waiting, need) != TAUT_OK) {
        s->failed = true;
        return;
    }
    /* heads below head_size are zero already: every sweep clears what it touched */
    if (need > s->head_size) {
        memset(s->head + s->head_size, 0, (need - s->head_size) * sizeof *s->head);
        s->head_size = need;
    }
}

static void add(taut_sweep *s, uint32_t key, double coef, taut_node adjoint) {
    if (s->failed || adjoint == TAUT_NO_NODE || coef == 0.0) {
        s->failed = s->failed || adjoint == TAUT_NO_NODE;
        return;
    }
    if (taut_node_is_number(s->graph, adjoint, 0.0)) return;
    if (taut_grow((void **)&s->term, &s->term_room, s->terms + 1, sizeof *s->term)) {
        s->failed = true;
        return;
    }
    if (s->head[key] == 0) taut_descent_put(&s->waiting, key);
    s->term[s->terms] = (adjoint_term){adjoint, coef, s->head[key]};
    s->head[key] = (uint32_t)s->terms++;
}

void taut_sweep_stop_at(taut_sweep *s, const bool *stop) { s->stop = stop; }

void taut_sweep_seed(taut_sweep *s, taut_node root, double coef, taut_node adjoint) {
    s->root = root;
    if (!s->failed) add(s, s->channels * root, coef, adjoint);
}

/* The sum of a key's terms; forgets the key. */
static taut_node gather(taut_sweep *s, uint32_t key) {
    size_t n = 0;
    for (uint32_t i = s->head[key]; i; i = s->term[i].next) {
        if (taut_grow((void **)&s->sum_node, &s->sum_node_room, n + 1, sizeof *s->sum_node) ||
            taut_grow((void **)&s->sum_coef, &s->sum_coef_room, n + 1, sizeof *s->sum_coef)) {
            s->failed = true;
            break;
        }
        s->sum_node[n] = s->term[i].node;
        s->sum_coef[n++] = s->term[i].coef;
    }
    s->head[key] = 0;
    if (s->failed) return TAUT_NO_NODE;
    taut_node sum = taut_sum(s->graph, 0.0, n, s->sum_coef, s->sum_node);
    if (sum == TAUT_NO_NODE) s->failed = true;
    return sum;
}

/* DIFF(e, p) with adjoint A, in a channel: see taut_sweep_mode. */
static taut_status pass_diff(taut_sweep *s, taut_node e, int p, uint32_t channel, taut_node A) {
    switch (s->mode) {
    case TAUT_SWEEP_PLAIN: break;
    case TAUT_SWEEP_EULER: add(s, 2 * e, p % 2 ? -1.0 : 1.0, taut_dot(s->graph, A, p)); break;
    case TAUT_SWEEP_VELOCITY:
        if (channel == 1 || p > 1) return TAUT_ERR_CALL;
        add(s, 2 * e + 1, 1.0, A);
        break;
    case TAUT_SWEEP_LEADING: add(s, 2 * e, 1.0, A); break;
    case TAUT_SWEEP_EVERY:
        if (channel + (uint32_t)p >= TAUT_SWEEP_ORDERS) return TAUT_ERR_CALL;
        add(s, s->channels * e + channel + (uint32_t)p, 1.0, A);
        break;
    }
    return TAUT_OK;
}

/* EVERY: A times the r-th derivative of (partial * change), by Leibniz' rule. */
static void pass_product(taut_sweep *s, taut_node a, uint32_t r, taut_node A, taut_node partial) {
    double binomial = 1.0;
    for (uint32_t m = 0; m <= r; m++) { /* the change is differentiated r - m times */
        taut_node factor = taut_dot(s->graph, partial, (int)m);
        add(s, s->channels * a + r - m, binomial, taut_mul(s->graph, A, factor));
        binomial *= (double)(r - m) / (double)(m + 1);
    }
}

void taut_sweep_by_parameters(taut_sweep *s, bool yes) { s->by_parameters = yes; }

/* The same where the argument is constant in time: it changes, but its derivatives do not. */
static void pass_to_steady(taut_sweep *s, taut_node a, uint32_t r, taut_node A, taut_node partial) {
    add(s, s->channels * a, 1.0, taut_mul(s->graph, A, taut_dot(s->graph, partial, (int)r)));
}

/* Hands the adjoint A of node v on to its arguments. */
static taut_status pass(taut_sweep *s, taut_node v, uint32_t channel, taut_node A) {
    const taut_node_data d = *taut_node_get(s->graph, v);
    if (d.op == TAUT_OP_DIFF)
        return pass_diff(s, taut_node_args(s->graph, v)[0], d.index, channel, A);
    for (uint32_t i = 0; i < d.count; i++) {
        const taut_node a = taut_node_args(s->graph, v)[i];
        const taut_node_data *x = taut_node_get(s->graph, a);
        const bool steady = x->steady;
        if (steady && (!s->by_parameters || x->op == TAUT_OP_CONST)) continue;
        if (s->mode == TAUT_SWEEP_LEADING && s->offset[a] != s->offset[v]) continue;
        if (d.op == TAUT_OP_SUM) {
            if (steady && channel > 0) continue;
            add(s, s->channels * a + channel, taut_node_coefs(s->graph, v)[i], A);
        } else if (steady && channel > 0) {
            pass_to_steady(s, a, channel, A, taut_op_partial(s->graph, v, (int)i));
        } else if (s->mode == TAUT_SWEEP_EVERY && channel > 0) {
            pass_product(s, a, channel, A, taut_op_partial(s->graph, v, (int)i));
        } else if (d.op == TAUT_OP_DIV && i == 0) { /* A/b, not A * (1/b) */
            add(s, s->channels * a + channel, 1.0,
                taut_div(s->graph, A, taut_node_args(s->graph, v)[1]));
        } else {
            taut_node partial = taut_op_partial(s->graph, v, (int)i);
            add(s, s->channels * a + channel, 1.0, taut_mul(s->graph, A, partial));
        }
    }
    return TAUT_OK;
}

/* Does the sweep end at this node, so that its adjoint is a result? */
static bool is_end(const taut_sweep *s, taut_node v) {
    const uint8_t op = taut_node_get(s->graph, v)->op;
    if (op == TAUT_OP_VAR || op == TAUT_OP_LEAF) return true;
    if (op == TAUT_OP_PARAM) return s->by_parameters;
    return s->stop && s->stop[v] && v != s->root;
}

taut_status taut_sweep_run(taut_sweep *s) {
    taut_status status = s->failed ? TAUT_ERR_MEMORY : TAUT_OK;
    unsigned popped = 0;
    if (s->by_parameters && s->mode != TAUT_SWEEP_EVERY) status = TAUT_ERR_CALL;
    while (s->waiting.size > 0) {
        uint32_t key = taut_descent_take(&s->waiting);
        if (++popped % PATIENCE == 0 && status == TAUT_OK) status = taut_bounds_ask();
        if (status != TAUT_OK || s->failed) { /* only clear what was touched */
            s->head[key] = 0;
            continue;
        }
        const uint32_t channel = key % s->channels;
        taut_node v = key / s->channels, A = gather(s, key);
        if (s->failed || taut_node_is_number(s->graph, A, 0.0)) continue;
        if (!is_end(s, v)) {
            status = pass(s, v, channel, A);
            continue;
        }
        if (s->mode == TAUT_SWEEP_VELOCITY && channel == 0) continue; /* x itself, not x' */
        if (taut_grow((void **)&s->result, &s->result_room, s->results + 1, sizeof *s->result))
            s->failed = true;
        else
            s->result[s->results++] = (reached){v, A, (int)channel};
    }
    return s->failed ? TAUT_ERR_MEMORY : status;
}

taut_status taut_sweep_of(taut_sweep *s, taut_sweep_mode mode, taut_node node) {
    taut_sweep_begin(s, mode, NULL);
    taut_sweep_seed(s, node, 1.0, taut_number(s->graph, 1.0));
    return taut_sweep_run(s);
}

/* Results were found in descending order of ids. */
size_t taut_sweep_reached(const taut_sweep *s) { return s->results; }
taut_node taut_sweep_variable(const taut_sweep *s, size_t i) {
    return s->result[s->results - 1 - i].variable;
}
taut_node taut_sweep_adjoint(const taut_sweep *s, size_t i) {
    return s->result[s->results - 1 - i].adjoint;
}

int taut_sweep_order(const taut_sweep *s, size_t i) { return s->result[s->results - 1 - i].order; }

/* The first result of a variable; those behind it have lower orders. */
static size_t place_of(const taut_sweep *s, taut_node variable) {
    size_t low = 0, high = s->results;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->result[middle].variable > variable)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

taut_node taut_sweep_find(const taut_sweep *s, taut_node variable) {
    const size_t i = place_of(s, variable);
    if (i < s->results && s->result[i].variable == variable) return s->result[i].adjoint;
    return taut_number(s->graph, 0.0);
}

taut_node taut_sweep_find_order(const taut_sweep *s, taut_node variable, int order) {
    for (size_t i = place_of(s, variable); i < s->results && s->result[i].variable == variable; i++)
        if (s->result[i].order == order) return s->result[i].adjoint;
    return taut_number(s->graph, 0.0);
}
