/* taut plot. */
#ifndef TAUT_CLI_DRAW_H
#define TAUT_CLI_DRAW_H

#include "cli/args.h"

/* Simulates and draws; returns the exit status. */
int draw(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
