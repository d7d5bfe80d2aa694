/* A mechanism in natural coordinates: energies, rigidity, joints, forces and drivers as nodes, then
 * equations of motion by one Euler sweep and one velocity sweep (docs/math/natural.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/diff.h"
#include "expr/pattern.h"
#include "form/kin.h"
#include "model/symbols.h"

/* An adjoint that enters a sweep at a node: a force at a coordinate, a torque at an angular rate. */
typedef struct seed {
    taut_node node, adjoint;
    bool elastic; /* its energy is counted as potential energy */
} seed;

typedef struct terms {
    taut_node *node;
    size_t count, room;
} terms;

typedef struct constraint {
    taut_node node;
    const char *name;
    taut_place place;
    bool driver;       /* its multiplier is the force of an actuator */
    taut_node rate;    /* angle drivers: the multiplier works on this; TAUT_NO_NODE: on the constraint */
    taut_node lambda;
    taut_node wanted; /* drivers: the function of t */
} constraint;

typedef struct angle {
    taut_node variable, value; /* theta, and the expression that it follows */
    taut_node sine, cosine;    /* of the angle, up to a common factor */
} angle;

typedef struct natural {
    taut_problem *problem;
    taut_model *model;
    taut_mechanism *mechanism;
    taut_graph *graph;
    taut_kin *kin;
    taut_errors *errors;
    taut_arena *arena;
    terms kinetic, weight, elastic;
    seed *force, *torque;
    size_t forces, force_room, torques, torque_room;
    constraint *constraint;
    size_t constraints, constraint_room;
    angle *angle; /* [mechanism->angles] */
    uint8_t *used; /* [nodes] constraint nodes that are there already */
    size_t used_room;
    taut_node work;    /* of dampers, loads, drivers and moving ground; TAUT_NO_NODE: there is none */
    bool open;   /* something dissipates or drives */
    bool faulty;
} natural;

#define NOTE(n, call)                                                                              \
    do {                                                                                           \
        taut_status note_status = (call);                                                          \
        if (note_status == TAUT_ERR_MEMORY) return note_status;                                    \
        if (note_status != TAUT_OK) (n)->faulty = true;                                            \
    } while (0)

/* ---- small pieces ---- */

static taut_status add_term(terms *list, taut_node node) {
    if (taut_grow((void **)&list->node, &list->room, list->count + 1, sizeof *list->node))
        return TAUT_ERR_MEMORY;
    list->node[list->count++] = node;
    return TAUT_OK;
}

static taut_node total(taut_graph *g, const terms *list) {
    double *one = NULL;
    size_t room = 0;
    if (list->count == 0) return taut_number(g, 0.0);
    if (taut_grow((void **)&one, &room, list->count, sizeof *one)) return TAUT_NO_NODE;
    for (size_t i = 0; i < list->count; i++) one[i] = 1.0;
    const taut_node sum = taut_sum(g, 0.0, list->count, one, list->node);
    taut_release((void **)&one);
    return sum;
}

static taut_status add_seed(natural *n, seed **list, size_t *count, size_t *room, seed new) {
    if (taut_node_get(n->graph, new.node)->steady) return TAUT_OK;
    if (taut_grow((void **)list, room, *count + 1, sizeof **list)) return TAUT_ERR_MEMORY;
    (*list)[(*count)++] = new;
    return TAUT_OK;
}

/* A force (world components) at a point. */
static taut_status push(natural *n, taut_vec point, taut_vec force, double sign, bool elastic) {
    for (int i = 0; i < point.n; i++)
        TAUT_TRY(add_seed(n, &n->force, &n->forces, &n->force_room,
                          (seed){point.c[i], taut_scale(n->graph, sign, force.c[i]), elastic}));
    return TAUT_OK;
}

static const char *element_name(const natural *n, int e) { return n->mechanism->element[e].name; }

/* ---- constraints ---- */

/* Adds node = 0. What is constant is checked instead, what is there already is not repeated. */
static taut_status add_constraint(natural *n, taut_node node, const char *name, taut_place place) {
    const taut_node_data *d = taut_node_get(n->graph, node);
    if (!name) return TAUT_ERR_MEMORY;
    if (d->steady) {
        if (fabs(d->value) < 1e-9) return TAUT_OK;
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                            "%s cannot hold: everything in it is fixed, and it is off by %.6g", name,
                            d->value);
    }
    const size_t old = n->used_room;
    if (taut_grow((void **)&n->used, &n->used_room, (size_t)node + 1, 1)) return TAUT_ERR_MEMORY;
    if (n->used_room > old) memset(n->used + old, 0, n->used_room - old);
    if (n->used[node]) return TAUT_OK;
    n->used[node] = 1;
    if (taut_grow((void **)&n->constraint, &n->constraint_room, n->constraints + 1,
                  sizeof *n->constraint))
        return TAUT_ERR_MEMORY;
    n->constraint[n->constraints++] = (constraint){.node = node, .name = name, .place = place};
    return TAUT_OK;
}

/* Does a vector have length 1 by its origin? */
static bool is_unit(const natural *n, int e) {
    return n->mechanism->element[e].is_vector && n->kin->origin[e] != TAUT_ORIGIN_BASIC;
}

/* (|d|^2 - l^2)/(2 l): a length, without a root. */
static taut_node length_constraint(natural *n, taut_vec d, taut_node length) {
    taut_graph *g = n->graph;
    const taut_node difference = taut_sub(g, taut_vec_inner(g, d, d), taut_square(g, length));
    return taut_div(g, difference, taut_scale(g, 2.0, length));
}

/* Elements of a frame keep their lengths and their angle: constraints that are needed, no more. */
static taut_status add_rigidity(natural *n, int body) {
    taut_graph *g = n->graph;
    const taut_body *b = &n->mechanism->body[body];
    const taut_frame *f = &n->kin->frame[body];
    const int used = taut_kin_frame_elements(n->kin, body);
    for (int i = 1; i < used; i++) {
        const int e = b->element[i];
        if (is_unit(n, e)) continue;
        const bool vector = n->mechanism->element[e].is_vector;
        const char *name =
            vector ? taut_problem_name(n->problem, "length of %s", element_name(n, e))
                   : taut_problem_name(n->problem, "distance %s-%s of %s",
                                       element_name(n, b->element[0]), element_name(n, e), b->name);
        NOTE(n, add_constraint(n, length_constraint(n, f->d[i], f->length[i]), name, b->place));
    }
    if (used < 3) return TAUT_OK;
    const taut_node local = taut_vec_inner(g, b->local[1], b->local[2]);
    taut_node bend = taut_sub(g, taut_vec_inner(g, f->d[1], f->d[2]), local);
    if (!n->mechanism->element[b->element[1]].is_vector &&
        !n->mechanism->element[b->element[2]].is_vector) { /* make it a length */
        const bool second =
            taut_node_get(g, f->length[2])->value > taut_node_get(g, f->length[1])->value;
        bend = taut_div(g, bend, f->length[second ? 2 : 1]);
    }
    const char *name = taut_problem_name(n->problem, "angle %s,%s of %s", element_name(n, b->element[1]),
                                         element_name(n, b->element[2]), b->name);
    NOTE(n, add_constraint(n, bend, name, b->place));
    return TAUT_OK;
}

/* Elements beyond the frame that got their place otherwise must be where the body has them. */
static taut_status add_closures(natural *n, int body) {
    taut_graph *g = n->graph;
    const taut_body *b = &n->mechanism->body[body];
    for (int i = taut_kin_frame_elements(n->kin, body); i < b->elements; i++) {
        const int e = b->element[i];
        if (n->kin->origin[e] == TAUT_ORIGIN_BODY && n->kin->assigned_by[e] == body) continue;
        if (n->mechanism->element[e].is_vector) {
            taut_vec local[2], world;
            const int count = n->mechanism->dimension - 1;
            taut_kin_local_normals(n->kin, b->local[i], local);
            for (int k = 0; k < count; k++) {
                world = taut_kin_direction(n->kin, body, local[k]);
                NOTE(n, add_constraint(n, taut_vec_inner(g, world, n->kin->value[e]),
                                       taut_problem_name(n->problem, "direction %s of %s (%d)",
                                                         element_name(n, e), b->name, k + 1),
                                       b->place));
            }
        } else {
            const taut_vec gap = taut_kin_add(g, taut_kin_point(n->kin, body, b->local[i]), -1.0,
                                              n->kin->value[e]);
            for (int k = 0; k < gap.n; k++)
                NOTE(n, add_constraint(n, gap.c[k],
                                       taut_problem_name(n->problem, "point %s of %s (%c)",
                                                         element_name(n, e), b->name, "xyz"[k]),
                                       b->place));
        }
    }
    return TAUT_OK;
}

/* A point that is on a line, but not placed by it: point - origin - s vector = 0. */
static taut_status add_collinear(natural *n, int number) {
    const taut_collinear *c = &n->mechanism->collinear[number];
    taut_graph *g = n->graph;
    taut_vec normal[2];
    if (n->kin->scalar[number] >= 0) return TAUT_OK;
    if (c->scalar) { /* the distance has a name: it is an assignment s = (P - O) . v */
        const taut_vec d = taut_kin_add(g, n->kin->value[c->point], -1.0, n->kin->value[c->origin]);
        NOTE(n, taut_symbols_add(n->model->symbols, c->scalar,
                                 taut_vec_scalar(taut_vec_inner(g, d, n->kin->value[c->vector])),
                                 c->place));
    }
    TAUT_TRY(taut_kin_normals(n->kin, c->vector, normal));
    const taut_vec d = taut_kin_add(g, n->kin->value[c->point], -1.0, n->kin->value[c->origin]);
    for (int k = 0; k < n->mechanism->dimension - 1; k++)
        NOTE(n, add_constraint(n, taut_vec_inner(g, d, normal[k]),
                               taut_problem_name(n->problem, "%s on the line %s,%s (%d)",
                                                 element_name(n, c->point),
                                                 element_name(n, c->origin),
                                                 element_name(n, c->vector), k + 1),
                               c->place));
    return TAUT_OK;
}

/* Parts of joints: each adds its equations. */
static taut_status join_points(natural *n, const taut_joint *j) {
    const taut_vec gap = taut_kin_add(n->graph, n->kin->value[j->point[0]], -1.0,
                                      n->kin->value[j->point[1]]);
    for (int k = 0; k < gap.n; k++)
        NOTE(n, add_constraint(n, gap.c[k],
                               taut_problem_name(n->problem, "joint %s (%c)", j->name, "xyz"[k]),
                               j->place));
    return TAUT_OK;
}

static taut_status keep_normal(natural *n, const taut_joint *j, taut_vec v, const taut_vec *normal,
                               const char *what) {
    for (int k = 0; k < n->mechanism->dimension - 1; k++)
        NOTE(n, add_constraint(n, taut_vec_inner(n->graph, v, normal[k]),
                               taut_problem_name(n->problem, "joint %s (%s %d)", j->name, what, k + 1),
                               j->place));
    return TAUT_OK;
}

static taut_status add_joint(natural *n, const taut_joint *j) {
    taut_graph *g = n->graph;
    const int dimension = n->mechanism->dimension;
    const taut_vec *value = n->kin->value;
    taut_vec normal[2];
    if (j->kind != TAUT_JOINT_SPHERICAL && j->kind != TAUT_JOINT_UNIVERSAL && j->axis[0] >= 0)
        TAUT_TRY(taut_kin_normals(n->kin, j->axis[0], normal));
    taut_vec d = {0};
    if (j->point[0] >= 0 && j->point[1] >= 0)
        d = taut_kin_add(g, value[j->point[1]], -1.0, value[j->point[0]]);
    switch (j->kind) {
    case TAUT_JOINT_SPHERICAL: return join_points(n, j);
    case TAUT_JOINT_REVOLUTE:
        TAUT_TRY(join_points(n, j));
        return dimension == 2 ? TAUT_OK : keep_normal(n, j, value[j->axis[1]], normal, "axis");
    case TAUT_JOINT_UNIVERSAL:
        if (j->point[0] >= 0) TAUT_TRY(join_points(n, j));
        return add_constraint(n, taut_vec_inner(g, value[j->axis[0]], value[j->axis[1]]),
                              taut_problem_name(n->problem, "joint %s (right angle)", j->name),
                              j->place);
    case TAUT_JOINT_LINE: return keep_normal(n, j, d, normal, "line");
    case TAUT_JOINT_CYLINDRICAL:
        TAUT_TRY(keep_normal(n, j, value[j->axis[1]], normal, "axis"));
        return keep_normal(n, j, d, normal, "line");
    case TAUT_JOINT_WELD:
    case TAUT_JOINT_PRISMATIC:
        TAUT_TRY(keep_normal(n, j, value[j->axis[1]], normal, "axis"));
        if (j->kind == TAUT_JOINT_WELD)
            TAUT_TRY(join_points(n, j));
        else
            TAUT_TRY(keep_normal(n, j, d, normal, "line"));
        if (dimension == 2) return TAUT_OK;
        return add_constraint(n, taut_vec_inner(g, value[j->normal[0]], value[j->normal[1]]),
                              taut_problem_name(n->problem, "joint %s (no turning)", j->name),
                              j->place);
    default: return TAUT_OK;
    }
}

/* ---- energies ---- */

static taut_node half_square(taut_graph *g, taut_node factor, taut_vec v) {
    return taut_scale(g, 0.5, taut_mul(g, factor, taut_vec_inner(g, v, v)));
}

static taut_status add_weight(natural *n, taut_node mass, taut_vec point) {
    if (!n->mechanism->has_gravity) return TAUT_OK;
    const taut_node gP = taut_vec_inner(n->graph, n->mechanism->gravity, point);
    return add_term(&n->weight, taut_scale(n->graph, -1.0, taut_mul(n->graph, mass, gP)));
}

static taut_status add_body_energy(natural *n, int body) {
    taut_graph *g = n->graph;
    const taut_body *b = &n->mechanism->body[body];
    const taut_frame *f = &n->kin->frame[body];
    if (!b->has_mass) return TAUT_OK;
    const taut_vec centroid = taut_kin_point(n->kin, body, b->centroid);
    TAUT_TRY(add_weight(n, b->mass, centroid));
    TAUT_TRY(add_term(&n->kinetic, half_square(g, b->mass, taut_vec_dot_time(g, centroid, 1))));
    if (f->axes < 3 || b->thin) { /* omega^2 = |x'|^2 in 2D; a thin rod has no spin */
        const taut_vec axis = f->axes == 2 ? f->axis[0]
                                           : taut_kin_direction(n->kin, body, taut_kin_local_x(n->kin));
        return add_term(&n->kinetic, half_square(g, b->inertia[0][0], taut_vec_dot_time(g, axis, 1)));
    }
    /* the inertia in the frame's own axes q */
    const taut_vec omega = taut_kin_omega(n->kin, body);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            taut_vec row = {.n = 3};
            for (int a = 0; a < 3; a++) {
                taut_vec line = {3, {b->inertia[a][0], b->inertia[a][1], b->inertia[a][2]}};
                row.c[a] = taut_vec_inner(g, line, f->q[k]);
            }
            const taut_node moment = taut_vec_inner(g, f->q[i], row);
            if (taut_node_get(g, moment)->value == 0.0) continue;
            const taut_node product = taut_mul(g, omega.c[i], omega.c[k]);
            TAUT_TRY(add_term(&n->kinetic,
                              taut_scale(g, i == k ? 0.5 : 1.0, taut_mul(g, moment, product))));
        }
    return TAUT_OK;
}

/* Springs and dampers: forces at both ends, the spring's energy beside them. With the elongation as
 * (d.d - l^2)/(|d| + l) a stiff spring does not lose the digits of |d| - l. */
static taut_status add_link(natural *n, const taut_link *link) {
    taut_graph *g = n->graph;
    const taut_vec A = n->kin->value[link->point[0]], B = n->kin->value[link->point[1]];
    const taut_vec d = taut_kin_add(g, B, -1.0, A), rate = taut_vec_dot_time(g, d, 1);
    const taut_node square = taut_vec_inner(g, d, d);
    if (link->mass != TAUT_NO_NODE) { /* a uniform rod that stretches */
        const taut_vec a = taut_vec_dot_time(g, A, 1), b = taut_vec_dot_time(g, B, 1);
        const taut_node squares = taut_sum(
            g, 0.0, 3, (double[]){1.0, 1.0, 1.0},
            (taut_node[]){taut_vec_inner(g, a, a), taut_vec_inner(g, a, b), taut_vec_inner(g, b, b)});
        TAUT_TRY(add_term(&n->kinetic, taut_scale(g, 1.0 / 6.0, taut_mul(g, link->mass, squares))));
        const taut_node half = taut_scale(g, 0.5, link->mass);
        TAUT_TRY(add_weight(n, half, A));
        TAUT_TRY(add_weight(n, half, B));
    }
    if (link->stiffness != TAUT_NO_NODE && taut_node_get(g, link->stiffness)->value != 0.0) {
        taut_vec pull;
        if (taut_node_get(g, link->rest_length)->value == 0.0) {
            pull = taut_vec_scale(g, link->stiffness, d);
            TAUT_TRY(add_term(&n->elastic, taut_scale(g, 0.5, taut_mul(g, link->stiffness, square))));
        } else {
            const taut_node length = taut_root(g, square);
            const taut_node more = taut_div(g, taut_sub(g, square, taut_square(g, link->rest_length)),
                                            taut_add(g, length, link->rest_length));
            pull = taut_vec_scale(g, taut_mul(g, link->stiffness, taut_div(g, more, length)), d);
            TAUT_TRY(add_term(&n->elastic,
                              taut_scale(g, 0.5, taut_mul(g, link->stiffness, taut_square(g, more)))));
        }
        TAUT_TRY(push(n, A, pull, 1.0, true));
        TAUT_TRY(push(n, B, pull, -1.0, true));
    }
    if (link->damping != TAUT_NO_NODE && taut_node_get(g, link->damping)->value != 0.0) {
        taut_vec drag = rate;
        if (!link->full) drag = taut_vec_scale(g, taut_div(g, taut_vec_inner(g, d, rate), square), d);
        drag = taut_vec_scale(g, link->damping, drag);
        TAUT_TRY(push(n, A, drag, 1.0, false));
        TAUT_TRY(push(n, B, drag, -1.0, false));
        n->open = true;
    }
    return TAUT_OK;
}

static taut_status add_energies(natural *n) {
    taut_graph *g = n->graph;
    for (int b = 0; b < n->mechanism->bodies; b++) TAUT_TRY(add_body_energy(n, b));
    for (int i = 0; i < n->mechanism->links; i++) TAUT_TRY(add_link(n, &n->mechanism->link[i]));
    for (int i = 0; i < n->mechanism->particles; i++) {
        const taut_particle *p = &n->mechanism->particle[i];
        const taut_vec P = n->kin->value[p->point];
        TAUT_TRY(add_weight(n, p->mass, P));
        TAUT_TRY(add_term(&n->kinetic, half_square(g, p->mass, taut_vec_dot_time(g, P, 1))));
    }
    return TAUT_OK;
}

/* ---- angles ---- */

static int find_body(const taut_mechanism *m, const char *name) {
    for (int i = 0; i < m->bodies; i++)
        if (strcmp(m->body[i].name, name) == 0) return i;
    return -1;
}

/* The direction that a word means: a body's local x axis, a vector, or a line through two points. */
static taut_status word_direction(natural *n, const taut_yaml *node, taut_vec *direction) {
    const taut_place place = taut_yaml_place(n->model->doc, node);
    int body, element, end[2];
    if (node->kind != TAUT_YAML_SCALAR)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, place, "the name of a body or a vector is expected");
    body = find_body(n->mechanism, node->text);
    if (body >= 0) {
        *direction = taut_kin_direction(n->kin, body, taut_kin_local_x(n->kin));
        return TAUT_OK;
    }
    if (taut_symbols_element(n->model->symbols, node->text, &element) &&
        n->mechanism->element[element].is_vector) {
        *direction = n->kin->value[element];
        return TAUT_OK;
    }
    if (taut_kin_two_points(n->kin, node->text, end)) {
        *direction = taut_kin_add(n->graph, n->kin->value[end[1]], -1.0, n->kin->value[end[0]]);
        return TAUT_OK;
    }
    return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                        "'%s' is neither a body nor a vector nor two points", node->text);
}

static taut_status formula_direction(natural *n, const taut_yaml *map, const char *key,
                                     taut_vec *direction) {
    const taut_yaml *node = taut_yaml_get(map, key);
    if (!node)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, taut_yaml_place(n->model->doc, map),
                            "the key '%s' is missing", key);
    return taut_vector_read(n->model->symbols, node, n->mechanism->dimension, direction);
}

/* Sine and cosine of an angle, up to a common factor. */
static taut_status angle_parts(natural *n, const taut_angle *a, taut_node *sine, taut_node *cosine) {
    taut_graph *g = n->graph;
    const taut_yaml *value = a->value;
    taut_vec from = taut_kin_local_x(n->kin), to, axis = {0};
    if (value->kind == TAUT_YAML_MAPPING) {
        TAUT_TRY(formula_direction(n, value, "From", &from));
        TAUT_TRY(formula_direction(n, value, "To", &to));
        if (n->mechanism->dimension == 3) TAUT_TRY(formula_direction(n, value, "Axis", &axis));
    } else if (n->mechanism->dimension == 3) {
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, a->place,
                            "in 3D an angle is {From: direction, To: direction, Axis: direction}");
    } else if (value->kind == TAUT_YAML_SEQUENCE && value->count == 2) {
        TAUT_TRY(word_direction(n, value->items[0], &from));
        TAUT_TRY(word_direction(n, value->items[1], &to));
    } else {
        TAUT_TRY(word_direction(n, value, &to));
    }
    const taut_vec cross = taut_vec_cross(g, from, to);
    *sine = cross.n == 1 ? cross.c[0] : taut_vec_inner(g, cross, axis);
    *cosine = taut_vec_inner(g, from, to);
    return TAUT_OK;
}

static taut_status add_angles(natural *n) {
    n->angle = TAUT_NEW_ARRAY(n->arena, n->mechanism->angles, angle);
    if (!n->angle) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n->mechanism->angles; i++) {
        const taut_angle *a = &n->mechanism->angle[i];
        angle *x = &n->angle[i];
        TAUT_TRY(taut_model_add_variable(n->model, a->name, TAUT_GROUP_ANGLE, a->place, &x->variable));
        NOTE(n, taut_symbols_add(n->model->symbols, a->name, taut_vec_scalar(x->variable), a->place));
    }
    for (int i = 0; i < n->mechanism->angles; i++) {
        angle *x = &n->angle[i];
        taut_status status = angle_parts(n, &n->mechanism->angle[i], &x->sine, &x->cosine);
        NOTE(n, status);
        if (status != TAUT_OK) continue;
        x->value = taut_atan2(n->graph, x->sine, x->cosine);
        if (taut_node_get(n->graph, x->value)->steady)
            NOTE(n, taut_fail_at(n->errors, TAUT_ERR_INPUT, n->mechanism->angle[i].place,
                                 "the angle '%s' cannot change: everything in it is fixed",
                                 n->mechanism->angle[i].name));
    }
    return TAUT_OK;
}

/* ---- loads and drivers ---- */

static taut_status add_load(natural *n, const taut_load *load) {
    taut_graph *g = n->graph;
    taut_vec value;
    n->open = true;
    if (!load->torque) {
        TAUT_TRY(taut_vector_read(n->model->symbols, load->value, n->mechanism->dimension, &value));
        return push(n, n->kin->value[load->target], value, 1.0, false);
    }
    const taut_frame *f = &n->kin->frame[load->target];
    const taut_vec omega = f->axes >= 2 ? taut_kin_omega(n->kin, load->target) : (taut_vec){0};
    if (omega.n == 0)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, load->place,
                            "'%s' is a thin rod without a frame: give it a third element for a "
                            "torque to act on",
                            n->mechanism->body[load->target].name);
    if (n->mechanism->dimension == 2) {
        TAUT_TRY(taut_formula_read(n->model->symbols, load->value, 1, &value));
        return add_seed(n, &n->torque, &n->torques, &n->torque_room,
                        (seed){omega.c[0], value.c[0], false});
    }
    TAUT_TRY(taut_vector_read(n->model->symbols, load->value, 3, &value));
    for (int i = 0; i < 3; i++)
        TAUT_TRY(add_seed(n, &n->torque, &n->torques, &n->torque_room,
                          (seed){omega.c[i], taut_vec_inner(g, f->axis[i], value), false}));
    return TAUT_OK;
}

/* C = f(t) - s with s a coordinate, a distance or an angle: its multiplier is the actuator's force. */
static taut_status add_driver(natural *n, const taut_driver *d) {
    taut_graph *g = n->graph;
    taut_vec wanted, s;
    taut_node rate = TAUT_NO_NODE;
    int end[2];
    TAUT_TRY(taut_formula_read(n->model->symbols, d->value, 1, &wanted));
    if (taut_kin_two_points(n->kin, d->name, end)) {
        const taut_vec gap = taut_kin_add(g, n->kin->value[end[1]], -1.0, n->kin->value[end[0]]);
        s = taut_vec_scalar(taut_vec_norm(g, gap));
    } else if (!taut_symbols_find(n->model->symbols, d->name, &s)) {
        const char *near = taut_symbols_nearest(n->model->symbols, d->name);
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' cannot be driven: it is no angle, coordinate or pair of points%s%s%s",
                            d->name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (s.n != 1)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "drive the components one by one: %sx: ..., %sy: ...", d->name, d->name);
    if (taut_node_get(g, s.c[0])->steady)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place,
                            "'%s' is fixed: it cannot be driven", d->name);
    for (int i = 0; i < n->mechanism->angles; i++)
        if (n->angle[i].variable == s.c[0]) rate = taut_dot(g, n->angle[i].value, 1);
    const size_t before = n->constraints;
    TAUT_TRY(add_constraint(n, taut_sub(g, wanted.c[0], s.c[0]),
                            taut_problem_name(n->problem, "driver %s", d->name), d->place));
    if (n->constraints == before)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, d->place, "'%s' is driven twice", d->name);
    n->constraint[before].driver = true;
    n->constraint[before].rate = rate;
    n->constraint[before].wanted = wanted.c[0];
    n->open = true;
    return TAUT_OK;
}

/* Takes out the constraints whose numbers as equations are in drop (ascending or not). */
static taut_status drop_constraints(natural *n, int first, const int *drop, int drops) {
    taut_problem *p = n->problem;
    size_t kept = 0;
    p->dropped = TAUT_NEW_ARRAY(n->arena, drops, taut_dropped);
    if (!p->dropped) return TAUT_ERR_MEMORY;
    for (size_t i = 0; i < n->constraints; i++) {
        bool out = false;
        for (int k = 0; k < drops; k++) out = out || drop[k] == first + (int)i;
        if (out)
            p->dropped[p->drops++] = (taut_dropped){n->constraint[i].name, n->constraint[i].place};
        else
            n->constraint[kept++] = n->constraint[i];
    }
    n->constraints = kept;
    return TAUT_OK;
}

/* Every constraint gets a multiplier, a driver under its own name. */
static taut_status add_multipliers(natural *n) {
    int plain = 0;
    for (size_t i = 0; i < n->constraints; i++) {
        constraint *c = &n->constraint[i];
        const char *name = c->driver
                               ? taut_problem_name(n->problem, "force_%s", c->name + strlen("driver "))
                               : taut_problem_name(n->problem, "lambda%d", ++plain);
        if (!name) return TAUT_ERR_MEMORY;
        TAUT_TRY(taut_model_add_variable(n->model, name, TAUT_GROUP_FORCE, c->place, &c->lambda));
        if (c->driver)
            NOTE(n, taut_symbols_add(n->model->symbols, name, taut_vec_scalar(c->lambda), c->place));
    }
    return TAUT_OK;
}

/* ---- work ---- */

/* Does a node depend on t alone? Nothing that is solved for may be below it. */
static taut_status is_prescribed(natural *n, taut_pattern *pattern, taut_node node, bool *result) {
    const taut_pattern_entry *entry;
    size_t count;
    TAUT_TRY(taut_pattern_row(pattern, node, &entry, &count));
    *result = count == 0 && !taut_node_get(n->graph, node)->steady;
    return TAUT_OK;
}

/* The power that changes kinetic plus potential energy: of forces that have no potential, of torques
 * and drivers, and of ground that moves under a spring. */
static taut_status find_power(natural *n, taut_node *power) {
    taut_graph *g = n->graph;
    taut_pattern *pattern;
    terms list = {0};
    TAUT_TRY(taut_pattern_create(g, &pattern));
    taut_status status = TAUT_OK;
    for (size_t i = 0; i < n->forces && status == TAUT_OK; i++) {
        const seed *s = &n->force[i];
        bool prescribed = false;
        status = is_prescribed(n, pattern, s->node, &prescribed);
        if (status != TAUT_OK || prescribed != s->elastic) continue;
        const taut_node rate = taut_mul(g, s->adjoint, taut_dot(g, s->node, 1));
        status = add_term(&list, taut_scale(g, s->elastic ? -1.0 : 1.0, rate));
    }
    for (size_t i = 0; i < n->torques && status == TAUT_OK; i++)
        status = add_term(&list, taut_mul(g, n->torque[i].adjoint, n->torque[i].node));
    for (size_t i = 0; i < n->constraints && status == TAUT_OK; i++)
        if (n->constraint[i].driver)
            status = add_term(&list, taut_mul(g, n->constraint[i].lambda,
                                              taut_dot(g, n->constraint[i].wanted, 1)));
    *power = status == TAUT_OK ? total(g, &list) : TAUT_NO_NODE;
    taut_release((void **)&list.node);
    taut_pattern_free(&pattern);
    return status;
}

/* ---- equations ---- */

static taut_status find_rows(natural *n, taut_sweep *sweep, int coordinates, taut_node L,
                             taut_node *row) {
    taut_graph *g = n->graph;
    taut_sweep_begin(sweep, TAUT_SWEEP_EULER, NULL);
    taut_sweep_seed(sweep, L, 1.0, taut_number(g, 1.0));
    for (size_t i = 0; i < n->forces; i++)
        taut_sweep_seed(sweep, n->force[i].node, 1.0, n->force[i].adjoint);
    for (size_t i = 0; i < n->constraints; i++)
        if (n->constraint[i].rate == TAUT_NO_NODE)
            taut_sweep_seed(sweep, n->constraint[i].node, -1.0, n->constraint[i].lambda);
    TAUT_TRY(taut_sweep_run(sweep));
    for (int j = 0; j < coordinates; j++)
        row[j] = taut_scale(g, -1.0, taut_sweep_find(sweep, n->model->variable[j].node));
    taut_sweep_begin(sweep, TAUT_SWEEP_VELOCITY, NULL);
    for (size_t i = 0; i < n->torques; i++)
        taut_sweep_seed(sweep, n->torque[i].node, 1.0, n->torque[i].adjoint);
    for (size_t i = 0; i < n->constraints; i++)
        if (n->constraint[i].rate != TAUT_NO_NODE)
            taut_sweep_seed(sweep, n->constraint[i].rate, 1.0, n->constraint[i].lambda);
    TAUT_TRY(taut_sweep_run(sweep));
    for (int j = 0; j < coordinates; j++)
        row[j] = taut_sub(g, row[j], taut_sweep_find(sweep, n->model->variable[j].node));
    return taut_graph_failed(g) ? TAUT_ERR_MEMORY : TAUT_OK;
}

static taut_status fill_equations(natural *n, const taut_node *row, int coordinates) {
    taut_problem *p = n->problem;
    taut_system *s = &p->system;
    int at = 0;
    for (int j = 0; j < coordinates; j++) {
        const char *name = taut_problem_name(p, "motion of %s", n->model->variable[j].name);
        if (!name) return TAUT_ERR_MEMORY;
        s->unknown[j].rest_default = true;
        s->equation[at++] = (taut_equation){row[j], name, n->model->variable[j].place};
    }
    for (int i = 0; i < n->mechanism->angles; i++) {
        const angle *x = &n->angle[i];
        const char *name = taut_problem_name(p, "angle %s", n->mechanism->angle[i].name);
        if (!name) return TAUT_ERR_MEMORY;
        s->unknown[coordinates + i].rest_default = true;
        s->equation[at++] = (taut_equation){
            taut_sub(n->graph, taut_dot(n->graph, x->variable, 1), taut_dot(n->graph, x->value, 1)),
            name, n->mechanism->angle[i].place};
    }
    if (n->work != TAUT_NO_NODE) {
        const int j = taut_node_get(n->graph, n->work)->index;
        taut_node power;
        TAUT_TRY(find_power(n, &power));
        s->unknown[j].passive = true;
        s->given[s->givens++] = (taut_given){.variable = j, .fixed = true};
        s->equation[at++] = (taut_equation){
            taut_sub(n->graph, taut_dot(n->graph, n->work, 1), power), "work", s->place};
    }
    p->first_constraint = at;
    for (size_t i = 0; i < n->constraints; i++)
        s->equation[at++] =
            (taut_equation){n->constraint[i].node, n->constraint[i].name, n->constraint[i].place};
    return TAUT_OK;
}

/* Initial values of what is not an unknown, and angles, become conditions. */
static taut_status fill_conditions(natural *n) {
    taut_graph *g = n->graph;
    taut_system *s = &n->problem->system;
    s->condition = TAUT_NEW_ARRAY(n->arena, n->mechanism->angles + n->model->values, taut_condition);
    s->given = TAUT_NEW_ARRAY(n->arena, n->model->values + 1, taut_given);
    if (!s->condition || !s->given) return TAUT_ERR_MEMORY;
    s->givens = 0;
    for (int i = 0; i < n->model->values; i++) {
        const taut_model_value *v = &n->model->value[i];
        taut_node node = TAUT_NO_NODE;
        for (int k = 0; k < n->mechanism->angles; k++) {
            const angle *x = &n->angle[k];
            if (x->variable != v->node) continue;
            node = v->order == 0
                       ? taut_sum(g, 0.0, 2, (double[]){cos(v->value), -sin(v->value)},
                                  (taut_node[]){x->sine, x->cosine})
                       : taut_sum(g, -v->value, 1, (double[]){1.0},
                                  (taut_node[]){taut_dot(g, x->value, v->order)});
        }
        if (node == TAUT_NO_NODE && v->variable < 0)
            node = taut_sum(g, -v->value, 1, (double[]){1.0},
                            (taut_node[]){taut_dot(g, v->node, v->order)});
        if (node != TAUT_NO_NODE)
            s->condition[s->conditions++] = (taut_condition){node, v->fixed, v->name, v->place};
        else
            s->given[s->givens++] =
                (taut_given){v->variable, v->order, v->value, v->fixed, v->place};
    }
    for (int k = 0; k < n->mechanism->angles; k++) /* an angle starts where the geometry says */
        s->condition[s->conditions++] =
            (taut_condition){taut_sub(g, n->angle[k].variable, n->angle[k].value), true,
                             n->mechanism->angle[k].name, n->mechanism->angle[k].place};
    return TAUT_OK;
}

static taut_status fill_columns(natural *n) {
    taut_problem *p = n->problem;
    const taut_mechanism *m = n->mechanism;
    const int most = m->elements * m->dimension + m->angles + m->collinears + m->drivers +
                     n->model->outputs.count + 4;
    p->column = TAUT_NEW_ARRAY(n->arena, most, taut_column);
    if (!p->column) return TAUT_ERR_MEMORY;
    for (int e = 0; e < m->elements; e++)
        for (int i = 0; i < m->dimension; i++) {
            const taut_node node = n->kin->value[e].c[i];
            if (m->element[e].fixed && taut_node_get(n->graph, node)->steady) continue;
            const char *name = taut_problem_name(p, "%s%c", m->element[e].name, "xyz"[i]);
            if (!name) return TAUT_ERR_MEMORY;
            p->column[p->columns++] = (taut_column){name, node, true};
        }
    for (int i = 0; i < m->angles; i++)
        p->column[p->columns++] = (taut_column){m->angle[i].name, n->angle[i].variable, true};
    for (int i = 0; i < m->collinears; i++) {
        taut_vec s;
        if (!m->collinear[i].scalar ||
            !taut_symbols_find(n->model->symbols, m->collinear[i].scalar, &s))
            continue;
        p->column[p->columns++] = (taut_column){m->collinear[i].scalar, s.c[0], true};
    }
    for (int i = 0; i < n->model->outputs.count; i++)
        p->column[p->columns++] =
            (taut_column){n->model->outputs.item[i].name, n->model->outputs.item[i].node, true};
    for (size_t i = 0; i < n->constraints; i++)
        if (n->constraint[i].driver)
            p->column[p->columns++] = (taut_column){
                n->model->variable[taut_node_get(n->graph, n->constraint[i].lambda)->index].name,
                n->constraint[i].lambda, false};
    p->column[p->columns++] = (taut_column){"energy", p->energy, false};
    p->column[p->columns++] = (taut_column){"kinetic", p->kinetic, false};
    p->column[p->columns++] = (taut_column){"potential", p->potential, false};
    if (n->work != TAUT_NO_NODE) p->column[p->columns++] = (taut_column){"work", n->work, false};
    return TAUT_OK;
}

/* Nothing may depend on time if energy is to stay. */
static bool uses_time(natural *n) {
    for (int e = 0; e < n->mechanism->elements; e++) {
        if (!n->mechanism->element[e].fixed && !n->mechanism->element[e].formula) continue;
        for (int i = 0; i < n->mechanism->dimension; i++) {
            const taut_node_data *d = taut_node_get(n->graph, n->kin->value[e].c[i]);
            if (!d->steady && n->mechanism->element[e].fixed) return true;
        }
    }
    return false;
}

/* Loads are read after the unknowns are known, but already tell that energy will not stay. */
static bool will_be_open(const natural *n) { return n->open || n->mechanism->loads > 0; }

static taut_status build(natural *n, taut_sweep *sweep, const int *drop, int drops) {
    taut_problem *p = n->problem;
    taut_graph *g = n->graph;
    const int coordinates = n->model->variables;
    TAUT_TRY(add_angles(n));
    for (int b = 0; b < n->mechanism->bodies; b++) {
        TAUT_TRY(add_rigidity(n, b));
        TAUT_TRY(add_closures(n, b));
    }
    for (int i = 0; i < n->mechanism->collinears; i++) NOTE(n, add_collinear(n, i));
    for (int i = 0; i < n->mechanism->joints; i++)
        if (!n->mechanism->joint[i].shared) NOTE(n, add_joint(n, &n->mechanism->joint[i]));
    TAUT_TRY(add_energies(n));
    for (int i = 0; i < n->mechanism->drivers; i++) NOTE(n, add_driver(n, &n->mechanism->driver[i]));
    if (uses_time(n)) n->open = true;
    const int others = n->mechanism->angles + (will_be_open(n) ? 1 : 0);
    if (will_be_open(n))
        TAUT_TRY(taut_model_add_variable(n->model, "work", TAUT_GROUP_ENERGY,
                                         n->model->problem_place, &n->work));
    TAUT_TRY(drop_constraints(n, coordinates + others, drop, drops));
    TAUT_TRY(add_multipliers(n));
    for (int i = 0; i < n->mechanism->loads; i++) NOTE(n, add_load(n, &n->mechanism->load[i]));
    NOTE(n, taut_model_bind(n->model, n->errors));
    if (n->faulty) return TAUT_ERR_INPUT;
    if (coordinates == 0)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, n->model->problem_place,
                            "nothing in this mechanism can move");

    p->kinetic = total(g, &n->kinetic);
    const taut_node weight = total(g, &n->weight); /* springs act as forces and are not varied */
    p->potential = taut_add(g, weight, total(g, &n->elastic));
    p->energy = taut_add(g, p->kinetic, p->potential);
    taut_node *row = TAUT_NEW_ARRAY(n->arena, coordinates, taut_node);
    if (!row || p->energy == TAUT_NO_NODE) return TAUT_ERR_MEMORY;
    TAUT_TRY(find_rows(n, sweep, coordinates, taut_sub(g, p->kinetic, weight), row));
    TAUT_TRY(taut_problem_fill_system(p));
    TAUT_TRY(fill_conditions(n));
    TAUT_TRY(fill_equations(n, row, coordinates));
    p->coordinates = coordinates;
    p->mobility = coordinates - (int)n->constraints;
    p->conservative = !n->open;
    return fill_columns(n);
}

taut_status taut_form_natural(taut_problem *p, const int *drop, int drops, taut_errors *errors) {
    natural n = {.problem = p, .model = p->bound, .mechanism = p->bound->mechanism,
                 .graph = p->bound->graph, .errors = errors, .arena = &p->arena};
    taut_sweep *sweep = NULL;
    taut_status status = taut_kin_create(p->bound, &n.kin, errors);
    if (status == TAUT_OK) status = taut_sweep_create(n.graph, &sweep);
    if (status == TAUT_OK) status = build(&n, sweep, drop, drops);
    taut_sweep_free(&sweep);
    taut_kin_free(&n.kin);
    taut_release((void **)&n.kinetic.node);
    taut_release((void **)&n.weight.node);
    taut_release((void **)&n.elastic.node);
    taut_release((void **)&n.force);
    taut_release((void **)&n.torque);
    taut_release((void **)&n.constraint);
    taut_release((void **)&n.used);
    return status;
}
