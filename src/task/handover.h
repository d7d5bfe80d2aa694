/* A mechanism that was assembled in natural coordinates, handed over to another formulation: so all
 * of them start from the same state, and the search for it is written once. */
#ifndef TAUT_TASK_HANDOVER_H
#define TAUT_TASK_HANDOVER_H

#include "form/pose.h"
#include "solve/series.h"
#include "task/prepare.h"

/* Do velocities of some element follow from stage 0, that is from all equations? */
bool taut_hand_over_needs_forces(const taut_prepared *prepared);
/* Poses of bodies, places of points and all other initial values, from a consistent point in a
 * series of the natural problem, which must outlive *start. */
taut_status taut_hand_over(const taut_prepared *prepared, const taut_series *point,
                           taut_arena *arena, taut_start *start);
/* Of a start near another one of the same mechanism: the angles and the Euler parameters that are
 * near to those there, instead of others which mean the same. */
void taut_hand_over_near(const taut_system *system, const taut_state *other, taut_state *state);

#endif
