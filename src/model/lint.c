/* Looking for further faults in a file that has one. The readers stop where a fault leaves nothing
 * to build on; here every formula of the file is read once more, by schema.def alone, with
 * stand-ins for what moves. What is found besides is told as well, unless it may follow from the
 * first faults: a name is unknown only if it is nowhere in the file. */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"

enum { MOST_SEARCHES = 1000 }; /* for unknown names: each walks through the file */

typedef struct search {
    const char *name;
    size_t length; /* of the name without its component */
} search;

/* ---- names that are somewhere ---- */

static bool is_same(const search *s, const char *text, size_t n) {
    return (n == strlen(s->name) || n == s->length) && strncmp(text, s->name, n) == 0;
}

/* Is it the name, or does it spell it, one letter and digits? */
static bool spells(const search *s, const char *text) {
    if (is_same(s, text, strlen(text))) return true;
    for (const char *p = text; *p;) {
        size_t n = 1;
        while (p[n] >= '0' && p[n] <= '9') n++;
        if (is_same(s, p, n)) return true;
        p += n;
    }
    return false;
}

/* Keys and single words below a node that are the name or spell it. */
static bool occurs(const search *s, const taut_yaml *node) {
    if (node->kind == TAUT_YAML_SCALAR)
        return taut_infix_is_name(node->text) && spells(s, node->text);
    for (int i = 0; i < node->count; i++) {
        if (node->keys && spells(s, node->keys[i]->text)) return true;
        if (node->items[i]->kind != TAUT_YAML_SCALAR && occurs(s, node->items[i])) return true;
    }
    return false;
}

/* The same for lists of names, which may declare them. */
static bool is_listed(const search *s, taut_section section, const taut_yaml *map) {
    bool found = false;
    for (int i = 0; i < map->count && map->kind == TAUT_YAML_MAPPING && !found; i++) {
        const taut_key *key = taut_key_find(section, map->keys[i]->text);
        const taut_yaml *item = map->items[i];
        if (!key) continue;
        const bool entries = taut_key_holds_names(key->type);
        if (key->type == TAUT_TYPE_SECTION) found = is_listed(s, key->below, item);
        if (entries && item->kind == TAUT_YAML_MAPPING) found = occurs(s, item);
        if (key->type == TAUT_TYPE_NAME || key->type == TAUT_TYPE_NAMES ||
            key->type == TAUT_TYPE_NAME_OR_NAMES ||
            (key->type == TAUT_TYPE_TEXT && section != TAUT_SECTION_TOP))
            for (int k = 0; k < (item->kind == TAUT_YAML_SEQUENCE ? item->count : 1); k++)
                found =
                    found || occurs(s, item->kind == TAUT_YAML_SEQUENCE ? item->items[k] : item);
        for (int k = 0; k < item->count && entries && key->below && item->keys && !found; k++)
            found = is_listed(s, key->below, item->items[k]);
    }
    return found;
}

/* May an unknown name follow from another fault? */
static bool is_somewhere(void *user, const char *name) {
    const taut_model *m = user;
    const size_t n = strlen(name);
    const search s = {name, n > 1 && strchr("xyz", name[n - 1]) ? n - 1 : n};
    return is_listed(&s, TAUT_SECTION_TOP, m->root);
}

/* ---- every formula ---- */

static taut_status read_section(taut_reader *r, const taut_yaml *map, taut_section section);

/* The unit is known where the key alone says it. */
static taut_quantity quantity_of(const taut_key *key) {
    const bool map = key->type == TAUT_TYPE_MAP || key->type == TAUT_TYPE_DEFINITIONS ||
                     key->type == TAUT_TYPE_VALUES;
    return map ? TAUT_ANY : key->quantity;
}

static bool is_formula(taut_key_type type) {
    switch (type) {
    case TAUT_TYPE_NUMBER:
    case TAUT_TYPE_FORMULA:
    case TAUT_TYPE_FORMULA_OR_NOTHING:
    case TAUT_TYPE_FORMULAS:
    case TAUT_TYPE_VALUES:
    case TAUT_TYPE_MAP:
    case TAUT_TYPE_DEFINITIONS:
    case TAUT_TYPE_ENTRIES_OR_LISTS:
    case TAUT_TYPE_ENTRIES_OR_NUMBERS:
    case TAUT_TYPE_ENTRIES_OR_FORMULAS: return true;
    default: return false;
    }
}

/* A value of a key, or one of its entries. */
static taut_status read_value(taut_reader *r, const taut_yaml *node, const taut_key *key) {
    taut_vec value;
    const bool number = key->type == TAUT_TYPE_NUMBER;
    if (node->kind == TAUT_YAML_SCALAR && (node->is_null || !is_formula(key->type))) return TAUT_OK;
    if (number || (node->kind == TAUT_YAML_SCALAR && key->type == TAUT_TYPE_VALUES))
        return taut_constant_read_as(r->symbols, node, number ? 1 : 0, quantity_of(key), &value);
    if (node->kind == TAUT_YAML_SCALAR)
        return taut_formula_read_as(r->symbols, node, 0, quantity_of(key), &value);
    if (node->kind == TAUT_YAML_MAPPING && key->below != TAUT_SECTION_NONE)
        return read_section(r, node, key->below);
    for (int i = 0; i < node->count && is_formula(key->type); i++)
        TAUT_NOTE(r, read_value(r, node->items[i], key));
    return TAUT_OK;
}

/* Is the value a map or a list where it has to be one? */
static bool has_its_kind(taut_reader *r, const taut_yaml *item, const taut_key *key) {
    char what[TAUT_NAME_MAX];
    snprintf(what, sizeof what, "'%s'", key->name);
    if (item->kind != TAUT_YAML_SCALAR || item->is_null) return true;
    if (key->type == TAUT_TYPE_NAMES || key->type == TAUT_TYPE_FORMULAS)
        return taut_reader_expect(r, item, TAUT_YAML_SEQUENCE, what);
    if (key->type == TAUT_TYPE_SECTION || taut_key_holds_names(key->type))
        return taut_reader_expect(r, item, TAUT_YAML_MAPPING, what);
    return true;
}

static taut_status read_section(taut_reader *r, const taut_yaml *map, taut_section section) {
    taut_reader_check_keys(r, map, section);
    for (int i = 0; i < map->count; i++) {
        const taut_key *key = taut_key_find(section, map->keys[i]->text);
        const taut_yaml *item = map->items[i];
        if (!key || !has_its_kind(r, item, key)) continue;
        const bool entries = taut_key_holds_names(key->type) && item->kind == TAUT_YAML_MAPPING;
        if (!entries) TAUT_NOTE(r, read_value(r, item, key));
        for (int k = 0; k < item->count && entries; k++)
            TAUT_NOTE(r, read_value(r, item->items[k], key));
    }
    return TAUT_OK;
}

/* ---- stand-ins ---- */

static taut_status stand_in(taut_model *m, int size, taut_vec *value) {
    *value = (taut_vec){.n = size};
    for (int i = 0; i < size; i++)
        TAUT_TRY(taut_model_add_variable(m, "", 0, m->problem_place, &value->c[i]));
    return TAUT_OK;
}

/* Scalars that get their meaning when the equations are formed. */
static taut_status add_scalar(taut_reader *r, const char *name, taut_place place) {
    taut_vec value;
    if (!name || taut_symbols_place(r->symbols, name, &place)) return TAUT_OK;
    TAUT_TRY(stand_in(r->model, 1, &value));
    const taut_status status = taut_symbols_add(r->symbols, name, value, place);
    return status == TAUT_ERR_MEMORY ? status : TAUT_OK;
}

taut_status taut_lint(taut_model *m, taut_errors *errors) {
    taut_reader r = {.model = m, .symbols = m->symbols};
    const taut_yaml *variables = taut_yaml_get(m->root, "Variables");
    if (m->root->kind != TAUT_YAML_MAPPING || !m->mechanism || !m->mechanism->dimension)
        return TAUT_OK; /* other models read on by themselves */
    taut_symbols_report_to(m->symbols, NULL);
    for (int i = 0; i < m->mechanism->angles; i++)
        TAUT_TRY(add_scalar(&r, m->mechanism->angle[i].name, m->mechanism->angle[i].place));
    for (int i = 0; i < m->mechanism->collinears; i++)
        TAUT_TRY(
            add_scalar(&r, m->mechanism->collinear[i].scalar, m->mechanism->collinear[i].place));
    if (variables) TAUT_TRY(taut_read_variables(&r, variables, "'Variables'"));
    r.errors = errors;
    taut_symbols_report_to(m->symbols, errors);
    taut_symbols_set_scope(m->symbols, TAUT_SCOPE_ALL);
    taut_symbols_set_doubt(m->symbols, is_somewhere, m, MOST_SEARCHES);
    return read_section(&r, m->root, TAUT_SECTION_TOP);
}
