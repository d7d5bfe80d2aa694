/* Zip archives whose files are stored as they are. */
#ifndef TAUT_EXPORT_ARCHIVE_H
#define TAUT_EXPORT_ARCHIVE_H

#include <stdint.h>

#include "out/file.h"

enum { TAUT_ARCHIVE_FILES = 32, TAUT_ARCHIVE_NAME = 200 };

typedef struct taut_archive {
    taut_file file;
    uint32_t size; /* so far */
    int count;
    struct {
        char name[TAUT_ARCHIVE_NAME];
        uint32_t sum, size, at;
    } entry[TAUT_ARCHIVE_FILES];
} taut_archive;

/* The sum of checks of zip files (CRC-32). */
uint32_t taut_archive_sum(const void *data, size_t size);

taut_status taut_archive_open(taut_archive *archive, const char *path, taut_errors *errors);
/* Adds a file; trouble with writing is told by close. */
taut_status taut_archive_add(taut_archive *archive, const char *name, const void *data,
                             size_t size);
/* Writes the directory and gives the archive its name; or leaves nothing behind. */
taut_status taut_archive_close(taut_archive *archive, taut_errors *errors);
void taut_archive_drop(taut_archive *archive);

#endif
