/* Tracked angles, which never jump, and drivers, whose multipliers are the forces of actuators. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/pattern.h"
#include "form/mechanics.h"
#include "model/symbols.h"

/* ---- angles ---- */

static int find_body(const taut_mechanism *m, const char *name) {
    for (int i = 0; i < m->bodies; i++)
        if (strcmp(m->body[i].name, name) == 0) return i;
    return -1;
}

/* A direction, and in the plane how fast it turns; TAUT_NO_NODE: only the geometry tells. */
typedef struct heading {
    int body; /* that has it; -1: not said, or the ground */
    taut_vec along;
    taut_node spin;
} heading;

/* How fast a body turns in the plane, without a quotient since its lengths stay; 0 of the ground.
 */
static taut_node body_spin(taut_mechanics *n, int body) {
    if (n->mechanism->dimension == 3) return TAUT_NO_NODE;
    if (body < 0) return taut_number(n->graph, 0.0);
    return n->kin->frame[body].axes == 2 ? taut_kin_omega(n->kin, body).c[0] : TAUT_NO_NODE;
}

static heading body_heading(taut_mechanics *n, int body) {
    return (heading){body, taut_kin_body_x(n->kin, body), body_spin(n, body)};
}

/* The direction that a word means: a body's local x axis, a vector, or a line through two points.
 */
static taut_status word_direction(taut_mechanics *n, const taut_yaml *node, heading *out) {
    const taut_place place = taut_yaml_place(node);
    int body, element, end[2];
    if (node->kind != TAUT_YAML_SCALAR)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                            "an angle is of one direction, or [from, to]: the names of bodies, "
                            "vectors or pairs of points");
    out->spin = TAUT_NO_NODE;
    out->body = -1;
    body = find_body(n->mechanism, node->text);
    if (body >= 0) {
        *out = body_heading(n, body);
        return TAUT_OK;
    }
    if (taut_symbols_element(n->model->symbols, node->text, &element) &&
        n->mechanism->element[element].is_vector) {
        out->along = n->kin->value[element];
        return TAUT_OK;
    }
    if (taut_kin_two_points(n->kin, node->text, end)) {
        out->along = taut_kin_add(n->graph, n->kin->value[end[1]], -1.0, n->kin->value[end[0]]);
        return TAUT_OK;
    }
    return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                        "'%s' has no direction: name a body, a vector, or two points such as AB",
                        node->text);
}

static taut_status formula_direction(taut_mechanics *n, const taut_angle *a, const char *key,
                                     taut_vec *direction) {
    const taut_yaml *node = taut_yaml_get(a->value, key);
    if (!node)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, a->place,
                            "the key '%s' of the angle '%s' is missing: give a direction", key,
                            a->name);
    return taut_vector_read(n->model->symbols, node, n->mechanism->dimension, direction);
}

/* The axis of an angle in 3D, of length 1. */
static taut_status read_axis(taut_mechanics *n, const taut_angle *a, taut_vec *axis) {
    TAUT_TRY(formula_direction(n, a, "Axis", axis));
    for (int e = 0; e < n->mechanism->elements; e++) {
        const taut_vec *v = &n->kin->value[e];
        if (n->mechanism->element[e].is_vector && v->c[0] == axis->c[0] && v->c[1] == axis->c[1] &&
            v->c[2] == axis->c[2])
            return TAUT_OK; /* a vector has length 1 */
    }
    if (taut_mechanism_direction(n->graph, axis) == TAUT_OK) return TAUT_OK;
    return taut_fail_at(n->errors, TAUT_ERR_INPUT, a->place,
                        "the axis of the angle '%s' has length 0", a->name);
}

/* from . to, without what both have along the axis. */
static taut_node across(taut_graph *g, taut_vec from, taut_vec to, taut_vec axis) {
    const taut_node inner = taut_vec_inner(g, from, to);
    if (axis.n == 0) return inner;
    const taut_node part[2] = {taut_vec_inner(g, from, axis), taut_vec_inner(g, to, axis)};
    for (int i = 0; i < 2; i++) {
        const taut_node_data *d = taut_node_get(g, part[i]);
        if (d->steady && fabs(d->value) < 1e-14) return inner; /* at a right angle */
    }
    return taut_sub(g, inner, taut_mul(g, part[0], part[1]));
}

/* The directions between which an angle of the file is, and its axis (3D). */
static taut_status read_directions(taut_mechanics *n, const taut_angle *a, heading *from,
                                   heading *to, taut_vec *axis) {
    const taut_yaml *value = a->value;
    if (value->kind == TAUT_YAML_MAPPING) {
        from->spin = to->spin = TAUT_NO_NODE;
        from->body = to->body = -1;
        TAUT_TRY(formula_direction(n, a, "From", &from->along));
        TAUT_TRY(formula_direction(n, a, "To", &to->along));
        if (n->mechanism->dimension == 3) return read_axis(n, a, axis);
        if (!taut_yaml_get(value, "Axis")) return TAUT_OK;
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, a->place,
                            "the angle '%s' has no Axis in 2D: it counts counter-clockwise",
                            a->name);
    }
    if (n->mechanism->dimension == 3)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, a->place,
                            "in 3D the angle '%s' must be {From: ..., To: ..., Axis: ...}, three "
                            "directions",
                            a->name);
    if (value->kind != TAUT_YAML_SEQUENCE || value->count != 2) return word_direction(n, value, to);
    TAUT_TRY(word_direction(n, value->items[0], from));
    return word_direction(n, value->items[1], to);
}

/* Directions, sine and cosine of an angle; the expression that it follows, and its rate. */
static taut_status angle_parts(taut_mechanics *n, const taut_angle *a, taut_tracked *x) {
    taut_graph *g = n->graph;
    heading from = body_heading(n, -1), to = from;
    taut_vec axis = {0};
    x->body[2] = -1;
    if (a->value) {
        TAUT_TRY(read_directions(n, a, &from, &to, &axis));
    } else { /* of a joint, or between two bodies */
        const taut_pair *pair = a->joint < 0 ? NULL : &n->pair[a->joint];
        const int *body = pair ? n->mechanism->joint[a->joint].body : a->body;
        from = body_heading(n, body[0]);
        to = body_heading(n, body[1]);
        if (pair)
            x->body[2] = body[taut_pair_angle(pair, a->number, &from.along, &to.along, &axis)];
    }
    const taut_vec cross = taut_vec_cross(g, from.along, to.along);
    x->sine = cross.n == 1 ? cross.c[0] : taut_vec_inner(g, cross, axis);
    x->cosine = across(g, from.along, to.along, axis);
    x->from = from.along;
    x->to = to.along;
    x->axis = axis;
    x->body[0] = from.body;
    x->body[1] = to.body;
    x->value = taut_atan2(g, x->sine, x->cosine);
    x->rate = from.spin == TAUT_NO_NODE || to.spin == TAUT_NO_NODE
                  ? taut_dot(g, x->value, 1)
                  : taut_sub(g, to.spin, from.spin);
    return TAUT_OK;
}

taut_status taut_mechanics_angles(taut_mechanics *n) {
    n->angle = TAUT_NEW_ARRAY(n->arena, n->mechanism->angles, taut_tracked);
    if (!n->angle) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n->mechanism->angles; i++) {
        const taut_angle *a = &n->mechanism->angle[i];
        taut_tracked *x = &n->angle[i];
        TAUT_TRY(
            taut_model_add_variable(n->model, a->name, TAUT_GROUP_ANGLE, a->place, &x->variable));
        TAUT_MECHANICS_NOTE(n, taut_symbols_add(n->model->symbols, a->name,
                                                taut_vec_scalar(x->variable), a->place));
        taut_symbols_set_quantity(n->model->symbols, a->name, TAUT_ANGLE);
    }
    for (int i = 0; i < n->mechanism->angles; i++) {
        taut_tracked *x = &n->angle[i];
        taut_status status = angle_parts(n, &n->mechanism->angle[i], x);
        TAUT_MECHANICS_NOTE(n, status);
        if (status != TAUT_OK) continue;
        /* joint coordinates hold by construction what others hold by constraints */
        if (taut_node_get(n->graph, x->value)->steady && !n->kin->relative)
            TAUT_MECHANICS_NOTE(
                n, taut_fail_at(n->errors, TAUT_ERR_INPUT, n->mechanism->angle[i].place,
                                "the angle '%s' cannot change: everything in it is fixed",
                                n->mechanism->angle[i].name));
    }
    return TAUT_OK;
}

/* ---- drivers ---- */

/* Is node a function of t, and perhaps of further unknowns, alone? */
static taut_status check_wanted(taut_mechanics *n, const taut_driver *d, taut_node node) {
    const taut_pattern_entry *entry;
    taut_pattern *pattern;
    size_t count = 0;
    TAUT_TRY(taut_pattern_create(n->graph, &pattern));
    taut_status status = taut_pattern_row(pattern, node, &entry, &count);
    bool moves = false;
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        moves = moves || entry[i].variable < n->model->coordinates;
    taut_pattern_free(&pattern);
    if (status != TAUT_OK || !moves) return status;
    return taut_fail_at(
        n->errors, TAUT_ERR_INPUT, taut_yaml_place(d->value),
        "a driver prescribes a function of t: '%s' cannot depend on how the mechanism "
        "moves",
        d->name);
}

/* What a driver drives: Ax or A.x, an angle, a named scalar; or AB, the distance of two points. Its
 * name goes into plain (size bytes), without the dot. */
static taut_status find_driven(taut_mechanics *n, const taut_driver *d, char *plain, size_t size,
                               taut_vec *s, taut_quantity *quantity) {
    taut_graph *g = n->graph;
    const size_t length = strlen(d->name);
    int end[2];
    snprintf(plain, size, "%s", d->name);
    if (length > 2 && length < size && plain[length - 2] == '.') {
        plain[length - 2] = plain[length - 1];
        plain[length - 1] = '\0';
    }
    *quantity = taut_symbols_quantity(n->model->symbols, plain);
    if (taut_symbols_find(n->model->symbols, plain, s)) return TAUT_OK;
    *quantity = TAUT_LENGTH;
    if (!taut_kin_two_points(n->kin, d->name, end)) {
        const char *near = taut_symbols_nearest(n->model->symbols, plain);
        return taut_fail_at(
            n->errors, TAUT_ERR_INPUT, d->place,
            "'%s' cannot be driven: it is no angle, coordinate or pair of points%s%s%s", d->name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    for (int b = 0; b < n->mechanism->bodies; b++) {
        const taut_body *x = &n->mechanism->body[b];
        int ends = 0;
        for (int k = 0; k < x->elements; k++)
            ends += x->element[k] == end[0] || x->element[k] == end[1];
        if (ends == 2)
            return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                                "'%s' cannot be driven: both points belong to the rigid body '%s'",
                                d->name, x->name);
    }
    const taut_vec gap = taut_kin_add(g, n->kin->value[end[1]], -1.0, n->kin->value[end[0]]);
    *s = taut_vec_scalar(taut_vec_norm(g, gap));
    return TAUT_OK;
}

/* C = f(t) - s with s a coordinate, a distance or an angle: its multiplier is the actuator's force.
 */
static taut_status add_driver(taut_mechanics *n, const taut_driver *d) {
    taut_graph *g = n->graph;
    taut_vec wanted, s;
    taut_node rate = TAUT_NO_NODE;
    char name[TAUT_NAME_MAX + 2];
    taut_quantity quantity;
    TAUT_TRY(find_driven(n, d, name, sizeof name, &s, &quantity));
    TAUT_TRY(taut_formula_read_as(n->model->symbols, d->value, 1, quantity, &wanted));
    TAUT_TRY(check_wanted(n, d, wanted.c[0]));
    if (s.n != 1)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "drive the components of %s one by one: %sx: ..., %sy: ...", d->name,
                            d->name, d->name);
    if (taut_node_get(g, s.c[0])->steady)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' is fixed: it cannot be driven", d->name);
    if (taut_node_get(g, s.c[0])->op == TAUT_OP_VAR &&
        taut_node_get(g, s.c[0])->index >= n->model->coordinates)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' is one of the 'Variables': its 'Equations' determine it, it "
                            "cannot be driven",
                            d->name);
    taut_node driven = s.c[0];
    for (int i = 0; i < n->mechanism->angles; i++)
        if (n->angle[i].variable == s.c[0]) {
            driven = n->angle[i].value;
            rate = n->angle[i].rate;
        }
    for (size_t i = 0; i < n->constraints; i++)
        if (n->constraint[i].driver && n->constraint[i].driven == driven)
            return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                                "'%s' is driven twice: it is the same as '%s', on line %d", d->name,
                                n->constraint[i].name + strlen("driver "),
                                n->constraint[i].place.line);
    const size_t before = n->constraints;
    TAUT_TRY(taut_mechanics_constrain(n, taut_sub(g, wanted.c[0], s.c[0]),
                                      taut_problem_name(n->problem, "driver %s", name), d->place));
    if (n->constraints == before)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' cannot be driven: a constraint holds it already", d->name);
    n->constraint[before].driver = true;
    n->constraint[before].rate = rate;
    n->constraint[before].driven = driven;
    n->constraint[before].wanted = wanted.c[0];
    n->open = true;
    return TAUT_OK;
}

taut_status taut_mechanics_drivers(taut_mechanics *n) {
    for (int i = 0; i < n->mechanism->drivers; i++)
        TAUT_MECHANICS_NOTE(n, add_driver(n, &n->mechanism->driver[i]));
    return TAUT_OK;
}
