/* A spanning tree of bodies and joints, from the ground outwards (docs/math/relative.md). Joints
 * that are not in it close loops. */
#ifndef TAUT_TREE_SPANNING_H
#define TAUT_TREE_SPANNING_H

#include <stdbool.h>

#include "core/arena.h"
#include "core/status.h"

/* A joint as the tree sees it. */
typedef struct taut_tree_edge {
    int body[2]; /* -1: the ground */
    int holds;   /* degrees of freedom that it takes away, if it is part of the tree: 0 to 6 */
    bool usable; /* it can be part of the tree */
} taut_tree_edge;

typedef struct taut_tree {
    int bodies;
    int *parent;  /* [bodies] -1: the ground */
    int *joint;   /* [bodies] that leads to it; -1: none, it is free */
    int *side;    /* [bodies] which body of the joint it is */
    int *order;   /* [bodies] parents before children */
    bool *inside; /* [joints] is it part of the tree? */
} taut_tree;

/* The tree whose joints hold most, so that those which are cut demand least; where there is a
 * choice, the one with the shortest ways from the ground, which cuts loops in the middle. A body
 * that no usable joint connects with the ground is free, and the next ones may hang on it. */
taut_status taut_tree_create(taut_arena *arena, int bodies, const taut_tree_edge *edge, int edges,
                             taut_tree *tree);

#endif
