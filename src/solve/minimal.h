/* The flow with as few states as there are degrees of freedom: coordinates of the tangent spaces of
 * a system's constraints (docs/math/minimal.md). Nothing restricts them, so nothing drifts; the
 * values x_j^(k) follow from them by Newton's method on the constraints. */
#ifndef TAUT_SOLVE_MINIMAL_H
#define TAUT_SOLVE_MINIMAL_H

#include "solve/flow.h"
#include "solve/tangent.h"

typedef struct taut_minimal_options {
    taut_null_method subspace; /* where the first basis comes from */
    bool fresh; /* each basis anew from there, instead of continuing the one before */
} taut_minimal_options;

/* The create of a taut_flow_maker whose user is a taut_minimal_options. */
taut_status taut_minimal_create(const void *options, const taut_system *system,
                                const taut_structure *structure, const taut_stepping *stepping,
                                taut_arena *arena, taut_flow **flow);

/* A state as the values behind it make it: a constant + the sum of weight x_variable^(order). Its
 * rate is the same sum of the next derivatives. */
typedef struct taut_minimal_term {
    int variable, order;
    double weight;
} taut_minimal_term;
/* The terms of a state into term [n]; returns how many. They hold until other coordinates begin. */
int taut_minimal_terms(const taut_flow *flow, int state, taut_minimal_term *term);

/* The coordinates and the way to them, so that the same flow, or another one of the same system
 * that has been started, goes on with the same bits. */
void taut_minimal_remember(const taut_flow *flow, taut_memory *memory);
void taut_minimal_recall(taut_flow *flow, taut_recall *recall);

#endif
