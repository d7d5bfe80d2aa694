/* Private to recursion.c, planar.c and spatial.c: the tree of limbs with room for all that a
 * recursion keeps. Slot 0 is the ground; limb i is slot i + 1. */
#ifndef TAUT_TREE_LIMBS_H
#define TAUT_TREE_LIMBS_H

#include "core/arena.h"
#include "tree/recursion.h"
#include "tree/spatial.h"

/* In the plane a motion or a force has three components, an inertia six:
 * torque = J turn + k . shift, force = k turn + M shift. */
typedef struct taut_planar_inertia {
    double J, kx, ky, mxx, mxy, myy;
} taut_planar_inertia;

/* What does not change, ... */
typedef struct taut_planar_limb {
    int parent; /* slot */
    int hinge, at;
    bool guided;
    double place_x, place_y, angle; /* of the hinge, on the parent */
    double mass, weight;            /* mass that gravity acts on */
    double centre_x, centre_y, J;   /* mass times the centroid; inertia about the origin */
} taut_planar_limb;

/* ... and what does. */
typedef struct taut_planar_state {
    double angle, c, s, spin; /* of the axes, and its rate */
    double rx, ry;            /* from the parent's origin to this one */
    double bias_x, bias_y;    /* acceleration of the origin when nothing accelerates */
    taut_planar_inertia I;    /* articulated; after elimination U / D is in J, kx, ky */
    double torque, fx, fy;    /* force that the articulated body takes when nothing accelerates */
    double u;                 /* (force on the hinge - what the limb needs of it) / D */
    double divisor;           /* 1 / D */
    double turn, ax, ay;      /* acceleration */
} taut_planar_state;

typedef struct taut_spatial_limb {
    int parent;
    taut_hinge_kind hinge;
    int coordinate, rate;
    bool guided;
    taut_v3 place;
    taut_m3 axes;
    double mass;
    bool weightless;
    taut_v3 centroid;
    taut_m3 inertia;
} taut_spatial_limb;

typedef struct taut_spatial_state {
    taut_m3 axes;
    taut_v3 origin, r, spin;
    taut_twist bias;  /* acceleration of the limb when nothing accelerates */
    taut_inertia I;   /* articulated */
    taut_wrench p;    /* force that the articulated body takes when nothing accelerates */
    int motions;      /* directions of the hinge, ... */
    taut_twist S[3];  /* ... what they are, ... */
    taut_wrench W[3]; /* ... I S L^-T, with ... */
    double L[3][3];   /* ... L L^T = S^T I S, ... */
    double y[3];      /* ... and L^-1 (force on the hinge - S^T p) */
    taut_twist a;     /* acceleration */
} taut_spatial_state;

struct taut_recursion {
    taut_arena arena;
    int dimension, slots;
    int coordinates, rates;
    double gravity[3];
    int *coordinate_of, *rate_of; /* [slots] */
    taut_planar_limb *planar;     /* [slots] in the plane */
    taut_planar_state *state;
    taut_spatial_limb *spatial; /* [slots] in space */
    taut_spatial_state *body;
    double *none; /* [rates] zeros */
    bool guiding;
};

void taut_planar_fill(taut_recursion *recursion, const taut_limb *limb);
bool taut_planar_accelerate(taut_recursion *recursion, const double *q, const double *v,
                            const double *force, double *acceleration);
void taut_planar_solve(taut_recursion *recursion, int first, int last, const double *force,
                       double *acceleration);
void taut_planar_mass(taut_recursion *recursion, const double *q, double *mass);
void taut_planar_inverse(taut_recursion *recursion, const double *q, const double *v,
                         const double *acceleration, double *force);
void taut_planar_pose(const taut_recursion *recursion, int slot, double origin[3],
                      double axes[3][3]);

double taut_planar_guided_force(const taut_recursion *recursion, int slot);

void taut_spatial_fill(taut_recursion *recursion, const taut_limb *limb);
bool taut_spatial_accelerate(taut_recursion *recursion, const double *q, const double *v,
                             const double *force, double *acceleration);
void taut_spatial_solve(taut_recursion *recursion, int first, int last, const double *force,
                        double *acceleration);
void taut_spatial_mass(taut_recursion *recursion, const double *q, double *mass);
void taut_spatial_inverse(taut_recursion *recursion, const double *q, const double *v,
                          const double *acceleration, double *force);
void taut_spatial_pose(const taut_recursion *recursion, int slot, double origin[3],
                       double axes[3][3]);

double taut_spatial_guided_force(const taut_recursion *recursion, int slot);

#endif
