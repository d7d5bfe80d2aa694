/* Relative coordinates: how bodies hang on each other by the joints of a spanning tree
 * (docs/math/relative.md). */
#ifndef TAUT_FORM_RELATIVE_H
#define TAUT_FORM_RELATIVE_H

#include "form/kin.h"
#include "tree/spanning.h"

/* How a joint lets a body turn against its parent. */
typedef enum taut_turning {
    TAUT_TURNS_NOT,
    TAUT_TURNS_ONCE,  /* about the z axis of the joint */
    TAUT_TURNS_TWICE, /* about the parent's z axis, then about the body's: they stay at a right
                         angle */
    TAUT_TURNS_FREELY
} taut_turning;

/* What leads from a parent to a body. */
typedef struct taut_branch {
    bool absent; /* it is no body but a distance between two points */
    bool free;   /* no joint: mass centre and angles are its coordinates */
    bool rod;    /* in space: only its direction is known, and a coordinate if it turns freely */
    taut_turning turning;
    int slides;  /* along the z axis of the joint, or along its x and y axes if there are two; in
                    the plane along the x axis */
    int sliding; /* whose axes: 0 the parent's, 1 the body's */
    int ground;  /* the fixed point that it hangs on; -1: its parent is a body */
    taut_vec
        point[2]; /* where the joint is, from the origins of the two bodies; on the ground: there */
    double axes[2][3][3]; /* the joint's axes on both of them: [.][i][k] component i of axis k */
    taut_node angle;      /* plane: of its local axes in the world */
} taut_branch;

typedef struct taut_relative {
    taut_tree tree;
    taut_branch *branch; /* [bodies] */
    unsigned *held;      /* [joints] conditions that hold by construction, a bit each */
    int *group; /* [carriers + elements] elements of bodies (as in mechanism->carrier) and of the
                   ground that coincide by construction: a forest */
    int framed; /* so many bodies have frames, in the order of the tree */
} taut_relative;

/* The conditions (bits) of a joint that hold by construction, and whether all of a line do; for
 * kins of other formulations none. */
unsigned taut_relative_held(const taut_kin *kin, int joint);
bool taut_relative_holds_line(const taut_kin *kin, int collinear);

#endif
