/* Reading models that are equations: the sections DAE, Lagrangian and Hamiltonian; and what a
 * mechanism file adds by formulas. */
#include <stdio.h>
#include <string.h>

#include "expr/pattern.h"
#include "model/actuators.h"

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

/* ---- stiff forces ---- */

/* Stiff: {F: formula, ...}: unknowns, a vector where the formula is a list. */
static taut_status declare_stiff(taut_reader *r, const taut_yaml *node) {
    taut_model *m = r->model;
    m->first_stiff = m->variables;
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Stiff' (name: formula)")) return TAUT_OK;
    for (int i = 0; i < node->count; i++) {
        const taut_yaml *name = node->keys[i], *formula = node->items[i];
        const taut_place place = taut_reader_place(r, formula);
        const bool list = formula->kind == TAUT_YAML_SEQUENCE;
        taut_vec value;
        if (list && (formula->count < 1 || formula->count > 3)) {
            r->faulty = true;
            taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "'%s' can have 1, 2 or 3 components",
                         name->text);
            continue;
        }
        TAUT_NOTE(r, taut_reader_add_variable(r, name->text, list ? formula->count : 1,
                                              taut_reader_place(r, name), &value));
    }
    m->stiffs = m->variables - m->first_stiff;
    return TAUT_OK;
}

/* Their equations, behind all others: F - formula = 0. */
static taut_status read_stiff(taut_reader *r, const taut_yaml *node) {
    taut_graph *g = r->model->graph;
    for (int i = 0; node && node->kind == TAUT_YAML_MAPPING && i < node->count; i++) {
        const char *name = node->keys[i]->text;
        taut_vec unknown, value;
        if (!taut_symbols_find(r->symbols, name, &unknown)) continue; /* reported */
        const taut_status status = taut_formula_read(r->symbols, node->items[i], unknown.n, &value);
        TAUT_NOTE(r, status);
        if (status != TAUT_OK) continue;
        for (int k = 0; k < value.n; k++) value.c[k] = taut_sub(g, unknown.c[k], value.c[k]);
        TAUT_TRY(taut_reader_add_formula(r, &r->model->equations, value, name,
                                         taut_reader_place(r, node->items[i])));
    }
    return TAUT_OK;
}

taut_status taut_read_dae(taut_reader *r, const taut_yaml *node) {
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'DAE'")) return TAUT_OK;
    const bool good = taut_reader_check_keys(r, node, TAUT_SECTION_DAE);
    const taut_yaml *variables = taut_yaml_get(node, "Variables");
    const taut_yaml *equations = taut_yaml_get(node, "Equations");
    if (!variables && good) taut_reader_missing(r, node, "Variables", ": list the unknowns");
    if (!equations && good)
        taut_reader_missing(r, node, "Equations", ": list expressions that are zero");
    if (!variables) return TAUT_OK; /* every name would be unknown */
    TAUT_TRY(taut_read_variables(r, variables, "'Variables'"));
    check_not_empty(r, variables, "Variables");
    TAUT_TRY(taut_read_actuators(r));
    TAUT_TRY(declare_stiff(r, taut_yaml_get(node, "Stiff")));
    TAUT_TRY(taut_read_definitions(r, taut_yaml_get(node, "Define")));
    if (equations) TAUT_TRY(taut_read_formulas(r, equations, "'Equations'", &r->model->equations));
    TAUT_TRY(taut_read_outputs(r, taut_yaml_get(node, "Outputs")));
    if (equations)
        check_count(r, equations, r->model->first_stiff - r->model->actuators,
                    r->model->equations.count);
    return read_stiff(r, taut_yaml_get(node, "Stiff"));
}

/* ---- derivatives that a formula may contain ---- */

/* The highest derivative of a variable numbered [from, to) in node; -1: none. */
static taut_status highest_order(taut_reader *r, taut_node node, int from, int to, int *highest) {
    taut_pattern *own = NULL;
    const taut_pattern_entry *entry;
    size_t count;
    *highest = -1;
    if (!r->pattern) TAUT_TRY(taut_pattern_create(r->model->graph, &own));
    taut_pattern *pattern = r->pattern ? r->pattern : own;
    taut_status status = taut_pattern_row(pattern, node, &entry, &count);
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        if (entry[i].variable >= from && entry[i].variable < to && entry[i].order > *highest)
            *highest = entry[i].order;
    taut_pattern_free(&own);
    return status;
}

/* Reports derivatives above `allowed` of the first `count` variables in a formula. */
static taut_status check_order(taut_reader *r, const taut_model_formula *f, int count, int allowed,
                               const char *message) {
    int highest;
    TAUT_TRY(highest_order(r, f->node, 0, count, &highest));
    if (highest <= allowed) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, f->place, "%s", message);
}

/* What is varied must say how it depends on the coordinates: a stiff force hides that. */
static taut_status check_varied(taut_reader *r, const taut_model_formula *f) {
    const taut_model *m = r->model;
    int highest;
    TAUT_TRY(highest_order(r, f->node, m->first_stiff, m->first_stiff + m->stiffs, &highest));
    if (highest < 0) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, f->place,
                        "what stands under 'Stiff' is an unknown and can be used in 'Forces' and "
                        "'Equations' only; write its formula here, or under 'Define'");
}

/* A constraint: t and coordinates. */
static taut_status check_constraint(taut_reader *r, const taut_model_formula *c) {
    const taut_model *m = r->model;
    int highest;
    TAUT_TRY(check_varied(r, c));
    if (m->kind != TAUT_MODEL_HAMILTONIAN)
        return check_order(r, c, m->mechanism ? m->leaves : m->coordinates, 0,
                           "a constraint contains t and coordinates, not their derivatives; a "
                           "condition on velocities belongs under 'VelocityConstraints'");
    TAUT_TRY(highest_order(r, c->node, m->coordinates, m->coordinates + m->momenta, &highest));
    if (highest >= 0)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, c->place,
            "a constraint of a Hamiltonian contains t and coordinates, not momenta");
    return check_order(r, c, m->coordinates, 0,
                       "a constraint contains t and coordinates, not their derivatives");
}

/* A velocity constraint: first derivatives, of coordinates at least, and no higher ones. */
static taut_status check_velocity_constraint(taut_reader *r, const taut_model_formula *c) {
    int highest;
    TAUT_TRY(check_varied(r, c));
    TAUT_TRY(check_order(r, c, r->model->mechanism ? r->model->leaves : r->model->variables, 1,
                         "a velocity constraint contains first derivatives, but not second ones"));
    TAUT_TRY(highest_order(r, c->node, 0, r->model->coordinates, &highest));
    if (highest == 1) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, c->place,
                        "this contains no velocity, no first derivative of a coordinate: write it "
                        "under 'Constraints'");
}

/* ---- Lagrangian ---- */

/* A scalar formula: L, H or Dissipation. */
static taut_status read_function(taut_reader *r, const taut_yaml *node, const char *key,
                                 taut_node *function) {
    taut_vec value;
    const bool H = r->model->kind == TAUT_MODEL_HAMILTONIAN;
    const int count = r->model->coordinates + r->model->momenta;
    char message[160];
    taut_status status = taut_formula_read(r->symbols, node, 1, &value);
    TAUT_NOTE(r, status);
    if (status != TAUT_OK) return TAUT_OK;
    *function = value.c[0];
    const taut_model_formula f = {key, value.c[0], taut_reader_place(r, node)};
    snprintf(message, sizeof message,
             H ? "'%s' may contain coordinates and momenta, but not their derivatives: write a "
                 "velocity by momenta"
               : "'%s' may contain coordinates and their first derivatives, but not second ones",
             key);
    TAUT_NOTE(r, check_order(r, &f, count, H ? 0 : 1, message));
    TAUT_NOTE(r, check_varied(r, &f));
    return TAUT_OK;
}

/* The multiplier of each constraint is a variable: with the constraint's name, or lambda1, ... */
static taut_status add_multipliers(taut_reader *r, const taut_model_formulas *list,
                                   const char *letter) {
    for (int i = 0; i < list->count; i++) {
        const taut_model_formula *c = &list->item[i];
        taut_vec value;
        char name[32];
        snprintf(name, sizeof name, "%s%d", letter, i + 1);
        const char *own = c->name ? c->name : taut_arena_copy(&r->model->arena, name, strlen(name));
        if (!own) return TAUT_ERR_MEMORY;
        TAUT_NOTE(r, taut_reader_add_variable(r, own, 1, c->place, &value));
    }
    return TAUT_OK;
}

static taut_status check_constraints(taut_reader *r) {
    const taut_model *m = r->model;
    for (int i = 0; i < m->constraints.count; i++)
        TAUT_NOTE(r, check_constraint(r, &m->constraints.item[i]));
    for (int i = 0; i < m->velocity_constraints.count; i++)
        TAUT_NOTE(r, check_velocity_constraint(r, &m->velocity_constraints.item[i]));
    return TAUT_OK;
}

/* Constraints of both kinds, checked. */
static taut_status read_constraints(taut_reader *r, const taut_yaml *node) {
    taut_model *m = r->model;
    TAUT_TRY(taut_read_formulas(r, taut_yaml_get(node, "Constraints"), "'Constraints'",
                                &m->constraints));
    TAUT_TRY(taut_read_formulas(r, taut_yaml_get(node, "VelocityConstraints"),
                                "'VelocityConstraints'", &m->velocity_constraints));
    /* one work space for all: it is as large as the graph */
    TAUT_TRY(taut_pattern_create(m->graph, &r->pattern));
    const taut_status status = check_constraints(r);
    taut_pattern_free(&r->pattern);
    return status;
}

/* Variables beyond the coordinates; their equations are read when every name is known. */
static taut_status read_extras(taut_reader *r, const taut_yaml *node) {
    taut_model *m = r->model;
    const taut_yaml *variables = taut_yaml_get(node, "Variables");
    if (variables && !taut_yaml_get(node, "Equations"))
        taut_reader_missing(r, node, "Equations", ": give one for each of the 'Variables'");
    m->first_extra = m->variables;
    if (variables) TAUT_TRY(taut_read_variables(r, variables, "'Variables'"));
    TAUT_TRY(taut_read_actuators(r));
    m->extras = m->variables - m->first_extra;
    return TAUT_OK;
}

taut_status taut_read_equations(taut_reader *r, const taut_yaml *node) {
    const taut_yaml *equations = taut_yaml_get(node, "Equations");
    TAUT_TRY(taut_read_formulas(r, equations, "'Equations'", &r->model->equations));
    check_count(r, equations ? equations : node, r->model->extras - r->model->actuators,
                r->model->equations.count);
    return TAUT_OK;
}

taut_status taut_read_constraints(taut_reader *r, const taut_yaml *root) {
    TAUT_TRY(read_extras(r, root));
    return read_constraints(r, root);
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
    const bool good = taut_reader_check_keys(r, node, TAUT_SECTION_LAGRANGIAN);
    const taut_yaml *coordinates = taut_yaml_get(node, "Coordinates"),
                    *L = taut_yaml_get(node, "L");
    const taut_yaml *dissipation = taut_yaml_get(node, "Dissipation");
    if (!coordinates && good) taut_reader_missing(r, node, "Coordinates", ": list the coordinates");
    if (!L && good) taut_reader_missing(r, node, "L", ": give the Lagrangian");
    if (!coordinates) return TAUT_OK; /* every name would be unknown */

    TAUT_TRY(taut_read_variables(r, coordinates, "'Coordinates'"));
    m->coordinates = m->variables;
    check_not_empty(r, coordinates, "Coordinates");
    TAUT_TRY(read_extras(r, node));
    TAUT_TRY(declare_stiff(r, taut_yaml_get(node, "Stiff")));
    TAUT_TRY(taut_read_definitions(r, taut_yaml_get(node, "Define")));
    TAUT_TRY(read_constraints(r, node));
    m->first_multiplier = m->variables;
    TAUT_TRY(add_multipliers(r, &m->constraints, "lambda"));
    TAUT_TRY(add_multipliers(r, &m->velocity_constraints, "mu"));
    if (L) TAUT_TRY(read_function(r, L, "L", &m->L));
    if (dissipation) TAUT_TRY(read_function(r, dissipation, "Dissipation", &m->dissipation));
    TAUT_TRY(read_forces(r, taut_yaml_get(node, "Forces")));
    TAUT_TRY(taut_read_equations(r, node));
    TAUT_TRY(read_stiff(r, taut_yaml_get(node, "Stiff")));
    return taut_read_outputs(r, taut_yaml_get(node, "Outputs"));
}

/* ---- Hamiltonian ---- */

/* Entry i of a list of names: `name`, `name: size`, or an entry of a map. */
static const taut_yaml *name_of(const taut_yaml *list, int i) {
    if (list->kind == TAUT_YAML_MAPPING) return list->keys[i];
    return list->items[i]->kind == TAUT_YAML_MAPPING ? list->items[i]->keys[0] : list->items[i];
}

/* A momentum for every coordinate, of the same size. */
static taut_status read_momenta(taut_reader *r, const taut_yaml *coordinates,
                                const taut_yaml *names) {
    taut_model *m = r->model;
    if (coordinates->kind == TAUT_YAML_SCALAR ||
        (names && names->kind == TAUT_YAML_SCALAR &&
         !taut_reader_expect(r, names, TAUT_YAML_SEQUENCE, "'Momenta'")))
        return TAUT_OK;
    if (names && names->count != coordinates->count)
        return taut_fail_at(
            r->errors, TAUT_ERR_INPUT, taut_reader_place(r, names),
            "%d coordinate%s but %d moment%s: list one name for each coordinate, in "
            "their order, or leave 'Momenta' out",
            coordinates->count, coordinates->count == 1 ? "" : "s", names->count,
            names->count == 1 ? "um" : "a");
    for (int i = 0; i < coordinates->count; i++) {
        const taut_yaml *at = name_of(names ? names : coordinates, i);
        taut_vec q, p;
        char text[TAUT_NAME_MAX + 2];
        if (!taut_reader_expect(r, at, TAUT_YAML_SCALAR, "a name in this list") ||
            !taut_symbols_find(r->symbols, name_of(coordinates, i)->text, &q))
            continue;
        snprintf(text, sizeof text, "p_%.*s", TAUT_NAME_MAX - 1, at->text);
        const char *own = names ? at->text : taut_arena_copy(&m->arena, text, strlen(text));
        if (!own) return TAUT_ERR_MEMORY;
        TAUT_NOTE(r, taut_reader_add_variable(r, own, q.n, taut_reader_place(r, at), &p));
    }
    m->momenta = m->variables - m->coordinates;
    return TAUT_OK;
}

taut_status taut_read_hamiltonian(taut_reader *r, const taut_yaml *node) {
    taut_model *m = r->model;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'Hamiltonian'")) return TAUT_OK;
    const bool good = taut_reader_check_keys(r, node, TAUT_SECTION_HAMILTONIAN);
    const taut_yaml *coordinates = taut_yaml_get(node, "Coordinates"),
                    *H = taut_yaml_get(node, "H");
    if (!coordinates && good) taut_reader_missing(r, node, "Coordinates", ": list the coordinates");
    if (!H && good) taut_reader_missing(r, node, "H", ": give the Hamiltonian");
    if (!coordinates) return TAUT_OK; /* every name would be unknown */

    TAUT_TRY(taut_read_variables(r, coordinates, "'Coordinates'"));
    m->coordinates = m->variables;
    check_not_empty(r, coordinates, "Coordinates");
    TAUT_NOTE(r, read_momenta(r, coordinates, taut_yaml_get(node, "Momenta")));
    if (m->momenta != m->coordinates) return TAUT_OK; /* reported */
    TAUT_TRY(read_extras(r, node));
    TAUT_TRY(declare_stiff(r, taut_yaml_get(node, "Stiff")));
    TAUT_TRY(taut_read_definitions(r, taut_yaml_get(node, "Define")));
    TAUT_TRY(read_constraints(r, node));
    m->first_multiplier = m->variables;
    TAUT_TRY(add_multipliers(r, &m->constraints, "lambda"));
    if (H) TAUT_TRY(read_function(r, H, "H", &m->H));
    TAUT_TRY(read_forces(r, taut_yaml_get(node, "Forces")));
    TAUT_TRY(taut_read_equations(r, node));
    TAUT_TRY(read_stiff(r, taut_yaml_get(node, "Stiff")));
    return taut_read_outputs(r, taut_yaml_get(node, "Outputs"));
}
