/* The geometry of a mechanism alone, for kinematics: its unknowns z (coordinates and tracked
 * angles), the conditions that they satisfy, functions of them that are to have certain values, and
 * Newton's method for all of that (docs/math/kinematics.md). No masses, no forces. */
#ifndef TAUT_TASK_LINKAGE_H
#define TAUT_TASK_LINKAGE_H

#include "expr/values.h"
#include "form/assemble.h"

typedef struct taut_linkage {
    taut_arena arena;
    taut_problem *problem;
    int n;               /* unknowns */
    int conditions;      /* rows: constraints and angles, ... */
    int functions, rows; /* ... then functions; all of them */
    taut_node *row;      /* [rows] */
    double *z;           /* [n] where the file starts */
    double *size;        /* [n] how large an unknown is */
    double *held;        /* [problem->variables] what is no unknown of the linkage: phases */
    double t;            /* everything else that moves stays as it is at this time */
    /* found at a point */
    double *value;    /* [rows] */
    double *gradient; /* [rows * n] by columns */
    /* work space */
    taut_values point, bend;
    int entries, *entry_row, *entry_column;
    double *target, *matrix, *side;
} taut_linkage;

/* The linkage of a mechanism, with the columns `function` [functions] as functions. What drivers of
 * the file do is left out if otherwise nothing could move, and so are those of the functions
 * themselves. TAUT_ERR_CALL: no mechanism, a name that is no position; TAUT_ERR_INPUT: it cannot be
 * assembled. To be released in any case. */
taut_status taut_linkage_open(const taut_model *model, const char *const *function, int functions,
                              taut_linkage *linkage, taut_errors *errors);
void taut_linkage_release(taut_linkage *linkage);

/* For programs of others: what is held; z or one of its derivatives. */
void taut_linkage_hold(const taut_linkage *linkage, taut_values *values);
void taut_linkage_put(const taut_linkage *linkage, taut_values *values, int order, const double *z);
/* Does a node consist of unknowns of the linkage, without derivatives? */
taut_status taut_linkage_has(const taut_linkage *linkage, taut_node node, bool *yes);
/* Values and gradients of all rows at z. */
void taut_linkage_look(taut_linkage *linkage, const double *z);
/* How to choose the point among those that satisfy the conditions. */
typedef struct taut_linkage_goal {
    const double *value;   /* [functions] of the functions, or ... */
    const double *tangent; /* [n] ... in the plane across this direction through `from`, or ... */
    const double *from;    /* [n] ... (both NULL) the nearest one */
} taut_linkage_goal;
/* Moves z there by Newton's method. TAUT_SINGULAR: it did not get there, or the point is singular.
 * TAUT_INTERRUPTED: the bounds say so.
 * `moved`: how far, relative to the sizes; NULL: not wanted. */
taut_status taut_linkage_correct(taut_linkage *linkage, taut_linkage_goal goal, double *z,
                                 double *moved);
/* z' and z'' by the first function, where the others (if there are any) stay, at a point that
 * taut_linkage_look has seen; second may be NULL. TAUT_SINGULAR: a dead point. */
taut_status taut_linkage_rates(taut_linkage *linkage, double *first, double *second);
/* Directions of length 1 (by sizes) in which z can move: basis [n * n], by columns; how many. */
taut_status taut_linkage_freedoms(taut_linkage *linkage, double *basis, int *count);

#endif
