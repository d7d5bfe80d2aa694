/* The command fit. */
#ifndef TAUT_CLI_FITTING_H
#define TAUT_CLI_FITTING_H

#include "cli/args.h"

int fit(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
