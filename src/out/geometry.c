/* A scene as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/json.h"
#include "out/scene.h"

static void put_numbers(taut_string *out, const double *x, int count) {
    taut_scene_put_numbers(out, x, count, 17);
}

static void put_list(taut_string *out, const int *x, int count) {
    taut_string_add(out, "[");
    for (int i = 0; i < count; i++) taut_string_add(out, "%s%d", i ? "," : "", x[i]);
    taut_string_add(out, "]");
}

/* ,"key":number, or null */
static void put_member(taut_string *out, const char *key, double value) {
    taut_string_add(out, ",\"%s\":", key);
    taut_json_number(out, value, 17);
}

/* The beginning of an item of a list. */
static void put_name(taut_string *out, bool first, const char *name) {
    taut_string_add(out, "%s\n{\"name\":", first ? "" : ",");
    taut_json_text(out, name);
}

static void put_place(const taut_scene *s, taut_string *out, const taut_scene_point *p) {
    taut_string_add(out, p->moves ? ",\"columns\":" : ",\"fixed\":");
    if (p->moves)
        put_list(out, p->column, s->mechanism->dimension);
    else
        put_numbers(out, p->fixed, s->mechanism->dimension);
}

static void put_points(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    taut_string_add(out, ",\n\"points\":[");
    for (int i = 0; i < s->points; i++) {
        const taut_scene_point *p = &s->point[i];
        put_name(out, i == 0, p->name);
        put_place(s, out, p);
        if (!isnan(p->particle)) put_member(out, "particle", p->particle);
        taut_string_add(out, "}");
    }
    taut_string_add(out, "],\n\"vectors\":[");
    bool first = true;
    for (int e = 0; e < m->elements; e++) {
        if (!m->element[e].is_vector) continue;
        const taut_scene_point p = taut_scene_element_point(s, e);
        put_name(out, first, p.name);
        put_place(s, out, &p);
        taut_string_add(out, ",\"at\":%d}", s->vector_at[e]);
        first = false;
    }
    taut_string_add(out, "]");
}

/* The points or the vectors of a body. */
static int put_elements(const taut_scene *s, taut_string *out, int b, bool vectors) {
    const taut_body *body = &s->mechanism->body[b];
    int count = 0;
    taut_string_add(out, vectors ? ",\"vectors\":[" : ",\"points\":[");
    for (int i = 0; i < body->elements; i++)
        if (s->mechanism->element[body->element[i]].is_vector == vectors)
            taut_string_add(out, "%s%d", count++ ? "," : "", s->body_point[b][i]);
    taut_string_add(out, "]");
    return count;
}

static void put_local(const taut_scene *s, taut_string *out, const taut_body *body) {
    int count = 0;
    taut_string_add(out, ",\"local\":[");
    for (int vectors = 0; vectors <= 1; vectors++)
        for (int i = 0; i < body->elements; i++) {
            if (s->mechanism->element[body->element[i]].is_vector != (vectors == 1)) continue;
            taut_string_add(out, count++ ? "," : "");
            put_numbers(out, taut_scene_local(s, body->local[i]).x, s->mechanism->dimension);
        }
    taut_string_add(out, "]");
}

/* Do all points of a body lie on one line, and more than one of them? */
static bool is_straight(const taut_scene *s, const taut_body *body) {
    taut_xyz along = {{0}};
    for (int i = 1; i < body->elements; i++) {
        const taut_xyz d = taut_scene_local(s, body->local[i]);
        if (s->mechanism->element[body->element[i]].is_vector) continue;
        if (taut_xyz_length(along) == 0.0) along = d;
        const double area = taut_xyz_length(taut_xyz_cross(along, d));
        if (area > 1e-9 * taut_xyz_inner(along, along)) return false;
    }
    return taut_xyz_length(along) > 0.0;
}

static void put_centroid(const taut_scene *s, taut_string *out, int b) {
    const taut_scene_centroid *k = &s->centroid[b];
    taut_string_add(out, ",\"centroid\":");
    if (!k->known) {
        taut_string_add(out, "null");
        return;
    }
    taut_string_add(out, "{\"along\":[");
    for (int i = 0; i < 2 && k->d[i] >= 0; i++)
        taut_string_add(out, "%s{\"%s\":%d}", i ? "," : "",
                        s->mechanism->element[s->mechanism->body[b].element[k->d[i]]].is_vector
                            ? "vector"
                            : "point",
                        s->body_point[b][k->d[i]]);
    taut_string_add(out, "],\"factor\":[%.9g,%.9g,%.9g]}", k->factor[0], k->factor[1],
                    k->factor[2]);
}

static void put_bodies(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    taut_string_add(out, ",\n\"bodies\":[");
    for (int b = 0; b < m->bodies; b++) {
        const taut_body *body = &m->body[b];
        put_name(out, b == 0, body->name);
        const int points = put_elements(s, out, b, false);
        put_elements(s, out, b, true);
        taut_string_add(out, ",\"kind\":\"%s\"",
                        is_straight(s, body)              ? "rod"
                        : m->dimension == 2 && points > 2 ? "plate"
                                                          : "body");
        put_local(s, out, body);
        put_member(out, "mass", body->has_mass ? taut_scene_number(s, body->mass) : (double)NAN);
        put_centroid(s, out, b);
        taut_scene_put_shape(s, out, body);
        taut_scene_put_inertia(s, out, body);
        taut_scene_put_mesh(s, out, b);
        taut_string_add(out, "}");
    }
    for (int i = 0; i < m->particles; i++) {
        const taut_particle *p = &m->particle[i];
        put_name(out, m->bodies + i == 0, m->element[p->point].name);
        taut_string_add(out, ",\"kind\":\"particle\",\"points\":[%d],\"vectors\":[],\"local\":[]",
                        s->point_of[p->point]);
        put_member(out, "mass", taut_scene_number(s, p->mass));
        taut_string_add(out, ",\"centroid\":null}");
    }
    taut_string_add(out, "]");
}

/* The point that a body has for an element; -1 is the ground. */
static int own_point(const taut_scene *s, int body, int element) {
    if (element < 0) return -1;
    for (int i = 0; body >= 0 && i < s->mechanism->body[body].elements; i++)
        if (s->mechanism->body[body].element[i] == element) return s->body_point[body][i];
    return s->point_of[element];
}

static void put_link(taut_string *out, const char *kind, int a, int b) {
    taut_string_add(out, ",\"kind\":\"%s\",\"a\":%d,\"b\":%d", kind, a, b);
}

/* Springs and dampers; bushings are both, without a rest length. */
static void put_links(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    taut_string_add(out, ",\n\"links\":[");
    for (int i = 0; i < m->links; i++) {
        const taut_link *l = &m->link[i];
        const bool spring = l->stiffness != TAUT_NO_NODE, damper = l->damping != TAUT_NO_NODE;
        put_name(out, i == 0, l->name);
        put_link(out,
                 spring && damper ? "springdamper"
                 : damper         ? "damper"
                                  : "spring",
                 s->point_of[l->point[0]], s->point_of[l->point[1]]);
        put_member(out, "rest", taut_scene_number(s, l->rest_length));
        put_member(out, "stiffness", taut_scene_number(s, l->stiffness));
        put_member(out, "damping", taut_scene_number(s, l->damping));
        put_member(out, "force", s->force[i] >= 0 ? s->force[i] : (double)NAN);
        taut_string_add(out, "}");
    }
    for (int i = 0; i < m->bushings; i++) {
        const taut_bushing *b = &m->bushing[i];
        put_name(out, m->links + i == 0, b->name);
        put_link(out, "springdamper", own_point(s, b->body[0], b->point[0]),
                 own_point(s, b->body[1], b->point[1]));
        taut_string_add(out, ",\"rest\":null,\"stiffness\":null,\"damping\":null,\"force\":null}");
    }
    taut_string_add(out, "]");
}

static taut_xyz point_at(const taut_scene *s, int point) {
    const taut_scene_point *p = &s->point[point];
    taut_xyz a = {{0}};
    for (int i = 0; i < s->mechanism->dimension; i++)
        a.x[i] = p->moves ? taut_columns_value(s->columns, p->column[i], 0) : p->fixed[i];
    return a;
}

/* How far two points are from what their joint demands: to meet, or to be on a line or a plane. */
static double gap_of(const taut_scene *s, const taut_joint *j, int at, int other) {
    const int dimension = s->mechanism->dimension, axis = j->axis[j->axis[1] >= 0 ? 1 : 0];
    if (!s->open || at < 0 || other < 0) return 0.0;
    const taut_xyz d = taut_xyz_minus(point_at(s, at), point_at(s, other));
    if (taut_joint_demands(j->kind, dimension, TAUT_CONDITION_MEET)) return taut_xyz_length(d);
    if (axis < 0) return 0.0;
    const taut_xyz u = taut_scene_element(s, axis, 0);
    const double along = taut_xyz_inner(d, u) / taut_xyz_length(u);
    if (taut_joint_demands(j->kind, dimension, TAUT_CONDITION_ON_PLANE)) return fabs(along);
    if (!taut_joint_demands(j->kind, dimension, TAUT_CONDITION_ON_LINE)) return 0.0;
    return taut_xyz_length(taut_xyz_add(d, -along / taut_xyz_length(u), u));
}

static int find_reaction(const taut_scene *s, const char *name) {
    for (int k = 0; k < s->columns->columns && s->columns->reactions > 0; k++)
        if (strcmp(s->columns->column[k].kind, "reaction") == 0 &&
            strcmp(s->columns->column[k].name, name) == 0)
            return k;
    return -1;
}

/* The columns JOINT.Fx, .Fy (.Fz), or .Tx, .Ty, .Tz; null if they are not all there, or not
 * along the axes of the world. Where two joints have one name, that of the point is added to it. */
static void put_reaction(const taut_scene *s, taut_string *out, const taut_joint *j, char letter) {
    const int first = letter == 'T' && s->mechanism->dimension == 2 ? 2 : 0;
    const int end = letter == 'T' ? 3 : s->mechanism->dimension;
    int column[3], count = 0;
    char name[200];
    taut_string_add(out, letter == 'F' ? ",\"force\":" : ",\"torque\":");
    for (int i = first; i < end; i++) {
        snprintf(name, sizeof name, "%s.%c%c", j->name, letter, "xyz"[i]);
        int found = find_reaction(s, name);
        if (found < 0 && j->point[0] >= 0) {
            snprintf(name, sizeof name, "%s@%s.%c%c", j->name,
                     s->mechanism->element[j->point[0]].name, letter, "xyz"[i]);
            found = find_reaction(s, name);
        }
        if (found >= 0) column[count++] = found;
    }
    if (count == end - first && !s->columns->result->body_axes)
        put_list(out, column, count);
    else
        taut_string_add(out, "null");
}

static void put_joints(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    taut_string_add(out, ",\n\"joints\":[");
    for (int i = 0; i < m->joints; i++) {
        const taut_joint *j = &m->joint[i];
        const int at = own_point(s, j->body[0], j->point[0]);
        const int other = own_point(s, j->body[1], j->point[1]);
        put_name(out, i == 0, j->name);
        taut_string_add(out, ",\"kind\":\"%s\",\"bodies\":[%d,%d],\"at\":%d,\"other\":%d",
                        taut_joint_kind_name(j->kind), j->body[0], j->body[1], at,
                        other == at ? -1 : other);
        taut_string_add(out, ",\"axis\":%d", j->axis[0] >= 0 ? s->point_of[j->axis[0]] : -1);
        put_member(out, "gap", gap_of(s, j, at, other));
        put_reaction(s, out, j, 'F');
        put_reaction(s, out, j, 'T');
        taut_scene_put_joint_look(s, out, j);
        taut_string_add(out, "}");
    }
    taut_string_add(out, "]");
}

/* Where a load acts: at a point, or on a body, which is shown at its first one; -1: on a
 * coordinate.
 */
static int load_point(const taut_scene *s, const taut_load *l) {
    if (l->target < 0) return -1;
    return l->torque ? s->body_point[l->target][0] : s->point_of[l->target];
}

/* "body" is that of a torque, "against" the point or the first point of the body that feels the
 * opposite; "columns" has the components, one where it acts along the line between two points or
 * on a coordinate. */
static void put_load(const taut_scene *s, taut_string *out, int i) {
    const taut_load *l = &s->mechanism->load[i];
    int count = 0;
    while (count < 3 && s->load[i][count] >= 0) count++;
    taut_string_add(out, ",\"kind\":\"%s\",\"at\":%d,\"body\":%d", l->torque ? "torque" : "force",
                    load_point(s, l), l->torque ? l->target : -1);
    taut_string_add(out, ",\"against\":%d",
                    l->against < 0 ? -1
                    : l->torque    ? s->body_point[l->against][0]
                                   : s->point_of[l->against]);
    taut_string_add(out, ",\"columns\":");
    put_list(out, s->load[i], count);
    taut_string_add(out, "}");
}

static void put_loads(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    taut_string_add(out, ",\n\"loads\":[");
    for (int i = 0; i < m->loads; i++) {
        put_name(out, i == 0, m->load[i].name);
        put_load(s, out, i);
    }
    for (int i = 0; i < m->drivers; i++) {
        put_name(out, m->loads + i == 0, m->driver[i].name);
        taut_scene_put_driver(s, out, &m->driver[i]);
    }
    taut_string_add(out, "]");
}

static int column_of(const taut_scene *s, const char *name) {
    for (int k = 0; k < s->columns->columns; k++)
        if (strcmp(s->columns->column[k].name, name) == 0) return k;
    return -1;
}

/* Contacts by shape: what touches what, and the column of the mode. */
static void put_contacts(const taut_scene *s, taut_string *out) {
    bool first = true;
    taut_string_add(out, ",\n\"contacts\":[");
    for (int i = 0; i < s->model->contacts; i++) {
        const taut_model_contact *c = &s->model->contact[i];
        const taut_contact_picture *x = &c->picture;
        char name[200];
        if (!x->known || x->at < 0 || (i > 0 && s->model->contact[i - 1].shares)) continue;
        snprintf(name, sizeof name, "%s.mode", c->name);
        put_name(out, first, c->name);
        taut_string_add(out, ",\"at\":%d,\"on\":%d,\"direction\":%d", s->point_of[x->at],
                        x->on >= 0 ? s->point_of[x->on] : -1,
                        x->direction >= 0 ? s->point_of[x->direction] : -1);
        put_member(out, "radius", taut_scene_number(s, x->radius));
        put_member(out, "on_radius", taut_scene_number(s, x->on_radius));
        taut_string_add(out, ",\"mode\":%d", column_of(s, name));
        snprintf(name, sizeof name, "%s.angle", c->name);
        taut_string_add(out, ",\"angle\":%d}", c->turn != TAUT_NO_NODE ? column_of(s, name) : -1);
        first = false;
    }
    taut_string_add(out, "]");
}

/* Everything that has modes, with the column of the mode. */
static void put_holds(const taut_scene *s, taut_string *out) {
    bool first = true;
    taut_string_add(out, ",\n\"holds\":[");
    for (int i = 0; i < s->model->contacts; i++) {
        const taut_model_contact *c = &s->model->contact[i];
        const bool after = i > 0 && s->model->contact[i - 1].shares; /* friction of what is soft */
        char name[200];
        snprintf(name, sizeof name, "%s.mode", c->name);
        if (c->part > 0 || c->shares || column_of(s, name) < 0) continue;
        put_name(out, first, c->name);
        taut_string_add(out, ",\"kind\":\"%s\",\"mode\":%d}",
                        c->breaks                           ? "break"
                        : c->gate != TAUT_NO_NODE && !after ? "lock"
                        : c->gap == TAUT_NO_NODE && !after  ? "friction"
                        : c->along[0] != TAUT_NO_NODE       ? "rough"
                                                            : "contact",
                        column_of(s, name));
        first = false;
    }
    taut_string_add(out, "]");
}

static void put_angles(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    bool first = true;
    taut_string_add(out, ",\n\"angles\":[");
    for (int i = 0; i < m->angles; i++)
        for (int k = 0; k < s->columns->columns; k++) {
            if (strcmp(s->columns->column[k].kind, "angle") != 0 ||
                strcmp(s->columns->column[k].name, m->angle[i].name) != 0)
                continue;
            put_name(out, first, m->angle[i].name);
            taut_string_add(out, ",\"column\":%d}", k);
            first = false;
        }
    taut_string_add(out, "]");
}

void taut_scene_write(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    if (!m) {
        taut_string_add(out, ",\n\"dimension\":0,\"open\":false,\"gravity\":null,\"points\":[],"
                             "\"vectors\":[],\"bodies\":[],\"links\":[],\"joints\":[],"
                             "\"loads\":[],\"contacts\":[],\"holds\":[],\"angles\":[]");
        return;
    }
    taut_string_add(out, ",\n\"dimension\":%d,\"open\":%s,\"gravity\":", m->dimension,
                    s->open ? "true" : "false");
    if (m->has_gravity)
        put_numbers(out, taut_scene_local(s, m->gravity).x, 3);
    else
        taut_string_add(out, "null");
    put_points(s, out);
    put_bodies(s, out);
    taut_scene_put_meshes(s, out);
    put_links(s, out);
    put_joints(s, out);
    put_loads(s, out);
    put_contacts(s, out);
    put_holds(s, out);
    put_angles(s, out);
}
