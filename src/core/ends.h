/* An order of elimination for matrices whose graph is long and thin, such as those of chains: from
 * both ends towards the middle, so that two pivots one behind the other do not wait for each other.
 * The orders that keep fill small begin at one end of them. Unknowns without a diagonal, as
 * multipliers are, come when their neighbours are done: of chains of masses all masses come first,
 * none of which waits for another, and then the links. */
#ifndef TAUT_CORE_ENDS_H
#define TAUT_CORE_ENDS_H

#include <stdbool.h>

#include "core/status.h"

/* The graph of a matrix: neighbours of i are row[start[i] .. start[i+1]-1] and
 * column[row_start[i] .. row_start[i+1]-1], its pattern by columns and by rows. */
typedef struct taut_pattern_graph {
    int n;
    const int *start, *row;
    const int *row_start, *column;
} taut_pattern_graph;

/* Is there an order by which a step works less, fill, waiting and elimination together, than by
 * `order` (n)? Then it takes its place. */
taut_status taut_order_from_ends(const taut_pattern_graph *graph, int *order, bool *better);

#endif
