/* The table of results in its formats, one function a format. */
#ifndef TAUT_OUT_TABLE_H
#define TAUT_OUT_TABLE_H

#include "out/file.h"
#include "taut/taut.h"

/* TAUT_ERR_IO at the first write that fails. */
taut_status taut_table_csv(taut_file *file, const taut_result *result,
                           const taut_write_options *options);
taut_status taut_table_json(taut_file *file, const taut_result *result,
                            const taut_write_options *options);
/* Writes a file of this name (MATLAB's format 5; numbers are written as they are), */
taut_status taut_table_mat(const char *path, const taut_result *result);
/* ... after this: TAUT_ERR_LIBRARY, with the reason, if there is no matio. */
taut_status taut_mat_load(taut_errors *errors);

/* The same for a linearisation: matrices A, B, C, D, x0, u0, y0, and names as cells of text. */
taut_status taut_linear_mat(const char *path, const taut_linear_point *point);

enum { TAUT_MAT_NAME = 64 }; /* bytes of a MATLAB name, with its end */

/* Names that MATLAB accepts for the columns: name[c] for column c, all different. */
taut_status taut_mat_names(const taut_result *result, char (*name)[TAUT_MAT_NAME]);

#endif
