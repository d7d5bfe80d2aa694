/* The table of joint kinds. */
#include "model/joint.h"

#include <string.h>

enum {
    NONE = 0,
#define TAUT_CONDITION(NAME, ...) NAME = 1 << TAUT_CONDITION_##NAME,
#define TAUT_JOINT(...)
#include "model/joint.def"
#undef TAUT_CONDITION
#undef TAUT_JOINT
};

/* ORDER: as in joint.def */
static const struct {
    int removes[2]; /* 2D, 3D */
    int points, axes, normals;
} CONDITION[] = {
#define TAUT_CONDITION(NAME, name, planar, spatial, points, axes, normals, doc)                    \
    {{planar, spatial}, points, axes, normals},
#define TAUT_JOINT(...)
#include "model/joint.def"
#undef TAUT_CONDITION
#undef TAUT_JOINT
};

/* ORDER: as in joint.def */
static const struct {
    const char *name;
    int demands[2]; /* 2D, 3D */
    int angles, distances;
    const char *number;
} KIND[] = {
#define TAUT_CONDITION(...)
#define TAUT_JOINT(NAME, name, planar, spatial, angles, distances, number, doc)                    \
    {#name, {planar, spatial}, angles, distances, number},
#include "model/joint.def"
#undef TAUT_CONDITION
#undef TAUT_JOINT
};

int taut_joint_find(const char *name) {
    for (int i = 0; i < TAUT_JOINT_KINDS; i++)
        if (strcmp(KIND[i].name, name) == 0) return i;
    return -1;
}

const char *taut_joint_kind_name(taut_joint_kind kind) { return KIND[kind].name; }

bool taut_joint_demands(taut_joint_kind kind, int dimension, taut_joint_condition condition) {
    return KIND[kind].demands[dimension - 2] >> condition & 1;
}

int taut_joint_removes(taut_joint_kind kind, int dimension) {
    int sum = 0;
    if (KIND[kind].demands[dimension - 2] == NONE) return -1;
    for (int i = 0; i < TAUT_JOINT_CONDITIONS; i++)
        if (taut_joint_demands(kind, dimension, (taut_joint_condition)i))
            sum += CONDITION[i].removes[dimension - 2];
    return sum;
}

int taut_joint_equations(taut_joint_kind kind, int dimension) {
    /* a point on a curve has one unknown more */
    return taut_joint_removes(kind, dimension) +
           (taut_joint_demands(kind, dimension, TAUT_CONDITION_ON_CURVE) ? 1 : 0);
}

static int larger(int a, int b) { return a > b ? a : b; }

taut_joint_needs taut_joint_takes(taut_joint_kind kind, int dimension) {
    taut_joint_needs needs = {.angles = KIND[kind].angles,
                              .distances = KIND[kind].distances,
                              .geared = KIND[kind].demands[dimension - 2] == GEARED,
                              .number = KIND[kind].number};
    for (int i = 0; i < TAUT_JOINT_CONDITIONS; i++) {
        if (!taut_joint_demands(kind, dimension, (taut_joint_condition)i)) continue;
        needs.points = larger(needs.points, CONDITION[i].points);
        needs.axes = larger(needs.axes, CONDITION[i].axes);
        needs.normals = larger(needs.normals, CONDITION[i].normals);
    }
    if (dimension == 2) needs.angles = KIND[kind].demands[0] == MEET;
    return needs;
}
