/* What files of other programs describe, on its way to a model file: a tree of bodies, each with
 * one joint to its parent, and what closes loops or ties coordinates. */
#ifndef TAUT_IMPORT_ROBOT_H
#define TAUT_IMPORT_ROBOT_H

#include "core/arena.h"
#include "core/roster.h"
#include "core/status.h"
#include "core/text.h"
#include "import/frame.h"

enum { TAUT_GROUND = -1, TAUT_ROBOT_LOOPS_MAX = 5000, TAUT_ROBOT_SPRINGS_MAX = 20000 };

typedef enum taut_robot_kind {
    TAUT_ROBOT_REVOLUTE,
    TAUT_ROBOT_PRISMATIC,
    TAUT_ROBOT_SPHERICAL,
    TAUT_ROBOT_PLANAR, /* slides across its axis and turns about it */
    TAUT_ROBOT_FREE,
    TAUT_ROBOT_CHAIN /* several that turn or slide, one behind another */
} taut_robot_kind;

/* A force as a formula, " - 2*" times "p + q", in the robot's arena. */
typedef struct taut_robot_pull {
    const char *factor, *tension;
    struct taut_robot_pull *next;
} taut_robot_pull;

typedef struct taut_robot_joint {
    taut_robot_kind kind;
    const char *name;          /* as the file calls it */
    const char *label;         /* its coordinate in the model */
    double anchor[3], axis[3]; /* in the frame of the body that it moves; axis: length 1 */
    double damping, friction;
    double armature;        /* rotor inertia on the coordinate */
    double stiffness, rest; /* a spring; 0: there is none */
    double ref;             /* what the file calls the coordinate where it is 0 here */
    struct taut_robot_pull *pull, *last_pull; /* further forces; NULL: none */
    bool limited;
    double lower, upper;
    double initial;
    const char *along[2]; /* of a planar joint: its distances in the model */
} taut_robot_joint;

/* A surface, which pages draw. */
typedef struct taut_robot_mesh {
    const char *file; /* by path from the robot's file; NULL: there is none */
    double scale;
    taut_robot_frame frame; /* of the file, in that of the body */
} taut_robot_mesh;

typedef struct taut_robot_body {
    const char *name;       /* as the file calls it */
    const char *label;      /* its name in the model */
    int parent;             /* an earlier body, or TAUT_GROUND */
    taut_robot_frame pose;  /* in the frame of the parent where all coordinates are 0 */
    taut_robot_joint joint; /* to the parent */
    taut_robot_joint *step; /* [steps] of a chain, from the parent on; in the robot's arena */
    int steps;
    taut_robot_mesh mesh;
    taut_mass mass;     /* in its own frame; 0: it has none */
    taut_string merged; /* ", a, b": what is rigidly attached to it */
    int line;           /* of the file */
} taut_robot_body;

/* Two places that stay together. */
typedef struct taut_robot_loop {
    const char *label;
    int body[2];               /* or TAUT_GROUND */
    taut_robot_frame place[2]; /* in the frames of the bodies */
    taut_robot_kind kind; /* SPHERICAL, REVOLUTE about their z axes; FREE: nothing moves, a weld */
} taut_robot_loop;

/* second = ratio first + offset, of the coordinates of two bodies' joints. */
typedef struct taut_robot_tie {
    const char *label;
    int first, second;
    double ratio, offset;
} taut_robot_tie;

/* A spring and damper between two points. */
typedef struct taut_robot_spring {
    const char *label;
    int body[2];
    double place[2][3]; /* in the frames of the bodies */
    double stiffness, rest, damping;
} taut_robot_spring;

typedef struct taut_robot {
    taut_arena arena;
    const char *path, *title, *format; /* "URDF" */
    bool from_memory;                  /* there is no file, nor any beside it */
    taut_robot_body *body;
    int bodies;
    size_t body_room;
    taut_robot_loop *loop;
    int loops;
    size_t loop_room;
    taut_robot_tie *tie;
    int ties;
    size_t tie_room;
    taut_robot_spring *spring;
    int springs;
    size_t spring_room;
    taut_string constraints; /* further lines of Constraints */
    double gravity[3];
    taut_string left_out; /* what has no counterpart, a line each */
    taut_roster said;     /* its lines */
    taut_roster label;    /* names that are taken */
    taut_roster next;     /* by a name as the file has it: the number that its next namesake gets */
} taut_robot;

void taut_robot_release(taut_robot *robot);
/* What a name is for: further names come of it, such as O_ARM of a body ARM. */
typedef enum taut_robot_named {
    TAUT_NAMES_BODY,
    TAUT_NAMES_JOINT,
    TAUT_NAMES_TIE /* loops, springs, constraints */
} taut_robot_named;
/* A name for the model that is like this one and not taken, nor by what comes of it; NULL without
 * memory. */
const char *taut_robot_label(taut_robot *robot, const char *name, taut_robot_named named);
/* One more, zeroed, with the poses of nothing; NULL without memory. */
taut_robot_body *taut_robot_add_body(taut_robot *robot);
taut_robot_loop *taut_robot_add_loop(taut_robot *robot);
taut_robot_tie *taut_robot_add_tie(taut_robot *robot);
taut_robot_spring *taut_robot_add_spring(taut_robot *robot);
/* Where a body's frame is in the world, where all coordinates are 0. */
taut_robot_frame taut_robot_world(const taut_robot *robot, int body);
/* Adds a number with the fewest digits that give it back. */
void taut_robot_number(taut_string *out, double x);
/* Gives a body the surface of a file, as the robot's file calls it, or says why not.
 * TAUT_ERR_MEMORY only. */
taut_status taut_robot_add_mesh(taut_robot *robot, int body, const char *file,
                                const double scale[3], const taut_robot_frame *frame);
/* The path of a surface's file, folder/file by path from the robot's (folder may be NULL), for
 * reading it; path[4200]. false: it is not there, or not of a kind that is read. */
bool taut_robot_finds(const taut_robot *robot, const char *folder, const char *file, char *path);
/* Says that something has no counterpart; what was said already is not said again. */
__attribute__((format(printf, 2, 3))) void taut_robot_leave_out(taut_robot *robot,
                                                                const char *format, ...);

/* The model file (import/robot_text). */
taut_status taut_robot_write(const taut_robot *robot, taut_string *out);

#endif
