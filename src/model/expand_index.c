/* Values of indices: formulas of other indices and of parameters, where names have no meaning yet.
 */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/expand_parts.h"

enum { DEEPEST_PARAMETER = 20 };

typedef struct place_of_formula {
    taut_expander *x;
    const taut_yaml *node; /* whose context counts */
} place_of_formula;

static bool find_name(void *user, const char *name, taut_measure *measure, char *why, size_t size);

static taut_status evaluate(taut_expander *x, const taut_yaml *node, const char *text,
                            size_t length, double *value, taut_infix_error *error) {
    place_of_formula at = {x, node};
    const taut_scope scope = {.user = &at, .find = find_name};
    taut_measure measure;
    TAUT_TRY(taut_infix_read(x->scratch, text, (long)length, &scope, &measure, error));
    const taut_node_data *d = taut_node_get(x->scratch, measure.value.c[0]);
    if (measure.value.n != 1 || !d->steady) {
        snprintf(error->message, sizeof error->message, "an index is a number");
        return TAUT_ERR_INPUT;
    }
    *value = d->value;
    return TAUT_OK;
}

/* Of --set, of the main file (also for an included one), of its own. */
const taut_yaml *taut_expand_parameter(const taut_expander *x, const taut_yaml *node,
                                       const char *name, const char **override) {
    static const char *const section[] = {"PhysicalParams", "Inputs", "Discrete"};
    const taut_context *c = node->context;
    assert(c); /* every node of a document has one */
    const taut_yaml *roots[] = {x->model->doc->root, c->doc->root, x->model->doc->root};
    char full[2 * TAUT_NAME_MAX];
    snprintf(full, sizeof full, "%.*s%s", TAUT_NAME_MAX, c->prefix, name);
    *override = NULL;
    for (int i = x->model->overrides - 1; i >= 0 && !*override; i--)
        if (strcmp(x->model->override[i].name, full) == 0)
            *override = x->model->override[i].formula;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const taut_yaml *found =
                taut_yaml_get(taut_yaml_get(roots[i], section[k]), i == 0 ? full : name);
            if (found) return found;
        }
    return NULL;
}

/* Notes that what the file repeats depends on a parameter, by both names that it may have; false
 * without memory. */
static bool note_counted(taut_expander *x, const char *prefix, const char *name) {
    taut_model *m = x->model;
    char full[2 * TAUT_NAME_MAX];
    snprintf(full, sizeof full, "%.*s%.*s", TAUT_NAME_MAX, prefix, TAUT_NAME_MAX - 1, name);
    for (int i = 0; i < m->counts; i++)
        if (strcmp(m->counted[i], full) == 0) return true;
    if (taut_grow((void **)&m->counted, &m->count_room, (size_t)m->counts + 2, sizeof *m->counted))
        return false;
    const char *text[] = {taut_arena_copy(&m->arena, full, strlen(full)),
                          taut_arena_copy(&m->arena, name, strlen(name))};
    if (!text[0] || !text[1]) return false;
    m->counted[m->counts++] = text[0];
    m->counted[m->counts++] = text[1];
    return true;
}

/* Indices around the formula, then parameters. */
static bool find_name(void *user, const char *name, taut_measure *measure, char *why, size_t size) {
    const place_of_formula *at = user;
    taut_expander *x = at->x;
    taut_infix_error error = {0};
    const char *override;
    double value;
    for (const taut_context *c = at->node->context; c; c = c->outer)
        if (c->index && strcmp(c->index, name) == 0) {
            measure->value = taut_vec_scalar(taut_number(x->scratch, (double)c->value));
            return true;
        }
    const taut_yaml *node = taut_expand_parameter(x, at->node, name, &override);
    if (!node || (!override && node->kind != TAUT_YAML_SCALAR)) return false;
    if (x->parameters == DEEPEST_PARAMETER) {
        snprintf(why, size, "'%s' is defined through itself or too many other names", name);
        return false;
    }
    const char *text = override ? override : node->text;
    x->parameters++;
    const taut_status status = evaluate(x, node, text, strlen(text), &value, &error);
    x->parameters--;
    if (status != TAUT_OK) {
        snprintf(why, size, "the parameter '%s' cannot be used here: %s", name, error.message);
        return false;
    }
    measure->value = taut_vec_scalar(taut_number(x->scratch, value));
    assert(at->node->context);
    return note_counted(x, at->node->context->prefix, name);
}

bool taut_expand_whole(taut_expander *x, const taut_yaml *node, const char *text, size_t length,
                       long *number) {
    taut_infix_error error = {0};
    double value;
    const taut_status status = evaluate(x, node, text, length, &value, &error);
    if (status == TAUT_OK && value == floor(value) && fabs(value) < fmin(1e15, (double)LONG_MAX)) {
        *number = (long)value;
        return true;
    }
    if (status == TAUT_OK)
        TAUT_EXPAND_FAULT(x, node, "'%.*s' must be a whole number, not %g", (int)length, text,
                          value);
    else if (status == TAUT_ERR_INPUT)
        TAUT_EXPAND_FAULT(x, node, "in '%s': %s", node->text, error.message);
    return false;
}
