/* What each operator is: its value, its derivative, its name. One row of ops.def an operator. */
#ifndef TAUT_EXPR_OPS_H
#define TAUT_EXPR_OPS_H

#include "expr/graph.h"

/* The word for an operator: "sin" for functions, its kind in capitals otherwise. */
const char *taut_op_name(taut_op op);
/* True for the rows of TAUT_FUNCTION. */
bool taut_op_is_function(taut_op op);
/* The function of this name, or -1. */
int taut_op_find(const char *name, size_t length);
/* The number that an operator other than a leaf, SUM and DIFF makes of numbers; b is unused by
 * operators with one argument. */
double taut_op_value(taut_op op, double a, double b);
/* dv/d(argument number `which`) of node v, as a node. Not for leaves, SUM and DIFF. */
taut_node taut_op_partial(taut_graph *graph, taut_node v, int which);

/* Does taut_power make products and roots for this exponent, instead of a POW? */
bool taut_power_is_product(double exponent);

/* A node as it is, without further rules; for ops.c alone. */
taut_node taut_node_make(taut_graph *graph, taut_op op, int index, uint32_t count,
                         const taut_node *arg);

#endif
