/* Replacing the leaves of formulas by what they stand for, once that is known.
 *
 * A model has its formulas as nodes of leaves (TAUT_OP_LEAF); a problem works in a copy of its
 * graph, where it gives each leaf a meaning. Every node is rebuilt at most once. */
#ifndef TAUT_EXPR_SUBSTITUTE_H
#define TAUT_EXPR_SUBSTITUTE_H

#include "expr/vec.h"

/* The node that leaf number `leaf` stands for; it may contain leaves itself, which stay, and may be
 * the leaf. TAUT_NO_NODE: it has no meaning, and `meaning` has said why. It may call
 * taut_substitute in turn. */
typedef taut_node taut_leaf_meaning(void *user, int leaf);

typedef struct taut_substitution taut_substitution;

taut_status taut_substitution_create(taut_graph *graph, taut_leaf_meaning *meaning, void *user,
                                     taut_substitution **substitution);
void taut_substitution_free(taut_substitution **substitution);

/* *result: the node with its leaves replaced. TAUT_ERR_INPUT if one has no meaning, and also if
 * what is constant in the result is no finite number (*finite is then false; otherwise true). */
taut_status taut_substitute(taut_substitution *substitution, taut_node node, taut_node *result,
                            bool *finite);

/* From now on until it forgets: `node` is replaced by `image`. */
taut_status taut_substitution_note(taut_substitution *substitution, taut_node node,
                                   taut_node image);

/* Makes it forget what it has found, because leaves have got other meanings. Costs as much as there
 * was to find, not as much as the graph is large. */
void taut_substitution_forget(taut_substitution *substitution);

/* The image of a node, if it has been substituted already; otherwise TAUT_NO_NODE. */
taut_node taut_substitution_known(const taut_substitution *substitution, taut_node node);

#endif
