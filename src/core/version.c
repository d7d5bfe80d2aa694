/* The version, from the file VERSION by way of the build. */
#include "taut/taut.h"

const char *taut_version(void) { return TAUT_VERSION; }
