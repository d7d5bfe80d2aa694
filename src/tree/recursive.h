/* A flow whose rates come from the recursion over a tree of limbs instead of a factorised J: what
 * is not a matter of rates (start, projection, Jacobian) is that of solve/ode. */
#ifndef TAUT_TREE_RECURSIVE_H
#define TAUT_TREE_RECURSIVE_H

#include "tree/law.h"
#include "solve/flow.h"

/* How loops are closed. */
typedef struct taut_recursive_options {
    const taut_law *law; /* must outlive the flow */
    bool careful;        /* multipliers by pivoted QR in any case */
} taut_recursive_options;

/* A function of a taut_flow_maker; user: taut_recursive_options. Where the structure does not fit
 * the law it is the flow of solve/ode. */
taut_status taut_recursive_create(const void *user, const taut_system *system,
                                  const taut_structure *structure, const taut_stepping *stepping,
                                  taut_arena *arena, taut_flow **flow);
/* Does a flow get its rates from the recursion? */
bool taut_flow_is_recursive(const taut_flow *flow);

#endif
