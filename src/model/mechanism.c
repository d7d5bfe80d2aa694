/* Reading a mechanism: PartData, Angles, Drivers, and in load.c AppliedForces. Numbers (lengths,
 * masses, stiffnesses) are read at once, formulas of positions when all parts are known
 * (positions.c). */
#include "model/mechanism.h"

#include <stdio.h>

#include "model/parts.h"

/* ---- angles, drivers ---- */

static taut_status read_angles(taut_reader *r, const taut_yaml *node) {
    taut_mechanism *m = r->model->mechanism;
    if (taut_part_is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Angles' (name: of what)")) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        if (node->items[i]->kind == TAUT_YAML_MAPPING)
            taut_reader_check_keys(r, node->items[i], TAUT_SECTION_ANGLE);
        TAUT_NOTE(r, taut_reader_check_column(r, node->keys[i]->text,
                                              taut_reader_place(r, node->keys[i])));
        TAUT_TRY(taut_part_wait(r, TAUT_WAITING_ANGLE, m->angles, node->items[i]));
        TAUT_TRY(
            taut_part_add_angle(r, (taut_angle){.name = node->keys[i]->text,
                                                .directed = true,
                                                .place = taut_reader_place(r, node->keys[i])}));
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
        TAUT_TRY(taut_part_wait(r, TAUT_WAITING_DRIVER, m->drivers, node->items[i]));
        m->driver[m->drivers++] = (taut_driver){.name = node->keys[i]->text,
                                                .place = taut_reader_place(r, node->keys[i])};
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
    TAUT_TRY(taut_number_read(r->symbols, node, TAUT_ANGLE, &dimension));
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
    TAUT_TRY(read_angles(r, taut_yaml_get(root, "Angles")));
    TAUT_TRY(read_entries(r, parts, "Fixed", taut_part_read_fixed));
    TAUT_TRY(read_entries(r, parts, "Rigids", taut_part_read_body));
    TAUT_TRY(read_entries(r, parts, "Springs", taut_part_read_spring));
    TAUT_TRY(read_entries(r, parts, "Dampers", taut_part_read_damper));
    TAUT_TRY(read_entries(r, parts, "SpringDampers", taut_part_read_spring_damper));
    TAUT_TRY(read_entries(r, parts, "Particles", taut_part_read_particle));
    TAUT_TRY(read_entries(r, parts, "Collinears", taut_part_read_collinear));
    TAUT_TRY(read_entries(r, parts, "Points", taut_part_read_point));
    TAUT_TRY(read_entries(r, parts, "Joints", taut_part_read_joint));
    if (taut_yaml_get(parts, "Chains")) TAUT_TRY(taut_find_carriers(r)); /* of what has a name */
    TAUT_TRY(read_entries(r, parts, "Chains", taut_part_read_chain));
    TAUT_TRY(read_entries(r, parts, "TorsionSprings", taut_part_read_torsion_spring));
    TAUT_TRY(read_entries(r, parts, "RotationalDampers", taut_part_read_rotational_damper));
    TAUT_TRY(read_entries(r, parts, "Bushings", taut_part_read_bushing));
    TAUT_TRY(taut_read_loads(r, taut_yaml_get(root, "AppliedForces")));
    TAUT_TRY(read_drivers(r, taut_yaml_get(root, "Drivers")));
    TAUT_TRY(taut_check_mechanism(r));
    if (r->faulty) return TAUT_OK;
    TAUT_TRY(taut_read_shared_joints(r));
    if (!r->faulty) TAUT_TRY(taut_split_joints(r));
    return r->faulty ? TAUT_OK : taut_read_positions(r, root);
}
