/* Watched nodes: expressions whose course over a step somebody wants to know (an event's function),
 * as polynomials, without their taking part in the steps.
 *
 * They have a tape of their own, which is fed with the coefficients that the stepper has found for
 * the variables. On the stepper's own tape they would change how sums are put together, and with
 * that the last bits of the steps. */
#ifndef TAUT_SOLVE_WATCHED_H
#define TAUT_SOLVE_WATCHED_H

#include "solve/stepper.h"

/* g(begin + theta (end - begin)) = sum of c[k] theta^k, 0 <= theta <= 1. */
typedef struct taut_course {
    int order;
    double *c; /* [order + 1] */
} taut_course;

typedef struct taut_watched {
    const taut_system *system;
    const taut_structure *structure;
    taut_arena arena;
    taut_tape *tape;
    taut_jet *jet;
    int count;            /* of nodes */
    int *slot;            /* [count] */
    int *variable;        /* [n] slots of the variables; -1: not needed */
    bool plain;           /* they are variables, all of them: nothing is to be computed */
    int most;             /* stages that the jet can take */
    taut_course *course;  /* [count] over the last step */
    double begin, end;    /* of that step */
    double *left, *right; /* [2 * (orders)] work space */
} taut_watched;

/* Prepares to watch nodes of the system's graph along steps of a method of this order, at most. */
taut_status taut_watched_create(const taut_system *system, const taut_structure *structure,
                                const taut_node *node, int count, int order,
                                taut_watched **watched);
void taut_watched_free(taut_watched **watched);
/* From now on with these values of the parameters: see taut_series_set_numbers. */
taut_status taut_watched_set_numbers(taut_watched *watched, const double *parameter);
/* After a step: the course of all nodes over it. False: the method has no expansions, or the step
 * has passed a singular position, where they do not reach to its end; values at times remain. */
bool taut_watched_follow(taut_watched *watched, const taut_stepper *stepper);
/* The values of all nodes (count) at a time inside the last step, from the method's interpolation
 * of the variables, by any method. Multipliers are interpolated by taylor and ho only; nodes that
 * contain them want stage 0 solved at that time (task/observe). */
void taut_watched_look(taut_watched *watched, const taut_stepper *stepper, double time,
                       double *value);

/* The k-th derivative by theta of a course. */
double taut_course_value(const taut_course *course, int k, double theta);

#endif
