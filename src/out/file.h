/* Writing files so that nothing is ever half-written: to a temporary name, then renamed. */
#ifndef TAUT_OUT_FILE_H
#define TAUT_OUT_FILE_H

#include <stdio.h>

#include "core/status.h"

typedef struct taut_file {
    FILE *stream;
    const char *path; /* as the caller named it; "-": the standard output */
    char temporary[1040];
} taut_file;

/* Opens the temporary file beside path. */
taut_status taut_file_open(taut_file *file, const char *path, taut_errors *errors);
/* Flushes, closes and renames; on trouble the temporary file is removed and path is untouched. */
taut_status taut_file_close(taut_file *file, taut_errors *errors);

#endif
