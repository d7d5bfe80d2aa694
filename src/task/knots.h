/* The motion between the rows of a page: times at which points and vectors are kept with their
 * rates, close enough that cubics between them (Hermite's) show every body in its true shape. */
#ifndef TAUT_TASK_KNOTS_H
#define TAUT_TASK_KNOTS_H

#include "core/arena.h"
#include "core/status.h"
#include "taut/taut.h"

/* {0} is empty. */
typedef struct taut_knots {
    taut_arena arena;
    int columns;  /* that move */
    int *column;  /* [columns] numbers in a row; that of the rate is one more */
    double *time; /* [knots] */
    float *value; /* [knots * columns * 2] value and rate, knot by knot */
    double
        *allowed; /* [columns] distance of what is shown from the motion, as far as it has gone */
    long knots;
    size_t time_room, value_room;
    double until;   /* as far as there was room; NAN: to the end */
    double longest; /* time from a knot to the next */
    size_t most;    /* bytes in a page */

    /* while they are found */
    double *size;       /* [columns] least distance in a body, 1 of directions; HUGE_VAL: unknown */
    double *low, *high; /* [columns] how far each has been */
    int width;          /* of a row */
    double *row; /* [(1 + WAITING + DEPTH) * width] the last knot, what waits behind it, room */
    int waiting; /* rows that may still be left out, or become the next knot */
} taut_knots;

/* Takes the columns of points and vectors of a mechanism. Nothing is kept if there are none, or if
 * rows have no rates. The simulation has started. */
taut_status taut_knots_begin(taut_knots *knots, taut_simulation *simulation,
                             const taut_result *result, size_t most);
/* Keeps what is needed of the last step. */
taut_status taut_knots_step(taut_knots *knots, taut_simulation *simulation);
/* The run is over. */
taut_status taut_knots_finish(taut_knots *knots);
/* Bytes in a page of a knot, at least: values are packed where that does no harm. */
static inline size_t taut_knot_bytes(int columns) { return 8 + 4 * (size_t)columns; }
void taut_knots_release(taut_knots *knots);

#endif
