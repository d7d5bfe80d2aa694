/* Reading AppliedForces: gravity, forces, torques, drag. Formulas of
 * positions wait (positions.c). */
#include <string.h>

#include "core/text.h"
#include "model/parts.h"

static taut_status read_gravity(taut_reader *r, const taut_yaml *forces) {
    taut_mechanism *m = r->model->mechanism;
    taut_graph *g = r->model->graph;
    const int at = taut_yaml_find(forces, "Gravity");
    if (at < 0) return TAUT_OK;
    const taut_yaml *node = forces->items[at];
    taut_vec v = {0};
    m->has_gravity = true;
    m->gravity = (taut_vec){.n = m->dimension};
    for (int i = 0; i < m->dimension; i++) m->gravity.c[i] = taut_number(g, 0.0);
    const int down = m->dimension - 1;
    if (taut_part_is_empty(node)) {
        m->gravity.c[down] = taut_number(g, -9.81);
        return TAUT_OK;
    }
    if (node->kind == TAUT_YAML_SEQUENCE)
        return taut_part_coordinates(r, node, TAUT_ACCELERATION, &m->gravity);
    TAUT_TRY(taut_formula_read_as(r->symbols, node, 0, TAUT_ACCELERATION, &v));
    bool good = v.n == 1 || v.n == m->dimension;
    for (int i = 0; i < v.n; i++) good = good && taut_node_get(g, v.c[i])->steady;
    if (!good)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
            "gravity is a number (downwards) or a vector of %d numbers, constant in "
            "time",
            m->dimension);
    if (v.n == 1)
        m->gravity.c[down] = taut_scale(g, -1.0, v.c[0]);
    else
        m->gravity = v;
    return TAUT_OK;
}

/* ---- what a load acts on ---- */

/* Distances that have names: of lines and of joints. */
static taut_status list_distances(taut_reader *r) {
    const taut_mechanism *m = r->model->mechanism;
    taut_arena *arena = &r->model->arena;
    for (int i = 0; i < m->collinears; i++)
        if (m->collinear[i].scalar)
            TAUT_TRY(taut_roster_put(&r->distance, arena, m->collinear[i].scalar, i));
    for (int i = 0; i < m->joints; i++)
        for (int k = 0; k < 2; k++)
            if (m->joint[i].distance[k])
                TAUT_TRY(taut_roster_put(&r->distance, arena, m->joint[i].distance[k], i));
    return TAUT_OK;
}

/* A point that a force may act on; a fixed one can only feel the opposite. */
static taut_status find_point(taut_reader *r, const taut_yaml *node, bool opposite, int *point) {
    const taut_mechanism *m = r->model->mechanism;
    const taut_place place = taut_reader_place(r, node);
    if (!taut_reader_expect(r, node, TAUT_YAML_SCALAR, "the name of a point"))
        return TAUT_ERR_INPUT;
    if (!taut_symbols_element(r->symbols, node->text, point) || m->element[*point].is_vector)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'%s' is not a point of the mechanism: a force acts at a point",
                            node->text);
    if (m->element[*point].fixed && !opposite)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'%s' is fixed: a force there moves nothing", node->text);
    return TAUT_OK;
}

static taut_status find_end(taut_reader *r, const taut_yaml *node, bool torque, bool opposite,
                            int *number) {
    return torque ? taut_part_body(r, node, "for a torque to act on", number)
                  : find_point(r, node, opposite, number);
}

/* {On, Against, Value} */
static taut_status read_pair(taut_reader *r, const taut_yaml *map, taut_load *load,
                             const taut_yaml **value) {
    const taut_yaml *on = taut_yaml_get(map, "On"), *against = taut_yaml_get(map, "Against");
    taut_reader_check_keys(r, map, TAUT_SECTION_LOAD);
    *value = taut_yaml_get(map, "Value");
    if (!on) taut_reader_missing(r, map, "On", load->torque ? ": name a body" : ": name a point");
    if (!*value) taut_reader_missing(r, map, "Value", ": give the formula");
    if (!on || !*value) return TAUT_ERR_INPUT; /* told */
    TAUT_TRY(find_end(r, on, load->torque, false, &load->target));
    if (against) TAUT_TRY(find_end(r, against, load->torque, true, &load->against));
    if (load->target != load->against) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, load->place,
                        "'%s' acts on %s against itself: name two different ones", load->name,
                        load->target < 0 ? "the ground" : on->text);
}

static taut_status read_load(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                             bool torque) {
    taut_mechanism *m = r->model->mechanism;
    taut_load load = {.name = key->text,
                      .target = -1,
                      .torque = torque,
                      .against = -1,
                      .place = taut_reader_place(r, key)};
    if (value->kind == TAUT_YAML_MAPPING)
        TAUT_TRY(read_pair(r, value, &load, &value));
    else if (torque ? taut_part_find_angle(r, key->text) >= 0
                    : taut_roster_get(&r->distance, key->text) >= 0)
        load.coordinate = key->text;
    else
        TAUT_TRY(find_end(r, key, torque, false, &load.target));
    if (torque && load.target < 0 && !load.coordinate)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, load.place,
                            "a torque on the ground moves nothing");
    if (TAUT_PART_GROW(m->load, m->loads, m->load_room)) return TAUT_ERR_MEMORY;
    m->load[m->loads++] = load;
    return taut_part_wait(r, TAUT_WAITING_LOAD, m->loads - 1, value);
}

/* ---- drag ---- */

/* P: c, or P: [c, c2, v0] */
static taut_status read_drag(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    taut_drag drag = {.place = taut_reader_place(r, key)};
    TAUT_TRY(find_point(r, key, false, &drag.point));
    const bool list = value->kind == TAUT_YAML_SEQUENCE;
    if (value->kind == TAUT_YAML_MAPPING || (list && value->count != 3))
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, value),
                            "drag is c, or [c, c2, v0]: -(c + c2*sqrt(v^2 + v0^2))*v, where v0 is "
                            "the speed below which it is linear");
    TAUT_TRY(taut_part_number(r, list ? value->items[0] : value, TAUT_DRAG, key->text, 0.0,
                              &drag.linear));
    if (list) {
        TAUT_TRY(taut_part_number(r, value->items[1], TAUT_QUADRATIC_DRAG, key->text, 0.0,
                                  &drag.square));
        TAUT_TRY(taut_part_number(r, value->items[2], TAUT_DRAG_SPEED, key->text, 0.0, &drag.slow));
    }
    if (TAUT_PART_GROW(m->drag, m->drags, m->drag_room)) return TAUT_ERR_MEMORY;
    m->drag[m->drags++] = drag;
    return TAUT_OK;
}

/* ---- the section ---- */

taut_status taut_read_loads(taut_reader *r, const taut_yaml *node) {
    static const char *const section[] = {"Forces", "Torques", "Drag"};
    if (taut_part_is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'AppliedForces'")) return TAUT_OK;
    taut_reader_check_keys(r, node, TAUT_SECTION_FORCES);
    TAUT_TRY(list_distances(r));
    TAUT_NOTE(r, read_gravity(r, node));
    for (int k = 0; k < 3; k++) {
        const taut_yaml *list = taut_yaml_get(node, section[k]);
        if (taut_part_is_empty(list) ||
            !taut_reader_expect(r, list, TAUT_YAML_MAPPING, "forces (where: what)"))
            continue;
        for (int i = 0; i < list->count; i++)
            TAUT_NOTE(r, k == 2 ? read_drag(r, list->keys[i], list->items[i])
                                : read_load(r, list->keys[i], list->items[i], k == 1));
    }
    return TAUT_OK;
}
