/* The section `Trim`. Inputs and parameters that are free stay symbols; a driver whose value is
 * free follows a parameter of its own. What is wanted are further outputs, at the end of the list.
 */
#include "model/trim.h"

#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"
#include "model/actuators.h"

enum { MOST_FREE = 1000 }; /* a dense system is solved for them */

static const taut_yaml *section_of(const taut_model *m) {
    const taut_yaml *node = taut_yaml_get(m->root, "Trim");
    return node && node->kind == TAUT_YAML_MAPPING ? node : NULL;
}

const char *taut_free_name(const taut_model *m, int i) {
    const taut_yaml *list = taut_yaml_get(section_of(m), "Free");
    if (!list || list->kind == TAUT_YAML_SCALAR || i < 0 || i >= list->count) return NULL;
    if (list->count > MOST_FREE) return NULL; /* check_free says so */
    const taut_yaml *at = list->kind == TAUT_YAML_MAPPING ? list->keys[i] : list->items[i];
    return at->kind == TAUT_YAML_SCALAR ? at->text : NULL;
}

bool taut_is_free(const taut_model *m, const char *name) {
    for (int i = 0; taut_free_name(m, i); i++)
        if (strcmp(taut_free_name(m, i), name) == 0) return true;
    return false;
}

/* ---- drivers ---- */

const char *taut_driver_parameter(taut_model *m, const char *name) {
    char text[2 * TAUT_NAME_MAX];
    snprintf(text, sizeof text, "value_of_driver_%.*s", TAUT_NAME_MAX / 2, name);
    for (char *p = text; *p; p++)
        if (*p == '.' || *p == '\'') *p = '_';
    return taut_arena_copy(&m->arena, text, strlen(text));
}

const char *taut_driver_input(taut_model *m, const char *name, int order) {
    char text[2 * TAUT_NAME_MAX];
    snprintf(text, sizeof text, "input_%d_of_driver_%.*s", order, TAUT_NAME_MAX / 2, name);
    for (char *p = text; *p; p++)
        if (*p == '.' || *p == '\'') *p = '_';
    return taut_arena_copy(&m->arena, text, strlen(text));
}

/* Three parameters, 0, that stay symbols. */
static taut_status read_driver_inputs(taut_reader *r) {
    taut_model *m = r->model;
    for (int i = 0; i < 3 * m->driver_inputs; i++) {
        const char *name = taut_driver_input(m, m->driver_input[i / 3], i % 3);
        taut_vec value;
        if (!name) return TAUT_ERR_MEMORY;
        taut_graph_keep(m->graph, m->parameters);
        TAUT_NOTE(r, taut_symbols_add_formula(r->symbols, name, true, (taut_source){.text = "0"},
                                              taut_reader_place(r, m->root)));
        if (!taut_symbols_find(r->symbols, name, &value)) r->faulty = true;
    }
    return TAUT_OK;
}

taut_status taut_read_driver_values(taut_reader *r) {
    taut_model *m = r->model;
    for (int i = 0; i < m->driver_values && m->trim; i++) {
        const char *name = taut_driver_parameter(m, m->driver_value[i].name);
        const taut_source source = {.text = m->driver_value[i].formula};
        taut_vec value;
        if (!name) return TAUT_ERR_MEMORY;
        taut_graph_keep(m->graph, m->parameters);
        TAUT_NOTE(r, taut_symbols_add_formula(r->symbols, name, true, source,
                                              taut_reader_place(r, m->root)));
        if (!taut_symbols_find(r->symbols, name, &value)) r->faulty = true;
    }
    return read_driver_inputs(r);
}

taut_status taut_add_driver_input(taut_reader *r, const char *name, taut_vec *wanted) {
    taut_model *m = r->model;
    taut_graph *g = m->graph;
    for (int i = 0; i < m->driver_inputs; i++) {
        taut_node power = taut_number(g, 1.0);
        if (strcmp(m->driver_input[i], name) != 0) continue;
        for (int k = 0; k < 3; k++) {
            const char *own = taut_driver_input(m, name, k);
            taut_vec p;
            if (!own || !taut_symbols_find(r->symbols, own, &p)) return TAUT_ERR_MEMORY;
            wanted->c[0] = taut_add(g, wanted->c[0], taut_mul(g, p.c[0], power));
            power = k == 0 ? taut_time(g) : taut_scale(g, 0.5, taut_square(g, taut_time(g)));
        }
    }
    return TAUT_OK;
}

taut_status taut_find_driver_value(taut_reader *r, const char *name, bool *given, taut_vec *value) {
    taut_model *m = r->model;
    *given = false;
    for (int i = 0; i < m->driver_values && !*given; i++) {
        if (strcmp(m->driver_value[i].name, name) != 0) continue;
        *given = true;
        const char *own = taut_driver_parameter(m, name);
        if (!own) return TAUT_ERR_MEMORY;
        if (m->trim) return taut_symbols_find(r->symbols, own, value) ? TAUT_OK : TAUT_ERR_INPUT;
        *value = taut_vec_scalar(
            taut_number(m->graph, taut_number_parse(m->driver_value[i].formula, NULL)));
    }
    return TAUT_OK;
}

/* ---- the section ---- */

static bool is_number(const taut_model *m, const char *name) {
    return taut_yaml_get(taut_yaml_get(m->root, "Inputs"), name) ||
           taut_yaml_get(taut_yaml_get(m->root, "PhysicalParams"), name);
}

static bool is_driver(const taut_model *m, const char *name) {
    return taut_yaml_get(taut_yaml_get(m->root, "Drivers"), name) != NULL;
}

static void check_free(taut_reader *r, const taut_yaml *list) {
    const taut_model *m = r->model;
    if (list->kind == TAUT_YAML_SCALAR) {
        taut_reader_expect(r, list, TAUT_YAML_SEQUENCE, "'Free'");
        return;
    }
    if (list->count > MOST_FREE) {
        r->faulty = true;
        taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, list),
                     "%d values are to be found: there may be %d at most", list->count, MOST_FREE);
        return;
    }
    for (int i = 0; i < list->count; i++) {
        const char *name = taut_free_name(m, i);
        const taut_yaml *at = list->kind == TAUT_YAML_MAPPING ? list->keys[i] : list->items[i];
        if (!taut_reader_expect(r, at, TAUT_YAML_SCALAR, "a name in this list")) continue;
        if (is_number(m, name) || is_driver(m, name)) continue;
        const char *near = taut_symbols_nearest(r->symbols, name);
        r->faulty = true;
        taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, at),
                     "'%s' cannot be free: it is none of 'Inputs', 'PhysicalParams' and "
                     "'Drivers'%s%s%s",
                     name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
}

/* name: value, or name': value */
static taut_status read_wanted(taut_reader *r, const taut_yaml *key, const taut_yaml *formula) {
    taut_model *m = r->model;
    taut_vec moved, wanted;
    TAUT_TRY(taut_find_moved(r, key, &moved));
    TAUT_TRY(taut_formula_read(r->symbols, formula, moved.n, &wanted));
    for (int i = 0; i < moved.n; i++) wanted.c[i] = taut_sub(m->graph, moved.c[i], wanted.c[i]);
    if (!m->trim) return TAUT_OK;
    return taut_reader_add_formula(r, &m->outputs, wanted, key->text,
                                   taut_reader_place(r, formula));
}

static taut_status read_list(taut_reader *r, const taut_yaml *node, const char *what) {
    if (!node || !taut_reader_expect(r, node, TAUT_YAML_MAPPING, what)) return TAUT_OK;
    for (int i = 0; i < node->count; i++)
        TAUT_NOTE(r, read_wanted(r, node->keys[i], node->items[i]));
    return TAUT_OK;
}

/* Names of steady rates, without their prime. */
static taut_status name_steady(taut_reader *r, const taut_yaml *node) {
    taut_model *m = r->model;
    if (!node || node->kind != TAUT_YAML_MAPPING) return TAUT_OK;
    m->steady = TAUT_NEW_ARRAY(&m->arena, node->count + 1, const char *);
    if (!m->steady) return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++) {
        const char *text = node->keys[i]->text;
        const size_t n = strcspn(text, "'");
        if (text[n] != '\'' || text[n + 1] != '\0') {
            r->faulty = true;
            taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node->keys[i]),
                         "'Steady' has rates: write %.*s': ...", (int)n, text);
            continue;
        }
        m->steady[m->steadies] = taut_arena_copy(&m->arena, text, n);
        if (!m->steady[m->steadies++]) return TAUT_ERR_MEMORY;
    }
    return TAUT_OK;
}

taut_status taut_read_trim(taut_reader *r) {
    taut_model *m = r->model;
    const taut_yaml *all = taut_yaml_get(m->root, "Trim"), *section = section_of(m);
    if (!all || !taut_reader_expect(r, all, TAUT_YAML_MAPPING, "'Trim'")) return TAUT_OK;
    if (!taut_reader_check_keys(r, section, TAUT_SECTION_TRIM)) return TAUT_OK;
    const taut_yaml *free = taut_yaml_get(section, "Free");
    const int before = m->outputs.count;
    if (free) check_free(r, free);
    TAUT_TRY(read_list(r, taut_yaml_get(section, "Want"), "'Want'"));
    TAUT_TRY(read_list(r, taut_yaml_get(section, "Steady"), "'Steady'"));
    TAUT_TRY(name_steady(r, taut_yaml_get(section, "Steady")));
    m->wants = m->outputs.count - before;
    return TAUT_OK;
}
