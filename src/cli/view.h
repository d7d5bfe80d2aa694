/* taut view. */
#ifndef TAUT_CLI_VIEW_H
#define TAUT_CLI_VIEW_H

#include "cli/args.h"

/* Reads the model, simulates and writes the page; returns the exit status. */
int view(arguments *arguments, taut_errors *errors);

#endif
