/* What the engine's files share. */
#ifndef TAUT_LIVE_HAND_H
#define TAUT_LIVE_HAND_H

#include "taut/model.h"

/* The model as it was run last, or read; NULL: there is none. */
const taut_model *live_model(void);

#endif
