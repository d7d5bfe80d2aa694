/* A model by taut and by MuJoCo (Debian's libmujoco), an engine of its own: states that go from one
 * to the other, values that must be the same. Contacts, limits, dry friction, actuators and fluids
 * are off on both sides. */
#ifndef TAUT_TESTS_MUJOCO_PAIR_H
#define TAUT_TESTS_MUJOCO_PAIR_H

#include "check.h"

#include <mujoco/mujoco.h>

#include "solve_text.h"
#include "taut/taut.h"

enum { MUJOCO_NAME = 120, MUJOCO_SPEEDS = 40 /* of a model with loops */ };

typedef struct mujoco_pair {
    mjModel *m;
    mjData *d;
    char *text;   /* of the model file, without Limits and Friction */
    size_t parts; /* as much of it as is before ProblemData */
    char *state;  /* [room] the model file that starts as mujoco_write_state says */
    size_t room;
} mujoco_pair;

/* Imports `path`, and lets MuJoCo read `mujocos`: mostly the same file. */
mujoco_pair mujoco_load(const char *path, const char *mujocos);
void mujoco_unload(mujoco_pair *p);

/* The coordinate of joint j as the model calls it; text[MUJOCO_NAME]. */
const char *mujoco_label(const mujoco_pair *p, int j, char *text);
bool mujoco_is_scalar(const mujoco_pair *p, int j); /* a hinge or a slide */

/* A random state of MuJoCo, with everything computed from it. */
void mujoco_shake(const mujoco_pair *p);
/* That state as initial values: coordinates, or points and vectors, into p->state. */
void mujoco_write_state(const mujoco_pair *p);
/* Runs p->state, or any text; rows at these times. */
solution *mujoco_solve(const char *text, const char *formulation, double tol, const double *at,
                       int ats);
/* Accelerations a[nv] at positions q and velocities v. MuJoCo's equalities are soft: its mass
 * matrix, forces and Jacobian are put into the equations of rigid ones here; hinges and slides only
 * where there are some. false: they are not independent. */
bool mujoco_accelerate(const mujoco_pair *p, const double *q, const double *v, double *a);

/* Coordinates (order 0), rates (1) or accelerations (2) of a row are MuJoCo's, within limit times
 * the value or times `scale`. */
void mujoco_expect(const mujoco_pair *p, const solution *s, long row, int order, double limit,
                   double scale);

#endif
