/* Reading models that are equations: the sections DAE and Lagrangian. */
#include <stdio.h>
#include <string.h>

#include "expr/pattern.h"
#include "model/reader.h"

/* Reports if there are not as many equations as variables. */
static void check_count(taut_reader *r, const taut_yaml *node, int variables, int equations) {
    if (variables == equations || r->faulty) return;
    r->faulty = true;
    taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                 "%d variable%s but %d equation%s: there must be as many equations as variables",
                 variables, variables == 1 ? "" : "s", equations, equations == 1 ? "" : "s");
}

/* Reports if the list of unknowns, node, has given none. */
static void check_not_empty(taut_reader *r, const taut_yaml *node, const char *key) {
    if (r->model->variables > 0 || r->faulty) return;
    r->faulty = true;
    taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                 "'%s' is empty: there is nothing to solve for", key);
}

taut_status taut_read_dae(taut_reader *r, const taut_yaml *node) {
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'DAE'")) return TAUT_OK;
    taut_reader_check_keys(r, node, TAUT_SECTION_DAE);
    const taut_yaml *variables = taut_yaml_get(node, "Variables");
    const taut_yaml *equations = taut_yaml_get(node, "Equations");
    if (!variables) taut_reader_missing(r, node, "Variables", ": list the unknowns");
    if (!equations) taut_reader_missing(r, node, "Equations", ": list expressions that are zero");
    if (!variables) return TAUT_OK; /* every name would be unknown */
    TAUT_TRY(taut_read_variables(r, variables, "'Variables'"));
    check_not_empty(r, variables, "Variables");
    TAUT_TRY(taut_read_definitions(r, taut_yaml_get(node, "Define")));
    if (equations) TAUT_TRY(taut_read_formulas(r, equations, "'Equations'", &r->model->equations));
    TAUT_TRY(taut_read_outputs(r, taut_yaml_get(node, "Outputs")));
    if (equations) check_count(r, equations, r->model->variables, r->model->equations.count);
    return TAUT_OK;
}

/* ---- Lagrangian ---- */

/* The highest derivative of a variable numbered [from, to) in node; -1: none. */
static taut_status highest_order(taut_reader *r, taut_node node, int from, int to, int *highest) {
    taut_pattern *pattern;
    const taut_pattern_entry *entry;
    size_t count;
    *highest = -1;
    TAUT_TRY(taut_pattern_create(r->model->graph, &pattern));
    taut_status status = taut_pattern_row(pattern, node, &entry, &count);
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        if (entry[i].variable >= from && entry[i].variable < to && entry[i].order > *highest)
            *highest = entry[i].order;
    taut_pattern_free(&pattern);
    return status;
}

/* Reports derivatives above `allowed` of the coordinates in a formula. */
static taut_status check_order(taut_reader *r, taut_node node, taut_place place, int allowed,
                               const char *message) {
    int highest;
    TAUT_TRY(highest_order(r, node, 0, r->model->coordinates, &highest));
    if (highest <= allowed) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "%s", message);
}

/* A scalar formula: L or Dissipation. */
static taut_status read_function(taut_reader *r, const taut_yaml *node, const char *key,
                                 taut_node *function) {
    taut_vec value;
    char message[160];
    taut_status status = taut_formula_read(r->symbols, node, 1, &value);
    TAUT_NOTE(r, status);
    if (status != TAUT_OK) return TAUT_OK;
    *function = value.c[0];
    snprintf(message, sizeof message,
             "'%s' may contain coordinates and their first derivatives, but not second ones", key);
    TAUT_NOTE(r, check_order(r, value.c[0], taut_reader_place(r, node), 1, message));
    return TAUT_OK;
}

/* The multiplier of each constraint is a variable: with the constraint's name, or lambda1, ... */
static taut_status add_multipliers(taut_reader *r) {
    taut_model_formulas *list = &r->model->constraints;
    for (int i = 0; i < list->count; i++) {
        taut_model_formula *c = &list->item[i];
        taut_vec value;
        char name[32];
        snprintf(name, sizeof name, "lambda%d", i + 1);
        const char *own = c->name ? c->name : taut_arena_copy(&r->model->arena, name, strlen(name));
        if (!own) return TAUT_ERR_MEMORY;
        TAUT_NOTE(r, taut_reader_add_variable(r, own, 1, c->place, &value));
        TAUT_NOTE(r, check_order(r, c->node, c->place, 0,
                                 "a constraint contains t and coordinates, not their derivatives"));
    }
    return TAUT_OK;
}

/* Forces: {u: ..., v: ...}; a vector coordinate takes a vector. */
static taut_status read_forces(taut_reader *r, const taut_yaml *node) {
    taut_model *m = r->model;
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Forces' (coordinate: force)"))
        return TAUT_OK;
    size_t room = 0;
    taut_release((void **)&m->force_on);
    if (taut_grow((void **)&m->force_on, &room, 3 * (size_t)node->count + 1, sizeof *m->force_on))
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < node->count; i++) {
        const taut_place place = taut_reader_place(r, node->keys[i]);
        taut_vec coordinate, force;
        const bool known = taut_symbols_find(r->symbols, node->keys[i]->text, &coordinate);
        const taut_node_data *d = known ? taut_node_get(m->graph, coordinate.c[0]) : NULL;
        if (!known || d->op != TAUT_OP_VAR || d->index >= m->coordinates) {
            const char *near = taut_symbols_nearest(r->symbols, node->keys[i]->text);
            taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "'%s' is not a coordinate%s%s%s",
                         node->keys[i]->text, near && !known ? "; did you mean '" : "",
                         near && !known ? near : "", near && !known ? "'?" : "");
            r->faulty = true;
            continue;
        }
        taut_status status = taut_formula_read(r->symbols, node->items[i], coordinate.n, &force);
        TAUT_NOTE(r, status);
        if (status != TAUT_OK) continue;
        for (int k = 0; k < force.n; k++)
            m->force_on[m->forces.count + k] = taut_node_get(m->graph, coordinate.c[k])->index;
        TAUT_TRY(taut_reader_add_formula(r, &m->forces, force, node->keys[i]->text, place));
    }
    return TAUT_OK;
}

taut_status taut_read_lagrangian(taut_reader *r, const taut_yaml *node) {
    taut_model *m = r->model;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Lagrangian'")) return TAUT_OK;
    taut_reader_check_keys(r, node, TAUT_SECTION_LAGRANGIAN);
    const taut_yaml *coordinates = taut_yaml_get(node, "Coordinates"),
                    *L = taut_yaml_get(node, "L");
    const taut_yaml *variables = taut_yaml_get(node, "Variables");
    const taut_yaml *equations = taut_yaml_get(node, "Equations");
    const taut_yaml *dissipation = taut_yaml_get(node, "Dissipation");
    if (!coordinates) taut_reader_missing(r, node, "Coordinates", ": list the coordinates");
    if (!L) taut_reader_missing(r, node, "L", ": give the Lagrangian");
    if (variables && !equations)
        taut_reader_missing(r, node, "Equations", ": give one for each of the 'Variables'");
    if (!coordinates) return TAUT_OK; /* every name would be unknown */

    TAUT_TRY(taut_read_variables(r, coordinates, "'Coordinates'"));
    m->coordinates = m->variables;
    check_not_empty(r, coordinates, "Coordinates");
    if (variables) TAUT_TRY(taut_read_variables(r, variables, "'Variables'"));
    const int extra = m->variables - m->coordinates;
    TAUT_TRY(taut_read_definitions(r, taut_yaml_get(node, "Define")));
    TAUT_TRY(taut_read_formulas(r, taut_yaml_get(node, "Constraints"), "'Constraints'",
                                &m->constraints));
    TAUT_TRY(add_multipliers(r));
    if (L) TAUT_TRY(read_function(r, L, "L", &m->L));
    if (dissipation) TAUT_TRY(read_function(r, dissipation, "Dissipation", &m->dissipation));
    TAUT_TRY(read_forces(r, taut_yaml_get(node, "Forces")));
    TAUT_TRY(taut_read_formulas(r, equations, "'Equations'", &m->equations));
    check_count(r, equations ? equations : node, extra, m->equations.count);
    return taut_read_outputs(r, taut_yaml_get(node, "Outputs"));
}
