/* Where the bodies of a mechanism are and how they move, in numbers: what one formulation hands to
 * another at the start. */
#ifndef TAUT_FORM_POSE_H
#define TAUT_FORM_POSE_H

#include "form/assemble.h"

/* Index 0: the value, 1: its rate. */
typedef struct taut_pose {
    double origin[2][3];  /* of the body's axes */
    double axis[2][3][3]; /* [.][k]: the local axis k in the world; a thin rod in 3D: [.][0] is the
                             direction from its first element to its second one, no others */
} taut_pose;

/* A further unknown that formulations share: an angle, a distance, one of the file's Variables. */
typedef struct taut_start_value {
    const char *name;
    int order; /* of the derivative */
    double value;
} taut_start_value;

/* A whole mechanism at the start. Everything is borrowed. */
struct taut_start {
    const double (*element)[2][3]; /* [elements] */
    const taut_pose *body;         /* [bodies] */
    const taut_start_value *value; /* [values] */
    int values;
};

/* The pose of a body from its elements. */
taut_pose taut_pose_of(const taut_graph *graph, const taut_mechanism *mechanism, int body,
                       const double (*element)[2][3]);
/* The angular velocity (world axes) of a pose of a body with three axes. */
void taut_pose_omega(const taut_pose *pose, double omega[3]);
/* Euler parameters of a pose of a body with three axes; e[0] >= 0. */
void taut_pose_euler(const taut_pose *pose, double e[4]);

#endif
