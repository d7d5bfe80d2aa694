/* What the program tells a person: errors, progress, the summary of a run. */
#ifndef TAUT_CLI_SHOW_H
#define TAUT_CLI_SHOW_H

#include <stdio.h>

#include "cli/args.h"

/* Prints all errors (TAUT_OK: warnings) to stderr; returns the exit status that goes with `status`.
 */
int show_errors(taut_status status, const taut_errors *errors);
/* Seconds since some moment in the past. */
double seconds(void);
/* Prints how a run went, and that results were written in a file (NULL: they were not), which took
 * so many seconds. */
void show_summary(FILE *out, const taut_model *model, const arguments *arguments,
                  const taut_result *result, const char *written, double writing);
/* From the program's first line on Ctrl-C, SIGTERM and SIGHUP end it at once, with a message. */
void signals_begin(void);
/* A progress bar on a terminal, and what these signals stop: a callback for taut_run_options. */
void progress_begin(taut_run_options *options, bool quiet);
void progress_end(void);
/* From now on a signal ends the program at once, and takes files away that are not whole yet. */
void writing_begin(void);
/* While programs of others work for this one, a signal is only kept in mind: whoever waits for them
 * asks was_interrupted, ends them and takes away what they leave. */
void helping_begin(void);
void helping_end(void);
bool was_interrupted(void);
/* To be called before progress_begin: the bar shows how long it will still take. */
void progress_of_many(void);
/* The same: all is wanted or nothing, so a signal ends the program at once, wherever it is (LAPACK
 * asks nobody). */
void progress_of_whole(void);

#endif
