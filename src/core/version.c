/* The version, from the file VERSION by way of taut/version.h. */
#include "taut/taut.h"

const char *taut_version(void) { return TAUT_VERSION; }
