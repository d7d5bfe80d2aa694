/* Reading what resists turning: torsion springs, rotational dampers, bushings. */
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "model/parts.h"

/* ---- torsion springs and rotational dampers ---- */

static taut_status find_angle(taut_reader *r, const taut_yaml *node, int *angle) {
    const taut_mechanism *m = r->model->mechanism;
    if (!taut_reader_expect(r, node, TAUT_YAML_SCALAR, "the name of an angle"))
        return TAUT_ERR_INPUT;
    *angle = taut_part_find_angle(r, node->text);
    if (*angle >= 0) return TAUT_OK;
    taut_nearest nearest = {.wanted = node->text};
    const taut_place place = taut_reader_place(r, node);
    const int offered = taut_errors_would_show(r->errors, place) ? m->angles : 0;
    for (int i = 0; i < offered; i++) taut_nearest_offer(&nearest, m->angle[i].name);
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                        "there is no angle '%s': name one of the 'Angles' or the 'Angle' of a "
                        "joint%s%s%s",
                        node->text, nearest.best ? "; did you mean '" : "",
                        nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

/* Numbers of a torsion spring (k, rest, c) or of a damper (c). */
static taut_status read_numbers(taut_reader *r, const taut_yaml *k, const taut_yaml *rest,
                                const taut_yaml *c, taut_torsion *x) {
    if (k) TAUT_TRY(taut_part_number(r, k, TAUT_TORSIONAL_STIFFNESS, x->name, 0.0, &x->stiffness));
    if (rest)
        TAUT_TRY(taut_part_number(r, rest, TAUT_REST_ANGLE, x->name, -(double)INFINITY, &x->rest));
    if (rest)
        TAUT_TRY(taut_doubt_angle(r->model, rest, x->name,
                                  taut_node_get(r->model->graph, x->rest)->value));
    if (c) TAUT_TRY(taut_part_number(r, c, TAUT_ROTATIONAL_DAMPING, x->name, 0.0, &x->damping));
    if (k && !rest) x->rest = taut_number(r->model->graph, 0.0);
    return TAUT_OK;
}

/* A spring between two bodies in a plane has an angle of its own, of its name. */
static taut_status track_bodies(taut_reader *r, taut_torsion *x) {
    taut_mechanism *m = r->model->mechanism;
    if (m->dimension == 3)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, x->place,
                            "in 3D the torsion spring '%s' acts about an angle, which has an axis: "
                            "give Angle instead of Bodies",
                            x->name);
    TAUT_TRY(taut_reader_check_column(r, x->name, x->place));
    x->angle = m->angles;
    return taut_part_add_angle(
        r, (taut_angle){
               .name = x->name, .joint = -1, .body = {x->body[0], x->body[1]}, .place = x->place});
}

static taut_status read_torsion_map(taut_reader *r, const taut_yaml *map, bool spring,
                                    taut_torsion *x) {
    const taut_yaml *angle = taut_yaml_get(map, "Angle"), *bodies = taut_yaml_get(map, "Bodies");
    const taut_yaml *k = taut_yaml_get(map, "k"), *c = taut_yaml_get(map, "c");
    bool said[2] = {false, false};
    taut_reader_check_keys(r, map, TAUT_SECTION_TORSION);
    if (!angle == !bodies)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, x->place,
                            "'%s' needs either Angle: phi or Bodies: [a, b]", x->name);
    if (spring && !k) taut_reader_missing(r, map, "k", ": give the stiffness");
    if (!spring && !c) taut_reader_missing(r, map, "c", ": give the damping constant");
    if (!spring && (k || taut_yaml_get(map, "rest")))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, x->place,
                            "'%s' is a damper: what has a stiffness is one of the "
                            "'TorsionSprings'",
                            x->name);
    TAUT_TRY(read_numbers(r, k, taut_yaml_get(map, "rest"), c, x));
    if (angle) return find_angle(r, angle, &x->angle);
    TAUT_TRY(taut_part_bodies(r, map, x->body, said));
    if (x->body[0] == x->body[1])
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, x->place,
                            "'%s' acts between two bodies: name two different ones", x->name);
    return spring ? track_bodies(r, x) : TAUT_OK;
}

static taut_status read_torsion(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                                bool spring) {
    taut_mechanism *m = r->model->mechanism;
    taut_torsion x = {
        .name = key->text, .angle = -1, .body = {-1, -1}, .place = taut_reader_place(r, key)};
    const int count = value->kind == TAUT_YAML_SEQUENCE ? value->count : 0;
    if (value->kind == TAUT_YAML_MAPPING) {
        TAUT_TRY(read_torsion_map(r, value, spring, &x));
    } else if (spring ? count < 2 || count > 3 : value->kind != TAUT_YAML_SCALAR) {
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, value),
                            spring ? "a torsion spring is [stiffness, rest angle] or [stiffness, "
                                     "rest angle, damping constant], or {Angle, k, rest, c}"
                                   : "a rotational damper is its damping constant, or {Angle, c} "
                                     "or {Bodies, c}");
    } else {
        TAUT_TRY(find_angle(r, key, &x.angle));
        TAUT_TRY(read_numbers(r, spring ? value->items[0] : NULL, spring ? value->items[1] : NULL,
                              !spring      ? value
                              : count == 3 ? value->items[2]
                                           : NULL,
                              &x));
    }
    if (TAUT_PART_GROW(m->torsion, m->torsions, m->torsion_room)) return TAUT_ERR_MEMORY;
    m->torsion[m->torsions++] = x;
    return TAUT_OK;
}

taut_status taut_part_read_torsion_spring(taut_reader *r, const taut_yaml *key,
                                          const taut_yaml *value) {
    return read_torsion(r, key, value, true);
}
taut_status taut_part_read_rotational_damper(taut_reader *r, const taut_yaml *key,
                                             const taut_yaml *value) {
    return read_torsion(r, key, value, false);
}

/* ---- bushings ---- */

/* One number for all axes, or a list of one for each. */
static taut_status read_constants(taut_reader *r, const taut_yaml *map, const char *key,
                                  const char *of, int axes, taut_vec *result) {
    const taut_yaml *node = taut_yaml_get(map, key);
    if (!node) return TAUT_OK;
    const bool list = node->kind == TAUT_YAML_SEQUENCE;
    if (list && node->count != axes)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                            "'%s' of '%s' is one number%s", key, of,
                            axes == 1   ? ""
                            : axes == 2 ? ", or a list of 2, one for each axis"
                                        : ", or a list of 3, one for each axis");
    result->n = axes;
    for (int i = 0; i < axes; i++)
        TAUT_TRY(taut_part_number(r, list ? node->items[i] : node,
                                  taut_key_find(TAUT_SECTION_BUSHING, key)->quantity, of, 0.0,
                                  &result->c[i]));
    return TAUT_OK;
}

static taut_status read_bushing_points(taut_reader *r, const taut_yaml *map, taut_bushing *x) {
    const taut_yaml *list = taut_yaml_get(map, "Points");
    const taut_mechanism *m = r->model->mechanism;
    bool good = list && list->kind == TAUT_YAML_SEQUENCE && list->count == 2;
    for (int i = 0; i < 2 && good; i++)
        good = list->items[i]->kind == TAUT_YAML_SCALAR &&
               taut_symbols_element(r->symbols, list->items[i]->text, &x->point[i]) &&
               !m->element[x->point[i]].is_vector;
    if (good) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, list ? taut_reader_place(r, list) : x->place,
                        "the bushing '%s' needs Points: [P, Q], a point of each body", x->name);
}

taut_status taut_part_read_bushing(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    const int dimension = m->dimension, turns = dimension == 2 ? 1 : 3;
    taut_bushing x = {.name = key->text, .place = taut_reader_place(r, key)};
    if (!taut_reader_expect(r, value, TAUT_YAML_MAPPING, "a bushing {Points, k, c, kt, ct}"))
        return TAUT_OK;
    const bool good = taut_reader_check_keys(r, value, TAUT_SECTION_BUSHING);
    if (good && !taut_yaml_get(value, "k") && !taut_yaml_get(value, "c") &&
        !taut_yaml_get(value, "kt") && !taut_yaml_get(value, "ct"))
        taut_reader_missing(r, value, "k", ": give a stiffness, k or kt, or a damping, c or ct");
    TAUT_TRY(read_bushing_points(r, value, &x));
    TAUT_TRY(taut_part_bodies(r, value, x.body, x.said));
    TAUT_TRY(read_constants(r, value, "k", x.name, dimension, &x.stiffness));
    TAUT_TRY(read_constants(r, value, "c", x.name, dimension, &x.damping));
    TAUT_TRY(read_constants(r, value, "kt", x.name, turns, &x.torsion));
    TAUT_TRY(read_constants(r, value, "ct", x.name, turns, &x.twist_damping));
    if (TAUT_PART_GROW(m->bushing, m->bushings, m->bushing_room)) return TAUT_ERR_MEMORY;
    m->bushing[m->bushings++] = x;
    return TAUT_OK;
}
