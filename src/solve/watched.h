/* Watched nodes: expressions whose course over a step somebody wants to know (an event's function),
 * as polynomials, without their taking part in the steps.
 *
 * They have a tape of their own, which is fed with the coefficients that the stepper has found for
 * the variables. On the stepper's own tape they would change how sums are put together, and with
 * that the last bits of the steps. */
#ifndef TAUT_SOLVE_WATCHED_H
#define TAUT_SOLVE_WATCHED_H

#include "expr/interval.h"
#include "solve/stepper.h"

/* g(begin + theta (end - begin)) = sum of c[k] theta^k, 0 <= theta <= 1. */
typedef struct taut_course {
    int order;
    double *c; /* [order + 1] */
} taut_course;

/* Where the course of a node may leave the node's values, although those of the unknowns are right:
 * which looks inside a part of a step it takes to see that. */
typedef enum taut_watched_kind {
    TAUT_WATCHED_LINEAR, /* nowhere: the node is linear in the unknowns */
    TAUT_WATCHED_SMOOTH, /* towards the end of the part: a few looks */
    TAUT_WATCHED_HIDING  /* anywhere: as many as for features (docs/math/features.md) */
} taut_watched_kind;

typedef struct taut_watched {
    const taut_system *system;
    const taut_structure *structure;
    taut_arena arena;
    taut_tape *tape;
    taut_jet *jet;
    int count;            /* of nodes that are watched, ... */
    int nodes;            /* ... and of those whose derivatives they contain, behind them */
    int *slot;            /* [nodes] */
    int *variable;        /* [n] slots of the variables; -1: not needed */
    bool plain;           /* they are variables, all of them: nothing is to be computed */
    int most;             /* stages that the jet can take */
    taut_course *course;  /* [nodes] over the present part of the last step */
    double begin, end;    /* of that part */
    double *left, *right; /* [2 * (orders)] work space */
    bool unresolved;      /* it is as short as parts can be: at a branch point, a pole, an edge */
    bool *idle;           /* [nodes] set by the owner: nobody asks for the course of this one now */
    int *derivative;      /* [nodes] likewise: the highest that somebody asks for */
    /* looks (watched_reach.c) */
    taut_watched_kind *kind; /* [nodes] */
    taut_watched_kind most_kind;
    taut_sample sample; /* values of the nodes */
    int *source;        /* [inputs of sample] the node whose derivative it is; -1: a variable's */
    double tolerance;   /* so far off a course may be, as a part of the node's largest value */
    double rate;        /* looks a unit of time */
    unsigned first;     /* where their places begin: elsewhere for another tolerance */
    double *size;       /* [nodes] largest value in the part so far, of the derivative asked for */
    double *noise;      /* [nodes] below this the course has no sign */
    double *error; /* [size of the sample's program] rounding, in units of the last place, ... */
    int rounded;   /* ... at this place of the looks; -1: at none yet */
    taut_interval *work; /* [size of the sample's program] */
    /* the last step */
    const taut_stepper *stepper;
    taut_expansion from, to; /* its ends; to.c NULL: the method knows one of them */
    int stages;              /* of the present part */
    int part, parts;         /* by methods without expansions: equal ones */
} taut_watched;

typedef struct taut_watching {
    const taut_node *node; /* [count] of the system's graph */
    int count;
    int order;   /* of the method, at most */
    double tol;  /* of the run */
    double span; /* of the whole run; 0, or infinite: it has no end */
} taut_watching;

/* Prepares to watch nodes along steps. */
taut_status taut_watched_create(const taut_system *system, const taut_structure *structure,
                                const taut_watching *wanted, taut_watched **watched);
void taut_watched_free(taut_watched **watched);
/* From now on with these values of the parameters: see taut_series_set_numbers. */
taut_status taut_watched_set_numbers(taut_watched *watched, const double *parameter);
/* After a step: the course of all nodes over it, or over its first part, if they do not hold to its
 * end. False: the method has no expansions, or the step has passed a singular position, where they
 * do not reach to its end; values at times remain. */
bool taut_watched_follow(taut_watched *watched, const taut_stepper *stepper);
/* The courses over the next part of the same step; false: there is none. */
bool taut_watched_go_on(taut_watched *watched);
/* For methods without expansions: divides the last step into equal parts, so many that `looks`
 * looks in each see what may hide; the first of them is the present one. */
void taut_watched_divide(taut_watched *watched, const taut_stepper *stepper, int looks);
/* The next of these; false: there is none. */
bool taut_watched_next(taut_watched *watched);
/* In a part that is not resolved: the sign that node i has at its end, and, if that is not `side`,
 * the place where it changes, as a part of the part. */
int taut_watched_change(taut_watched *watched, int i, int side, double *theta);
/* How large the rounding of node i is in the present part, by the sizes of the terms that cancel in
 * it. */
double taut_watched_rounding(taut_watched *watched, int i);
/* The values of all nodes (count) at a time inside the last step, from the method's interpolation
 * of the variables, by any method. Multipliers are interpolated by taylor and ho only; nodes that
 * contain them want stage 0 solved at that time (task/observe). */
void taut_watched_look(taut_watched *watched, const taut_stepper *stepper, double time,
                       double *value);

/* The k-th derivative by theta of a course. */
double taut_course_value(const taut_course *course, int k, double theta);

#endif
