/* Energy and constraints as alarms: a run whose invariants are off by far more than its tolerance
 * explains is not to be trusted, whatever its error estimates said (docs/accuracy.md). */
#ifndef TAUT_TASK_ALARM_H
#define TAUT_TASK_ALARM_H

#include "core/arena.h"
#include "taut/simulation.h"

/* How far something is off that should stay, where that is worst. */
typedef struct taut_excess {
    double amount;    /* 0: nothing was worth looking into */
    double allowed;   /* what would do; for the energy it grows with the motion */
    double t;         /* when */
    const char *name; /* of the constraint; NULL: it is the energy */
    int which;        /* its number, ... */
    double rate;      /* ... and what is allowed per gauge */
} taut_excess;

typedef struct taut_alarm {
    bool held;          /* whoever makes a table tells it at the end, not the step */
    bool told;          /* it has been told: */
    char words[700];    /* so */
    bool passed;        /* a singular position was */
    bool keeps;         /* there is an energy that stays, made of these columns of a row: */
    int energy, work;   /* -1: none */
    double tol;         /* that the run is held to */
    double first;       /* energy less work, at the start; NaN: not known yet, ... */
    double before, now; /* ... where the last step began and ended */
    double kinetic;     /* largest kinetic energy */
    double sway;        /* change of the energy by a relative change of all states, as far as it was
                           looked into */
    long steps, next_look;
    long waited;           /* steps since something was raised */
    int unknowns;          /* for which there is work space: */
    double *gauge, *found; /* [unknowns] the same as sway for each constraint: largest, and now */
    double *rest;          /* [unknowns] values of constraints at the point */
    double *scale;         /* [groups * levels] of the states */
    double strictness;     /* a residual above this is looked into */
    taut_excess sudden, gradual,
        inside; /* of the energy: in a step, from the start, between ends */
    taut_excess constraint;
} taut_alarm;

/* At the start of a run; at the end of each step, where constraints are off by residual; at each
 * row of a table. Memory is taken only where something looks wrong. */
void taut_alarm_start(taut_simulation *simulation);
taut_status taut_alarm_step(taut_simulation *simulation, double residual);
taut_status taut_alarm_row(taut_simulation *simulation, const double *row);

/* What steps depend on, for a run that goes on elsewhere: TAUT_ALARM_NUMBERS numbers. */
enum { TAUT_ALARM_NUMBERS = 2 };
void taut_alarm_remember(const taut_alarm *alarm, double *number);
void taut_alarm_recall(taut_alarm *alarm, const double *number);

/* Has one been raised? */
bool taut_alarm_is_raised(const taut_alarm *alarm);
/* What it says, in one sentence: at most size bytes. */
void taut_alarm_words(const taut_alarm *alarm, char *text, size_t size);
/* Reports one that has been raised, once: TAUT_ERR_NUMERICS. While the motion goes on (ended false)
 * it waits whether that grows into it: a start from rest makes much of little. */
taut_status taut_alarm_tell(taut_simulation *simulation, bool ended, taut_errors *errors);

#endif
