/* Initial values that the caller gives by name instead of the file's. */
#include <stdio.h>
#include <string.h>

#include "model/reader.h"

/* Splits "u.x''" into ux (size bytes) and the number of primes. */
static taut_status split(taut_reader *r, const char *text, char *name, size_t size, int *primes) {
    size_t n = strlen(text);
    *primes = 0;
    for (; n > 0 && text[n - 1] == '\''; n--) ++*primes;
    snprintf(name, size, "%.*s", (int)(n < size ? n : size - 1), text);
    if (n > 2 && n < size && name[n - 2] == '.') {
        name[n - 2] = name[n - 1];
        name[n - 1] = '\0';
    }
    if (*primes <= TAUT_PRIMES_MAX) return TAUT_OK;
    return taut_fail(r->errors, TAUT_ERR_CALL, "initial value of %s: derivatives go up to %d", text,
                     TAUT_PRIMES_MAX);
}

static taut_status unknown(taut_reader *r, const char *text, const char *name) {
    const char *near = taut_symbols_nearest(r->symbols, name);
    return taut_fail(r->errors, TAUT_ERR_CALL,
                     "initial value of %s: the model has no variable '%s'%s%s%s", text, name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* What the name means, checked. */
static taut_status find(taut_reader *r, const char *text, taut_node *node, int *order) {
    char name[2 * TAUT_NAME_MAX];
    taut_vec value;
    TAUT_TRY(split(r, text, name, sizeof name, order));
    if (!taut_symbols_find(r->symbols, name, &value)) return unknown(r, text, name);
    if (value.n != 1)
        return taut_fail(r->errors, TAUT_ERR_CALL,
                         "initial value of %s: it is a vector; give its components, %sx and so on",
                         text, name);
    *node = value.c[0];
    const taut_node_data *d = taut_node_get(r->model->graph, *node);
    if (d->op == TAUT_OP_VAR || (r->model->mechanism && !d->steady)) return TAUT_OK;
    return taut_fail(r->errors, TAUT_ERR_CALL,
                     "initial value of %s: it is not a variable and has no initial value", text);
}

static taut_status give(taut_reader *r, const taut_initial *initial) {
    taut_model *m = r->model;
    taut_node node = TAUT_NO_NODE;
    int order = 0;
    TAUT_TRY(find(r, initial->name, &node, &order));
    for (int i = 0; i < m->values; i++)
        if (m->value[i].node == node && m->value[i].order == order) {
            m->value[i].value = initial->value;
            m->value[i].number = taut_number(m->graph, initial->value);
            if (initial->fixed) m->value[i].fixed = true;
            return TAUT_OK;
        }
    const taut_node_data d = *taut_node_get(m->graph, node);
    if (taut_grow((void **)&m->value, &m->value_room, (size_t)m->values + 1, sizeof *m->value))
        return TAUT_ERR_MEMORY;
    m->value[m->values++] = (taut_model_value){.variable = d.op == TAUT_OP_VAR ? d.index : -1,
                                               .node = node,
                                               .name = initial->name,
                                               .order = order,
                                               .value = initial->value,
                                               .number = taut_number(m->graph, initial->value),
                                               .components = 1,
                                               .fixed = initial->fixed,
                                               .place = m->problem_place};
    return TAUT_OK;
}

taut_status taut_read_initials(taut_reader *r) {
    for (int i = 0; i < r->model->initials; i++) TAUT_NOTE(r, give(r, &r->model->initial[i]));
    return TAUT_OK;
}

taut_status taut_model_find_value(const taut_model *model, const char *name, taut_node *node,
                                  int *order, taut_errors *errors) {
    taut_reader r = {.model = (taut_model *)model, /* which stays as it is */
                     .symbols = model->symbols,
                     .errors = errors};
    return find(&r, name, node, order);
}

taut_status taut_model_check_initial(const taut_model *model, const char *name,
                                     taut_errors *errors) {
    taut_node node = TAUT_NO_NODE;
    int order = 0;
    return taut_model_find_value(model, name, &node, &order, errors);
}
