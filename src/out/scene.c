/* From a mechanism to what a page draws. */
#include "out/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/json.h"

double taut_scene_number(const taut_scene *s, taut_node node) {
    if (node == TAUT_NO_NODE) return (double)NAN;
    const taut_node_data *x = taut_node_get(s->model->graph, node);
    return x->steady ? x->value : (double)NAN;
}

int taut_scene_add_point(taut_scene *s, const taut_scene_point *point) {
    if (taut_grow((void **)&s->point, &s->point_room, (size_t)s->points + 1, sizeof *s->point))
        return -1;
    s->point[s->points] = *point;
    return s->points++;
}

/* ---- points and vectors ---- */

static taut_scene_point element_point(const taut_scene *s, int e) {
    const double *fixed = &s->columns->result->description.fixed[3 * e];
    taut_scene_point p = {.name = s->mechanism->element[e].name, .particle = (double)NAN};
    p.moves = s->columns->of[e][0] >= 0;
    memcpy(p.fixed, fixed, sizeof p.fixed);
    memcpy(p.column, s->columns->of[e], sizeof p.column);
    return p;
}

/* One point for every element, whichever bodies share it. */
static taut_status take_points(taut_scene *s) {
    const taut_mechanism *m = s->mechanism;
    int vectors = 0;
    for (int e = 0; e < m->elements; e++) {
        const taut_scene_point p = element_point(s, e);
        s->point_of[e] = m->element[e].is_vector ? vectors++ : taut_scene_add_point(s, &p);
        if (s->point_of[e] < 0) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < m->particles; i++)
        s->point[s->point_of[m->particle[i].point]].particle =
            taut_scene_number(s, m->particle[i].mass);
    for (int b = 0; b < m->bodies; b++) {
        const taut_body *body = &m->body[b];
        s->body_point[b] = TAUT_NEW_ARRAY(s->arena, body->elements, int);
        if (!s->body_point[b]) return TAUT_ERR_MEMORY;
        for (int i = 0; i < body->elements; i++) s->body_point[b][i] = s->point_of[body->element[i]];
    }
    return TAUT_OK;
}

/* Vectors are drawn at a joint whose axis they are, or at the origin of a body that has them. */
static void place_vectors(taut_scene *s) {
    const taut_mechanism *m = s->mechanism;
    for (int e = 0; e < m->elements; e++) s->vector_at[e] = -1;
    for (int i = 0; i < m->joints; i++)
        for (int k = 0; k < 2; k++) {
            const taut_joint *j = &m->joint[i];
            if (j->axis[k] >= 0 && j->point[k] >= 0 && s->vector_at[j->axis[k]] < 0)
                s->vector_at[j->axis[k]] = s->point_of[j->point[k]];
        }
    for (int b = 0; b < m->bodies; b++)
        for (int i = 0; i < m->body[b].elements; i++) {
            const int e = m->body[b].element[i];
            if (m->element[e].is_vector && s->vector_at[e] < 0)
                s->vector_at[e] = s->body_point[b][0];
        }
}

/* ---- centroids ---- */

typedef struct vector {
    double x[3];
} vector;

static vector minus(vector a, vector b) {
    return (vector){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}
static double inner(vector a, vector b) {
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}
static vector cross(vector a, vector b) {
    return (vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static vector local_of(const taut_scene *s, taut_vec v) {
    vector a = {{0}};
    for (int i = 0; i < v.n; i++) a.x[i] = taut_scene_number(s, v.c[i]);
    return a;
}

static vector element_at(const taut_scene *s, int e, long row) {
    const taut_columns *c = s->columns;
    vector a = {{0}};
    for (int i = 0; i < s->mechanism->dimension; i++)
        a.x[i] = c->of[e][i] >= 0 ? taut_columns_value(c, c->of[e][i], row)
                                  : c->result->description.fixed[3 * e + i];
    return a;
}

/* A local point as origin + a d1 + b d2 + c (d1 x d2), where d1 and d2 are the directions of two
 * elements of the body: the same numbers serve in the world. */
typedef struct combination {
    int d[2]; /* elements of the body; d[1] = -1: normal of the plane (2D), or none (thin rod) */
    double factor[3];
} combination;

static bool is_thin(const taut_scene *s, const taut_body *body) {
    return s->mechanism->dimension == 3 && body->elements == 2;
}

/* The second direction in the world or in the body; for a plane its normal. */
static vector second(const taut_scene *s, const combination *k, const vector *d) {
    const vector up = {{0.0, 0.0, 1.0}};
    (void)s;
    return k->d[1] >= 0 ? d[1] : up;
}

static bool combine(const taut_scene *s, const taut_body *body, vector point, combination *k) {
    const bool planar = s->mechanism->dimension == 2;
    *k = (combination){.d = {1, -1}};
    if (body->elements < 2) return false;
    vector d[2] = {local_of(s, body->local[1]), {{0}}};
    const double length2 = inner(d[0], d[0]);
    if (!(length2 > 0.0)) return false;
    k->factor[0] = inner(point, d[0]) / length2;
    if (is_thin(s, body)) return true;
    for (int i = 2; i < body->elements && !planar && k->d[1] < 0; i++) {
        d[1] = local_of(s, body->local[i]);
        const vector n = cross(d[0], d[1]);
        if (inner(n, n) > 1e-12 * length2 * inner(d[1], d[1])) k->d[1] = i;
    }
    if (!planar && k->d[1] < 0) return false;
    const vector b = second(s, k, d), n = cross(d[0], b);
    const double n2 = inner(n, n);
    k->factor[0] = inner(cross(point, b), n) / n2;
    k->factor[1] = inner(cross(d[0], point), n) / n2;
    k->factor[2] = inner(point, n) / n2;
    return true;
}

static vector combined(const taut_scene *s, const taut_body *body, const combination *k, long row) {
    const vector origin = element_at(s, body->element[0], row);
    vector d[2] = {{{0}}, {{0}}};
    for (int i = 0; i < 2; i++) {
        if (k->d[i] < 0) continue;
        const int e = body->element[k->d[i]];
        d[i] = element_at(s, e, row);
        if (!s->mechanism->element[e].is_vector) d[i] = minus(d[i], origin);
    }
    const vector b = second(s, k, d), n = cross(d[0], b);
    vector p = origin;
    for (int i = 0; i < 3; i++)
        p.x[i] += k->factor[0] * d[0].x[i] + (is_thin(s, body) ? 0.0 : k->factor[1] * b.x[i]) +
                  k->factor[2] * n.x[i];
    return p;
}

static taut_status add_centroid(taut_scene *s, int b) {
    const taut_body *body = &s->mechanism->body[b];
    double *value[3];
    combination k;
    for (int i = 0; i < 3; i++) s->centroid[b][i] = -1;
    if (!body->has_mass || s->open) return TAUT_OK;
    if (!combine(s, body, local_of(s, body->centroid), &k)) return TAUT_OK;
    for (int i = 0; i < s->mechanism->dimension; i++) {
        s->centroid[b][i] = s->columns->columns;
        TAUT_TRY(taut_columns_add(s->columns, body->name, "hidden", "m", &value[i]));
    }
    for (long r = 0; r < s->columns->rows; r++) {
        const vector p = combined(s, body, &k, r);
        for (int i = 0; i < s->mechanism->dimension; i++) value[i][r] = p.x[i];
    }
    return TAUT_OK;
}

/* ---- forces of links ---- */

/* The rate at which an element moves; false if velocities are not among the columns. */
static bool rate_at(const taut_scene *s, int e, long row, vector *v) {
    const taut_columns *c = s->columns;
    *v = (vector){{0}};
    for (int i = 0; i < s->mechanism->dimension; i++) {
        const int k = c->of[e][i];
        if (k < 0 || strcmp(c->column[k].kind, "hidden") == 0) continue;
        if (k + 1 >= c->columns || strcmp(c->column[k + 1].kind, "velocity") != 0) return false;
        v->x[i] = taut_columns_value(c, k + 1, row);
    }
    return true;
}

/* Tension of a link; NaN if it is not known. */
static double tension(const taut_scene *s, const taut_link *l, long row) {
    const vector d =
        minus(element_at(s, l->point[1], row), element_at(s, l->point[0], row));
    const double length = sqrt(inner(d, d));
    double force = 0.0;
    vector v[2];
    if (l->stiffness != TAUT_NO_NODE) {
        const double rest =
            l->rest_length != TAUT_NO_NODE ? taut_scene_number(s, l->rest_length) : 0.0;
        force += taut_scene_number(s, l->stiffness) * (length - rest);
    }
    if (l->damping != TAUT_NO_NODE) {
        if (l->full || !rate_at(s, l->point[0], row, &v[0]) || !rate_at(s, l->point[1], row, &v[1]))
            return (double)NAN;
        force += taut_scene_number(s, l->damping) * inner(minus(v[1], v[0]), d) / length;
    }
    return force;
}

static taut_status add_force(taut_scene *s, int i) {
    const taut_link *l = &s->mechanism->link[i];
    char name[160];
    double *value;
    s->force[i] = -1;
    if (s->columns->rows == 0 || s->open || isnan(tension(s, l, 0))) return TAUT_OK;
    s->force[i] = s->columns->columns;
    snprintf(name, sizeof name, "force of %s", l->name);
    TAUT_TRY(taut_columns_add(s->columns, name, "force", "N", &value));
    for (long r = 0; r < s->columns->rows; r++) value[r] = tension(s, l, r);
    return TAUT_OK;
}

/* ---- the scene ---- */

taut_status taut_scene_create(taut_scene *s, taut_columns *columns, bool open) {
    const taut_mechanism *m =
        columns->model && columns->result ? columns->model->mechanism : NULL;
    *s = (taut_scene){.arena = columns->arena,
                      .model = columns->model,
                      .mechanism = m,
                      .columns = columns,
                      .open = open && m};
    if (!m) return TAUT_OK;
    s->point_of = TAUT_NEW_ARRAY(s->arena, m->elements, int);
    s->vector_at = TAUT_NEW_ARRAY(s->arena, m->elements, int);
    s->body_point = TAUT_NEW_ARRAY(s->arena, m->bodies, int *);
    s->centroid = taut_arena_array(s->arena, (size_t)m->bodies, sizeof *s->centroid);
    s->force = TAUT_NEW_ARRAY(s->arena, m->links, int);
    if (!s->point_of || !s->vector_at || !s->body_point || !s->centroid || !s->force)
        return TAUT_ERR_MEMORY;
    TAUT_TRY(take_points(s));
    if (s->open) TAUT_TRY(taut_scene_open(s));
    place_vectors(s);
    for (int b = 0; b < m->bodies; b++) TAUT_TRY(add_centroid(s, b));
    for (int i = 0; i < m->links; i++) TAUT_TRY(add_force(s, i));
    return TAUT_OK;
}

void taut_scene_release(taut_scene *s) { taut_release((void **)&s->point); }

/* ---- as JSON ---- */

static void put_numbers(taut_string *out, const double *x, int count) {
    for (int i = 0; i < count; i++) {
        taut_string_add(out, i ? "," : "[");
        taut_json_number(out, x[i], 17);
    }
    taut_string_add(out, "]");
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
        const taut_scene_point p = element_point(s, e);
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
            put_numbers(out, local_of(s, body->local[i]).x, s->mechanism->dimension);
        }
    taut_string_add(out, "]");
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
                        points == 2 ? "rod" : m->dimension == 2 && points > 2 ? "plate" : "body");
        put_local(s, out, body);
        put_member(out, "mass", body->has_mass ? taut_scene_number(s, body->mass) : (double)NAN);
        taut_string_add(out, ",\"centroid\":");
        if (s->centroid[b][0] >= 0)
            put_list(out, s->centroid[b], m->dimension);
        else
            taut_string_add(out, "null");
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

static void put_links(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    taut_string_add(out, ",\n\"links\":[");
    for (int i = 0; i < m->links; i++) {
        const taut_link *l = &m->link[i];
        const bool spring = l->stiffness != TAUT_NO_NODE, damper = l->damping != TAUT_NO_NODE;
        put_name(out, i == 0, l->name);
        taut_string_add(out, ",\"kind\":\"%s\",\"a\":%d,\"b\":%d",
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
    taut_string_add(out, "]");
}

/* The point that a body has for an element; -1 is the ground. */
static int own_point(const taut_scene *s, int body, int element) {
    if (element < 0) return -1;
    for (int i = 0; body >= 0 && i < s->mechanism->body[body].elements; i++)
        if (s->mechanism->body[body].element[i] == element) return s->body_point[body][i];
    return s->point_of[element];
}

/* Distance of two points that should meet; where one slides along a line, of the line. */
static double gap_of(const taut_scene *s, const taut_joint *j, int at, int other) {
    static const bool meets[TAUT_JOINT_KINDS] = {[TAUT_JOINT_REVOLUTE] = true,
                                                 [TAUT_JOINT_SPHERICAL] = true,
                                                 [TAUT_JOINT_UNIVERSAL] = true,
                                                 [TAUT_JOINT_WELD] = true};
    double sum = 0.0;
    if (!s->open || at < 0 || other < 0 || !(j->shared || meets[j->kind])) return 0.0;
    for (int i = 0; i < s->mechanism->dimension; i++) {
        const taut_scene_point *p = &s->point[at], *q = &s->point[other];
        const double a = p->moves ? taut_columns_value(s->columns, p->column[i], 0) : p->fixed[i];
        const double b = q->moves ? taut_columns_value(s->columns, q->column[i], 0) : q->fixed[i];
        sum += (a - b) * (a - b);
    }
    return sqrt(sum);
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
        taut_string_add(out, ",\"force\":null,\"torque\":null}");
    }
    taut_string_add(out, "]");
}

static void put_loads(const taut_scene *s, taut_string *out) {
    const taut_mechanism *m = s->mechanism;
    taut_string_add(out, ",\n\"loads\":[");
    for (int i = 0; i < m->loads; i++) {
        const taut_load *l = &m->load[i];
        put_name(out, i == 0, l->torque ? m->body[l->target].name : m->element[l->target].name);
        taut_string_add(out, ",\"kind\":\"%s\",\"at\":%d}", l->torque ? "torque" : "force",
                        l->torque ? s->body_point[l->target][0] : s->point_of[l->target]);
    }
    for (int i = 0; i < m->drivers; i++) {
        put_name(out, m->loads + i == 0, m->driver[i].name);
        taut_string_add(out, ",\"kind\":\"driver\",\"at\":-1}");
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
                             "\"loads\":[],\"angles\":[]");
        return;
    }
    taut_string_add(out, ",\n\"dimension\":%d,\"open\":%s,\"gravity\":", m->dimension,
                    s->open ? "true" : "false");
    if (m->has_gravity)
        put_numbers(out, local_of(s, m->gravity).x, 3);
    else
        taut_string_add(out, "null");
    put_points(s, out);
    put_bodies(s, out);
    put_links(s, out);
    put_joints(s, out);
    put_loads(s, out);
    put_angles(s, out);
}
