/* Which files taut_import takes; the same from memory. */
#ifndef TAUT_IMPORT_IMPORT_H
#define TAUT_IMPORT_IMPORT_H

#include <stdbool.h>

#include "core/status.h"

/* By the end of its name: .urdf, .xml, .mjcf. */
bool taut_import_knows(const char *path);
/* As taut_import, from length bytes in memory. */
taut_status taut_import_parse(const char *path, const char *xml, long length, char **text,
                              taut_errors *errors);

#endif
