/* A mechanism that cannot be assembled, as far as it goes: every body in its true shape. From the
 * ground on, each one is put where a body that is placed already has their common point, and turned
 * towards where its other elements should be. What does not meet in the end, stays open. */
#include <math.h>
#include <string.h>

#include "out/scene.h"

static const double SAME_PLACE = 1e-9; /* relative to the size of the body */

typedef struct placing {
    taut_scene *scene;
    const taut_mechanism *m;
    bool *placed;    /* [bodies] */
    bool *known;     /* [elements] */
    taut_xyz *place; /* [elements] if known */
} placing;

static bool is_point(const placing *p, int element) { return !p->m->element[element].is_vector; }

/* Where an element should be: where it has been put, or where the search left it. */
static taut_xyz target(const placing *p, int element) {
    return p->known[element] ? p->place[element] : taut_scene_element(p->scene, element, 0);
}

/* A point at a place of its own. */
static taut_status make_point(placing *p, int element, taut_xyz at, taut_scene_point *point) {
    taut_columns *c = p->scene->columns;
    *point = (taut_scene_point){
        .name = p->m->element[element].name, .moves = true, .particle = (double)NAN};
    for (int i = 0; i < p->m->dimension; i++) {
        double *value;
        point->column[i] = c->columns;
        TAUT_TRY(taut_columns_add(c, point->name, "hidden", "m", &value));
        value[0] = at.x[i];
    }
    return TAUT_OK;
}

/* From now on the element is there. */
static taut_status settle(placing *p, int element, taut_xyz at) {
    taut_scene_point *point = &p->scene->point[p->scene->point_of[element]];
    const double particle = point->particle;
    p->known[element] = true;
    p->place[element] = at;
    TAUT_TRY(make_point(p, element, at, point));
    point->particle = particle;
    return TAUT_OK;
}

/* ---- where to begin ---- */

/* An element of the body whose place is known; -1: none. */
static int known_point(const placing *p, const taut_body *body) {
    for (int i = 0; i < body->elements; i++)
        if (is_point(p, body->element[i]) && p->known[body->element[i]]) return i;
    return -1;
}

/* Joints of two points pass a known place on. */
static taut_status pass_on(placing *p) {
    for (int i = 0; i < p->m->joints; i++) {
        const taut_joint *j = &p->m->joint[i];
        if (!taut_joint_demands(j->kind, p->m->dimension, TAUT_CONDITION_MEET)) continue;
        if (j->point[0] < 0 || j->point[1] < 0) continue;
        for (int k = 0; k < 2; k++) {
            const int from = j->point[k], to = j->point[1 - k];
            if (p->known[from] && !p->known[to]) TAUT_TRY(settle(p, to, p->place[from]));
        }
    }
    return TAUT_OK;
}

/* ---- turning ---- */

/* Three unit vectors at right angles: along a, and in the plane of a and b as far as possible. */
static void triad(taut_xyz a, taut_xyz b, taut_xyz e[3]) {
    const double length = taut_xyz_length(a);
    e[0] = length > 0.0 ? taut_xyz_add((taut_xyz){{0}}, 1.0 / length, a) : (taut_xyz){{1, 0, 0}};
    taut_xyz n = taut_xyz_cross(e[0], b);
    for (int k = 0; k < 3 && !(taut_xyz_length(n) > 1e-9 * taut_xyz_length(b)); k++) {
        b = (taut_xyz){{k == 2, k == 1, k == 0}}; /* any direction beside a */
        n = taut_xyz_cross(e[0], b);
    }
    e[2] = taut_xyz_add((taut_xyz){{0}}, 1.0 / taut_xyz_length(n), n);
    e[1] = taut_xyz_cross(e[2], e[0]);
}

/* The direction from element i of a body to element k, in the body; a vector is one by itself. */
static taut_xyz direction(const placing *p, const taut_body *body, int i, int k) {
    const taut_xyz d = taut_scene_local(p->scene, body->local[k]);
    return is_point(p, body->element[k])
               ? taut_xyz_minus(d, taut_scene_local(p->scene, body->local[i]))
               : d;
}

/* The element by which a body seen from element i is turned best: the longest way to a point; or,
 * beside `first`, the one that spans most with it. -1: none. */
static int best_direction(const placing *p, const taut_body *body, int i, int first) {
    double most = 0.0;
    int best = -1;
    for (int k = 0; k < body->elements; k++) {
        if (k == i || k == first) continue;
        const taut_xyz d = direction(p, body, i, k);
        double merit = taut_xyz_length(d);
        if (first >= 0) merit = taut_xyz_length(taut_xyz_cross(direction(p, body, i, first), d));
        if (first < 0 && !is_point(p, body->element[k])) merit *= 1e-9; /* if there is no point */
        if (merit > most) {
            most = merit;
            best = k;
        }
    }
    return best;
}

/* The same direction as it should be in the world. */
static taut_xyz wanted(const placing *p, const taut_body *body, taut_xyz from, int k) {
    const taut_xyz t = target(p, body->element[k]);
    return is_point(p, body->element[k]) ? taut_xyz_minus(t, from) : t;
}

static void turn(const placing *p, const taut_body *body, int i, taut_xyz from, taut_xyz local[3],
                 taut_xyz world[3]) {
    const taut_xyz up = {{0.0, 0.0, 1.0}}, none = {{0}};
    const bool planar = p->m->dimension == 2;
    const int first = best_direction(p, body, i, -1);
    const int second = planar || first < 0 ? -1 : best_direction(p, body, i, first);
    const taut_xyz a = first >= 0 ? direction(p, body, i, first) : none;
    const taut_xyz b = first >= 0 ? wanted(p, body, from, first) : none;
    triad(a,
          second >= 0 ? direction(p, body, i, second)
          : planar    ? taut_xyz_cross(up, a)
                      : none,
          local);
    triad(b,
          second >= 0 ? wanted(p, body, from, second)
          : planar    ? taut_xyz_cross(up, b)
                      : none,
          world);
}

/* ---- placing ---- */

/* The first body that has an element takes it along; another one may need its own. */
static taut_status put_element(placing *p, int b, int i, taut_xyz at, double size) {
    taut_scene *s = p->scene;
    const int e = p->m->body[b].element[i];
    if (!p->known[e]) return settle(p, e, at);
    if (taut_xyz_length(taut_xyz_minus(at, p->place[e])) <= SAME_PLACE * size) return TAUT_OK;
    taut_scene_point own;
    TAUT_TRY(make_point(p, e, at, &own));
    s->body_point[b][i] = taut_scene_add_point(s, &own);
    return s->body_point[b][i] >= 0 ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status place_body(placing *p, int b, int i) {
    const taut_body *body = &p->m->body[b];
    const taut_xyz from = target(p, body->element[i]);
    taut_xyz local[3], world[3];
    double size = 0.0;
    turn(p, body, i, from, local, world);
    for (int k = 0; k < body->elements; k++)
        size = fmax(size, taut_xyz_length(direction(p, body, i, k)));
    for (int k = 0; k < body->elements; k++) {
        if (!is_point(p, body->element[k])) continue;
        const taut_xyz d = direction(p, body, i, k);
        taut_xyz at = from;
        for (int c = 0; c < 3; c++) at = taut_xyz_add(at, taut_xyz_inner(d, local[c]), world[c]);
        TAUT_TRY(put_element(p, b, k, at, size));
    }
    p->placed[b] = true;
    return TAUT_OK;
}

/* Places the bodies next to those that are placed; *any: were there any? */
static taut_status place_neighbours(placing *p, bool *any) {
    int *anchor = TAUT_NEW_ARRAY(p->scene->arena, p->m->bodies, int);
    if (!anchor) return TAUT_ERR_MEMORY;
    *any = false;
    TAUT_TRY(pass_on(p));
    for (int b = 0; b < p->m->bodies; b++)
        anchor[b] = p->placed[b] ? -1 : known_point(p, &p->m->body[b]);
    for (int b = 0; b < p->m->bodies; b++) {
        if (anchor[b] < 0) continue;
        *any = true;
        TAUT_TRY(place_body(p, b, anchor[b]));
    }
    return TAUT_OK;
}

taut_status taut_scene_open(taut_scene *s) {
    const taut_mechanism *m = s->mechanism;
    placing p = {.scene = s, .m = m};
    p.placed = TAUT_NEW_ARRAY(s->arena, m->bodies, bool);
    p.known = TAUT_NEW_ARRAY(s->arena, m->elements, bool);
    p.place = TAUT_NEW_ARRAY(s->arena, m->elements, taut_xyz);
    if (!p.placed || !p.known || !p.place) return TAUT_ERR_MEMORY;
    for (int e = 0; e < m->elements; e++) {
        if (!m->element[e].fixed) continue;
        p.known[e] = true;
        p.place[e] = taut_scene_element(s, e, 0);
    }
    for (int next = 0; next < m->bodies;) {
        bool any;
        TAUT_TRY(place_neighbours(&p, &any));
        while (next < m->bodies && p.placed[next]) next++;
        if (!any && next < m->bodies) TAUT_TRY(place_body(&p, next, 0)); /* it floats */
    }
    return TAUT_OK;
}
