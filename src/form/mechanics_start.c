/* Where a mechanism begins: the file's initial values as values and conditions of the unknowns, or
 * a start that was found elsewhere. */
#include <math.h>
#include <string.h>

#include "form/formulation.h"
#include "form/guess.h"

/* ---- initial values of the file ---- */

/* The number of a tracked angle, -1: the node is none. */
static int angle_of(const taut_mechanics *n, taut_node node) {
    const taut_tracked *angle = taut_mechanics_tracked(n, node);
    return angle ? (int)(angle - n->angle) : -1;
}

/* Is it the initial value of an unknown that is not an angle? */
static bool is_direct(const taut_mechanics *n, const taut_model_value *v) {
    return v->variable >= 0 && angle_of(n, v->node) < 0;
}

/* An initial value as a condition. That of an angle: r sin(x - value) = 0 with r cos(x - value) >
 * 0.
 */
static taut_condition condition_of(taut_mechanics *n, const taut_model_value *v, int angle) {
    taut_graph *g = n->graph;
    const taut_node number = taut_problem_initial(n->problem, v->slot);
    static const char *const part[] = {"x", "y", "z"};
    taut_condition x = {.fixed = v->fixed,
                        .name = v->name,
                        .place = v->place,
                        .listed = true,
                        .part = v->components > 1 ? part[v->component] : "",
                        .order = v->order,
                        .value = v->value,
                        .number = n->model->parameters + v->slot};
    if (angle < 0) {
        x.node = taut_sub(g, taut_dot(g, v->node, v->order), number);
    } else if (v->order > 0) {
        x.node = taut_sub(g, taut_dot(g, n->angle[angle].rate, v->order - 1), number);
    } else {
        const taut_node sine = n->angle[angle].sine, cosine = n->angle[angle].cosine;
        const taut_node c = taut_apply(g, TAUT_OP_COS, number);
        const taut_node s = taut_apply(g, TAUT_OP_SIN, number);
        x.node = taut_sub(g, taut_mul(g, c, sine), taut_mul(g, s, cosine));
        x.side = taut_add(g, taut_mul(g, s, sine), taut_mul(g, c, cosine));
    }
    return x;
}

/* How a tracked angle begins: as a driver or a gear says, which may be beyond a half-turn (then
 * r sin(x - geometry) = 0 with r cos(x - geometry) > 0); otherwise less than a half-turn from
 * its listed value (NULL: from 0). */
static taut_condition beginning_of(taut_mechanics *n, int k, bool tied, const taut_model_value *v) {
    taut_graph *g = n->graph;
    const taut_tracked *x = &n->angle[k];
    taut_condition c = {.fixed = true,
                        .name = n->mechanism->angle[k].name,
                        .place = n->mechanism->angle[k].place,
                        .number = -1};
    if (tied) {
        const taut_node cosine = taut_apply(g, TAUT_OP_COS, x->variable);
        const taut_node sine = taut_apply(g, TAUT_OP_SIN, x->variable);
        c.node = taut_sub(g, taut_mul(g, sine, x->cosine), taut_mul(g, cosine, x->sine));
        c.side = taut_add(g, taut_mul(g, sine, x->sine), taut_mul(g, cosine, x->cosine));
    } else if (v) {
        const taut_condition off = condition_of(n, v, k);
        c.node = taut_sub(g, taut_sub(g, x->variable, taut_problem_initial(n->problem, v->slot)),
                          taut_atan2(g, off.node, off.side));
    } else {
        c.node = taut_sub(g, x->variable, x->value);
    }
    return c;
}

/* Coordinates of bodies may all be 0 where its points are not: how large is the mechanism? */
static void see_length(taut_system *s, double coordinate) {
    if (fabs(coordinate) > s->length) s->length = fabs(coordinate);
}

static bool is_place(const taut_model_value *v) {
    return v->components > 1 && v->order == 0 && v->name[0] >= 'A' && v->name[0] <= 'Z';
}

/* Is an initial value that of a joint's distance? */
static bool is_distance(const taut_mechanics *n, const taut_model_value *v) {
    const taut_node_data *d = taut_node_get(n->graph, n->model->value[v->slot].node);
    return d->op == TAUT_OP_LEAF && n->model->leaf[d->index].kind == TAUT_LEAF_DISTANCE;
}

/* The links of chains have no mass, and no values in the file: coordinates of the chain say where
 * they are, so theirs are as those of other bodies. */
static void mark_links(const taut_mechanics *n) {
    const taut_mechanism *m = n->mechanism;
    for (int e = 0; e < m->elements - m->copies; e++)
        for (int i = 0; i < m->dimension && m->element[e].copy; i++) {
            const taut_node_data *d = taut_node_get(n->graph, n->kin->value[e].c[i]);
            if (d->op == TAUT_OP_VAR) n->problem->system.unknown[d->index].mechanical = true;
        }
}

/* Initial values of what is not an unknown, and angles, become conditions. A distance that is an
 * unknown itself, the coordinate of a point of a body without mass, counts only where its
 * derivatives do. */
taut_status taut_mechanics_conditions(taut_mechanics *n) {
    taut_system *s = &n->problem->system;
    const int angles = n->mechanism->angles;
    int conditions = angles;
    for (int i = 0; i < n->values; i++) conditions += !is_direct(n, &n->value[i]);
    s->condition = TAUT_NEW_ARRAY(n->arena, conditions, taut_condition);
    s->given = TAUT_NEW_ARRAY(n->arena, n->values + n->model->contacts + 1, taut_given);
    bool *set = TAUT_NEW_ARRAY(n->arena, angles, bool),
         *tied = TAUT_NEW_ARRAY(n->arena, angles, bool);
    const taut_model_value **listed = TAUT_NEW_ARRAY(n->arena, angles, const taut_model_value *);
    if (!s->condition || !s->given || !set || !tied || !listed) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_mechanics_guess(n, tied));
    s->givens = 0;
    taut_contacts_guess(n->problem);
    mark_links(n);
    for (int i = 0; i < n->values; i++) {
        const taut_model_value *v = &n->value[i];
        const int angle = angle_of(n, v->node);
        const bool starts = angle >= 0 && v->fixed && v->order == 0, direct = is_direct(n, v);
        if (is_place(v)) see_length(s, v->value);
        if (direct && is_distance(n, v)) s->unknown[v->variable].mechanical = true;
        if (starts) set[angle] = true;
        if (angle >= 0 && v->order == 0) listed[angle] = v;
        if (!direct) s->condition[s->conditions++] = condition_of(n, v, angle);
        if (direct || starts) s->given[s->givens++] = taut_problem_given(n->problem, v, v->slot);
    }
    for (int k = 0; k < angles; k++) /* others start where the geometry says */
        if (!set[k]) s->condition[s->conditions++] = beginning_of(n, k, tied[k], listed[k]);
    return TAUT_OK;
}

/* ---- a start that was found elsewhere ---- */

static void give(taut_mechanics *n, int variable, int order, double value) {
    taut_system *s = &n->problem->system;
    s->given[s->givens++] = (taut_given){.variable = variable,
                                         .order = order,
                                         .value = value,
                                         .place = s->unknown[variable].place,
                                         .number = -1};
}

/* P = O + s v: s and its rate, from the places of P, O and v. */
static void give_distance(taut_mechanics *n, const taut_start *start, int number) {
    const taut_collinear *c = &n->mechanism->collinear[number];
    const double(*P)[3] = start->element[c->point], (*O)[3] = start->element[c->origin],
          (*v)[3] = start->element[c->vector];
    double s[2] = {0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const double d = P[0][i] - O[0][i];
        s[0] += d * v[0][i];
        s[1] += (P[1][i] - O[1][i]) * v[0][i] + d * v[1][i];
    }
    for (int k = 0; k < 2; k++) give(n, n->kin->scalar[number], k, s[k]);
}

/* Loads of split joints may be in roots and quotients: their search does not begin at 0. */
static void guess_loads(taut_mechanics *n) {
    const taut_mechanism *m = n->mechanism;
    double weight = 0.0;
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].has_mass) weight += 10.0 * taut_node_get(n->graph, m->body[b].mass)->value;
    if (!(weight > 0.0)) weight = 1.0;
    for (size_t i = 0; i < n->constraints; i++)
        if (n->constraint[i].joint > 0 && m->joint[n->constraint[i].joint - 1].split)
            give(n, taut_node_get(n->graph, n->constraint[i].lambda)->index, 0,
                 weight / (1.5 + n->constraint[i].equation));
}

/* Bodies from their poses, points from their places, everything else by its name. */
taut_status taut_mechanics_start(taut_mechanics *n, const taut_start *start) {
    const taut_mechanism *m = n->mechanism;
    taut_system *s = &n->problem->system;
    s->givens = 0;
    s->given = TAUT_NEW_ARRAY(n->arena, 3 * s->n + start->values + 1, taut_given);
    if (!s->given) return TAUT_ERR_MEMORY;
    for (int b = 0; b < m->bodies; b++) {
        const taut_frame *f = &n->kin->frame[b];
        double x[2][TAUT_BODY_UNKNOWNS_MAX];
        if (f->unknowns == 0) continue;
        n->kin->formulation->start(n->kin, b, &start->body[b], x);
        for (int i = 0; i < f->unknowns; i++)
            for (int k = 0; k < 2; k++) give(n, f->first + i, k, x[k][i]);
    }
    for (int e = 0; e < m->elements; e++)
        for (int i = 0; i < m->dimension && !m->element[e].is_vector; i++)
            see_length(s, start->element[e][0][i]);
    for (int e = 0; e < m->elements; e++)
        for (int i = 0; i < m->dimension && n->kin->origin[e] == TAUT_ORIGIN_BASIC; i++)
            for (int k = 0; k < 2; k++)
                give(n, taut_node_get(n->graph, n->kin->value[e].c[i])->index, k,
                     start->element[e][k][i]);
    for (int i = 0; i < m->collinears; i++)
        if (n->kin->scalar[i] >= 0) give_distance(n, start, i);
    for (int i = 0; i < start->values; i++)
        for (int j = n->problem->placing; j < s->n; j++)
            if (strcmp(s->unknown[j].name, start->value[i].name) == 0)
                give(n, j, start->value[i].order, start->value[i].value);
    guess_loads(n);
    return TAUT_OK;
}
