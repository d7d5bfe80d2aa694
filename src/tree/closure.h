/* Loop closure: M^-1 G^T by the articulated-body recursion, and the Lagrange multipliers of the
 * cut joints. A constraint involves the subtrees of its bodies; work is done there only
 * (docs/math/relative.md). */
#ifndef TAUT_TREE_CLOSURE_H
#define TAUT_TREE_CLOSURE_H

#include "tree/hinges.h"
#include "tree/multiplier.h"

/* Limbs first .. last hang on each other and on the ground only; their rates. */
typedef struct taut_part_of_tree {
    int first, last;
    int first_rate, rates;
} taut_part_of_tree;

typedef struct taut_closure {
    const taut_law *law;
    const int *which; /* [conditions] those of the law that it has */
    int conditions;
    taut_recursion *tree;
    taut_part_of_tree *part; /* [parts] */
    int parts;
    int *touched, *touched_start; /* parts of condition i: touched[touched_start[i]] ... */
    int *hinge, *hinge_start;     /* hinges of condition i, likewise */
    int *near, *near_start;       /* conditions up to i that touch a part of i */
    int *low;                     /* [conditions] the first rate of the parts of a condition, ... */
    size_t *start;                /* [conditions + 1] ... and where its numbers begin in: */
    double *row, *column;         /* G, and M^-1 G^T; 0 between parts */
    double *wide_row, *wide_column; /* [rates] one of these by itself; the row is 0 otherwise */
    double *lambda;                 /* [conditions] */
    int rates;
    taut_multiplier multiplier;
} taut_closure;

/* For the conditions which[0 .. conditions - 1] of the law; `which` must outlive it. */
taut_status taut_closure_create(const taut_hinges *hinges, taut_recursion *tree, const int *which,
                                int conditions, bool careful, taut_arena *arena,
                                taut_closure *loops);
/* The matrix and its factors, with entry[] the values of the law's entries and the recursion at the
 * place of the hinges. Second derivatives of unknowns are used as work space. */
void taut_closure_build(taut_closure *loops, taut_hinges *hinges, const double *entry);
/* The same with squares of weights (by rates) in the place of M^-1. */
void taut_closure_build_weighted(taut_closure *loops, taut_hinges *hinges, const double *entry,
                                 const double *square);
/* With what is open in lambda: solves for the multipliers, and takes what they do from the rates or
 * accelerations of the hinges. */
taut_status taut_closure_close(taut_closure *loops, double *rate);

/* Adds the forces of the multipliers to forces on the hinges. */
void taut_closure_push(const taut_closure *loops, const taut_hinges *hinges, double *force);

#endif
