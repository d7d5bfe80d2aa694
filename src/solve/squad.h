/* Taylor steppers of one program side by side, a lane each: TAUT_ABREAST of them take a step for
 * little more than the price of two. Every lane has a time, a step size and numbers of its own, and
 * gives the bits that its stepper would give alone.
 *
 * What lanes cannot do together (the first step, singular positions, steps that are taken back, new
 * pivots) a stepper does by itself, and comes back for the next step. */
#ifndef TAUT_SOLVE_SQUAD_H
#define TAUT_SOLVE_SQUAD_H

#include "core/abreast.h"
#include "solve/stepper.h"

typedef struct taut_squad taut_squad;

/* For steppers with the plan of this one, which must outlive it. *squad is NULL if such steppers
 * cannot go side by side. */
taut_status taut_squad_create(const taut_stepper *like, taut_squad **squad);
void taut_squad_free(taut_squad **squad);
/* One step of each of stepper [TAUT_ABREAST]; NULL: nobody is in that lane. Steppers stay in their
 * lanes as far as possible. As taut_stepper_step: status and errors [TAUT_ABREAST]. */
void taut_squad_step(taut_squad *q, taut_stepper *const *stepper, taut_errors *const *errors,
                     taut_status *status);
/* A stepper is about to go: nobody is in its lane any more. */
void taut_squad_leave(taut_squad *q, int lane);
/* Outputs of series such as this one, of others, which have the structure of the steppers, are
 * found at the ends of steps that are taken side by side: there all of them cost little more than
 * one. */
taut_status taut_squad_watch(taut_squad *q, const taut_series *like, const int *output,
                             int outputs);
/* The series of the stepper in a lane, NULL: none. It gives its numbers when the stepper starts. */
void taut_squad_set_watcher(taut_squad *q, int lane, const taut_series *series);
/* Its value[outputs] at the end of the last step; false: they have not been found. */
bool taut_squad_outputs(const taut_squad *q, int lane, double *value);
/* Steps that were taken side by side so far, and by steppers alone. */
void taut_squad_count(const taut_squad *q, long *together, long *alone);

#endif
