/* Loops of bodies that no position closes: one length above the sum of all others. */
#ifndef TAUT_TASK_UNCLOSED_H
#define TAUT_TASK_UNCLOSED_H

#include "core/text.h"
#include "model/model.h"

/* Looks for one; true: says so in words, and at which body's line. TAUT_ERR_MEMORY. */
taut_status taut_unclosed_find(const taut_model *model, bool *found, taut_string *words,
                               taut_place *place);

#endif
