/* What an option's value means. */
#ifndef TAUT_CLI_OPTION_VALUES_H
#define TAUT_CLI_OPTION_VALUES_H

#include "cli/option_table.h"

/* Reads the value, "" if the option has none, into the arguments; name: as the user wrote the
 * option. False after a message on stderr. */
bool option_apply(arguments *arguments, option_id option, const char *name, const char *value);
/* The message: `what` is wrong with the option's value. Returns false. */
bool option_is_wrong(const char *option, const char *value, const char *what);

#endif
