/* What closes the loops of a law: M^-1 G^T by the recursion, and multipliers. Conditions touch the
 * parts of the tree that their bodies hang in; work is done there only (docs/math/relative.md). */
#ifndef TAUT_FORM_LOOPS_H
#define TAUT_FORM_LOOPS_H

#include "form/hinges.h"
#include "form/multiplier.h"

/* Limbs first .. last hang on each other and on the ground only; their rates. */
typedef struct taut_part_of_tree {
    int first, last;
    int first_rate, rates;
} taut_part_of_tree;

typedef struct taut_loops {
    const taut_law *law;
    const int *which; /* [conditions] those of the law that it has */
    int conditions;
    taut_recursion *tree;
    taut_part_of_tree *part; /* [parts] */
    int parts;
    int *touched, *touched_start; /* parts of condition i: touched[touched_start[i]] ... */
    int *hinge, *hinge_start;     /* hinges of condition i, likewise */
    int *near, *near_start;       /* conditions up to i that touch a part of i */
    double *row, *column; /* [conditions * rates] G, and M^-1 G^T; outside of parts unused */
    double *lambda;       /* [conditions] */
    int rates;
    taut_multiplier multiplier;
} taut_loops;

/* For the conditions which[0 .. conditions - 1] of the law; `which` must outlive it. */
taut_status taut_loops_create(const taut_hinges *hinges, taut_recursion *tree, const int *which,
                              int conditions, bool careful, taut_arena *arena, taut_loops *loops);
/* The matrix and its factors, with entry[] the values of the law's entries and the recursion at the
 * place of the hinges. Second derivatives of unknowns are used as work space. */
void taut_loops_build(taut_loops *loops, taut_hinges *hinges, const double *entry);
/* The same with squares of weights (by rates) in the place of M^-1. */
void taut_loops_build_weighted(taut_loops *loops, taut_hinges *hinges, const double *entry,
                               const double *square);
/* With what is open in lambda: solves for the multipliers, and takes what they do from the rates or
 * accelerations of the hinges. */
taut_status taut_loops_close(taut_loops *loops, double *rate);

/* Adds the forces of the multipliers to forces on the hinges. */
void taut_loops_push(const taut_loops *loops, const taut_hinges *hinges, double *force);

#endif
