/* The expression graph: formulas as hash-consed nodes, named by id.
 *
 * Equal expressions are one node. A node's arguments have smaller ids than the node, so walking ids
 * upwards visits arguments first and downwards results first; no algorithm needs recursion.
 * Constructors fold constants and keep a canonical form:
 *   - a SUM is c0 + sum of c_i a_i with distinct a_i sorted by id; short sums inside are merged;
 *   - numbers and time-constant factors are pulled out of products and quotients: what varies is in
 *     E of K * E, K constant in time;
 *   - DIFF is linear and stands only before something that is neither a sum nor another DIFF.
 * If memory runs out, constructors return TAUT_NO_NODE, which every constructor passes on; check
 * taut_graph_failed() once at the end. */
#ifndef TAUT_EXPR_GRAPH_H
#define TAUT_EXPR_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

typedef uint32_t taut_node;
#define TAUT_NO_NODE ((taut_node)0)

typedef enum taut_op {
#define TAUT_OPERATOR(NAME, arity) TAUT_OP_##NAME,
#define TAUT_FUNCTION(NAME, name, derivative) TAUT_OP_##NAME,
#include "expr/ops.def"
#undef TAUT_OPERATOR
#undef TAUT_FUNCTION
    TAUT_OP_COUNT
} taut_op;

/* One node, as stored. */
typedef struct taut_node_data {
    uint8_t op;      /* taut_op */
    bool steady;     /* constant in time: no variable and no t inside */
    bool held;       /* contains a parameter that is kept, see taut_graph_keep */
    uint8_t assumed; /* bit k: taut_assume_kind k was assumed of it */
    int32_t index;   /* VAR, PARAM: which one; DIFF: its order p */
    uint32_t first;  /* its arguments are arg[first .. first + count - 1] of the graph */
    uint32_t count;
    double value;    /* steady nodes: the number; otherwise 0 */
    double constant; /* SUM: c0 */
} taut_node_data;

/* Private to expr/graph*.c; it stands here so that reading is no call. */
typedef struct taut_graph {
    bool tolerant;        /* see taut_graph_tolerate */
    taut_node_data *node; /* [size] */
    size_t size, node_room;
    taut_node *arg; /* [used] arguments of all nodes */
    double *coef;   /* [used] their coefficients; only sums use them */
    size_t used, arg_room, coef_room;
    struct taut_node_entry *table; /* [table_size] open addressing */
    size_t table_size;
    struct taut_dot_entry
        *dot; /* [dot_size] open addressing; derivatives of sums and multiples so far */
    size_t dot_size, dots;
    struct taut_dot_frame *frame; /* work of taut_dot */
    size_t frame_room;
    struct taut_assumption *assumption; /* [assumptions] in the order in which they were made */
    size_t assumptions, assumption_room;
    uint8_t *kept; /* [keeps] by index: is the parameter kept? Those beyond are not */
    size_t keeps, keep_room;
    int parameters; /* one more than the largest index so far */
    bool follows;   /* see taut_graph_follow */
    bool failed;
} taut_graph;

taut_status taut_graph_create(taut_graph **graph);
/* A graph with the same nodes under the same ids, to which others can be added. */
taut_status taut_graph_copy(const taut_graph *graph, taut_graph **copy);
void taut_graph_free(taut_graph **graph);
/* Room for so many more nodes, for whoever knows: nothing depends on it but time. */
void taut_graph_reserve(taut_graph *graph, size_t nodes);
/* True once a constructor ran out of memory, or after taut_graph_fail. */
bool taut_graph_failed(const taut_graph *graph);
void taut_graph_fail(taut_graph *graph);
/* The largest id in use, plus one. */
static inline uint32_t taut_graph_size(const taut_graph *g) { return (uint32_t)g->size; }

/* Reading. The pointers hold until the next constructor call. */
static inline const taut_node_data *taut_node_get(const taut_graph *g, taut_node n) {
    return &g->node[n];
}
static inline const taut_node *taut_node_args(const taut_graph *g, taut_node n) {
    return g->arg + g->node[n].first;
}
/* SUM: c_i */
static inline const double *taut_node_coefs(const taut_graph *g, taut_node n) {
    return g->coef + g->node[n].first;
}
bool taut_node_is_number(const taut_graph *graph, taut_node node, double number);

/* ---- numbers that are taken for granted ----
 *
 * Parameters are symbols, but where the value of one decides the structure the decision is written
 * down, so that whoever changes a value can ask whether the graph still stands for the same
 * formulas. Constructors note what they decide; others who look at values call taut_graph_assume.
 * That a steady node is not 0, unless it is held, is taken for granted without a note.
 */
typedef enum taut_assume_kind {
    TAUT_ASSUME_ZERO,     /* it is 0, and was left out */
    TAUT_ASSUME_EQUAL,    /* it is exactly this number */
    TAUT_ASSUME_POSITIVE, /* its sign */
    TAUT_ASSUME_NEGATIVE,
    TAUT_ASSUME_FRACTION, /* an exponent for which there is no product or root, see taut_power */
    TAUT_ASSUME_CHOICE /* as EQUAL, but only to choose between formulas that are equally right, or
                          to measure: derivatives by it are right */
} taut_assume_kind;

typedef struct taut_assumption {
    taut_node node; /* steady */
    taut_assume_kind kind;
    double value; /* EQUAL, CHOICE */
} taut_assumption;

/* Notes that the caller relied on this property of a steady node's value, which has it now. Plain
 * numbers never change: nothing is noted. */
void taut_graph_assume(taut_graph *graph, taut_node v, taut_assume_kind kind);
/* While yes, numbers may contradict choices (TAUT_ASSUME_CHOICE): for looks at numbers nearby. */
void taut_graph_tolerate(taut_graph *graph, bool yes);
bool taut_graph_tolerates(const taut_graph *graph, const taut_assumption *assumption);
/* All notes so far; the list holds until the next constructor call. */
const taut_assumption *taut_graph_assumptions(const taut_graph *graph, size_t *count);
/* Does a value have the property? */
bool taut_assumption_holds(const taut_assumption *assumption, double value);
/* Parameters with an index below this one have been asked for. */
int taut_graph_parameters(const taut_graph *graph);
/* Parameter `index` stays a symbol even if its value is 0, and so does what is made of it: for
 * inputs and for derivatives by it. To be called before it is first asked for. What it is
 * multiplied with is then part of the structure. */
void taut_graph_keep(taut_graph *graph, int index);
/* From now on what is made of the graph (tapes, point programs, series) can follow changes of
 * parameters: it keeps a record of how its numbers come about, which takes a few per cent of the
 * time to make it. Otherwise it is for the values at hand only. */
void taut_graph_follow(taut_graph *graph);
bool taut_graph_follows(const taut_graph *graph);
/* The values that the graph was made with, by index; 0 for an index that nobody asked for. */
void taut_parameter_values(const taut_graph *graph, double *parameter);
/* value[v] of every steady node v (others: 0) for other values of the parameters; value has room
 * for the graph as it is now, parameter for taut_graph_parameters. */
void taut_steady_values(const taut_graph *graph, const double *parameter, double *value);
/* Do all assumptions hold for these values of the parameters? work: room for a number of each node.
 * False as well if a steady node has no finite value. */
bool taut_graph_assumptions_hold(const taut_graph *graph, const double *parameter, double *work);

/* Leaves. A parameter whose value is 0 becomes the number 0, so that it leaves the structure,
 * unless it is kept. */
taut_node taut_number(taut_graph *graph, double value);
taut_node taut_parameter(taut_graph *graph, int index, double value);
taut_node taut_time(taut_graph *graph);
taut_node taut_variable(taut_graph *graph, int index);
/* Something that moves and is not an unknown yet: it has to be replaced before anything is computed
 * (expr/substitute.h). */
taut_node taut_leaf(taut_graph *graph, int index);

/* constant + sum of coef[i] * node[i], i < count. */
taut_node taut_sum(taut_graph *graph, double constant, size_t count, const double *coef,
                   const taut_node *node);
taut_node taut_add(taut_graph *graph, taut_node a, taut_node b);
taut_node taut_sub(taut_graph *graph, taut_node a, taut_node b);
taut_node taut_scale(taut_graph *graph, double factor, taut_node a);
taut_node taut_mul(taut_graph *graph, taut_node a, taut_node b);
taut_node taut_div(taut_graph *graph, taut_node a, taut_node b);
taut_node taut_square(taut_graph *graph, taut_node a);
taut_node taut_root(taut_graph *graph, taut_node a);
/* a^b: products for whole exponents, POW for other constant ones, exp(b log a) otherwise. */
taut_node taut_power(taut_graph *graph, taut_node a, taut_node b);
/* One of the TAUT_FUNCTION rows. */
taut_node taut_apply(taut_graph *graph, taut_op op, taut_node a);
taut_node taut_atan2(taut_graph *graph, taut_node y, taut_node x);
/* The p-th derivative with respect to time, p >= 0. */
taut_node taut_dot(taut_graph *graph, taut_node a, int p);

#endif
