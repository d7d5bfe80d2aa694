/* Accelerations of a tree of rigid bodies by recursion over its hinges: articulated bodies, O(n),
 * in numbers (docs/math/relative.md). A joint is a row of hinges, each with the limb that it moves;
 * all limbs of a row but the last have no mass. */
#ifndef TAUT_TREE_RECURSION_H
#define TAUT_TREE_RECURSION_H

#include <stdbool.h>

#include "core/status.h"

typedef enum taut_hinge_kind {
    TAUT_HINGE_FIXED, /* nothing moves */
    TAUT_HINGE_TURN,  /* about the z axis of the hinge */
    TAUT_HINGE_SLIDE, /* along its z axis; in the plane along its x axis */
    TAUT_HINGE_BALL /* in space, any way: the coordinates are a quaternion, scalar first, that turns
                       the world's axes to the limb's; the rates are the limb's angular velocity
                       along its own axes, whatever its parent does */
} taut_hinge_kind;

/* What one hinge moves. The limb's axes are those of the hinge, moved by it. In the plane z stays
 * normal to it, and what points out of it is not looked at. */
typedef struct taut_limb {
    int parent; /* an earlier limb; -1: the ground */
    taut_hinge_kind hinge;
    double place[3];   /* of the hinge, from the parent's origin along the parent's axes */
    double axes[3][3]; /* of the hinge there: axes[i][k] is component i of axis k */
    double mass, centroid[3];
    double inertia[3][3]; /* about the centroid, along the limb's axes; in the plane [2][2] */
    bool weightless;      /* gravity does not act on it */
} taut_limb;

typedef struct taut_recursion taut_recursion;

/* A tree of limbs in the plane (dimension 2) or in space (3); parents come before their children.
 */
taut_status taut_recursion_create(int dimension, const taut_limb *limb, int limbs,
                                  const double gravity[3], taut_recursion **recursion);
void taut_recursion_free(taut_recursion **recursion);
/* Numbers of coordinates and of rates: a ball has four and three, others one of each, or none. */
int taut_recursion_coordinates(const taut_recursion *recursion);
int taut_recursion_rates(const taut_recursion *recursion);
/* Where those of a limb begin. */
int taut_recursion_coordinate_of(const taut_recursion *recursion, int limb);
int taut_recursion_rate_of(const taut_recursion *recursion, int limb);

/* acceleration = M^-1 (force + weights - what velocities cause); force: what acts on the rates,
 * beside gravity (NULL: nothing). Allocates nothing. False: a limb that can move has no inertia. */
bool taut_recursion_accelerate(taut_recursion *recursion, const double *coordinate,
                               const double *rate, const double *force, double *acceleration);
/* acceleration = M^-1 force, at the coordinates of the last call of the function above, for limbs
 * first .. last, which hang on each other and on the ground only: force and acceleration are read
 * and written there alone. */
void taut_recursion_solve(taut_recursion *recursion, int first, int last, const double *force,
                          double *acceleration);

/* Hinges of one rate can be guided: their acceleration is prescribed. While guiding is on,
 * taut_recursion_accelerate takes the accelerations of guided limbs as given, and
 * taut_recursion_solve leaves them 0. */
void taut_recursion_guide(taut_recursion *recursion, int limb);
void taut_recursion_set_guiding(taut_recursion *recursion, bool on);
/* After taut_recursion_accelerate: the force on the rate of a guided limb that its motion takes. */
double taut_recursion_guided_force(const taut_recursion *recursion, int limb);

/* Two ways to check it. The mass matrix by composite bodies (rates x rates, symmetric), and the
 * force that a motion takes, beside gravity, by Newton's and Euler's laws. */
void taut_recursion_mass(taut_recursion *recursion, const double *q, double *mass);
void taut_recursion_inverse(taut_recursion *recursion, const double *q, const double *v,
                            const double *acceleration, double *force);

/* Where a limb is after any of these: its origin, and its axes as in taut_limb. The recursion for
 * the plane does not need origins; this function adds them up. */
void taut_recursion_pose(const taut_recursion *recursion, int limb, double origin[3],
                         double axes[3][3]);

#endif
