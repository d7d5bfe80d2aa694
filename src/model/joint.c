/* The table of joint kinds. */
#include <string.h>

#include "model/mechanism.h"

/* ORDER: as in joint.def */
static const struct {
    const char *name;
    int removes[2]; /* 2D, 3D */
} KIND[] = {
#define TAUT_JOINT(NAME, name, points, axes, planar, spatial, doc) {#name, {planar, spatial}},
#include "model/joint.def"
#undef TAUT_JOINT
};

int taut_joint_find(const char *name) {
    for (int i = 0; i < TAUT_JOINT_KINDS; i++)
        if (strcmp(KIND[i].name, name) == 0) return i;
    return -1;
}

const char *taut_joint_kind_name(taut_joint_kind kind) { return KIND[kind].name; }

int taut_joint_removes(taut_joint_kind kind, int dimension) {
    return KIND[kind].removes[dimension - 2];
}
