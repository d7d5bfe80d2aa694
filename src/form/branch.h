/* One body of the tree of relative coordinates: where its joint is, its unknowns and its frame.
 * Private to relative.c, branch.c and limb.c. */
#ifndef TAUT_FORM_BRANCH_H
#define TAUT_FORM_BRANCH_H

#include "form/relative.h"

/* The place of an element among those of a body; -1: it does not have it. */
int taut_branch_element(const taut_mechanism *mechanism, int body, int element);
/* Whose axis it is along which a point slides on a line or a plane; -1: of neither of both. */
int taut_branch_line_side(const taut_mechanism *mechanism, const taut_joint *joint,
                          const int body[2]);
/* An element as a body (-1: the ground) has it. */
taut_vec taut_branch_local(taut_kin *kin, int body, int element);
/* Right-handed axes from the one along which joints slide (plane: the first; space: the third), and
 * in space from a guess of the first one, if there is one. */
void taut_branch_axes(int dimension, const double along[3], const double *guess, double axes[3][3]);
/* The unknowns and the frame of a body whose parent has its own. */
taut_status taut_branch_frame(taut_kin *kin, int body);

#endif
