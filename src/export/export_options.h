/* Options of exports. */
#ifndef TAUT_EXPORT_EXPORT_OPTIONS_H
#define TAUT_EXPORT_EXPORT_OPTIONS_H

#include "taut/export.h"

/* Whether they have been filled, and numbers are in their ranges. */
taut_status taut_export_check_options(const taut_export_options *options, taut_errors *errors);

#endif
