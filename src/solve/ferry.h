/* Past singular positions by Taylor series, whatever the method: where constraints lose rank for an
 * instant, only the polynomials of solve/taylor know on which branch the motion goes on
 * (docs/math/singular-positions.md, section 6). */
#ifndef TAUT_SOLVE_FERRY_H
#define TAUT_SOLVE_FERRY_H

#include "solve/stepper.h"

/* Can there be singular positions, and does the method not see to them by itself? */
bool taut_ferry_is_needed(const taut_method *method, const taut_structure *structure,
                          const taut_stepping *stepping);
/* A stepper that is the method's, except near singular positions. */
taut_status taut_ferry_create(const taut_method *method, const taut_system *system,
                              const taut_structure *structure, const taut_stepping *stepping,
                              taut_stepper **stepper);

#endif
