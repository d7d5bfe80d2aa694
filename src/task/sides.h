/* Who stands against whom in a comparison: kinds of methods and of coordinates, not single runs. */
#ifndef TAUT_TASK_SIDES_H
#define TAUT_TASK_SIDES_H

#include "core/arena.h"
#include "taut/compare.h"

/* The kind of a solver in words: methods of one kind share their blind spots. */
const char *taut_solver_kind(const char *solver);

/* Kinds of methods and formulations of which every pair, at the smallest tolerance that it has
 * finished and at which a difference tells something, disagrees with the reference: in *against, as
 * a list in words; NULL: there are none. Memory from arena. */
taut_status taut_sides_find(const taut_comparison *comparison, taut_arena *arena,
                            const char **against);

#endif
