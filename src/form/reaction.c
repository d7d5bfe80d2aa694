/* Free bodies: the balance of each, as nodes, and the columns that come out of them. */
#include "form/reaction.h"

#include <math.h>
#include <string.h>

#include "form/freebody.h"

int taut_span_size(taut_span span, int dimension, bool torque) {
    const int all = dimension == 3 ? 3 : torque ? 1 : 2;
    switch (span) {
    case TAUT_SPAN_ALL: return all;
    case TAUT_SPAN_ACROSS: return dimension == 2 && torque ? 1 : all - 1;
    case TAUT_SPAN_ALONG:
    case TAUT_SPAN_COMMON: return 1;
    default: return 0;
    }
}

int taut_reactions_size(const taut_reactions *r) {
    int size = 0;
    for (int i = 0; i < r->transfers; i++)
        size += taut_span_size(r->transfer[i].span, r->dimension, r->transfer[i].torque);
    return size;
}

void taut_reactions_release(taut_reactions *r) {
    taut_release((void **)&r->vector);
    taut_release((void **)&r->carrier);
    taut_release((void **)&r->transfer);
    taut_release((void **)&r->end);
    taut_release((void **)&r->rod);
    taut_release((void **)&r->column);
}

/* ---- vectors ---- */

taut_vec taut_freebody_spatial(const taut_freebody *f, taut_vec v) {
    const taut_node zero = taut_number(f->graph, 0.0);
    if (v.n == 1) return (taut_vec){3, {zero, zero, v.c[0]}};
    if (v.n == 2) return (taut_vec){3, {v.c[0], v.c[1], zero}};
    return v;
}

int taut_freebody_vector(taut_freebody *f, taut_vec v) {
    taut_reactions *r = f->reactions;
    if (taut_grow((void **)&r->vector, &r->vector_room, (size_t)r->vectors + 1,
                  sizeof *r->vector)) {
        f->failed = true;
        return TAUT_VECTOR_ZERO;
    }
    memcpy(r->vector[r->vectors], v.c, sizeof *r->vector);
    return r->vectors++;
}

taut_vec taut_freebody_value(const taut_freebody *f, int element) {
    return taut_freebody_spatial(f, f->natural->kin->value[element]);
}

int taut_freebody_place(taut_freebody *f, int element) {
    if (f->place[element] < 0)
        f->place[element] = taut_freebody_vector(f, taut_freebody_value(f, element));
    return f->place[element];
}

static taut_vec zero_vector(const taut_freebody *f) {
    return taut_freebody_spatial(
        f, (taut_vec){2, {taut_number(f->graph, 0.0), taut_number(f->graph, 0.0)}});
}

/* ---- carriers ---- */

static void add_carrier(taut_freebody *f, const char *name, bool turns, taut_vec reference) {
    taut_reactions *r = f->reactions;
    if (f->failed || taut_grow((void **)&r->carrier, &r->carrier_room, (size_t)r->carriers + 1,
                               sizeof *r->carrier)) {
        f->failed = true;
        return;
    }
    r->carrier[r->carriers] = (taut_carrier){.name = name, .turns = turns, .line = -1};
    f->demand[r->carriers++] =
        (taut_demand){taut_freebody_spatial(f, reference), zero_vector(f), zero_vector(f)};
}

/* What acts on a shared point acts on the first body that has it. */
static int find_hub(taut_freebody *f, int e) {
    const taut_mechanism *m = f->natural->mechanism;
    const taut_element *x = &m->element[e];
    if (x->fixed) return TAUT_HUB_GROUND;
    if (x->formula) return TAUT_HUB_FORMULA;
    if (m->carrier_start[e] < m->carrier_start[e + 1]) return m->carrier[m->carrier_start[e]];
    if (x->is_vector) return TAUT_HUB_GROUND;
    add_carrier(f, x->name, false, f->natural->kin->value[e]);
    return f->reactions->carriers - 1;
}

static void make_carriers(taut_freebody *f) {
    const taut_mechanism *m = f->natural->mechanism;
    for (int b = 0; b < m->bodies; b++) {
        const taut_body *x = &m->body[b];
        add_carrier(f, x->name, true,
                    x->has_mass ? taut_kin_point(f->natural->kin, b, x->centroid)
                                : f->natural->kin->frame[b].origin);
    }
    for (int e = 0; e < m->elements && !f->failed; e++) f->hub[e] = find_hub(f, e);
}

/* Torques compare with forces by the size of the bodies. */
static double size_of_bodies(const taut_freebody *f) {
    const taut_mechanism *m = f->natural->mechanism;
    double largest = 0.0;
    for (int b = 0; b < m->bodies; b++)
        for (int k = 1; k < m->body[b].elements; k++) {
            double square = 0.0;
            if (m->element[m->body[b].element[k]].is_vector) continue;
            for (int i = 0; i < m->dimension; i++)
                square += pow(taut_node_get(f->graph, m->body[b].local[k].c[i])->value, 2.0);
            largest = fmax(largest, sqrt(square));
        }
    return largest > 0.0 ? largest : 1.0;
}

/* ---- loads ---- */

static void subtract(taut_freebody *f, int carrier, taut_vec at, taut_vec force) {
    taut_demand *d = &f->demand[carrier];
    const taut_vec arm = taut_kin_add(f->graph, at, -1.0, d->reference);
    d->force = taut_kin_add(f->graph, d->force, -1.0, force);
    if (f->reactions->carrier[carrier].turns)
        d->moment = taut_kin_add(f->graph, d->moment, -1.0, taut_vec_cross(f->graph, arm, force));
}

void taut_freebody_turn(taut_freebody *f, int carrier, taut_vec torque) {
    taut_demand *d = &f->demand[carrier];
    d->moment = taut_kin_add(f->graph, d->moment, -1.0, torque);
}

/* The rod that has an element as one of its ends; -1: the carrier is none. */
static int rod_end(const taut_freebody *f, int carrier, int element, int *end) {
    const taut_mechanism *m = f->natural->mechanism;
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
    taut_vec here = zero_vector(f);
    for (int i = 0; i < 3; i++)
        here = taut_kin_add(f->graph, here, 1.0, taut_vec_scale(f->graph, force.c[i], p->row[i]));
    if (p->kind == TAUT_END_TORQUE)
        taut_freebody_turn(f, p->carrier, here);
    else if (p->kind == TAUT_END_ARM)
        taut_freebody_turn(f, p->carrier,
                           taut_vec_cross(f->graph, taut_freebody_value(f, p->element), here));
    else
        push_carrier(f, p->carrier, p->element, here);
}

void taut_freebody_push(taut_freebody *f, int element, taut_vec force) {
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
    const taut_mechanism *m = f->natural->mechanism;
    taut_vec a = taut_vec_dot_time(f->graph, point, 2), net = zero_vector(f);
    if (m->has_gravity && heavy)
        net = taut_kin_add(f->graph, net, 1.0, taut_freebody_spatial(f, m->gravity));
    net = taut_kin_add(f->graph, net, -1.0, taut_freebody_spatial(f, a));
    return taut_vec_scale(f->graph, mass, net);
}

/* The rate of a body's angular momentum about its centroid. */
static taut_vec spin_rate(taut_freebody *f, int body) {
    taut_natural *n = f->natural;
    taut_graph *g = f->graph;
    const taut_body *b = &n->mechanism->body[body];
    const taut_frame *frame = &n->kin->frame[body];
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
    taut_vec sum = zero_vector(f);
    for (int i = 0; i < 3; i++)
        sum = taut_kin_add(g, sum, 1.0, taut_vec_scale(g, change.c[i], frame->axis[i]));
    return sum;
}

/* A uniform rod that stretches: half of its weight at each end, its inertia mu/6 (2 A'' + B''). */
static void push_link_mass(taut_freebody *f, const taut_link *link) {
    const taut_vec *value = f->natural->kin->value;
    for (int k = 0; k < 2; k++) {
        const taut_vec here = value[link->point[k]], there = value[link->point[1 - k]];
        taut_vec third = taut_kin_add(f->graph, there, 2.0, here);
        for (int i = 0; i < third.n; i++) third.c[i] = taut_scale(f->graph, 1.0 / 3.0, third.c[i]);
        taut_freebody_push(
            f, link->point[k],
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

static void add_action(taut_freebody *f, const taut_action *a) {
    const taut_vec value = taut_vec_scale(f->graph, taut_number(f->graph, a->sign), a->value);
    if (f->failed) return;
    switch (a->kind) {
    case TAUT_ACTS_AT_POINT:
        taut_freebody_push(f, a->element, taut_freebody_spatial(f, value));
        return;
    case TAUT_ACTS_ON_BODY:
        if (a->body >= 0) push_carrier(f, a->body, a->element, taut_freebody_spatial(f, value));
        return;
    case TAUT_ACTS_AS_TORQUE:
        if (a->body >= 0) taut_freebody_turn(f, a->body, taut_freebody_spatial(f, value));
        return;
    case TAUT_ACTS_ON_COORDINATE: push_coordinate(f, a, value.c[0]); return;
    }
}

static void add_loads(taut_freebody *f) {
    const taut_natural *n = f->natural;
    const taut_mechanism *m = n->mechanism;
    for (int b = 0; b < m->bodies; b++) {
        const taut_body *x = &m->body[b];
        if (!x->has_mass) continue;
        const taut_vec centroid = taut_kin_point(n->kin, b, x->centroid);
        subtract(f, b, f->demand[b].reference,
                 weight_less_inertia(f, x->mass, centroid, !x->weightless));
        f->demand[b].moment = taut_kin_add(f->graph, f->demand[b].moment, 1.0, spin_rate(f, b));
    }
    for (int i = 0; i < m->particles; i++) {
        const taut_particle *x = &m->particle[i];
        taut_freebody_push(
            f, x->point, weight_less_inertia(f, x->mass, n->kin->value[x->point], !x->weightless));
    }
    for (int i = 0; i < m->links; i++)
        if (m->link[i].mass != TAUT_NO_NODE) push_link_mass(f, &m->link[i]);
    for (size_t i = 0; i < n->actions; i++) add_action(f, &n->action[i]);
}

/* ---- ends ---- */

void taut_freebody_end(taut_freebody *f, taut_end end) {
    taut_reactions *r = f->reactions;
    if (end.carrier < 0 || f->failed) return;
    if (taut_grow((void **)&r->end, &r->end_room, (size_t)r->ends + 1, sizeof *r->end)) {
        f->failed = true;
        return;
    }
    r->end[r->ends++] = end;
    r->transfer[r->transfers - 1].ends++;
}

void taut_freebody_part_ends(taut_freebody *f, const taut_parts *parts, double sign) {
    for (int i = 0; i < parts->count; i++) {
        const taut_part *p = &parts->item[i];
        const int at = p->element < 0 ? TAUT_VECTOR_ZERO : taut_freebody_place(f, p->element);
        const int rows = taut_freebody_vector(f, p->row[0]);
        taut_freebody_vector(f, p->row[1]);
        taut_freebody_vector(f, p->row[2]);
        taut_freebody_end(f, (taut_end){p->kind, p->carrier, at, rows, sign});
    }
}

void taut_freebody_force_end(taut_freebody *f, int hub, int element, double sign) {
    if (hub == TAUT_HUB_FORMULA) {
        taut_parts parts = {0};
        if (taut_freebody_spread(f, element, &parts) != TAUT_OK) f->failed = true;
        taut_freebody_part_ends(f, &parts, sign);
        taut_release((void **)&parts.item);
    } else {
        taut_freebody_end(
            f, (taut_end){TAUT_END_FORCE, hub, taut_freebody_place(f, element), -1, sign});
    }
}

/* ---- columns ---- */

static taut_status add_column(taut_freebody *f, taut_reaction column) {
    taut_reactions *r = f->reactions;
    if (!column.name ||
        taut_grow((void **)&r->column, &r->column_room, (size_t)r->columns + 1, sizeof *r->column))
        return TAUT_ERR_MEMORY;
    r->column[r->columns++] = column;
    return TAUT_OK;
}

/* The number of an axis of the world, or of a body with a frame of its own. */
static int find_axis(taut_freebody *f, int carrier, int i) {
    taut_natural *n = f->natural;
    const int dimension = n->mechanism->dimension;
    if (!f->body_axes || carrier < 0 || carrier >= n->mechanism->bodies ||
        n->kin->frame[carrier].axes < dimension || i >= dimension)
        return i;
    taut_vec local = {.n = dimension};
    for (int k = 0; k < dimension; k++) local.c[k] = taut_number(f->graph, k == i ? 1.0 : 0.0);
    return taut_freebody_vector(
        f, taut_freebody_spatial(f, taut_kin_direction(n->kin, carrier, local)));
}

taut_status taut_freebody_columns(taut_freebody *f, const char *name, int carrier, int transfer) {
    const bool torque = f->reactions->transfer[transfer].torque;
    const int dimension = f->natural->mechanism->dimension;
    for (int i = torque && dimension == 2 ? 2 : 0; i < (torque ? 3 : dimension); i++)
        TAUT_TRY(
            add_column(f, (taut_reaction){taut_problem_name(f->natural->problem, "%s.%c%c", name,
                                                            torque ? 'T' : 'F', "xyz"[i]),
                                          transfer, find_axis(f, carrier, i), -1}));
    return TAUT_OK;
}

taut_status taut_freebody_tension(taut_freebody *f, const char *name, int transfer) {
    return add_column(f, (taut_reaction){taut_problem_name(f->natural->problem, "%s.N", name),
                                         transfer, f->reactions->transfer[transfer].u, -1});
}

taut_status taut_freebody_load(taut_freebody *f, const char *name, int transfer) {
    return add_column(f, (taut_reaction){taut_problem_name(f->natural->problem, "%s.load", name),
                                         transfer, 0, -1});
}

/* ---- rods ---- */

static bool is_rod(const taut_mechanism *m, const taut_body *b) {
    return b->elements == 2 && !m->element[b->element[0]].is_vector &&
           !m->element[b->element[1]].is_vector;
}

static taut_status make_rods(taut_freebody *f) {
    const taut_mechanism *m = f->natural->mechanism;
    taut_reactions *r = f->reactions;
    for (int b = 0; b < m->bodies; b++) {
        f->rod[b] = -1;
        if (!is_rod(m, &m->body[b])) continue;
        if (taut_grow((void **)&r->rod, &r->rod_room, (size_t)r->rods + 1, sizeof *r->rod))
            return TAUT_ERR_MEMORY;
        f->load[r->rods][0] = f->load[r->rods][1] = zero_vector(f);
        r->rod[r->rods] = (taut_rod){.carrier = b};
        f->rod[b] = r->rods++;
    }
    return TAUT_OK;
}

static taut_status finish_rods(taut_freebody *f) {
    const taut_mechanism *m = f->natural->mechanism;
    for (int i = 0; i < f->reactions->rods; i++) {
        taut_rod *rod = &f->reactions->rod[i];
        const taut_body *b = &m->body[rod->carrier];
        rod->line = taut_freebody_vector(
            f, taut_freebody_spatial(f, f->natural->kin->frame[rod->carrier].axis[0]));
        for (int k = 0; k < 2; k++) {
            rod->end[k] = taut_freebody_place(f, b->element[k]);
            rod->load[k] = taut_freebody_vector(f, f->load[i][k]);
        }
        TAUT_TRY(
            add_column(f, (taut_reaction){taut_problem_name(f->natural->problem, "%s.N", b->name),
                                          -1, -1, i}));
    }
    return TAUT_OK;
}

/* ---- springs, dampers, drivers ---- */

/* A column that needs no balance. */
static taut_status add_value(taut_freebody *f, const char *name, taut_node value) {
    taut_vec v = zero_vector(f);
    v.c[0] = value;
    return add_column(f, (taut_reaction){name, -1, taut_freebody_vector(f, v), -1});
}

/* How a spring or damper pulls at its ends, along its line. */
static taut_status add_tension(taut_freebody *f, int number) {
    const taut_natural *n = f->natural;
    const taut_link *link = &n->mechanism->link[number];
    taut_graph *g = f->graph;
    const taut_vec d =
        taut_kin_add(g, n->kin->value[link->point[1]], -1.0, n->kin->value[link->point[0]]);
    taut_node sum = taut_number(g, 0.0);
    int before = 0;
    for (int i = 0; i < number; i++) before += strcmp(n->mechanism->link[i].name, link->name) == 0;
    for (size_t i = 0; i < n->actions; i++) {
        const taut_action *a = &n->action[i];
        if (a->link != number || a->element != link->point[0]) continue;
        sum = taut_add(g, sum, taut_scale(g, a->sign, taut_vec_inner(g, a->value, d)));
    }
    const char *name = before ? taut_problem_name(n->problem, "%s#%d.N", link->name, before + 1)
                              : taut_problem_name(n->problem, "%s.N", link->name);
    return add_value(f, name, taut_div(g, sum, taut_vec_norm(g, d)));
}

/* What torsion springs and bushings exert. */
static taut_status add_sources(taut_freebody *f) {
    const taut_natural *n = f->natural;
    for (size_t i = 0; i < n->actions; i++) {
        const taut_action *a = &n->action[i];
        if (!a->source) continue;
        if (a->kind == TAUT_ACTS_ON_COORDINATE)
            TAUT_TRY(add_value(f, taut_problem_name(n->problem, "%s.T", a->source), a->value.c[0]));
        for (int k = 0; k < a->value.n && a->kind == TAUT_ACTS_AT_POINT; k++) {
            taut_vec axis = {3, {0}};
            memcpy(axis.c, f->reactions->vector[find_axis(f, a->body, k)], sizeof axis.c);
            TAUT_TRY(add_value(f, taut_problem_name(n->problem, "%s.F%c", a->source, "xyz"[k]),
                               taut_vec_inner(f->graph, taut_freebody_spatial(f, a->value), axis)));
        }
    }
    return TAUT_OK;
}

static taut_status add_powers(taut_freebody *f) {
    const taut_natural *n = f->natural;
    for (size_t i = 0; i < n->constraints; i++) {
        const taut_constraint *c = &n->constraint[i];
        if (!c->driver) continue;
        TAUT_TRY(add_value(f,
                           taut_problem_name(n->problem, "power_%s", c->name + strlen("driver ")),
                           taut_mul(f->graph, c->lambda, taut_dot(f->graph, c->wanted, 1))));
    }
    return TAUT_OK;
}

/* ---- all ---- */

static void begin(taut_freebody *f) {
    for (int i = 0; i <= TAUT_VECTOR_ZERO; i++) {
        taut_vec axis = zero_vector(f);
        if (i < 3) axis.c[i] = taut_number(f->graph, 1.0);
        taut_freebody_vector(f, axis);
    }
}

static void finish(taut_freebody *f) {
    for (int c = 0; c < f->reactions->carriers && !f->failed; c++) {
        taut_carrier *x = &f->reactions->carrier[c];
        x->reference = taut_freebody_vector(f, f->demand[c].reference);
        x->force = taut_freebody_vector(f, f->demand[c].force);
        x->moment = taut_freebody_vector(f, f->demand[c].moment);
        if (f->natural->mechanism->dimension == 3 && x->turns && f->natural->kin->frame[c].axes < 3)
            x->line = taut_freebody_vector(f, f->natural->kin->frame[c].axis[0]);
    }
}

static taut_status make(taut_freebody *f) {
    begin(f);
    make_carriers(f);
    if (f->failed) return TAUT_ERR_MEMORY;
    f->reactions->length = size_of_bodies(f);
    TAUT_TRY(make_rods(f));
    add_loads(f);
    TAUT_TRY(taut_freebody_transmit(f));
    TAUT_TRY(finish_rods(f));
    for (int i = 0; i < f->natural->mechanism->links; i++) TAUT_TRY(add_tension(f, i));
    TAUT_TRY(add_sources(f));
    TAUT_TRY(add_powers(f));
    for (int e = 0; e < f->natural->mechanism->elements; e++)
        if (f->hub[e] >= 0) taut_freebody_place(f, e);
    finish(f);
    return f->failed || taut_graph_failed(f->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}

taut_status taut_natural_reactions(taut_natural *n, taut_sweep *sweep, bool body_axes) {
    const taut_mechanism *m = n->mechanism;
    taut_freebody f = {.natural = n, .graph = n->graph, .sweep = sweep, .body_axes = body_axes};
    f.reactions = n->problem->reactions = TAUT_NEW(n->arena, taut_reactions);
    f.demand = TAUT_NEW_ARRAY(n->arena, m->bodies + m->elements, taut_demand);
    f.hub = TAUT_NEW_ARRAY(n->arena, m->elements, int);
    f.place = TAUT_NEW_ARRAY(n->arena, m->elements, int);
    f.rod = TAUT_NEW_ARRAY(n->arena, m->bodies, int);
    f.load = taut_arena_array(n->arena, (size_t)m->bodies, sizeof *f.load);
    if (!f.reactions || !f.demand || !f.hub || !f.place || !f.rod || !f.load)
        return TAUT_ERR_MEMORY;
    f.reactions->dimension = m->dimension;
    f.reactions->hub = f.hub;
    f.reactions->place = f.place;
    for (int e = 0; e < m->elements; e++) f.place[e] = -1;
    return make(&f);
}
