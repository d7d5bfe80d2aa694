/* Formulas of the file, as nodes with their units: scalars, vectors, numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/substitute.h"
#include "model/symbols_parts.h"

/* True if a constant part of a formula, one of the nodes from `first` on, is no number. */
static bool has_no_value(const taut_graph *graph, taut_node first) {
    for (taut_node node = first; node < taut_graph_size(graph); node++) {
        const taut_node_data *d = taut_node_get(graph, node);
        if (!isfinite(d->value) || !isfinite(d->constant)) return true;
        for (uint32_t i = 0; d->op == TAUT_OP_SUM && i < d->count; i++)
            if (!isfinite(taut_node_coefs(graph, node)[i])) return true;
    }
    return false;
}

/* Keeps what a formula has become, for those who look for features in it. */
static taut_status note_formula(taut_model *m, taut_vec value) {
    for (int i = 0; i < value.n; i++) {
        if (taut_node_get(m->graph, value.c[i])->steady) continue;
        if (taut_grow((void **)&m->formula, &m->formula_room, (size_t)m->formulas + 1,
                      sizeof *m->formula))
            return TAUT_ERR_MEMORY;
        m->formula[m->formulas++] = value.c[i];
    }
    return TAUT_OK;
}

taut_status taut_symbols_note(taut_symbols *s, taut_node node) {
    return note_formula(s->model, taut_vec_scalar(node));
}

taut_status taut_formula_text(taut_symbols *s, const char *text, long length, taut_measure *measure,
                              taut_infix_error *error) {
    const taut_scope scope = {.user = s,
                              .find = taut_meaning_find,
                              .nearest = taut_meaning_nearest,
                              .number_line = taut_meaning_number_line,
                              .kink = taut_hidden_mode,
                              .whole = taut_hidden_whole,
                              .arity = taut_meaning_arity,
                              .call = taut_meaning_call,
                              .depth = &s->nesting};
    const taut_node first = taut_graph_size(s->model->graph);
    taut_status status = taut_infix_read(s->model->graph, text, length, &scope, measure, error);
    if (status == TAUT_OK && has_no_value(s->model->graph, first)) {
        snprintf(error->message, sizeof error->message,
                 "a constant part of this formula is not a finite number: a root or logarithm of a "
                 "negative number, a division by zero, or a number that is too large");
        status = TAUT_ERR_INPUT;
    }
    if (status == TAUT_ERR_INPUT && s->in_parameter &&
        strncmp(error->message, "unknown name", strlen("unknown name")) == 0) {
        const size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used,
                 " (a parameter can use other parameters only; a formula of variables belongs "
                 "under 'Define')");
    }
    return status;
}

/* True if the error is the first that is said about its cause. */
bool taut_formula_is_news(const taut_infix_error *error) {
    return error->message[0] && strcmp(error->message, TAUT_REPORTED) != 0;
}

/* Where a constant formula is kept: many bodies have the same masses and lengths. */
static taut_kept_constant *kept_place(taut_symbols *s, const taut_yaml *node) {
    const unsigned first = (unsigned char)node->text[0];
    const unsigned last = (unsigned char)node->text[node->length - 1];
    return &s->kept[(5 * first + 3 * last + (unsigned)node->length) % TAUT_CONSTANTS_KEPT];
}

/* Does it mean here what it meant where it was read? */
static bool is_kept(const taut_symbols *s, const taut_kept_constant *k, const taut_yaml *node) {
    return k->node && k->node->length == node->length && k->node->context == node->context &&
           k->scope == s->scope && k->constant == s->constant && !s->in_parameter &&
           s->locals == 0 && memcmp(k->node->text, node->text, (size_t)node->length) == 0;
}

static void keep_constant(taut_symbols *s, const taut_yaml *node, taut_measure measure) {
    for (int i = 0; i < measure.value.n; i++)
        if (!taut_node_get(s->model->graph, measure.value.c[i])->steady) return;
    if (s->in_parameter || s->locals > 0) return;
    *kept_place(s, node) = (taut_kept_constant){node, s->scope, s->constant, measure};
}

static taut_status read_scalar(taut_symbols *s, const taut_yaml *node, taut_measure *measure) {
    const taut_place place = taut_yaml_place(node);
    taut_infix_error error;
    if (node->is_null || node->length == 0)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place, "a formula is missing here");
    if (node->style == TAUT_YAML_SINGLE_QUOTED && strchr(node->text, '\''))
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                            "in single quotes YAML turns '' into ', so primes get lost: write this "
                            "formula without quotes or in double quotes");
    const taut_kept_constant *kept = kept_place(s, node);
    if (is_kept(s, kept, node)) {
        *measure = kept->measure;
        return TAUT_OK;
    }
    const taut_context *outer = s->context;
    const taut_place around = s->place;
    s->context = node->context;
    s->place = place;
    taut_status status = taut_formula_text(s, node->text, node->length, measure, &error);
    s->context = outer;
    s->place = around;
    if (status == TAUT_OK) keep_constant(s, node, *measure);
    if (status == TAUT_ERR_INPUT && taut_formula_is_news(&error))
        taut_fail_at(s->errors, status, taut_yaml_place_at(node, error.offset), "%s",
                     error.message);
    return status;
}

static taut_status read_list(taut_symbols *s, const taut_yaml *node, taut_quantity wanted,
                             taut_measure *measure) {
    const taut_place place = taut_yaml_place(node);
    if (node->count < 2 || node->count > 3)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                            "a vector has 2 or 3 components, not %d (a formula that contains a "
                            "comma must be quoted)",
                            node->count);
    for (int i = 0; i < node->count; i++) {
        taut_measure component;
        taut_dimension both;
        TAUT_TRY(taut_formula_measure(s, node->items[i], 1, wanted, &component));
        if (wanted == TAUT_ANY &&
            !taut_dimension_sum(measure->dimension, component.dimension, &both)) {
            char first[80], second[80];
            return taut_fail_at(s->errors, TAUT_ERR_INPUT, taut_yaml_place(node->items[i]),
                                "the components of a vector have one unit, but the ones before are "
                                "%s and this is %s",
                                taut_dimension_print(measure->dimension, first, sizeof first),
                                taut_dimension_print(component.dimension, second, sizeof second));
        }
        measure->dimension = i == 0 || wanted != TAUT_ANY ? component.dimension : both;
        measure->value.c[i] = component.value.c[0];
    }
    measure->value.n = node->count;
    return TAUT_OK;
}

/* Reports a formula whose units are not those of what is wanted. */
static taut_status check_dimension(taut_symbols *s, const taut_yaml *node, taut_quantity wanted,
                                   taut_dimension dimension) {
    char expected[80], found[80];
    if (taut_dimension_fits(dimension, wanted)) return TAUT_OK;
    return taut_fail_at(s->errors, TAUT_ERR_INPUT, taut_yaml_place(node),
                        "%s is expected here, but this is %s",
                        taut_quantity_print(wanted, expected, sizeof expected),
                        taut_dimension_print(dimension, found, sizeof found));
}

taut_status taut_formula_measure(taut_symbols *s, const taut_yaml *node, int size,
                                 taut_quantity wanted, taut_measure *measure) {
    const taut_place place = taut_yaml_place(node);
    *measure = (taut_measure){.dimension = {TAUT_DIMENSION_ZERO, {0}}};
    if (node->kind == TAUT_YAML_MAPPING)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place, "a formula is expected, not a map");
    if (node->kind == TAUT_YAML_SEQUENCE && size == 1 && (node->count < 2 || node->count > 3))
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                            "a number is expected, not a list (a formula that contains a comma "
                            "must be quoted)");
    if (node->kind == TAUT_YAML_SCALAR)
        TAUT_TRY(read_scalar(s, node, measure));
    else
        TAUT_TRY(read_list(s, node, wanted, measure));
    const int n = measure->value.n;
    if (size == 1 && n > 1)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                            "a number is expected, but this is a vector with %d components", n);
    if (size > 0 && n == 1 && size > 1)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                            "a vector with %d components is expected, not a number", size);
    if (size > 0 && n != size)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                            "a vector with %d components is expected, not one with %d", size, n);
    return check_dimension(s, node, wanted, measure->dimension);
}

taut_status taut_formula_read_as(taut_symbols *s, const taut_yaml *node, int size,
                                 taut_quantity wanted, taut_vec *value) {
    taut_measure measure;
    taut_status status = taut_formula_measure(s, node, size, wanted, &measure);
    *value = status == TAUT_OK ? measure.value : (taut_vec){0};
    return status == TAUT_OK ? note_formula(s->model, *value) : status;
}

taut_status taut_constant_read_as(taut_symbols *s, const taut_yaml *node, int size,
                                  taut_quantity wanted, taut_vec *value) {
    const bool before = s->constant;
    s->constant = true;
    const taut_status status = taut_formula_read_as(s, node, size, wanted, value);
    s->constant = before;
    return status;
}

taut_status taut_formula_read(taut_symbols *s, const taut_yaml *node, int size, taut_vec *value) {
    return taut_formula_read_as(s, node, size, TAUT_ANY, value);
}

taut_status taut_vector_read_as(taut_symbols *s, const taut_yaml *node, int dimension,
                                taut_quantity wanted, taut_vec *value) {
    if (node->kind != TAUT_YAML_SEQUENCE)
        return taut_formula_read_as(s, node, dimension, wanted, value);
    *value = (taut_vec){.n = dimension};
    if (node->count > dimension)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, taut_yaml_place(node),
                            "%d coordinates in a model of dimension %d", node->count, dimension);
    for (int i = 0; i < dimension; i++) {
        taut_vec v = taut_vec_scalar(taut_number(s->model->graph, 0.0));
        if (i < node->count) TAUT_TRY(taut_formula_read_as(s, node->items[i], 1, wanted, &v));
        value->c[i] = v.c[0];
    }
    return TAUT_OK;
}

taut_status taut_vector_read(taut_symbols *s, const taut_yaml *node, int dimension,
                             taut_vec *value) {
    return taut_vector_read_as(s, node, dimension, TAUT_ANY, value);
}

/* A fixed element is where the file says, of length 1 if it is a vector; others stay leaves. */
static taut_node grounded(void *user, int leaf) {
    taut_model *m = user;
    const taut_model_leaf *x = &m->leaf[leaf];
    const taut_element *e = x->kind == TAUT_LEAF_ELEMENT ? &m->mechanism->element[x->index] : NULL;
    if (!e || !e->fixed || e->given.n == 0) return taut_leaf(m->graph, leaf);
    taut_vec value = e->given;
    if (e->is_vector) taut_mechanism_direction(m->graph, &value);
    return value.c[x->part];
}

/* One round; *changed: a node became another one. */
static bool ground_once(taut_symbols *s, taut_node *node, int count, bool *changed) {
    taut_graph *g = s->model->graph;
    taut_substitution *substitution;
    taut_status status = TAUT_OK;
    bool finite;
    *changed = false;
    if (taut_substitution_create(g, grounded, s->model, &substitution) != TAUT_OK) return false;
    for (int i = 0; i < count && status != TAUT_ERR_MEMORY; i++) {
        taut_node found = TAUT_NO_NODE;
        if (taut_node_get(g, node[i])->steady) continue;
        status = taut_substitute(substitution, node[i], &found, &finite);
        if (found == TAUT_NO_NODE || found == node[i]) continue;
        node[i] = found;
        *changed = true;
    }
    taut_substitution_free(&substitution);
    return status != TAUT_ERR_MEMORY;
}

bool taut_symbols_ground(taut_symbols *s, taut_node *node, int count) {
    bool changed = false;
    for (int i = 0; i < count && !changed; i++)
        changed = !taut_node_get(s->model->graph, node[i])->steady;
    /* fixed elements may be defined by others; the file's order does not matter */
    for (int round = 0; round < TAUT_SYMBOLS_DEEPEST && changed; round++)
        if (!ground_once(s, node, count, &changed)) return false;
    return true;
}

taut_status taut_steady_read(taut_symbols *s, const taut_yaml *node, taut_quantity wanted,
                             taut_node *number) {
    taut_vec v;
    TAUT_TRY(taut_constant_read_as(s, node, 1, wanted, &v));
    if (!taut_symbols_ground(s, &v.c[0], 1)) return TAUT_ERR_MEMORY;
    const taut_node_data *d = taut_node_get(s->model->graph, v.c[0]);
    if (!d->steady)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, taut_yaml_place(node),
                            "a number is expected here: a formula of parameters, without t and "
                            "without variables");
    *number = v.c[0];
    return TAUT_OK;
}

taut_status taut_number_read(taut_symbols *s, const taut_yaml *node, taut_quantity wanted,
                             double *value) {
    taut_node number = TAUT_NO_NODE;
    TAUT_TRY(taut_steady_read(s, node, wanted, &number));
    *value = taut_assume_value(s->model->graph, number);
    return TAUT_OK;
}
