/* Writing files so that nothing is ever half-written: to a temporary name, then renamed. A process
 * that is killed leaves the old file, or the new one; the temporary file PATH.<process
 * id>-<number>.tmp (of a very long name its beginning) may stay behind and can be removed. A file
 * that is replaced keeps its mode, and a symbolic link stays one: what it leads to is replaced. */
#ifndef TAUT_OUT_FILE_H
#define TAUT_OUT_FILE_H

#include <stdio.h>

#include "core/status.h"

typedef struct taut_file {
    FILE *stream;      /* NULL: somebody else writes the temporary file */
    const char *path;  /* as the caller named it; "-": the standard output */
    int number;        /* errno of the first write that failed; 0: none */
    int place;         /* in the list of taut_output_abandon, from 1; 0: none */
    char target[2048]; /* where symbolic links lead */
    char temporary[2112];
} taut_file;

/* Opens the temporary file beside path. */
taut_status taut_file_open(taut_file *file, const char *path, taut_errors *errors);
/* Makes an empty temporary file beside path, for a library that opens files itself. A device or the
 * standard output cannot be written in this way; taut_file_check_name only looks. */
taut_status taut_file_name(taut_file *file, const char *path, taut_errors *errors);
taut_status taut_file_check_name(const char *path, taut_errors *errors);
/* Writes; TAUT_ERR_IO if this or an earlier call could not, for which taut_file_close has words. */
taut_status taut_file_put(taut_file *file, const char *text, size_t length);
/* Flushes, closes and renames; on trouble the temporary file is removed and path is untouched. */
taut_status taut_file_close(taut_file *file, taut_errors *errors);
/* Closes and removes the temporary file; path is untouched. */
void taut_file_drop(taut_file *file);

/* All three for a text. */
taut_status taut_file_write(const char *path, const char *text, taut_errors *errors);

#endif
