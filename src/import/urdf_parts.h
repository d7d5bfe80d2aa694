/* What the files of the URDF reader share: links on their way to bodies. Private to urdf.c and
 * urdf_tie.c. */
#ifndef TAUT_IMPORT_URDF_PARTS_H
#define TAUT_IMPORT_URDF_PARTS_H

#include "import/urdf.h"

typedef struct taut_urdf_link {
    const char *name;
    const taut_xml *xml;
    const taut_xml *joint;  /* that moves it; NULL: it is the root */
    int parent;             /* a link */
    int body;               /* to which it belongs */
    taut_robot_frame frame; /* in the frame of that body */
    bool placed;
} taut_urdf_link;

typedef struct taut_urdf {
    taut_robot *robot;
    taut_errors *errors;
    taut_urdf_link *link; /* [links] in the order of the file */
    int links;
    taut_roster link_name, joint_line; /* numbers of links; lines of joints */
} taut_urdf;

/* ---- urdf_tie.c ---- */

/* A link by its name; -1: there is none. */
int taut_urdf_link_named(const taut_urdf *r, const char *name);
/* The link that an element names by an attribute. */
taut_status taut_urdf_read_link_name(const taut_urdf *r, const taut_xml *at, const char *attribute,
                                     int *found);
/* Mimic, links closing_NAME_1 and _2, and <loops> of the file beside (NULL: there is none). */
taut_status taut_urdf_ties(taut_urdf *r, const taut_xml *root, const taut_xml *loops);

#endif
