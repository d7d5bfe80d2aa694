/* taut linearize, taut equilibrium. */
#ifndef TAUT_CLI_LINEARIZING_H
#define TAUT_CLI_LINEARIZING_H

#include "cli/args.h"

int linearize(arguments *arguments, taut_model *model, taut_errors *errors);
int equilibrium(arguments *arguments, taut_model *model, taut_errors *errors);
/* Makes the equilibrium near the start the state that a run begins with; returns the exit status.
 */
int find_rest(arguments *arguments, taut_model **model, taut_errors *errors);

#endif
