/* Motions near a motion, to first order: how every x_j^(k) at a point follows from what is free
 * there and from parameters, exactly, for a system of any index (docs/math/linearisation.md).
 *
 * Stage by stage, as the series solves the equations: f_i^(c_i + s) = 0, differentiated once more,
 * is linear in the variations of x_j^(d_j + s). Stages s < 0 leave directions free, stages s >= 0
 * are solved with the factors of J. */
#ifndef TAUT_SOLVE_VARIATIONAL_H
#define TAUT_SOLVE_VARIATIONAL_H

#include "solve/series.h"

/* A condition on variations beyond those of the equations: an equation of velocities that holds for
 * positions, too, up to a constant (an angle that follows the motion), or a variable that nothing
 * depends on. */
typedef struct taut_tie {
    int number;    /* of the equation, or of the variable */
    bool passive;  /* the variable does not vary; otherwise sum of df/dx_j' times the variation of
                      x_j is 0 */
    taut_node off; /* a function that is to stay 0 as well and may contain parameters: what inputs
                      change in it, the variations make up for. TAUT_NO_NODE: there is none */
} taut_tie;

typedef struct taut_variational_order {
    const taut_node *function; /* [functions] whose variations will be asked for: functions of t,
                                  x_j and their derivatives; nodes that the structure knows */
    const int *levels;         /* [functions] ... and those of their derivatives up to this one */
    const int *offset;         /* [functions] of nodes that the structure does not know: INT_MIN
                                  for those that it does; NULL: it knows all */
    int functions;
    const double *weight; /* [inputs * parameters] how parameters follow from inputs */
    int inputs, parameters;
    const taut_tie *tie; /* [ties] */
    int ties;
    int stages; /* the series goes up to this stage at least */
} taut_variational_order;

typedef struct taut_variational taut_variational;

/* Adds nodes to the system's graph. What the order points to must outlive the variation. */
taut_status taut_variational_create(const taut_system *system, const taut_structure *structure,
                                    const taut_variational_order *order,
                                    taut_variational **variation);
void taut_variational_free(taut_variational **variation);

/* The series in which it works; the caller brings it to a consistent point (taut_series_settle). */
taut_series *taut_variational_series(taut_variational *variation);
/* The last stage that functions need. */
int taut_variational_stage(const taut_variational *variation);

/* Finds the directions at the series' point, which is settled and extended to the last stage.
 * TAUT_SINGULAR: the conditions depend on each other there. */
taut_status taut_variational_find(taut_variational *variation);
/* Directions: the inputs first, then those that the conditions leave free ... */
int taut_variational_directions(const taut_variational *variation);
/* ... each beginning at a stage s < 0: it varies x_j^(d_j + s) and what comes later. */
int taut_variational_begins(const taut_variational *variation, int direction);
/* The variation of the level-th derivative of a function in a direction; for an input with the
 * variation that it contains itself. `size`: of its terms and of their rounding, the latter in
 * units of the last place, so that much less than 1e-15 of it is nothing; NULL: not wanted. */
double taut_variational_of(const taut_variational *variation, int function, int level,
                           int direction, double *size);
/* The same in all directions: value, size [directions]. */
void taut_variational_all(const taut_variational *variation, int function, int level, double *value,
                          double *size);
/* The derivatives of the level-th derivative of equation `row` (of function row - n) by all
 * x_j^(k): out[place[j] + k], place as taut_variational_place has it, is added to. */
void taut_variational_gradient(const taut_variational *variation, int row, int level, double *out);
/* ... and by an input, everything else held. */
double taut_variational_by_input(const taut_variational *variation, int row, int level, int input);
/* [n + 1] where the derivatives of each variable begin; the last: how many there are. */
const int *taut_variational_place(const taut_variational *variation);
/* What that is at most in a direction in which nothing varies by more than 1. */
double taut_variational_scale(const taut_variational *variational, int function, int level);
/* The value of the level-th derivative of a function. */
double taut_variational_value(const taut_variational *variation, int function, int level);

#endif
