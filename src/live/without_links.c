/* Files of a page have one name each: there are no links to follow. In place of the C library's
 * realpath. */
#include <stdlib.h>
#include <string.h>

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): those of another library */
char *realpath(const char *path, char *resolved) {
    const size_t size = strlen(path) + 1;
    char *name = resolved ? resolved : malloc(size);
    return name ? memcpy(name, path, size) : NULL;
}
