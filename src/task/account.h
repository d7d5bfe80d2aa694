/* What a simulation says of its start, as lines; its statistics are in taut/simulation.h. */
#ifndef TAUT_TASK_ACCOUNT_H
#define TAUT_TASK_ACCOUNT_H

#include "task/simulation.h"

/* Constraints that are left out; initial values that had to change; assemblies that were found. */
taut_status taut_account_dropped(taut_simulation *simulation);
taut_status taut_account_moves(taut_simulation *simulation, const taut_moves *moves);
taut_status taut_account_assemblies(taut_simulation *simulation);

#endif
