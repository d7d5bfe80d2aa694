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

#endif
