/* Vector operations, component by component. */
#include "expr/vec.h"

taut_vec taut_vec_scalar(taut_node node) { return (taut_vec){1, {node}}; }

taut_vec taut_vec_scale(taut_graph *g, taut_node factor, taut_vec a) {
    for (int i = 0; i < a.n; i++) a.c[i] = taut_mul(g, factor, a.c[i]);
    return a;
}

taut_vec taut_vec_dot_time(taut_graph *g, taut_vec a, int p) {
    for (int i = 0; i < a.n; i++) a.c[i] = taut_dot(g, a.c[i], p);
    return a;
}

taut_node taut_vec_inner(taut_graph *g, taut_vec a, taut_vec b) {
    taut_node term[3];
    const double one[3] = {1.0, 1.0, 1.0};
    for (int i = 0; i < a.n; i++) term[i] = taut_mul(g, a.c[i], b.c[i]);
    return taut_sum(g, 0.0, (size_t)a.n, one, term);
}

/* x y' - y x' */
static taut_node minor(taut_graph *g, taut_node x, taut_node y, taut_node u, taut_node v) {
    return taut_sub(g, taut_mul(g, x, v), taut_mul(g, y, u));
}

taut_vec taut_vec_cross(taut_graph *g, taut_vec a, taut_vec b) {
    if (a.n == 2) return taut_vec_scalar(minor(g, a.c[0], a.c[1], b.c[0], b.c[1]));
    return (taut_vec){3,
                      {minor(g, a.c[1], a.c[2], b.c[1], b.c[2]),
                       minor(g, a.c[2], a.c[0], b.c[2], b.c[0]),
                       minor(g, a.c[0], a.c[1], b.c[0], b.c[1])}};
}

taut_node taut_vec_norm(taut_graph *g, taut_vec a) { return taut_root(g, taut_vec_inner(g, a, a)); }

double taut_assume_value(taut_graph *g, taut_node node) {
    if (node == TAUT_NO_NODE) return 0.0; /* no memory: said elsewhere */
    taut_graph_assume(g, node, TAUT_ASSUME_EQUAL);
    return taut_node_get(g, node)->value;
}

void taut_assume_values(taut_graph *g, taut_vec a, double value[3]) {
    for (int i = 0; i < 3; i++) value[i] = i < a.n ? taut_assume_value(g, a.c[i]) : 0.0;
}

double taut_choose_by_value(taut_graph *g, taut_node node) {
    if (node == TAUT_NO_NODE) return 0.0;
    taut_graph_assume(g, node, TAUT_ASSUME_CHOICE);
    return taut_node_get(g, node)->value;
}

void taut_choose_by_values(taut_graph *g, taut_vec a, double value[3]) {
    for (int i = 0; i < 3; i++) value[i] = i < a.n ? taut_choose_by_value(g, a.c[i]) : 0.0;
}

void taut_assume_sign(taut_graph *g, taut_node node) {
    if (node == TAUT_NO_NODE) return;
    const double value = taut_node_get(g, node)->value;
    if (value > 0.0) taut_graph_assume(g, node, TAUT_ASSUME_POSITIVE);
    if (value < 0.0) taut_graph_assume(g, node, TAUT_ASSUME_NEGATIVE);
}
