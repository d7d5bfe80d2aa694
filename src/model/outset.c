/* Values at the start from ProblemData, before that section is read: guesses, so faults in it are
 * told later. */
#include "model/outset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/sample.h"
#include "expr/substitute.h"

/* A number of the file, whose faults are told where its section is read. What begins with it is
 * found anew at the start, so it only chooses. */
static bool read_quietly(taut_symbols *s, const taut_yaml *node, double *value) {
    taut_errors *errors = taut_symbols_errors(s);
    taut_node number = TAUT_NO_NODE;
    taut_symbols_report_to(s, NULL);
    const bool good =
        node->kind == TAUT_YAML_SCALAR && taut_steady_read(s, node, TAUT_ANY, &number) == TAUT_OK;
    taut_symbols_report_to(s, errors);
    if (good) *value = taut_choose_by_value(taut_symbols_model(s)->graph, number);
    return good;
}

/* ---- of time ---- */

/* Does a node depend on t and parameters alone? */
static bool is_timed(taut_model *m, taut_node node, taut_arena *arena) {
    bool *below = TAUT_NEW_ARRAY(arena, (size_t)node + 1, bool);
    if (!below) {
        taut_graph_fail(m->graph);
        return false;
    }
    below[node] = true;
    for (taut_node v = node; v > 0; v--) {
        const taut_node_data *d = taut_node_get(m->graph, v);
        if (!below[v]) continue;
        if (d->op == TAUT_OP_VAR || d->op == TAUT_OP_LEAF) return false;
        for (uint32_t i = 0; i < d->count; i++) below[taut_node_args(m->graph, v)[i]] = true;
    }
    return true;
}

/* The first time of the span; false: it has a fault. */
bool taut_outset_time(taut_symbols *s, double *t) {
    const taut_model *m = taut_symbols_model(s);
    const taut_yaml *t0 = taut_yaml_get(taut_yaml_get(m->root, "ProblemData"), "t0");
    *t = 0.0;
    return !t0 || read_quietly(s, t0, t);
}

bool taut_outset_value(taut_symbols *s, taut_node node, double later, double *value) {
    taut_model *m = taut_symbols_model(s);
    taut_arena arena = {0};
    taut_sample sample = {0};
    double t;
    bool known = is_timed(m, node, &arena) && taut_outset_time(s, &t);
    if (known && taut_sample_create(m->graph, &node, 1, &arena, &sample) != TAUT_OK) {
        taut_graph_fail(m->graph);
        known = false;
    }
    if (known) {
        for (int i = 0; i < TAUT_SAMPLES; i++) sample.time[i] = t + later * 1e-9 * (1.0 + fabs(t));
        taut_sample_find(&sample);
        *value = sample.value[0][0];
    }
    taut_arena_release(&arena);
    return known;
}

/* ---- of positions ---- */

/* An initial value of this name, the order-th derivative. */
static bool find_given(taut_symbols *s, const char *name, int order, double *value) {
    static const char *const section[] = {"positions", "velocities"};
    const taut_yaml *problem = taut_yaml_get(taut_symbols_model(s)->root, "ProblemData");
    char primed[TAUT_NAME_MAX + 4];
    const taut_yaml *node =
        order < 2 ? taut_yaml_get(taut_yaml_get(problem, section[order]), name) : NULL;
    snprintf(primed, sizeof primed, "%.*s%s", TAUT_NAME_MAX, name,
             order == 0   ? ""
             : order == 1 ? "'"
                          : "''");
    if (!node) node = taut_yaml_get(taut_yaml_get(problem, "values"), primed);
    return node && read_quietly(s, node, value);
}

/* A component of a point: A: [1, 2], or Ax: 1. */
static bool find_component(taut_symbols *s, const taut_model_leaf *x, double *value) {
    const taut_yaml *problem = taut_yaml_get(taut_symbols_model(s)->root, "ProblemData");
    const taut_yaml *list = taut_yaml_get(taut_yaml_get(problem, "positions"), x->name);
    char name[TAUT_NAME_MAX + 3];
    if (list && list->kind == TAUT_YAML_SEQUENCE && x->part < list->count)
        return read_quietly(s, list->items[x->part], value);
    snprintf(name, sizeof name, "%.*s%c", TAUT_NAME_MAX, x->name, "xyz"[x->part]);
    if (find_given(s, name, 0, value)) return true;
    snprintf(name, sizeof name, "%.*s.%c", TAUT_NAME_MAX, x->name, "xyz"[x->part]);
    return find_given(s, name, 0, value);
}

bool taut_outset_leaf(taut_symbols *s, int leaf, double *value) {
    const taut_model_leaf *x = &taut_symbols_model(s)->leaf[leaf];
    return x->kind == TAUT_LEAF_ELEMENT ? find_component(s, x, value)
                                        : x->name && find_given(s, x->name, 0, value);
}

static taut_node number_of_leaf(void *user, int leaf) {
    taut_symbols *s = user;
    taut_graph *g = taut_symbols_model(s)->graph;
    double value;
    return taut_outset_leaf(s, leaf, &value) ? taut_number(g, value) : taut_leaf(g, leaf);
}

/* Mechanisms: numbers for the leaves. */
static bool guess_leaves(taut_symbols *s, taut_node node, double *value) {
    taut_graph *g = taut_symbols_model(s)->graph;
    taut_substitution *substitution;
    taut_node numbers = TAUT_NO_NODE;
    bool finite;
    if (!taut_symbols_ground(s, &node, 1) ||
        taut_substitution_create(g, number_of_leaf, s, &substitution) != TAUT_OK) {
        taut_graph_fail(g);
        return false;
    }
    const taut_status status = taut_substitute(substitution, node, &numbers, &finite);
    taut_substitution_free(&substitution);
    return status == TAUT_OK && numbers != TAUT_NO_NODE &&
           taut_outset_value(s, numbers, 0.0, value);
}

/* Other models: values for the variables. */
static bool guess_variables(taut_symbols *s, taut_node node, double *value) {
    taut_model *m = taut_symbols_model(s);
    taut_arena arena = {0};
    taut_sample sample = {0};
    double t;
    const taut_status status = taut_sample_create(m->graph, &node, 1, &arena, &sample);
    bool known = status == TAUT_OK && taut_outset_time(s, &t);
    if (status != TAUT_OK) taut_graph_fail(m->graph);
    for (int i = 0; i < sample.inputs && known; i++) {
        const taut_sample_input *x = &sample.input[i];
        double given;
        known = x->variable >= 0 && x->variable < m->variables &&
                find_given(s, m->variable[x->variable].name, x->order, &given);
        for (int k = 0; k < TAUT_SAMPLES && known; k++) sample.given[i][k] = given;
    }
    if (known) {
        for (int k = 0; k < TAUT_SAMPLES; k++) sample.time[k] = t;
        taut_sample_find(&sample);
        *value = sample.value[0][0];
    }
    taut_arena_release(&arena);
    return known;
}

bool taut_outset_guess(taut_symbols *s, taut_node node, double *value) {
    if (taut_outset_value(s, node, 0.0, value)) return true;
    return taut_symbols_model(s)->mechanism ? guess_leaves(s, node, value)
                                            : guess_variables(s, node, value);
}
