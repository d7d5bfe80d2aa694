/* Shared libraries that most runs do without: loaded when they are first needed, because loading
 * them takes longer than many a simulation. */
#ifndef TAUT_CORE_LIBRARY_H
#define TAUT_CORE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* A function of a library, and the pointer to functions that shall point to it. */
typedef struct taut_wanted {
    const char *name;
    void *pointer;
    bool optional; /* without it the pointer stays as it is */
} taut_wanted;

/* A library and what is wanted of it; one static object for each. */
typedef struct taut_library {
    const char *file; /* as the run-time linker knows it: "libm.so.6" */
    const taut_wanted *wanted;
    int count;
    const char *package; /* of Debian, for the message; NULL: it is of no package */
    bool loaded;         /* for load.c */
} taut_library;

/* Makes the functions of a library callable, if they are not yet; it then stays for the life of
 * the process. May be called by several threads. TAUT_ERR_LIBRARY, with the reason. */
taut_status taut_library_load(taut_library *library, taut_errors *errors);

/* The folder of the library, or of the program, that this code is in; false: nobody knows. */
bool taut_library_folder(char *folder, size_t size);

/* Lists of functions, X(f) each, as members of a table and as what is wanted for it. */
#define TAUT_LIBRARY_MEMBER(f) __typeof__(f) *(f);
#define TAUT_LIBRARY_COUNT(wanted) ((int)(sizeof(wanted) / sizeof(wanted)[0]))

#endif
