/* Constraints of a mechanism: those of bodies, as the formulation has them, lines, joints. */
#include <math.h>
#include <string.h>

#include "form/formulation.h"
#include "form/relative.h"

static const double DIGITS = 1e-9; /* of data that fit each other */

static const char *element_name(const taut_mechanics *n, int e) {
    return n->mechanism->element[e].name;
}

/* ---- constraints ---- */

/* Is what is constant 0, but for rounding and the digits of data? Beside its terms, or beside those
 * of a product of two directions, of a length and a direction, or of two lengths. */
static bool vanishes(const taut_mechanics *n, taut_node node) {
    const taut_node_data *d = taut_node_get(n->graph, node);
    const double size = fmin(taut_kin_size(n->kin), 1.0);
    double terms = fabs(d->constant);
    for (uint32_t i = 0; d->op == TAUT_OP_SUM && i < d->count; i++)
        terms += fabs(taut_node_coefs(n->graph, node)[i] *
                      taut_node_get(n->graph, taut_node_args(n->graph, node)[i])->value);
    return fabs(d->value) < DIGITS * fmax(terms, size * size);
}

bool taut_mechanics_uses(const taut_mechanics *n, taut_node node, enum taut_used as) {
    return (size_t)node < n->used_room && (n->used[node] & as) != 0;
}

taut_status taut_mechanics_use(taut_mechanics *n, taut_node node, enum taut_used as) {
    const size_t old = n->used_room;
    if (taut_grow((void **)&n->used, &n->used_room, (size_t)node + 1, 1)) return TAUT_ERR_MEMORY;
    if (n->used_room > old) memset(n->used + old, 0, n->used_room - old);
    n->used[node] = (uint8_t)(n->used[node] | as);
    return TAUT_OK;
}

/* Adds node = 0. What is constant is checked instead, what is there already is not repeated. */
taut_status taut_mechanics_constrain(taut_mechanics *n, taut_node node, const char *name,
                                     taut_place place) {
    const taut_node_data *d = taut_node_get(n->graph, node);
    if (!name) return TAUT_ERR_MEMORY;
    if (d->steady) {
        taut_assume_value(n->graph, node);
        if (vanishes(n, node)) return TAUT_OK;
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, place,
                            "%s cannot hold: everything in it is fixed, and it is off by %.6g",
                            name, d->value);
    }
    if (taut_mechanics_uses(n, node, TAUT_USED_CONSTRAINT)) return TAUT_OK;
    TAUT_TRY(taut_mechanics_use(n, node, TAUT_USED_CONSTRAINT));
    if (taut_grow((void **)&n->constraint, &n->constraint_room, n->constraints + 1,
                  sizeof *n->constraint))
        return TAUT_ERR_MEMORY;
    n->constraint[n->constraints++] =
        (taut_constraint){.node = node, .name = name, .place = place, .leaf = -1, .body = n->rigid};
    return TAUT_OK;
}

static taut_status keep_on_line(taut_mechanics *n, int number, int part, taut_node node) {
    const taut_collinear *c = &n->mechanism->collinear[number];
    const char *name =
        taut_problem_name(n->problem, "%s on the line %s,%s (%d)", element_name(n, c->point),
                          element_name(n, c->origin), element_name(n, c->vector), part + 1);
    TAUT_MECHANICS_NOTE(n, taut_mechanics_constrain(n, node, name, c->place));
    return TAUT_OK;
}

/* A point that is on a line, but not placed by it: across the line, or, if its distance is an
 * unknown, by all components. */
static taut_status add_collinear(taut_mechanics *n, int number) {
    const taut_collinear *c = &n->mechanism->collinear[number];
    taut_graph *g = n->graph;
    taut_vec normal[2] = {0};
    const taut_vec d = taut_kin_add(g, n->kin->value[c->point], -1.0, n->kin->value[c->origin]);
    if (n->kin->scalar[number] >= 0) {
        const taut_node s = n->problem->variable[n->kin->scalar[number]].node;
        const taut_vec gap =
            taut_kin_add(g, d, -1.0, taut_vec_scale(g, s, n->kin->value[c->vector]));
        const bool placed = n->kin->origin[c->point] == TAUT_ORIGIN_COLLINEAR;
        for (int k = 0; k < gap.n && !placed; k++) TAUT_TRY(keep_on_line(n, number, k, gap.c[k]));
        return TAUT_OK;
    }
    if (taut_relative_holds_line(n->kin, number)) return TAUT_OK;
    TAUT_TRY(taut_kin_normals(n->kin, c->vector, normal));
    for (int k = 0; k < n->mechanism->dimension - 1; k++)
        TAUT_TRY(keep_on_line(n, number, k, taut_vec_inner(g, d, normal[k])));
    return TAUT_OK;
}

taut_status taut_mechanics_rigidity(taut_mechanics *n) {
    const taut_mechanism *m = n->mechanism;
    for (int b = 0; b < m->bodies; b++) {
        n->rigid = b + 1;
        TAUT_TRY(n->kin->formulation->constrain(n, b));
    }
    n->rigid = 0;
    for (int i = 0; i < m->collinears; i++) TAUT_MECHANICS_NOTE(n, add_collinear(n, i));
    return taut_mechanics_joints(n);
}
