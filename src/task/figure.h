/* Results of a run: the text "max(Ay)" as data. */
#ifndef TAUT_TASK_FIGURE_H
#define TAUT_TASK_FIGURE_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"
#include "taut/study.h"

typedef enum taut_figure_kind {
    TAUT_FIGURE_MAX,
    TAUT_FIGURE_MIN,
    TAUT_FIGURE_RANGE,
    TAUT_FIGURE_MEAN,
    TAUT_FIGURE_RMS,
    TAUT_FIGURE_END,
    TAUT_FIGURE_AT, /* so far of a column of the run */
    TAUT_FIGURE_FIRST,
    TAUT_FIGURE_COUNT, /* of an event */
    TAUT_FIGURE_REST,  /* of a column at an equilibrium */
    TAUT_FIGURE_EIGEN  /* of the linearisation at the start */
} taut_figure_kind;

typedef struct taut_figure {
    const char *name; /* of its column in the table */
    taut_figure_kind kind;
    const char *column; /* of the run, or of the equilibrium; the event; NULL: EIGEN */
    double time;        /* of AT */
    int eigenvalue;     /* of EIGEN: its number, from 0; by real, then imaginary part, ascending */
    bool imaginary;
    bool may_lack; /* a run without a value of it is ok: NaN */
} taut_figure;

/* Reads a result; texts in arena. */
taut_status taut_figure_read(const taut_report *report, taut_arena *arena, taut_figure *figure,
                             taut_errors *errors);

/* The length of the result that a text begins with, "max(Ax)" of "max(Ax) - 3"; 0: none. max and
 * min of several arguments are functions. */
size_t taut_figure_length(const char *text);
/* Is it found while the run goes on, from one of its columns? */
bool taut_figure_is_of_run(const taut_figure *figure);
/* Is it of a run at all, or of the model alone? */
bool taut_figure_needs_run(const taut_figure *figure);

/* Columns of a run go up to the highest derivative that results ask for. */
void taut_figures_ask(const taut_figure *figure, int count, taut_run_options *run);

#endif
