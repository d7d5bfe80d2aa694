/* States as text, in memory. */
#ifndef TAUT_OUT_STATE_FILE_H
#define TAUT_OUT_STATE_FILE_H

#include "core/text.h"
#include "solve/state.h"

/* What taut_state_save writes, and reading it back. */
taut_status taut_state_text(const taut_state *state, taut_string *text);
taut_status taut_state_parse(const char *text, size_t size, taut_state **state,
                             taut_errors *errors);

#endif
