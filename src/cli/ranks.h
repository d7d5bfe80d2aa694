/* The processes of a sweep that mpirun has started: who takes which runs. Without TAUT_MPI, or
 * without mpirun, there is one process and nothing to share. */
#ifndef TAUT_CLI_RANKS_H
#define TAUT_CLI_RANKS_H

#include "cli/args.h"

/* False after a message: options that do not go together. */
bool ranks_begin(const arguments *arguments);
int ranks_count(void);
/* The one that writes the table and speaks. */
bool ranks_is_first(void);
/* Puts the shared counter into the options of a study; nothing with one process. */
void ranks_share(taut_study_options *options);
/* Lets the counter be served while the process is busy: wraps the progress of a run. */
void ranks_attend(taut_run_options *options);
/* The worst exit status of all, once all are here. */
int ranks_agree(int code);
/* Leaves the others. */
void ranks_end(void);

#endif
