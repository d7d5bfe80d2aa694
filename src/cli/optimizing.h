/* The command optimize. */
#ifndef TAUT_CLI_OPTIMIZING_H
#define TAUT_CLI_OPTIMIZING_H

#include "cli/args.h"

int optimize(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
