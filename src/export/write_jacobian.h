/* What straight lines and loops of the elimination have in common. Private to
 * export/write_jacobian.c and export/write_loops.c. */
#ifndef TAUT_EXPORT_WRITE_JACOBIAN_H
#define TAUT_EXPORT_WRITE_JACOBIAN_H

#include "export/pen.h"

/* [n] when a row and a column are pivots. */
typedef struct taut_pivot_order {
    int *row, *column;
} taut_pivot_order;

/* Is a slot computed for the Jacobian alone? */
bool taut_jacobian_is_local(const taut_code *code, int slot);
/* The line that computes such a slot. */
void taut_write_local(taut_pen *pen, int slot);
/* Reflections of what has no fixed pivots. */
void taut_write_core(taut_pen *pen);
/* Functions for a pivot and for a multiplier below it. */
void taut_write_pivoting(taut_pen *pen, bool pivots, bool multipliers);

/* Everything by loops; memory from work. */
taut_status taut_write_loops(taut_pen *pen, const taut_pivot_order *order, taut_arena *work);

#endif
