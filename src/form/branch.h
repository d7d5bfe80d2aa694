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
/* The unknowns and the frame of a body whose parent has its own. */
taut_status taut_branch_frame(taut_kin *kin, int body);

#endif
