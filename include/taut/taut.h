/* taut: motion of mechanisms and solutions of differential-algebraic equations.
 *
 *   taut/status.h      statuses, errors as data
 *   taut/model.h       models from files and texts; analysis
 *   taut/build.h       models built in code
 *   taut/run.h         options and statistics of a run
 *   taut/simulation.h  a simulation, step by step
 *   this file          all of it, and a whole run as a table
 *
 * No call prints or exits; a call that can fail returns a status and, if the caller passes a list,
 * says in words what is wrong. Whoever creates, frees; free takes the address of a pointer, which
 * may hold NULL, and leaves NULL there. Objects are independent of each other and may be used in
 * different threads. docs/library.md is a tutorial. */
#ifndef TAUT_H
#define TAUT_H

#include <stdbool.h>

#include "taut/build.h"
#include "taut/model.h"
#include "taut/run.h"
#include "taut/simulation.h"
#include "taut/status.h"

/* "0.1.0" */
TAUT_API const char *taut_version(void);

/* ---- a whole run ---- */

typedef struct taut_result taut_result;

/* Simulates. After a status > 0 or TAUT_ERR_NUMERICS *result holds what was computed; after another
 * error it is NULL. */
TAUT_API taut_status taut_simulate(const taut_model *model, const taut_run_options *options,
                                   taut_result **result, taut_errors *errors);
TAUT_API void taut_result_free(taut_result **result);

TAUT_API int taut_result_columns(const taut_result *result); /* column 0 is t */
TAUT_API long taut_result_rows(const taut_result *result);
TAUT_API const char *taut_result_name(const taut_result *result, int column);
TAUT_API double taut_result_value(const taut_result *result, long row, int column);
TAUT_API const taut_run_stats *taut_result_stats(const taut_result *result);
/* Initial values that had to change, as lines "u: 9.9 -> 10", or "" */
TAUT_API const char *taut_result_moves(const taut_result *result);
/* Redundant constraints that the run left out, as lines "name (line n)", or "" */
TAUT_API const char *taut_result_redundant(const taut_result *result);

/* Writes the table as CSV with `digits` digits, to a temporary file that then takes the name path;
 * "-" is the standard output. */
TAUT_API taut_status taut_result_write(const taut_result *result, const char *path, int digits,
                                       taut_errors *errors);
/* Writes the statistics as JSON, in the same way. */
TAUT_API taut_status taut_result_write_stats(const taut_result *result, const char *path,
                                             taut_errors *errors);
/* Checks that a file of this name could be written, without touching it. */
TAUT_API taut_status taut_output_check(const char *path, taut_errors *errors);

#endif
