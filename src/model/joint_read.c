/* Reading the joints of a mechanism: their kinds, their elements, the names of their coordinates
 * and the numbers that some of them take. What a kind takes comes from joint.def. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/parts.h"

/* A joint that is being read. */
typedef struct joint_reader {
    taut_reader *reader;
    const taut_yaml *map;
    const char *type;
    taut_joint_needs needs;
    taut_joint joint;
} joint_reader;

/* ---- what is missing, and what is too much ---- */

static taut_status needs(const joint_reader *j, const char *what) {
    return taut_fail_at(j->reader->errors, TAUT_ERR_INPUT, j->joint.place,
                        "the %s joint '%s' needs %s", j->type, j->joint.name, what);
}

static taut_status refuse(const joint_reader *j, const char *key) {
    return taut_fail_at(j->reader->errors, TAUT_ERR_INPUT,
                        taut_reader_place(j->reader, taut_yaml_get(j->map, key)),
                        "the %s joint '%s' takes no '%s'", j->type, j->joint.name, key);
}

/* ---- kinds ---- */

static taut_status read_kind(taut_reader *r, const taut_yaml *type, taut_joint_kind *kind) {
    const int dimension = r->model->mechanism->dimension, found = taut_joint_find(type->text);
    if (found < 0) {
        taut_nearest nearest = {.wanted = type->text};
        char all[400] = "";
        for (int i = 0; i < TAUT_JOINT_KINDS; i++) {
            const char *known = taut_joint_kind_name((taut_joint_kind)i);
            taut_nearest_offer(&nearest, known);
            const size_t used = strlen(all);
            snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", known);
        }
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, type),
                            "there is no joint of the type '%s'; %s%s%s", type->text,
                            nearest.best ? "did you mean '" : "there are ",
                            nearest.best ? nearest.best : all, nearest.best ? "'?" : "");
    }
    *kind = (taut_joint_kind)found;
    if (taut_joint_removes(*kind, dimension) >= 0) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, type),
                        "a %s joint has no meaning in 2D; use revolute, prismatic or point-on-line",
                        type->text);
}

/* ---- elements ---- */

/* One name or a list of them, at most `most`; they need not be there. */
static taut_status read_names(joint_reader *j, const char *key, int most, bool new,
                              const char **name) {
    taut_reader *r = j->reader;
    const taut_yaml *node = taut_yaml_get(j->map, key);
    if (!node) return TAUT_OK;
    const int count = node->kind == TAUT_YAML_SEQUENCE ? node->count : 1;
    if (most == 0) return refuse(j, key);
    if (count > most)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "the %s joint '%s' takes %d name%s under '%s', not %d", j->type,
                            j->joint.name, most, most == 1 ? "" : "s", key, count);
    for (int i = 0; i < count; i++) {
        const taut_yaml *item = node->kind == TAUT_YAML_SEQUENCE ? node->items[i] : node;
        if (!taut_reader_expect(r, item, TAUT_YAML_SCALAR, "the name of a coordinate"))
            return TAUT_ERR_INPUT;
        if (new) TAUT_TRY(taut_reader_check_column(r, item->text, taut_reader_place(r, item)));
        name[i] = item->text;
    }
    return TAUT_OK;
}

/* Names of two elements (or one) under a key of a joint. */
static taut_status read_elements(joint_reader *j, const char *key, bool vectors, int *element,
                                 int *count) {
    taut_reader *r = j->reader;
    const taut_yaml *list = taut_yaml_get(j->map, key);
    element[0] = element[1] = -1;
    *count = 0;
    if (!list) return TAUT_OK;
    if (!taut_reader_expect(r, list, TAUT_YAML_SEQUENCE, "the elements of a joint"))
        return TAUT_ERR_INPUT;
    if (list->count > 2)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, list),
                            "'%s' lists one element of each of the two bodies", key);
    for (int i = 0; i < list->count; i++) {
        const taut_yaml *item = list->items[i];
        const taut_place place = taut_reader_place(r, item);
        if (!taut_reader_expect(r, item, TAUT_YAML_SCALAR, "the name of an element"))
            return TAUT_ERR_INPUT;
        if (!taut_symbols_element(r->symbols, item->text, &element[i])) {
            const char *near = taut_symbols_nearest(r->symbols, item->text);
            return taut_fail_at(
                r->errors, TAUT_ERR_INPUT, place,
                "'%s' belongs to no body and is not fixed: the joint would connect to "
                "nothing%s%s%s",
                item->text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
        if (r->model->mechanism->element[element[i]].is_vector != vectors)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "'%s' is a %s, but '%s' lists %s",
                                item->text, vectors ? "point" : "vector", key,
                                vectors ? "vectors (small letters)" : "points (capital letters)");
    }
    *count = list->count;
    return TAUT_OK;
}

static taut_status check_axes(const joint_reader *j, int axes) {
    if (axes == j->needs.axes) return TAUT_OK;
    return needs(j, j->needs.axes == 2   ? "Axes: [u, v], one of each body"
                    : j->needs.axes == 0 ? "no axes"
                    : j->joint.kind == TAUT_JOINT_PLANE
                        ? "Axes: [u], the direction across the plane"
                        : "Axes: [u], the direction of the line");
}

/* Normals keep bodies from turning, or tell where angles and distances count from. */
static taut_status check_normals(const joint_reader *j, int normals) {
    const taut_joint *x = &j->joint;
    const bool spatial = j->reader->model->mechanism->dimension == 3;
    if (j->needs.normals == 2 && normals != 2)
        return needs(j, x->kind == TAUT_JOINT_CONSTANT_VELOCITY
                            ? "Normals: [a, b], a vector of each body across its axis, parallel "
                              "where the shafts are in line"
                            : "Normals: [a, b] in 3D, a vector of each body across the axis, which "
                              "stay parallel");
    const bool counts = spatial && (x->angle[0] || (x->distance[0] && j->needs.distances > 1));
    if (normals > 0 && j->needs.normals == 0 && !counts && x->kind != TAUT_JOINT_SCREW)
        return taut_fail_at(j->reader->errors, TAUT_ERR_INPUT, x->place,
                            "the %s joint '%s' takes no Normals%s", j->type, x->name,
                            spatial && j->needs.angles ? " unless its Angle has a name" : "");
    if (normals == 1) return needs(j, "Normals: [a, b], a vector of each body across its axis");
    if (counts && normals == 0)
        return needs(j, "Normals: [a, b], a vector of each body across its axis: the angle counts "
                        "from the first to the second");
    return TAUT_OK;
}

static taut_status read_geometry(joint_reader *j) {
    int points, axes, normals;
    if (j->needs.geared && taut_yaml_get(j->map, "Bodies")) return refuse(j, "Bodies");
    TAUT_TRY(taut_part_bodies(j->reader, j->map, j->joint.body, j->joint.said));
    TAUT_TRY(read_elements(j, "Points", false, j->joint.point, &points));
    TAUT_TRY(read_elements(j, "Axes", true, j->joint.axis, &axes));
    TAUT_TRY(read_elements(j, "Normals", true, j->joint.normal, &normals));
    const bool shares = j->joint.kind == TAUT_JOINT_UNIVERSAL && points == 0;
    if (points != j->needs.points && !shares)
        return needs(j, j->needs.points ? "Points: [P, Q], one of each body" : "no points");
    TAUT_TRY(check_axes(j, axes));
    return check_normals(j, normals);
}

/* ---- coordinates ---- */

static taut_status read_coordinates(joint_reader *j) {
    taut_joint *x = &j->joint;
    TAUT_TRY(read_names(j, "Angle", j->needs.angles, true, x->angle));
    TAUT_TRY(read_names(j, "Distance", j->needs.distances, true, x->distance));
    TAUT_TRY(read_names(j, "Coordinates", j->needs.geared ? 2 : 0, false, x->geared));
    if (j->needs.geared && !x->geared[1])
        return needs(j,
                     x->kind == TAUT_JOINT_GEAR
                         ? "Coordinates: [phi, psi], the angles of two wheels"
                         : "Coordinates: [phi, s], the angle of a wheel and the way of the rack");
    if (j->needs.geared && strcmp(x->geared[0], x->geared[1]) == 0)
        return taut_fail_at(j->reader->errors, TAUT_ERR_INPUT, x->place,
                            "the %s joint '%s' ties %s to itself: name two coordinates", j->type,
                            x->name, x->geared[0]);
    return TAUT_OK;
}

/* ---- numbers and curves ---- */

static taut_status read_number(joint_reader *j) {
    static const char *const KEY[] = {"Length", "Pitch", "Ratio", "Radius"};
    taut_joint *x = &j->joint;
    char what[40];
    for (size_t i = 0; i < sizeof KEY / sizeof KEY[0]; i++)
        if (taut_yaml_get(j->map, KEY[i]) &&
            (!j->needs.number || strcmp(j->needs.number, KEY[i]) != 0))
            return refuse(j, KEY[i]);
    if (!j->needs.number) return TAUT_OK;
    const taut_yaml *node = taut_yaml_get(j->map, j->needs.number);
    snprintf(what, sizeof what, "%s: a number", j->needs.number);
    if (!node) return needs(j, what);
    const bool length = x->kind == TAUT_JOINT_DISTANCE;
    TAUT_TRY(taut_part_number(j->reader, node,
                              taut_key_find(TAUT_SECTION_JOINT, j->needs.number)->quantity, x->name,
                              length ? 0.0 : -(double)INFINITY, &x->number));
    if (taut_node_get(j->reader->model->graph, x->number)->value != 0.0) return TAUT_OK;
    return taut_fail_at(j->reader->errors, TAUT_ERR_INPUT, taut_reader_place(j->reader, node),
                        "the %s of '%s' is 0: %s", j->needs.number, x->name,
                        length                        ? "use a spherical joint"
                        : x->kind == TAUT_JOINT_SCREW ? "use a revolute joint"
                                                      : "nothing would be tied");
}

static taut_status read_phase(joint_reader *j) {
    const taut_yaml *node = taut_yaml_get(j->map, "Phase");
    if (!node) return TAUT_OK;
    if (!taut_joint_demands(j->joint.kind, j->reader->model->mechanism->dimension,
                            TAUT_CONDITION_GEARED))
        return refuse(j, "Phase");
    if (j->joint.kind == TAUT_JOINT_SCREW && j->joint.normal[0] < 0)
        return needs(j, "Normals: [a, b] to have a Phase: the angle counts from the first to the "
                        "second");
    return taut_part_number(j->reader, node,
                            j->joint.kind == TAUT_JOINT_GEAR ? TAUT_ANGLE : TAUT_LENGTH,
                            j->joint.name, -(double)INFINITY, &j->joint.phase);
}

static taut_status read_curve(joint_reader *j) {
    taut_reader *r = j->reader;
    taut_joint *x = &j->joint;
    const taut_yaml *curve = taut_yaml_get(j->map, "Curve");
    const taut_yaml *parameter = taut_yaml_get(j->map, "Parameter");
    if (x->kind != TAUT_JOINT_CURVE) {
        if (curve) return refuse(j, "Curve");
        return parameter ? refuse(j, "Parameter") : TAUT_OK;
    }
    if (!curve || !parameter)
        return needs(j, "Curve: [x, y], formulas of its Parameter: s, and the name of that");
    if (!taut_reader_expect(r, parameter, TAUT_YAML_SCALAR, "'Parameter' (a name)"))
        return TAUT_ERR_INPUT;
    TAUT_TRY(taut_reader_check_column(r, parameter->text, taut_reader_place(r, parameter)));
    x->parameter = parameter->text;
    return taut_part_wait(r, TAUT_WAITING_CURVE, r->model->mechanism->joints, curve);
}

/* ---- the whole ---- */

/* The angles that a joint tracks: those with names, and that of a screw. */
static taut_status add_angles(taut_reader *r, taut_joint *x, int number) {
    char name[TAUT_NAME_MAX + 10];
    if (x->kind == TAUT_JOINT_SCREW && !x->angle[0]) {
        snprintf(name, sizeof name, "%.*s_angle", TAUT_NAME_MAX, x->name);
        x->angle[0] = taut_arena_copy(&r->model->arena, name, strlen(name));
        if (!x->angle[0]) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < 2; i++) {
        if (!x->angle[i]) continue;
        TAUT_TRY(taut_part_add_angle(
            r, (taut_angle){.name = x->angle[i], .joint = number, .number = i, .place = x->place}));
    }
    return TAUT_OK;
}

/* Is it a map with keys of a joint, and a Type? *good; what is wrong is told. */
static taut_status find_type(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                             const taut_yaml **type) {
    const bool before = r->faulty;
    *type = NULL;
    if (!taut_reader_expect(r, value, TAUT_YAML_MAPPING, "a joint {Type, Points, Axes}"))
        return TAUT_OK;
    r->faulty = false;
    taut_reader_check_keys(r, value, TAUT_SECTION_JOINT);
    if (r->faulty) return TAUT_OK; /* what is missing now has a wrong name */
    r->faulty = before;
    const taut_yaml *node = taut_yaml_get(value, "Type");
    if (!node)
        taut_reader_missing(r, key, "Type", ": which kind of joint is it?");
    else if (taut_reader_expect(r, node, TAUT_YAML_SCALAR, "'Type'"))
        *type = node;
    return TAUT_OK;
}

taut_status taut_part_read_joint(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    const taut_yaml *type;
    TAUT_TRY(find_type(r, key, value, &type));
    if (!type) return TAUT_OK;
    joint_reader j = {.reader = r,
                      .map = value,
                      .type = type->text,
                      .joint = {.name = key->text,
                                .body = {-1, -1},
                                .number = TAUT_NO_NODE,
                                .phase = TAUT_NO_NODE,
                                .place = taut_reader_place(r, key)}};
    TAUT_TRY(read_kind(r, type, &j.joint.kind));
    j.needs = taut_joint_takes(j.joint.kind, m->dimension);
    TAUT_TRY(read_coordinates(&j));
    TAUT_TRY(read_geometry(&j));
    TAUT_TRY(read_number(&j));
    TAUT_TRY(read_phase(&j));
    TAUT_TRY(read_curve(&j));
    TAUT_TRY(taut_part_flag(r, value, "Disassembled", "", &j.joint.disassembled));
    TAUT_TRY(taut_symbols_add_name(r->symbols, j.joint.name, "a joint", j.joint.place));
    TAUT_TRY(add_angles(r, &j.joint, m->joints));
    if (TAUT_PART_GROW(m->joint, m->joints, m->joint_room)) return TAUT_ERR_MEMORY;
    m->joint[m->joints++] = j.joint;
    return TAUT_OK;
}
