/* A joint as a pair of bodies: its equations and its coordinates as functions of points and vectors
 * of the two bodies in the world (docs/math/joints.md). It does not matter which formulation gives
 * them their values. */
#ifndef TAUT_FORM_PAIR_H
#define TAUT_FORM_PAIR_H

#include "expr/vec.h"
#include "model/mechanism.h"

enum { TAUT_PAIR_MOST = 6 }; /* equations of a joint */

/* Where the elements of a joint are; n = 0: it has none. */
typedef struct taut_pair {
    const taut_joint *joint;
    int dimension;
    taut_vec point[2], axis[2], normal[2];
    taut_vec across[2]; /* two directions across axis[0], fixed where it is fixed (one in 2D) */
    taut_vec x[2];      /* 2D: the local x axes of the bodies, between which the angle is */
    taut_vec curve;     /* from the first point to the place on the curve, in the world */
    taut_node geared[2], phase; /* coordinates that are tied, and what is left at 0 */
} taut_pair;

/* An equation node = 0; part: which of the joint's constraint equations it is. */
typedef struct taut_pair_equation {
    taut_node node;
    const char *part;
    bool component; /* of a vector that vanishes */
} taut_pair_equation;

/* Writes the equations of a joint, as many as it demands beside the conditions that are held
 * already (a bit each); returns their number. */
int taut_pair_equations(taut_graph *graph, const taut_pair *pair, unsigned held,
                        taut_pair_equation *equation);
/* The directions between which an angle of the joint is, of its first and its second body, and the
 * axis about which it counts (3D); returns which of the two has that. */
int taut_pair_angle(const taut_pair *pair, int number, taut_vec *from, taut_vec *to,
                    taut_vec *axis);
/* A distance that the joint leaves free, and the direction along which it counts. */
taut_vec taut_pair_direction(taut_graph *graph, const taut_pair *pair, int number);
taut_node taut_pair_distance(taut_graph *graph, const taut_pair *pair, int number);

#endif
