/* What split joints transmit, as nodes: the multipliers of their equations, and the forces and
 * torques that these make on the first body (docs/math/loads.md, section 1). */
#include <math.h>
#include <string.h>

#include "form/mechanics.h"

/* A joint at work: force and torque on its second body. */
typedef struct bearing {
    taut_graph *graph;
    const taut_pair *pair;
    const taut_node *lambda; /* of the equations that are left */
    taut_vec force, torque;
} bearing;

static void push(bearing *b, taut_node lambda, double sign, taut_vec direction) {
    const taut_vec part = taut_vec_scale(b->graph, taut_scale(b->graph, sign, lambda), direction);
    b->force = taut_kin_add(b->graph, b->force, 1.0, part);
}

/* A multiplier on a product of u, of the first body, and v, of the second one: the torque on this
 * is -lambda v x u. */
static void turn(bearing *b, taut_node lambda, taut_vec u, taut_vec v) {
    const taut_vec part = taut_vec_scale(b->graph, taut_scale(b->graph, -1.0, lambda),
                                         taut_vec_cross(b->graph, v, u));
    b->torque = taut_kin_add(b->graph, b->torque, 1.0, part);
}

static taut_vec axis_of(taut_graph *g, int n, int i) {
    taut_vec v = {.n = n};
    for (int k = 0; k < n; k++) v.c[k] = taut_number(g, k == i ? 1.0 : 0.0);
    return v;
}

/* ---- one function a condition of joint.def: it takes as many multipliers as that has equations */

static void act_meet(bearing *b) { /* P - Q */
    for (int i = 0; i < b->pair->dimension; i++)
        push(b, *b->lambda++, 1.0, axis_of(b->graph, b->pair->dimension, i));
}

static void act_align(bearing *b) { /* v . a */
    for (int i = 0; i < b->pair->dimension - 1; i++)
        turn(b, *b->lambda++, b->pair->across[i], b->pair->axis[1]);
}

static void act_square(bearing *b) { turn(b, *b->lambda++, b->pair->axis[0], b->pair->axis[1]); }

static void
act_untwisted(bearing *b) { /* m . (v x n) - (u x m) . n: by v, n x m; by n, m x v - u x m */
    taut_graph *g = b->graph;
    const taut_pair *p = b->pair;
    const taut_node lambda = *b->lambda++;
    const taut_vec by_n = taut_kin_add(g, taut_vec_cross(g, p->normal[0], p->axis[1]), -1.0,
                                       taut_vec_cross(g, p->axis[0], p->normal[0]));
    turn(b, lambda, taut_vec_cross(g, p->normal[1], p->normal[0]), p->axis[1]);
    turn(b, lambda, by_n, p->normal[1]);
}

static void act_on_line(bearing *b) { /* (Q - P) . a */
    for (int i = 0; i < b->pair->dimension - 1; i++)
        push(b, *b->lambda++, -1.0, b->pair->across[i]);
}

static void act_on_plane(bearing *b) { push(b, *b->lambda++, -1.0, b->pair->axis[0]); }

static void act_on_curve(bearing *b) { /* Q - P - C */
    for (int i = 0; i < b->pair->dimension; i++)
        push(b, *b->lambda++, -1.0, axis_of(b->graph, b->pair->dimension, i));
}

static void act_apart(bearing *b) { /* (d^2 - l^2)/(2 l) */
    const taut_vec d = taut_kin_add(b->graph, b->pair->point[1], -1.0, b->pair->point[0]);
    push(b, *b->lambda++, -1.0, taut_kin_divided(b->graph, d, b->pair->joint->number));
}

static void act_unturned(bearing *b) { /* u . (m x n) = n . (u x m) */
    turn(b, *b->lambda++, taut_vec_cross(b->graph, b->pair->axis[0], b->pair->normal[0]),
         b->pair->normal[1]);
}

/* Torques are about the first point, with bodies as they were before the joint was split; what
 * rides on a line or a plane, without any torque, feels the force where it is. */
static void move_torque(bearing *b) {
    const taut_pair *p = b->pair;
    const bool meets = taut_joint_demands(p->joint->kind, p->dimension, TAUT_CONDITION_MEET);
    if (meets || p->joint->turned || p->point[0].n == 0 || p->point[1].n == 0) return;
    if (!taut_joint_demands(p->joint->kind, p->dimension, TAUT_CONDITION_ALIGN)) return;
    const taut_vec arm = taut_kin_add(b->graph, p->point[1], -1.0, p->point[0]);
    b->torque = taut_kin_add(b->graph, b->torque, 1.0, taut_vec_cross(b->graph, arm, b->force));
}

static void act_geared(bearing *b) { b->lambda++; } /* it has no place: see the multiplier */

/* ---- all of them ---- */

static void act(bearing *b) {
    static void (*const act_condition[])(bearing *) = {
#define TAUT_CONDITION(NAME, name, ...) act_##name,
#define TAUT_JOINT(...)
#include "model/joint.def"
#undef TAUT_CONDITION
#undef TAUT_JOINT
    };
    for (int i = 0; i < TAUT_JOINT_CONDITIONS; i++)
        if (taut_joint_demands(b->pair->joint->kind, b->pair->dimension, (taut_joint_condition)i))
            act_condition[i](b);
    move_torque(b);
}

/* Multipliers of the equations of all joints; of one with an equation that is left out there are
 * none: its first one is TAUT_NO_NODE. */
static void collect(const taut_mechanics *n, taut_node (*lambda)[TAUT_PAIR_MOST]) {
    const taut_node zero = taut_number(n->graph, 0.0); /* an equation that holds by itself */
    for (int i = 0; i < n->mechanism->joints; i++)
        for (int k = 0; k < TAUT_PAIR_MOST; k++) lambda[i][k] = zero;
    for (int i = 0; i < n->model->contacts; i++) {
        const taut_model_contact *c = &n->model->contact[i];
        if (c->breaks && c->broken_joint >= 0)
            lambda[c->broken_joint][c->part] =
                taut_scale(n->graph, -1.0, n->problem->contact[i].force[1]);
    }
    for (size_t i = 0; i < n->constraints; i++)
        if (n->constraint[i].joint > 0)
            lambda[n->constraint[i].joint - 1][n->constraint[i].equation] = n->constraint[i].lambda;
    for (int i = 0; i < n->left_out_count; i++)
        if (n->left_out[i].joint > 0) lambda[n->left_out[i].joint - 1][0] = TAUT_NO_NODE;
}

taut_status taut_mechanics_bearings(taut_mechanics *n) {
    const int dimension = n->mechanism->dimension;
    if (n->mechanism->splits == 0) return TAUT_OK;
    taut_node(*all)[TAUT_PAIR_MOST] =
        taut_arena_array(n->arena, (size_t)n->mechanism->joints, sizeof *all);
    if (!all) return TAUT_ERR_MEMORY;
    collect(n, all);
    for (int i = 0; i < n->mechanism->joints; i++) {
        const taut_joint *j = &n->mechanism->joint[i];
        const taut_node *lambda = all[i];
        if (!j->split || lambda[0] == TAUT_NO_NODE) continue;
        bearing b = {.graph = n->graph, .pair = &n->pair[i], .lambda = lambda};
        b.force = axis_of(n->graph, dimension, -1);
        b.torque = axis_of(n->graph, dimension == 2 ? 1 : 3, -1);
        act(&b);
        const double sign = j->turned ? 1.0 : -1.0; /* on the first body */
        for (int k = 0; k < taut_joint_equations(j->kind, dimension); k++)
            n->kin->meaning[j->multiplier + k] = lambda[k];
        for (int k = 0; k < dimension; k++)
            n->kin->meaning[j->load + k] = taut_scale(n->graph, sign, b.force.c[k]);
        for (int k = 0; k < b.torque.n; k++)
            n->kin->meaning[j->load + (dimension == 2 ? 5 : 3) + k] =
                taut_scale(n->graph, sign, b.torque.c[k]);
    }
    return taut_graph_failed(n->graph) ? TAUT_ERR_MEMORY : TAUT_OK;
}
