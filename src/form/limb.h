/* The tree of relative coordinates as limbs, in numbers. Private to limb_law.c and limb.c. */
#ifndef TAUT_FORM_LIMB_H
#define TAUT_FORM_LIMB_H

#include "tree/law.h"
#include "form/mechanics.h"

/* Fills limbs and hinges. *fits: every coordinate is that of a hinge, and every mass that of a
 * limb. */
taut_status taut_limbs_create(taut_mechanics *n, int coordinates, taut_law *law, bool *fits);

#endif
