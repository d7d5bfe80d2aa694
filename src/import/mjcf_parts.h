/* What the files of the MJCF reader share: the file with its defaults, places, bodies by name.
 * Private to mjcf.c, mjcf_attribute.c, mjcf_class.c, mjcf_geom.c, mjcf_include.c, mjcf_mesh.c,
 * mjcf_tendon.c and mjcf_tie.c. */
#ifndef TAUT_IMPORT_MJCF_PARTS_H
#define TAUT_IMPORT_MJCF_PARTS_H

#include "import/mjcf.h"

/* A body of the file, or a site: where it is on a body of the robot. */
typedef struct taut_mjcf_spot {
    const char *name; /* NULL: it has none */
    int body;         /* of the robot, or TAUT_GROUND */
    taut_robot_frame frame;
} taut_mjcf_spot;

/* A joint of a body: which of its steps, 0 if it is the only one. */
typedef struct taut_mjcf_hinge {
    int body, step;
} taut_mjcf_hinge;

typedef struct taut_mjcf_asset {
    const taut_xml *node;
} taut_mjcf_asset;

enum { TAUT_MJCF_KINDS = 6 /* of elements that classes speak of: mjcf_class.c */ };

/* What a class says of one kind of elements: attributes, and the element of <default> that has it.
 */
typedef struct taut_mjcf_word_said {
    const char *name;
    const taut_xml *by;
} taut_mjcf_word_said;

typedef struct taut_mjcf_words {
    taut_mjcf_word_said *item; /* in the robot's arena; shared with the class around it, or own */
    int count, room;
    bool own;
} taut_mjcf_words;

typedef struct taut_mjcf_class {
    taut_mjcf_words says[TAUT_MJCF_KINDS];
    int line;   /* of the file */
    int around; /* the class in which it stands; -1: none */
} taut_mjcf_class;

typedef struct taut_mjcf {
    taut_robot *robot;
    taut_errors *errors;
    const taut_xml *root;
    bool radians;            /* angles of the file; degrees otherwise */
    bool from_geoms;         /* inertia always from geoms */
    bool never_geoms;        /* ... or never */
    bool autolimits;         /* what has a range is limited */
    double total_mass;       /* that all bodies are to have; 0: as they have it */
    double least_mass;       /* of every body */
    double still_mass;       /* of bodies that never move */
    double groups[2];        /* first and last group of the geoms that have a mass */
    bool balance;            /* impossible inertias become those of balls */
    char sequence[4];        /* of Euler angles */
    const char *mesh_folder; /* of the files of meshes, from that of the model; NULL: the same */
    taut_mjcf_class *class;  /* [classes] the outermost, main, first; the note of an element is its
                                class here */
    int classes;
    size_t class_room;
    taut_roster class_name;
    taut_roster body_name, site_name, joint_name; /* numbers of these: */
    taut_mjcf_spot *body, *site;
    taut_mjcf_hinge *joint; /* those that have a name */
    int bodies, sites, joints;
    size_t body_room, site_room, joint_room;
    taut_roster mesh_name; /* numbers of these: */
    taut_mjcf_asset *mesh;
    int meshes;
    size_t mesh_room;
    size_t pulls;                                     /* length of the formulas of tendons */
    bool no_limits, no_friction, no_ties, no_passive; /* flags of <option> */
} taut_mjcf;

/* ---- mjcf_include.c ---- */

/* Puts what <include> names in its place, below the root. TAUT_ERR_INPUT: a file outside the folder
 * of the first one, one that is there already, or from_memory. */
taut_status taut_mjcf_include(taut_xml *root, taut_xml_files *files, bool from_memory,
                              taut_errors *errors);

/* ---- mjcf_class.c ---- */

/* Reads the default classes and gives every element its own, before anything is asked for.
 * TAUT_ERR_INPUT: a class that is not there, or twice. */
taut_status taut_mjcf_read_classes(taut_mjcf *m);
/* The element that has an attribute: the node itself, or what its class says; NULL: nobody. */
const taut_xml *taut_mjcf_source(const taut_mjcf *m, const taut_xml *node, const char *name);
/* Lists attributes that nothing reads, of an element of a kind that classes speak of. */
void taut_mjcf_leave_others(const taut_mjcf *m, const taut_xml *node);

/* ---- mjcf_attribute.c ---- */

const char *taut_mjcf_text(const taut_mjcf *m, const taut_xml *node, const char *name);
taut_status taut_mjcf_number(const taut_mjcf *m, const taut_xml *node, const char *name,
                             double *value);
taut_status taut_mjcf_numbers(const taut_mjcf *m, const taut_xml *node, const char *name,
                              double *value, int least, int count, int *found);
/* A word of a list, by its number; refuses others. *value stays without the attribute. */
taut_status taut_mjcf_word(const taut_mjcf *m, const taut_xml *node, const char *name,
                           const char *const *word, int words, int *value);
/* pos, and one of quat, axisangle, xyaxes, zaxis, euler. */
taut_status taut_mjcf_frame(const taut_mjcf *m, const taut_xml *node, taut_robot_frame *frame);
/* Lists attributes that are not among these words, "name pos ..."; others say nothing new. */
void taut_mjcf_leave_attributes(const taut_mjcf *m, const taut_xml *node, const char *known);
double taut_mjcf_angle(const taut_mjcf *m, double value);

/* ---- mjcf_geom.c ---- */

/* Mass of <inertial>, or of the geoms below a body, in the frame of the body. */
taut_status taut_mjcf_mass(taut_mjcf *m, const taut_xml *body, taut_mass *mass);

/* ---- mjcf_mesh.c ---- */

/* Lists the meshes of the file, by name. */
taut_status taut_mjcf_list_meshes(taut_mjcf *m);
/* The surface of a geom that is a mesh, on a body of the robot; at: where its body is in that. */
taut_status taut_mjcf_mesh(taut_mjcf *m, const taut_xml *geom, int body,
                           const taut_robot_frame *at);

/* What a geom that is a mesh encloses: its mass and inertia for a density of 1, in the frame of its
 * corners. TAUT_ERR_INPUT: it has no file, or one that is not closed. */
taut_status taut_mjcf_mesh_mass(const taut_mjcf *m, const taut_xml *geom, taut_mass *mass);

/* ---- mjcf_tendon.c ---- */

/* One element of <tendon>: a spring between two sites, or forces on joints. */
taut_status taut_mjcf_tendon(taut_mjcf *m, const taut_xml *node);

/* ---- mjcf_tie.c ---- */

/* The body or site that an attribute names. */
taut_status taut_mjcf_spot_named(const taut_mjcf *m, const taut_xml *node, const char *attribute,
                                 bool site, const taut_mjcf_spot **found);
/* The hinge or slide that an attribute names. */
taut_status taut_mjcf_joint_named(const taut_mjcf *m, const taut_xml *node, const char *attribute,
                                  taut_robot_joint **joint);
/* A free name for an equality or tendon, by its own; NULL without memory. */
const char *taut_mjcf_label(taut_mjcf *m, const taut_xml *node);
/* Where a body or site is in the world, where all coordinates are 0. */
taut_robot_frame taut_mjcf_world(const taut_mjcf *m, const taut_mjcf_spot *spot);
/* <equality> and <tendon>. */
taut_status taut_mjcf_ties(taut_mjcf *m);

#endif
