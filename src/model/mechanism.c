/* Reading a mechanism: PartData, AppliedForces, Angles, Drivers. Formulas of positions are kept as
 * they stand; numbers (lengths, masses, stiffnesses) are read at once. */
#include "model/mechanism.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/parts.h"

/* ---- loads, angles, drivers ---- */

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
    if (node->kind == TAUT_YAML_SEQUENCE) return taut_part_coordinates(r, node, &m->gravity);
    TAUT_TRY(taut_formula_read(r->symbols, node, 0, &v));
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

static taut_status read_load(taut_reader *r, const taut_yaml *key, const taut_yaml *value,
                             bool torque) {
    taut_mechanism *m = r->model->mechanism;
    taut_load load = {
        .torque = torque, .against = -1, .value = value, .place = taut_reader_place(r, key)};
    if (torque) {
        const taut_yaml *parts = taut_yaml_get(r->model->doc->root, "PartData");
        load.target = taut_part_find_body(m, key->text);
        if (load.target < 0 && taut_yaml_get(taut_yaml_get(parts, "Rigids"), key->text))
            return TAUT_ERR_INPUT; /* the body was wrong, and that is told */
        if (load.target < 0) {
            taut_nearest nearest = {.wanted = key->text};
            for (int i = 0; i < m->bodies; i++) taut_nearest_offer(&nearest, m->body[i].name);
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, load.place,
                                "there is no body '%s' for a torque to act on%s%s%s", key->text,
                                nearest.best ? "; did you mean '" : "",
                                nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
        }
    } else if (!taut_symbols_element(r->symbols, key->text, &load.target) ||
               m->element[load.target].is_vector) {
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, load.place,
                            "'%s' is not a point of the mechanism: a force acts at a point",
                            key->text);
    } else if (m->element[load.target].fixed) {
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, load.place,
                            "'%s' is fixed: a force there moves nothing", key->text);
    }
    if (TAUT_PART_GROW(m->load, m->loads, m->load_room)) return TAUT_ERR_MEMORY;
    m->load[m->loads++] = load;
    return TAUT_OK;
}

static taut_status read_forces(taut_reader *r, const taut_yaml *node) {
    if (taut_part_is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'AppliedForces'")) return TAUT_OK;
    taut_reader_check_keys(r, node, TAUT_SECTION_FORCES);
    TAUT_NOTE(r, read_gravity(r, node));
    static const char *const section[2] = {"Forces", "Torques"};
    for (int k = 0; k < 2; k++) {
        const taut_yaml *list = taut_yaml_get(node, section[k]);
        if (taut_part_is_empty(list) ||
            !taut_reader_expect(r, list, TAUT_YAML_MAPPING, "forces (where: what)"))
            continue;
        for (int i = 0; i < list->count; i++)
            TAUT_NOTE(r, read_load(r, list->keys[i], list->items[i], k == 1));
    }
    return TAUT_OK;
}

static taut_status read_angles(taut_reader *r, const taut_yaml *node) {
    taut_mechanism *m = r->model->mechanism;
    if (taut_part_is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Angles' (name: of what)")) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        if (node->items[i]->kind == TAUT_YAML_MAPPING)
            taut_reader_check_keys(r, node->items[i], TAUT_SECTION_ANGLE);
        TAUT_NOTE(r, taut_reader_check_column(r, node->keys[i]->text,
                                              taut_reader_place(r, node->keys[i])));
        if (TAUT_PART_GROW(m->angle, m->angles, m->angle_room)) return TAUT_ERR_MEMORY;
        m->angle[m->angles++] = (taut_angle){.name = node->keys[i]->text,
                                             .value = node->items[i],
                                             .place = taut_reader_place(r, node->keys[i])};
    }
    return TAUT_OK;
}

static taut_status read_drivers(taut_reader *r, const taut_yaml *node) {
    taut_mechanism *m = r->model->mechanism;
    if (taut_part_is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Drivers' (what: function of t)"))
        return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        if (TAUT_PART_GROW(m->driver, m->drivers, m->driver_room)) return TAUT_ERR_MEMORY;
        m->driver[m->drivers++] =
            (taut_driver){node->keys[i]->text, node->items[i], taut_reader_place(r, node->keys[i])};
    }
    return TAUT_OK;
}

/* ---- the whole ---- */

static taut_status read_entries(taut_reader *r, const taut_yaml *parts, const char *key,
                                taut_part_reader *read) {
    const taut_yaml *node = taut_yaml_get(parts, key);
    char what[64];
    if (taut_part_is_empty(node)) return TAUT_OK;
    snprintf(what, sizeof what, "'%s' (name: data)", key);
    if (read == taut_part_read_collinear && node->kind == TAUT_YAML_SEQUENCE) { /* names alone */
        for (int i = 0; i < node->count; i++)
            if (taut_reader_expect(r, node->items[i], TAUT_YAML_SCALAR, "a line such as AvB"))
                TAUT_NOTE(r, read(r, node->items[i], NULL));
        return TAUT_OK;
    }
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    for (int i = 0; i < node->count; i++) TAUT_NOTE(r, read(r, node->keys[i], node->items[i]));
    return TAUT_OK;
}

static taut_status read_dimension(taut_reader *r, const taut_yaml *root) {
    const taut_yaml *node = taut_yaml_get(root, "Dimension");
    double dimension;
    if (!node) {
        taut_reader_missing(r, root, "Dimension",
                            ": 2 for a planar mechanism, 3 for a spatial one");
        return TAUT_ERR_INPUT;
    }
    TAUT_TRY(taut_number_read(r->symbols, node, &dimension));
    if (dimension != 2.0 && dimension != 3.0)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
            "'Dimension' is 2 for a planar mechanism or 3 for a spatial one, not %g", dimension);
    r->model->mechanism->dimension = (int)dimension;
    return TAUT_OK;
}

taut_status taut_read_mechanism(taut_reader *r, const taut_yaml *root) {
    const taut_yaml *parts = taut_yaml_get(root, "PartData");
    r->model->mechanism = TAUT_NEW(&r->model->arena, taut_mechanism);
    if (!r->model->mechanism) return TAUT_ERR_MEMORY;
    TAUT_NOTE(r, read_dimension(r, root));
    if (r->model->mechanism->dimension == 0) return TAUT_OK;
    if (!taut_reader_expect(r, parts, TAUT_YAML_MAPPING, "'PartData'")) return TAUT_OK;
    taut_reader_check_keys(r, parts, TAUT_SECTION_PARTS);
    TAUT_TRY(read_entries(r, parts, "Fixed", taut_part_read_fixed));
    TAUT_TRY(read_entries(r, parts, "Rigids", taut_part_read_body));
    TAUT_TRY(read_entries(r, parts, "Springs", taut_part_read_spring));
    TAUT_TRY(read_entries(r, parts, "Dampers", taut_part_read_damper));
    TAUT_TRY(read_entries(r, parts, "SpringDampers", taut_part_read_spring_damper));
    TAUT_TRY(read_entries(r, parts, "Particles", taut_part_read_particle));
    TAUT_TRY(read_entries(r, parts, "Collinears", taut_part_read_collinear));
    TAUT_TRY(read_entries(r, parts, "Points", taut_part_read_point));
    TAUT_TRY(read_entries(r, parts, "Joints", taut_part_read_joint));
    TAUT_TRY(read_forces(r, taut_yaml_get(root, "AppliedForces")));
    TAUT_TRY(read_angles(r, taut_yaml_get(root, "Angles")));
    TAUT_TRY(read_drivers(r, taut_yaml_get(root, "Drivers")));
    TAUT_TRY(taut_check_mechanism(r));
    return r->faulty ? TAUT_OK : taut_read_shared_joints(r);
}
