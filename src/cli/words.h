/* The library speaks of its own calls and fields; users of the program know options. */
#ifndef TAUT_CLI_WORDS_H
#define TAUT_CLI_WORDS_H

#include "taut/taut.h"

/* A name or a path as it can be shown on a terminal; valid until four more of them are asked for.
 */
const char *shown(const char *text);

/* Rewrites a message: options.cut becomes --cut, options.base = "natural" becomes --base natural,
 * an override is what --set has given. */
void words_translate(taut_error *error);

#endif
