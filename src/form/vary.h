/* What formulations share when they vary a function: products with velocities, homogeneity, what a
 * formula depends on (docs/math/differentiation.md). */
#ifndef TAUT_FORM_VARY_H
#define TAUT_FORM_VARY_H

#include "expr/diff.h"

/* Adds coef * adjoint of variable first + j to row[j], j < count, after running the sweep. */
taut_status taut_vary_add(taut_graph *graph, taut_sweep *sweep, int first, int count, double coef,
                          taut_node *row);
/* sum of q_j' df/dq_j' over the variables 0 .. coordinates-1 */
taut_status taut_vary_velocity_product(taut_graph *graph, taut_sweep *sweep, int coordinates,
                                       taut_node f, taut_node *result);
/* Does f contain t, or a variable numbered `known` or above? Sets *open if so. */
taut_status taut_vary_is_open(const taut_graph *graph, taut_node f, int known, bool *open);
/* Is f homogeneous, of a degree above 0, in the velocities of the variables 0 .. coordinates-1?
 * Then a force mu df/dq' has no power where f = 0. */
taut_status taut_vary_is_homogeneous(const taut_graph *graph, taut_node f, int coordinates,
                                     bool *result);

#endif
