/* Which files taut_import takes. */
#ifndef TAUT_IMPORT_IMPORT_H
#define TAUT_IMPORT_IMPORT_H

#include <stdbool.h>

/* By the end of its name: .urdf, .xml, .mjcf. */
bool taut_import_knows(const char *path);

#endif
