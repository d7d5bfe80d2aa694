/* Tables of results into files, as the command line asks. */
#ifndef TAUT_CLI_TABLES_H
#define TAUT_CLI_TABLES_H

#include "cli/args.h"

/* Do the options fit the kind of file? Returns the exit status, after a message. */
int check_table(const arguments *arguments, const char *output);
taut_status write_table(const arguments *arguments, const taut_model *model,
                        const taut_result *result, const char *output, taut_errors *errors);

#endif
