/* What the search for the initial point, its plan and its messages share. Private to the room. */
#ifndef TAUT_SOLVE_CONSISTENT_PARTS_H
#define TAUT_SOLVE_CONSISTENT_PARTS_H

#include "solve/consistent.h"
#include "solve/stage.h"

struct taut_consistent_plan {
    taut_arena arena;
    taut_condition_row *condition; /* [conditions of the system] */
    taut_gradient *gradient;       /* heap */
    size_t gradients, gradient_room;
    taut_node *output; /* heap; [outputs] what the series evaluates for the conditions */
    size_t output_room;
    int outputs;
    int first_hint; /* outputs: those of the system's hints */
    taut_series_plan *series;
};

/* A given value, or the number that has taken its place. */
double taut_consistent_given(const taut_order *order, const taut_given *given);

/* consistent.c: a finder with the series that a plan asks for, the caller's if that will do (*own:
 * another one, to be freed); and the guesses, in this series. */
taut_status taut_consistent_choose_series(taut_finder *f, const taut_consistent_plan *plan,
                                          const taut_order *order, taut_series *series,
                                          taut_series **own);
taut_status taut_consistent_set_guesses(taut_finder *f, const taut_order *order);

/* consistent_report.c: what to say about an outcome; bad: the row of a kink. TAUT_OK if
 * all is met. */
taut_status taut_consistent_report(taut_stage *g, taut_outcome outcome, int bad);
taut_status taut_consistent_no_value(taut_stage *g);
/* Unlisted unknowns must follow from the listed ones: the columns of J that belong to them must be
 * independent. structural: with arbitrary numbers instead of J's values, which tells what is
 * missing even where the guesses are too poor for J to mean anything. */
taut_status taut_consistent_check_determined(const taut_finder *f, taut_stage *g, bool structural);

/* consistent_moves.c: lists what the search has found, all of it if it was asked for, otherwise
 * only if another assembly is nearly as near as the one that is taken. */
taut_status taut_consistent_list(const taut_stage *all, const double *size, bool asked,
                                 const taut_found_list *found, taut_arena *arena,
                                 taut_assemblies *list);
/* ... and the given values that the point in the series has not kept. */
taut_status taut_consistent_moves(const taut_finder *f, const taut_order *order, taut_moves *moves);

#endif
