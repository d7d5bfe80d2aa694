/* Reading the parts of a mechanism: what parts.c (names and numbers), body.c and connect.c
 * (springs, lines, joints) offer to each other and to mechanism.c. Private to the room. */
#ifndef TAUT_MODEL_PARTS_H
#define TAUT_MODEL_PARTS_H

#include "model/reader.h"

/* Makes room for one more entry of a list. */
#define TAUT_PART_GROW(list, count, room)                                                          \
    taut_grow((void **)&(list), &(room), (size_t)(count) + 1, sizeof *(list))

bool taut_part_is_empty(const taut_yaml *node);
/* Puts a formula of positions off until all parts are known. */
taut_status taut_part_wait(taut_reader *reader, taut_waiting_kind kind, int index,
                           const taut_yaml *node);
/* An element by its name; it is added if it is new. One whose name is taken is added all the same,
 * so that the fault is reported once. */
taut_status taut_part_element(taut_reader *reader, const char *name, taut_place place, int *number);
/* The elements of a part, at most TAUT_BODY_ELEMENTS_MAX, in the model's arena: listed under
 * Elements, or spelled by its name. */
taut_status taut_part_elements(taut_reader *reader, const taut_yaml *key, const taut_yaml *value,
                               int **element, int *count);
/* The number of the body with this name; -1: none. */
int taut_part_find_body(const taut_mechanism *mechanism, const char *name);
/* The number of the body that a node names, or -1 for `ground`; reports an unknown one. for_what:
 * "for a torque to act on". */
taut_status taut_part_body(taut_reader *reader, const taut_yaml *node, const char *for_what,
                           int *body);
/* `Bodies: [a, b]` of a part, if it is there: up to two of them; said[] tells which. */
taut_status taut_part_bodies(taut_reader *reader, const taut_yaml *map, int body[2], bool said[2]);
/* The number of the tracked angle with this name; -1: none. */
int taut_part_find_angle(const taut_reader *reader, const char *name);
taut_status taut_part_add_angle(taut_reader *reader, taut_angle angle);
taut_status taut_part_add_body(taut_reader *reader, taut_body body);
/* A steady formula for a quantity of the part `of`; least: the smallest value that makes sense. */
taut_status taut_part_number(taut_reader *reader, const taut_yaml *node, taut_quantity what,
                             const char *of, double least, taut_node *result);
/* A key that is true or false; *value stays as it is if it is not there. meaning: " (...)" of true.
 */
taut_status taut_part_flag(taut_reader *reader, const taut_yaml *map, const char *key,
                           const char *meaning, bool *value);
/* Steady coordinates: a list of at most `dimension` numbers, padded with zeros; and their length.
 */
taut_status taut_part_coordinates(taut_reader *reader, const taut_yaml *node, taut_quantity what,
                                  taut_vec *result);
double taut_part_length(const taut_graph *graph, taut_vec vector);

/* Mass, centroid and inertia of a body from its Dyna; where in it the centroid and the inertia are.
 */
taut_status taut_part_read_dynamics(taut_reader *reader, const taut_yaml *node, taut_body *body);
const taut_yaml *taut_part_centre_node(const taut_yaml *dyna);
const taut_yaml *taut_part_inertia_node(const taut_yaml *dyna);
/* The same from its Shape. */
taut_status taut_part_read_shape(taut_reader *reader, const taut_yaml *node, taut_body *body);
/* body_mesh.c: its Mesh, a surface from a file; and the mass properties of what that encloses. */
taut_status taut_part_read_mesh(taut_reader *reader, const taut_yaml *node, taut_body *body);
taut_status taut_part_fill_mesh(taut_reader *reader, const taut_yaml *shape, taut_body *body);
/* The names of the shapes, i = 0, 1, ...; NULL after the last. */
const char *taut_shape_name(int i);

/* Entries of PartData; each reports what is wrong. */
typedef taut_status taut_part_reader(taut_reader *reader, const taut_yaml *key,
                                     const taut_yaml *value);
taut_part_reader taut_part_read_body, taut_part_read_spring, taut_part_read_damper,
    taut_part_read_spring_damper, taut_part_read_particle, taut_part_read_fixed,
    taut_part_read_point, taut_part_read_collinear, taut_part_read_joint, taut_part_read_chain,
    taut_part_read_torsion_spring, taut_part_read_rotational_damper, taut_part_read_bushing;
/* Armature, once coordinates have their names. */
taut_status taut_read_armatures(taut_reader *reader, const taut_yaml *parts);
/* AppliedForces, once all parts are known. */
taut_status taut_read_loads(taut_reader *reader, const taut_yaml *node);
/* Rayleigh's function, as further loads, once positions have their leaves. */
taut_status taut_read_dissipation(taut_reader *reader, const taut_yaml *forces);

/* So many bodies fit into the memory of this machine. */
int taut_part_most_bodies(void);

#endif
