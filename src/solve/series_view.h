/* Outputs of a series on a tape of their own, which are evaluated when somebody asks for them, from
 * the coefficients that the series has for its variables: the equations are the same whatever
 * outputs there are, and whoever steps does not carry them along. */
#ifndef TAUT_SOLVE_SERIES_VIEW_H
#define TAUT_SOLVE_SERIES_VIEW_H

#include "expr/jet.h"

typedef struct taut_series_view {
    const taut_tape *tape;
    taut_jet *jet;
    const int *d;      /* [n] offsets of the variables */
    int n;             /* variables of the system */
    const int *input;  /* [n] slots of the variables; -1: no output contains it */
    const int *output; /* [outputs] slots */
    int stage;         /* evaluated up to this one; TAUT_NO_STAGE: not yet at this point */
    struct taut_sight
        *sight; /* compiled code for it (solve/straight_sight.h); NULL: there is none */
} taut_series_view;

/* Stages up to last_stage of outputs, and at least order 0 of all of them; may add nodes to the
 * graph. All memory from arena. */
taut_status taut_series_view_create(taut_graph *graph, const int *d, int n, int last_stage,
                                    const taut_node *output, int outputs, taut_arena *arena,
                                    taut_series_view **view);
/* A second one with the program of another, see taut_jet_copy. */
taut_status taut_series_view_copy(const taut_series_view *like, taut_arena *arena,
                                  taut_series_view **view);
/* Evaluates what is missing up to a stage, by variables (n slots) of another jet, which has their
 * orders stage + d_j. */
void taut_series_view_reach(taut_series_view *view, int stage, const taut_jet *from,
                            const int *variable);

#endif
