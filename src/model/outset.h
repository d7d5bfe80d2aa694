/* What a formula is where the run begins, as far as the file says it: for the branches of kinks and
 * the pieces of tables that a search for the start begins with. */
#ifndef TAUT_MODEL_OUTSET_H
#define TAUT_MODEL_OUTSET_H

#include "model/symbols.h"

/* The value of a node at the start of the time span, or a little behind it (later > 0), if it
 * depends on t and parameters alone; false: it does not, or there is no memory. */
bool taut_outset_value(taut_symbols *symbols, taut_node node, double later, double *value);
/* The first time of the span; false: it has a fault. */
bool taut_outset_time(taut_symbols *symbols, double *t);
/* What the file gives for a point's component, a coordinate or another leaf; false: nothing. */
bool taut_outset_leaf(taut_symbols *symbols, int leaf, double *value);
enum { TAUT_OUTSET_MOST = 200 }; /* guesses that are worth their time in a file */
/* The same, at the start itself, for a node that may contain variables, points and coordinates of
 * which the file gives initial values. */
bool taut_outset_guess(taut_symbols *symbols, taut_node node, double *value);

#endif
