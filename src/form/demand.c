/* What bodies demand of their joints: the rates of their momenta, less weights, springs and all
 * other loads. */
#include "form/freebody.h"

/* ---- loads ---- */

static void subtract(taut_freebody *f, int carrier, taut_vec at, taut_vec force) {
    taut_demand *d = &f->demand[carrier];
    const taut_vec arm = taut_kin_add(f->graph, at, -1.0, d->reference);
    d->force = taut_kin_add(f->graph, d->force, -1.0, force);
    if (f->reactions->carrier[carrier].turns)
        d->moment = taut_kin_add(f->graph, d->moment, -1.0, taut_vec_cross(f->graph, arm, force));
}

static void turn(taut_freebody *f, int carrier, taut_vec torque) {
    taut_demand *d = &f->demand[carrier];
    d->moment = taut_kin_add(f->graph, d->moment, -1.0, torque);
}

/* The rod that has an element as one of its ends; -1: the carrier is none. */
static int rod_end(const taut_freebody *f, int carrier, int element, int *end) {
    const taut_mechanism *m = f->mechanics->mechanism;
    if (carrier >= m->bodies || f->rod[carrier] < 0) return -1;
    *end = m->body[carrier].element[1] == element;
    return f->rod[carrier];
}

static void push_carrier(taut_freebody *f, int carrier, int element, taut_vec force) {
    int end = 0;
    subtract(f, carrier, taut_freebody_value(f, element), force);
    const int rod = rod_end(f, carrier, element, &end);
    if (rod >= 0) f->load[rod][end] = taut_kin_add(f->graph, f->load[rod][end], 1.0, force);
}

static void push_part(taut_freebody *f, const taut_part *p, taut_vec force) {
    taut_vec here = taut_freebody_zero(f);
    for (int i = 0; i < 3; i++)
        here = taut_kin_add(f->graph, here, 1.0, taut_vec_scale(f->graph, force.c[i], p->row[i]));
    if (p->kind == TAUT_END_TORQUE)
        turn(f, p->carrier, here);
    else if (p->kind == TAUT_END_ARM)
        turn(f, p->carrier, taut_vec_cross(f->graph, taut_freebody_value(f, p->element), here));
    else
        push_carrier(f, p->carrier, p->element, here);
}

/* A force (three components) at an element. */
static void push(taut_freebody *f, int element, taut_vec force) {
    const int hub = f->hub[element];
    if (hub == TAUT_HUB_GROUND || f->failed) return;
    if (hub == TAUT_HUB_FORMULA) {
        taut_parts parts = {0};
        if (taut_freebody_spread(f, element, &parts) != TAUT_OK) f->failed = true;
        for (int i = 0; i < parts.count; i++) push_part(f, &parts.item[i], force);
        taut_release((void **)&parts.item);
        return;
    }
    push_carrier(f, hub, element, force);
}

/* mass (g - a); heavy: gravity acts on it */
static taut_vec weight_less_inertia(const taut_freebody *f, taut_node mass, taut_vec point,
                                    bool heavy) {
    const taut_mechanism *m = f->mechanics->mechanism;
    taut_vec a = taut_vec_dot_time(f->graph, point, 2), net = taut_freebody_zero(f);
    if (m->has_gravity && heavy)
        net = taut_kin_add(f->graph, net, 1.0, taut_freebody_spatial(f, m->gravity));
    net = taut_kin_add(f->graph, net, -1.0, taut_freebody_spatial(f, a));
    return taut_vec_scale(f->graph, mass, net);
}

/* The rate of a body's angular momentum about its centroid. */
static taut_vec spin_rate(taut_freebody *f, int body) {
    taut_mechanics *n = f->mechanics;
    taut_graph *g = f->graph;
    const taut_body *b = &n->mechanism->body[body];
    const taut_frame *frame = &n->kin->frame[body];
    if (frame->axes == 2 && frame->omega.n == 1)
        return taut_freebody_spatial(
            f, taut_vec_scale(g, b->inertia[0][0], taut_vec_dot_time(g, frame->omega, 1)));
    if (frame->axes < 3 || b->thin) { /* I x x x'' */
        const taut_vec x = taut_freebody_spatial(
            f, frame->axes < 3 ? frame->axis[0]
                               : taut_kin_direction(n->kin, body, taut_kin_local_x(n->kin)));
        return taut_vec_scale(g, b->inertia[0][0],
                              taut_vec_cross(g, x, taut_vec_dot_time(g, x, 2)));
    }
    /* (I w)' along the frame's axes: I w' + w x I w */
    const taut_vec w = taut_kin_omega(n->kin, body), rate = taut_vec_dot_time(g, w, 1);
    taut_vec spin = {.n = 3}, change = {.n = 3};
    for (int i = 0; i < 3; i++) {
        taut_vec row = {.n = 3}; /* q_i I q_k */
        for (int k = 0; k < 3; k++) {
            taut_vec column = {.n = 3};
            for (int a = 0; a < 3; a++) {
                const taut_vec line = {3, {b->inertia[a][0], b->inertia[a][1], b->inertia[a][2]}};
                column.c[a] = taut_vec_inner(g, line, frame->q[k]);
            }
            row.c[k] = taut_vec_inner(g, frame->q[i], column);
        }
        spin.c[i] = taut_vec_inner(g, row, w);
        change.c[i] = taut_vec_inner(g, row, rate);
    }
    change = taut_kin_add(g, change, 1.0, taut_vec_cross(g, w, spin));
    taut_vec sum = taut_freebody_zero(f);
    for (int i = 0; i < 3; i++)
        sum = taut_kin_add(g, sum, 1.0, taut_vec_scale(g, change.c[i], frame->axis[i]));
    return sum;
}

/* A uniform rod that stretches: half of its weight at each end, its inertia mu/6 (2 A'' + B''). */
static void push_link_mass(taut_freebody *f, const taut_link *link) {
    const taut_vec *value = f->mechanics->kin->value;
    for (int k = 0; k < 2; k++) {
        const taut_vec here = value[link->point[k]], there = value[link->point[1 - k]];
        taut_vec third = taut_kin_add(f->graph, there, 2.0, here);
        for (int i = 0; i < third.n; i++) third.c[i] = taut_scale(f->graph, 1.0 / 3.0, third.c[i]);
        push(f, link->point[k],
             weight_less_inertia(f, taut_scale(f->graph, 0.5, link->mass), third, true));
    }
}

/* A force or torque on a coordinate. */
static void push_coordinate(taut_freebody *f, const taut_action *a, taut_node value) {
    const taut_node zero = taut_number(f->graph, 0.0);
    taut_parts parts = {0};
    if (taut_freebody_coordinate(f, a->name, a->coordinate, taut_number(f->graph, 1.0), &parts) !=
        TAUT_OK)
        f->failed = true;
    for (int i = 0; i < parts.count; i++)
        push_part(f, &parts.item[i], (taut_vec){3, {value, zero, zero}});
    taut_release((void **)&parts.item);
}

/* A force on a formula of positions, or on one of velocities, as the model has it. */
static void push_formula(taut_freebody *f, taut_sweep_mode kind, taut_node formula,
                         taut_node force) {
    const taut_node zero = taut_number(f->graph, 0.0);
    taut_parts parts = {0};
    if (f->failed) return;
    if (taut_freebody_gradient(f, kind, formula, taut_number(f->graph, 1.0), &parts) != TAUT_OK)
        f->failed = true;
    for (int i = 0; i < parts.count; i++)
        push_part(f, &parts.item[i], (taut_vec){3, {force, zero, zero}});
    taut_release((void **)&parts.item);
}

static void add_action(taut_freebody *f, const taut_action *a) {
    const taut_vec value = taut_vec_scale(f->graph, taut_number(f->graph, a->sign), a->value);
    if (f->failed) return;
    switch (a->kind) {
    case TAUT_ACTS_AT_POINT: push(f, a->element, taut_freebody_spatial(f, value)); return;
    case TAUT_ACTS_ON_BODY:
        if (a->body >= 0) push_carrier(f, a->body, a->element, taut_freebody_spatial(f, value));
        return;
    case TAUT_ACTS_AS_TORQUE:
        if (a->body >= 0) turn(f, a->body, taut_freebody_spatial(f, value));
        return;
    case TAUT_ACTS_ON_COORDINATE: push_coordinate(f, a, value.c[0]); return;
    }
}

void taut_freebody_demand(taut_freebody *f) {
    const taut_mechanics *n = f->mechanics;
    const taut_mechanism *m = n->mechanism;
    for (int b = 0; b < m->bodies; b++) {
        const taut_body *x = &m->body[b];
        if (!x->has_mass) continue;
        const taut_vec centroid = taut_kin_centre(n->kin, b);
        subtract(f, b, f->demand[b].reference,
                 weight_less_inertia(f, x->mass, centroid, !x->weightless));
        f->demand[b].moment = taut_kin_add(f->graph, f->demand[b].moment, 1.0, spin_rate(f, b));
    }
    for (int i = 0; i < m->particles; i++) {
        const taut_particle *x = &m->particle[i];
        push(f, x->point, weight_less_inertia(f, x->mass, n->kin->value[x->point], !x->weightless));
    }
    for (int i = 0; i < m->links; i++)
        if (m->link[i].mass != TAUT_NO_NODE) push_link_mass(f, &m->link[i]);
    for (size_t i = 0; i < n->actions; i++) add_action(f, &n->action[i]);
    for (int i = 0; i < n->model->contacts; i++) {
        const taut_model_contact *given = &n->model->contact[i];
        const taut_formed_contact *c = &n->problem->contact[i];
        const taut_node formula[TAUT_TOUCH_ROWS] = {given->gap, given->along[0], given->along[1],
                                                    given->along[2]};
        for (int k = 0; k < TAUT_TOUCH_ROWS; k++)
            if (taut_contact_has_row(c, k) && !given->breaks)
                push_formula(f, c->rates && k > 0 ? TAUT_SWEEP_VELOCITY : TAUT_SWEEP_PLAIN,
                             formula[k], c->force[k]);
    }
}
