/* One stage of the consistent initial point: its unknowns, its conditions, and Gauss-Newton on them
 * (docs/math/consistent.md, sections 1 to 3). */
#ifndef TAUT_SOLVE_STAGE_H
#define TAUT_SOLVE_STAGE_H

#include "solve/series.h"

typedef enum taut_listing { TAUT_UNLISTED, TAUT_LISTED, TAUT_FIXED } taut_listing;

/* A condition of the system, ready to be evaluated: outputs of the series. */
typedef struct taut_condition_row {
    int stage;                 /* at which it is imposed */
    int residual;              /* output number */
    int side;                  /* output number of what must be positive, -1: nothing */
    int first, last;           /* its derivatives: gradient[first .. last-1] */
    int side_first, side_last; /* those of its side */
} taut_condition_row;

typedef struct taut_gradient {
    int variable, output;
} taut_gradient;

/* What all stages share. */
typedef struct taut_finder {
    taut_series *series;
    taut_errors *errors;
    taut_listing **listed;               /* [n][needed] */
    const taut_given ***given;           /* [n][needed] NULL: not listed */
    const taut_condition_row *condition; /* [conditions of the system] */
    const taut_gradient *gradient;       /* [gradients] of all of them */
    size_t gradients;
    const taut_node *output; /* [outputs] what the series evaluates for them */
    int outputs;
    int first_hint;       /* those of the system's hints begin here */
    const double *number; /* values of parameters; NULL: as they were compiled */
    bool frozen;          /* nodes must not be added to the graph */
} taut_finder;

/* The unknowns and the rows (equations, then conditions) of one stage. */
typedef struct taut_stage {
    const taut_finder *finder;
    taut_series *series;
    taut_errors *errors;
    taut_arena arena;
    int s;
    int rows, columns;
    int *row;         /* [rows] equation i, or n + condition */
    int *column;      /* [columns] variables that may move */
    int *row_place;   /* [n] where an equation is in row[], -1: not here */
    int *place;       /* [n] where a variable is in column[], -1: not free here */
    double *weight;   /* [columns] how easily it moves: 1 if it is listed */
    double *unit;     /* [n] what counts as large for a variable, in its own unit */
    double *least;    /* [n] values count as this much at least when terms are judged */
    double *length;   /* [size of the tape] work space */
    double *terms;    /* [n] sizes of the terms of equations */
    double *residual; /* [rows] */
    double *shift;    /* [rows] is taken off the residuals: 0 except in a homotopy */
    double *scale;    /* [rows] size of the terms of a row */
    double *step;     /* [columns] */
    double *saved;    /* [columns] */
    double *force;    /* [columns] the largest that its rows could balance */
    double *largest;  /* [columns] entries */
    bool straight;    /* the first step of taut_stage_solve did it: as good as linear */
    int entries;      /* of the rows' Jacobian: */
    int *entry_row, *entry_column;
    double *entry;
} taut_stage;

/* How an attempt to satisfy a stage ended. */
typedef enum taut_outcome {
    TAUT_MET,
    TAUT_UNMET,    /* the residuals stay */
    TAUT_NO_VALUE, /* something is not finite at the guess */
    TAUT_KINK      /* a derivative is not finite */
} taut_outcome;

/* Below this, relative to the terms of an equation, a residual is rounding. */
#define TAUT_RESIDUAL_LIMIT 1e-11

/* Which conditions that need not hold take part as well: listed angles, or all that are listed. */
typedef enum taut_guesses { TAUT_NO_GUESSES, TAUT_GUESSED_ANGLES, TAUT_ALL_GUESSES } taut_guesses;
/* Release the arena in any case. */
taut_status taut_stage_create(const taut_finder *finder, int s, taut_guesses guesses,
                              taut_stage *g);
/* The order of the derivative that column q stands for. */
int taut_stage_order(const taut_stage *g, int q);
/* Reads the unknowns into z (columns), and sets them. */
void taut_stage_get(const taut_stage *g, double *z);
void taut_stage_set(taut_stage *g, const double *z);

/* The residuals at the series' point; false if one is not finite. */
bool taut_stage_evaluate(taut_stage *g);
/* After taut_stage_evaluate: the rows' Jacobian and scales. False if an entry is not finite; *bad
 * is its row. */
bool taut_stage_linearize(taut_stage *g, int *bad);
/* The largest residual relative to its scale; and the square root of the sum of squares. */
double taut_stage_misfit(const taut_stage *g);
double taut_stage_misfit_norm(const taut_stage *g);
/* step = the correction of least weighted norm; least squares if the rows contradict each other. */
taut_status taut_stage_step(taut_stage *g);

/* Damped Gauss-Newton from the series' point, to rounding. *bad: the row, if there is a kink. */
taut_status taut_stage_solve(taut_stage *g, taut_outcome *outcome, int *bad);
/* Goes to a point of least squares of conditions that cannot be met: the residuals there tell which
 * of them contradict each other. */
taut_status taut_stage_compromise(taut_stage *g);
/* Are all conditions with a side on the right one? The stage has been evaluated. */
bool taut_stage_right_side(const taut_stage *g);
/* Turns conditions with a side to the right one, without regard to the other rows: where an angle
 * is off by more than pi/2, Gauss-Newton would lead to the angle beyond by pi. */
taut_status taut_stage_turn(taut_stage *g);
/* A few steps of least squares with the unlisted unknowns only, so that what is listed stays as it
 * is; back to the start if that is not *enough. */
taut_status taut_stage_fill(taut_stage *g, bool *enough);
/* Values that are only guesses but not unknowns (angles, dependent points) pull the unknowns
 * towards them: first those alone that have no value, and if that is not enough, all. For a stage
 * created with guesses. */
taut_status taut_stage_follow(taut_stage *g);

#endif
