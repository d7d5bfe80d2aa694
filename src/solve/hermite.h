/* Integration of stiff problems by the lifted Hermite-Obreschkoff method: L-stable, of high order
 * (docs/math/hermite-obreschkoff.md). */
#ifndef TAUT_SOLVE_HERMITE_H
#define TAUT_SOLVE_HERMITE_H

#include "solve/stepper.h"

/* An order is p + q = 2 p + 1, with p from 1 to 8. */
extern const taut_method taut_hermite;

#endif
