/* What a report says about the equations of a run, kept when the equations themselves are gone. */
#ifndef TAUT_TASK_DESCRIBE_H
#define TAUT_TASK_DESCRIBE_H

#include "core/arena.h"
#include "form/assemble.h"

typedef struct taut_description {
    const char **coordinate; /* [coordinates] names; without a mechanism: all unknowns */
    int coordinates;
    const char **constraint; /* [constraints] "name: formula (line n)" */
    int constraints;
    double *fixed; /* [elements * 3] where a mechanism's elements are; NaN: they move */
    int elements;
} taut_description;

/* Everything is put into the arena. */
taut_status taut_describe(const taut_problem *problem, taut_arena *arena,
                          taut_description *description);

/* The columns of a mechanism's points and vectors among these names, of[elements]; -1: there is
 * none, the component is fixed. */
void taut_describe_columns(const taut_mechanism *mechanism, const double *fixed,
                           const char *const *name, int columns, int (*of)[3]);

#endif
