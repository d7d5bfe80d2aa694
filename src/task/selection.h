/* Which columns of a table are written: names and patterns, as the caller lists them. */
#ifndef TAUT_TASK_SELECTION_H
#define TAUT_TASK_SELECTION_H

#include "task/result.h"

/* Patterns with commas between them, `*` for any letters, `?` for one; a column that several of
 * them fit stands where the first one has it, and t stands first in any case. TAUT_ERR_CALL, with
 * the nearest name: one of them fits none. */
taut_status taut_selection_make(taut_result *result, const char *patterns, taut_errors *errors);

/* How many columns are written, and the k-th of them. */
int taut_selection_count(const taut_result *result);
int taut_selection_column(const taut_result *result, int k);

#endif
