/* Names of derivatives. */
#include "solve/system.h"

#include <stdio.h>

const char *taut_derivative_name(const taut_system *system, int j, int k, char *text, size_t size) {
    if (k <= 6)
        snprintf(text, size, "%s%.*s", system->unknown[j].name, k, "''''''");
    else
        snprintf(text, size, "%s^(%d)", system->unknown[j].name, k);
    return text;
}
