/* A program: the equations of a model, compiled once for one set of options. It is constant, and
 * any number of simulations in any number of threads can be made of it, each with numbers of its
 * own:
 *
 *     taut_program *program;
 *     taut_program_create(model, &options, &program, &errors);
 *     taut_simulation *s; // in each thread
 *     taut_simulation_create_from(program, &s, &errors);
 *     taut_simulation_set_parameter(s, "m", 2.5, &errors);
 *     taut_simulation_start(s, &errors);
 */
#ifndef TAUT_PROGRAM_H
#define TAUT_PROGRAM_H

#include "taut/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taut_program taut_program;

/* Forms and analyses the equations, finds the start with the model's own numbers, and prepares what
 * a solver needs. options may be NULL. The model must outlive the program. */
TAUT_API taut_status taut_program_create(const taut_model *model, const taut_run_options *options,
                                         taut_program **program, taut_errors *errors);
TAUT_API void taut_program_free(taut_program **program);

/* A simulation as taut_simulation_create would make it with the program's options, without
 * compiling; the program must outlive it. Several threads may do so at the same time. Where a
 * number that is set contradicts what the program was made for, and where the start depends on it,
 * the simulation compiles equations of its own at its next start (`compilations` in its
 * statistics). Programs are shared in natural coordinates, and of equations given as such, by the
 * solvers taylor and auto; otherwise each simulation compiles its own. */
TAUT_API taut_status taut_simulation_create_from(const taut_program *program,
                                                 taut_simulation **simulation, taut_errors *errors);

#ifdef __cplusplus
}
#endif

#endif
