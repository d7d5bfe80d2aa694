/* The texts of --help. */
#ifndef TAUT_CLI_HELP_H
#define TAUT_CLI_HELP_H

#include "cli/args.h"

/* On the standard output: what the command does and its options; COMMAND_NONE: all commands. */
void print_help(command_id command);

#endif
