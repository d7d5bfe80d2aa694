/* Natural coordinates of bodies (docs/math/natural.md): a body has no unknowns but those of its
 * elements. The first ones make its frame, which stays rigid by constraints and assigns the others.
 */
#include <math.h>

#include "form/formulation.h"

static const char *element_name(const taut_mechanics *n, int e) {
    return n->mechanism->element[e].name;
}

bool taut_natural_places(const taut_kin *k, int body, int i) {
    return i >= taut_kin_frame_elements(k, body);
}

/* ---- frames ---- */

/* From the world directions d and the local ones X of the second and third element:
 * Gram-Schmidt on X gives q and R, [axis] = [d] R^-1, and the third axis by a cross product. */
taut_status taut_natural_frame(taut_kin *k, int body) {
    taut_graph *g = k->graph;
    const taut_body *b = &k->mechanism->body[body];
    taut_frame *f = &k->frame[body];
    const int n = k->mechanism->dimension, used = taut_kin_frame_elements(k, body);
    for (int i = 0; i < used; i++)
        if (!taut_kin_place(k, b->element[i])) return TAUT_ERR_INPUT;
    if (f->ready) return TAUT_OK; /* it was made on the way */
    f->origin = k->value[b->element[0]];
    for (int i = 1; i < used; i++) {
        const taut_vec v = k->value[b->element[i]];
        f->d[i] = k->mechanism->element[b->element[i]].is_vector
                      ? v
                      : taut_kin_add(g, v, -1.0, f->origin);
        f->length[i] = taut_kin_steady_length(g, b->local[i]);
    }
    f->q[0] = taut_kin_divided(g, b->local[1], f->length[1]);
    f->axis[0] = taut_kin_divided(g, f->d[1], f->length[1]);
    f->axes = 1;
    if (n == 2) {
        f->q[1] = taut_kin_turned(g, f->q[0]);
        f->axis[1] = taut_kin_turned(g, f->axis[0]);
        f->axes = 2;
    } else if (used == 3) {
        const taut_node r12 = taut_vec_inner(g, f->q[0], b->local[2]);
        const taut_vec rest = taut_kin_add(g, b->local[2], -1.0, taut_vec_scale(g, r12, f->q[0]));
        const taut_node r22 = taut_kin_steady_length(g, rest);
        f->q[1] = taut_kin_divided(g, rest, r22);
        f->axis[1] = taut_kin_divided(
            g, taut_kin_add(g, f->d[2], -1.0, taut_vec_scale(g, r12, f->axis[0])), r22);
        f->q[2] = taut_vec_cross(g, f->q[0], f->q[1]);
        f->axis[2] = taut_vec_cross(g, f->axis[0], f->axis[1]);
        f->axes = 3;
    }
    f->ready = true;
    return TAUT_OK;
}

/* ---- constraints ---- */

/* Does a vector have length 1 by its origin? */
static bool is_unit(const taut_mechanics *n, int e) {
    return n->mechanism->element[e].is_vector && n->kin->origin[e] != TAUT_ORIGIN_BASIC;
}

/* (|d|^2 - l^2)/(2 l): a length, without a root. */
static taut_node length_constraint(taut_mechanics *n, taut_vec d, taut_node length) {
    taut_graph *g = n->graph;
    const taut_node difference = taut_sub(g, taut_vec_inner(g, d, d), taut_square(g, length));
    return taut_div(g, difference, taut_scale(g, 2.0, length));
}

/* Two fixed elements of a body must have the distance that the body says. */
static taut_status check_distance(taut_mechanics *n, int body, int i) {
    const taut_body *b = &n->mechanism->body[body];
    const taut_frame *f = &n->kin->frame[body];
    double d[3];
    taut_assume_values(n->graph, f->d[i], d);
    const double sum = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const double length = taut_assume_value(n->graph, f->length[i]);
    if (fabs(sqrt(sum) - length) <= 1e-9 * length) return TAUT_OK;
    return taut_fail_at(
        n->errors, TAUT_ERR_INPUT, b->place,
        "%s and %s of '%s' are fixed at a distance of %.6g, but its 'Geom' says %.6g",
        element_name(n, b->element[0]), element_name(n, b->element[i]), b->name, sqrt(sum), length);
}

static bool is_steady(const taut_mechanics *n, taut_vec v) {
    bool steady = true;
    for (int k = 0; k < v.n; k++) steady = steady && taut_node_get(n->graph, v.c[k])->steady;
    return steady;
}

/* Elements of a frame keep their lengths and their angle: constraints that are needed, no more. */
static taut_status add_rigidity(taut_mechanics *n, int body) {
    taut_graph *g = n->graph;
    const taut_body *b = &n->mechanism->body[body];
    const taut_frame *f = &n->kin->frame[body];
    const int used = taut_kin_frame_elements(n->kin, body);
    for (int i = 1; i < used; i++) {
        const int e = b->element[i];
        if (is_unit(n, e)) continue;
        if (is_steady(n, f->d[i])) {
            TAUT_MECHANICS_NOTE(n, check_distance(n, body, i));
            continue;
        }
        const bool vector = n->mechanism->element[e].is_vector;
        const char *name =
            vector ? taut_problem_name(n->problem, "length of %s", element_name(n, e))
                   : taut_problem_name(n->problem, "distance %s-%s of %s",
                                       element_name(n, b->element[0]), element_name(n, e), b->name);
        TAUT_MECHANICS_NOTE(n, taut_mechanics_constrain(
                                   n, length_constraint(n, f->d[i], f->length[i]), name, b->place));
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
    const char *name =
        taut_problem_name(n->problem, "angle %s,%s of %s", element_name(n, b->element[1]),
                          element_name(n, b->element[2]), b->name);
    TAUT_MECHANICS_NOTE(n, taut_mechanics_constrain(n, bend, name, b->place));
    return TAUT_OK;
}

/* Elements beyond the frame that got their place otherwise must be where the body has them. */
static taut_status add_closures(taut_mechanics *n, int body) {
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
                TAUT_MECHANICS_NOTE(n, taut_mechanics_constrain(
                                           n, taut_vec_inner(g, world, n->kin->value[e]),
                                           taut_problem_name(n->problem, "direction %s of %s (%d)",
                                                             element_name(n, e), b->name, k + 1),
                                           b->place));
            }
        } else {
            const taut_vec gap =
                taut_kin_add(g, taut_kin_point(n->kin, body, b->local[i]), -1.0, n->kin->value[e]);
            for (int k = 0; k < gap.n; k++)
                TAUT_MECHANICS_NOTE(n, taut_mechanics_constrain(
                                           n, gap.c[k],
                                           taut_problem_name(n->problem, "point %s of %s (%c)",
                                                             element_name(n, e), b->name, "xyz"[k]),
                                           b->place));
        }
    }
    return TAUT_OK;
}

taut_status taut_natural_constrain(taut_mechanics *n, int body) {
    TAUT_TRY(add_rigidity(n, body));
    return add_closures(n, body);
}
