/* The section `Inverse`: a model in which actuators, some of its Inputs, are unknowns, and a
 * prescribed motion are their equations (docs/math/inverse.md). Any other reading of the file only
 * checks what it says. */
#include "model/actuators.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

static const taut_yaml *section_of(const taut_model *m) {
    const taut_yaml *node = taut_yaml_get(m->root, "Inverse");
    return node && node->kind == TAUT_YAML_MAPPING ? node : NULL;
}

/* The i-th name of a list or a map. */
static const taut_yaml *name_at(const taut_yaml *list, int i) {
    return list->kind == TAUT_YAML_MAPPING ? list->keys[i] : list->items[i];
}

taut_status taut_list_actuators(taut_model *m) {
    const taut_yaml *list = m->inverse ? taut_yaml_get(section_of(m), "Actuators") : NULL;
    m->actuator = (taut_roster){0};
    for (int i = 0; list && list->kind != TAUT_YAML_SCALAR && i < list->count; i++)
        if (name_at(list, i)->kind == TAUT_YAML_SCALAR)
            TAUT_TRY(taut_roster_put(&m->actuator, &m->arena, name_at(list, i)->text, i));
    return TAUT_OK;
}

bool taut_is_actuator(const taut_model *m, const char *name) {
    return m->inverse && taut_roster_get(&m->actuator, name) >= 0;
}

/* ---- actuators ---- */

static taut_status refuse_actuator(taut_reader *r, const taut_yaml *at) {
    const taut_yaml *inputs = taut_yaml_get(r->model->root, "Inputs");
    taut_nearest nearest = {.wanted = at->text};
    const taut_place place = taut_reader_place(r, at);
    const bool offers =
        inputs && inputs->kind == TAUT_YAML_MAPPING && taut_errors_would_show(r->errors, place);
    for (int i = 0; offers && i < inputs->count; i++)
        taut_nearest_offer(&nearest, inputs->keys[i]->text);
    r->faulty = true;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                        "an actuator is one of 'Inputs', and '%s' is not%s%s%s", at->text,
                        nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                        nearest.best ? "'?" : "");
}

/* Checks the names; as unknowns if they are to be such. */
taut_status taut_read_actuators(taut_reader *r) {
    taut_model *m = r->model;
    const taut_yaml *list = taut_yaml_get(section_of(m), "Actuators");
    const taut_yaml *inputs = taut_yaml_get(m->root, "Inputs");
    taut_roster known = {0};
    for (int i = 0; list && inputs && inputs->kind == TAUT_YAML_MAPPING && i < inputs->count; i++)
        TAUT_TRY(taut_roster_put(&known, &m->arena, inputs->keys[i]->text, i));
    if (!list || (list->kind == TAUT_YAML_SCALAR &&
                  !taut_reader_expect(r, list, TAUT_YAML_SEQUENCE, "'Actuators'")))
        return TAUT_OK;
    for (int i = 0; i < list->count; i++) {
        const taut_yaml *at = name_at(list, i);
        taut_vec value;
        if (!taut_reader_expect(r, at, TAUT_YAML_SCALAR, "a name in this list")) continue;
        if (taut_roster_get(&known, at->text) < 0) {
            refuse_actuator(r, at);
            continue;
        }
        if (!m->inverse) continue;
        if (m->actuators == 0) m->first_actuator = m->variables;
        TAUT_NOTE(r, taut_reader_add_variable(r, at->text, 1, taut_reader_place(r, at), &value));
        m->actuators = m->variables - m->first_actuator;
    }
    return TAUT_OK;
}

/* ---- motion ---- */

taut_status taut_find_moved(taut_reader *r, const taut_yaml *key, taut_vec *value) {
    char name[2 * TAUT_NAME_MAX];
    int primes = 0;
    size_t n = strlen(key->text);
    for (; n > 0 && key->text[n - 1] == '\''; n--) primes++;
    if (n > 2 && key->text[n - 2] == '.') /* A.x is Ax */
        snprintf(name, sizeof name, "%.*s%c", (int)(n - 2), key->text, key->text[n - 1]);
    else
        snprintf(name, sizeof name, "%.*s", (int)n, key->text);
    if (!taut_symbols_find(r->symbols, name, value)) {
        const char *near = taut_symbols_nearest(r->symbols, name);
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                            "unknown name '%s'%s%s%s: coordinates, angles, points, forces "
                            "and outputs have values here",
                            name, near ? "; did you mean '" : "", near ? near : "",
                            near ? "'?" : "");
    }
    for (int i = 0; i < value->n; i++) {
        taut_node fixed = value->c[i] = taut_dot(r->model->graph, value->c[i], primes);
        if (!taut_symbols_ground(r->symbols, &fixed, 1)) return TAUT_ERR_MEMORY;
        if (taut_node_get(r->model->graph, fixed)->steady)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, key),
                                "'%s' does not move: its motion cannot be prescribed", key->text);
    }
    return TAUT_OK;
}

static taut_status read_motion(taut_reader *r, const taut_yaml *key, const taut_yaml *formula) {
    taut_model *m = r->model;
    taut_vec moved, wanted;
    TAUT_TRY(taut_find_moved(r, key, &moved));
    TAUT_TRY(taut_formula_read(r->symbols, formula, moved.n, &wanted));
    for (int i = 0; i < moved.n; i++) wanted.c[i] = taut_sub(m->graph, moved.c[i], wanted.c[i]);
    if (!m->inverse) return TAUT_OK;
    return taut_reader_add_formula(r, &m->equations, wanted, key->text,
                                   taut_reader_place(r, formula));
}

/* Drivers are the motion if nothing else is: what they would have to do is left to the actuators.
 */
static taut_status relieve_drivers(taut_reader *r) {
    taut_model *m = r->model;
    for (int i = 0; m->mechanism && i < m->mechanism->drivers; i++) {
        const taut_driver *d = &m->mechanism->driver[i];
        const taut_vec force = taut_vec_scalar(taut_leaf(m->graph, d->leaf));
        TAUT_TRY(taut_reader_add_formula(r, &m->equations, force, d->name, d->place));
    }
    return TAUT_OK;
}

static taut_status read_weights(taut_reader *r, const taut_yaml *node) {
    taut_model *m = r->model;
    m->weight = TAUT_NEW_ARRAY(&m->arena, m->actuators + 1, double);
    if (!m->weight) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->actuators; i++) m->weight[i] = 1.0;
    if (!node || !taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Weights'")) return TAUT_OK;
    taut_roster number = {0};
    for (int i = 0; i < m->actuators; i++)
        TAUT_TRY(taut_roster_put(&number, &m->arena, m->variable[m->first_actuator + i].name, i));
    for (int k = 0; k < node->count; k++) {
        const int i = taut_roster_get(&number, node->keys[k]->text);
        double weight = 1.0;
        TAUT_TRY(taut_number_read(r->symbols, node->items[k], TAUT_ANY, &weight));
        if (!(weight > 0.0))
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node->items[k]),
                                "the weight of '%s' must be above 0", node->keys[k]->text);
        if (i >= 0)
            m->weight[i] = weight;
        else if (m->inverse)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node->keys[k]),
                                "'%s' is none of the 'Actuators'", node->keys[k]->text);
    }
    return TAUT_OK;
}

/* As many actuators as motions, or more. */
static taut_status check_count(taut_reader *r, const taut_yaml *section) {
    taut_model *m = r->model;
    if (m->motions == 0) return TAUT_OK; /* told later */
    if (m->actuators > m->motions && !m->mechanism)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, section),
                            "%d actuators for %d motions: of a mechanism they would be those of "
                            "least norm, here there must be as many motions",
                            m->actuators, m->motions);
    if (m->actuators >= m->motions) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, section),
                        "%d motion%s prescribed, but there %s %d actuator%s: each motion needs one",
                        m->motions, m->motions == 1 ? " is" : "s are",
                        m->actuators == 1 ? "is" : "are", m->actuators,
                        m->actuators == 1 ? "" : "s");
}

taut_status taut_read_inverse(taut_reader *r) {
    taut_model *m = r->model;
    const taut_yaml *all = taut_yaml_get(m->root, "Inverse"), *section = section_of(m);
    if (!all || !taut_reader_expect(r, all, TAUT_YAML_MAPPING, "'Inverse'")) return TAUT_OK;
    if (!taut_reader_check_keys(r, section, TAUT_SECTION_INVERSE)) return TAUT_OK;
    const taut_yaml *motion = taut_yaml_get(section, "Motion");
    const int before = m->equations.count;
    if (!taut_yaml_get(section, "Actuators"))
        taut_reader_missing(r, section, "Actuators", ": list the Inputs that move it");
    if (motion && taut_reader_expect(r, motion, TAUT_YAML_MAPPING, "'Motion'"))
        for (int i = 0; i < motion->count; i++)
            TAUT_NOTE(r, read_motion(r, motion->keys[i], motion->items[i]));
    else if (!motion && m->inverse)
        TAUT_TRY(relieve_drivers(r));
    m->motions = m->equations.count - before;
    TAUT_NOTE(r, read_weights(r, taut_yaml_get(section, "Weights")));
    if (m->inverse && !r->faulty) TAUT_NOTE(r, check_count(r, section));
    return TAUT_OK;
}
