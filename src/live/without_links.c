/* Files of a page have one name each: there are no links to follow. In place of the C library's
 * realpath. */
#include <stdlib.h>
#include <string.h>

char *realpath(const char *path, char *resolved) {
    char *name = resolved ? resolved : malloc(strlen(path) + 1);
    return name ? strcpy(name, path) : NULL;
}
