/* Reading what all kinds of models have: keys, variables, definitions, lists of formulas. */
#include "model/reader.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

taut_place taut_reader_place(const taut_reader *r, const taut_yaml *node) {
    return node ? taut_yaml_place(node) : (taut_place){.path = r->model->doc->path};
}

/* Where a key belongs that is not one of its section: the top level, or a section of it that this
 * kind of model has; NULL: nowhere. */
static const char *place_of_key(const taut_reader *r, const char *name) {
    const taut_yaml *root = r->model->root;
    static const char *const common[] = {"Title",  "PhysicalParams", "Inputs",
                                         "Define", "Outputs",        "ProblemData"};
    const taut_key *key;
    bool at_top = taut_key_find(TAUT_SECTION_TOP, name) && taut_yaml_get(root, "PartData");
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        at_top = at_top || strcmp(common[i], name) == 0;
    if (at_top) return "at the top level";
    for (int k = 0; (key = taut_key_get(k)); k++) {
        if (key->section != TAUT_SECTION_TOP || key->type != TAUT_TYPE_SECTION) continue;
        if (!taut_key_find(key->below, name)) continue; /* most; the rest looks through the file */
        const bool fits = key->below == TAUT_SECTION_PROBLEM || taut_yaml_get(root, key->name) ||
                          (key->below == TAUT_SECTION_FORCES && taut_yaml_get(root, "PartData"));
        if (fits) return key->name;
    }
    return NULL;
}

static void report_key(const taut_reader *r, const taut_yaml *key, const char *near) {
    const taut_place place = taut_reader_place(r, key);
    const char *there = place_of_key(r, key->text);
    if (there && strchr(there, ' '))
        taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "unknown key '%s': it belongs %s, not here",
                     key->text, there);
    else if (there)
        taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                     "unknown key '%s': it belongs under '%s', not here", key->text, there);
    else if (near)
        taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "unknown key '%s'; did you mean '%s'?",
                     key->text, near);
    else
        taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "unknown key '%s'", key->text);
}

bool taut_reader_check_keys(taut_reader *r, const taut_yaml *map, taut_section section) {
    bool good = true;
    for (int i = 0; i < map->count; i++) {
        const char *name = map->keys[i]->text;
        taut_nearest nearest = {.wanted = name};
        if (taut_key_find(section, name)) continue;
        r->faulty = true;
        good = false;
        if (!r->errors || r->errors->count == TAUT_ERRORS_MAX) continue; /* nobody would see it */
        if (taut_place_is_blamed(r->errors, taut_reader_place(r, map->keys[i]))) continue;
        const taut_key *key;
        for (int k = 0; (key = taut_key_get(k)); k++)
            if (key->section == section) taut_nearest_offer(&nearest, key->name);
        report_key(r, map->keys[i], nearest.best);
    }
    return good;
}

bool taut_reader_expect(taut_reader *r, const taut_yaml *node, taut_yaml_kind kind,
                        const char *what) {
    static const char *const word[] = {"a single value", "a list, [a, b, ...]",
                                       "a map, {name: value, ...}"};
    if (!node) return false;
    if (node->kind == kind) return true;
    const bool empty = node->kind == TAUT_YAML_SCALAR && node->is_null;
    r->faulty = true;
    taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node), "%s must be %s%s", what,
                 word[kind], empty ? ", but it is empty" : "");
    return false;
}

/* The key whose value is `node`, somewhere below `tree`; NULL: there is none. */
static const taut_yaml *find_key(const taut_yaml *tree, const taut_yaml *node) {
    const taut_yaml *key = NULL;
    for (int i = 0; i < tree->count && !key; i++) {
        if (tree->items[i] == node) return tree->kind == TAUT_YAML_MAPPING ? tree->keys[i] : NULL;
        if (tree->items[i]->kind != TAUT_YAML_SCALAR) key = find_key(tree->items[i], node);
    }
    return key;
}

void taut_reader_missing(taut_reader *r, const taut_yaml *parent, const char *key,
                         const char *hint) {
    /* a block map begins at its first entry; the parent's line is that of its key */
    const bool seen = r->errors && r->errors->count < TAUT_ERRORS_MAX;
    const taut_yaml *name = seen ? find_key(r->model->root, parent) : NULL;
    r->faulty = true;
    taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, name ? name : parent),
                 "the key '%s' is missing%s", key, hint);
}

/* ---- variables ---- */

taut_status taut_model_add_leaf(taut_model *m, taut_model_leaf leaf, taut_node *node) {
    if (taut_grow((void **)&m->leaf, &m->leaf_room, (size_t)m->leaves + 1, sizeof *m->leaf))
        return TAUT_ERR_MEMORY;
    *node = taut_leaf(m->graph, m->leaves);
    m->leaf[m->leaves++] = leaf;
    return *node == TAUT_NO_NODE ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_model_add_variable(taut_model *m, const char *name, int group, taut_place place,
                                    taut_node *node) {
    if (taut_grow((void **)&m->variable, &m->variable_room, (size_t)m->variables + 1,
                  sizeof *m->variable))
        return TAUT_ERR_MEMORY;
    if (m->mechanism)
        TAUT_TRY(taut_model_add_leaf(
            m, (taut_model_leaf){TAUT_LEAF_VARIABLE, m->variables, 0, name}, node));
    else
        *node = taut_variable(m->graph, m->variables);
    m->variable[m->variables++] = (taut_model_variable){name, *node, group, place};
    return *node == TAUT_NO_NODE ? TAUT_ERR_MEMORY : TAUT_OK;
}

/* name + x, y or z */
static const char *component_name(taut_reader *r, const char *name, int i) {
    char text[2 * TAUT_NAME_MAX];
    snprintf(text, sizeof text, "%.*s%c", TAUT_NAME_MAX, name, "xyz"[i]);
    return taut_arena_copy(&r->model->arena, text, strlen(text));
}

taut_status taut_reader_check_column(taut_reader *r, const char *name, taut_place place) {
    static const char *const taken[] = {"energy", "kinetic", "potential", "work"};
    const int count = r->model->kind == TAUT_MODEL_DAE         ? 0
                      : r->model->kind == TAUT_MODEL_MECHANISM ? 4
                                                               : 1;
    bool clash = false;
    for (int i = 0; i < count; i++) clash = clash || strcmp(name, taken[i]) == 0;
    if (!clash) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                        "'%s' is a column of the results already; choose another name", name);
}

taut_status taut_reader_add_variable(taut_reader *r, const char *name, int size, taut_place place,
                                     taut_vec *value) {
    const int group = r->model->groups++;
    *value = (taut_vec){.n = size};
    TAUT_NOTE(r, taut_reader_check_column(r, name, place));
    for (int i = 0; i < size; i++) {
        const char *own = size == 1 ? name : component_name(r, name, i);
        if (!own) return TAUT_ERR_MEMORY;
        TAUT_TRY(taut_model_add_variable(r->model, own, group, place, &value->c[i]));
        if (size > 1)
            TAUT_NOTE(r, taut_symbols_add(r->symbols, own, taut_vec_scalar(value->c[i]), place));
    }
    TAUT_NOTE(r, taut_symbols_add(r->symbols, name, *value, place));
    return TAUT_OK;
}

/* A name with an optional size. */
static taut_status read_variable(taut_reader *r, const taut_yaml *name, const taut_yaml *size) {
    double count = 1.0;
    taut_vec value;
    const taut_place place = taut_reader_place(r, name);
    if (size && !(size->kind == TAUT_YAML_SCALAR && size->is_null)) {
        TAUT_TRY(taut_number_read(r->symbols, size, TAUT_ANGLE, &count));
        if (count != 1.0 && count != 2.0 && count != 3.0)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, size),
                                "'%s' can have 1, 2 or 3 components", name->text);
    }
    return taut_reader_add_variable(r, name->text, (int)count, place, &value);
}

taut_status taut_read_variables(taut_reader *r, const taut_yaml *node, const char *what) {
    if (node->kind == TAUT_YAML_MAPPING) {
        for (int i = 0; i < node->count; i++)
            TAUT_NOTE(r, read_variable(r, node->keys[i], node->items[i]));
        return TAUT_OK;
    }
    if (!taut_reader_expect(r, node, TAUT_YAML_SEQUENCE, what)) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        const taut_yaml *item = node->items[i];
        if (item->kind == TAUT_YAML_MAPPING && item->count == 1)
            TAUT_NOTE(r, read_variable(r, item->keys[0], item->items[0]));
        else if (taut_reader_expect(r, item, TAUT_YAML_SCALAR, "a name in this list"))
            TAUT_NOTE(r, read_variable(r, item, NULL));
    }
    return TAUT_OK;
}

/* ---- definitions and lists of formulas ---- */

taut_status taut_read_definitions(taut_reader *r, const taut_yaml *node) {
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Define'")) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        const taut_source source = {.node = node->items[i]};
        TAUT_NOTE(r, taut_symbols_add_formula(r->symbols, node->keys[i]->text, false, source,
                                              taut_reader_place(r, node->keys[i])));
    }
    return TAUT_OK;
}

taut_status taut_reader_add_formula(taut_reader *r, taut_model_formulas *list, taut_vec value,
                                    const char *name, taut_place place) {
    for (int i = 0; i < value.n; i++) {
        if (taut_grow((void **)&list->item, &list->room, (size_t)list->count + 1,
                      sizeof *list->item))
            return TAUT_ERR_MEMORY;
        const char *own = value.n == 1 || !name ? name : component_name(r, name, i);
        if (name && !own) return TAUT_ERR_MEMORY;
        list->item[list->count++] = (taut_model_formula){own, value.c[i], place};
    }
    return TAUT_OK;
}

taut_status taut_read_formulas(taut_reader *r, const taut_yaml *node, const char *what,
                               taut_model_formulas *list) {
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    const bool named = node->kind == TAUT_YAML_MAPPING;
    if (!named && !taut_reader_expect(r, node, TAUT_YAML_SEQUENCE, what)) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        taut_vec value;
        taut_status status = taut_formula_read(r->symbols, node->items[i], 0, &value);
        TAUT_NOTE(r, status);
        if (status != TAUT_OK) continue;
        TAUT_TRY(taut_reader_add_formula(r, list, value, named ? node->keys[i]->text : NULL,
                                         taut_reader_place(r, node->items[i])));
    }
    return TAUT_OK;
}

taut_status taut_read_outputs(taut_reader *r, const taut_yaml *node) {
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Outputs'")) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        const taut_place place = taut_reader_place(r, node->keys[i]);
        taut_vec value;
        taut_status status = taut_formula_read(r->symbols, node->items[i], 0, &value);
        TAUT_NOTE(r, status);
        if (status != TAUT_OK) continue;
        TAUT_NOTE(r, taut_reader_check_column(r, node->keys[i]->text, place));
        TAUT_NOTE(r, taut_symbols_add(r->symbols, node->keys[i]->text, value, place));
        for (int k = 0; k < value.n && value.n > 1; k++) { /* the columns are named so */
            const char *own = component_name(r, node->keys[i]->text, k);
            if (!own) return TAUT_ERR_MEMORY;
            TAUT_NOTE(r, taut_symbols_add(r->symbols, own, taut_vec_scalar(value.c[k]), place));
        }
        TAUT_TRY(taut_reader_add_formula(r, &r->model->outputs, value, node->keys[i]->text, place));
    }
    return TAUT_OK;
}
