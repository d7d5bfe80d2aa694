/* Forces of a Lagrangian as unknowns, for the stiff method (docs/math/hermite-obreschkoff.md,
 * section 2): a term K g^n, n > 1, acts through g with the force F = n K g^(n-1). */
#ifndef TAUT_FORM_LIFT_H
#define TAUT_FORM_LIFT_H

#include "expr/pattern.h"
#include "form/assemble.h"

/* A force that is an unknown of its own: variable - value = 0. */
typedef struct taut_lifted_force {
    taut_node inner; /* what it acts through; TAUT_NO_NODE: it is a force as given */
    bool damping;    /* a term of the dissipation, g contains rates */
    taut_node value, variable;
    const char *name;
} taut_lifted_force;

typedef struct taut_lifting {
    taut_problem *problem;
    taut_pattern *pattern;
    taut_lifted_force *force; /* [forces] */
    size_t forces, room;
    taut_node *rest; /* [rests] terms that stay, of the function that is being split */
    size_t rests, rest_room;
    long looks; /* into nodes so far */
} taut_lifting;

taut_status taut_lifting_create(taut_problem *problem, taut_lifting *lifting);
void taut_lifting_release(taut_lifting *lifting);
/* Takes the terms to be lifted out of a function of coordinates (damping: of their rates); *f is
 * what is left. */
taut_status taut_lifting_split(taut_lifting *lifting, bool damping, taut_node *f);
/* Replaces forces that depend on the motion by unknowns, the same one for a force and its reaction.
 * Different ones that depend on the same coordinates may be components of one stiff force, which
 * cannot be seen from one of them: they stay. So do those with unknowns beyond the coordinates,
 * where the file has said what is to be one. */
taut_status taut_lifting_forces(taut_lifting *lifting, taut_node *force, int count);
/* After the last of these: the problem knows its unknowns. */
void taut_lifting_finish(taut_lifting *lifting);
/* The equations of the unknowns, from number *n on; the system must have been filled. */
void taut_lifting_add_equations(const taut_lifting *lifting, int *n);

#endif
