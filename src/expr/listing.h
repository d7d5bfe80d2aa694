/* A tape as text, one operation a line: k for numbers, v for series.
 *
 *   k2 = k1*m            numbers that follow the parameters (if the graph follows them)
 *   v3 = t               leaves; those of plain tapes that are found elsewhere: u1, u2, ...
 *   v5 = 2 + k2*v0'' - v1*v4
 *   v6 = v5/v1
 *   v7 = sin(v6)         v7' = v8*v6'
 */
#ifndef TAUT_EXPR_LISTING_H
#define TAUT_EXPR_LISTING_H

#include "core/text.h"
#include "expr/infix.h"
#include "expr/tape.h"

/* Appends the tape; names may be NULL. See taut_string for what happens without memory. */
void taut_tape_print(const taut_tape *tape, const taut_names *names, taut_string *text);

#endif
