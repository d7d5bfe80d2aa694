/* Variations at one instant of an event: of what its conditions, its assignments and its contacts
 * are made of, and of the matrix J, exactly (docs/math/sensitivity.md, section 4). */
#ifndef TAUT_TASK_INSTANT_H
#define TAUT_TASK_INSTANT_H

#include "form/contact.h"
#include "task/sensitivity.h"

/* For one set of equations. Outputs are those of the series of events (task/happen.h): functions,
 * assigned values, parts of contacts; behind them the entries of J. */
struct taut_instant {
    taut_arena arena;
    taut_instant *next;
    unsigned long serial; /* of the equations */
    int directions;
    taut_series *series; /* the motion that goes on from here with these equations, ... */
    taut_forward *forward;
    taut_state *place, *line; /* ... from this state; a variation of it */
    int *level;               /* [outputs] the highest derivative whose variation is known, ... */
    int *at;                  /* [outputs] ... and where these begin in: */
    double *variation;        /* [directions] each, at a fixed time */
    double *shift;            /* [directions] of the time of the event */
    int outputs, first_entry;
    int stage;
};

/* Finds the variations of everything in these equations, for the state and the time of the event
 * and for what is known of their variations so far. */
taut_status taut_instant_look(taut_simulation *simulation, const taut_prepared *equations,
                              taut_instant **instant);
void taut_instants_free(taut_instant **first);

/* Where the event is, in a direction: the variation of the order-th derivative of an output, ... */
double taut_instant_of(const taut_instant *instant, int output, int order, int direction);
/* ... of a part of contact i, as taut_contact_value has it, ... */
double taut_instant_contact(const taut_simulation *simulation, const taut_instant *instant, int i,
                            taut_contact_part part, int order, int direction);
/* ... of entry e of J; and what that of J makes of y (n): to[n] -= dJ y. */
double taut_instant_entry(const taut_instant *instant, int e, int direction);
void taut_instant_subtract(const taut_instant *instant, int direction, const double *y, double *to);

/* What comes of it, for all directions: of values of the state that actions assign, as
 * taut_happen_jump has it, before it does so; and of an impact (impact_vary.c). */
taut_status taut_happen_vary_jump(taut_simulation *simulation, const taut_instant *at,
                                  const int *which, const double *value, int count);

#endif
