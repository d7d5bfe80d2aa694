/* C that is compiled while the program runs, by the compiler of this machine and for its processor.
 * What has been compiled is kept in the user's cache, by its content: $XDG_CACHE_HOME/taut, or
 * ~/.cache/taut. */
#ifndef TAUT_CORE_COMPILER_H
#define TAUT_CORE_COMPILER_H

#include "core/library.h"

/* Makes the functions of this text callable; they stay for the life of the process. May be called
 * by several threads. TAUT_ERR_CALL where there is no compiler or where it fails, TAUT_ERR_IO where
 * there is no place for what it makes, with the reason. */
taut_status taut_compiler_load(const char *source, const taut_wanted *wanted, int count,
                               taut_errors *errors);
/* Ends compilers that are at work and removes their files: for a handler of signals in a program
 * that is going to end. */
void taut_compiler_abandon(void);

#endif
