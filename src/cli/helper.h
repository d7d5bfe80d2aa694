/* Programs of others that work for this one: a folder for what they leave, and their end. */
#ifndef TAUT_CLI_HELPER_H
#define TAUT_CLI_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A temporary folder of its own, whose name begins so, in `path`; false: there is none, and path is
 * empty. */
bool helper_folder(const char *name, char *path, size_t size);
/* Removes it with all that is in it; an empty path: nothing. */
void helper_clear(const char *path);

/* Waits until a program has ended, which leads a process group of its own; after a signal it is
 * made to end (helping_begin). Has it done its work? */
bool helper_wait(pid_t process);
/* Makes it and what it has started end, by force if it takes long. */
void helper_end(pid_t process);

#endif
