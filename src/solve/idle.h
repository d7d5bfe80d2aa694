/* Joints that may let go beside others that hold the same: which of their equations follow from the
 * rest and have no force of their own, as long as what holds now holds (docs/math/loads.md,
 * section 5). */
#ifndef TAUT_SOLVE_IDLE_H
#define TAUT_SOLVE_IDLE_H

#include "solve/redundant.h"

typedef struct taut_idle_question {
    const taut_system *system;
    taut_roles roles;          /* with what is engaged, ... */
    const bool *prescribed;    /* [first_constraint] ... of which these are drivers, ... */
    const bool *late;          /* [first_constraint] ... and these come after other joints */
    double t;                  /* at the initial position, or ... */
    const taut_motion *motion; /* ... at this one; NULL: the former */
    const double *number;      /* values of parameters; NULL: those of the system */
} taut_idle_question;

typedef struct taut_idle_answer {
    int *row; /* [count] numbers of the forces that are not needed */
    int count;
    int overdriven; /* a driver that prescribes what is determined already: a constraint, or the
                       number of a force; -1: there is none */
} taut_idle_answer;

/* Joints are heard before drivers, and those that never let go before those that may. */
taut_status taut_idle_find(const taut_idle_question *question, taut_arena *arena,
                           taut_idle_answer *answer, taut_errors *errors);

#endif
