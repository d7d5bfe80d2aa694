/* taut plot. */
#ifndef TAUT_CLI_DRAW_H
#define TAUT_CLI_DRAW_H

#include "cli/args.h"

/* Simulates and draws; returns the exit status. */
/* How to draw, by the options of the program. */
taut_plot_options drawing_options(const arguments *arguments, const taut_model *model);
int draw(arguments *arguments, taut_model *model, taut_errors *errors);
/* Draws columns of tables that are there. */
int draw_tables(arguments *arguments, taut_errors *errors);

#endif
