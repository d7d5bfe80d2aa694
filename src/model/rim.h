/* Circles on curves: the place of the rim that is nearest, as an unknown angle with an equation.
 * Private to the room. */
#ifndef TAUT_MODEL_RIM_H
#define TAUT_MODEL_RIM_H

#include "model/surface.h"

/* Adds the angle, a column `name.angle`; way: the direction from the centre to that place. */
taut_status taut_rim_begin(taut_reader *reader, const char *name, taut_place place, taut_rim *rim,
                           taut_vec *way);
/* Adds its equation. profile: the formula of the curve at that place, normal: its gradient there,
 * of length 1. */
taut_status taut_rim_close(taut_reader *reader, taut_place place, taut_node profile,
                           taut_vec normal, taut_rim *rim);

/* Finds the angles of all of them at the start, when contacts have been read. */
taut_status taut_rims_find_start(taut_reader *reader);

#endif
