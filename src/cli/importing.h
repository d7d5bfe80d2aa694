/* `taut import`: models of other programs. */
#ifndef TAUT_CLI_IMPORTING_H
#define TAUT_CLI_IMPORTING_H

#include "cli/args.h"

/* Writes a->file as a model file to a->output, or to its stem + .yaml; never over a file that is
 * there. Returns the exit status. */
int import_model(const arguments *a, taut_errors *errors);

#endif
