/* Joints that arise from sharing: bodies that have a point (and a vector) in common, with each
 * other or with the ground, points that lie on a line of another body, and vectors in common
 * without a point. They need no equations in natural coordinates; other formulations build on them.
 * For named joints this finds the bodies. */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"

enum { GROUND = -1 };

typedef struct finder {
    taut_reader *reader;
    taut_mechanism *m;
    int *parent; /* [slots + elements] slots whose vectors a joint keeps together; slots + e: ground
                  */
    int slots;
} finder;

/* ---- who has what ---- */

static bool is_fixed(const finder *f, int e) { return f->m->element[e].fixed; }

/* Where the slot of a body that has element e is; -1: it does not have it. */
static int slot_of(const finder *f, int e, int body) {
    if (body == GROUND) return is_fixed(f, e) ? f->slots + e : -1;
    int low = f->m->carrier_start[e], high = f->m->carrier_start[e + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (f->m->carrier[middle] < body)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->m->carrier_start[e + 1] && f->m->carrier[low] == body ? low : -1;
}

static bool has(const finder *f, int body, int e) { return slot_of(f, e, body) >= 0; }

/* ---- joints ---- */

static int root_of(finder *f, int slot) {
    while (f->parent[slot] != slot) slot = f->parent[slot] = f->parent[f->parent[slot]];
    return slot;
}

/* Vectors that both bodies have stay together by this joint. */
static void keep_vectors(finder *f, int body, int other) {
    if (body == GROUND) return;
    for (int k = 0; k < f->m->body[body].elements; k++) {
        const int e = f->m->body[body].element[k];
        if (!f->m->element[e].is_vector || !has(f, other, e)) continue;
        f->parent[root_of(f, slot_of(f, e, body))] = root_of(f, slot_of(f, e, other));
    }
}

static const char *name_of(const finder *f, int body, int point) {
    if (body >= 0) return f->m->body[body].name;
    return point < 0 || is_fixed(f, point) ? "ground" : f->m->element[point].name;
}

static taut_status add_joint(finder *f, taut_joint joint) {
    taut_mechanism *m = f->m;
    joint.shared = true;
    joint.name =
        taut_arena_concat(&f->reader->model->arena, name_of(f, joint.body[1], joint.point[1]), "-",
                          name_of(f, joint.body[0], joint.point[0]));
    if (!joint.name ||
        taut_grow((void **)&m->joint, &m->joint_room, (size_t)m->joints + 1, sizeof *m->joint))
        return TAUT_ERR_MEMORY;
    m->joint[m->joints++] = joint;
    keep_vectors(f, joint.body[0], joint.body[1]);
    return TAUT_OK;
}

/* Body b and a body before it, or the ground, have a point in common; vectors decide what it makes.
 */
static taut_status add_common_point(finder *f, int b, int other, int point, int points) {
    const taut_body *body = &f->m->body[b];
    int vector = -1, vectors = 0;
    for (int k = 0; k < body->elements; k++)
        if (f->m->element[body->element[k]].is_vector && has(f, other, body->element[k])) {
            if (vector < 0) vector = body->element[k];
            vectors++;
        }
    const bool planar = f->m->dimension == 2;
    const int turns = (planar ? 1 : 2) - vectors - (points - 1);
    const taut_joint_kind kind = turns <= 0               ? TAUT_JOINT_WELD
                                 : planar || vectors == 1 ? TAUT_JOINT_REVOLUTE
                                                          : TAUT_JOINT_SPHERICAL;
    return add_joint(f, (taut_joint){.kind = kind,
                                     .body = {b, other},
                                     .point = {point, point},
                                     .axis = {vector, vector},
                                     .normal = {-1, -1},
                                     .place = body->place});
}

/* Points of body b that a body before it has, or that are fixed. */
static taut_status share_points(finder *f, int b) {
    const taut_body *body = &f->m->body[b];
    int ground = -1, fixed = 0;
    for (int k = 0; k < body->elements; k++) {
        const int e = body->element[k], first = f->m->carrier[f->m->carrier_start[e]];
        if (f->m->element[e].is_vector) continue;
        if (is_fixed(f, e)) {
            if (fixed++ == 0) ground = e;
        } else if (first < b) {
            TAUT_TRY(add_common_point(f, b, first, e, 1));
        }
    }
    return ground < 0 ? TAUT_OK : add_common_point(f, b, GROUND, ground, fixed);
}

/* A body that has `wanted`, if possible also `too` (-1: nothing), and is not `other`; the ground
 * has what is fixed. *found: there is one. */
static int pick_body(const finder *f, int wanted, int too, int other, bool *found) {
    int best = GROUND, most = -1;
    *found = false;
    for (int i = f->m->carrier_start[wanted] - 1; i < f->m->carrier_start[wanted + 1]; i++) {
        const int body = i < f->m->carrier_start[wanted] ? GROUND : f->m->carrier[i];
        if (!has(f, body, wanted)) continue;
        const int merit = 2 * (body != other) + (too >= 0 && has(f, body, too));
        if (merit > most) {
            best = body;
            most = merit;
            *found = true;
        }
    }
    return best;
}

/* A vector that two bodies have in common beside one; -1: none. */
static int find_further_vector(const finder *f, int rider, int owner, int vector) {
    for (int k = 0; rider >= 0 && k < f->m->body[rider].elements; k++) {
        const int e = f->m->body[rider].element[k];
        if (e != vector && f->m->element[e].is_vector && has(f, owner, e)) return e;
    }
    return -1;
}

/* A point on a line through a point of another body: prismatic in 2D, cylindrical in 3D if the two
 * bodies share the line's direction, prismatic there if they share another one, too; otherwise a
 * point on a line. */
static taut_status add_lines(finder *f) {
    for (int i = 0; i < f->m->collinears; i++) {
        const taut_collinear *c = &f->m->collinear[i];
        bool owned, ridden;
        const int owner = pick_body(f, c->origin, c->vector, GROUND - 1, &owned);
        const int rider = pick_body(f, c->point, c->vector, owner, &ridden);
        const bool shared = owned && ridden && has(f, owner, c->vector) && has(f, rider, c->vector);
        const int normal = shared ? find_further_vector(f, rider, owner, c->vector) : -1;
        const taut_joint_kind kind = !shared                               ? TAUT_JOINT_LINE
                                     : f->m->dimension == 2 || normal >= 0 ? TAUT_JOINT_PRISMATIC
                                                                           : TAUT_JOINT_CYLINDRICAL;
        TAUT_TRY(add_joint(f, (taut_joint){.kind = kind,
                                           .body = {rider, owner},
                                           .point = {c->point, c->origin},
                                           .axis = {c->vector, c->vector},
                                           .normal = {normal, normal},
                                           .place = c->place}));
    }
    return TAUT_OK;
}

/* Bodies that have a vector in common, but no joint that keeps it. */
static taut_status add_parallels(finder *f) {
    for (int e = 0; e < f->m->elements; e++) {
        if (!f->m->element[e].is_vector || f->m->carrier_start[e] == f->m->carrier_start[e + 1])
            continue;
        const int first = is_fixed(f, e) ? GROUND : f->m->carrier[f->m->carrier_start[e]];
        for (int i = f->m->carrier_start[e]; i < f->m->carrier_start[e + 1]; i++) {
            const int b = f->m->carrier[i];
            if (root_of(f, i) == root_of(f, slot_of(f, e, first))) continue;
            TAUT_TRY(add_joint(f, (taut_joint){.kind = TAUT_JOINT_PARALLEL,
                                               .body = {b, first},
                                               .point = {-1, -1},
                                               .axis = {e, e},
                                               .normal = {-1, -1},
                                               .place = f->m->body[b].place}));
        }
    }
    return TAUT_OK;
}

/* ---- named joints ---- */

/* A universal joint without points: its bodies share the point, and what was a spherical joint by
 * sharing is this one. */
static bool take_spherical(finder *f, taut_joint *named) {
    for (int i = 0; i < f->m->joints; i++) {
        taut_joint *j = &f->m->joint[i];
        if (!j->shared || j->kind != TAUT_JOINT_SPHERICAL) continue;
        for (int side = 0; side < 2; side++) {
            if (!has(f, j->body[side], named->axis[0]) ||
                !has(f, j->body[1 - side], named->axis[1]))
                continue;
            named->body[0] = j->body[side];
            named->body[1] = j->body[1 - side];
            named->point[0] = named->point[1] = j->point[0];
            memmove(j, j + 1, (size_t)(f->m->joints - i - 1) * sizeof *j);
            f->m->joints--;
            return true;
        }
    }
    return false;
}

/* The body that a connection names must have what it says of it. */
static void check_said(finder *f, int body, int element, const char *name, taut_place place) {
    if (element < 0 || has(f, body, element)) return;
    f->reader->faulty = true;
    taut_fail_at(f->reader->errors, TAUT_ERR_INPUT, place,
                 "%s does not belong to %s%s%s, as '%s' says", f->m->element[element].name,
                 body < 0 ? "the ground" : "'", body < 0 ? "" : f->m->body[body].name,
                 body < 0 ? "" : "'", name);
}

/* A connection between two bodies that are one. */
static void refuse_one_body(finder *f, int body, const char *what, const char *name,
                            taut_place place) {
    f->reader->faulty = true;
    taut_fail_at(f->reader->errors, TAUT_ERR_INPUT, place,
                 "the %s '%s' connects %s%s%s to itself: name elements of two bodies", what, name,
                 body < 0 ? "the ground" : "'", body < 0 ? "" : f->m->body[body].name,
                 body < 0 ? "" : "'");
}

/* Named joints know their elements; this finds the bodies that have them. */
static void find_bodies(finder *f, taut_joint *j) {
    bool found[2] = {false, false};
    if (j->kind == TAUT_JOINT_UNIVERSAL && j->point[0] < 0) {
        if (take_spherical(f, j)) return;
        f->reader->faulty = true;
        taut_fail_at(f->reader->errors, TAUT_ERR_INPUT, j->place,
                     "the universal joint '%s' needs Points: [P, Q], one of each body, or bodies "
                     "that share a point and nothing else",
                     j->name);
        return;
    }
    for (int side = 0; side < 2; side++) {
        const int axis = j->axis[side], point = j->point[side];
        const bool known = side ? found[0] : j->said[1];
        const int other = known ? j->body[1 - side] : GROUND - 1;
        found[side] = j->said[side];
        if (j->said[side]) {
            const int element[] = {point, axis, j->normal[side]};
            for (int i = 0; i < 3; i++) check_said(f, j->body[side], element[i], j->name, j->place);
        } else if (point >= 0 || axis >= 0)
            j->body[side] = pick_body(f, point >= 0 ? point : axis, point >= 0 ? axis : -1, other,
                                      &found[side]);
    }
    if (found[0] && found[1] && j->body[0] == j->body[1])
        refuse_one_body(f, j->body[0], "joint", j->name, j->place);
}

/* The bodies whose points a bushing holds together; a point alone is as good as the ground for it.
 */
static void find_mounted(finder *f, taut_bushing *x) {
    bool found[2] = {x->said[0], x->said[1]};
    for (int side = 0; side < 2; side++) {
        const int other = found[1 - side] ? x->body[1 - side] : GROUND - 1;
        if (x->said[side])
            check_said(f, x->body[side], x->point[side], x->name, x->place);
        else
            x->body[side] = pick_body(f, x->point[side], -1, other, &found[side]);
    }
    if (found[0] && found[1] && x->body[0] == x->body[1])
        refuse_one_body(f, x->body[0], "bushing", x->name, x->place);
}

taut_status taut_read_shared_joints(taut_reader *r) {
    finder f = {.reader = r, .m = r->model->mechanism};
    const int named = f.m->joints;
    f.slots = f.m->carrier_start[f.m->elements];
    f.parent = TAUT_NEW_ARRAY(&r->model->arena, f.slots + f.m->elements, int);
    if (!f.parent) return TAUT_ERR_MEMORY;
    for (int i = 0; i < f.slots + f.m->elements; i++) f.parent[i] = i;
    for (int b = 0; b < f.m->bodies; b++) TAUT_TRY(share_points(&f, b));
    TAUT_TRY(add_lines(&f));
    TAUT_TRY(add_parallels(&f));
    for (int i = 0; i < named; i++) find_bodies(&f, &f.m->joint[i]);
    for (int i = 0; i < f.m->bushings; i++) find_mounted(&f, &f.m->bushing[i]);
    return TAUT_OK;
}
