/* Plain values of nodes at the expansion point of a jet: the entries of J. */
#ifndef TAUT_EXPR_POINT_H
#define TAUT_EXPR_POINT_H

#include "expr/jet.h"

typedef struct taut_point taut_point;

/* A program for the values of target[]. Variables and derivatives in the targets must be on the
 * tape (taut_plain_leaves); whatever else is on the tape is read from it. Memory from arena. */
taut_status taut_point_create(const taut_tape *tape, const taut_node *target, size_t count,
                              taut_arena *arena, taut_point **point);
/* A second one with the program of another, which must outlive it: see taut_jet_copy. */
taut_status taut_point_copy(const taut_point *like, taut_arena *arena, taut_point **point);
/* From now on with these values of the parameters: see taut_jet_set_numbers. */
taut_status taut_point_set_numbers(taut_point *point, const double *parameter);
/* The last stage whose values the program reads; at least the first one of the tape. */
int taut_point_stage(const taut_point *point, const taut_tape *tape);
int taut_point_operations(const taut_point *point);
/* value[i] of target[i], from order 0 of the jet's series. */
void taut_point_eval(taut_point *point, const taut_jet *jet, double *result);

#endif
