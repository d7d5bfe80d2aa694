/* Joints that arise from sharing: bodies that have a point (and a vector) in common, with each other or
 * with the ground, and points that lie on a line of another body. They need no equations in natural
 * coordinates; other formulations build on them. */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"

/* What two bodies share; -1: nothing. other -1 is the ground. */
typedef struct sharing {
    int body, other;
    int point, vector, vectors;
} sharing;

typedef struct finder {
    taut_reader *reader;
    taut_mechanism *m;
    sharing *list;
    size_t count, room;
    int *first; /* [elements] a body that has the element, -1: none */
} finder;

/* The record of what `body` and `other` share, added if it is new. Records of one body are neighbours
 * at the end of the list. */
static sharing *record(finder *f, int body, int other) {
    for (size_t i = f->count; i > 0 && f->list[i - 1].body == body; i--)
        if (f->list[i - 1].other == other) return &f->list[i - 1];
    if (taut_grow((void **)&f->list, &f->room, f->count + 1, sizeof *f->list)) return NULL;
    f->list[f->count] = (sharing){body, other, -1, -1, 0};
    return &f->list[f->count++];
}

static taut_status add_joint(finder *f, taut_joint joint) {
    taut_mechanism *m = f->m;
    const char *one = joint.body[0] >= 0 ? m->body[joint.body[0]].name : "ground";
    const char *two = joint.body[1] >= 0 ? m->body[joint.body[1]].name : "ground";
    char name[200];
    snprintf(name, sizeof name, "%s-%s", two, one);
    joint.name = taut_arena_copy(&f->reader->model->arena, name, strlen(name));
    if (!joint.name ||
        taut_grow((void **)&m->joint, &m->joint_room, (size_t)m->joints + 1, sizeof *m->joint))
        return TAUT_ERR_MEMORY;
    m->joint[m->joints++] = joint;
    return TAUT_OK;
}

/* The kind of joint that shared elements make; -1: none that has a name. */
static int kind_of(const taut_mechanism *m, const sharing *s) {
    if (s->point >= 0 && m->dimension == 2)
        return s->vectors > 0 ? TAUT_JOINT_WELD : TAUT_JOINT_REVOLUTE;
    if (s->point >= 0)
        return s->vectors == 0   ? TAUT_JOINT_SPHERICAL
               : s->vectors == 1 ? TAUT_JOINT_REVOLUTE
                                 : TAUT_JOINT_WELD;
    return -1;
}

/* Body number b against all that came before it, and the ground. */
static taut_status share_with_others(finder *f, int b) {
    const taut_body *body = &f->m->body[b];
    for (int i = 0; i < body->elements; i++) {
        const int e = body->element[i];
        const int other = f->m->element[e].fixed ? -1 : f->first[e];
        if (other >= 0 || f->m->element[e].fixed) {
            sharing *s = record(f, b, other);
            if (!s) return TAUT_ERR_MEMORY;
            if (f->m->element[e].is_vector) {
                s->vector = e;
                s->vectors++;
            } else {
                s->point = e;
            }
        }
        if (f->first[e] < 0) f->first[e] = b;
    }
    return TAUT_OK;
}

/* A point on a line through a point of another body: prismatic in 2D, cylindrical if the line's
 * direction is shared, otherwise a point on a line. */
static taut_status add_lines(finder *f) {
    for (int i = 0; i < f->m->collinears; i++) {
        const taut_collinear *c = &f->m->collinear[i];
        int owner = -1, rider = -1;
        bool shared = false;
        for (int b = 0; b < f->m->bodies; b++)
            for (int k = 0; k < f->m->body[b].elements; k++) {
                const int e = f->m->body[b].element[k];
                if (e == c->origin && owner < 0) owner = b;
                if (e == c->point && rider < 0) rider = b;
            }
        for (int k = 0; rider >= 0 && k < f->m->body[rider].elements; k++)
            if (f->m->body[rider].element[k] == c->vector) shared = true;
        const taut_joint_kind kind = !shared               ? TAUT_JOINT_LINE
                                     : f->m->dimension == 2 ? TAUT_JOINT_PRISMATIC
                                                            : TAUT_JOINT_CYLINDRICAL;
        TAUT_TRY(add_joint(f, (taut_joint){.kind = kind,
                                           .shared = true,
                                           .body = {rider, owner},
                                           .point = {c->point, c->origin},
                                           .axis = {c->vector, c->vector},
                                           .normal = {-1, -1},
                                           .place = c->place}));
    }
    return TAUT_OK;
}

static taut_status find(finder *f) {
    for (int e = 0; e < f->m->elements; e++) f->first[e] = -1;
    for (int b = 0; b < f->m->bodies; b++) TAUT_TRY(share_with_others(f, b));
    for (size_t i = 0; i < f->count; i++) {
        const sharing *s = &f->list[i];
        const int kind = kind_of(f->m, s);
        if (kind < 0) continue;
        TAUT_TRY(add_joint(f, (taut_joint){.kind = (taut_joint_kind)kind,
                                           .shared = true,
                                           .body = {s->body, s->other},
                                           .point = {s->point, s->point},
                                           .axis = {s->vector, s->vector},
                                           .normal = {-1, -1},
                                           .place = f->m->body[s->body].place}));
    }
    return add_lines(f);
}

/* Named joints know their elements; this finds the bodies that have them. */
static void find_bodies(finder *f) {
    for (int i = 0; i < f->m->joints; i++) {
        taut_joint *j = &f->m->joint[i];
        for (int side = 0; side < 2 && !j->shared; side++) {
            const int e = j->point[side] >= 0 ? j->point[side] : j->axis[side];
            j->body[side] = e >= 0 ? f->first[e] : -1;
        }
    }
}

taut_status taut_read_shared_joints(taut_reader *r) {
    finder f = {.reader = r, .m = r->model->mechanism};
    f.first = TAUT_NEW_ARRAY(&r->model->arena, f.m->elements, int);
    if (!f.first) return TAUT_ERR_MEMORY;
    taut_status status = find(&f);
    if (status == TAUT_OK) find_bodies(&f);
    taut_release((void **)&f.list);
    return status;
}
