/* Plain values of nodes at a point, and first time derivatives of some of them: a tape, a jet and a
 * point program that belong together. */
#ifndef TAUT_EXPR_VALUES_H
#define TAUT_EXPR_VALUES_H

#include "expr/point.h"

typedef struct taut_values {
    taut_tape *tape;
    taut_jet *jet;
    taut_point *point;
    int *variable; /* [variables] slots; -1: nothing depends on it */
    int *moving;   /* [movings] slots */
    int variables, last_stage;
} taut_values;

/* What is to be found: values of target[], values and first derivatives of moving[]. */
typedef struct taut_values_wanted {
    const taut_node *target; /* [targets] */
    size_t targets;
    const taut_node *moving; /* [movings] */
    size_t movings;
} taut_values_wanted;
/* d[j] is the highest derivative of
 * variable j that anything may contain (moving[]: d[j] - 1). Memory from arena. */
taut_status taut_values_create(taut_graph *graph, const int *d, int variables,
                               taut_values_wanted wanted, taut_arena *arena, taut_values *values);
/* A second one with the program of another, which must outlive it: see taut_jet_copy. */
taut_status taut_values_copy(const taut_values *like, taut_arena *arena, taut_values *values);
/* From now on with these values of the parameters: see taut_jet_set_numbers. */
taut_status taut_values_set_numbers(taut_values *values, const double *parameter);
/* Sets x_j^(k), k <= d_j, k at most 2. */
void taut_values_set(taut_values *values, int j, int k, double value);
/* Finds everything at time t; target may be NULL. */
void taut_values_find(taut_values *values, double t, double *target);
/* The value of moving[i] and its first derivative, after that. */
double taut_values_value(const taut_values *values, int i);
double taut_values_rate(const taut_values *values, int i);

#endif
