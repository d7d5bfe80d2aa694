/* How the equations of a mechanism come about, part by part (docs/math/natural.md): what a part
 * brings in as unknowns, what it assigns to others by formulas, which equations it adds. */
#ifndef TAUT_FORM_BUILDUP_H
#define TAUT_FORM_BUILDUP_H

#include "form/mechanics.h"

typedef struct taut_buildup_list {
    const char **name;
    int count;
} taut_buildup_list;

/* A body, a particle or point without one, a joint, or a condition of the file. */
typedef struct taut_buildup_part {
    const char *name;
    taut_buildup_list brings;   /* elements and scalars that become unknowns, ... */
    int unknowns;               /* ... and how many numbers they are */
    taut_buildup_list assigns;  /* elements that get their place by a formula */
    taut_buildup_list equates;  /* equations, by name ... */
    int *equation;              /* [equates.count] ... and by number in the system */
    taut_buildup_list left_out; /* equations that others imply */
} taut_buildup_part;

struct taut_buildup {
    taut_buildup_part *part; /* [parts] in an order in which each can be made of those before */
    int parts;
};

/* Fills problem->buildup; the equations are there already. */
taut_status taut_buildup_make(const taut_mechanics *n);

#endif
