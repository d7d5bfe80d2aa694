/* Reverse sweeps through the graph: derivatives as nodes of the same graph
 * (docs/math/differentiation.md). */
#ifndef TAUT_EXPR_DIFF_H
#define TAUT_EXPR_DIFF_H

#include "expr/graph.h"

/* What a sweep does at DIFF(e, p) with adjoint A. */
typedef enum taut_sweep_mode {
    TAUT_SWEEP_PLAIN,    /* stops: derivatives of variables count as constants; yields d/dx */
    TAUT_SWEEP_EULER,    /* e gets (-d/dt)^p A: yields the variational derivative */
    TAUT_SWEEP_VELOCITY, /* e gets A, exactly once on each path: yields d/dx' */
    TAUT_SWEEP_LEADING,  /* e gets A; only edges between equal offsets count: a row of J */
    TAUT_SWEEP_EVERY     /* e gets A in channel p higher: yields d/dx^(r) for every r */
} taut_sweep_mode;

enum { TAUT_SWEEP_ORDERS = 8 }; /* EVERY: r is below this */

/* A sweep and its work space; may be used for many sweeps of one graph, one after the other. */
typedef struct taut_sweep taut_sweep;

taut_status taut_sweep_create(taut_graph *graph, taut_sweep **sweep);
void taut_sweep_free(taut_sweep **sweep);

/* Starts a new sweep. offset (by node id, at least as long as the graph is now) is read by
 * TAUT_SWEEP_LEADING only and must outlive the sweep. */
void taut_sweep_begin(taut_sweep *sweep, taut_sweep_mode mode, const int *offset);
/* From now on EVERY sweeps reach parameters as well (others then are TAUT_ERR_CALL): a result whose
 * node is a PARAM is the derivative by it, everything else held, of order 0. Parameters that are 0
 * have left the graph, unless they are kept: see taut_graph_keep. */
void taut_sweep_by_parameters(taut_sweep *sweep, bool yes);
/* Until the next begin, nodes v with stop[v] (by node id, as offset) are taken for variables,
 * except the root that is seeded: what they are made of is not looked at. */
void taut_sweep_stop_at(taut_sweep *sweep, const bool *stop);
/* Adds coef * adjoint to the adjoint of root. */
void taut_sweep_seed(taut_sweep *sweep, taut_node root, double coef, taut_node adjoint);
/* Runs. TAUT_INTERRUPTED, TAUT_ERR_MEMORY, or TAUT_ERR_CALL if a VELOCITY sweep meets a second
 * derivative, an EVERY sweep one of order TAUT_SWEEP_ORDERS. */
taut_status taut_sweep_run(taut_sweep *sweep);
/* All three: the derivatives of one node. */
taut_status taut_sweep_of(taut_sweep *sweep, taut_sweep_mode mode, taut_node node);

/* After a run: the variables (leaves, where the roots are formulas of a model; parameters) that
 * were reached, in ascending order of their nodes ... */
size_t taut_sweep_reached(const taut_sweep *sweep);
taut_node taut_sweep_variable(const taut_sweep *sweep, size_t i);
taut_node taut_sweep_adjoint(const taut_sweep *sweep, size_t i);
/* EVERY: the i-th result is a derivative by x^(r), r = taut_sweep_order(sweep, i); the same
 * variable may be there several times. Otherwise 0 (VELOCITY: 1). */
int taut_sweep_order(const taut_sweep *sweep, size_t i);
/* ... and the adjoint of one of them (the number 0 if it was not reached). */
taut_node taut_sweep_find(const taut_sweep *sweep, taut_node variable);
/* That by the derivative of this order. */
taut_node taut_sweep_find_order(const taut_sweep *sweep, taut_node variable, int order);

#endif
