/* Numbers that depend on parameters, as a straight-line program over doubles.
 *
 * While a tape or a point program is compiled, time-invariant (steady) coefficients are folded into
 * numbers. Every such number has an *origin* beside its value: 0 if no parameter is involved,
 * otherwise the step of this program that finds it. For other values of the parameters the program
 * is run again, and the results are written where the old ones were: no symbolic work, the same
 * operations in the same order, so the same bits as if everything had been made anew.
 *
 * Decisions that the values led to are recorded as checks: a term that cancelled and was left out,
 * sums that are proportional. If one fails, the program is invalid for these values and another one
 * has to be compiled. Not to cancel, or not to be proportional, is no decision: more terms than
 * necessary are never wrong. The assumptions of the graph (expr/graph.h) are checked as well. */
#ifndef TAUT_EXPR_NUMBERS_H
#define TAUT_EXPR_NUMBERS_H

#include "core/arena.h"
#include "expr/graph.h"

typedef struct taut_numbers taut_numbers;

/* An empty program for numbers of a graph, which must outlive it. Memory from arena, also later.
 * NULL if parameters are not to change (taut_graph_follow): NULL is a program without numbers for
 * every function here, all origins are then 0. */
taut_status taut_numbers_create(const taut_graph *graph, taut_arena *arena, taut_numbers **numbers);

/* ---- recording; constant afterwards. Without memory they return 0, and taut_numbers_finish says
 * so ---- */

/* The origin of a steady node's value. */
int taut_numbers_find(taut_numbers *numbers, taut_node node);
static inline int taut_numbers_node(taut_numbers *numbers, taut_node node) {
    return numbers ? taut_numbers_find(numbers, node) : 0;
}
/* What two numbers can be combined by. */
typedef enum taut_number_step {
    TAUT_NUMBER_PRODUCT,
    TAUT_NUMBER_QUOTIENT,
    TAUT_NUMBER_SUM,
    TAUT_NUMBER_SUM_OR_ZERO /* 0 where they cancel but for rounding: see taut_sum_or_zero */
} taut_number_step;
int taut_numbers_combine(taut_numbers *numbers, taut_number_step kind, double x, int from_x,
                         double y, int from_y);
/* The origin of x y, x / y, x + y, from values and origins. Most numbers are plain. */
static inline int taut_numbers_product(taut_numbers *numbers, double x, int from_x, double y,
                                       int from_y) {
    if (!(from_x | from_y)) return 0;
    return taut_numbers_combine(numbers, TAUT_NUMBER_PRODUCT, x, from_x, y, from_y);
}
static inline int taut_numbers_quotient(taut_numbers *numbers, double x, int from_x, double y,
                                        int from_y) {
    if (!(from_x | from_y)) return 0;
    return taut_numbers_combine(numbers, TAUT_NUMBER_QUOTIENT, x, from_x, y, from_y);
}
static inline int taut_numbers_sum(taut_numbers *numbers, double x, int from_x, double y,
                                   int from_y) {
    if (!(from_x | from_y)) return 0;
    return taut_numbers_combine(numbers, TAUT_NUMBER_SUM, x, from_x, y, from_y);
}
static inline int taut_numbers_sum_or_zero(taut_numbers *numbers, double x, int from_x, double y,
                                           int from_y) {
    if (!(from_x | from_y)) return 0;
    return taut_numbers_combine(numbers, TAUT_NUMBER_SUM_OR_ZERO, x, from_x, y, from_y);
}
/* x + y, or 0 where only rounding is left of them. */
double taut_sum_or_zero(double x, double y);
/* Does it contain a parameter that is kept? Then nothing may be left out where it is 0. */
bool taut_origin_is_held(const taut_numbers *numbers, int origin);
static inline bool taut_numbers_is_held(const taut_numbers *numbers, int origin) {
    return origin && taut_origin_is_held(numbers, origin);
}
/* Decisions: a number was 0 (nothing to do for a plain one); a : b was c : d, values and origins.
 */
void taut_numbers_expect_zero(taut_numbers *numbers, int origin);
void taut_numbers_expect_ratio(taut_numbers *numbers, const double *x, const int *origin);
/* Takes over the assumptions of the graph. TAUT_ERR_MEMORY if anything above failed. */
taut_status taut_numbers_finish(taut_numbers *numbers);
/* Instead, where what they were recorded for has failed: releases work space. NULL and what is
 * finished is left alone. */
void taut_numbers_abandon(taut_numbers *numbers);

/* ---- use ---- */

/* How many values there are: those by origin, which is below this. */
int taut_numbers_count(const taut_numbers *numbers);
/* Values by origin for an instance of the program to run on, those that it was made with; among
 * them are numbers that no run writes. Memory from arena, NULL without. */
double *taut_numbers_instance(const taut_numbers *numbers, taut_arena *arena);
/* Step `origin` (1 .. count - 1) as it is, for those who write it down. */
typedef enum taut_number_kind {
    TAUT_NUMBER_COMBINED,  /* by a taut_number_step */
    TAUT_NUMBER_PARAMETER, /* a is its index */
    TAUT_NUMBER_OPERATION, /* of the graph */
    TAUT_NUMBER_FIXED      /* a number that nothing changes */
} taut_number_kind;
typedef struct taut_number_row {
    taut_number_kind kind;
    taut_number_step step; /* COMBINED */
    taut_op op;            /* OPERATION */
    int a, b;              /* origins */
    double value;
} taut_number_row;
taut_number_row taut_numbers_row(const taut_numbers *numbers, int origin);
/* The decisions as they are, likewise: i < checks. */
typedef enum taut_number_check_kind {
    TAUT_CHECK_ZERO,       /* it is 0 */
    TAUT_CHECK_NONZERO,    /* it is not 0, and finite */
    TAUT_CHECK_RATIO,      /* a : b is c : d, but for rounding */
    TAUT_CHECK_ASSUMPTION, /* one of the graph's */
} taut_number_check_kind;
typedef struct taut_number_check {
    taut_number_check_kind kind;
    int origin[4], origins; /* what it is about, and how many these are */
    taut_assumption assumption;
} taut_number_check;
int taut_numbers_checks(const taut_numbers *numbers);
taut_number_check taut_numbers_check_at(const taut_numbers *numbers, int i);
/* Finds value[] for these parameters. False: a check fails, something is not finite that was, or
 * there is no program. */
bool taut_numbers_run(const taut_numbers *numbers, const double *parameter, double *value);

#endif
