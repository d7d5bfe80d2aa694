/* How far two runs of one model are apart. */
#ifndef TAUT_TASK_DIFFER_H
#define TAUT_TASK_DIFFER_H

#include "task/result.h"

/* Where two runs cannot be compared, because one is before an event and the other behind it: at
 * such a time the event is in both, at nearly the same time. Rows at the very time of an event may
 * be of either side as well. time [count] in the order of the runs. */
void taut_runs_straddle(const taut_result *a, const taut_result *b, const double *time, long count,
                        bool *straddles);

/* What runs are measured by: a result whose rows are at the same times as those of all others. */
typedef struct taut_yardstick {
    const taut_result *truth;
    double *scale;   /* [columns] of its values; 0: the column is zero, and not looked at */
    double *time;    /* [rows] */
    bool *straddles; /* [rows] work space: see taut_runs_straddle */
} taut_yardstick;
/* Memory from arena. */
taut_status taut_yardstick_make(const taut_result *truth, taut_arena *arena,
                                taut_yardstick *yardstick);

/* The largest difference of two runs, relative to the scales. */
typedef struct taut_gap {
    double error;       /* NaN: they have no row in common */
    const char *column; /* that has it, in the truth; NULL: none */
    double t;           /* and when */
} taut_gap;
/* Over all columns and all rows that both have. at [rows of the truth] is the largest of each row;
 * NaN where one of them has none. */
taut_gap taut_yardstick_gap(const taut_yardstick *yardstick, const taut_result *a,
                            const taut_result *b, double *at);
/* The first column of the truth that a does not have at its place; NULL: all are there. */
const char *taut_yardstick_misses(const taut_yardstick *yardstick, const taut_result *a);
/* Significant correct digits of the coordinates in the last row: -log10 of the largest error of a
 * coordinate relative to itself. Those that are zero have no relative error. NaN: a does not
 * reach the last row, or there are no coordinates. */
double taut_yardstick_scd(const taut_yardstick *yardstick, const taut_result *a);

#endif
