/* Force elements beyond springs: torsion springs, rotational dampers, bushings, drag; and loads,
 * which are any formulas. All by virtual power: a force is the adjoint of a coordinate, a torque
 * that of an angular rate (docs/math/joints.md, section 4). */
#include "form/mechanics.h"

/* ---- bodies ---- */

/* Axis i of a body's local axes in the world; those of the ground, -1, are the world's. */
static taut_vec body_axis(taut_mechanics *n, int body, int i) {
    taut_vec local = {.n = n->mechanism->dimension};
    for (int k = 0; k < local.n; k++) local.c[k] = taut_number(n->graph, k == i ? 1.0 : 0.0);
    return body < 0 ? local : taut_kin_direction(n->kin, body, local);
}

/* What has no frame has no angular velocity. */
static taut_status check_frame(taut_mechanics *n, int body, const char *what, taut_place place) {
    if (body < 0 || n->kin->frame[body].axes >= n->mechanism->dimension) return TAUT_OK;
    return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                        "'%s' is a thin rod without a frame: give it a third element for a %s to "
                        "act on",
                        n->mechanism->body[body].name, what);
}

/* The angular velocity of a body in world axes (2D: a scalar); 0 of the ground, -1. */
static taut_vec world_omega(taut_mechanics *n, int body) {
    taut_vec sum = {.n = n->mechanism->dimension == 2 ? 1 : 3};
    for (int i = 0; i < sum.n; i++) sum.c[i] = taut_number(n->graph, 0.0);
    if (body < 0) return sum;
    const taut_vec omega = taut_kin_omega(n->kin, body);
    if (omega.n == 1) return omega;
    for (int i = 0; i < 3; i++)
        sum = taut_kin_add(n->graph, sum, 1.0,
                           taut_vec_scale(n->graph, omega.c[i], n->kin->frame[body].axis[i]));
    return sum;
}

/* Angular velocity of the second body against the first. */
static taut_vec relative_omega(taut_mechanics *n, const int body[2]) {
    return taut_kin_add(n->graph, world_omega(n, body[1]), -1.0, world_omega(n, body[0]));
}

static bool is_there(const taut_mechanics *n, taut_node number) {
    return number != TAUT_NO_NODE && taut_node_get(n->graph, number)->value != 0.0;
}

/* ---- springs and dampers on one coordinate ---- */

/* A force -k e along the coordinate whose excess over its rest is e, and its energy. It is added to
 * *force, as those below. */
static taut_status resist(taut_mechanics *n, taut_node k, taut_node coordinate, taut_node excess,
                          taut_node *force) {
    taut_graph *g = n->graph;
    if (!is_there(n, k)) return TAUT_OK;
    taut_node pull = taut_mul(g, k, excess);
    TAUT_TRY(taut_mechanics_lift(n, "spring", n->model->problem_place, &pull));
    *force = taut_sub(g, *force, pull);
    TAUT_TRY(
        taut_terms_add(&n->elastic, taut_scale(g, 0.5, taut_mul(g, k, taut_square(g, excess)))));
    return taut_mechanics_push(n, coordinate, pull, -1.0, true);
}

/* A force -c x' along the coordinate x. */
static taut_status damp(taut_mechanics *n, taut_node c, taut_node x, taut_node *force) {
    if (!is_there(n, c)) return TAUT_OK;
    taut_node drag = taut_mul(n->graph, c, taut_dot(n->graph, x, 1));
    TAUT_TRY(taut_mechanics_lift(n, "damper", n->model->problem_place, &drag));
    n->open = true;
    *force = taut_sub(n->graph, *force, drag);
    return taut_mechanics_push(n, x, drag, -1.0, false);
}

/* A torque -c w along the angular rate w. */
static taut_status damp_rate(taut_mechanics *n, taut_node c, taut_node w, taut_node *torque) {
    if (!is_there(n, c)) return TAUT_OK;
    taut_node drag = taut_mul(n->graph, c, w);
    TAUT_TRY(taut_mechanics_lift(n, "damper", n->model->problem_place, &drag));
    n->open = true;
    *torque = taut_sub(n->graph, *torque, drag);
    return taut_mechanics_turn(n, w, drag, -1.0);
}

static taut_vec nothing(const taut_mechanics *n, int components) {
    taut_vec v = {.n = components};
    for (int i = 0; i < components; i++) v.c[i] = taut_number(n->graph, 0.0);
    return v;
}

/* A torque on the second body, and its opposite on the first. */
static taut_status act_between(taut_mechanics *n, const int body[2], taut_vec torque) {
    for (int side = 0; side < 2; side++)
        TAUT_TRY(taut_mechanics_act(n, (taut_action){.kind = TAUT_ACTS_AS_TORQUE,
                                                     .body = body[side],
                                                     .value = torque,
                                                     .sign = side ? 1.0 : -1.0,
                                                     .link = -1}));
    return TAUT_OK;
}

static taut_status add_torsion(taut_mechanics *n, const taut_torsion *x) {
    if (x->angle >= 0) {
        const taut_node angle = n->angle[x->angle].variable;
        taut_node torque = taut_number(n->graph, 0.0);
        if (x->stiffness != TAUT_NO_NODE)
            TAUT_TRY(resist(n, x->stiffness, angle, taut_sub(n->graph, angle, x->rest), &torque));
        TAUT_TRY(damp(n, x->damping, angle, &torque));
        return taut_mechanics_act(n, (taut_action){.kind = TAUT_ACTS_ON_COORDINATE,
                                                   .coordinate = angle,
                                                   .value = taut_vec_scalar(torque),
                                                   .sign = 1.0,
                                                   .link = -1,
                                                   .source = x->name});
    }
    for (int side = 0; side < 2; side++)
        TAUT_TRY(check_frame(n, x->body[side], "damper", x->place));
    const taut_vec omega = relative_omega(n, x->body);
    taut_vec torque = nothing(n, omega.n);
    for (int i = 0; i < omega.n; i++) TAUT_TRY(damp_rate(n, x->damping, omega.c[i], &torque.c[i]));
    return act_between(n, x->body, torque);
}

/* ---- bushings ---- */

/* How far the second body is turned against the first, about axis i of the first: the sine of the
 * angle times the axis about which it is turned, (e_k . f_j - e_j . f_k)/2 with i, j, k cyclic. */
static taut_node turned(taut_mechanics *n, const int body[2], int i) {
    taut_graph *g = n->graph;
    if (n->mechanism->dimension == 2)
        return taut_vec_cross(g, body_axis(n, body[0], 0), body_axis(n, body[1], 0)).c[0];
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const taut_node one = taut_vec_inner(g, body_axis(n, body[0], k), body_axis(n, body[1], j));
    const taut_node two = taut_vec_inner(g, body_axis(n, body[0], j), body_axis(n, body[1], k));
    return taut_sum(g, 0.0, 2, (double[]){0.5, -0.5}, (taut_node[]){one, two});
}

/* The torque on the second body that goes with a force on `turned`. */
static taut_vec turning_torque(taut_mechanics *n, const int body[2], int i, taut_node force) {
    taut_graph *g = n->graph;
    if (n->mechanism->dimension == 2)
        return taut_vec_scalar(taut_mul(
            g, force, taut_vec_inner(g, body_axis(n, body[0], 0), body_axis(n, body[1], 0))));
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const taut_vec one = taut_vec_cross(g, body_axis(n, body[1], j), body_axis(n, body[0], k));
    const taut_vec two = taut_vec_cross(g, body_axis(n, body[1], k), body_axis(n, body[0], j));
    return taut_vec_scale(g, taut_scale(g, 0.5, force), taut_kin_add(g, one, -1.0, two));
}

/* A force at the second point, and its opposite on the first body, at the same place. */
static taut_status act_bushing(taut_mechanics *n, const taut_bushing *x, taut_vec force) {
    TAUT_TRY(taut_mechanics_act(n, (taut_action){.kind = TAUT_ACTS_ON_BODY,
                                                 .element = x->point[1],
                                                 .body = x->body[0],
                                                 .value = force,
                                                 .sign = -1.0,
                                                 .link = -1}));
    return taut_mechanics_act(n, (taut_action){.kind = TAUT_ACTS_AT_POINT,
                                               .element = x->point[1],
                                               .body = x->body[1],
                                               .value = force,
                                               .sign = 1.0,
                                               .link = -1,
                                               .source = x->name});
}

static taut_status add_bushing(taut_mechanics *n, const taut_bushing *x) {
    taut_graph *g = n->graph;
    const taut_vec *value = n->kin->value;
    const taut_vec gap = taut_kin_add(g, value[x->point[1]], -1.0, value[x->point[0]]);
    for (int side = 0; side < 2; side++)
        if (side == 0 || x->torsion.n + x->twist_damping.n > 0)
            TAUT_TRY(check_frame(n, x->body[side], "bushing", x->place));
    taut_vec force = nothing(n, gap.n), torque = nothing(n, gap.n == 2 ? 1 : 3);
    for (int i = 0; i < gap.n; i++) {
        const taut_vec axis = body_axis(n, x->body[0], i);
        const taut_node way = taut_vec_inner(g, gap, axis);
        taut_node along = taut_number(g, 0.0);
        TAUT_TRY(resist(n, x->stiffness.c[i], way, way, &along));
        TAUT_TRY(damp(n, x->damping.c[i], way, &along));
        force = taut_kin_add(g, force, 1.0, taut_vec_scale(g, along, axis));
    }
    for (int i = 0; i < x->torsion.n; i++) {
        const taut_node turn = turned(n, x->body, i);
        taut_node about = taut_number(g, 0.0);
        TAUT_TRY(resist(n, x->torsion.c[i], turn, turn, &about));
        torque = taut_kin_add(g, torque, 1.0, turning_torque(n, x->body, i, about));
    }
    const taut_vec omega = x->twist_damping.n > 0 ? relative_omega(n, x->body) : (taut_vec){0};
    for (int i = 0; i < omega.n; i++) {
        const taut_vec axis =
            omega.n == 1 ? taut_vec_scalar(taut_number(g, 1.0)) : body_axis(n, x->body[0], i);
        taut_node about = taut_number(g, 0.0);
        TAUT_TRY(damp_rate(n, x->twist_damping.c[i], taut_vec_inner(g, omega, axis), &about));
        torque = taut_kin_add(g, torque, 1.0, taut_vec_scale(g, about, axis));
    }
    TAUT_TRY(act_between(n, x->body, torque));
    return act_bushing(n, x, force);
}

/* ---- rotors ---- */

/* What turns with a coordinate alone has the energy J/2 x'^2; its inertia acts on the coordinate as
 * the torque -J x''. */
static taut_status add_armature(taut_mechanics *n, const taut_armature *a) {
    taut_graph *g = n->graph;
    taut_node x;
    TAUT_TRY(taut_kin_import(n->kin, a->on, a->place, &x));
    if (!is_there(n, a->inertia)) return TAUT_OK;
    const taut_tracked *angle = taut_mechanics_tracked(n, x);
    const taut_node rate = angle ? angle->rate : taut_dot(g, x, 1);
    const taut_node torque = taut_mul(g, a->inertia, taut_dot(g, rate, 1));
    TAUT_TRY(taut_terms_add(&n->kinetic,
                            taut_scale(g, 0.5, taut_mul(g, a->inertia, taut_square(g, rate)))));
    return taut_mechanics_act(n, (taut_action){.kind = TAUT_ACTS_ON_COORDINATE,
                                               .coordinate = x,
                                               .name = a->name,
                                               .value = taut_vec_scalar(torque),
                                               .sign = -1.0,
                                               .link = -1});
}

/* ---- drag ---- */

static taut_status add_drag(taut_mechanics *n, const taut_drag *x) {
    taut_graph *g = n->graph;
    const taut_vec P = n->kin->value[x->point], v = taut_vec_dot_time(g, P, 1);
    taut_node factor = x->linear;
    if (is_there(n, x->square)) {
        const taut_node square = taut_add(g, taut_vec_inner(g, v, v), taut_square(g, x->slow));
        factor = taut_add(g, factor, taut_mul(g, x->square, taut_root(g, square)));
    }
    n->open = true;
    return taut_mechanics_force(n, x->point, -1, taut_vec_scale(g, factor, v), -1.0, false);
}

taut_status taut_mechanics_elements(taut_mechanics *n) {
    const taut_mechanism *m = n->mechanism;
    for (int i = 0; i < m->torsions; i++) TAUT_MECHANICS_NOTE(n, add_torsion(n, &m->torsion[i]));
    for (int i = 0; i < m->bushings; i++) TAUT_MECHANICS_NOTE(n, add_bushing(n, &m->bushing[i]));
    for (int i = 0; i < m->armatures; i++) TAUT_MECHANICS_NOTE(n, add_armature(n, &m->armature[i]));
    for (int i = 0; i < m->drags; i++) TAUT_TRY(add_drag(n, &m->drag[i]));
    return TAUT_OK;
}

/* ---- loads ---- */

/* A force at a point, and its opposite at another one. A single number between two points acts
 * along their line, apart if it is positive. */
static taut_status add_force(taut_mechanics *n, const taut_load *load) {
    taut_graph *g = n->graph;
    const taut_vec *value = n->kin->value;
    const taut_vec P = value[load->target];
    taut_vec force;
    TAUT_TRY(taut_kin_import_vec(n->kin, load->value, load->value_place, &force));
    if (force.n == 1) {
        const taut_vec d = taut_kin_add(g, P, -1.0, value[load->against]);
        force = taut_vec_scale(g, taut_div(g, force.c[0], taut_vec_norm(g, d)), d);
    }
    TAUT_TRY(taut_mechanics_force(n, load->target, -1, force, 1.0, false));
    return load->against < 0 ? TAUT_OK
                             : taut_mechanics_force(n, load->against, -1, force, -1.0, false);
}

static taut_status add_torque(taut_mechanics *n, const taut_load *load) {
    taut_vec torque;
    const int body[2] = {load->against, load->target};
    for (int side = 0; side < 2; side++)
        TAUT_TRY(check_frame(n, body[side], "torque", load->place));
    TAUT_TRY(taut_kin_import_vec(n->kin, load->value, load->value_place, &torque));
    const taut_vec omega = relative_omega(n, body);
    for (int i = 0; i < omega.n; i++)
        TAUT_TRY(taut_mechanics_turn(n, omega.c[i], torque.c[i], 1.0));
    return act_between(n, body, torque);
}

static taut_status add_load(taut_mechanics *n, const taut_load *load) {
    n->open = true;
    if (!load->coordinate) return load->torque ? add_torque(n, load) : add_force(n, load);
    taut_node x, force;
    TAUT_TRY(taut_kin_import(n->kin, load->on, load->place, &x));
    TAUT_TRY(taut_kin_import(n->kin, load->value.c[0], load->value_place, &force));
    TAUT_TRY(taut_mechanics_act(n, (taut_action){.kind = TAUT_ACTS_ON_COORDINATE,
                                                 .coordinate = x,
                                                 .name = load->coordinate,
                                                 .value = taut_vec_scalar(force),
                                                 .sign = 1.0,
                                                 .link = -1}));
    return taut_mechanics_push(n, x, force, 1.0, false);
}

taut_status taut_mechanics_loads(taut_mechanics *n) {
    for (int i = 0; i < n->mechanism->loads; i++)
        TAUT_MECHANICS_NOTE(n, add_load(n, &n->mechanism->load[i]));
    return TAUT_OK;
}
