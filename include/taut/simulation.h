/* A simulation, step by step.
 *
 *     taut_simulation *s;
 *     taut_simulation_create(model, NULL, &s, &errors);
 *     taut_simulation_set_parameter(s, "G", 1.62, &errors);
 *     taut_simulation_set_initial(s, "u'", 0.5, &errors);
 *     taut_simulation_start(s, &errors);
 *     while (taut_simulation_step(s, &errors) == TAUT_OK)
 *         printf("%g %g\n", taut_simulation_time(s), taut_simulation_now(s, "u"));
 *     taut_simulation_free(&s);
 *
 * Errors add up in the list that the caller passes (which may be NULL); the status of each call
 * says whether it went well. A simulation belongs to one thread at a time; different simulations
 * may run in different threads, also of one model, and give the same bytes as one after the other.
 */
#ifndef TAUT_SIMULATION_H
#define TAUT_SIMULATION_H

#include "taut/model.h"
#include "taut/notes.h"
#include "taut/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taut_simulation taut_simulation;

/* Forms the equations of the model and analyses them: index, dof, mobility and unknowns are then in
 * the statistics. options may be NULL. The model must outlive the simulation. The run ends at
 * options->tend, or at the model's tend, or, where there is none, 1e6 after t0. */
TAUT_API taut_status taut_simulation_create(const taut_model *model,
                                            const taut_run_options *options,
                                            taut_simulation **simulation, taut_errors *errors);
TAUT_API void taut_simulation_free(taut_simulation **simulation);

/* ---- before the start ---- */

/* What is set counts from the next taut_simulation_start on, instead of what the model says. */

/* The value of a parameter; parameters that are formulas of it follow. TAUT_ERR_CALL if there is no
 * such parameter. */
TAUT_API taut_status taut_simulation_set_parameter(taut_simulation *simulation, const char *name,
                                                   double value, taut_errors *errors);
/* An initial value, of "u", "u'", "Ax" or an angle. It is a guess, unless the model says that it is
 * fixed; with fix_initial it must not be changed. TAUT_ERR_CALL if there is no such variable. */
TAUT_API taut_status taut_simulation_set_initial(taut_simulation *simulation, const char *name,
                                                 double value, taut_errors *errors);
TAUT_API taut_status taut_simulation_fix_initial(taut_simulation *simulation, const char *name,
                                                 double value, taut_errors *errors);

/* Finds the consistent initial point and prepares the first step. May be called again to start
 * over. TAUT_ERR_INPUT: the initial values do not fit; the errors say which and why. */
TAUT_API taut_status taut_simulation_start(taut_simulation *simulation, taut_errors *errors);

/* ---- running ---- */

/* One step of the solver, as long as the tolerance allows. TAUT_AT_END: there is nothing left to
 * do. Another status: the step could not be done, and the solution up to the time reached is good.
 */
TAUT_API taut_status taut_simulation_step(taut_simulation *simulation, taut_errors *errors);
/* Steps until the time t is inside the last step, and makes it the present time. The steps do not
 * depend on the times that are asked for, so neither does the solution. */
TAUT_API taut_status taut_simulation_run_to(taut_simulation *simulation, double t,
                                            taut_errors *errors);

/* One of the model's `Inputs`. While a run is under way the new value counts from the present time
 * on, until the next change: the next step begins there, even inside the last one, anew. Before the
 * start it is like taut_simulation_set_parameter. TAUT_ERR_CALL if there is no such input, or if
 * constraints that contain it would not be satisfied any more; then the simulation is to be started
 * again. */
TAUT_API taut_status taut_simulation_set_input(taut_simulation *simulation, const char *name,
                                               double value, taut_errors *errors);

/* The present time: of the last taut_simulation_run_to, or the end of the last step. */
TAUT_API double taut_simulation_time(const taut_simulation *simulation);
/* Where the last step began and ended: values are known between the two. */
TAUT_API double taut_simulation_begin(const taut_simulation *simulation);
TAUT_API double taut_simulation_reached(const taut_simulation *simulation);

/* ---- values ---- */

/* The value of a column, "Ax'" or "A.x'", at a time inside the last step; NaN if it has no value
 * there. TAUT_ERR_CALL if there is no such column or the time is outside of the step; *value is
 * then NaN. */
TAUT_API taut_status taut_simulation_read(taut_simulation *simulation, const char *name, double t,
                                          double *value, taut_errors *errors);
/* The same without a status. What is wrong with the call does not get lost: it is NaN here, and the
 * next taut_simulation_step or taut_simulation_run_to is TAUT_ERR_CALL, once, and says it. */
TAUT_API double taut_simulation_value(taut_simulation *simulation, const char *name, double t);
/* The same at the present time. */
TAUT_API double taut_simulation_now(taut_simulation *simulation, const char *name);

/* Values by number, which saves the search. Columns are those of a result: t is number 0, and
 * derivatives go up to options->derivatives. Numbers and names are known after the first start. */
TAUT_API int taut_simulation_find(const taut_simulation *simulation,
                                  const char *name); /* -1: none */
TAUT_API double taut_simulation_get(taut_simulation *simulation, int column, double t);
TAUT_API int taut_simulation_columns(const taut_simulation *simulation);
TAUT_API const char *taut_simulation_name(const taut_simulation *simulation, int column);
/* All columns (columns) at once. TAUT_ERR_CALL if t is outside the last step. */
TAUT_API taut_status taut_simulation_row(taut_simulation *simulation, double t, double *row,
                                         taut_errors *errors);

/* With options->sensitivity: how a column (with primes, not one of d(...)/d(...)) changes with the
 * names of that list, one after the other, at a time inside the last step that stays where it is.
 * The length of the list is taut_simulation_sensitivities, 0 if there is none. */
TAUT_API taut_status taut_simulation_differentiate(taut_simulation *simulation, const char *name,
                                                   double t, double *derivative,
                                                   taut_errors *errors);
TAUT_API int taut_simulation_sensitivities(const taut_simulation *simulation);

/* ---- how it went ---- */

/* Filled by this call; valid until the next one. */
TAUT_API const taut_run_stats *taut_simulation_stats(taut_simulation *simulation);
/* What the run has decided so far, as data; valid until the next step or start. */
TAUT_API const taut_notes *taut_simulation_notes(taut_simulation *simulation);
/* The same in words. Initial values that had to change at the start, as lines "u: 9.9 -> 10", or ""
 */
TAUT_API const char *taut_simulation_moves(const taut_simulation *simulation);
/* Positions in which the parts fit together, as taut_result_assemblies. */
TAUT_API const char *taut_simulation_assemblies(const taut_simulation *simulation);
/* Redundant constraints that the run leaves out, as lines "name (line n)", or "" */
TAUT_API const char *taut_simulation_redundant(const taut_simulation *simulation);
/* What the solver "auto" did and when, so far. */
TAUT_API const char *taut_simulation_switches(const taut_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
