/* Vectors of three numbers; in the plane the third is 0. */
#ifndef TAUT_OUT_SPACE_H
#define TAUT_OUT_SPACE_H

#include <math.h>

typedef struct taut_xyz {
    double x[3];
} taut_xyz;

/* a + factor * b */
static inline taut_xyz taut_xyz_add(taut_xyz a, double factor, taut_xyz b) {
    for (int i = 0; i < 3; i++) a.x[i] += factor * b.x[i];
    return a;
}
static inline taut_xyz taut_xyz_minus(taut_xyz a, taut_xyz b) { return taut_xyz_add(a, -1.0, b); }
static inline double taut_xyz_inner(taut_xyz a, taut_xyz b) {
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}
static inline double taut_xyz_length(taut_xyz a) { return sqrt(taut_xyz_inner(a, a)); }
static inline taut_xyz taut_xyz_cross(taut_xyz a, taut_xyz b) {
    return (taut_xyz){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                       a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

#endif
