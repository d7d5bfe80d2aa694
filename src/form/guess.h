/* Guesses from what is known: where points and vectors are that the file lists no value for, as far
 * as bodies, joints, angles and drivers place them. */
#ifndef TAUT_FORM_GUESS_H
#define TAUT_FORM_GUESS_H

#include "form/mechanics.h"

/* Fills the hints of the system. tied[k] becomes true for an angle whose number of turns a driver
 * or a gear says. */
taut_status taut_mechanics_guess(taut_mechanics *n, bool *tied);

#endif
