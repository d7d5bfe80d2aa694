/* Rows of results: the columns of a problem, evaluated at any time of a solution. */
#ifndef TAUT_TASK_OBSERVE_H
#define TAUT_TASK_OBSERVE_H

#include "form/assemble.h"
#include "solve/flow.h"
#include "task/balance.h"

typedef struct taut_observer taut_observer;

/* What a column of a table is: of which kind, and the how-manieth derivative; t is a scalar. */
typedef struct taut_column_role {
    taut_column_kind kind;
    int order;
} taut_column_role;

typedef struct taut_observing {
    int derivatives; /* of columns */
    bool reactions;  /* multipliers and reactions are columns, too */
    int last_stage;  /* of others that work with the plan of the observer's series; 0: of nobody */
} taut_observing;

taut_status taut_observer_create(const taut_problem *problem, const taut_structure *structure,
                                 const taut_observing *wish, taut_observer **observer);
/* Another one of the same kind, which shares the plan of its series; `like` must outlive it. */
taut_status taut_observer_create_like(const taut_observer *like, taut_observer **observer);
void taut_observer_free(taut_observer **observer);

/* What rows had to say about reactions. */
typedef struct taut_doubts {
    int first, columns; /* the columns with reactions */
    long *rows;         /* [columns] rows in which rigid bodies do not determine it; NULL: none */
    long looks;         /* rows so far */
    double residual;    /* of the worst balance, ... */
    double force;       /* ... and the largest force */
} taut_doubts;
/* Rows add to *doubts from now on; it must outlive the observer, and rows is in arena. */
taut_status taut_observer_watch(taut_observer *observer, taut_arena *arena, taut_doubts *doubts);

/* Rows end with the flow's own columns from now on. */
taut_status taut_observer_show(taut_observer *observer, const taut_flow *flow);

/* For steppers (taut_stepping). */
const taut_series_plan *taut_observer_plan(const taut_observer *observer);
/* The series in which the observer works; it may be used to find the initial point. */
taut_series *taut_observer_series(taut_observer *observer);
/* With reactions: component i % 3 of their vector i / 3 at the last row. */
double taut_observer_vector(const taut_observer *observer, int i);
/* How many columns, t included; and what they are [columns], names in arena. */
int taut_observer_columns(const taut_observer *observer);
taut_status taut_observer_names(const taut_observer *observer, taut_arena *arena,
                                const char **name);
void taut_observer_kinds(const taut_observer *observer, taut_column_role *role);
/* What a column of a row is: a derivative of a node, which the state alone may determine. False: it
 * is none (t, a reaction, one of the flow's own). */
typedef struct taut_column_source {
    taut_node node;
    int order;
    bool of_state;
} taut_column_source;
bool taut_observer_source(const taut_observer *observer, int column, taut_column_source *source);
/* Fills a row at a time inside the stepper's last step. What cannot be computed there is NaN;
 * *missing is then a column that lacks a value (-1: none). */
taut_status taut_observer_row(taut_observer *observer, taut_stepper *stepper, double time,
                              double *row, int *missing);
/* Reactions to a blow, [reactions->columns]: where it happens, how velocities of coordinates jump,
 * and impulses of forces that are unknowns. The observer must have reactions. */
typedef struct taut_blow {
    const taut_state *state;
    const double *jump;  /* [coordinates] */
    const double *force; /* [n] 0 of what is none */
} taut_blow;
taut_status taut_observer_blow(taut_observer *observer, const taut_blow *blow, taut_arena *arena,
                               double *column);
/* Fills a row at time t from what the series holds, consistent or not: what its equations would
 * have to tell is NaN. */
void taut_observer_look(taut_observer *observer, double t, double *row);
/* Largest |f| of constraints that only decay, at a time inside the last step. */
double taut_observer_residual(taut_observer *observer, const taut_stepper *stepper, double time);
/* The largest coordinate of points then: their places are rounded by that. */
double taut_observer_span(taut_observer *observer, const taut_stepper *stepper, double time);
/* Energy less the work done so far, and kinetic energy, at a time; NaN if the problem has none. */
void taut_observer_energy(taut_observer *observer, const taut_stepper *stepper, double time,
                          double *energy, double *kinetic);
/* The outputs of its series that these are made of [TAUT_ENERGY_OUTPUTS]; returns how many there
 * are, 0: it has no energies. And: the next taut_observer_energy at this time, which is the end of
 * a step, need not find them. */
enum { TAUT_ENERGY_OUTPUTS = 3 };
int taut_observer_energy_outputs(const taut_observer *observer, int *output);
void taut_observer_expect(taut_observer *observer, double time, const double *value);
void taut_observer_expect_nothing(taut_observer *observer);

/* ---- what should stay (alarm.c) ---- */

/* Is there an energy that stays, work that is done on the mechanism taken off? Which columns of a
 * row it is made of: energy, and work (-1: none is done). */
bool taut_observer_keeps_energy(const taut_observer *observer, int *energy, int *work);
/* Moves the series to the point that the stepper has reached, or keeps it where it is and evaluates
 * it again after its values were changed; then: */
void taut_observer_reach(taut_observer *observer, const taut_stepper *stepper);
void taut_observer_again(taut_observer *observer);
/* ... energy less work, and kinetic energy there; NaN if there are none; ... */
void taut_observer_balance(const taut_observer *observer, double *energy, double *kinetic);
/* ... and the i-th equation: its value if it is a constraint, and its name; NaN: it is none. */
double taut_observer_constraint(const taut_observer *observer, int i, const char **name);

#endif
