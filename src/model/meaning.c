/* What a name means in a formula. Parameters and definitions are read on demand, so that they may
 * stand in any order; a name that is asked for while it is being read is circular. */
#include <stdio.h>
#include <string.h>

#include "model/lookup.h"
#include "model/symbols_parts.h"

static taut_status refuse_parameter(taut_symbols *s, const taut_symbol *x) {
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

/* Is a name in a list with commas? */
static bool is_listed(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *p = list; p && *p; p += *p == ',') {
        p += strspn(p, " ");
        if (strncmp(p, name, n) == 0 && strchr(", ", p[n])) return true; /* or the end */
        p += strcspn(p, ",");
    }
    return false;
}

/* Must a parameter stay even if it is 0? Whatever is a formula of one that does stays as well. */
static bool is_kept(const taut_model *m, const char *name, taut_node value) {
    const bool held = taut_node_get(m->graph, value)->held;
    if (m->keep && (held || is_listed(m->keep, name))) return true;
    return m->keep_inputs && (held || is_input(m, name));
}

/* The same for a name of the file. */
static taut_status name_value(taut_symbols *s, size_t at, taut_node *node) {
    const taut_model *m = s->model;
    if (is_kept(m, s->item[at].name, *node)) taut_graph_keep(m->graph, s->item[at].index);
    return taut_hidden_name(s, s->item[at].index, node);
}

/* Reads the formula of a symbol. */
static taut_status resolve(taut_symbols *s, size_t at) {
    taut_measure measure = {.dimension = {TAUT_DIMENSION_ANY, {0}}};
    const taut_source source = s->item[at].source;
    taut_status status;
    const bool outer = s->in_parameter;
    s->item[at].state = TAUT_SYMBOL_READING;
    s->in_parameter = s->item[at].parameter;
    if (source.node) {
        status =
            taut_formula_measure(s, source.node, s->item[at].parameter ? 1 : 0, TAUT_ANY, &measure);
    } else {
        taut_infix_error error;
        status = taut_formula_text(s, source.text, (long)strlen(source.text), &measure, &error);
        if (status == TAUT_ERR_INPUT && taut_formula_is_news(&error))
            taut_fail(s->errors, status, "%s %s=%s: %s",
                      s->item[at].parameter ? "override" : "input", s->item[at].name, source.text,
                      error.message);
    }
    s->in_parameter = outer;
    taut_symbol *x = &s->item[at];
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
    x->state = status == TAUT_OK ? TAUT_SYMBOL_READY : TAUT_SYMBOL_BROKEN;
    return status;
}

/* A point, a vector or one of its components: leaves. */
static bool element_meaning(taut_symbols *s, const taut_symbol *x, taut_vec *value, char *why,
                            size_t size) {
    const taut_mechanism *m = s->model->mechanism;
    const taut_element *e = &m->element[x->index];
    if (s->scope == TAUT_SCOPE_NUMBERS) {
        snprintf(why, size,
                 "'%s' is %s of the mechanism: a formula of parameters is expected here; give a "
                 "hardpoint that is used several times a name under 'Define'",
                 x->name, e->is_vector ? "a vector" : "a point");
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
    taut_symbol *x = taut_symbols_lookup(s, name);
    *measure = (taut_measure){.dimension = {TAUT_DIMENSION_ANY, {0}}};
    if (!x) return false;
    if (x->state == TAUT_SYMBOL_ELEMENT) return element_meaning(s, x, &measure->value, why, size);
    if (x->state == TAUT_SYMBOL_NAME) {
        snprintf(why, size, "'%s' is %s: it has no value", name, x->what);
        return false;
    }
    if (x->state == TAUT_SYMBOL_TABLE) {
        snprintf(why, size, "'%s' is a table: write %s(...)", name, name);
        return false;
    }
    if (x->state == TAUT_SYMBOL_UNREAD) {
        if (s->depth >= TAUT_SYMBOLS_DEEPEST) {
            snprintf(why, size, "'%s' is defined through too many other names", name);
            return false;
        }
        const size_t at = (size_t)(x - s->item);
        s->depth++;
        resolve(s, at);
        s->depth--;
        x = &s->item[at];
    }
    if (x->state == TAUT_SYMBOL_READY) {
        *measure = (taut_measure){x->value, x->dimension};
        return true;
    }
    if (x->state == TAUT_SYMBOL_READING)
        snprintf(why, size,
                 "'%s' is defined through itself (line %d): the definitions are circular", name,
                 x->place.line);
    else
        snprintf(why, size, "%s", TAUT_REPORTED);
    return false;
}

/* A component of a vector under Define: A0x is A0.x, unless the name has a meaning of its own. */
static bool component_meaning(taut_symbols *s, const char *name, taut_measure *measure, char *why,
                              size_t size) {
    char base[2 * TAUT_NAME_MAX];
    const size_t n = strlen(name);
    const int i = n > 1 ? name[n - 1] - 'x' : -1;
    if (i < 0 || i > 2 || n >= sizeof base) return false;
    snprintf(base, sizeof base, "%.*s", (int)n - 1, name);
    const taut_symbol *x = taut_symbols_lookup(s, base);
    if (!x || x->parameter || (!x->source.node && !x->source.text)) return false;
    if (!meaning(s, base, measure, why, size) || i >= measure->value.n || measure->value.n == 1)
        return false;
    measure->value = taut_vec_scalar(measure->value.c[i]);
    return true;
}

bool taut_symbols_find(taut_symbols *s, const char *name, taut_vec *value) {
    char why[300] = "";
    taut_measure measure;
    const bool known = meaning(s, name, &measure, why, sizeof why);
    *value = measure.value;
    return known;
}

/* Unknown names that mean derivatives elsewhere: dx, xdot, x_dot. Otherwise `why` stays empty. */
static void explain_derivative(const taut_symbols *s, const char *name, char *why, size_t size) {
    static const char *const ending[] = {"_dot", "dot"};
    char base[TAUT_NAME_MAX + 1];
    const size_t n = strlen(name);
    bool found = name[0] == 'd' && n > 1 && taut_symbols_lookup(s, name + 1);
    snprintf(base, sizeof base, "%s", name + (found ? 1 : 0));
    for (int i = 0; i < 2 && !found; i++) {
        const size_t m = strlen(ending[i]);
        if (n <= m || n > TAUT_NAME_MAX || strcmp(name + n - m, ending[i]) != 0) continue;
        base[n - m] = '\0';
        found = taut_symbols_lookup(s, base);
    }
    if (found)
        snprintf(why, size, "unknown name '%s'; the time derivative of '%s' is written %s'", name,
                 base, base);
}

/* ---- for the reader of formulas ---- */

/* The index of a repetition, then the names of the file that the formula stands in, then all. */
bool taut_meaning_find(void *user, const char *name, taut_measure *measure, char *why,
                       size_t size) {
    taut_symbols *s = user;
    const taut_context *context = s->context;
    char own[2 * TAUT_NAME_MAX];
    for (int i = 0; i < s->locals; i++)
        if (strcmp(s->local[i], name) == 0) {
            const taut_vec value = taut_vec_scalar(s->local_node[i]);
            *measure = (taut_measure){value, {TAUT_DIMENSION_ANY, {0}}};
            return true;
        }
    for (const taut_context *c = context; c; c = c->outer)
        if (c->index && strcmp(c->index, name) == 0) {
            const taut_node number = taut_number(s->model->graph, (double)c->value);
            *measure = (taut_measure){taut_vec_scalar(number), {TAUT_DIMENSION_NUMBER, {0}}};
            return true;
        }
    if (context && context->prefix[0]) {
        snprintf(own, sizeof own, "%.*s%s", TAUT_NAME_MAX, context->prefix, name);
        if (taut_symbols_lookup(s, own)) return meaning(s, own, measure, why, size);
        if (component_meaning(s, own, measure, why, size)) return true;
    }
    if (!taut_symbols_lookup(s, name)) {
        if (component_meaning(s, name, measure, why, size)) return true;
        if (why[0]) return false; /* a fault of that vector */
    }
    if (s->doubt && !taut_symbols_lookup(s, name) && s->doubt(s->doubt_user, name))
        snprintf(why, size, "%s", TAUT_REPORTED);
    else if (!taut_symbols_lookup(s, name))
        explain_derivative(s, name, why, size);
    return meaning(s, name, measure, why, size);
}

const char *taut_meaning_nearest(void *user, const char *name) {
    return taut_symbols_nearest(user, name);
}

/* Does a number that may change stand here, or one that is no parameter's? Of the positions of a
 * mechanism formulas speak at the end only. */
static bool may_be_meant(const taut_symbols *s, const taut_symbol *x) {
    if (x->parameter) return true;
    if (s->in_parameter || s->constant) return false;
    if (s->model->mechanism && s->scope != TAUT_SCOPE_ALL) return false;
    return x->state == TAUT_SYMBOL_UNREAD || (x->state == TAUT_SYMBOL_READY && x->value.n == 1);
}

/* Names of the file that a formula stands in, then of all. */
int taut_meaning_number_line(void *user, const char *name, const char **what) {
    const taut_symbols *s = user;
    char own[2 * TAUT_NAME_MAX];
    snprintf(own, sizeof own, "%.*s%s", TAUT_NAME_MAX, s->context ? s->context->prefix : "", name);
    const taut_symbol *x = taut_symbols_lookup(s, own);
    if (!x) x = taut_symbols_lookup(s, name);
    if (!x || !may_be_meant(s, x)) return -1;
    const bool variable = x->state == TAUT_SYMBOL_READY && !x->parameter &&
                          taut_node_get(s->model->graph, x->value.c[0])->op == TAUT_OP_VAR;
    *what = x->parameter ? "parameter" : variable ? "variable" : "name";
    return x->place.line;
}

/* The table of this name: of the file that the formula stands in, then of all; -1: none. */
static int find_table(const taut_symbols *s, const char *name) {
    char own[2 * TAUT_NAME_MAX];
    snprintf(own, sizeof own, "%.*s%s", TAUT_NAME_MAX, s->context ? s->context->prefix : "", name);
    const taut_symbol *x = taut_symbols_lookup(s, own);
    if (!x) x = taut_symbols_lookup(s, name);
    return x && x->state == TAUT_SYMBOL_TABLE ? x->index : -1;
}

int taut_meaning_arity(void *user, const char *name, char *why, size_t size) {
    taut_symbols *s = user;
    const int number = find_table(s, name);
    return number < 0 ? 0 : taut_lookup_arity(s, number, why, size);
}

bool taut_meaning_call(void *user, const char *name, const taut_node *argument, taut_node *value,
                       char *why, size_t size) {
    taut_symbols *s = user;
    return taut_lookup_call(s, s->model, find_table(s, name), argument,
                            &(taut_lookup_answer){value, why, size});
}
