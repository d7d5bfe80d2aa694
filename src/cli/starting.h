/* `taut new`: files to begin with. */
#ifndef TAUT_CLI_STARTING_H
#define TAUT_CLI_STARTING_H

#include "cli/args.h"

/* Writes the commented model of the kind a->file to a->output, or to KIND.yaml; never over a file
 * that is there. Returns the exit status. */
int start_model(const arguments *a);

#endif
