/* A mechanism in relative coordinates as the recursion needs it: a tree of limbs in numbers, forces
 * on its coordinates, and what closes its loops, as nodes (docs/math/relative.md). */
#ifndef TAUT_TREE_LAW_H
#define TAUT_TREE_LAW_H

#include "tree/recursion.h"
#include "expr/graph.h"

/* Which unknowns a hinge has: one, or those of a ball from `variable` on. */
typedef struct taut_law_hinge {
    int limb, variable;
    bool rod; /* a ball whose unknowns are a direction and no quaternion */
} taut_law_hinge;

/* velocity' = 0 is an equation for accelerations; its derivatives by the rates of unknowns are
 * entries, and -lambda times these are forces. */
typedef struct taut_law_condition {
    taut_node position; /* what stays 0; TAUT_NO_NODE: it is one of velocities */
    taut_node velocity;
    int lambda;       /* the unknown */
    int first, count; /* its entries */
} taut_law_condition;

typedef struct taut_law_entry {
    int variable;
    taut_node node;
} taut_law_entry;

/* An unknown of first order. */
typedef struct taut_law_rate {
    int variable;
    taut_node node;
} taut_law_rate;

typedef struct taut_law {
    int dimension, limbs, hinges, conditions, forces, angles;
    double gravity[3];
    taut_limb *limb;
    taut_law_hinge *hinge;
    taut_law_condition *condition;
    taut_law_entry *entry; /* of all conditions */
    size_t entries;
    taut_law_entry *force; /* generalised forces beside gravity, those that are not 0 */
    taut_law_rate *angle;  /* tracked angles */
    taut_law_rate
        power; /* the work and its rate, which may contain multipliers; variable -1: none */
} taut_law;

#endif
