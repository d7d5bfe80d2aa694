/* Reading Armature: rotor inertia on coordinates, once their names are known. */
#include "model/parts.h"

static bool is_coordinate(const taut_model *m, taut_vec value, bool *turns) {
    const taut_node_data *d = taut_node_get(m->graph, value.c[0]);
    if (value.n != 1 || d->op != TAUT_OP_LEAF) return false;
    const taut_leaf_kind kind = m->leaf[d->index].kind;
    *turns = kind == TAUT_LEAF_ANGLE;
    return *turns || kind == TAUT_LEAF_DISTANCE || kind == TAUT_LEAF_LINE;
}

static taut_status read_armature(taut_reader *r, const taut_yaml *key, const taut_yaml *value) {
    taut_mechanism *m = r->model->mechanism;
    taut_armature x = {.name = key->text, .place = taut_reader_place(r, key)};
    taut_vec on = {0};
    bool turns = false;
    const bool known = taut_symbols_find(r->symbols, x.name, &on);
    if (!known || !is_coordinate(r->model, on, &turns)) {
        const char *near = known ? NULL : taut_symbols_nearest(r->symbols, x.name);
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, x.place,
                            "'%s' has no rotor: 'Armature' names an angle or a distance, of a "
                            "joint, of 'Angles' or of 'Collinears'%s%s%s",
                            x.name, near ? "; did you mean '" : "", near ? near : "",
                            near ? "'?" : "");
    }
    if (value->kind != TAUT_YAML_SCALAR || value->is_null)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, value),
                            "the armature of '%s' is one number: %s", x.name,
                            turns ? "a moment of inertia" : "a mass");
    x.on = on.c[0];
    TAUT_TRY(taut_part_number(r, value, turns ? TAUT_INERTIA : TAUT_MASS, x.name, 0.0, &x.inertia));
    if (TAUT_PART_GROW(m->armature, m->armatures, m->armature_room)) return TAUT_ERR_MEMORY;
    m->armature[m->armatures++] = x;
    return TAUT_OK;
}

taut_status taut_read_armatures(taut_reader *r, const taut_yaml *parts) {
    const taut_yaml *node = taut_yaml_get(parts, "Armature");
    if (taut_part_is_empty(node)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Armature' (coordinate: inertia)"))
        return TAUT_OK;
    for (int i = 0; i < node->count; i++)
        TAUT_NOTE(r, read_armature(r, node->keys[i], node->items[i]));
    return TAUT_OK;
}
