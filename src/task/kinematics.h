/* Kinematics, inside: the way along a driven coordinate, what is in line, positions that reach a
 * target. */
#ifndef TAUT_TASK_KINEMATICS_H
#define TAUT_TASK_KINEMATICS_H

#include "task/linkage.h"
#include "task/result.h"
#include "taut/kinematics.h"

struct taut_kinematics {
    taut_arena arena;
    taut_result *result;
    int branches;
    taut_turn_back *turning;
    taut_motion_range *range;
    taut_reach *reach;
    size_t turnings, turning_room, ranges, range_room, reaches, reach_room;
    const char *drive; /* the coordinate; NULL: targets are to be reached */
    bool drive_angle;
};

/* ---- kinematics_path: along the driven coordinate ---- */

/* Moves z from where the function has the value *s to the value `to`, along the assembly that it is
 * in. TAUT_SINGULAR: the way ends before; *s and z are then near the end. */
taut_status taut_path_advance(taut_linkage *linkage, double *z, double *s, double to);
/* Goes on from there to where the function turns back; *found: z and *s are there. */
taut_status taut_path_dead_point(taut_linkage *linkage, double *z, double *s, double way,
                                 bool *found);
/* A random position to look for an assembly from, the number-th of a series. */
void taut_path_shuffle(const taut_linkage *linkage, int number, double *z);
/* Are two positions the same, tracked angles aside? */
bool taut_path_is_same(const taut_linkage *linkage, const double *a, const double *b);

/* ---- kinematics_lines: which bodies are in line, transmission angles ---- */

typedef struct taut_lines {
    const taut_problem *problem;
    taut_values place;  /* of all elements */
    double *value;      /* [elements * dimension] at the position that was seen last */
    int *joint, joints; /* [joints] pins between two bodies that move */
    int *pressed;   /* [pressed] of them those with a transmission angle: number in joint, ... */
    int (*ends)[2]; /* ... and the elements at the other ends: of the follower, of the coupler */
    int transmissions;
} taut_lines;
taut_status taut_lines_create(taut_linkage *linkage, const char *driven, taut_lines *x);
void taut_lines_see(const taut_linkage *linkage, taut_lines *x, const double *z);
/* "OA and AB are in line (stretched)", or "". */
taut_status taut_lines_name(const taut_lines *x, taut_arena *arena, const char **words);
const char *taut_lines_transmission_name(const taut_lines *x, int k);
double taut_lines_transmission(const taut_lines *x, int k);

/* ---- kinematics_reach ---- */

/* Moves z to where the functions are nearest to `wanted`; *distance: how near, in the units of the
 * functions. */
taut_status taut_reach_towards(taut_linkage *linkage, const double *wanted, double *z,
                               double *distance);

#endif
