/* The command `export`: models that leave. */
#ifndef TAUT_CLI_EXPORTING_H
#define TAUT_CLI_EXPORTING_H

#include "cli/args.h"

int export_model(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
