/* Systems whose Jacobian is dense although their formulas are short: the mass matrix of a chain of
 * bodies in joint coordinates. Values on the way, such as the accelerations of bodies and the
 * forces that they hand on, become unknowns of the linear system; it is then sparse, and its
 * elimination in the order of the tree is the articulated-body recursion (docs/math/structure.md).
 */
#ifndef TAUT_SOLVE_WIDE_H
#define TAUT_SOLVE_WIDE_H

#include "solve/structure.h"

/* For systems in which no equation restricts the state, and which are large: offsets without the
 * signature matrix, and the wide Jacobian. *found: the structure is complete, but for sigma, which
 * is empty, and blocks, of which there is one. Otherwise nothing has been said of the system. */
taut_status taut_wide_find(const taut_system *system, taut_arena *arena, taut_structure *structure,
                           bool *found);

#endif
