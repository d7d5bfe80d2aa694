/* Equations that the guesses leave open on purpose: a mechanism that is drawn in pieces. */
#ifndef TAUT_SOLVE_CLOSING_H
#define TAUT_SOLVE_CLOSING_H

#include "solve/stage.h"

/* Satisfies the rows of a stage that are not late, then closes the late ones little by little, so
 * that the pieces come together without jumping to another assembly. Does nothing if no row is
 * late; goes back to the guesses if the way does not lead there. */
taut_status taut_closing_follow(taut_stage *g);

#endif
