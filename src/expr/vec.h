/* Vectors of 2 or 3 nodes, and scalars, as one type: a thin layer over the graph. */
#ifndef TAUT_EXPR_VEC_H
#define TAUT_EXPR_VEC_H

#include "expr/graph.h"

typedef struct taut_vec {
    int n;          /* 1: a scalar, 2 or 3: a vector, 0: nothing */
    taut_node c[3]; /* its components */
} taut_vec;

taut_vec taut_vec_scalar(taut_node node);
taut_vec taut_vec_scale(taut_graph *graph, taut_node factor, taut_vec a);
taut_vec taut_vec_dot_time(taut_graph *graph, taut_vec a, int p); /* d^p/dt^p of each component */
taut_node taut_vec_inner(taut_graph *graph, taut_vec a, taut_vec b); /* a . b, equal sizes */
taut_vec taut_vec_cross(taut_graph *graph, taut_vec a, taut_vec b);  /* 3D a vector, 2D a scalar */
taut_node taut_vec_norm(taut_graph *graph, taut_vec a);

/* Values of steady nodes on which a decision of structure depends: noted as assumptions of the
 * graph, unless they are plain numbers. The value itself; that of each component (missing ones are
 * 0). */
double taut_assume_value(taut_graph *graph, taut_node node);
void taut_assume_values(taut_graph *graph, taut_vec a, double value[3]);
/* The same where they only choose or measure: see TAUT_ASSUME_CHOICE. */
double taut_choose_by_value(taut_graph *graph, taut_node node);
void taut_choose_by_values(taut_graph *graph, taut_vec a, double value[3]);
/* That the sign of a steady node, which is not 0, is what it is now. */
void taut_assume_sign(taut_graph *graph, taut_node node);

#endif
