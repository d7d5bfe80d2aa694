/* Who feels a force or torque on a coordinate: the bodies of an angle's directions, the two sides
 * of a line or a joint, both ends of a distance, a point; or else what the gradient says. */
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

/* A force along a vector at an element, on its hub. */
static taut_status add_force(taut_freebody *f, int hub, int element, taut_vec along,
                             taut_parts *parts) {
    if (hub != TAUT_HUB_FORMULA)
        return add_part(parts, part_along(f, TAUT_END_FORCE, hub, element, along));
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

/* The torques on from, to and axis that do the work of an angle. */
static void angle_torques(taut_freebody *f, const taut_tracked *x, taut_vec torque[3]) {
    taut_graph *g = f->graph;
    const taut_vec a = x->from, b = x->to, n = x->axis;
    if (n.n == 0) {
        torque[1] = taut_freebody_spatial(f, taut_vec_scalar(taut_number(g, 1.0)));
        torque[0] = taut_freebody_spatial(f, taut_vec_scalar(taut_number(g, -1.0)));
        torque[2] = taut_freebody_spatial(f, taut_vec_scalar(taut_number(g, 0.0)));
        return;
    }
    const taut_vec tilt = taut_kin_add(g, taut_vec_scale(g, taut_vec_inner(g, b, n), a), 1.0,
                                       taut_vec_scale(g, taut_vec_inner(g, a, n), b));
    const taut_vec less = taut_vec_scale(g, taut_number(g, -1.0), tilt);
    torque[0] = taut_vec_cross(g, a, angle_slope(f, x, taut_vec_cross(g, b, n), across(g, b, n)));
    torque[1] = taut_vec_cross(g, b, angle_slope(f, x, taut_vec_cross(g, n, a), across(g, a, n)));
    torque[2] = taut_vec_cross(g, n, angle_slope(f, x, taut_vec_cross(g, a, b), less));
}

/* Who has a direction of an angle; false: several. */
static bool angle_hub(const taut_freebody *f, taut_vec direction, int body, int *hub) {
    *hub = body;
    return body >= 0 || direction_hub(f, direction, hub);
}

/* An angle whose directions have bodies; *found: they have. */
static taut_status act_on_angle(taut_freebody *f, const taut_tracked *x, taut_node weight,
                                taut_parts *parts, bool *found) {
    int hub[3] = {TAUT_HUB_GROUND, TAUT_HUB_GROUND, TAUT_HUB_GROUND};
    taut_vec torque[3];
    *found = angle_hub(f, x->from, x->body[0], &hub[0]) &&
             angle_hub(f, x->to, x->body[1], &hub[1]) &&
             (x->axis.n == 0 || angle_hub(f, x->axis, x->body[2], &hub[2]));
    if (!*found) return TAUT_OK;
    angle_torques(f, x, torque);
    for (int k = 0; k < 3; k++)
        TAUT_TRY(add_part(parts, part_along(f, TAUT_END_TORQUE, hub[k], -1,
                                            taut_vec_scale(f->graph, weight, torque[k]))));
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
static taut_status act_on_joint(taut_freebody *f, taut_node node, taut_node weight,
                                taut_parts *parts, bool *found) {
    const taut_mechanics *n = f->mechanics;
    const taut_mechanism *m = n->mechanism;
    for (int i = 0; i < m->joints && !*found; i++) {
        const taut_joint *j = &m->joint[i];
        if (j->shared || j->point[1] < 0) continue;
        const int count = taut_joint_takes(j->kind, m->dimension).distances;
        for (int k = 0; k < count && !*found; k++) {
            if (taut_pair_distance(f->graph, &n->pair[i], k) != node) continue;
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

/* A coordinate of a point, or the distance of two. */
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
    if (!taut_symbols_element(n->model->symbols, element, &point[0]) ||
        n->mechanism->element[point[0]].is_vector)
        return TAUT_OK;
    taut_vec along = taut_freebody_spatial(f, taut_vec_scalar(taut_number(g, 0.0)));
    along.c[axis - "xyz"] = weight;
    *found = true;
    return add_force(f, f->hub[point[0]], point[0], along, parts);
}

/* Anything else acts on what its gradient says. */
static taut_status act_by_gradient(taut_freebody *f, taut_node node, taut_node weight,
                                   taut_parts *parts) {
    taut_parts inner = {0};
    taut_status status = taut_freebody_gradient(f, TAUT_SWEEP_PLAIN, node, &inner);
    for (int i = 0; i < inner.count && status == TAUT_OK; i++) {
        taut_part part = inner.item[i];
        part.row[0] = taut_vec_scale(f->graph, weight, part.row[0]);
        status = add_part(parts, part);
    }
    taut_release((void **)&inner.item);
    return status;
}

taut_status taut_freebody_coordinate(taut_freebody *f, const char *name, taut_node node,
                                     taut_node weight, taut_parts *parts) {
    const taut_mechanics *n = f->mechanics;
    bool found = false;
    for (int i = 0; i < n->mechanism->angles && !found; i++) {
        const taut_tracked *x = &n->angle[i];
        if (x->variable != node && x->value != node) continue;
        TAUT_TRY(act_on_angle(f, x, weight, parts, &found));
        if (!found) return act_by_gradient(f, x->value, weight, parts);
    }
    if (!found && name) TAUT_TRY(act_on_line(f, name, weight, parts, &found));
    if (!found) TAUT_TRY(act_on_joint(f, node, weight, parts, &found));
    if (!found && name) TAUT_TRY(act_on_points(f, name, weight, parts, &found));
    return found ? TAUT_OK : act_by_gradient(f, node, weight, parts);
}
