/* taut diff, and taut compare --with: two results side by side. */
#ifndef TAUT_CLI_DIFFERING_H
#define TAUT_CLI_DIFFERING_H

#include "cli/args.h"

/* Two CSV files. */
int diff(const arguments *arguments, taut_errors *errors);
/* A run of the model, at the times of a CSV file, against that file. */
int compare_with(arguments *arguments, const taut_model *model, taut_errors *errors);

#endif
