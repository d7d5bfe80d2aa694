/* A run as one HTML file that shows it: the mechanism moving, curves, a report. It needs nothing
 * but a browser. */
#ifndef TAUT_PAGE_H
#define TAUT_PAGE_H

#include <stdbool.h>

#include "taut/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taut_page {
    const char *file;          /* the model file, as the user named it */
    const taut_model *model;   /* NULL: it could not be read; then the text of the file is shown */
    const taut_result *result; /* of a run with every = TAUT_FOR_SCREEN, or of taut_attempt; NULL:
                                  there is none */
    taut_status status;        /* of the run, ... */
    const taut_errors *errors; /* ... and what was said about it */
    const struct taut_linear *modes; /* a linearisation with options.shapes at the end of the run,
                                        whose modes are shown moving; NULL: the run is */
    const taut_result *with; /* another run, whose curves are drawn beside those of the same names;
                                NULL: none */
    const char *with_name;   /* the file that it is from */
    bool live; /* with the engine in it, so that the page can run the model with other parameters */
} taut_page;

/* Can this build of the library write live pages? TAUT_ERR_LIBRARY: it cannot, and what to do about
 * it. */
TAUT_API taut_status taut_page_check_live(taut_errors *errors);

/* Writes the page to a temporary file that then takes the name path; "-" is the standard output. */
TAUT_API taut_status taut_page_write(const taut_page *page, const char *path, taut_errors *errors);

/* Where the parts of a mechanism are when they do not fit together: after taut_simulate has failed
 * with TAUT_ERR_INPUT, a table of one row with the positions that come closest. *result is NULL if
 * there are none. */
TAUT_API taut_status taut_attempt(const taut_model *model, const taut_run_options *options,
                                  taut_result **result);

#ifdef __cplusplus
}
#endif

#endif
