/* Inputs of a linearisation, by name: the model's Inputs, and drivers with their derivatives. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/parameters.h"
#include "model/trim.h"
#include "task/linear.h"

/* The list as it grows. */
typedef struct listing {
    taut_model *model;
    taut_arena *arena;
    taut_linear_inputs *in;
    taut_errors *errors;
} listing;

static bool is_formula(const taut_model *m, const char *name) {
    for (int i = 0; i < m->inputs; i++)
        if (strcmp(m->input[i].name, name) == 0) return true;
    return false;
}

static taut_status put_input(listing *j, const char *name, int number, int order) {
    j->in->name[j->in->count] = taut_arena_copy(j->arena, name, strlen(name));
    j->in->parameter[j->in->count] = number;
    j->in->order[j->in->count] = order;
    return j->in->name[j->in->count++] ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* A driver as input: its value and two derivatives. */
static taut_status add_driver(listing *j, const char *name) {
    for (int k = 0; k < 3; k++) {
        char full[TAUT_NAME_MAX + 4];
        snprintf(full, sizeof full, "%s%.*s", name, k, "''");
        const char *own = taut_driver_input(j->model, name, k);
        if (!own) return TAUT_ERR_MEMORY;
        TAUT_TRY(put_input(j, full, taut_model_find_parameter(j->model, own), k));
    }
    return TAUT_OK;
}

static taut_status add_input(listing *j, const char *name) {
    const taut_yaml *inputs = taut_yaml_get(j->model->root, "Inputs");
    const int number = taut_model_find_parameter(j->model, name);
    taut_nearest nearest = {.wanted = name};
    for (int i = 0; i < j->model->driver_inputs; i++)
        if (strcmp(j->model->driver_input[i], name) == 0) return add_driver(j, name);
    if (is_formula(j->model, name))
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.inputs: '%s' is a formula of t here, not a number: leave out one "
                         "of the two",
                         name);
    for (int i = 0; inputs && i < inputs->count; i++)
        taut_nearest_offer(&nearest, inputs->keys[i]->text);
    if (number < 0 || !inputs || !taut_yaml_get(inputs, name))
        return taut_fail(j->errors, TAUT_ERR_CALL,
                         "options.inputs: the model has no input '%.80s'%s%s%s", name,
                         nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                         nearest.best ? "'?" : "");
    return put_input(j, name, number, -1);
}

/* All inputs that are numbers, or those of the list. */
taut_status taut_linear_inputs_list(taut_model *model, const char *list, taut_arena *arena,
                                    taut_linear_inputs *in, taut_errors *errors) {
    listing all = {model, arena, in, errors}, *j = &all;
    const taut_yaml *inputs = taut_yaml_get(j->model->root, "Inputs");
    int most = inputs ? inputs->count : 0;
    for (const char *p = list ? list : ""; *p; p++) most += *p == ',';
    most = 3 * (most + 1);
    j->in->name = TAUT_NEW_ARRAY(j->arena, most, const char *);
    j->in->parameter = TAUT_NEW_ARRAY(j->arena, most, int);
    j->in->order = TAUT_NEW_ARRAY(j->arena, most, int);
    if (!j->in->name || !j->in->parameter || !j->in->order) return TAUT_ERR_MEMORY;
    for (int i = 0; !list && inputs && i < inputs->count; i++)
        if (!is_formula(j->model, inputs->keys[i]->text))
            TAUT_TRY(add_input(j, inputs->keys[i]->text));
    while (list && *list) {
        char name[TAUT_NAME_MAX + 1];
        size_t n = 0;
        for (; *list && *list != ','; list++)
            if (*list != ' ' && n < TAUT_NAME_MAX) name[n++] = *list;
        name[n] = '\0';
        if (*list) list++;
        TAUT_TRY(add_input(j, name));
    }
    return TAUT_OK;
}

/* An input whose number has become part of the structure has no derivative here. */
static bool contains(const taut_graph *g, taut_node v, int index) {
    const taut_node_data *d = taut_node_get(g, v);
    if (d->op == TAUT_OP_PARAM) return d->index == index;
    for (uint32_t i = 0; i < d->count; i++)
        if (contains(g, taut_node_args(g, v)[i], index)) return true;
    return false;
}

bool taut_number_is_assumed(const taut_graph *g, taut_assume_kind kind, int parameter) {
    size_t count;
    const taut_assumption *a = taut_graph_assumptions(g, &count);
    for (size_t i = 0; i < count; i++)
        if (a[i].kind == kind && contains(g, a[i].node, parameter)) return true;
    return false;
}

taut_status taut_linear_inputs_check(const taut_linear_inputs *in, const taut_graph *g,
                                     const char *option, taut_errors *errors) {
    for (int u = 0; u < in->count; u++)
        if (taut_number_is_assumed(g, TAUT_ASSUME_EQUAL, in->parameter[u]))
            return taut_fail(errors, TAUT_ERR_CALL,
                             "options.%s: the value of '%s' shapes the equations, so there is no "
                             "derivative by it; leave it out",
                             option, in->name[u]);
    return TAUT_OK;
}

/* What drivers follow has p0 + p1 t + p2 t^2/2 added to it: at time t, a value, a rate or a second
 * derivative alone is this of the three. */
void taut_linear_inputs_weigh(const taut_linear_inputs *in, int parameters, double t,
                              double *weight) {
    for (int u = 0; u < in->count; u++) {
        double *w = weight + (size_t)u * (size_t)parameters;
        if (in->order[u] < 1) continue;
        const int first = u - in->order[u]; /* the value itself is the input before */
        w[in->parameter[first]] = in->order[u] == 1 ? -t : 0.5 * t * t;
        if (in->order[u] == 2) w[in->parameter[first + 1]] = -t;
    }
}

/* Is a name in a list with commas? */
static bool is_listed(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *p = list; p && *p;) {
        while (*p == ' ') p++;
        const size_t m = strcspn(p, ", ");
        if (m == n && strncmp(p, name, n) == 0) return true;
        p += strcspn(p, ",");
        p += *p == ',';
    }
    return false;
}

/* Drivers that are inputs, by name. */
taut_status taut_linear_drivers(const taut_model *m, const char *list, taut_arena *arena,
                                const char ***name, int *count) {
    const int drivers = m->mechanism ? m->mechanism->drivers : 0;
    *count = 0;
    *name = TAUT_NEW_ARRAY(arena, drivers + 1, const char *);
    for (int i = 0; *name && i < drivers; i++)
        if (!m->mechanism->driver[i].velocity && is_listed(list, m->mechanism->driver[i].name))
            (*name)[(*count)++] = m->mechanism->driver[i].name;
    return *name ? TAUT_OK : TAUT_ERR_MEMORY;
}
