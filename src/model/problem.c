/* Reading ProblemData: the time span and the initial values. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "model/reader.h"

/* Splits "u''" into the name u and the number of primes; "u.x" is ux. */
static const char *strip_primes(taut_reader *r, const char *text, int *primes) {
    size_t n = strlen(text);
    *primes = 0;
    while (n > 0 && text[n - 1] == '\'') {
        n--;
        ++*primes;
    }
    char *name = taut_arena_copy(&r->model->arena, text, n);
    if (name && n > 2 && name[n - 2] == '.') {
        name[n - 2] = name[n - 1];
        name[n - 1] = '\0';
    }
    return name;
}

static bool is_body(const taut_reader *r, const char *name) {
    const taut_mechanism *m = r->model->mechanism;
    if (!r->errors || r->errors->count == TAUT_ERRORS_MAX) return false; /* nobody would see it */
    for (int b = 0; m && b < m->bodies; b++)
        if (strcmp(m->body[b].name, name) == 0) return true;
    return false;
}

/* Skips what does not tell names apart: A.x is Ax, and primes are counted elsewhere. */
static const char *letter(const char *p) {
    while (*p == '.' || *p == '\'') p++;
    return p;
}

/* The variables that a key of an initial-value map names: a variable, a component or a vector. */
static taut_status find_variables(taut_reader *r, const taut_yaml *key, int order, int *primes,
                                  taut_vec *value, taut_quantity *quantity) {
    const taut_place place = taut_reader_place(r, key);
    const char *name = strip_primes(r, key->text, primes);
    if (!name) return TAUT_ERR_MEMORY;
    if (*primes > 0 && order >= 0)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                            "'%s': primes do not belong here; list first derivatives under "
                            "'velocities', others under 'values'",
                            key->text);
    if (*primes > TAUT_PRIMES_MAX)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "derivatives go up to %d",
                            TAUT_PRIMES_MAX);
    if (!taut_symbols_find(r->symbols, name, value)) {
        const char *near = taut_symbols_nearest(r->symbols, name);
        if (is_body(r, name))
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                                "'%s' is a body: give the values of its points and vectors", name);
        if (near)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                                "unknown name '%s'; did you mean '%s'?", name, near);
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, place, "unknown name '%s'", name);
    }
    *quantity =
        taut_quantity_rate(taut_symbols_quantity(r->symbols, name), order < 0 ? *primes : order);
    for (int i = 0; i < value->n; i++) {
        const taut_node_data *d = taut_node_get(r->model->graph, value->c[i]);
        const bool expression = r->model->mechanism && !d->steady;
        if (d->op != TAUT_OP_VAR && !expression)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                                "'%s' is not a variable: it has no initial value", name);
    }
    return TAUT_OK;
}

/* Do two keys of initial values name the same thing, or one a component of the other? Points that a
 * joint puts at one place do not. */
static bool same_thing(const char *a, const char *b) {
    for (a = letter(a), b = letter(b); *a && *a == *b; a = letter(a + 1), b = letter(b + 1)) {
    }
    const char *rest = *a ? a : b;
    return (!*a || !*b) && (!*rest || (strchr("xyz", *rest) && !*letter(rest + 1)));
}

/* Where in the table the value of a node's derivative is, or would be, under this name; NULL: under
 * any. */
static int *value_slot(const taut_reader *r, taut_node node, int order, const char *name) {
    const taut_model *m = r->model;
    size_t i = taut_hash_pair(node, (uint64_t)order);
    for (i &= r->value_slots - 1; r->value_table[i]; i = (i + 1) & (r->value_slots - 1)) {
        const taut_model_value *v = &m->value[r->value_table[i] - 1];
        if (v->node == node && v->order == order && (!name || same_thing(v->name, name))) break;
    }
    return &r->value_table[i];
}

/* The given value of a variable's derivative, or NULL. */
static taut_model_value *find_value(const taut_reader *r, taut_node node, int order,
                                    const char *name) {
    const int number = r->value_slots ? *value_slot(r, node, order, name) : 0;
    return number ? &r->model->value[number - 1] : NULL;
}

static taut_status grow_values(taut_reader *r) {
    taut_model *m = r->model;
    if (taut_grow((void **)&m->value, &m->value_room, (size_t)m->values + 1, sizeof *m->value))
        return TAUT_ERR_MEMORY;
    if (2 * ((size_t)m->values + 1) <= r->value_slots) return TAUT_OK;
    const size_t slots = r->value_slots ? 2 * r->value_slots : 64;
    int *table = TAUT_NEW_ARRAY(&m->arena, slots, int);
    if (!table) return TAUT_ERR_MEMORY;
    r->value_table = table;
    r->value_slots = slots;
    for (int i = 0; i < m->values; i++)
        *value_slot(r, m->value[i].node, m->value[i].order, m->value[i].name) = i + 1;
    return TAUT_OK;
}

static taut_status add_value(taut_reader *r, taut_model_value new) {
    taut_model *m = r->model;
    const taut_model_value *old = find_value(r, new.node, new.order, new.name);
    if (old)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, new.place,
                            "the initial value of %s is given twice; first on line %d",
                            new.name ? new.name : "", old->place.line);
    TAUT_TRY(grow_values(r));
    if (find_value(r, new.node, new.order, NULL)) new.variable = -1; /* it has one under another */
    assert(m->value);
    m->value[m->values++] = new;
    *value_slot(r, new.node, new.order, new.name) = m->values;
    return TAUT_OK;
}

/* Is it a tracked angle of a mechanism? */
static bool is_angle(const taut_model *m, taut_node node) {
    const taut_node_data *d = taut_node_get(m->graph, node);
    return d->op == TAUT_OP_LEAF && m->leaf[d->index].kind == TAUT_LEAF_ANGLE;
}

/* One `name: number` or `vector: [numbers]`. order -1: as many as the name has primes. */
static taut_status read_value(taut_reader *r, const taut_yaml *key, const taut_yaml *node,
                              int order) {
    taut_vec variables = {0}, numbers = {0};
    taut_quantity quantity = 0;
    int primes;
    const taut_place place = taut_reader_place(r, node);
    TAUT_TRY(find_variables(r, key, order, &primes, &variables, &quantity));
    TAUT_TRY(taut_constant_read_as(r->symbols, node, variables.n, quantity, &numbers));
    for (int i = 0; i < variables.n; i++) {
        if (!taut_symbols_ground(r->symbols, &numbers.c[i], 1)) return TAUT_ERR_MEMORY;
        const taut_node_data *d = taut_node_get(r->model->graph, numbers.c[i]);
        if (!d->steady)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, place,
                                "an initial value is a number: a formula of parameters");
        const taut_node_data *v = taut_node_get(r->model->graph, variables.c[i]);
        const taut_model_value new = {.variable = v->op == TAUT_OP_VAR ? v->index : -1,
                                      .node = variables.c[i],
                                      .name = key->text,
                                      .order = order < 0 ? primes : order,
                                      .value = d->value,
                                      .number = numbers.c[i],
                                      .component = i,
                                      .components = variables.n,
                                      .place = place};
        if (is_angle(r->model, new.node) && new.order == 0)
            TAUT_TRY(taut_doubt_angle(r->model, node, key->text, d->value));
        TAUT_TRY(add_value(r, new));
    }
    return TAUT_OK;
}

/* Is every component of what a key names a momentum? */
static bool is_momentum(taut_reader *r, const taut_yaml *key) {
    const taut_model *m = r->model;
    taut_vec value;
    if (!taut_symbols_find(r->symbols, key->text, &value)) return true; /* said elsewhere */
    const taut_node_data *d = taut_node_get(m->graph, value.c[0]);
    return d->op == TAUT_OP_VAR && d->index >= m->coordinates &&
           d->index < m->coordinates + m->momenta;
}

/* momenta: {p: number}, values of order 0. */
static taut_status check_momenta(taut_reader *r, const taut_yaml *problem) {
    const int at = taut_yaml_find(problem, "momenta");
    if (at < 0) return TAUT_OK;
    const taut_yaml *node = problem->items[at];
    if (r->model->kind != TAUT_MODEL_HAMILTONIAN)
        return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, problem->keys[at]),
                            "only a 'Hamiltonian' has momenta; give 'velocities'");
    for (int i = 0; i < node->count && node->kind == TAUT_YAML_MAPPING; i++)
        if (!is_momentum(r, node->keys[i]))
            TAUT_NOTE(r,
                      taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node->keys[i]),
                                   "'%s' is not a momentum: its value belongs under 'positions'",
                                   node->keys[i]->text));
    return TAUT_OK;
}

static taut_status read_values(taut_reader *r, const taut_yaml *problem, const char *key,
                               int order) {
    const taut_yaml *node = taut_yaml_get(problem, key);
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "initial values (name: number)"))
        return TAUT_OK;
    for (int i = 0; i < node->count; i++)
        TAUT_NOTE(r, read_value(r, node->keys[i], node->items[i], order));
    return TAUT_OK;
}

/* Marks the values of one name as fixed. */
static taut_status fix(taut_reader *r, const taut_yaml *name, const char *section, int order) {
    taut_vec variables = {0};
    taut_quantity quantity;
    int primes;
    if (!taut_reader_expect(r, name, TAUT_YAML_SCALAR, "a name in this list")) return TAUT_OK;
    TAUT_TRY(find_variables(r, name, order, &primes, &variables, &quantity));
    for (int i = 0; i < variables.n; i++) {
        taut_model_value *value = find_value(r, variables.c[i], order, name->text);
        if (!value && r->model->mechanism) { /* what cannot move needs no value: see form/bind */
            TAUT_TRY(add_value(r, (taut_model_value){.variable = -1,
                                                     .node = variables.c[i],
                                                     .name = name->text,
                                                     .order = order,
                                                     .component = i,
                                                     .components = variables.n,
                                                     .place = taut_reader_place(r, name)}));
            value = &r->model->value[r->model->values - 1];
        }
        if (!value)
            return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, name),
                                "%s is to be kept fixed, but it has no value: give one under '%s'",
                                name->text, section);
        value->fixed = true;
    }
    return TAUT_OK;
}

static taut_status read_fixed(taut_reader *r, const taut_yaml *problem, const char *key,
                              const char *section, int order) {
    const taut_yaml *node = taut_yaml_get(problem, key);
    if (!node || (node->kind == TAUT_YAML_SCALAR && node->is_null)) return TAUT_OK;
    if (node->kind == TAUT_YAML_MAPPING) { /* a flow set, {Ax, B}; values may stand here as well */
        for (int i = 0; i < node->count; i++) {
            const bool bare = node->items[i]->kind == TAUT_YAML_SCALAR && node->items[i]->is_null;
            if (!bare) TAUT_NOTE(r, read_value(r, node->keys[i], node->items[i], order));
            TAUT_NOTE(r, fix(r, node->keys[i], section, order));
        }
        return TAUT_OK;
    }
    if (!taut_reader_expect(r, node, TAUT_YAML_SEQUENCE, "names to keep fixed")) return TAUT_OK;
    for (int i = 0; i < node->count; i++) TAUT_NOTE(r, fix(r, node->items[i], section, order));
    return TAUT_OK;
}

/* A time that limits a run and leaves the equations alone. */
static taut_status read_limit(taut_reader *r, const taut_yaml *node, double *time,
                              taut_node *formula) {
    *formula = TAUT_NO_NODE;
    TAUT_TRY(taut_steady_read(r->symbols, node, TAUT_TIME, formula));
    *time = taut_choose_by_value(r->model->graph, *formula);
    return TAUT_OK;
}

static taut_status read_max_step(taut_reader *r, const taut_yaml *node) {
    taut_node formula;
    if (!node) return TAUT_OK;
    TAUT_TRY(read_limit(r, node, &r->model->max_step, &formula));
    if (r->model->max_step > 0.0) return TAUT_OK;
    return taut_fail_at(r->errors, TAUT_ERR_INPUT, taut_reader_place(r, node),
                        "maxstep is the longest step that a solver may take: a time above 0");
}

taut_status taut_read_problem(taut_reader *r, const taut_yaml *node) {
    if (!node) return TAUT_OK;
    if (!taut_reader_expect(r, node, TAUT_YAML_MAPPING, "'ProblemData'")) return TAUT_OK;
    taut_reader_check_keys(r, node, TAUT_SECTION_PROBLEM);
    const taut_yaml *t0 = taut_yaml_get(node, "t0"), *tend = taut_yaml_get(node, "tend");
    if (t0) TAUT_NOTE(r, taut_number_read(r->symbols, t0, TAUT_TIME, &r->model->t0));
    if (r->model->has_start) r->model->t0 = r->model->start;
    if (tend) {
        TAUT_NOTE(r, read_limit(r, tend, &r->model->tend, &r->model->tend_formula));
        r->model->has_tend = true;
    }
    TAUT_NOTE(r, read_max_step(r, taut_yaml_get(node, "maxstep")));
    if (r->faulty && !r->model->mechanism && r->model->variables == 0)
        return TAUT_OK; /* every name would be unknown */
    TAUT_TRY(read_values(r, node, "positions", 0));
    TAUT_TRY(read_values(r, node, "velocities", 1));
    TAUT_NOTE(r, check_momenta(r, node));
    TAUT_TRY(read_values(r, node, "momenta", 0));
    TAUT_TRY(read_values(r, node, "values", -1));
    TAUT_TRY(read_fixed(r, node, "fixedpositions", "positions", 0));
    return read_fixed(r, node, "fixedvelocities", "velocities", 1);
}
