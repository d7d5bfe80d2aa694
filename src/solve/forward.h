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
                                  x_j and their derivatives */
    const int *levels;         /* [functions] ... and those of their derivatives up to this one */
    int functions;
    int directions;
    int numbers;          /* parameters of the graph below this one, ... */
    const bool *may_vary; /* [numbers] ... and of these the ones that may vary */
    int stages; /* variations are found up to this stage at least; -1: to what functions need */
} taut_forward_order;

typedef struct taut_forward taut_forward;

/* Adds nodes to the system's graph. */
taut_status taut_forward_create(const taut_system *system, const taut_structure *structure,
                                const taut_forward_order *order, taut_forward **forward);
void taut_forward_free(taut_forward **forward);
/* From now on with these values of the parameters: see taut_series_set_numbers. */
taut_status taut_forward_set_numbers(taut_forward *variations, const double *parameter);
/* What follows does not depend on earlier points, to the last bit. */
void taut_forward_forget(taut_forward *variations);
int taut_forward_stage(const taut_forward *variations);

/* The variation of a parameter in a direction, from now on. */
void taut_forward_set_number(taut_forward *variations, int number, int direction, double variation);

/* Moves to the point of a stepper's expansion, or of a series that is known up to the last stage.
 * TAUT_SINGULAR: J cannot be factored there. */
taut_status taut_forward_expand(taut_forward *variations, const taut_expansion *expansion);
taut_status taut_forward_take(taut_forward *variations, const taut_series *series);

/* At such a point: the variation of x_j^(k), k < d_j, which the caller sets; after
 * taut_forward_solve it is known for k <= d_j + last stage. */
void taut_forward_set(taut_forward *variations, int j, int k, int direction, double variation);
double taut_forward_get(const taut_forward *variations, int j, int k, int direction);
/* Brings what was set to the tangent space of the constraints (project) and finds the rest. */
void taut_forward_solve(taut_forward *variations, bool project);
/* The same where somebody else says how constraints are met at stages s < 0: side [n][lanes] are
 * the linearised equations f_i^(s + c_i), with their sign changed, in the lanes of a block of
 * directions; they are to become corrections of x_j^(s + d_j), 0 where d_j < -s. */
typedef taut_status taut_forward_meet(void *user, int s, int block, double *side);
taut_status taut_forward_solve_by(taut_forward *variations, taut_forward_meet *meet, void *user);
/* Meanwhile: the variation of function i, in all lanes, as far as it is known. */
void taut_forward_function(const taut_forward *variations, int i, int block, double *variation);
/* Then: the variations of all functions and of their derivatives, with what depends on numbers
 * directly: by functions, levels and directions [sum of (levels + 1) * directions]. */
void taut_forward_functions(taut_forward *variations, double *variation);

/* The variations as polynomials, for times near the point. */
typedef struct taut_forward_path {
    double t, h; /* the point, and the scale */
    double *c;   /* coefficients, in the order of the tangent */
    size_t room;
} taut_forward_path;
/* Keeps them; c grows on the heap and is the caller's to release. */
taut_status taut_forward_keep(const taut_forward *variations, taut_forward_path *path);
/* The variations of x_j^(k) at a time, in all directions (directions). */
void taut_forward_follow(const taut_forward *variations, const taut_forward_path *path, int j,
                         int k, double time, double *variation);
/* How far the polynomials reach, at most `theta` scales: their last terms are then below tol,
 * beside the largest variation of the same order in the same direction. */
double taut_forward_reach(const taut_forward *variations, double tol, double theta);

#endif
