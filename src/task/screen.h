/* Rows for a screen: equidistant ones, and ends of steps in between, which are close together where
 * much happens. Their number depends on the number of columns, not on the length of the run. */
#ifndef TAUT_TASK_SCREEN_H
#define TAUT_TASK_SCREEN_H

#include "task/result.h"

typedef struct taut_screen {
    long grid;    /* equidistant rows */
    bool *extra;  /* [rows] is this row of the table only the end of a step? */
    size_t room;  /* of extra */
    long extras;  /* how many there are */
    long stride;  /* every so many steps one is kept */
    long counted; /* steps since the last one that was kept */
} taut_screen;

taut_screen taut_screen_begin(int columns);
/* Bytes that are left for the motion between rows in a page below 3 MB. */
size_t taut_screen_left(const taut_screen *screen, int columns);
void taut_screen_release(taut_screen *screen);
/* Tells of a step; is its end to be a row? */
bool taut_screen_wants_step(taut_screen *screen);
/* Tells that the last row of the table is new, and whether it is only the end of a step. Takes
 * every second end of a step out of the table when there are too many. */
taut_status taut_screen_added(taut_screen *screen, taut_result *result, bool extra);

#endif
