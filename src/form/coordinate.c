/* Who feels a force or torque on a coordinate: the bodies of an angle's directions, the two sides
 * of a line, a curve or a joint, both ends of a distance, a point or a vector. */
#include <string.h>

#include "form/freebody.h"
#include "model/symbols.h"

/* ---- parts ---- */

static taut_status add_part(taut_parts *parts, taut_part part) {
    if (part.carrier < 0) return TAUT_OK;
    if (taut_grow((void **)&parts->item, &parts->room, (size_t)parts->count + 1,
                  sizeof *parts->item))
        return TAUT_ERR_MEMORY;
    parts->item[parts->count++] = part;
    return TAUT_OK;
}

/* A part whose d_x alone counts: it acts along a vector. */
static taut_part part_along(const taut_freebody *f, taut_end_kind kind, int carrier, int element,
                            taut_vec along) {
    const taut_vec zero = taut_freebody_spatial(f, taut_vec_scalar(taut_number(f->graph, 0.0)));
    return (taut_part){kind, carrier, element, {taut_freebody_spatial(f, along), zero, zero}};
}

/* A force along a vector at an element, on its hub; a vector turns under it. */
static taut_status add_force(taut_freebody *f, int hub, int element, taut_vec along,
                             taut_parts *parts) {
    if (hub != TAUT_HUB_FORMULA)
        return add_part(parts, part_along(f,
                                          f->mechanics->mechanism->element[element].is_vector
                                              ? TAUT_END_ARM
                                              : TAUT_END_FORCE,
                                          hub, element, along));
    taut_parts inner = {0};
    const taut_vec d = taut_freebody_spatial(f, along);
    taut_status status = taut_freebody_spread(f, element, &inner);
    for (int i = 0; i < inner.count && status == TAUT_OK; i++) {
        const taut_part *p = &inner.item[i];
        taut_vec sum = taut_vec_scale(f->graph, d.c[0], p->row[0]);
        for (int k = 1; k < 3; k++)
            sum = taut_kin_add(f->graph, sum, 1.0, taut_vec_scale(f->graph, d.c[k], p->row[k]));
        status = add_part(parts, part_along(f, p->kind, p->carrier, p->element, sum));
    }
    taut_release((void **)&inner.item);
    return status;
}

/* The same at one of two points that slide along each other, and its opposite on the other side. */
static taut_status add_sliding(taut_freebody *f, int rider, int owner, int point, int origin,
                               taut_vec along, taut_parts *parts) {
    const taut_vec back = taut_vec_scale(f->graph, taut_number(f->graph, -1.0), along);
    TAUT_TRY(add_force(f, rider, point, along, parts));
    return add_force(f, owner, owner == TAUT_HUB_FORMULA ? origin : point, back, parts);
}

/* ---- angles ---- */

static bool equal(taut_vec a, taut_vec b) {
    return a.n == b.n && memcmp(a.c, b.c, (size_t)a.n * sizeof *a.c) == 0;
}

/* Who carries a direction; false: it is a formula of several. */
static bool direction_hub(const taut_freebody *f, taut_vec v, int *hub) {
    const taut_mechanics *n = f->mechanics;
    const taut_mechanism *m = n->mechanism;
    bool steady = true;
    for (int i = 0; i < v.n; i++) steady = steady && taut_node_get(f->graph, v.c[i])->steady;
    *hub = TAUT_HUB_GROUND;
    if (steady) return true;
    for (int b = 0; b < m->bodies; b++) {
        *hub = b;
        if (equal(v, taut_kin_direction(n->kin, b, taut_kin_local_x(n->kin)))) return true;
        for (int i = 0; i < m->body[b].elements; i++)
            for (int k = 0; k < m->body[b].elements; k++) {
                const int e[] = {m->body[b].element[i], m->body[b].element[k]};
                if (m->element[e[0]].is_vector || m->element[e[1]].is_vector || i == k) continue;
                if (equal(v,
                          taut_kin_add(f->graph, n->kin->value[e[0]], -1.0, n->kin->value[e[1]])))
                    return true;
            }
    }
    for (int e = 0; e < m->elements; e++) {
        *hub = f->hub[e];
        if (m->element[e].is_vector && *hub != TAUT_HUB_FORMULA && equal(v, n->kin->value[e]))
            return true;
    }
    return false;
}

/* d(angle)/d(one of its directions), from the derivatives of its sine and cosine. */
static taut_vec angle_slope(taut_freebody *f, const taut_tracked *x, taut_vec sine,
                            taut_vec cosine) {
    taut_graph *g = f->graph;
    const taut_node square = taut_add(g, taut_square(g, x->sine), taut_square(g, x->cosine));
    const taut_vec up = taut_vec_scale(g, taut_div(g, x->cosine, square), sine);
    return taut_kin_add(g, up, -1.0, taut_vec_scale(g, taut_div(g, x->sine, square), cosine));
}

/* b less its part along the unit vector n */
static taut_vec across(taut_graph *g, taut_vec b, taut_vec n) {
    return taut_kin_add(g, b, -1.0, taut_vec_scale(g, taut_vec_inner(g, b, n), n));
}

/* d(angle)/d(from, to and axis). */
static void angle_slopes(taut_freebody *f, const taut_tracked *x, taut_vec slope[3]) {
    taut_graph *g = f->graph;
    const taut_vec a = x->from, b = x->to, n = x->axis;
    if (n.n == 0) {
        slope[0] = taut_kin_divided(g, taut_kin_turned(g, a),
                                    taut_scale(g, -1.0, taut_vec_inner(g, a, a)));
        slope[1] = taut_kin_divided(g, taut_kin_turned(g, b), taut_vec_inner(g, b, b));
        return;
    }
    const taut_vec tilt = taut_kin_add(g, taut_vec_scale(g, taut_vec_inner(g, b, n), a), 1.0,
                                       taut_vec_scale(g, taut_vec_inner(g, a, n), b));
    const taut_vec less = taut_vec_scale(g, taut_number(g, -1.0), tilt);
    slope[0] = angle_slope(f, x, taut_vec_cross(g, b, n), across(g, b, n));
    slope[1] = angle_slope(f, x, taut_vec_cross(g, n, a), across(g, a, n));
    slope[2] = angle_slope(f, x, taut_vec_cross(g, a, b), less);
}

/* The k-th direction of an angle (from, to, axis), as its parts are. */
typedef struct direction {
    taut_vec along, slope;
    const taut_heading *heading; /* NULL: a body's */
    int body;                    /* that has it; -1: not said, or the ground */
    double sign;                 /* plane: of the torque */
} direction;

/* A direction that one body has: a torque, without quotients in the plane. */
static taut_status turn_direction(taut_freebody *f, const direction *d, int hub, taut_node weight,
                                  taut_parts *parts) {
    const taut_vec torque =
        d->along.n == 2 ? taut_freebody_spatial(f, taut_vec_scalar(taut_number(f->graph, d->sign)))
                        : taut_vec_cross(f->graph, d->along, d->slope);
    return add_part(
        parts, part_along(f, TAUT_END_TORQUE, hub, -1, taut_vec_scale(f->graph, weight, torque)));
}

/* One that several bodies have: what its formula says. An axis is its formula over its length. */
static taut_status pull_direction(taut_freebody *f, const direction *d, taut_node weight,
                                  bool is_axis, taut_parts *parts) {
    taut_graph *g = f->graph;
    taut_vec pull = taut_vec_scale(g, weight, d->slope);
    if (d->heading->kind == TAUT_HEADING_VECTOR)
        return add_force(f, f->hub[d->heading->element[0]], d->heading->element[0], pull, parts);
    if (d->heading->kind == TAUT_HEADING_LINE) {
        const int *point = d->heading->element;
        TAUT_TRY(add_force(f, f->hub[point[1]], point[1], pull, parts));
        return add_force(f, f->hub[point[0]], point[0],
                         taut_vec_scale(g, taut_number(g, -1.0), pull), parts);
    }
    if (is_axis) {
        taut_vec given;
        TAUT_TRY(
            taut_kin_import_vec(f->mechanics->kin, d->heading->formula, d->heading->place, &given));
        pull = taut_kin_divided(g, across(g, pull, d->along), taut_vec_norm(g, given));
    }
    for (int i = 0; i < pull.n; i++)
        TAUT_TRY(taut_freebody_gradient(f, TAUT_SWEEP_PLAIN, d->heading->formula.c[i], pull.c[i],
                                        parts));
    return TAUT_OK;
}

static taut_status act_on_angle(taut_freebody *f, int number, taut_node weight, taut_parts *parts) {
    const taut_tracked *x = &f->mechanics->angle[number];
    const taut_angle *a = &f->mechanics->mechanism->angle[number];
    taut_vec slope[3] = {{0}, {0}, {0}};
    angle_slopes(f, x, slope);
    const direction list[] = {{x->from, slope[0], a->directed ? &a->from : NULL, x->body[0], -1.0},
                              {x->to, slope[1], a->directed ? &a->to : NULL, x->body[1], 1.0},
                              {x->axis, slope[2], a->directed ? &a->axis : NULL, x->body[2], 0.0}};
    for (int k = 0; k < (x->axis.n == 0 ? 2 : 3); k++) {
        const direction *d = &list[k];
        int hub = d->body;
        if (hub >= 0 || !d->heading || direction_hub(f, d->along, &hub))
            TAUT_TRY(turn_direction(f, d, hub, weight, parts));
        else
            TAUT_TRY(pull_direction(f, d, weight, k == 2, parts));
    }
    return TAUT_OK;
}

/* ---- others ---- */

static taut_status act_on_line(taut_freebody *f, const char *name, taut_node weight,
                               taut_parts *parts, bool *found) {
    const taut_mechanism *m = f->mechanics->mechanism;
    for (int i = 0; i < m->collinears && !*found; i++) {
        const taut_collinear *c = &m->collinear[i];
        if (!c->scalar || strcmp(c->scalar, name) != 0) continue;
        *found = true;
        TAUT_TRY(add_sliding(f, f->hub[c->point], f->hub[c->origin], c->point, c->origin,
                             taut_vec_scale(f->graph, weight, f->mechanics->kin->value[c->vector]),
                             parts));
    }
    return TAUT_OK;
}

/* A distance that a joint leaves free: its second point along an axis of the first body. */
static taut_status act_on_joint(taut_freebody *f, const char *name, taut_node node,
                                taut_node weight, taut_parts *parts, bool *found) {
    const taut_mechanics *n = f->mechanics;
    const taut_mechanism *m = n->mechanism;
    for (int i = 0; i < m->joints && !*found; i++) {
        const taut_joint *j = &m->joint[i];
        if (j->shared || j->point[1] < 0) continue;
        const int count = taut_joint_takes(j->kind, m->dimension).distances;
        for (int k = 0; k < count && !*found; k++) {
            const char *own = j->distance[k];
            if (!(name && own && strcmp(own, name) == 0) &&
                taut_pair_distance(f->graph, &n->pair[i], k) != node)
                continue;
            *found = true;
            TAUT_TRY(add_sliding(
                f, taut_freebody_side(f, j, 1), taut_freebody_side(f, j, 0), j->point[1],
                j->point[0],
                taut_vec_scale(f->graph, weight, taut_pair_direction(f->graph, &n->pair[i], k)),
                parts));
        }
    }
    return TAUT_OK;
}

/* The parameter s of a joint's curve: the second point is pushed along the tangent T, by T/T^2 for
 * a force of 1 on s. */
static taut_status act_on_curve(taut_freebody *f, const char *name, taut_node weight,
                                taut_parts *parts, bool *found) {
    const taut_mechanics *n = f->mechanics;
    taut_graph *g = f->graph;
    for (int i = 0; i < n->mechanism->joints && !*found; i++) {
        const taut_joint *j = &n->mechanism->joint[i];
        taut_vec tangent;
        if (!j->parameter || strcmp(j->parameter, name) != 0) continue;
        *found = true;
        TAUT_TRY(taut_freebody_tangent(f, i, &tangent));
        TAUT_TRY(add_sliding(
            f, taut_freebody_side(f, j, 1), taut_freebody_side(f, j, 0), j->point[1], j->point[0],
            taut_vec_scale(g, taut_div(g, weight, taut_vec_inner(g, tangent, tangent)), tangent),
            parts));
    }
    return TAUT_OK;
}

/* A coordinate of a point or vector, or the distance of two points. */
static taut_status act_on_points(taut_freebody *f, const char *name, taut_node weight,
                                 taut_parts *parts, bool *found) {
    taut_mechanics *n = f->mechanics;
    taut_graph *g = f->graph;
    const size_t length = strlen(name);
    char element[TAUT_NAME_MAX + 2];
    int point[2];
    if (taut_model_two_points(n->model, name, point)) {
        const taut_vec d = taut_kin_add(g, n->kin->value[point[1]], -1.0, n->kin->value[point[0]]);
        const taut_vec pull = taut_vec_scale(g, taut_div(g, weight, taut_vec_norm(g, d)), d);
        *found = true;
        TAUT_TRY(add_force(f, f->hub[point[1]], point[1], pull, parts));
        return add_force(f, f->hub[point[0]], point[0],
                         taut_vec_scale(g, taut_number(g, -1.0), pull), parts);
    }
    const char *axis =
        length > 0 && length < sizeof element ? strchr("xyz", name[length - 1]) : NULL;
    if (!axis) return TAUT_OK;
    memcpy(element, name, length - 1);
    element[length - 1] = '\0';
    if (!taut_symbols_element(n->model->symbols, element, &point[0])) return TAUT_OK;
    taut_vec along = taut_freebody_spatial(f, taut_vec_scalar(taut_number(g, 0.0)));
    along.c[axis - "xyz"] = weight;
    *found = true;
    return add_force(f, f->hub[point[0]], point[0], along, parts);
}

taut_status taut_freebody_coordinate(taut_freebody *f, const char *name, taut_node node,
                                     taut_node weight, taut_parts *parts) {
    const taut_mechanics *n = f->mechanics;
    bool found = false;
    for (int i = 0; i < n->mechanism->angles && !found; i++) {
        if (n->angle[i].variable != node && n->angle[i].value != node) continue;
        found = true;
        TAUT_TRY(act_on_angle(f, i, weight, parts));
    }
    if (!found && name) TAUT_TRY(act_on_line(f, name, weight, parts, &found));
    if (!found) TAUT_TRY(act_on_joint(f, name, node, weight, parts, &found));
    if (!found && name) TAUT_TRY(act_on_curve(f, name, weight, parts, &found));
    if (!found && name) TAUT_TRY(act_on_points(f, name, weight, parts, &found));
    if (found) return TAUT_OK;
    return taut_fail(n->errors, TAUT_ERR_CALL,
                     "reactions: it is not known on which bodies a force on '%s' acts",
                     name ? name : "a coordinate");
}
