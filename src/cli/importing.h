/* `taut import`: models of other programs. */
#ifndef TAUT_CLI_IMPORTING_H
#define TAUT_CLI_IMPORTING_H

#include "cli/args.h"

/* Writes a->file as a model file to the standard output, or to a->output, which must not be there.
 * Returns the exit status. */
int import_model(const arguments *a, taut_errors *errors);

#endif
