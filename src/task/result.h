/* The table that a run produces, and how the run went. */
#ifndef TAUT_TASK_RESULT_H
#define TAUT_TASK_RESULT_H

#include <stddef.h>

#include "core/arena.h"
#include "core/text.h"
#include "task/describe.h"
#include "task/knots.h"
#include "task/notebook.h"
#include "task/observe.h"
#include "task/trace.h"
#include "taut/taut.h"

struct taut_result {
    taut_arena arena;       /* names */
    int columns;            /* with t */
    const char **name;      /* [columns] */
    taut_column_role *role; /* [columns] */
    double *value;          /* [rows * columns] by rows */
    int *shown; /* [shown_count] the columns that files have (task/selection); NULL: all of them */
    int shown_count;
    long rows;
    size_t room;
    taut_run_stats stats;
    taut_string moves;             /* initial values that had to change */
    taut_string assemblies;        /* among which the initial values chose */
    taut_string redundant;         /* constraints that were left out */
    taut_string switched;          /* when the method changed */
    taut_notebook notebook;        /* the same as data */
    taut_string not_unique;        /* reactions: see stats */
    double largest_kinetic;        /* energy at the steps; 0: not known */
    taut_certificate *certificate; /* NULL: there is none */

    /* rows for a screen: what a page shows beside them */
    bool body_axes; /* reactions are along the axes of bodies */
    bool attempt;   /* one row: where the parts of a mechanism that cannot be assembled came to */
    taut_description description;
    taut_trace trace;
    taut_knots knots; /* the motion between rows */
};

/* An empty table of `columns` columns; what they are is to be filled in ... */
taut_status taut_result_create(int columns, taut_result **result);
/* ... by hand, or from the observer that fills the table. */
taut_status taut_result_label(taut_result *result, const taut_observer *observer);
/* One more row, to be filled in; NULL without memory. */
double *taut_result_add_row(taut_result *result);

#endif
