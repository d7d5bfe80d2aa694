/* States of a simulation: what it is at the end of a step, and going on from there. */
#ifndef TAUT_TASK_RESUME_H
#define TAUT_TASK_RESUME_H

#include "task/simulation.h"

/* The state at the end of the last step into *state, which is to be freed. */
taut_status taut_resume_get(taut_simulation *simulation, taut_state **state);

#endif
