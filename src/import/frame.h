/* Frames and masses in space: rotations, changes of frame, inertias about the centre. */
#ifndef TAUT_IMPORT_FRAME_H
#define TAUT_IMPORT_FRAME_H

#include <stdbool.h>

/* Where a frame is in another one: x_other = R x + p. R by rows. */
typedef struct taut_robot_frame {
    double R[9], p[3];
} taut_robot_frame;

/* Mass, centre and inertia about it along the axes of a frame (by rows, products with the sign of
 * the tensor: Ixy = -sum m x y). */
typedef struct taut_mass {
    double mass, centre[3], inertia[9];
} taut_mass;

extern const taut_robot_frame taut_frame_none; /* the identity */

void taut_frame_rpy(const double rpy[3], double R[9]); /* about x, then y, then z, all fixed */
/* About an axis, which is made to length 1. */
void taut_frame_axis_angle(const double axis[3], double angle, double R[9]);
/* w x y z, which is made to length 1; false: it has none. */
bool taut_frame_quaternion(const double q[4], double R[9]);
/* The shortest turn that takes z to a direction. */
void taut_frame_from_z(const double z[3], double R[9]);
void taut_rotate(const double R[9], const double v[3], double out[3]);
void taut_frame_point(const taut_robot_frame *f, const double v[3], double out[3]);
void taut_matrix_multiply(const double a[9], const double b[9], double out[9]);
/* `inner` lies in `outer`: where it is in what outer lies in. */
taut_robot_frame taut_frame_compose(const taut_robot_frame *outer, const taut_robot_frame *inner);
taut_robot_frame taut_frame_inverse(const taut_robot_frame *f);

/* Makes a vector's length 1; false: it has none. */
bool taut_unit(double v[3]);
/* A unit vector across a unit vector: one of the axes where that is possible. */
void taut_across(const double u[3], double out[3]);

/* The mass of `in`, given in the frame f, in the frame that f lies in. */
taut_mass taut_mass_move(const taut_robot_frame *f, const taut_mass *in);
/* Two that move as one. */
taut_mass taut_mass_add(const taut_mass *a, const taut_mass *b);
/* Could something have this inertia? Positive principal moments, none above the sum of the others,
 * within rounding. */
bool taut_mass_is_possible(const taut_mass *m);

#endif
