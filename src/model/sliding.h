/* Sliding velocities of contacts by shape: those of the two material points that touch. Private to
 * the room. */
#ifndef TAUT_MODEL_SLIDING_H
#define TAUT_MODEL_SLIDING_H

#include "model/surface.h"

/* A point with a radius, or a point with a direction. */
typedef struct taut_shape {
    const taut_yaml *node;
    const taut_yaml *name; /* of its point, ... */
    const taut_yaml *body; /* ... and of the body that it is part of; NULL: that of the point */
    taut_vec centre, direction;
    taut_node radius; /* 0: a point */
    bool round;       /* it has a radius */
    bool inside;      /* ... and the inside is free */
} taut_shape;

/* The sliding velocity where `what` touches `other`, whose normal (of length 1) points to the
 * former. Formulas of velocities: x->rates is set. */
taut_status taut_sliding_find(taut_reader *reader, const taut_shape *what, const taut_shape *other,
                              taut_vec normal, taut_surface *x);
/* The angular velocity of a body in space along the axes of the world; -1: the ground. False: it
 * has too few points and vectors. */
bool taut_sliding_spin(taut_reader *reader, int body, taut_vec *omega);
/* Two directions of length 1 at right angles to a normal in space; not where it is -sign z. */
void taut_sliding_tangents(taut_graph *graph, taut_vec normal, taut_node sign, taut_vec e[2]);

#endif
