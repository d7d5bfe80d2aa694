/* The state of a simulation as a value: the time, every variable with the derivatives that the
 * motion carries on, and what the solver remembers of its steps. It can be copied, saved, loaded
 * and given to another simulation of the same model, which goes on from there:
 *
 *     taut_state *state;
 *     taut_simulation_get_state(s, &state, &errors);
 *     taut_state_save(state, "half.state", &errors);
 *     taut_state_free(&state);
 *     ...
 *     taut_state_load("half.state", &state, &errors);
 *     taut_simulation_set_state(other, state, &errors);
 *
 * What follows is the uninterrupted run, if the options are the same and the solver does not look
 * back on earlier steps: to the last bit by taylor, to rounding by ho, erk, rk4. The multistep
 * methods (adams, bdf, ida) and minimal coordinates begin anew at the state, and differ by the
 * tolerance. */
#ifndef TAUT_STATE_H
#define TAUT_STATE_H

#include "taut/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state at the end of the last step (not at the time of taut_simulation_run_to, which may be
 * inside it). The caller frees it. TAUT_ERR_CALL if the simulation has not started. */
TAUT_API taut_status taut_simulation_get_state(taut_simulation *simulation, taut_state **state,
                                               taut_errors *errors);
/* Goes on from a state, which is copied. The simulation is started if it is not; the time span
 * begins at the state. TAUT_ERR_CALL with the reason if the state is of another model, of other
 * coordinates, or beyond the end of the run; the simulation is then to be started again. */
TAUT_API taut_status taut_simulation_set_state(taut_simulation *simulation, const taut_state *state,
                                               taut_errors *errors);

TAUT_API taut_status taut_state_copy(const taut_state *state, taut_state **copy);
TAUT_API void taut_state_free(taut_state **state);

TAUT_API double taut_state_time(const taut_state *state);
/* A value by its name, "u" or "u'"; NaN if the state has none. */
TAUT_API double taut_state_value(const taut_state *state, const char *name);
/* Equal for states of the same equations: names of variables and the orders of their derivatives.
 */
TAUT_API unsigned long long taut_state_signature(const taut_state *state);

/* A text file, with numbers exact to the last bit and a checksum; the same on every machine.
 * TAUT_ERR_IO: it cannot be written or read; TAUT_ERR_INPUT: it is no such file, or damaged. */
TAUT_API taut_status taut_state_save(const taut_state *state, const char *path,
                                     taut_errors *errors);
TAUT_API taut_status taut_state_load(const char *path, taut_state **state, taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
