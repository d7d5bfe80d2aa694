/* Tracked angles, which never jump, and drivers, whose multipliers are the forces of actuators. */
#include <string.h>

#include "form/natural.h"
#include "model/symbols.h"

/* ---- angles ---- */

static int find_body(const taut_mechanism *m, const char *name) {
    for (int i = 0; i < m->bodies; i++)
        if (strcmp(m->body[i].name, name) == 0) return i;
    return -1;
}

/* The direction that a word means: a body's local x axis, a vector, or a line through two points.
 */
static taut_status word_direction(taut_natural *n, const taut_yaml *node, taut_vec *direction) {
    const taut_place place = taut_yaml_place(n->model->doc, node);
    int body, element, end[2];
    if (node->kind != TAUT_YAML_SCALAR)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                            "the name of a body or a vector is expected");
    body = find_body(n->mechanism, node->text);
    if (body >= 0) {
        *direction = taut_kin_direction(n->kin, body, taut_kin_local_x(n->kin));
        return TAUT_OK;
    }
    if (taut_symbols_element(n->model->symbols, node->text, &element) &&
        n->mechanism->element[element].is_vector) {
        *direction = n->kin->value[element];
        return TAUT_OK;
    }
    if (taut_kin_two_points(n->kin, node->text, end)) {
        *direction = taut_kin_add(n->graph, n->kin->value[end[1]], -1.0, n->kin->value[end[0]]);
        return TAUT_OK;
    }
    return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                        "'%s' is neither a body nor a vector nor two points", node->text);
}

static taut_status formula_direction(taut_natural *n, const taut_yaml *map, const char *key,
                                     taut_vec *direction) {
    const taut_yaml *node = taut_yaml_get(map, key);
    if (!node)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, taut_yaml_place(n->model->doc, map),
                            "the key '%s' is missing", key);
    return taut_vector_read(n->model->symbols, node, n->mechanism->dimension, direction);
}

/* Sine and cosine of an angle, up to a common factor. */
static taut_status angle_parts(taut_natural *n, const taut_angle *a, taut_node *sine,
                               taut_node *cosine) {
    taut_graph *g = n->graph;
    const taut_yaml *value = a->value;
    taut_vec from = taut_kin_local_x(n->kin), to, axis = {0};
    if (value->kind == TAUT_YAML_MAPPING) {
        TAUT_TRY(formula_direction(n, value, "From", &from));
        TAUT_TRY(formula_direction(n, value, "To", &to));
        if (n->mechanism->dimension == 3) TAUT_TRY(formula_direction(n, value, "Axis", &axis));
    } else if (n->mechanism->dimension == 3) {
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, a->place,
                            "in 3D an angle is {From: direction, To: direction, Axis: direction}");
    } else if (value->kind == TAUT_YAML_SEQUENCE && value->count == 2) {
        TAUT_TRY(word_direction(n, value->items[0], &from));
        TAUT_TRY(word_direction(n, value->items[1], &to));
    } else {
        TAUT_TRY(word_direction(n, value, &to));
    }
    const taut_vec cross = taut_vec_cross(g, from, to);
    *sine = cross.n == 1 ? cross.c[0] : taut_vec_inner(g, cross, axis);
    *cosine = taut_vec_inner(g, from, to);
    return TAUT_OK;
}

taut_status taut_natural_angles(taut_natural *n) {
    n->angle = TAUT_NEW_ARRAY(n->arena, n->mechanism->angles, taut_tracked);
    if (!n->angle) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n->mechanism->angles; i++) {
        const taut_angle *a = &n->mechanism->angle[i];
        taut_tracked *x = &n->angle[i];
        TAUT_TRY(
            taut_model_add_variable(n->model, a->name, TAUT_GROUP_ANGLE, a->place, &x->variable));
        TAUT_NATURAL_NOTE(n, taut_symbols_add(n->model->symbols, a->name,
                                              taut_vec_scalar(x->variable), a->place));
    }
    for (int i = 0; i < n->mechanism->angles; i++) {
        taut_tracked *x = &n->angle[i];
        taut_status status = angle_parts(n, &n->mechanism->angle[i], &x->sine, &x->cosine);
        TAUT_NATURAL_NOTE(n, status);
        if (status != TAUT_OK) continue;
        x->value = taut_atan2(n->graph, x->sine, x->cosine);
        if (taut_node_get(n->graph, x->value)->steady)
            TAUT_NATURAL_NOTE(
                n, taut_fail_at(n->errors, TAUT_ERR_INPUT, n->mechanism->angle[i].place,
                                "the angle '%s' cannot change: everything in it is fixed",
                                n->mechanism->angle[i].name));
    }
    return TAUT_OK;
}

/* C = f(t) - s with s a coordinate, a distance or an angle: its multiplier is the actuator's force.
 */
static taut_status add_driver(taut_natural *n, const taut_driver *d) {
    taut_graph *g = n->graph;
    taut_vec wanted, s;
    taut_node rate = TAUT_NO_NODE;
    int end[2];
    TAUT_TRY(taut_formula_read(n->model->symbols, d->value, 1, &wanted));
    if (taut_kin_two_points(n->kin, d->name, end)) {
        const taut_vec gap = taut_kin_add(g, n->kin->value[end[1]], -1.0, n->kin->value[end[0]]);
        s = taut_vec_scalar(taut_vec_norm(g, gap));
    } else if (!taut_symbols_find(n->model->symbols, d->name, &s)) {
        const char *near = taut_symbols_nearest(n->model->symbols, d->name);
        return taut_fail_at(
            n->errors, TAUT_ERR_INPUT, d->place,
            "'%s' cannot be driven: it is no angle, coordinate or pair of points%s%s%s", d->name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (s.n != 1)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "drive the components one by one: %sx: ..., %sy: ...", d->name,
                            d->name);
    if (taut_node_get(g, s.c[0])->steady)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' is fixed: it cannot be driven", d->name);
    for (int i = 0; i < n->mechanism->angles; i++)
        if (n->angle[i].variable == s.c[0]) rate = taut_dot(g, n->angle[i].value, 1);
    const size_t before = n->constraints;
    TAUT_TRY(taut_natural_constrain(n, taut_sub(g, wanted.c[0], s.c[0]),
                                    taut_problem_name(n->problem, "driver %s", d->name), d->place));
    if (n->constraints == before)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place, "'%s' is driven twice", d->name);
    n->constraint[before].driver = true;
    n->constraint[before].rate = rate;
    n->constraint[before].wanted = wanted.c[0];
    n->open = true;
    return TAUT_OK;
}

taut_status taut_natural_drivers(taut_natural *n) {
    for (int i = 0; i < n->mechanism->drivers; i++)
        TAUT_NATURAL_NOTE(n, add_driver(n, &n->mechanism->driver[i]));
    return TAUT_OK;
}
