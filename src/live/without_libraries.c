/* The engine of a page loads nothing: what LAPACK would do for large matrices is done by
 * core/reflections, or refused. In place of core/library.c. */
#include "core/library.h"
#include "solve/straight_series.h"

taut_status taut_library_load(taut_library *library, taut_errors *errors) {
    return taut_fail(errors, TAUT_ERR_LIBRARY, "the engine of a page has no %s", library->file);
}

taut_status taut_series_compile(taut_series *series, taut_series *seen, taut_errors *errors) {
    (void)series, (void)seen;
    return taut_fail(errors, TAUT_ERR_CALL, "the engine of a page has no compiler");
}

bool taut_library_folder(char *folder, size_t size) {
    (void)folder, (void)size;
    return false;
}
