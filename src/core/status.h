/* How the library reports: statuses, and a list of faults that the caller may or may not want. */
#ifndef TAUT_CORE_STATUS_H
#define TAUT_CORE_STATUS_H

#include <stdbool.h>

#include "taut/status.h"

/* Passes a failure (or a reason to stop) up to the caller. */
#define TAUT_TRY(call)                                                                             \
    do {                                                                                           \
        taut_status taut_try_status = (call);                                                      \
        if (taut_try_status != TAUT_OK) return taut_try_status;                                    \
    } while (0)

/* Adds a fault without a place in a file; errors may be NULL. Returns status, for `return`. */
__attribute__((format(printf, 3, 4))) taut_status taut_fail(taut_errors *errors, taut_status status,
                                                            const char *format, ...);

/* For public functions: a pointer that must be there. `name` is the parameter's in the header. */
#define TAUT_NEED(pointer, name, errors)                                                           \
    do {                                                                                           \
        if (!(pointer)) return taut_refuse_null(__func__, (name), (errors));                       \
    } while (0)
taut_status taut_refuse_null(const char *function, const char *name, taut_errors *errors);

/* A place in a text: what taut_fail_at shows. */
typedef struct taut_place {
    const char *path; /* NULL: none */
    const char *text; /* the whole file, text_length bytes; NULL: no line is shown */
    long text_length;
    int line, column; /* 1-based; column counts characters (UTF-8 sequences) */
    const char *note; /* "i = 7": the text stands for many there; the message says it for this one
                         and only once. NULL: it stands for itself */
} taut_place;

/* Adds a fault at a place; errors may be NULL. Returns status. */
__attribute__((format(printf, 4, 5))) taut_status
taut_fail_at(taut_errors *errors, taut_status status, taut_place place, const char *format, ...);

/* Has a fault been reported already at a place that stands for many (it has a note)? One is enough.
 */
bool taut_place_is_blamed(const taut_errors *errors, taut_place place);

/* Would another fault at this place be told? Otherwise its message needs no search for a hint. */
bool taut_errors_would_show(const taut_errors *errors, taut_place place);

/* Adds the faults of `more` at places where errors has none, and puts those of a file into its
 * order. */
void taut_errors_join(taut_errors *errors, const taut_errors *more);

#endif
