/* The command `inverse`. */
#ifndef TAUT_CLI_INVERTING_H
#define TAUT_CLI_INVERTING_H

#include "cli/args.h"

int inverse(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
