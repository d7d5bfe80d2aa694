/* Sensitivities of a run: how its columns change, to first order, with parameters, inputs and
 * initial values (docs/math/sensitivity.md). They are carried beside the motion, step by step, and
 * do not change it. */
#ifndef TAUT_TASK_SENSITIVITY_H
#define TAUT_TASK_SENSITIVITY_H

#include "solve/forward.h"
#include "solve/reverse.h"
#include "task/simulation.h"

typedef struct taut_adjoint taut_adjoint; /* task/adjoint.h */
typedef struct taut_instant taut_instant; /* task/instant.h */

/* What the motion is differentiated by. */
typedef struct taut_direction {
    const char *name;
    int number;        /* of the model's parameters and initial values (model/parameters.h) */
    taut_state *state; /* variations of x_j^(k), k < d_j, at the time `t` */
    double *numbers;   /* [numbers] variations of parameters */
    double shift;      /* variation of the time of the event that is under way */
    double passed;     /* the same of the last one that is over */
} taut_direction;

/* The derivative of a parameter's formula by another parameter. */
typedef struct taut_number_link {
    int of, by;
    taut_node derivative;
} taut_number_link;

struct taut_sensitivity {
    taut_arena arena; /* names */
    taut_direction *direction;
    int directions, numbers;
    bool *may_vary;         /* [numbers] with what is named, or at events */
    bool *assigned;         /* [numbers] at events */
    bool *set;              /* [numbers] by the caller */
    int noted;              /* events that were listed before the one under way */
    int touched;            /* an idle kink whose boundary grazes; -1: none has done so, ... */
    double touched_at;      /* ... now */
    taut_number_link *link; /* [links] heap */
    int links;
    int ends; /* of the time at which the run ends, as if it were a parameter: behind all links */
    const taut_graph *link_graph; /* whose nodes they have, ... */
    unsigned long link_serial;    /* ... of these equations; 0: none */
    size_t link_room;
    taut_arena made;               /* with the next ones, for one set of equations: */
    unsigned long serial;          /* of these; 0: none */
    taut_forward *motion;          /* over steps */
    taut_forward *row;             /* at the times of rows */
    taut_forward *start;           /* at the start, with its conditions; NULL: not made */
    taut_series *series;           /* for points inside a step; NULL: none was needed */
    taut_reverse *back, *back_row; /* adjoints of motion and row; NULL: none was needed */
    int *column;                   /* [columns] that are differentiated: numbers in a row, ... */
    int *function, *level;         /* [columns] of `row`: a function, and which derivative of it */
    double *functions; /* [functions of `row` * directions] variations at the last look, ... */
    double *variation; /* [columns * directions] ... and their variations at the last look */
    int columns;
    double *lane; /* [directions] work space */
    /* with reactions, which are the last columns: */
    const taut_reactions *reactions; /* NULL: there are none */
    taut_balance *balance;
    double *rate;  /* [3 * vectors of the reactions] */
    double *force; /* [columns of the reactions] */
    double *balance_work;
    double t;                /* where the states are */
    taut_forward_path *path; /* [paths] over the last step, one after the other */
    int paths;
    size_t path_room;
    taut_instant *instant; /* the first one of those made for events, by equations */
    taut_adjoint *adjoint; /* what a run that is recorded has kept; NULL: it is not */
};

/* The list of the options, read with the equations at hand; nothing if there is none. */
taut_status taut_sensitivity_read(taut_simulation *simulation, taut_errors *errors);
/* Can the equations in use be differentiated by all names, and by what follows from them? */
taut_status taut_sensitivity_check(taut_simulation *simulation, taut_errors *errors);
/* How parameters follow from those that are named, with the numbers of now. */
taut_status taut_sensitivity_weigh(taut_simulation *simulation);
/* At the start, which the observer's series may look for again: variations of the initial state. */
taut_status taut_sensitivity_start(taut_simulation *simulation, taut_errors *errors);
/* After a step: the variations over it. */
taut_status taut_sensitivity_step(taut_simulation *simulation, taut_errors *errors);
/* At an event, before it does anything: how its time varies, and the state there. */
taut_status taut_sensitivity_reach(taut_simulation *simulation, taut_errors *errors);
/* Is a function of events the boundary of a kink on which the motion does not depend? */
taut_status taut_sensitivity_is_idle(const taut_simulation *simulation, int function, bool *idle);
/* Where a function of events reaches zero without passing it: what hangs on that is told. */
taut_status taut_sensitivity_touch(const taut_simulation *simulation, int function, double t,
                                   taut_errors *errors);
/* What has no derivatives there is told. */
taut_status taut_sensitivity_blame(const taut_simulation *simulation, taut_status status,
                                   taut_errors *errors);
/* When the stepper has started behind it. */
taut_status taut_sensitivity_leave(taut_simulation *simulation, taut_errors *errors);
/* moves [numbers]: those that events assign, and what follows from them. */
void taut_sensitivity_find_moved(const taut_sensitivity *x, bool *moves);
void taut_sensitivity_free(taut_simulation *simulation);

/* Columns behind those of the observer, in a row, and what they are called. */
int taut_sensitivity_columns(const taut_simulation *simulation);
taut_status taut_sensitivity_names(const taut_simulation *simulation, taut_arena *arena,
                                   const char **name, int first);
/* Fills them, at a time at which the observer has just filled its own; *missing as there. */
taut_status taut_sensitivity_row(taut_simulation *simulation, double t, double *row, int first,
                                 int *missing);
/* How the time of the last event varies in all directions (directions). */
void taut_sensitivity_shifts(const taut_simulation *simulation, double *shift);
/* How the time at which the run ends varies in all directions (directions), at its start: by a
 * formula for tend. */
taut_status taut_sensitivity_end(const taut_simulation *simulation, double *shift);
/* The variation of one column by all directions (directions), at the time of the last row. */
void taut_sensitivity_of(const taut_simulation *simulation, int column, double *derivative);

/* For the equations in use: what is needed for reactions; and, from the variations of their vectors
 * [3 * vectors * directions], in any number of directions, theirs [columns * directions], where the
 * observer has filled a row.
 */
taut_status taut_sensitivity_equip_reactions(taut_simulation *simulation);
taut_status taut_sensitivity_reactions(taut_simulation *simulation, const double *vectors,
                                       int directions, double *to);
/* Engines for the equations in use, with the variations of numbers; the states move to these. */
taut_status taut_sensitivity_equip(taut_simulation *simulation);
/* Makes the series of these equations and numbers (NULL: as they are), unless there is one. */
taut_status taut_sensitivity_make_series(taut_sensitivity *x, const taut_prepared *equations,
                                         const double *number);
/* Moves the engine of steps to a time inside a step of this length, from values x_j^(k), k <= d_j,
 * near the motion there. */
typedef double taut_value_at(const void *user, int j, int k, double t);
taut_status taut_sensitivity_move(taut_simulation *simulation, double t, double length,
                                  bool project, taut_value_at *value, const void *user);
/* Brings the states to a time inside the last step. */
void taut_sensitivity_bring(taut_simulation *simulation, double t);

#endif
