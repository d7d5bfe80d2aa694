/* Constraints of a mechanism: rigid frames, closures and lines, as many as are needed. */
#include <math.h>
#include <string.h>

#include "form/mechanics.h"
#include "model/symbols.h"

static const char *element_name(const taut_mechanics *n, int e) {
    return n->mechanism->element[e].name;
}

/* ---- constraints ---- */

/* Adds node = 0. What is constant is checked instead, what is there already is not repeated. */
taut_status taut_mechanics_constrain(taut_mechanics *n, taut_node node, const char *name,
                                     taut_place place) {
    const taut_node_data *d = taut_node_get(n->graph, node);
    if (!name) return TAUT_ERR_MEMORY;
    if (d->steady) {
        if (fabs(d->value) < 1e-9) return TAUT_OK;
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                            "%s cannot hold: everything in it is fixed, and it is off by %.6g",
                            name, d->value);
    }
    const size_t old = n->used_room;
    if (taut_grow((void **)&n->used, &n->used_room, (size_t)node + 1, 1)) return TAUT_ERR_MEMORY;
    if (n->used_room > old) memset(n->used + old, 0, n->used_room - old);
    if (n->used[node]) return TAUT_OK;
    n->used[node] = 1;
    if (taut_grow((void **)&n->constraint, &n->constraint_room, n->constraints + 1,
                  sizeof *n->constraint))
        return TAUT_ERR_MEMORY;
    n->constraint[n->constraints++] = (taut_constraint){.node = node, .name = name, .place = place};
    return TAUT_OK;
}

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
    double sum = 0.0;
    for (int k = 0; k < f->d[i].n; k++)
        sum += pow(taut_node_get(n->graph, f->d[i].c[k])->value, 2.0);
    const double length = taut_node_get(n->graph, f->length[i])->value;
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

/* A point that is on a line, but not placed by it: point - origin - s vector = 0. */
static taut_status add_collinear(taut_mechanics *n, int number) {
    const taut_collinear *c = &n->mechanism->collinear[number];
    taut_graph *g = n->graph;
    taut_vec normal[2] = {0};
    if (n->kin->scalar[number] >= 0) return TAUT_OK;
    if (c->scalar) { /* the distance has a name: it is an assignment s = (P - O) . v */
        const taut_vec d = taut_kin_add(g, n->kin->value[c->point], -1.0, n->kin->value[c->origin]);
        TAUT_MECHANICS_NOTE(
            n, taut_symbols_add(n->model->symbols, c->scalar,
                                taut_vec_scalar(taut_vec_inner(g, d, n->kin->value[c->vector])),
                                c->place));
        taut_symbols_set_quantity(n->model->symbols, c->scalar, TAUT_LENGTH);
    }
    TAUT_TRY(taut_kin_normals(n->kin, c->vector, normal));
    const taut_vec d = taut_kin_add(g, n->kin->value[c->point], -1.0, n->kin->value[c->origin]);
    for (int k = 0; k < n->mechanism->dimension - 1; k++)
        TAUT_MECHANICS_NOTE(
            n, taut_mechanics_constrain(n, taut_vec_inner(g, d, normal[k]),
                                        taut_problem_name(n->problem, "%s on the line %s,%s (%d)",
                                                          element_name(n, c->point),
                                                          element_name(n, c->origin),
                                                          element_name(n, c->vector), k + 1),
                                        c->place));
    return TAUT_OK;
}

taut_status taut_mechanics_rigidity(taut_mechanics *n) {
    const taut_mechanism *m = n->mechanism;
    for (int b = 0; b < m->bodies; b++) {
        TAUT_TRY(add_rigidity(n, b));
        TAUT_TRY(add_closures(n, b));
    }
    for (int i = 0; i < m->collinears; i++) TAUT_MECHANICS_NOTE(n, add_collinear(n, i));
    return taut_mechanics_joints(n);
}
