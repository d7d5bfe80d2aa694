/* Which variables an expression contains, and the highest order of their derivatives: rows of the
 * signature matrix of Pryce's structural analysis. */
#ifndef TAUT_EXPR_PATTERN_H
#define TAUT_EXPR_PATTERN_H

#include "expr/graph.h"

typedef struct taut_pattern taut_pattern; /* work space for many rows */

typedef struct taut_pattern_entry {
    int variable; /* its index */
    int order;    /* highest derivative, formally (no cancellation is looked for) */
} taut_pattern_entry;

taut_status taut_pattern_create(const taut_graph *graph, taut_pattern **pattern);
void taut_pattern_free(taut_pattern **pattern);
/* The entries of `root`, sorted by variable; *entry holds until the next call. */
taut_status taut_pattern_row(taut_pattern *pattern, taut_node root,
                             const taut_pattern_entry **entry, size_t *count);
/* Did the last row contain t itself? */
bool taut_pattern_has_time(const taut_pattern *pattern);

#endif
