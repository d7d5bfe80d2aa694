/* The command `kinematics`. */
#ifndef TAUT_CLI_MOVING_H
#define TAUT_CLI_MOVING_H

#include "cli/args.h"

int kinematics(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
