/* The Mechanism: bodies with local points and vectors, joints, force elements, each with its name
 * and its line, independent of any formulation. Formulas of positions are nodes of leaves, one for
 * each component of an element and each named coordinate (taut_model_leaf); a formulation says what
 * these are in its own unknowns. */
#ifndef TAUT_MODEL_MECHANISM_H
#define TAUT_MODEL_MECHANISM_H

#include "expr/vec.h"
#include "core/status.h"
#include "model/joint.h"

enum { TAUT_BODY_ELEMENTS_MAX = 4096 };

/* A point or a direction. How it gets its place in the world is up to the formulation, unless the
 * file says it. */
typedef struct taut_element {
    const char *name;
    bool is_vector;    /* small first letter: a direction */
    bool fixed;        /* Fixed: `given` are its coordinates, of numbers, t and fixed elements */
    bool formula;      /* Points: `given` is its definition by others */
    taut_vec given;    /* a vector's need not have length 1 */
    taut_place where;  /* that formula */
    taut_node leaf[3]; /* its components in formulas */
    int collinear;     /* number of the Collinears entry that places it; -1: none */
    bool copy;         /* a body has it for itself, because its joint is split: ... */
    int original;     /* ... the element that it was; it has the columns, unless the joint breaks */
    taut_place place; /* where it was first named */
} taut_element;

/* What a body looks like, from its Shape; TAUT_NO_NODE: not given. */
typedef struct taut_look {
    const char *kind; /* a name of shape.def; NULL: nothing is said */
    taut_node size[3], length, radius, area;
    taut_vec axis;                /* local, of length 1; n = 0: normal to the plane, or none */
    taut_vec centre;              /* local */
    const struct taut_mesh *mesh; /* NULL: none; it lives as long as the file */
    double mesh_scale,
        mesh_origin[3];     /* local coordinates = origin + scale * turned(its own) ... */
    double mesh_axis[3][3]; /* ... its x, y and z axes in local axes */
} taut_look;

/* A rigid body, or a thin rod (two elements in 3D). */
typedef struct taut_body {
    const char *name;
    int elements;
    int *element;    /* [elements] the first is the local origin, and a point */
    taut_vec *local; /* [elements] local coordinates, steady; vectors have length 1 */
    bool has_mass;
    taut_vec centroid; /* local */
    taut_node mass;
    bool thin;               /* inertia is one number about axes normal to local x (3D) */
    taut_node inertia[3][3]; /* about the centroid, local axes; [0][0] if thin or 2D */
    bool weightless;         /* gravity does not act on it */
    taut_look look;
    taut_place place;
} taut_body;

/* Springs, Dampers, SpringDampers between two points. TAUT_NO_NODE: has none. */
typedef struct taut_link {
    const char *name;
    int point[2];
    taut_node stiffness, rest_length, damping, mass;
    bool full; /* the damper acts on the whole relative velocity, not along the line of sight */
    taut_place place;
} taut_link;

typedef struct taut_particle {
    int point;
    taut_node mass;
    bool weightless;
    taut_place place;
} taut_particle;

/* point = origin + scalar * vector */
typedef struct taut_collinear {
    int origin, vector, point;
    const char *scalar; /* its name; NULL: none was given */
    int leaf;           /* of the scalar; -1: none */
    taut_place place;
} taut_collinear;

/* A joint: named in the file, or found where two bodies share elements. body -1 is the ground. */
typedef struct taut_joint {
    const char *name;
    taut_joint_kind kind;
    bool shared; /* it arose from sharing and needs no equations of its own */
    int body[2];
    bool said[2]; /* the file says which body it is */
    int point[2]; /* elements, -1: none; equal if shared */
    int axis[2];  /* likewise */
    int normal[2];
    const char *angle[2], *distance[2]; /* names of its coordinates; NULL: none */
    const char *geared[2];              /* names of the coordinates x, y that it ties, ... */
    taut_node tied[2];                  /* ... and what they mean */
    taut_node number;                   /* length, pitch, ratio or radius */
    taut_node phase;       /* y where x is 0, of what is geared; TAUT_NO_NODE: as it starts */
    taut_vec curve;        /* in the first body's axes, from its point */
    taut_place curve_at;   /* its formula */
    const char *parameter; /* of the curve */
    int leaf[3];           /* of the two distances and the parameter; -1: none */
    bool disassembled;     /* the initial values need not put its bodies together */
    unsigned asked;        /* bits: which of Fx Fy Fz Tx Ty Tz somebody asks for */
    bool split;            /* its equations stand with multipliers: somebody asks for its load */
    bool turned;           /* by sharing its bodies were the other way round: so its forces count */
    bool rubs;             /* it has friction: it needs its coordinate */
    bool breaks;           /* it may let go: its multipliers are unknowns with modes; ... */
    bool broken;           /* ... the entry of Breaks has been read */
    int load, multiplier;  /* split: leaves, six of forces and torques along x, y, z, ...
                              ... and one for each of its equations */
    taut_place place;
} taut_joint;

/* A torsion spring or a rotational damper: about a tracked angle, or between two bodies. */
typedef struct taut_torsion {
    const char *name;
    int angle;                          /* -1: between the bodies */
    int body[2];                        /* -1: the ground */
    taut_node stiffness, rest, damping; /* TAUT_NO_NODE: has none */
    taut_place place;
} taut_torsion;

/* A soft mount between a point of each of two bodies, along and about the first body's axes. */
typedef struct taut_bushing {
    const char *name;
    int point[2];
    int body[2];                     /* -1: the ground */
    bool said[2];                    /* the file says which body it is */
    taut_vec stiffness, damping;     /* along the axes; n = 0: none */
    taut_vec torsion, twist_damping; /* about the axes; 2D: one number */
    taut_place place;
} taut_bushing;

/* Rotor inertia: a mass or inertia that moves with the rate of a coordinate and with nothing else,
 * behind a gear. */
typedef struct taut_armature {
    const char *name;  /* of the coordinate: an angle or a distance */
    taut_node on;      /* its leaf */
    taut_node inertia; /* steady */
    taut_place place;
} taut_armature;

/* A force at a point, a torque on a body, or either on a coordinate. */
typedef struct taut_load {
    const char *name;
    int target;             /* element or body; -1: the coordinate: */
    const char *coordinate; /* an angle or a distance, ... */
    taut_node on;           /* ... and its leaf */
    int against;            /* point or body that feels the opposite; -1: the ground */
    bool torque;
    taut_vec value; /* a number between two points acts along their line */
    taut_place place, value_place;
} taut_load;

/* Resistance at a point: -(linear + square sqrt(v^2 + slow^2)) v */
typedef struct taut_drag {
    int point;
    taut_node linear, square, slow; /* TAUT_NO_NODE: only the linear one */
    taut_place place;
} taut_drag;

/* A direction between which angles count. */
typedef enum taut_heading_kind {
    TAUT_HEADING_BODY,   /* the local x axis of a body; -1: of the world */
    TAUT_HEADING_VECTOR, /* an element */
    TAUT_HEADING_LINE,   /* from one point to another */
    TAUT_HEADING_FORMULA
} taut_heading_kind;

typedef struct taut_heading {
    taut_heading_kind kind;
    int body;
    int element[2]; /* the vector, or the two points */
    taut_vec formula;
    taut_place place;
} taut_heading;

/* A tracked angle: from one direction to another, about an axis (3D). */
typedef struct taut_angle {
    const char *name;
    bool directed;         /* by the file; false: of a joint, or between two bodies: */
    taut_heading from, to; /* if directed */
    taut_heading axis;     /* in space */
    int joint, number;     /* which joint (-1: none), and its first or second angle */
    int body[2];           /* -1: the ground */
    int leaf;
    taut_place place;
} taut_angle;

/* Something that is prescribed as a function of time. */
typedef struct taut_driver {
    const char *name;  /* as it is written: Ax or A.x; with a prime its velocity is driven */
    const char *plain; /* Ax */
    bool velocity;
    taut_vec driven;  /* what it drives; n = 0: the distance between ... */
    int point[2];     /* ... these points */
    taut_node wanted; /* the function */
    int leaf;         /* of its force */
    bool breaks;      /* it may let go: its force is an unknown with modes */
    taut_place place, wanted_place;
} taut_driver;

typedef struct taut_mechanism {
    int dimension; /* 2 or 3 */
    taut_element *element;
    taut_body *body;
    taut_link *link;
    taut_particle *particle;
    taut_collinear *collinear;
    taut_joint *joint;
    taut_torsion *torsion;
    taut_bushing *bushing;
    taut_armature *armature;
    taut_load *load;
    taut_drag *drag;
    taut_angle *angle;
    taut_driver *driver;
    int elements, bodies, links, particles, collinears, joints, torsions, bushings, armatures,
        loads, drags, angles, drivers;
    size_t element_room, body_room, link_room, particle_room, collinear_room, joint_room,
        torsion_room, bushing_room, armature_room, load_room, drag_room, angle_room, driver_room;
    int splits;      /* joints whose load is asked for */
    int copies;      /* elements at the end that came by splitting joints */
    int *body_table; /* [body_slots] bodies by name: number + 1; 0: empty */
    size_t body_slots;
    int *carrier; /* [sum of the bodies' elements] the bodies that have element e, rising: ... */
    int *carrier_start; /* [elements + 1] ... from carrier_start[e] to carrier_start[e + 1] */
    bool has_gravity;
    taut_vec gravity; /* steady */
} taut_mechanism;

/* Makes a vector of length 1; TAUT_ERR_INPUT if it is 0. */
taut_status taut_mechanism_direction(taut_graph *graph, taut_vec *vector);

#endif
