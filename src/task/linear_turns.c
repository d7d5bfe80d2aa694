/* Rotations in joints as quantities of a linearisation: the angle between a direction of one body
 * and one of the other, about the joint's axis. In a steadily turning mechanism they are cyclic,
 * where components of what turns are not. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/vec.h"
#include "task/linear.h"

/* The catalogue as it grows. */
typedef struct builder {
    const taut_problem *problem;
    const taut_mechanism *mechanism;
    const taut_structure *structure;
    taut_graph *graph;
    int offset; /* the least of the nodes in use */
} builder;

/* An element in the world. */
static taut_vec element_of(builder *b, int e) {
    const taut_vec v = b->problem->element[e];
    for (int i = 0; i < v.n; i++)
        if (!taut_node_get(b->graph, v.c[i])->steady && b->structure->offset[v.c[i]] < b->offset)
            b->offset = b->structure->offset[v.c[i]];
    return v;
}

static void local_of(const builder *b, taut_vec v, double x[3]) {
    for (int i = 0; i < 3; i++)
        x[i] = i < v.n ? taut_node_get(b->problem->model->graph, v.c[i])->value : 0.0;
}

/* How much of a local direction is across an axis (zero: there is none). */
static double across(const double *d, const double *axis) {
    const double along = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
    double sum = 0.0;
    for (int i = 0; i < 3; i++) sum += pow(d[i] - along * axis[i], 2.0);
    return sqrt(sum);
}

/* The direction of a body that is most across an axis of it (element; -1: none); n = 0: none is. */
static taut_vec direction_of(builder *b, int body, int axis) {
    const taut_body *x = &b->mechanism->body[body];
    double line[3] = {0.0}, d[3], most = 0.0;
    int best = -1;
    for (int i = 1; i < x->elements; i++)
        if (x->element[i] == axis) local_of(b, x->local[i], line);
    for (int i = 1; i < x->elements; i++) {
        local_of(b, x->local[i], d);
        if (!(across(d, line) > 1.001 * most)) continue;
        most = across(d, line);
        best = i;
    }
    if (best < 0) return (taut_vec){0};
    const taut_vec v = element_of(b, x->element[best]);
    if (b->mechanism->element[x->element[best]].is_vector) return v;
    const taut_vec origin = element_of(b, x->element[0]);
    taut_vec line_to = v;
    for (int i = 0; i < v.n; i++) line_to.c[i] = taut_sub(b->graph, v.c[i], origin.c[i]);
    return line_to;
}

/* A direction of the ground across an axis. */
static taut_vec ground_direction(builder *b, int axis) {
    const int dimension = b->mechanism->dimension;
    int least = 0;
    taut_vec v = {.n = dimension};
    for (int i = 1; i < dimension && axis >= 0; i++) {
        const taut_vec n = b->problem->element[axis];
        const double x = taut_node_get(b->graph, n.c[i])->value,
                     y = taut_node_get(b->graph, n.c[least])->value;
        if (fabs(x) < fabs(y)) least = i;
    }
    for (int i = 0; i < dimension; i++) v.c[i] = taut_number(b->graph, i == least ? 1.0 : 0.0);
    return v;
}

/* atan2 of sine and cosine between two directions about n (in the plane: none). */
static taut_node angle_of(builder *b, taut_vec p, taut_vec q, const taut_vec *n) {
    taut_graph *g = b->graph;
    const taut_vec product = taut_vec_cross(g, p, q);
    if (!n) return taut_atan2(g, product.c[0], taut_vec_inner(g, p, q));
    const taut_node along = taut_mul(g, taut_vec_inner(g, p, *n), taut_vec_inner(g, q, *n));
    return taut_atan2(g, taut_vec_inner(g, *n, product),
                      taut_sub(g, taut_vec_inner(g, p, q), along));
}

/* The rotation in a joint; TAUT_NO_NODE: there is none that can be told. */
static taut_node turn_of(builder *b, const taut_joint *x) {
    const bool plane = b->mechanism->dimension == 2;
    taut_vec d[2];
    if (x->kind != TAUT_JOINT_REVOLUTE || (!plane && x->axis[0] < 0)) return TAUT_NO_NODE;
    b->offset = INT_MAX;
    for (int k = 0; k < 2; k++)
        d[k] = x->body[k] < 0 ? ground_direction(b, plane ? -1 : x->axis[k])
                              : direction_of(b, x->body[k], x->axis[k]);
    if (d[0].n == 0 || d[1].n == 0) return TAUT_NO_NODE;
    const taut_vec n = plane ? d[0] : element_of(b, x->axis[0]);
    const taut_node angle = angle_of(b, d[0], d[1], plane ? NULL : &n);
    return b->offset < INT_MAX ? angle : TAUT_NO_NODE;
}

taut_status taut_catalogue_add_turns(taut_catalogue *c, const taut_problem *problem,
                                     const taut_structure *structure) {
    const taut_mechanism *m = problem->model->mechanism;
    builder b = {problem, m, structure, problem->graph, 0};
    if (!m || m->joints == 0) return TAUT_OK;
    taut_named *item = TAUT_NEW_ARRAY(c->arena, c->count + m->joints, taut_named);
    if (!item) return TAUT_ERR_MEMORY;
    memcpy(item, c->item, (size_t)c->count * sizeof *item);
    c->item = item;
    for (int i = 0; i < m->joints; i++) {
        char name[TAUT_NAME_MAX + 16];
        const taut_node node = turn_of(&b, &m->joint[i]);
        if (node == TAUT_NO_NODE) continue;
        snprintf(name, sizeof name, "%s.turn", m->joint[i].name);
        const char *own = taut_arena_copy(c->arena, name, strlen(name));
        if (!own) return TAUT_ERR_MEMORY;
        c->item[c->count++] = (taut_named){.name = own,
                                           .node = node,
                                           .kind = TAUT_COLUMN_ANGLE,
                                           .column = true,
                                           .orders = 2,
                                           .level = -1,
                                           .turns = true,
                                           .offset = b.offset};
    }
    return TAUT_OK;
}
