/* Operators: values, partial derivatives and the constructors that need more than folding. */
#include "expr/ops.h"

#include <math.h>
#include <string.h>

/* ORDER: as in ops.def */
static const char *const op_name[] = {
#define TAUT_OPERATOR(NAME, arity) #NAME,
#define TAUT_FUNCTION(NAME, name, derivative) #name,
#include "expr/ops.def"
#undef TAUT_OPERATOR
#undef TAUT_FUNCTION
};

const char *taut_op_name(taut_op op) { return op_name[op]; }

bool taut_op_is_function(taut_op op) { return op >= TAUT_OP_EXP && op < TAUT_OP_COUNT; }

int taut_op_find(const char *name, size_t length) {
    if (length == 0) return -1;
    for (int op = TAUT_OP_EXP; op < TAUT_OP_COUNT; op++)
        if (op_name[op][0] == name[0] && strlen(op_name[op]) == length &&
            memcmp(op_name[op], name, length) == 0)
            return op;
    return -1;
}

double taut_op_value(taut_op op, double a, double b) {
    switch (op) {
    case TAUT_OP_MUL: return a * b;
    case TAUT_OP_SQR: return a * a;
    case TAUT_OP_DIV: return a / b;
    case TAUT_OP_SQRT: return sqrt(a);
    case TAUT_OP_POW: return pow(a, b);
    case TAUT_OP_ATAN2: return atan2(a, b);
#define TAUT_OPERATOR(NAME, arity)
#define TAUT_FUNCTION(NAME, name, derivative)                                                      \
    case TAUT_OP_##NAME:                                                                           \
        return name(a);
#include "expr/ops.def"
#undef TAUT_OPERATOR
#undef TAUT_FUNCTION
    default: return (double)NAN;
    }
}

/* The vocabulary of the derivatives in ops.def; g is the graph at hand.
 * NOLINTBEGIN(readability-identifier-naming): rows of the table read as formulas. */
#define apply(NAME, x) taut_apply(g, TAUT_OP_##NAME, (x))
#define minus(x) taut_scale(g, -1.0, (x))
#define square(x) taut_square(g, (x))
#define root(x) taut_root(g, (x))
#define one_over(x) taut_div(g, taut_number(g, 1.0), (x))
#define one_plus(x) taut_add(g, taut_number(g, 1.0), (x))
#define one_minus(x) taut_sub(g, taut_number(g, 1.0), (x))
/* NOLINTEND(readability-identifier-naming) */

taut_node taut_op_partial(taut_graph *g, taut_node v, int which) {
    const taut_op op = (taut_op)taut_node_get(g, v)->op;
    const uint32_t count = taut_node_get(g, v)->count;
    const taut_node a = taut_node_args(g, v)[0];
    const taut_node b = count > 1 ? taut_node_args(g, v)[1] : TAUT_NO_NODE;
    switch (op) {
    case TAUT_OP_MUL: return which == 0 ? b : a;
    case TAUT_OP_SQR: return taut_scale(g, 2.0, a);
    case TAUT_OP_DIV: return which == 0 ? one_over(b) : minus(taut_div(g, v, b));
    case TAUT_OP_SQRT: return taut_div(g, taut_number(g, 0.5), v);
    case TAUT_OP_POW: /* the exponent is steady, but may be a parameter */
        return which == 0 ? taut_div(g, taut_mul(g, b, v), a) : taut_mul(g, v, apply(LOG, a));
    case TAUT_OP_ATAN2: {
        taut_node square_sum = taut_add(g, square(a), square(b));
        return which == 0 ? taut_div(g, b, square_sum) : minus(taut_div(g, a, square_sum));
    }
#define TAUT_OPERATOR(NAME, arity)
#define TAUT_FUNCTION(NAME, name, derivative)                                                      \
    case TAUT_OP_##NAME:                                                                           \
        return derivative;
#include "expr/ops.def"
#undef TAUT_OPERATOR
#undef TAUT_FUNCTION
    default: return TAUT_NO_NODE;
    }
}

taut_node taut_apply(taut_graph *g, taut_op op, taut_node a) {
    if (a == TAUT_NO_NODE) return TAUT_NO_NODE;
    const taut_node_data *d = taut_node_get(g, a);
    if (d->op == TAUT_OP_CONST) return taut_number(g, taut_op_value(op, d->value, 0.0));
    return taut_node_make(g, op, 0, 1, &a);
}

taut_node taut_root(taut_graph *g, taut_node a) {
    if (a == TAUT_NO_NODE) return TAUT_NO_NODE;
    const taut_node_data *d = taut_node_get(g, a);
    if (d->op == TAUT_OP_CONST) return taut_number(g, sqrt(d->value));
    return taut_node_make(g, TAUT_OP_SQRT, 0, 1, &a);
}

taut_node taut_atan2(taut_graph *g, taut_node y, taut_node x) {
    if (y == TAUT_NO_NODE || x == TAUT_NO_NODE) return TAUT_NO_NODE;
    const taut_node_data *dy = taut_node_get(g, y), *dx = taut_node_get(g, x);
    if (dy->op == TAUT_OP_CONST && dx->op == TAUT_OP_CONST)
        return taut_number(g, atan2(dy->value, dx->value));
    return taut_node_make(g, TAUT_OP_ATAN2, 0, 2, (taut_node[]){y, x});
}

/* a^n, n >= 1, by repeated squaring: the power recurrence would divide by a. */
static taut_node whole_power(taut_graph *g, taut_node a, double n) {
    taut_node result = TAUT_NO_NODE;
    for (;;) {
        if (fmod(n, 2.0) == 1.0) result = result ? taut_mul(g, result, a) : a;
        n = floor(n / 2.0);
        if (n < 1.0 || taut_graph_failed(g)) return result;
        a = taut_square(g, a);
    }
}

bool taut_power_is_product(double r) {
    /* a root times a higher power would cancel at high orders: POW is better there */
    const double n = fabs(r);
    return (floor(n) == n && n <= 1e9) || n == 0.5 || n == 1.5;
}

taut_node taut_power(taut_graph *g, taut_node a, taut_node b) {
    if (a == TAUT_NO_NODE || b == TAUT_NO_NODE) return TAUT_NO_NODE;
    const taut_node_data base = *taut_node_get(g, a), exponent = *taut_node_get(g, b);
    if (!exponent.steady)
        return taut_apply(g, TAUT_OP_EXP, taut_mul(g, b, taut_apply(g, TAUT_OP_LOG, a)));
    const double r = exponent.value;
    if (base.op == TAUT_OP_CONST && exponent.op == TAUT_OP_CONST)
        return taut_number(g, pow(base.value, r));
    if (r == 0.0 && !exponent.held) return taut_number(g, 1.0);
    if (exponent.held || !taut_power_is_product(r)) {
        if (!exponent.held) taut_graph_assume(g, b, TAUT_ASSUME_FRACTION);
        return taut_node_make(g, TAUT_OP_POW, 0, 2, (taut_node[]){a, b});
    }
    taut_graph_assume(g, b, TAUT_ASSUME_EQUAL);
    /* (1/a)^n keeps its digits, 1/a^n is a recurrence of order n that loses them */
    const double n = floor(fabs(r));
    if (r < 0.0) a = one_over(a);
    if (n == fabs(r)) return whole_power(g, a, n);
    return n == 1.0 ? taut_mul(g, a, taut_root(g, a)) : taut_root(g, a);
}
