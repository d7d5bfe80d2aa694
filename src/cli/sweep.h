/* taut sweep: many runs of one model, a table of their results. */
#ifndef TAUT_CLI_SWEEP_H
#define TAUT_CLI_SWEEP_H

#include "cli/args.h"

int sweep(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
