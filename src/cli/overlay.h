/* Several results in one diagram: files that are there, or runs with other values of a parameter.
 */
#ifndef TAUT_CLI_OVERLAY_H
#define TAUT_CLI_OVERLAY_H

#include "cli/args.h"

enum { MOST_RESULTS = 32 };

typedef struct overlay {
    taut_result *result[MOST_RESULTS]; /* owned */
    char label[MOST_RESULTS][80];
    const char *labels[MOST_RESULTS];
    int count;
} overlay;

/* Is this the name of a table, rather than of a model or a column? */
bool is_table(const char *word);
/* Reads a->file, if it is one, and takes tables out of the list of columns. Returns the exit
 * status, after a message. */
int overlay_files(overlay *o, arguments *a, taut_errors *errors);
/* Runs the model once for each value of --vary. */
int overlay_runs(overlay *o, arguments *a, taut_errors *errors);
/* Puts them into a drawing's options. */
void overlay_use(overlay *o, taut_plot_options *options);
void overlay_release(overlay *o);

#endif
