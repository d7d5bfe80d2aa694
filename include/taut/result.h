/* A whole run as a table, and its files. */
#ifndef TAUT_RESULT_H
#define TAUT_RESULT_H

#include "taut/model.h"
#include "taut/notes.h"
#include "taut/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taut_result taut_result;

/* Simulates; options may be NULL. After a status > 0 or TAUT_ERR_NUMERICS *result holds what was
 * computed; after another error it is NULL. */
TAUT_API taut_status taut_simulate(const taut_model *model, const taut_run_options *options,
                                   taut_result **result, taut_errors *errors);
TAUT_API void taut_result_free(taut_result **result);
/* A table from a CSV file with a header row whose first column is a time or whatever else counts,
 * as taut and others write them. Units in brackets behind names, and rows of them, are left out;
 * statistics and notes are empty. */
TAUT_API taut_status taut_result_read(const char *path, taut_result **result, taut_errors *errors);
/* The same from numbers in memory: value (rows * columns) by rows, name (columns). Both are copied.
 */
TAUT_API taut_status taut_result_make(const char *const *name, int columns, const double *value,
                                      long rows, taut_result **result, taut_errors *errors);

TAUT_API int taut_result_columns(const taut_result *result); /* column 0 is t */
TAUT_API long taut_result_rows(const taut_result *result);
/* NULL, NaN outside of the table. */
TAUT_API const char *taut_result_name(const taut_result *result, int column);
TAUT_API double taut_result_value(const taut_result *result, long row, int column);
/* The number of a column, "Ax'" or "A.x'"; -1: there is none. */
TAUT_API int taut_result_find(const taut_result *result, const char *name);

/* All numbers at once: value[row * row_stride + column * column_stride]. They belong to the result
 * and live as long as it does. */
typedef struct taut_table {
    const double *value; /* NULL: there are no rows */
    long rows;
    int columns;
    long row_stride, column_stride; /* in numbers, not in bytes */
} taut_table;
TAUT_API taut_table taut_result_table(const taut_result *result);

TAUT_API const taut_run_stats *taut_result_stats(const taut_result *result);
/* What the run has decided, as data; lives as long as the result. */
TAUT_API const taut_notes *taut_result_notes(const taut_result *result);
/* The same in words. Initial values that had to change, as lines "u: 9.9 -> 10", or "" */
TAUT_API const char *taut_result_moves(const taut_result *result);
/* Positions in which the parts fit together near the initial ones, nearest first, as lines; ""
 * unless options.starts asked for them or the initial positions do not clearly choose one. */
TAUT_API const char *taut_result_assemblies(const taut_result *result);
/* Redundant constraints that the run left out, as lines "name (line n)", or "" */
TAUT_API const char *taut_result_redundant(const taut_result *result);
/* What the solver "auto" did and when: a line each time it went on by another method; "": never. */
TAUT_API const char *taut_result_switches(const taut_result *result);

/* An estimate of how far a run is from the exact solution of its equations (docs/accuracy.md). */
typedef struct taut_certificate {
    double error;            /* largest error of a value, relative to the largest value of its kind;
                                NaN: there is no estimate */
    int column;              /* the column that has it; -1: none */
    double t;                /* and when */
    double tol;              /* of the second run */
    const double *by_column; /* [columns of the result] the same for each; NaN: none */
    const double *scale;     /* [columns] the largest value of the column's kind; 0: none */
    const char *method;  /* how it was found, or why there is none; "void: ..." after an alarm */
    const char *at_rest; /* names of columns that are nothing but rounding, so that there is nothing
                            to estimate; "all columns"; NULL: there are none */
    double growth; /* a change of the listed initial values by a small part of their sizes changes
                      the last row by at most so many times that part; NaN: it cannot be told */
} taut_certificate;

/* Estimates the error of a result by a second, more accurate run, and a third one where that tells
 * more. options are those of the first
 * one. On a status other than TAUT_OK the second run has failed, and there is no estimate. */
TAUT_API taut_status taut_certify(const taut_model *model, const taut_run_options *options,
                                  taut_result *result, taut_errors *errors);
/* NULL if taut_certify has not been called. */
TAUT_API const taut_certificate *taut_result_certificate(const taut_result *result);

/* Writes the table to a temporary file that then takes the name path. The format goes by the
 * extension: .csv and .json have `digits` digits, .mat (MATLAB, Octave) has the numbers themselves.
 * "-" is the standard output, as CSV. */
TAUT_API taut_status taut_result_write(const taut_result *result, const char *path, int digits,
                                       taut_errors *errors);
/* More about such a file. Fill with taut_write_options_default, then change what matters. */
typedef struct taut_write_options {
    int cookie;              /* by taut_write_options_default */
    int digits;              /* 17 */
    const taut_model *model; /* whose columns these are: it knows their units; NULL */
    bool units;              /* names with units, as in "Ax [m]"; JSON: a list `units`. MAT: none */
    bool units_row;          /* CSV: a second row with them instead */
    const char *comment;     /* CSV: lines before the first row, each behind "# "; NULL */
} taut_write_options;
TAUT_API taut_write_options taut_write_options_default(void);
TAUT_API taut_status taut_result_write_with(const taut_result *result, const char *path,
                                            const taut_write_options *options, taut_errors *errors);
/* Writes what happened (taut_result_notes, event) in the same way, as CSV or JSON: t, event, kind,
 * impulse. */
TAUT_API taut_status taut_result_write_events(const taut_result *result, const char *path,
                                              int digits, taut_errors *errors);
/* Writes the statistics as JSON, in the same way. */
TAUT_API taut_status taut_result_write_stats(const taut_result *result, const char *path,
                                             taut_errors *errors);
/* Removes the temporary files that any thread is writing at this moment; what they would have
 * replaced stays as it is. Ends compilers that are at work (options.compile) as well. For a handler
 * of a signal that ends the process: it is safe there. */
TAUT_API void taut_output_abandon(void);
/* Checks that a file of this name could be written, without touching it. */
TAUT_API taut_status taut_output_check(const char *path, taut_errors *errors);
/* Writes bytes (length of them) as all results are written: to a temporary file that is then
 * renamed, so that path is never half a file. */
TAUT_API taut_status taut_output_write(const char *path, const void *bytes, long length,
                                       taut_errors *errors);
/* The same, and that results can be written in the format that the extension asks for. */
TAUT_API taut_status taut_result_write_check(const char *path, taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
