/* How large the values of a run are: what errors are measured by (docs/accuracy.md). */
#ifndef TAUT_TASK_SCALE_H
#define TAUT_TASK_SCALE_H

#include "task/result.h"

/* The largest value of each column's kind in the run, into scale [columns]; 0: all of it is zero.
 * All coordinates of points are of one kind, and so are their velocities, components of vectors,
 * and energies; other columns stand alone. tiny [columns]: it stands alone, and is so small beside
 * other columns of its sort that it may be nothing but rounding. more: another table of the same
 * run, with rows where the first has none; NULL: none. */
void taut_scales_find(const taut_result *result, const taut_result *more, double *scale,
                      bool *tiny);
/* The largest value of each column, into size [columns]; and whether columns of a kind share their
 * scale. */
void taut_sizes_find(const taut_result *result, const taut_result *more, double *size);
bool taut_scale_is_shared(taut_column_kind kind);
/* Scales with tiny columns measured by the largest of their sort, or by what they are
 * derivatives of: their rounding is no error. */
void taut_scales_find_safe(const taut_result *result, double *scale);

#endif
