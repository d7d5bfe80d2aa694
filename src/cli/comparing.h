/* taut compare. */
#ifndef TAUT_CLI_COMPARING_H
#define TAUT_CLI_COMPARING_H

#include "cli/args.h"

/* Runs every pair of formulation and solver, prints the table and writes the page; returns the exit
 * status. */
int compare(arguments *arguments, taut_model *model, taut_errors *errors);

#endif
