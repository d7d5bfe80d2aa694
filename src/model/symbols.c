/* Names and formulas. Parameters and definitions are read on demand, so that they may stand in any
 * order; a name that is asked for while it is being read is circular. */
#include "model/symbols.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "expr/substitute.h"
#include "model/lookup.h"
#include "model/outset.h"

enum { DEEPEST = 200 }; /* definitions that use definitions */

typedef enum symbol_state { UNREAD, READING, READY, BROKEN, ELEMENT, NAME, TABLE } symbol_state;

typedef struct symbol {
    const char *name;
    symbol_state state;
    bool parameter, used;
    int index;        /* parameter number; TABLE: its number; ELEMENT: its number ... */
    int component;    /* ... and which of its components, -1: all */
    const char *what; /* NAME: what has it */
    taut_source source;
    taut_vec value;
    taut_dimension dimension; /* of the value, if its formula has units */
    taut_quantity quantity;   /* what its initial values are */
    taut_place place;
} symbol;

struct taut_symbols {
    taut_model *model;
    taut_errors *errors;
    symbol *item;
    size_t count, room;
    uint32_t *table; /* [size] place in item[] plus one; 0: empty */
    size_t size;
    const taut_context *context; /* of the formula that is being read; NULL: none */
    int depth;                   /* definitions that use definitions */
    int nesting;                 /* parentheses and formulas in formulas, in all of them */
    taut_place place;            /* of the formula that is being read */
    bool in_parameter;           /* the formula that is being read is a parameter's */
    taut_symbols_scope scope;
    taut_doubt *doubt;
    void *doubt_user;
    int doubts; /* that may still be asked */
};

taut_status taut_symbols_create(taut_model *model, taut_errors *errors, taut_symbols **symbols) {
    size_t room = 0;
    *symbols = NULL;
    if (taut_grow((void **)symbols, &room, 1, sizeof **symbols)) return TAUT_ERR_MEMORY;
    **symbols = (taut_symbols){.model = model, .errors = errors};
    return TAUT_OK;
}

void taut_symbols_free(taut_symbols **symbols) {
    if (!*symbols) return;
    taut_release((void **)&(*symbols)->item);
    taut_release((void **)&(*symbols)->table);
    taut_release((void **)symbols);
}

/* ---- the table ---- */

static size_t hash(const char *name) {
    size_t h = 1469598103934665603u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h ^ (h >> 17);
}

static symbol *lookup(const taut_symbols *s, const char *name) {
    if (s->size == 0) return NULL;
    for (size_t i = hash(name) & (s->size - 1); s->table[i]; i = (i + 1) & (s->size - 1))
        if (strcmp(s->item[s->table[i] - 1].name, name) == 0) return &s->item[s->table[i] - 1];
    return NULL;
}

static bool grow_table(taut_symbols *s) {
    uint32_t *table = NULL;
    size_t room = 0;
    if (taut_grow((void **)&table, &room, s->size ? 2 * s->size : 64, sizeof *table)) return false;
    memset(table, 0, room * sizeof *table);
    for (size_t k = 0; k < s->count; k++) {
        size_t i = hash(s->item[k].name) & (room - 1);
        while (table[i]) i = (i + 1) & (room - 1);
        table[i] = (uint32_t)k + 1;
    }
    taut_release((void **)&s->table);
    s->table = table;
    s->size = room;
    return true;
}

/* Adds a name that is not taken. */
static taut_status enter(taut_symbols *s, symbol new) {
    const symbol *old = lookup(s, new.name);
    if (old && old->place.path && new.place.path &&strcmp(old->place.path, new.place.path) != 0)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "the name '%s' is taken already, in %s on line %d", new.name,
                            old->place.path, old->place.line);
    if (old && old->place.line > 0)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "the name '%s' is taken already, on line %d", new.name,
                            old->place.line);
    if (old)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place, "the name '%s' is taken already",
                            new.name);
    if (2 * (s->count + 1) > s->size && !grow_table(s)) return TAUT_ERR_MEMORY;
    if (taut_grow((void **)&s->item, &s->room, s->count + 1, sizeof *s->item))
        return TAUT_ERR_MEMORY;
    size_t i = hash(new.name) & (s->size - 1);
    while (s->table[i]) i = (i + 1) & (s->size - 1);
    s->item[s->count++] = new;
    s->table[i] = (uint32_t)s->count;
    return TAUT_OK;
}

/* The same for a name that formulas can use. */
static taut_status add(taut_symbols *s, symbol new) {
    if (new.name[0] && strspn(new.name, "0123456789") == strlen(new.name)) /* {g: 9,81} */
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "'%s' cannot be a name; if it is a part of a number, write that with a "
                            "decimal point, not with a comma",
                            new.name);
    if (!taut_infix_is_name(new.name))
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "'%s' cannot be a name: use letters, digits and _, a letter first, "
                            "fewer than %d characters",
                            new.name, TAUT_NAME_MAX);
    if (taut_infix_is_reserved(new.name))
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, new.place,
                            "'%s' has a meaning in formulas already; choose another name",
                            new.name);
    return enter(s, new);
}

taut_status taut_symbols_add(taut_symbols *s, const char *name, taut_vec value, taut_place place) {
    return add(s, (symbol){.name = name, .state = READY, .value = value, .place = place});
}

taut_status taut_symbols_add_formula(taut_symbols *s, const char *name, bool parameter,
                                     taut_source source, taut_place place) {
    symbol new = {.name = name, .parameter = parameter, .source = source, .place = place};
    if (parameter) new.index = s->model->parameters;
    TAUT_TRY(add(s, new));
    if (parameter) s->model->parameters++;
    return TAUT_OK;
}

taut_status taut_symbols_add_name(taut_symbols *s, const char *name, const char *what,
                                  taut_place place) {
    return enter(s, (symbol){.name = name, .state = NAME, .what = what, .place = place});
}

taut_status taut_symbols_add_table(taut_symbols *s, const char *name, int number,
                                   taut_place place) {
    return add(s, (symbol){.name = name, .state = TABLE, .index = number, .place = place});
}

taut_model *taut_symbols_model(const taut_symbols *s) { return s->model; }
bool taut_symbols_in_parameter(const taut_symbols *s) { return s->in_parameter; }
taut_place taut_symbols_here(const taut_symbols *s) { return s->place; }
taut_errors *taut_symbols_errors(const taut_symbols *s) { return s->errors; }

bool taut_symbols_use(taut_symbols *s, const char *name) {
    symbol *x = lookup(s, name);
    if (!x || !x->parameter || x->used) return false;
    x->used = true;
    return true;
}

bool taut_symbols_place(const taut_symbols *s, const char *name, taut_place *place) {
    const symbol *x = lookup(s, name);
    if (x) *place = x->place;
    return x != NULL;
}

taut_status taut_symbols_add_element(taut_symbols *s, const char *name, int element, int dimension,
                                     taut_place place) {
    symbol new = {
        .name = name, .state = ELEMENT, .index = element, .component = -1, .place = place};
    TAUT_TRY(add(s, new));
    for (int i = 0; i < dimension; i++) {
        char text[TAUT_NAME_MAX + 1];
        taut_place old;
        snprintf(text, sizeof text, "%s%c", name, "xyz"[i]);
        new.name = taut_arena_copy(&s->model->arena, text, strlen(text));
        new.component = i;
        if (!new.name) return TAUT_ERR_MEMORY;
        if (taut_symbols_place(s, new.name, &old))
            return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                                "a component of %s has the name '%s', which is taken already, on "
                                "line %d: rename one of them",
                                name, new.name, old.line);
        TAUT_TRY(add(s, new));
    }
    return TAUT_OK;
}

bool taut_symbols_element(const taut_symbols *s, const char *name, int *element) {
    const symbol *x = lookup(s, name);
    if (!x || x->state != ELEMENT || x->component >= 0) return false;
    *element = x->index;
    return true;
}

void taut_symbols_set_quantity(taut_symbols *s, const char *name, taut_quantity quantity) {
    symbol *x = lookup(s, name);
    if (x) x->quantity = quantity;
}

taut_quantity taut_symbols_quantity(const taut_symbols *s, const char *name) {
    const symbol *x = lookup(s, name);
    if (!x) return TAUT_ANY;
    if (x->state != ELEMENT) return x->quantity;
    return s->model->mechanism->element[x->index].is_vector ? TAUT_ANGLE : TAUT_LENGTH;
}

void taut_symbols_set_scope(taut_symbols *s, taut_symbols_scope scope) { s->scope = scope; }

void taut_symbols_set_doubt(taut_symbols *s, taut_doubt *doubt, void *user, int times) {
    s->doubt = doubt;
    s->doubt_user = user;
    s->doubts = times;
}

void taut_symbols_report_to(taut_symbols *s, taut_errors *errors) { s->errors = errors; }

const char *taut_symbols_nearest(taut_symbols *s, const char *name) {
    taut_nearest nearest = {.wanted = name};
    if (!s->errors || s->errors->count == TAUT_ERRORS_MAX) return NULL; /* nobody would see it */
    if (s->count > 10000) return NULL;
    for (size_t i = 0; i < s->count; i++) taut_nearest_offer(&nearest, s->item[i].name);
    return nearest.best;
}

/* ---- reading formulas ---- */

static taut_status name_parameter(taut_symbols *s, int index, taut_node *node);

static bool find_in_formula(void *user, const char *name, taut_measure *measure, char *why,
                            size_t size);
static const char *nearest_in_formula(void *user, const char *name) {
    return taut_symbols_nearest(user, name);
}

/* Parameters of the file that a formula stands in, then of all. */
static int line_of_parameter(void *user, const char *name) {
    const taut_symbols *s = user;
    char own[2 * TAUT_NAME_MAX];
    snprintf(own, sizeof own, "%.*s%s", TAUT_NAME_MAX, s->context ? s->context->prefix : "", name);
    const symbol *x = lookup(s, own);
    if (!x) x = lookup(s, name);
    return x && x->parameter ? x->place.line : -1;
}

/* Why a name has no value, where that has been reported already: one message a fault is enough. */
static const char REPORTED[] = " ";

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

/* The mode of a boundary function: a parameter that events will change; where the boundary is made
 * of parameters alone, a number. */
static bool find_mode(void *user, taut_node boundary, taut_node *mode) {
    taut_symbols *s = user;
    taut_model *m = s->model;
    const taut_node_data *d = taut_node_get(m->graph, boundary);
    if (d->steady && !d->held) {
        *mode = taut_number(m->graph, taut_assume_value(m->graph, boundary) > 0.0 ? 1.0 : 0.0);
        return true;
    }
    if (s->in_parameter) return false;
    for (int i = 0; i < m->kinks; i++)
        if (m->kink[i].boundary == boundary) {
            *mode = m->kink[i].mode;
            return true;
        }
    if (taut_grow((void **)&m->kink, &m->kink_room, (size_t)m->kinks + 1, sizeof *m->kink)) {
        taut_graph_fail(m->graph);
        return false;
    }
    const int index = m->parameters;
    double value = 1.0;
    if (taut_outset_guess(s, boundary, &value) && value == 0.0)
        taut_outset_value(s, boundary, 1.0, &value);
    if (taut_symbols_add_hidden(s, value > 0.0 ? 1.0 : 0.0, mode) != TAUT_OK) return false;
    m->kink[m->kinks++] = (taut_model_kink){boundary, *mode, index, s->place};
    return true;
}

/* The table of this name: of the file that the formula stands in, then of all; -1: none. */
static int find_table(const taut_symbols *s, const char *name) {
    char own[2 * TAUT_NAME_MAX];
    snprintf(own, sizeof own, "%.*s%s", TAUT_NAME_MAX, s->context ? s->context->prefix : "", name);
    const symbol *x = lookup(s, own);
    if (!x) x = lookup(s, name);
    return x && x->state == TABLE ? x->index : -1;
}

static int arity_of_table(void *user, const char *name, char *why, size_t size) {
    taut_symbols *s = user;
    const int number = find_table(s, name);
    return number < 0 ? 0 : taut_lookup_arity(s, number, why, size);
}

static bool call_table(void *user, const char *name, const taut_node *argument, taut_node *value,
                       char *why, size_t size) {
    taut_symbols *s = user;
    return taut_lookup_call(s, s->model, find_table(s, name), argument,
                            &(taut_lookup_answer){value, why, size});
}

static taut_status read_text(taut_symbols *s, const char *text, long length, taut_measure *measure,
                             taut_infix_error *error) {
    const taut_scope scope = {.user = s,
                              .find = find_in_formula,
                              .nearest = nearest_in_formula,
                              .parameter_line = line_of_parameter,
                              .kink = find_mode,
                              .arity = arity_of_table,
                              .call = call_table,
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
static bool is_news(const taut_infix_error *error) {
    return error->message[0] && strcmp(error->message, REPORTED) != 0;
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
    const taut_context *outer = s->context;
    const taut_place around = s->place;
    s->context = node->context;
    s->place = place;
    taut_status status = read_text(s, node->text, node->length, measure, &error);
    s->context = outer;
    s->place = around;
    if (status == TAUT_ERR_INPUT && is_news(&error))
        taut_fail_at(s->errors, status, taut_yaml_place_at(node, error.offset), "%s",
                     error.message);
    return status;
}

static taut_status read_measure(taut_symbols *s, const taut_yaml *node, int size,
                                taut_quantity wanted, taut_measure *measure);

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
        TAUT_TRY(read_measure(s, node->items[i], 1, wanted, &component));
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

static taut_status read_measure(taut_symbols *s, const taut_yaml *node, int size,
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
    if (size > 0 && n != size)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, place,
                            "a vector with %d components is expected, not %s", size,
                            n == 1 ? "a number" : "one of another size");
    return check_dimension(s, node, wanted, measure->dimension);
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

taut_status taut_formula_read_as(taut_symbols *s, const taut_yaml *node, int size,
                                 taut_quantity wanted, taut_vec *value) {
    taut_measure measure;
    taut_status status = read_measure(s, node, size, wanted, &measure);
    *value = status == TAUT_OK ? measure.value : (taut_vec){0};
    return status == TAUT_OK ? note_formula(s->model, *value) : status;
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

bool taut_symbols_ground(taut_symbols *s, taut_node *node) {
    taut_graph *g = s->model->graph;
    taut_substitution *substitution;
    bool finite;
    /* fixed elements may be defined by others; the file's order does not matter */
    for (int round = 0; round < DEEPEST && !taut_node_get(g, *node)->steady; round++) {
        const taut_node before = *node;
        if (taut_substitution_create(g, grounded, s->model, &substitution) != TAUT_OK) return false;
        const taut_status status = taut_substitute(substitution, before, node, &finite);
        taut_substitution_free(&substitution);
        if (status == TAUT_ERR_MEMORY) return false;
        if (*node == TAUT_NO_NODE || *node == before) {
            *node = before;
            break;
        }
    }
    return true;
}

taut_status taut_number_read(taut_symbols *s, const taut_yaml *node, taut_quantity wanted,
                             double *value) {
    taut_vec v;
    TAUT_TRY(taut_formula_read_as(s, node, 1, wanted, &v));
    if (!taut_symbols_ground(s, &v.c[0])) return TAUT_ERR_MEMORY;
    const taut_node_data *d = taut_node_get(s->model->graph, v.c[0]);
    if (!d->steady)
        return taut_fail_at(s->errors, TAUT_ERR_INPUT, taut_yaml_place(node),
                            "a number is expected here: a formula of parameters, without t and "
                            "without variables");
    *value = taut_assume_value(s->model->graph, v.c[0]);
    return TAUT_OK;
}

/* ---- what a name means ---- */

static taut_status refuse_parameter(taut_symbols *s, const symbol *x) {
    static const char rule[] = "must be a number: a formula of other parameters, without t and "
                               "without variables";
    if (!x->source.node)
        return taut_fail(s->errors, TAUT_ERR_INPUT, "override %s=%s: a parameter %s", x->name,
                         x->source.text, rule);
    return taut_fail_at(s->errors, TAUT_ERR_INPUT, x->place, "the parameter '%s' %s", x->name,
                        rule);
}

static bool is_input(const taut_model *m, const char *name) {
    return taut_yaml_get(taut_yaml_get(m->root, "Inputs"), name) != NULL;
}

/* A parameter is a leaf of the graph, so that its value can change later without a new graph; its
 * own formula says what it is until then. */
static taut_status name_parameter(taut_symbols *s, int index, taut_node *node) {
    taut_model *m = s->model;
    const size_t old = m->parameter_room;
    if (taut_grow((void **)&m->parameter_formula, &m->parameter_room, (size_t)index + 1,
                  sizeof *m->parameter_formula)) {
        taut_graph_fail(m->graph); /* so that nobody takes the missing value for a fault */
        return TAUT_ERR_MEMORY;
    }
    for (size_t i = old; i < m->parameter_room; i++) m->parameter_formula[i] = TAUT_NO_NODE;
    m->parameter_formula[index] = *node;
    *node = taut_parameter(m->graph, index, taut_node_get(m->graph, *node)->value);
    return *node == TAUT_NO_NODE ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_symbols_add_hidden(taut_symbols *s, double value, taut_node *node) {
    taut_model *m = s->model;
    const int index = m->parameters++;
    m->hidden++;
    *node = taut_number(m->graph, value);
    taut_graph_keep(m->graph, index);
    return name_parameter(s, index, node);
}

/* The same for a name of the file: inputs may have to stay even if they are 0. */
static taut_status name_value(taut_symbols *s, size_t at, taut_node *node) {
    const taut_model *m = s->model;
    if (m->keep_inputs && (is_input(m, s->item[at].name) || taut_node_get(m->graph, *node)->held))
        taut_graph_keep(m->graph, s->item[at].index);
    return name_parameter(s, s->item[at].index, node);
}

/* Reads the formula of a symbol. */
static taut_status resolve(taut_symbols *s, size_t at) {
    taut_measure measure = {.dimension = {TAUT_DIMENSION_ANY, {0}}};
    const taut_source source = s->item[at].source;
    taut_status status;
    const bool outer = s->in_parameter;
    s->item[at].state = READING;
    s->in_parameter = s->item[at].parameter;
    if (source.node) {
        status = read_measure(s, source.node, s->item[at].parameter ? 1 : 0, TAUT_ANY, &measure);
    } else {
        taut_infix_error error;
        status = read_text(s, source.text, (long)strlen(source.text), &measure, &error);
        if (status == TAUT_ERR_INPUT && is_news(&error))
            taut_fail(s->errors, status, "%s %s=%s: %s",
                      s->item[at].parameter ? "override" : "input", s->item[at].name, source.text,
                      error.message);
    }
    s->in_parameter = outer;
    symbol *x = &s->item[at];
    taut_vec value = measure.value;
    if (measure.dimension.knowledge == TAUT_DIMENSION_KNOWN) x->dimension = measure.dimension;
    if (status == TAUT_OK && x->parameter) {
        const taut_node_data *d = taut_node_get(s->model->graph, value.c[0]);
        if (!d->steady || value.n != 1)
            status = refuse_parameter(s, x);
        else
            status = name_value(s, at, &value.c[0]);
    }
    x->value = value;
    x->state = status == TAUT_OK ? READY : BROKEN;
    return status;
}

/* A point, a vector or one of its components: leaves. */
static bool element_meaning(taut_symbols *s, const symbol *x, taut_vec *value, char *why,
                            size_t size) {
    const taut_mechanism *m = s->model->mechanism;
    const taut_element *e = &m->element[x->index];
    if (s->scope == TAUT_SCOPE_NUMBERS) {
        snprintf(why, size, "'%s' moves: a formula of parameters is expected here", x->name);
        return false;
    }
    if (s->scope == TAUT_SCOPE_FIXED && !e->fixed) {
        snprintf(why, size,
                 "%s moves: what is fixed cannot depend on it; a point that follows others belongs "
                 "under 'Points'",
                 e->name);
        return false;
    }
    *value = (taut_vec){.n = m->dimension};
    for (int i = 0; i < m->dimension; i++) value->c[i] = e->leaf[i];
    if (x->component >= 0) *value = taut_vec_scalar(e->leaf[x->component]);
    return true;
}

/* True with a value; otherwise `why` says why not, or stays empty for an unknown name. A fault in
 * the formula of the name has been reported already: why is then a single blank. */
static bool meaning(taut_symbols *s, const char *name, taut_measure *measure, char *why,
                    size_t size) {
    symbol *x = lookup(s, name);
    *measure = (taut_measure){.dimension = {TAUT_DIMENSION_ANY, {0}}};
    if (!x) return false;
    if (x->state == ELEMENT) return element_meaning(s, x, &measure->value, why, size);
    if (x->state == NAME) {
        snprintf(why, size, "'%s' is %s: it has no value", name, x->what);
        return false;
    }
    if (x->state == TABLE) {
        snprintf(why, size, "'%s' is a table: write %s(...)", name, name);
        return false;
    }
    if (x->state == UNREAD) {
        if (s->depth >= DEEPEST) {
            snprintf(why, size, "'%s' is defined through too many other names", name);
            return false;
        }
        const size_t at = (size_t)(x - s->item);
        s->depth++;
        resolve(s, at);
        s->depth--;
        x = &s->item[at];
    }
    if (x->state == READY) {
        *measure = (taut_measure){x->value, x->dimension};
        return true;
    }
    if (x->state == READING)
        snprintf(why, size,
                 "'%s' is defined through itself (line %d): the definitions are circular", name,
                 x->place.line);
    else
        snprintf(why, size, "%s", REPORTED);
    return false;
}

/* Unknown names that mean derivatives elsewhere: dx, xdot, x_dot. Otherwise `why` stays empty. */
static void explain_derivative(const taut_symbols *s, const char *name, char *why, size_t size) {
    static const char *const ending[] = {"_dot", "dot"};
    char base[TAUT_NAME_MAX + 1];
    const size_t n = strlen(name);
    bool found = name[0] == 'd' && n > 1 && lookup(s, name + 1);
    snprintf(base, sizeof base, "%s", name + (found ? 1 : 0));
    for (int i = 0; i < 2 && !found; i++) {
        const size_t m = strlen(ending[i]);
        if (n <= m || n > TAUT_NAME_MAX || strcmp(name + n - m, ending[i]) != 0) continue;
        base[n - m] = '\0';
        found = lookup(s, base);
    }
    if (found)
        snprintf(why, size, "unknown name '%s'; the time derivative of '%s' is written %s'", name,
                 base, base);
}

/* The index of a repetition, then the names of the file that the formula stands in, then all. */
static bool find_in_formula(void *user, const char *name, taut_measure *measure, char *why,
                            size_t size) {
    taut_symbols *s = user;
    const taut_context *context = s->context;
    char own[2 * TAUT_NAME_MAX];
    for (const taut_context *c = context; c; c = c->outer)
        if (c->index && strcmp(c->index, name) == 0) {
            const taut_node number = taut_number(s->model->graph, (double)c->value);
            *measure = (taut_measure){taut_vec_scalar(number), {TAUT_DIMENSION_NUMBER, {0}}};
            return true;
        }
    if (context && context->prefix[0]) {
        snprintf(own, sizeof own, "%.*s%s", TAUT_NAME_MAX, context->prefix, name);
        if (lookup(s, own)) return meaning(s, own, measure, why, size);
    }
    if (s->doubt && !lookup(s, name) && (s->doubts-- <= 0 || s->doubt(s->doubt_user, name)))
        snprintf(why, size, "%s", REPORTED);
    else if (!lookup(s, name))
        explain_derivative(s, name, why, size);
    return meaning(s, name, measure, why, size);
}

bool taut_symbols_find(taut_symbols *s, const char *name, taut_vec *value) {
    char why[300] = "";
    taut_measure measure;
    const bool known = meaning(s, name, &measure, why, sizeof why);
    *value = measure.value;
    return known;
}
