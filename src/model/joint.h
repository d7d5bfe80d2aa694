/* The table of joint kinds: what each demands, what it takes, and how much it removes. */
#ifndef TAUT_MODEL_JOINT_H
#define TAUT_MODEL_JOINT_H

#include <stdbool.h>

/* One row a condition and one a kind, in joint.def. ORDER: the equations of a joint. */
typedef enum taut_joint_condition {
#define TAUT_CONDITION(NAME, ...) TAUT_CONDITION_##NAME,
#define TAUT_JOINT(...)
#include "model/joint.def"
#undef TAUT_CONDITION
#undef TAUT_JOINT
    TAUT_JOINT_CONDITIONS
} taut_joint_condition;

typedef enum taut_joint_kind {
#define TAUT_CONDITION(...)
#define TAUT_JOINT(NAME, ...) TAUT_JOINT_##NAME,
#include "model/joint.def"
#undef TAUT_CONDITION
#undef TAUT_JOINT
    TAUT_JOINT_KINDS
} taut_joint_kind;

/* What a joint of some kind takes in a mechanism of some dimension. */
typedef struct taut_joint_needs {
    int points, axes, normals; /* 0 or 2; axes of what has a line or a plane: 1 */
    int angles, distances;     /* coordinates that can have names */
    bool geared;               /* it ties two coordinates */
    const char *number;        /* key of the number that it takes; NULL: none */
} taut_joint_needs;

/* The joint kind of this name, or -1; and its name. */
int taut_joint_find(const char *name);
const char *taut_joint_kind_name(taut_joint_kind kind);
/* Degrees of freedom that a joint of this kind takes away in a mechanism of this dimension; -1: it
 * has no meaning there. */
int taut_joint_removes(taut_joint_kind kind, int dimension);
/* How many equations it has. */
int taut_joint_equations(taut_joint_kind kind, int dimension);
/* Does it demand this condition? */
bool taut_joint_demands(taut_joint_kind kind, int dimension, taut_joint_condition condition);
taut_joint_needs taut_joint_takes(taut_joint_kind kind, int dimension);

#endif
