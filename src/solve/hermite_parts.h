/* What the parts of the stepper for stiff problems share: its data, and what one part does for the
 * others. Private to solve/hermite*.c. */
#ifndef TAUT_SOLVE_HERMITE_PARTS_H
#define TAUT_SOLVE_HERMITE_PARTS_H

#include "solve/lifted.h"
#include "solve/stepper.h"
#include "solve/trouble.h"
#include "solve/twopoint.h"
#include "solve/twoview.h"
#include "solve/weights.h"

enum { TAUT_HERMITE_LOW = 2 };  /* the lowest pair that a run with variable order goes down to */
#define TAUT_HERMITE_INNER 0.05 /* errors are kept below this part of the tolerance */

typedef struct taut_hermite_stepper {
    taut_stepper base;
    const taut_system *system;
    const taut_structure *structure;
    taut_arena arena;
    taut_stepping options;
    taut_lifted *lifted;
    taut_weights weights;
    double **known; /* [n] coefficients at base.t, scaled with known_h */
    double **left;  /* [n] those at base.begin, scaled with poly_h: a part of poly */
    double known_h;
    int known_stages;    /* known[j] has known_stages + d_j coefficients */
    double *allowed;     /* [states] errors of a step */
    double *largest;     /* [groups] of the values at its end */
    double *value;       /* [states] work space ... */
    double *misfit;      /* [states] ... likewise */
    taut_twopoint *poly; /* [n] the last step, scaled with poly_h */
    double poly_h;
    taut_twoview view;     /* features between the ends of a step */
    taut_twopoint *motion; /* [n] the attempted step, for it; NULL: there is nothing to look for */
    double **reached;      /* [n] coefficients at its end, likewise */
    double *rounding;      /* [n] of the equations at the start, likewise, ... */
    double *noise, *size;  /* [n], [tape size] ... and work space */
    double good;           /* up to where an attempt saw all that there is */
    int left_stages;       /* of poly, beyond stage 0 */
    int p;                 /* the pair is (p, p + 1), ... */
    int most_p;            /* ... p at most this, which belongs to the tolerance */
    double tend, h;        /* h: to try next */
    double rate;           /* at which Newton converged last */
    double error;          /* of the last attempt, in units of what is allowed */
    double lower;          /* the same for the pair below */
    double ideal_before;   /* the step before should have been so long; 0: there is none */
    double trend;          /* how much longer that was than the one before it */
    bool quiet;            /* its error was rounding rather than the formula's */
    bool varies;           /* the pair may change */
    bool looks;            /* the next step tells how others would do */
    int waited;            /* steps since the last time */
    bool projects;         /* there are constraints on the state */
    double rcond;
    taut_trouble trouble;
    int worst; /* the state with the largest error */
    taut_stepper_stats stats;
} taut_hermite_stepper;

/* ---- solve/hermite_attempt.c: one attempt of a step ---- */

/* The states at base.t to s->value. */
void taut_hermite_read_states(taut_hermite_stepper *s);
/* A step of length h, with its sign, in the unknowns: s->trouble and s->error say what came of it.
 */
taut_status taut_hermite_attempt(taut_hermite_stepper *s, double h);
/* Looks for features between the ends of an attempt that went well. */
void taut_hermite_look_inside(taut_hermite_stepper *s, double t);
/* Corrects the states to satisfy the constraints of all levels; everything beyond them stays. */
taut_status taut_hermite_project(taut_hermite_stepper *s);

/* ---- solve/hermite_length.c: lengths, > 0, and orders ---- */

double taut_hermite_first_step(taut_hermite_stepper *s);
/* The length to try now. */
double taut_hermite_length_to_try(const taut_hermite_stepper *s);
/* How much shorter the next attempt should be. */
double taut_hermite_retreat(const taut_hermite_stepper *s);
/* After a step of length h: the pair and the length of the next one. */
void taut_hermite_choose_pair(taut_hermite_stepper *s);
double taut_hermite_next_length(taut_hermite_stepper *s, double h);

#endif
