/* Where a command writes: default names, and names that must not be written. */
#ifndef TAUT_CLI_PATHS_H
#define TAUT_CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/args.h"

/* FILE's stem + extension, in the current folder. */
void default_output(const char *file, const char *extension, char *path, size_t size);
bool is_stdout(const char *path);
/* "taut: error: OPTION PATH: WHY"; returns EXIT_WRONG. */
int refuse(const char *option, const char *path, const char *why);
/* Checks that output and statistics overwrite neither the model nor each other. */
int check_clashes(const arguments *arguments, const char *output);

#endif
