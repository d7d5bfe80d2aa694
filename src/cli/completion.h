/* Completion of the command line by shells. */
#ifndef TAUT_CLI_COMPLETION_H
#define TAUT_CLI_COMPLETION_H

/* Prints the script for bash, zsh or fish, from the tables of commands and options. Returns the
 * exit status. */
int print_completion(const char *shell);

#endif
