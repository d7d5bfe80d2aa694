/* The tangent of a motion: how it changes, to first order, with its initial values and with
 * parameters, in several directions at once (docs/math/sensitivity.md).
 *
 * Variations obey the linearised equations, stage by stage as the series solves the equations
 * themselves: with the same J at every stage. Directions fill lanes. */
#ifndef TAUT_SOLVE_FORWARD_H
#define TAUT_SOLVE_FORWARD_H

#include "solve/series.h"
#include "solve/stepper.h"

enum { TAUT_FORWARD_LANES = 8 };

typedef struct taut_forward_order {
    const taut_node *function; /* [functions] whose variations will be asked for: functions of t,
                                  x_j and their derivatives; nodes that the structure knows */
    const int *levels;         /* [functions] ... and those of their derivatives up to this one */
    int functions;
    int directions;
    int numbers; /* parameters of the graph below this one may vary */
    int stages;  /* the series goes up to this stage at least; -1: to what functions need */
} taut_forward_order;

typedef struct taut_forward taut_forward;

/* Adds nodes to the system's graph. */
taut_status taut_forward_create(const taut_system *system, const taut_structure *structure,
                                const taut_forward_order *order, taut_forward **forward);
void taut_forward_free(taut_forward **forward);
/* The series in which it works, up to the last stage. */
taut_series *taut_forward_series(taut_forward *forward);
int taut_forward_stage(const taut_forward *forward);

/* The variation of a parameter in a direction, from now on. */
void taut_forward_set_number(taut_forward *forward, int number, int direction, double variation);

/* Moves to the point of a stepper's expansion and takes over its coefficients. TAUT_SINGULAR,
 * TAUT_ERR_NUMERICS: J cannot be factored there. */
taut_status taut_forward_expand(taut_forward *forward, const taut_expansion *expansion);
/* Moves to time t, from values of x_j^(k), k <= d_j, that the caller sets in the series next;
 * then settles there (project: values are brought to the constraints) and extends. */
void taut_forward_move(taut_forward *forward, double t, double h);
taut_status taut_forward_settle(taut_forward *forward, bool project);

/* At such a point: the variation of x_j^(k), k < d_j, which the caller sets; after
 * taut_forward_solve it is known for k <= d_j + last stage. */
void taut_forward_set(taut_forward *forward, int j, int k, int direction, double variation);
double taut_forward_get(const taut_forward *forward, int j, int k, int direction);
/* Brings what was set to the tangent space of the constraints (project) and finds the rest. */
void taut_forward_solve(taut_forward *forward, bool project);
/* Then: the variation of the level-th derivative of a function, with what depends on parameters
 * directly; and the value itself. */
double taut_forward_of(const taut_forward *forward, int function, int level, int direction);
double taut_forward_value(const taut_forward *forward, int function, int level);

/* The variations as polynomials, for times near the point. */
typedef struct taut_forward_path {
    double t, h; /* the point, and the scale */
    double *c;   /* coefficients, in the order of the tangent */
    size_t room;
} taut_forward_path;
/* Keeps them; c grows on the heap and is the caller's to release. */
taut_status taut_forward_keep(const taut_forward *forward, taut_forward_path *path);
/* The variation of x_j^(k) at a time. */
double taut_forward_follow(const taut_forward *forward, const taut_forward_path *path, int j, int k,
                           int direction, double time);
/* How far the polynomials reach, at most `theta` scales: their last terms are then below tol,
 * beside the largest variation of the same order in the same direction. */
double taut_forward_reach(const taut_forward *forward, double tol, double theta);

#endif
