/* Which nodes of the user's formulas may hide a feature of the motion from a series about one point
 * (docs/math/features.md, section 1). */
#ifndef TAUT_SOLVE_SUSPECTS_H
#define TAUT_SOLVE_SUSPECTS_H

#include "core/arena.h"
#include "solve/system.h"

/* The nodes, each once, in ascending order. May add derivatives of functions to the graph. */
taut_status taut_suspects_find(const taut_system *system, taut_arena *arena, taut_node **node,
                               int *nodes);

#endif
