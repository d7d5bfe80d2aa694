/* Results of a run: the text "max(Ay)" as data. */
#ifndef TAUT_TASK_FIGURE_H
#define TAUT_TASK_FIGURE_H

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
    TAUT_FIGURE_AT
} taut_figure_kind;

typedef struct taut_figure {
    const char *name; /* of its column in the table */
    taut_figure_kind kind;
    const char *column; /* of the run */
    double time;        /* of AT */
} taut_figure;

/* Reads a result; texts in arena. */
taut_status taut_figure_read(const taut_report *report, taut_arena *arena, taut_figure *figure,
                             taut_errors *errors);

#endif
