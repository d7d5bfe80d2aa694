/* The geometry of a mechanism as data for a page: points, bodies, links, joints, loads. The format
 * is in docs/scene.md. */
#ifndef TAUT_OUT_SCENE_H
#define TAUT_OUT_SCENE_H

#include "core/mesh.h"
#include "out/columns.h"
#include "out/space.h"

/* A point as it is drawn. On the page of a failed assembly every body has its own ones. */
typedef struct taut_scene_point {
    const char *name;
    bool moves;
    double fixed[3]; /* if it does not */
    int column[3];   /* if it does */
    double particle; /* mass; NaN: none */
} taut_scene_point;

/* The centroid of a body as origin + a d1 + b d2 + c (d1 x d2), where d1 and d2 are the directions
 * of two elements of the body: the same numbers in the body and in the world. */
typedef struct taut_scene_centroid {
    bool known;
    int d[2]; /* elements of the body; d[1] = -1: normal of the plane (2D), or none (thin rod) */
    double factor[3];
} taut_scene_centroid;

typedef struct taut_scene {
    taut_arena *arena;
    const taut_model *model;
    const taut_mechanism *mechanism; /* NULL: there is nothing to draw */
    taut_columns *columns;
    bool open; /* the parts do not fit together; there is one row */
    taut_scene_point *point;
    int points;
    size_t point_room;
    int *point_of;                 /* [elements] the point, or the number of the vector */
    int **body_point;              /* [bodies][elements of the body] the same for a body's own */
    int *vector_at;                /* [elements] the point where a vector is drawn; -1: none */
    taut_scene_centroid *centroid; /* [bodies] */
    int *surface;                  /* [bodies] the number of its mesh along its axes; -1: none */
    int *surface_of;               /* [surfaces] the first body that has it */
    int surfaces;
    int *force;        /* [links] column; -1: none */
    taut_graph *graph; /* a copy of the model's, for row_values.c */
    int (*load)[3];    /* [loads] columns of the components; -1: none */
} taut_scene;

/* Prepares the scene; adds columns for what it computes. */
taut_status taut_scene_create(taut_scene *scene, taut_columns *columns, bool open);
void taut_scene_release(taut_scene *scene);
/* The members "dimension" to "angles" of a page, each with a comma before it. */
void taut_scene_write(const taut_scene *scene, taut_string *out);

/* An element as a point, whichever bodies share it. */
taut_scene_point taut_scene_element_point(const taut_scene *scene, int element);
/* The number of a steady node of the model, NaN if it has none. */
double taut_scene_number(const taut_scene *scene, taut_node node);
/* A steady vector of the model; and where an element is, in a row. */
taut_xyz taut_scene_local(const taut_scene *scene, taut_vec vector);
taut_xyz taut_scene_element(const taut_scene *scene, int element, long row);
/* One more point; -1 without memory. */
int taut_scene_add_point(taut_scene *scene, const taut_scene_point *point);
/* tracks.c: the centroid of a body, and a column for the force of a link. */
void taut_scene_find_centroid(taut_scene *scene, int body);
taut_status taut_scene_add_force(taut_scene *scene, int i);
/* load_columns.c: columns for an applied force or torque, where they can be told. */
taut_status taut_scene_add_load(taut_scene *scene, int i);
/* looks.c: members that say what things look like, each with a comma before it. */
void taut_scene_put_shape(const taut_scene *scene, taut_string *out, const taut_body *body);
void taut_scene_put_inertia(const taut_scene *scene, taut_string *out, const taut_body *body);
void taut_scene_put_joint_look(const taut_scene *scene, taut_string *out, const taut_joint *joint);
/* What a driver drives, and where that is. */
void taut_scene_put_driver(const taut_scene *scene, taut_string *out, const taut_driver *driver);
/* mesh_data.c: numbers the meshes; the mesh of a body, and all of them. */
taut_status taut_scene_find_surfaces(taut_scene *scene);
void taut_scene_put_mesh(const taut_scene *scene, taut_string *out, int body);
void taut_scene_put_meshes(const taut_scene *scene, taut_string *out);
/* [x, ...] */
void taut_scene_put_numbers(taut_string *out, const double *x, int count, int digits);
/* open.c: places every body in its true shape, one after the other from the ground on; what cannot
 * meet, stays open. */
taut_status taut_scene_open(taut_scene *scene);

#endif
