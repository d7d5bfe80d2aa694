/* The command `bode`. */
#ifndef TAUT_CLI_BODE_H
#define TAUT_CLI_BODE_H

#include "cli/args.h"

int bode(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
