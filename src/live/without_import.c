/* The engine of a page reads model files alone; what was imported comes as one. In place of the
 * room import. */
#include "import/import.h"

#include <stddef.h>

#include "core/status.h"
#include "taut/import.h"

bool taut_import_knows(const char *path) {
    (void)path;
    return false;
}

taut_status taut_import(const char *path, char **text, char **left_out, taut_errors *errors) {
    *text = *left_out = NULL;
    return taut_fail(errors, TAUT_ERR_LIBRARY, "the engine of a page cannot import %s", path);
}
