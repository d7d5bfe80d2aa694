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

#endif
