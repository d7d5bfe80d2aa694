/* Reading Chains: several joints one behind another between two bodies. Each but the last moves a
 * link without mass, which the file need not name; links, their joints and elements are made here,
 * so that formulations see bodies and joints as ever.
 *
 * The points and directions of both ends coincide where all coordinates are 0. In that position all
 * links have common axes c: x along Axes, y along Normals, from the common point. A step is given
 * in the local axes of the second body, and known in c by its end's frame. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/parts.h"

enum { MOST_STEPS = 64 };

/* A frame in the axes of a body, or of the ground: origin and three directions. */
typedef struct end_frame {
    int body; /* -1: the ground */
    taut_vec origin, axis[3];
} end_frame;

/* A step in the common axes. */
typedef struct step {
    const taut_yaml *key;
    bool turns;
    taut_vec at, axis, normal;
} step;

typedef struct chain_reader {
    taut_reader *reader;
    const taut_yaml *map;
    const char *name;
    taut_place place;
    end_frame end[2];
    step *step;
    int steps;
} chain_reader;

static taut_status needs(const chain_reader *c, const char *what) {
    return taut_fail_at(c->reader->errors, TAUT_ERR_INPUT, c->place, "the chain '%s' needs %s",
                        c->name, what);
}

/* ---- both ends ---- */

static int find_in(const taut_body *b, int element) {
    for (int i = 0; i < b->elements; i++)
        if (b->element[i] == element) return i;
    return -1;
}

/* Two elements under a key: one of each body. */
static taut_status read_two(const chain_reader *c, const char *key, bool vectors, int element[2]) {
    taut_reader *r = c->reader;
    const taut_yaml *list = taut_yaml_get(c->map, key);
    char what[80];
    snprintf(what, sizeof what, "%s: [%s], a %s of each body", key, vectors ? "u, v" : "P, Q",
             vectors ? "vector" : "point");
    if (!list || list->kind != TAUT_YAML_SEQUENCE || list->count != 2) return needs(c, what);
    for (int i = 0; i < 2; i++) {
        const taut_yaml *item = list->items[i];
        if (item->kind != TAUT_YAML_SCALAR ||
            !taut_symbols_element(r->symbols, item->text, &element[i]) ||
            r->model->mechanism->element[element[i]].is_vector != vectors)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, item),
                                "'%s' of the chain '%s' lists %s of its two bodies", key, c->name,
                                vectors ? "vectors (small letters)" : "points (capital letters)");
    }
    return TAUT_OK;
}

/* The body that has all three elements; -1: the ground. */
static taut_status find_body(const chain_reader *c, const int element[3], int *body) {
    const taut_mechanism *m = c->reader->model->mechanism;
    bool fixed = true;
    for (int i = 0; i < 3; i++) fixed = fixed && m->element[element[i]].fixed;
    *body = -1;
    if (fixed) return TAUT_OK;
    for (int k = m->carrier_start[element[0]]; k < m->carrier_start[element[0] + 1]; k++) {
        const int b = m->carrier[k];
        bool all = true;
        for (int i = 0; i < 3 && all; i++) all = find_in(&m->body[b], element[i]) >= 0;
        if (all) *body = b;
        if (all) return TAUT_OK;
    }
    if (c->reader->faulty) return TAUT_ERR_INPUT; /* its body was wrong, which is reported */
    return taut_fail_at(c->reader->errors, TAUT_ERR_INPUT, c->place,
                        "no body has the point %s and the vectors %s and %s, which the chain '%s' "
                        "puts together, and they are not all 'Fixed'",
                        m->element[element[0]].name, m->element[element[1]].name,
                        m->element[element[2]].name, c->name);
}

/* From a point, a direction and another one across it, which are made orthonormal. */
static taut_status make_frame(const chain_reader *c, taut_vec point, taut_vec x, taut_vec y,
                              end_frame *f) {
    taut_graph *g = c->reader->model->graph;
    const taut_node along = taut_vec_inner(g, x, y);
    for (int i = 0; i < 3; i++) y.c[i] = taut_sub(g, y.c[i], taut_mul(g, along, x.c[i]));
    const taut_node_data *d = taut_node_get(g, along);
    if ((d->steady && fabs(d->value) > 1.0 - 1e-9) || taut_mechanism_direction(g, &y) != TAUT_OK)
        return needs(c, "Normals that are across its Axes");
    f->origin = point;
    f->axis[0] = x;
    f->axis[1] = y;
    f->axis[2] = taut_vec_cross(g, x, y);
    return TAUT_OK;
}

static taut_vec leaves_of(const taut_element *e) {
    return (taut_vec){3, {e->leaf[0], e->leaf[1], e->leaf[2]}};
}

static taut_status read_ends(chain_reader *c) {
    const taut_mechanism *m = c->reader->model->mechanism;
    int point[2] = {0, 0}, axis[2] = {0, 0}, normal[2] = {0, 0};
    TAUT_TRY(read_two(c, "Points", false, point));
    TAUT_TRY(read_two(c, "Axes", true, axis));
    TAUT_TRY(read_two(c, "Normals", true, normal));
    for (int side = 0; side < 2; side++) {
        const int element[3] = {point[side], axis[side], normal[side]};
        taut_vec v[3];
        TAUT_TRY(find_body(c, element, &c->end[side].body));
        const int b = c->end[side].body;
        for (int i = 0; i < 3; i++)
            v[i] = b < 0 ? leaves_of(&m->element[element[i]])
                         : m->body[b].local[find_in(&m->body[b], element[i])];
        TAUT_TRY(make_frame(c, v[0], v[1], v[2], &c->end[side]));
    }
    if (c->end[0].body == c->end[1].body)
        return needs(c, "two different bodies: its points and vectors belong to one");
    return c->end[1].body >= 0 ? TAUT_OK
                               : needs(c, "a body at its end: the ground comes first in Points, "
                                          "Axes and Normals");
}

/* ---- steps ---- */

/* A direction, or the way from the frame's origin to a place, in the frame's axes. */
static taut_vec inwards(taut_graph *g, const end_frame *f, taut_vec v) {
    taut_vec c = {.n = 3};
    for (int i = 0; i < 3; i++) c.c[i] = taut_vec_inner(g, f->axis[i], v);
    return c;
}

static taut_vec outwards(taut_graph *g, const end_frame *f, taut_vec c) {
    taut_vec v = {.n = 3};
    for (int i = 0; i < 3; i++) v.c[i] = taut_number(g, 0.0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            v.c[k] = taut_add(g, v.c[k], taut_mul(g, c.c[i], f->axis[i].c[k]));
    return v;
}

/* A direction across a unit vector: from the axis that is farthest from it. */
static taut_vec find_across(taut_graph *g, taut_vec u) {
    int least = 0;
    taut_vec y = {.n = 3};
    for (int i = 1; i < 3; i++)
        if (fabs(taut_node_get(g, u.c[i])->value) < fabs(taut_node_get(g, u.c[least])->value))
            least = i;
    for (int i = 0; i < 3; i++) {
        y.c[i] = taut_scale(g, -1.0, taut_mul(g, u.c[least], u.c[i]));
        if (i == least) y.c[i] = taut_add(g, y.c[i], taut_number(g, 1.0));
    }
    taut_mechanism_direction(g, &y);
    return y;
}

static taut_status read_step(chain_reader *c, const taut_yaml *key, const taut_yaml *map) {
    taut_reader *r = c->reader;
    taut_graph *g = r->model->graph;
    const end_frame *f = &c->end[1];
    step *s = &c->step[c->steps++];
    taut_vec axis, at = f->origin;
    *s = (step){.key = key};
    if (!taut_reader_expect(r, map, TAUT_YAML_MAPPING, "a step {Turn} or {Slide}"))
        return TAUT_ERR_INPUT;
    if (!taut_reader_check_keys(r, map, TAUT_SECTION_STEP)) return TAUT_ERR_INPUT;
    const taut_yaml *turn = taut_yaml_get(map, "Turn"), *slide = taut_yaml_get(map, "Slide");
    const taut_yaml *place = taut_yaml_get(map, "At");
    if (!turn == !slide)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                            "the step '%s' of the chain '%s' needs either Turn: [x, y, z], the "
                            "axis about which it turns, or Slide: [x, y, z], along which it goes",
                            key->text, c->name);
    TAUT_TRY(taut_reader_check_column(r, key->text, taut_reader_place(r, key)));
    TAUT_TRY(taut_part_coordinates(r, turn ? turn : slide, TAUT_ANY, &axis));
    if (taut_mechanism_direction(g, &axis) != TAUT_OK)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, turn ? turn : slide),
                            "the axis of the step '%s' has length 0", key->text);
    if (place) TAUT_TRY(taut_part_coordinates(r, place, TAUT_LENGTH, &at));
    for (int i = 0; i < 3; i++) at.c[i] = taut_sub(g, at.c[i], f->origin.c[i]);
    s->turns = turn != NULL;
    s->axis = inwards(g, f, axis);
    s->at = inwards(g, f, at);
    s->normal = find_across(g, s->axis);
    return TAUT_OK;
}

static taut_status read_steps(chain_reader *c) {
    const taut_yaml *list = taut_yaml_get(c->map, "Steps");
    if (taut_part_is_empty(list) || list->kind != TAUT_YAML_MAPPING || list->count == 0)
        return needs(c, "Steps: {phi: {Turn: [0, 0, 1]}, s: {Slide: [1, 0, 0]}}, its coordinates "
                        "from the first body to the second");
    if (list->count > MOST_STEPS) return needs(c, "at most 64 steps");
    c->step = TAUT_NEW_ARRAY(&c->reader->model->arena, list->count, step);
    if (!c->step) return TAUT_ERR_MEMORY;
    for (int i = 0; i < list->count; i++) TAUT_TRY(read_step(c, list->keys[i], list->items[i]));
    return TAUT_OK;
}

/* ---- links and joints ---- */

static const char *name_part(const chain_reader *c, const char *form, int number) {
    char text[TAUT_NAME_MAX + 24];
    snprintf(text, sizeof text, form, TAUT_NAME_MAX, c->name, number);
    return taut_arena_copy(&c->reader->model->arena, text, strlen(text));
}

/* A point or vector that has no name in the file, and no columns. */
static taut_status add_element(const chain_reader *c, const char *form, int number, bool vector,
                               int *element) {
    taut_model *model = c->reader->model;
    taut_mechanism *m = model->mechanism;
    const char *name = name_part(c, form, number);
    if (!name || TAUT_PART_GROW(m->element, m->elements, m->element_room)) return TAUT_ERR_MEMORY;
    *element = m->elements++;
    m->element[*element] = (taut_element){.name = name,
                                          .is_vector = vector,
                                          .collinear = -1,
                                          .copy = true,
                                          .original = *element,
                                          .place = c->place};
    for (int i = 0; i < m->dimension; i++)
        TAUT_TRY(taut_model_add_leaf(model, (taut_model_leaf){TAUT_LEAF_ELEMENT, *element, i, name},
                                     &m->element[*element].leaf[i]));
    return TAUT_OK;
}

/* A body gets three more elements. */
static taut_status extend_body(const chain_reader *c, int body, const int element[3],
                               const taut_vec local[3]) {
    taut_arena *arena = &c->reader->model->arena;
    taut_body *b = &c->reader->model->mechanism->body[body];
    int *more = TAUT_NEW_ARRAY(arena, b->elements + 3, int);
    taut_vec *places = TAUT_NEW_ARRAY(arena, b->elements + 3, taut_vec);
    if (!more || !places) return TAUT_ERR_MEMORY;
    for (int i = 0; i < b->elements; i++) more[i] = b->element[i], places[i] = b->local[i];
    for (int i = 0; i < 3; i++) {
        more[b->elements + i] = element[i];
        places[b->elements + i] = local[i];
    }
    b->element = more;
    b->local = places;
    b->elements += 3;
    return TAUT_OK;
}

/* Point, axis and normal of a step on one side of it. Of a link, `from` is where its origin is. */
static taut_status place_step(const chain_reader *c, int number, int side, int body,
                              const taut_vec *from, int element[3]) {
    static const char *const FORM[2][3] = {{"%.*s@P%d", "%.*s@u%d", "%.*s@m%d"},
                                           {"%.*s@Q%d", "%.*s@v%d", "%.*s@n%d"}};
    taut_mechanism *m = c->reader->model->mechanism;
    taut_graph *g = c->reader->model->graph;
    const step *s = &c->step[number];
    const end_frame *f = &c->end[side];
    taut_vec local[3] = {s->at, s->axis, s->normal};
    for (int i = 0; i < 3; i++)
        TAUT_TRY(add_element(c, FORM[side][i], number + 1, i > 0, &element[i]));
    for (int i = 0; i < 3; i++) {
        if (!from) local[i] = outwards(g, f, local[i]);
        for (int k = 0; i == 0 && k < 3; k++)
            local[i].c[k] = from ? taut_sub(g, local[i].c[k], from->c[k])
                                 : taut_add(g, local[i].c[k], f->origin.c[k]);
    }
    if (body >= 0) return extend_body(c, body, element, local);
    for (int i = 0; i < 3; i++) {
        m->element[element[i]].fixed = true;
        m->element[element[i]].given = local[i];
        m->element[element[i]].where = c->place;
    }
    return TAUT_OK;
}

static taut_status add_joint(const chain_reader *c, int number, const int body[2],
                             int element[2][3]) {
    taut_reader *r = c->reader;
    taut_mechanism *m = r->model->mechanism;
    const step *s = &c->step[number];
    taut_joint j = {.name = name_part(c, "%.*s_%d", number + 1),
                    .kind = s->turns ? TAUT_JOINT_REVOLUTE : TAUT_JOINT_PRISMATIC,
                    .number = TAUT_NO_NODE,
                    .phase = TAUT_NO_NODE,
                    .place = taut_reader_place(r, s->key)};
    if (!j.name) return TAUT_ERR_MEMORY;
    for (int side = 0; side < 2; side++) {
        j.body[side] = body[side];
        j.said[side] = true;
        j.point[side] = element[side][0];
        j.axis[side] = element[side][1];
        j.normal[side] = element[side][2];
    }
    if (s->turns)
        j.angle[0] = s->key->text;
    else
        j.distance[0] = s->key->text;
    TAUT_TRY(taut_symbols_add_name(r->symbols, j.name, "a joint", j.place));
    if (s->turns)
        TAUT_TRY(taut_part_add_angle(
            r, (taut_angle){.name = s->key->text, .joint = m->joints, .place = j.place}));
    if (TAUT_PART_GROW(m->joint, m->joints, m->joint_room)) return TAUT_ERR_MEMORY;
    m->joint[m->joints++] = j;
    return TAUT_OK;
}

static taut_status build_chain(const chain_reader *c) {
    const taut_mechanism *m = c->reader->model->mechanism;
    int before = c->end[0].body;
    for (int k = 0; k < c->steps; k++) {
        const bool first = k == 0, last = k == c->steps - 1;
        int body[2] = {before, c->end[1].body}, element[2][3];
        TAUT_TRY(place_step(c, k, 0, before, first ? NULL : &c->step[k - 1].at, element[0]));
        if (!last) {
            body[1] = m->bodies;
            const taut_body link = {.name = name_part(c, "%.*s_link%d", k + 1), .place = c->place};
            if (!link.name) return TAUT_ERR_MEMORY;
            TAUT_TRY(taut_part_add_body(c->reader, link));
        }
        TAUT_TRY(place_step(c, k, 1, body[1], last ? NULL : &c->step[k].at, element[1]));
        TAUT_TRY(add_joint(c, k, body, element));
        before = body[1];
    }
    return TAUT_OK;
}

taut_status taut_part_read_chain(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    chain_reader c = {
        .reader = r, .map = value, .name = key->text, .place = taut_reader_place(r, key)};
    if (!taut_reader_expect(r, value, TAUT_YAML_MAPPING, "a chain {Points, Axes, Normals, Steps}"))
        return TAUT_OK;
    if (!taut_reader_check_keys(r, value, TAUT_SECTION_CHAIN)) return TAUT_ERR_INPUT;
    if (r->model->mechanism->dimension == 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, c.place,
                            "chains are for mechanisms in space; in the plane name the joints and "
                            "give the parts between them as 'Rigids' without Dyna");
    TAUT_TRY(read_ends(&c));
    TAUT_TRY(read_steps(&c));
    TAUT_TRY(taut_symbols_add_name(r->symbols, c.name, "a chain", c.place));
    return build_chain(&c);
}
