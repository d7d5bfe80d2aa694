/* Where a command writes: default names, and names that must not be written. */
#ifndef TAUT_CLI_PATHS_H
#define TAUT_CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/args.h"

/* FILE's stem + extension, in the current folder. */
void default_output(const char *file, const char *extension, char *path, size_t size);
bool is_stdout(const char *path);
/* Do both names lead to one file? */
bool is_same_file(const char *a, const char *b);
/* "taut: error: OPTION PATH: WHY"; returns EXIT_WRONG. */
int refuse(const char *option, const char *path, const char *why);
/* Writes a text to a file that is not there yet, or to the standard output; returns the exit
 * status.
 */
int write_new_file(const char *path, const char *text);
/* Reads the model as the arguments want it. */
taut_status read_model(const arguments *arguments, taut_model **model, taut_errors *errors);
/* Checks that a file to be written is none of those that are read: the model and what it includes,
 * tables, meshes, measurements, a state, times. model NULL: it has not been read yet. */
int check_clash(const arguments *arguments, const taut_model *model, const char *option,
                const char *path);
/* Checks that output and statistics overwrite neither the model, nor a file that it includes, nor
 * each other. model NULL: it has not been read yet. */
int check_clashes(const arguments *arguments, const taut_model *model, const char *output);

#endif
