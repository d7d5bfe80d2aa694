/* The table that a run produces, and how the run went. */
#ifndef TAUT_TASK_RESULT_H
#define TAUT_TASK_RESULT_H

#include <stddef.h>

#include "core/arena.h"
#include "core/text.h"
#include "taut/taut.h"

struct taut_result {
    taut_arena arena;  /* names */
    int columns;       /* with t */
    const char **name; /* [columns] */
    double *value;     /* [rows * columns] by rows */
    long rows;
    size_t room;
    taut_run_stats stats;
    taut_string moves;      /* initial values that had to change */
    taut_string assemblies; /* among which the initial values chose */
    taut_string redundant;  /* constraints that were left out */
    taut_string not_unique; /* reactions: see stats */
};

/* An empty table of `columns` columns; names are to be filled in. */
taut_status taut_result_create(int columns, taut_result **result);
/* One more row, to be filled in; NULL without memory. */
double *taut_result_add_row(taut_result *result);

#endif
