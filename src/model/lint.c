/* Looking for further faults in a file that has one. The readers stop where a fault leaves nothing
 * to build on; here every formula of the file is read once more, by schema.def alone, with
 * stand-ins for what moves. What is found besides is told as well, unless it may follow from the
 * first faults: a name is unknown only if it is nowhere in the file. */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"

/* ---- names that are somewhere ---- */

/* Words of the file: those that name or declare something, and what they spell. */
typedef struct words {
    taut_model *model;
    taut_roster roster;
    bool failed; /* no memory: every name may be one of them */
} words;

static void add_piece(words *w, const char *text, size_t n) {
    char piece[2 * TAUT_NAME_MAX];
    if (n >= sizeof piece || w->failed) return; /* no name is as long */
    memcpy(piece, text, n);
    piece[n] = '\0';
    if (taut_roster_get(&w->roster, piece) >= 0) return;
    const char *copy = taut_arena_copy(&w->model->arena, piece, n);
    w->failed = !copy || taut_roster_put(&w->roster, &w->model->arena, copy, 0) != TAUT_OK;
}

/* A word, and what it spells: one letter and digits each. */
static void add_word(words *w, const char *text) {
    add_piece(w, text, strlen(text));
    for (const char *p = text; *p;) {
        size_t n = 1;
        while (p[n] >= '0' && p[n] <= '9') n++;
        add_piece(w, p, n);
        p += n;
    }
}

/* Keys and single words below a node. */
static void add_words(words *w, const taut_yaml *node) {
    if (node->kind == TAUT_YAML_SCALAR) {
        if (taut_infix_is_name(node->text)) add_word(w, node->text);
        return;
    }
    for (int i = 0; i < node->count; i++) {
        if (node->keys) add_word(w, node->keys[i]->text);
        if (node->items[i]->kind != TAUT_YAML_SCALAR) add_words(w, node->items[i]);
    }
}

/* Is its value a name, or a list of names, which may declare them? */
static bool lists_names(const taut_key *key, taut_section section) {
    return key->type == TAUT_TYPE_NAME || key->type == TAUT_TYPE_NAMES ||
           key->type == TAUT_TYPE_NAME_OR_NAMES ||
           (key->type == TAUT_TYPE_TEXT && section != TAUT_SECTION_TOP);
}

static void add_section(words *w, taut_section section, const taut_yaml *map) {
    for (int i = 0; i < map->count && map->kind == TAUT_YAML_MAPPING; i++) {
        const taut_key *key = taut_key_find(section, map->keys[i]->text);
        const taut_yaml *item = map->items[i];
        if (!key) continue;
        const bool entries = taut_key_holds_names(key->type);
        if (key->type == TAUT_TYPE_SECTION) add_section(w, key->below, item);
        if (entries && item->kind == TAUT_YAML_MAPPING) add_words(w, item);
        if (lists_names(key, section))
            for (int k = 0; k < (item->kind == TAUT_YAML_SEQUENCE ? item->count : 1); k++)
                add_words(w, item->kind == TAUT_YAML_SEQUENCE ? item->items[k] : item);
        for (int k = 0; k < item->count && entries && key->below && item->keys; k++)
            add_section(w, key->below, item->items[k]);
    }
}

/* May an unknown name follow from another fault? It may if it is in the file, or is a component of
 * what is. */
static bool is_somewhere(void *user, const char *name) {
    words *w = user;
    char whole[2 * TAUT_NAME_MAX];
    const size_t n = strlen(name);
    if (w->roster.slots == 0 && !w->failed) add_section(w, TAUT_SECTION_TOP, w->model->root);
    if (w->failed || taut_roster_get(&w->roster, name) >= 0) return true;
    if (n < 2 || n >= sizeof whole || !strchr("xyz", name[n - 1])) return false;
    memcpy(whole, name, n - 1);
    whole[n - 1] = '\0';
    return taut_roster_get(&w->roster, whole) >= 0;
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
    case TAUT_TYPE_NESTED:
    case TAUT_TYPE_FORMULAS:
    case TAUT_TYPE_SECTION_OR_FORMULAS:
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
    if (key->type == TAUT_TYPE_VALUES && taut_yaml_is(node, "log")) return TAUT_OK; /* bounds */
    if (number || (node->kind == TAUT_YAML_SCALAR && key->type == TAUT_TYPE_VALUES))
        return taut_constant_read_as(r->symbols, node, number ? 1 : 0, quantity_of(key), &value);
    if (node->kind == TAUT_YAML_SCALAR)
        return taut_formula_read_as(r->symbols, node, 0, quantity_of(key), &value);
    if (node->kind == TAUT_YAML_MAPPING && key->below != TAUT_SECTION_NONE)
        return read_section(r, node, key->below);
    const bool round = strcmp(key->name, "Circle") == 0 || strcmp(key->name, "Sphere") == 0;
    const int count = round && node->count > 2 ? 2 : node->count; /* then, a body */
    for (int i = 0; i < count && is_formula(key->type); i++)
        TAUT_NOTE(r, read_value(r, node->items[i], key));
    return TAUT_OK;
}

/* Is the value a map or a list where it has to be one? */
static bool has_its_kind(taut_reader *r, const taut_yaml *item, const taut_key *key) {
    char what[TAUT_NAME_MAX];
    snprintf(what, sizeof what, "'%s'", key->name);
    if (item->kind != TAUT_YAML_SCALAR || item->is_null) return true;
    if (key->type == TAUT_TYPE_NAMES || key->type == TAUT_TYPE_FORMULAS ||
        key->type == TAUT_TYPE_SECTION_OR_FORMULAS)
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
    static const char *const LOCAL[] = {"speed", "depth", "rate"}; /* of contacts and friction */
    taut_reader r = {.model = m, .symbols = m->symbols};
    words w = {.model = m};
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
    for (int i = 0; i < 3; i++) TAUT_TRY(add_scalar(&r, LOCAL[i], m->problem_place));
    r.errors = errors;
    taut_symbols_report_to(m->symbols, errors);
    taut_symbols_set_scope(m->symbols, TAUT_SCOPE_ALL);
    taut_symbols_set_doubt(m->symbols, is_somewhere, &w);
    return read_section(&r, m->root, TAUT_SECTION_TOP);
}
