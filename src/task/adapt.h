/* The solver `auto`: Taylor series, and the stiff method where stability limits them. */
#ifndef TAUT_TASK_ADAPT_H
#define TAUT_TASK_ADAPT_H

#include "task/simulation.h"

/* Before a step: goes on with the other method if that will do better. The state is carried over as
 * it is. TAUT_OK also if the change was not possible. */
taut_status taut_adapt(taut_simulation *simulation);
/* After a failed step of the stiff method: goes on with Taylor series for the rest of the run.
 * False if there is nothing to go back to. */
bool taut_adapt_give_up(taut_simulation *simulation);
/* Makes the stiff method, or the other one, the one in use; it is still to be started. */
taut_status taut_adapt_use(taut_simulation *simulation, bool stiff);

#endif
