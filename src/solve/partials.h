/* The derivatives of the equations by everything they contain, along a motion: df_i/dx_j^(r) as
 * nodes, their values and time derivatives at a point. For methods that solve nonlinear systems. */
#ifndef TAUT_SOLVE_PARTIALS_H
#define TAUT_SOLVE_PARTIALS_H

#include "solve/series.h"

typedef struct taut_partial {
    int equation, variable, order; /* df_i/dx_j^(r): i, j, r */
} taut_partial;

typedef struct taut_partials {
    taut_series *series;   /* up to a last stage; output k is the k-th partial */
    taut_partial *partial; /* [count], by equation */
    int count;
} taut_partials;

/* The list alone: *partial, and their nodes in *node, [*count] each. Adds nodes to the system's
 * graph; memory from arena. TAUT_ERR_CALL: a derivative is of an order beyond TAUT_SWEEP_ORDERS. */
taut_status taut_partials_list(const taut_system *system, taut_arena *arena, taut_partial **partial,
                               taut_node **node, int *count);
/* The list and the series; memory from arena, except for the latter: taut_partials_release. */
taut_status taut_partials_create(const taut_system *system, const taut_structure *structure,
                                 int last_stage, taut_arena *arena, taut_partials *partials);
void taut_partials_release(taut_partials *partials);
/* See taut_series_set_numbers; nothing to do if there is no series yet. */
taut_status taut_partials_set_numbers(const taut_partials *partials, const double *parameter);

/* df_i/dp for the parameters p that an equation contains, everything else held. */
typedef struct taut_parameter_partial {
    int equation, parameter; /* i, index of p */
} taut_parameter_partial;

/* As taut_partials_list. Parameters that are 0 are among them only if the graph keeps them. The
 * nodes can be outputs of a series: their Taylor coefficients are those along the motion. */
taut_status taut_partials_by_parameters(const taut_system *system, taut_arena *arena,
                                        taut_parameter_partial **partial, taut_node **node,
                                        int *count);

/* One term of d(f_i^(level))/dx_j^(q) = sum over m of binomial(level, m)
 * (df_i/dx_j^(q-m))^(level-m): what partial k adds to q = its order + m. */
double taut_partials_term(const taut_partials *partials, int k, int level, int m);

#endif
