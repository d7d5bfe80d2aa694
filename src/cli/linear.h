/* taut linearize. */
#ifndef TAUT_CLI_LINEAR_H
#define TAUT_CLI_LINEAR_H

#include "cli/args.h"

int linearize(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
