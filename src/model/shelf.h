/* The parts that files include by name alone (Include: dc-motor): where they are installed. */
#ifndef TAUT_MODEL_SHELF_H
#define TAUT_MODEL_SHELF_H

#include <stdbool.h>
#include <stddef.h>

/* Is this the name of a part, not a path? Letters, digits, - and _ only. */
bool taut_shelf_is_name(const char *name);
/* The folder of the parts: beside the library or the program, or where taut was to be installed;
 * false: there is none, and folder says where it should be. */
bool taut_shelf_find(char *folder, size_t size);
/* The part whose name is nearest to this one; "": none is near. */
void taut_shelf_nearest(const char *folder, const char *name, char *nearest, size_t size);

#endif
