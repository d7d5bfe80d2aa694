/* Tracked angles, which never jump, and drivers, whose multipliers are the forces of actuators. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/pattern.h"
#include "form/mechanics.h"

/* ---- angles ---- */

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

/* A direction that the file names. */
static taut_status find_heading(taut_mechanics *n, const taut_heading *h, heading *out) {
    const taut_vec *value = n->kin->value;
    if (h->kind == TAUT_HEADING_BODY) {
        *out = body_heading(n, h->body);
        return TAUT_OK;
    }
    *out = (heading){.body = -1, .spin = TAUT_NO_NODE};
    if (h->kind == TAUT_HEADING_VECTOR)
        out->along = value[h->element[0]];
    else if (h->kind == TAUT_HEADING_LINE)
        out->along = taut_kin_add(n->graph, value[h->element[1]], -1.0, value[h->element[0]]);
    else
        return taut_kin_import_vec(n->kin, h->formula, h->place, &out->along);
    return TAUT_OK;
}

/* The axis of an angle in 3D, of length 1. */
static taut_status find_axis(taut_mechanics *n, const taut_angle *a, taut_vec *axis) {
    TAUT_TRY(taut_kin_import_vec(n->kin, a->axis.formula, a->axis.place, axis));
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
        if (!d->steady || fabs(d->value) >= 1e-14) continue;
        taut_assume_value(g, part[i]);
        return inner; /* at a right angle */
    }
    return taut_sub(g, inner, taut_mul(g, part[0], part[1]));
}

/* Directions, sine and cosine of an angle; the expression that it follows, and its rate. */
static taut_status angle_parts(taut_mechanics *n, const taut_angle *a, taut_tracked *x) {
    taut_graph *g = n->graph;
    heading from = body_heading(n, -1), to = from;
    taut_vec axis = {0};
    x->body[2] = -1;
    if (a->directed) {
        TAUT_TRY(find_heading(n, &a->from, &from));
        TAUT_TRY(find_heading(n, &a->to, &to));
        if (n->mechanism->dimension == 3) TAUT_TRY(find_axis(n, a, &axis));
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
        TAUT_TRY(taut_problem_add_variable(n->problem, a->name, TAUT_GROUP_ANGLE, a->place,
                                           &x->variable));
        n->kin->meaning[a->leaf] = x->variable;
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
    size_t count = 0;
    TAUT_TRY(taut_pattern_row(n->pattern, node, &entry, &count));
    bool moves = false;
    for (size_t i = 0; i < count; i++) moves = moves || entry[i].variable < n->tracked;
    if (!moves) return TAUT_OK;
    return taut_fail_at(
        n->errors, TAUT_ERR_INPUT, d->wanted_place,
        "a driver prescribes a function of t: '%s' cannot depend on how the mechanism "
        "moves",
        d->name);
}

/* What a driver drives: what it names, or the distance of two points. */
static taut_status find_driven(taut_mechanics *n, const taut_driver *d, taut_node *s) {
    const taut_vec *value = n->kin->value;
    if (d->driven.n > 0) return taut_kin_import(n->kin, d->driven.c[0], d->place, s);
    *s = taut_vec_norm(n->graph,
                       taut_kin_add(n->graph, value[d->point[1]], -1.0, value[d->point[0]]));
    return TAUT_OK;
}

/* Tracked angles are unknowns in their order. */
const taut_tracked *taut_mechanics_tracked(const taut_mechanics *n, taut_node unknown) {
    const taut_node_data *d = taut_node_get(n->graph, unknown);
    if (d->op != TAUT_OP_VAR || n->mechanism->angles == 0) return NULL;
    const int i = d->index - taut_node_get(n->graph, n->angle[0].variable)->index;
    return i >= 0 && i < n->mechanism->angles ? &n->angle[i] : NULL;
}

/* C = f(t) - s with s a coordinate, a distance or an angle: its multiplier is the actuator's force.
 * Of velocities f(t) - s'. */
taut_status taut_mechanics_driver(taut_mechanics *n, const taut_driver *d, taut_constraint *c) {
    taut_graph *g = n->graph;
    taut_node wanted, s, rate = TAUT_NO_NODE;
    TAUT_TRY(find_driven(n, d, &s));
    TAUT_TRY(taut_kin_import(n->kin, d->wanted, d->wanted_place, &wanted));
    TAUT_TRY(check_wanted(n, d, wanted));
    if (taut_node_get(g, s)->steady)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' is fixed: it cannot be driven", d->name);
    if (taut_node_get(g, s)->op == TAUT_OP_VAR && taut_node_get(g, s)->index >= n->tracked)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' is one of the 'Variables': its 'Equations' determine it, it "
                            "cannot be driven",
                            d->name);
    const taut_tracked *angle = taut_mechanics_tracked(n, s);
    const taut_node driven = angle ? angle->value : s;
    if (angle) rate = angle->rate;
    const bool again = taut_mechanics_uses(n, driven, TAUT_USED_DRIVEN);
    for (size_t i = 0; again && i < n->constraints; i++)
        if (n->constraint[i].driver && n->constraint[i].driven == driven)
            return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                                "'%s' is driven twice: it is the same as '%s', on line %d", d->name,
                                n->constraint[i].name + strlen("driver "),
                                n->constraint[i].place.line);
    const taut_node follows = !d->velocity ? s : rate == TAUT_NO_NODE ? taut_dot(g, s, 1) : rate;
    *c = (taut_constraint){.node = taut_sub(g, wanted, follows),
                           .name = taut_problem_name(n->problem, "driver %s", d->plain),
                           .place = d->place,
                           .driver = true,
                           .velocity = d->velocity,
                           .leaf = d->leaf,
                           .rate = rate,
                           .driven = driven,
                           .wanted = wanted};
    n->open = true;
    return c->name ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status add_driver(taut_mechanics *n, const taut_driver *d) {
    taut_constraint c = {.node = TAUT_NO_NODE};
    const size_t before = n->constraints;
    if (d->breaks) return TAUT_OK; /* loose.c */
    TAUT_TRY(taut_mechanics_driver(n, d, &c));
    TAUT_TRY(taut_mechanics_constrain(n, c.node, c.name, c.place));
    if (n->constraints == before)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' cannot be driven: a constraint holds it already", d->name);
    n->constraint[before] = c;
    return taut_mechanics_use(n, c.driven, TAUT_USED_DRIVEN);
}

static taut_status add_drivers(taut_mechanics *n, bool velocity) {
    for (int i = 0; i < n->mechanism->drivers; i++)
        if (n->mechanism->driver[i].velocity == velocity)
            TAUT_MECHANICS_NOTE(n, add_driver(n, &n->mechanism->driver[i]));
    return TAUT_OK;
}

static taut_status add_all(taut_mechanics *n, bool velocity) {
    if (n->mechanism->drivers == 0) return TAUT_OK;
    if (!n->pattern) TAUT_TRY(taut_pattern_create(n->graph, &n->pattern));
    return add_drivers(n, velocity);
}

taut_status taut_mechanics_drivers(taut_mechanics *n) { return add_all(n, false); }

taut_status taut_mechanics_velocity_drivers(taut_mechanics *n) { return add_all(n, true); }

taut_node taut_mechanics_driven_rate(taut_graph *g, const taut_constraint *c) {
    return c->velocity ? c->wanted : taut_dot(g, c->wanted, 1);
}
