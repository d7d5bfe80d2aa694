/* Few pieces of high order that follow a spline within a tolerance. Private to core/pieces. */
#ifndef TAUT_CORE_FITTED_H
#define TAUT_CORE_FITTED_H

#include "core/pieces.h"

/* Quintics from sample to sample, whose slopes and second derivatives are those of polynomials
 * through seven samples: of an order that a smooth function deserves. Where samples are spaced too
 * unevenly for that they are the spline's. Memory from arena. */
taut_status taut_pieces_smooth(const taut_samples *samples, const taut_pieces *spline,
                               taut_arena *arena, taut_pieces *pieces);
/* The knots of the fit are some of the spline's. There it has the spline's value, slope and
 * second derivative; between them it differs by at most the tolerance at every knot of the spline
 * and halfway between those. Memory from arena. */
taut_status taut_pieces_fit(const taut_pieces *spline, double tolerance, taut_arena *arena,
                            taut_pieces *pieces);
/* Room for so many pieces. */
taut_status taut_pieces_room(int degree, int count, taut_arena *arena, taut_pieces *pieces);

#endif
