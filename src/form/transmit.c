/* What joints, drivers and constraints can transmit between free bodies: every condition of a joint
 * (model/joint.def) holds some directions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "form/freebody.h"

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

/* A transfer of one number, whose ends are these parts. */
static taut_status transmit_parts(taut_freebody *f, const taut_parts *parts) {
    TAUT_TRY(begin(f, TAUT_SPAN_ALONG, false, 0, TAUT_VECTOR_ZERO));
    taut_transfer *t = &f->reactions->transfer[f->reactions->transfers - 1];
    t->scalar = true;
    for (int i = 0; i < parts->count; i++)
        if (parts->item[i].kind == TAUT_END_TORQUE) t->torque = true;
    taut_freebody_part_ends(f, parts, 1.0);
    return TAUT_OK;
}

/* ---- joints ---- */

int taut_freebody_side(const taut_freebody *f, const taut_joint *j, int side) {
    if (j->body[side] >= 0) return j->body[side];
    return j->point[side] >= 0 ? f->hub[j->point[side]] : TAUT_HUB_GROUND;
}

/* A joint at work. */
typedef struct side_view {
    int number;
    const taut_joint *joint;
    const taut_pair *pair; /* of a joint that was named */
    const char *name;
    int dimension;
    int hub[2];
    int axes; /* whose axes it is seen in */
} side_view;

static bool demands(const side_view *s, taut_joint_condition condition) {
    return taut_joint_demands(s->joint->kind, s->dimension, condition);
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const taut_joint *const *)a)->name, (*(const taut_joint *const *)b)->name);
}

/* Which joints have the same name as another one? */
static taut_status find_common_names(taut_freebody *f) {
    const taut_mechanism *m = f->mechanics->mechanism;
    taut_arena *arena = f->mechanics->arena;
    const taut_joint **sorted = TAUT_NEW_ARRAY(arena, m->joints, const taut_joint *);
    f->shares_name = TAUT_NEW_ARRAY(arena, m->joints, bool);
    if (!sorted || !f->shares_name) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m->joints; i++) sorted[i] = &m->joint[i];
    if (m->joints > 0) qsort(sorted, (size_t)m->joints, sizeof(const taut_joint *), by_name);
    for (int i = 1; i < m->joints; i++)
        if (by_name(&sorted[i - 1], &sorted[i]) == 0)
            f->shares_name[sorted[i - 1] - m->joint] = f->shares_name[sorted[i] - m->joint] = true;
    return TAUT_OK;
}

/* The name of a joint, with its element where several joints have the same. */
static const char *joint_name(taut_freebody *f, int number) {
    const taut_mechanism *m = f->mechanics->mechanism;
    const taut_joint *j = &m->joint[number];
    const int first = j->turned ? 1 : 0; /* as it was before the joint was split */
    int element = j->point[first] >= 0 ? j->point[first] : j->axis[first];
    if (element >= m->elements - m->copies) element = m->element[element].original;
    if (!f->shares_name[number] || element < 0) return j->name;
    return taut_problem_name(f->mechanics->problem, "%s@%s", j->name, m->element[element].name);
}

/* The line through two points of a body on the ground: about it, it can turn. -1: there is none. */
static int ground_line(taut_freebody *f, const taut_joint *j) {
    const taut_mechanism *m = f->mechanics->mechanism;
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

static int place_of(taut_freebody *f, int element) {
    return element >= 0 ? taut_freebody_place(f, element) : TAUT_VECTOR_ZERO;
}

taut_status taut_freebody_tangent(taut_freebody *f, int joint, taut_vec *tangent) {
    const taut_mechanics *n = f->mechanics;
    const int leaf = n->mechanism->joint[joint].leaf[2];
    *tangent = taut_freebody_spatial(f, taut_vec_scalar(taut_number(f->graph, 0.0)));
    if (leaf < 0) return TAUT_OK;
    for (int i = 0; i < n->mechanism->dimension; i++) {
        TAUT_TRY(taut_sweep_of(f->sweep, TAUT_SWEEP_PLAIN, n->pair[joint].curve.c[i]));
        tangent->c[i] = taut_sweep_find(f->sweep, n->kin->meaning[leaf]);
    }
    return TAUT_OK;
}

/* The line from the first point to the second, of length 1. */
static taut_vec find_line(taut_freebody *f, const side_view *s) {
    taut_vec d = taut_kin_add(f->graph, s->pair->point[1], -1.0, s->pair->point[0]);
    for (int i = 0; i < d.n; i++) d.c[i] = taut_div(f->graph, d.c[i], s->joint->number);
    return taut_freebody_spatial(f, d);
}

/* The forces of a joint; *along: where they are, for what is on a line, a plane or a curve. */
static taut_status find_forces(taut_freebody *f, const side_view *s, taut_span *span, int *along) {
    taut_vec tangent;
    *along = place_of(f, s->joint->axis[0]);
    *span = demands(s, TAUT_CONDITION_MEET)       ? TAUT_SPAN_ALL
            : demands(s, TAUT_CONDITION_ON_LINE)  ? TAUT_SPAN_ACROSS
            : demands(s, TAUT_CONDITION_ON_PLANE) ? TAUT_SPAN_ALONG
                                                  : TAUT_SPAN_NONE;
    if (demands(s, TAUT_CONDITION_ON_CURVE)) {
        TAUT_TRY(taut_freebody_tangent(f, s->number, &tangent));
        *along = taut_freebody_vector(f, tangent);
        *span = TAUT_SPAN_ACROSS;
    } else if (demands(s, TAUT_CONDITION_APART)) {
        *along = taut_freebody_vector(f, find_line(f, s));
        *span = TAUT_SPAN_ALONG;
    }
    return TAUT_OK;
}

/* A joint gives its first body a force: that is the one that was the first before it was split. */
static double sign_of(const taut_joint *j, int side) {
    return (side == 0) != j->turned ? 1.0 : -1.0;
}

static taut_status transmit_force(taut_freebody *f, const side_view *s) {
    const taut_joint *j = s->joint;
    taut_span span;
    int along;
    TAUT_TRY(find_forces(f, s, &span, &along));
    if (span == TAUT_SPAN_NONE) return TAUT_OK;
    /* both sides feel it at the same place: at the first point, about which torques are; a point
     * that rides on a line, a plane or a curve, without any torque, feels it where it is */
    const bool rides =
        !j->shared && !demands(s, TAUT_CONDITION_MEET) && !demands(s, TAUT_CONDITION_ALIGN);
    const int at = j->point[rides || j->turned ? 1 : 0];
    TAUT_TRY(begin(f, span, false, along, TAUT_VECTOR_ZERO));
    for (int side = 0; side < 2; side++)
        taut_freebody_force_end(f, s->hub[side],
                                s->hub[side] == TAUT_HUB_FORMULA ? j->point[side] : at,
                                sign_of(j, side));
    const int transfer = f->reactions->transfers - 1;
    if (demands(s, TAUT_CONDITION_APART)) return taut_freebody_tension(f, s->name, transfer);
    return taut_freebody_columns(f, s->name, s->axes, transfer);
}

/* The torque on the first body that keeps two shafts turning equally: of m . (v x n) - (u x m) . n.
 */
static taut_vec find_twist(taut_freebody *f, const taut_pair *p) {
    taut_graph *g = f->graph;
    const taut_vec u = p->axis[0], v = p->axis[1], m = p->normal[0], n = p->normal[1];
    const taut_vec by_m = taut_kin_add(g, taut_vec_cross(g, v, n), -1.0, taut_vec_cross(g, n, u));
    return taut_kin_add(g, taut_vec_cross(g, m, by_m), -1.0,
                        taut_vec_cross(g, u, taut_vec_cross(g, m, n)));
}

static taut_status transmit_torque(taut_freebody *f, const side_view *s) {
    const taut_joint *j = s->joint;
    const int line = j->kind == TAUT_JOINT_SPHERICAL ? ground_line(f, j) : -1;
    int u = place_of(f, j->axis[0]);
    const int v = place_of(f, j->axis[1]);
    const bool align = demands(s, TAUT_CONDITION_ALIGN);
    taut_span span = align && demands(s, TAUT_CONDITION_UNTURNED) ? TAUT_SPAN_ALL
                     : align                                      ? TAUT_SPAN_ACROSS
                     : demands(s, TAUT_CONDITION_SQUARE)          ? TAUT_SPAN_COMMON
                                                                  : TAUT_SPAN_NONE;
    if (line >= 0) {
        span = TAUT_SPAN_ACROSS;
        u = line;
    } else if (demands(s, TAUT_CONDITION_UNTWISTED)) {
        span = TAUT_SPAN_ALONG;
        u = taut_freebody_vector(f, find_twist(f, s->pair));
    }
    if (span == TAUT_SPAN_NONE) return TAUT_OK;
    TAUT_TRY(begin(f, span, true, u, v));
    for (int side = 0; side < 2; side++)
        taut_freebody_end(
            f, (taut_end){TAUT_END_TORQUE, s->hub[side], TAUT_VECTOR_ZERO, -1, sign_of(j, side)});
    return taut_freebody_columns(f, s->name, s->axes, f->reactions->transfers - 1);
}

/* Two coordinates that are tied: y - r x. */
static taut_status transmit_gear(taut_freebody *f, const side_view *s) {
    const double turn = s->joint->kind == TAUT_JOINT_SCREW ? 2.0 * M_PI : 1.0;
    const taut_node one = taut_number(f->graph, 1.0);
    const taut_node ratio = taut_scale(f->graph, -1.0 / turn, s->joint->number);
    taut_parts parts = {0};
    taut_status status =
        taut_freebody_coordinate(f, s->joint->geared[1], s->pair->geared[1], one, &parts);
    if (status == TAUT_OK)
        status =
            taut_freebody_coordinate(f, s->joint->geared[0], s->pair->geared[0], ratio, &parts);
    if (status == TAUT_OK) status = transmit_parts(f, &parts);
    taut_release((void **)&parts.item);
    TAUT_TRY(status);
    return taut_freebody_load(f, s->name, f->reactions->transfers - 1);
}

static taut_status transmit_joint(taut_freebody *f, int number) {
    const taut_mechanics *n = f->mechanics;
    const taut_joint *j = &n->mechanism->joint[number];
    side_view s = {.number = number,
                   .joint = j,
                   .pair = &n->pair[number],
                   .name = joint_name(f, number),
                   .dimension = n->mechanism->dimension,
                   .hub = {taut_freebody_side(f, j, 0), taut_freebody_side(f, j, 1)}};
    s.axes = s.hub[0] >= 0 ? s.hub[0] : s.hub[1];
    if (!s.name) return TAUT_ERR_MEMORY;
    come_from(f, TAUT_BY_JOINT, s.name, j->place);
    TAUT_TRY(transmit_force(f, &s));
    TAUT_TRY(transmit_torque(f, &s));
    return demands(&s, TAUT_CONDITION_GEARED) ? transmit_gear(f, &s) : TAUT_OK;
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

/* An element of a body that is also a formula of others: an implicit joint. */
static taut_status transmit_formula(taut_freebody *f, int element) {
    const taut_mechanism *m = f->mechanics->mechanism;
    const taut_element *x = &m->element[element];
    if (x->fixed || !x->formula) return TAUT_OK;
    if (m->carrier_start[element] == m->carrier_start[element + 1]) return TAUT_OK;
    const int body = m->carrier[m->carrier_start[element]];
    const char *name =
        taut_problem_name(f->mechanics->problem, "%s-%s", x->name, m->body[body].name);
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

static taut_status transmit_constraint(taut_freebody *f, const taut_constraint *c) {
    taut_parts parts = {0};
    if (!c->driver && !c->formula) return TAUT_OK;
    come_from(f, c->driver ? TAUT_BY_DRIVER : TAUT_BY_FORMULA, c->name, c->place);
    taut_status status =
        c->driver ? taut_freebody_coordinate(f, c->name + strlen("driver "), c->driven,
                                             taut_number(f->graph, 1.0), &parts)
                  : taut_freebody_gradient(f, c->velocity ? TAUT_SWEEP_VELOCITY : TAUT_SWEEP_PLAIN,
                                           c->given, taut_number(f->graph, 1.0), &parts);
    if (status == TAUT_OK) status = transmit_parts(f, &parts);
    taut_release((void **)&parts.item);
    return status;
}

taut_status taut_freebody_transmit(taut_freebody *f) {
    TAUT_TRY(find_common_names(f));
    const taut_mechanics *n = f->mechanics;
    for (int i = 0; i < n->mechanism->joints; i++) TAUT_TRY(transmit_joint(f, i));
    for (int e = 0; e < n->mechanism->elements; e++) TAUT_TRY(transmit_formula(f, e));
    for (size_t i = 0; i < n->constraints; i++) TAUT_TRY(transmit_constraint(f, &n->constraint[i]));
    for (int i = 0; i < n->left_out_count; i++) TAUT_TRY(transmit_constraint(f, &n->left_out[i]));
    for (int i = 0; i < n->looses; i++) TAUT_TRY(transmit_constraint(f, &n->loose[i]));
    return TAUT_OK;
}
