/* What joints, drivers and constraints can transmit between free bodies. */
#include <stdio.h>
#include <string.h>

#include "form/freebody.h"
#include "model/symbols.h"

/* Forces and torques of every kind of joint, in 2D and in 3D. ORDER: as in joint.def */
static const struct {
    taut_span force[2], torque[2];
} KIND[TAUT_JOINT_KINDS] = {
    [TAUT_JOINT_REVOLUTE] = {{TAUT_SPAN_ALL, TAUT_SPAN_ALL}, {TAUT_SPAN_NONE, TAUT_SPAN_ACROSS}},
    [TAUT_JOINT_PRISMATIC] = {{TAUT_SPAN_ACROSS, TAUT_SPAN_ACROSS}, {TAUT_SPAN_ALL, TAUT_SPAN_ALL}},
    [TAUT_JOINT_SPHERICAL] = {{TAUT_SPAN_ALL, TAUT_SPAN_ALL}, {TAUT_SPAN_NONE, TAUT_SPAN_NONE}},
    [TAUT_JOINT_UNIVERSAL] = {{TAUT_SPAN_NONE, TAUT_SPAN_ALL}, {TAUT_SPAN_NONE, TAUT_SPAN_COMMON}},
    [TAUT_JOINT_CYLINDRICAL] = {{TAUT_SPAN_NONE, TAUT_SPAN_ACROSS},
                                {TAUT_SPAN_NONE, TAUT_SPAN_ACROSS}},
    [TAUT_JOINT_LINE] = {{TAUT_SPAN_ACROSS, TAUT_SPAN_ACROSS}, {TAUT_SPAN_NONE, TAUT_SPAN_NONE}},
    [TAUT_JOINT_PARALLEL] = {{TAUT_SPAN_NONE, TAUT_SPAN_NONE},
                             {TAUT_SPAN_ACROSS, TAUT_SPAN_ACROSS}},
    [TAUT_JOINT_WELD] = {{TAUT_SPAN_ALL, TAUT_SPAN_ALL}, {TAUT_SPAN_ALL, TAUT_SPAN_ALL}},
};

/* Transfers that begin from now on are by this one. */
static void come_from(taut_freebody *f, taut_transmitter by, const char *name, taut_place place) {
    f->by = by;
    f->name = name;
    f->where = place;
}

/* A new transfer; its ends follow. */
static taut_status begin(taut_freebody *f, taut_span span, bool torque, int u, int v) {
    taut_reactions *r = f->reactions;
    if (taut_grow((void **)&r->transfer, &r->transfer_room, (size_t)r->transfers + 1,
                  sizeof *r->transfer))
        return TAUT_ERR_MEMORY;
    r->transfer[r->transfers++] = (taut_transfer){.by = f->by,
                                                  .name = f->name,
                                                  .place = f->where,
                                                  .span = span,
                                                  .u = u,
                                                  .v = v,
                                                  .torque = torque,
                                                  .end = r->ends};
    return TAUT_OK;
}

/* ---- joints ---- */

/* Who stands at one side of a joint. */
static int side_hub(const taut_freebody *f, const taut_joint *j, int side) {
    if (j->body[side] >= 0) return j->body[side];
    return j->point[side] >= 0 ? f->hub[j->point[side]] : TAUT_HUB_GROUND;
}

/* The name of a joint, with its element where several joints have the same. */
static const char *joint_name(taut_freebody *f, int number) {
    const taut_mechanism *m = f->natural->mechanism;
    const taut_joint *j = &m->joint[number];
    const int element = j->point[0] >= 0 ? j->point[0] : j->axis[0];
    bool alone = true;
    for (int i = 0; i < m->joints; i++)
        if (i != number && strcmp(m->joint[i].name, j->name) == 0) alone = false;
    return alone || element < 0
               ? j->name
               : taut_problem_name(f->natural->problem, "%s@%s", j->name, m->element[element].name);
}

/* The line through two points of a body on the ground: about it, it can turn. -1: there is none. */
static int ground_line(taut_freebody *f, const taut_joint *j) {
    const taut_mechanism *m = f->natural->mechanism;
    if (!j->shared || j->body[1] >= 0 || j->body[0] < 0 || m->dimension == 2) return -1;
    const taut_body *b = &m->body[j->body[0]];
    for (int k = 0; k < b->elements; k++) {
        const int e = b->element[k];
        if (e == j->point[0] || m->element[e].is_vector || !m->element[e].fixed) continue;
        return taut_freebody_vector(f, taut_kin_add(f->graph, taut_freebody_value(f, e), -1.0,
                                                    taut_freebody_value(f, j->point[0])));
    }
    return -1;
}

static taut_status transmit_joint(taut_freebody *f, int number) {
    const taut_joint *j = &f->natural->mechanism->joint[number];
    const int flat = f->natural->mechanism->dimension - 2;
    const char *name = joint_name(f, number);
    const int hub[] = {side_hub(f, j, 0), side_hub(f, j, 1)};
    const int axes = hub[0] >= 0 ? hub[0] : hub[1]; /* whose axes it is seen in */
    const int u = j->axis[0] >= 0 ? taut_freebody_place(f, j->axis[0]) : TAUT_VECTOR_ZERO;
    const int v = j->axis[1] >= 0 ? taut_freebody_place(f, j->axis[1]) : TAUT_VECTOR_ZERO;
    const int line = j->kind == TAUT_JOINT_SPHERICAL ? ground_line(f, j) : -1;
    if (!name) return TAUT_ERR_MEMORY;
    come_from(f, TAUT_BY_JOINT, name, j->place);
    if (KIND[j->kind].force[flat] != TAUT_SPAN_NONE) {
        TAUT_TRY(begin(f, KIND[j->kind].force[flat], false, u, v));
        for (int side = 0; side < 2; side++) /* both where the first one is */
            taut_freebody_force_end(f, hub[side],
                                    hub[side] == TAUT_HUB_FORMULA ? j->point[side] : j->point[0],
                                    side ? -1.0 : 1.0);
        TAUT_TRY(taut_freebody_columns(f, name, axes, f->reactions->transfers - 1));
    }
    const taut_span torque = line >= 0 ? TAUT_SPAN_ACROSS : KIND[j->kind].torque[flat];
    if (torque == TAUT_SPAN_NONE) return TAUT_OK;
    TAUT_TRY(begin(f, torque, true, line >= 0 ? line : u, v));
    for (int side = 0; side < 2; side++)
        taut_freebody_end(
            f, (taut_end){TAUT_END_TORQUE, hub[side], TAUT_VECTOR_ZERO, -1, side ? -1.0 : 1.0});
    return taut_freebody_columns(f, name, axes, f->reactions->transfers - 1);
}

/* A torque d on the body of a unit vector u means g = d x u at the vector, and -g at its formula.
 */
static taut_status turn_formula(taut_freebody *f, int body, int element) {
    taut_graph *g = f->graph;
    taut_parts parts = {0};
    const taut_vec u = taut_freebody_value(f, element);
    TAUT_TRY(begin(f, TAUT_SPAN_ACROSS, true, taut_freebody_place(f, element), TAUT_VECTOR_ZERO));
    taut_freebody_end(f, (taut_end){TAUT_END_TORQUE, body, TAUT_VECTOR_ZERO, -1, 1.0});
    taut_status status = taut_freebody_spread(f, element, &parts);
    for (int i = 0; i < parts.count; i++) {
        taut_vec row[3];
        for (int k = 0; k < 3; k++) { /* d_k e_k x u */
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            row[k] = taut_kin_add(g, taut_vec_scale(g, u.c[p], parts.item[i].row[q]), -1.0,
                                  taut_vec_scale(g, u.c[q], parts.item[i].row[p]));
        }
        memcpy(parts.item[i].row, row, sizeof row);
    }
    taut_freebody_part_ends(f, &parts, -1.0);
    taut_release((void **)&parts.item);
    return status;
}

/* An element of a body that is also a formula of others: a joint that nobody wrote. */
static taut_status transmit_formula(taut_freebody *f, int element) {
    const taut_mechanism *m = f->natural->mechanism;
    const taut_element *x = &m->element[element];
    if (x->fixed || !x->formula) return TAUT_OK;
    if (m->carrier_start[element] == m->carrier_start[element + 1]) return TAUT_OK;
    const int body = m->carrier[m->carrier_start[element]];
    const char *name = taut_problem_name(f->natural->problem, "%s-%s", x->name, m->body[body].name);
    if (!name) return TAUT_ERR_MEMORY;
    come_from(f, TAUT_BY_FORMULA, name, x->place);
    if (x->is_vector) {
        TAUT_TRY(turn_formula(f, body, element));
    } else {
        TAUT_TRY(begin(f, TAUT_SPAN_ALL, false, TAUT_VECTOR_ZERO, TAUT_VECTOR_ZERO));
        taut_freebody_force_end(f, body, element, 1.0);
        taut_freebody_force_end(f, TAUT_HUB_FORMULA, element, -1.0);
    }
    return taut_freebody_columns(f, name, body, f->reactions->transfers - 1);
}

/* ---- drivers and constraints ---- */

static bool equal(taut_vec a, taut_vec b) {
    return a.n == b.n && memcmp(a.c, b.c, (size_t)a.n * sizeof *a.c) == 0;
}

/* Who carries a direction; false: it is a formula of several. */
static bool direction_hub(const taut_freebody *f, taut_vec v, int *hub) {
    const taut_natural *n = f->natural;
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

/* The motor of a tracked angle; false if a direction belongs to several bodies. */
static bool transmit_angle(taut_freebody *f, const taut_tracked *x, taut_status *status) {
    int hub[3] = {TAUT_HUB_GROUND, TAUT_HUB_GROUND, TAUT_HUB_GROUND};
    taut_vec torque[3];
    if (!direction_hub(f, x->from, &hub[0]) || !direction_hub(f, x->to, &hub[1])) return false;
    if (x->axis.n > 0 && !direction_hub(f, x->axis, &hub[2])) return false;
    *status = begin(f, TAUT_SPAN_ALONG, true, 0, TAUT_VECTOR_ZERO);
    if (*status != TAUT_OK) return true;
    f->reactions->transfer[f->reactions->transfers - 1].scalar = true;
    angle_torques(f, x, torque);
    for (int k = 0; k < 3; k++) {
        const taut_vec zero = taut_freebody_spatial(f, taut_vec_scalar(taut_number(f->graph, 0.0)));
        const int rows = taut_freebody_vector(f, torque[k]);
        taut_freebody_vector(f, zero);
        taut_freebody_vector(f, zero);
        taut_freebody_end(f, (taut_end){TAUT_END_TORQUE, hub[k], TAUT_VECTOR_ZERO, rows, 1.0});
    }
    return true;
}

/* The motor of a coordinate, of a distance, or of a scalar along a line; *found: it is one. */
static taut_status transmit_actuator(taut_freebody *f, const char *driven, bool *found) {
    taut_natural *n = f->natural;
    const taut_mechanism *m = n->mechanism;
    taut_graph *g = f->graph;
    const size_t length = strlen(driven);
    char name[TAUT_NAME_MAX + 2];
    int point[2];
    *found = true;
    for (int i = 0; i < m->collinears; i++) {
        const taut_collinear *c = &m->collinear[i];
        if (!c->scalar || strcmp(c->scalar, driven) != 0) continue;
        TAUT_TRY(
            begin(f, TAUT_SPAN_ALONG, false, taut_freebody_place(f, c->vector), TAUT_VECTOR_ZERO));
        taut_freebody_force_end(f, f->hub[c->point], c->point, 1.0);
        taut_freebody_force_end(f, f->hub[c->origin],
                                f->hub[c->origin] == TAUT_HUB_FORMULA ? c->origin : c->point, -1.0);
        return TAUT_OK;
    }
    if (taut_kin_two_points(n->kin, driven, point)) {
        const taut_vec d = taut_kin_add(g, n->kin->value[point[1]], -1.0, n->kin->value[point[0]]);
        taut_vec line = taut_freebody_spatial(f, d);
        for (int i = 0; i < 3; i++) line.c[i] = taut_div(g, line.c[i], taut_vec_norm(g, d));
        TAUT_TRY(begin(f, TAUT_SPAN_ALONG, false, taut_freebody_vector(f, line), TAUT_VECTOR_ZERO));
        taut_freebody_force_end(f, f->hub[point[0]], point[0], -1.0);
        taut_freebody_force_end(f, f->hub[point[1]], point[1], 1.0);
        return TAUT_OK;
    }
    snprintf(name, sizeof name, "%.*s", length > 0 ? (int)length - 1 : 0, driven);
    const char *axis = length > 0 ? strchr("xyz", driven[length - 1]) : NULL;
    if (!axis || !taut_symbols_element(n->model->symbols, name, &point[0]) ||
        m->element[point[0]].is_vector) {
        *found = false;
        return TAUT_OK;
    }
    TAUT_TRY(begin(f, TAUT_SPAN_ALONG, false, (int)(axis - "xyz"), TAUT_VECTOR_ZERO));
    taut_freebody_force_end(f, f->hub[point[0]], point[0], 1.0);
    return TAUT_OK;
}

/* Anything else acts on what its gradient says. */
static taut_status transmit_gradient(taut_freebody *f, taut_sweep_mode mode, taut_node scalar) {
    taut_parts parts = {0};
    TAUT_TRY(begin(f, TAUT_SPAN_ALONG, false, 0, TAUT_VECTOR_ZERO));
    f->reactions->transfer[f->reactions->transfers - 1].scalar = true;
    taut_status status = taut_freebody_gradient(f, mode, scalar, &parts);
    taut_freebody_part_ends(f, &parts, 1.0);
    taut_release((void **)&parts.item);
    return status;
}

static taut_status transmit_driver(taut_freebody *f, const taut_constraint *c) {
    const taut_natural *n = f->natural;
    bool found = false;
    taut_status status = TAUT_OK;
    for (int i = 0; i < n->mechanism->angles; i++)
        if (c->rate != TAUT_NO_NODE && n->angle[i].value == c->driven &&
            transmit_angle(f, &n->angle[i], &status))
            return status;
    if (c->rate != TAUT_NO_NODE) return transmit_gradient(f, TAUT_SWEEP_VELOCITY, c->rate);
    TAUT_TRY(transmit_actuator(f, c->name + strlen("driver "), &found));
    return found ? TAUT_OK : transmit_gradient(f, TAUT_SWEEP_PLAIN, c->driven);
}

static taut_status transmit_constraint(taut_freebody *f, const taut_constraint *c) {
    if (!c->driver && !c->formula) return TAUT_OK;
    come_from(f, c->driver ? TAUT_BY_DRIVER : TAUT_BY_FORMULA, c->name, c->place);
    if (c->driver) return transmit_driver(f, c);
    return transmit_gradient(f, c->velocity ? TAUT_SWEEP_VELOCITY : TAUT_SWEEP_PLAIN, c->node);
}

taut_status taut_freebody_transmit(taut_freebody *f) {
    const taut_natural *n = f->natural;
    for (int i = 0; i < n->mechanism->joints; i++) TAUT_TRY(transmit_joint(f, i));
    for (int e = 0; e < n->mechanism->elements; e++) TAUT_TRY(transmit_formula(f, e));
    for (size_t i = 0; i < n->constraints; i++) TAUT_TRY(transmit_constraint(f, &n->constraint[i]));
    for (int i = 0; i < n->left_out_count; i++) TAUT_TRY(transmit_constraint(f, &n->left_out[i]));
    return TAUT_OK;
}
