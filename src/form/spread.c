/* Who feels a force on something that is a formula of others. A formula that is linear in the
 * elements it names, such as C + B - A, passes the force on to these elements; anything else passes
 * it on to the unknowns that it contains. */
#include <math.h>

#include "expr/pattern.h"
#include "form/formulation.h"
#include "form/freebody.h"
#include "expr/substitute.h"

static taut_vec zero(const taut_freebody *f) {
    return taut_freebody_spatial(f, taut_vec_scalar(taut_number(f->graph, 0.0)));
}

/* The part of an element (-1: a torque), or a new one; NULL without memory. */
static taut_part *find_part(taut_freebody *f, taut_parts *parts, int carrier, int element) {
    for (int i = 0; i < parts->count; i++)
        if (parts->item[i].element == element && parts->item[i].carrier == carrier)
            return &parts->item[i];
    if (taut_grow((void **)&parts->item, &parts->room, (size_t)parts->count + 1,
                  sizeof *parts->item))
        return NULL;
    taut_part *p = &parts->item[parts->count++];
    *p =
        (taut_part){.carrier = carrier,
                    .element = element,
                    .kind = element < 0                                           ? TAUT_END_TORQUE
                            : f->mechanics->mechanism->element[element].is_vector ? TAUT_END_ARM
                                                                                  : TAUT_END_FORCE};
    for (int i = 0; i < 3; i++) p->row[i] = zero(f);
    return p;
}

/* d_i acts on component k of an element with a factor. */
static taut_status add_component(taut_freebody *f, taut_parts *parts, int element, int i, int k,
                                 taut_node factor) {
    const int hub = f->hub[element];
    if (hub == TAUT_HUB_GROUND) return TAUT_OK;
    if (hub == TAUT_HUB_FORMULA) {
        taut_parts inner = {0};
        taut_status status = taut_freebody_spread(f, element, &inner);
        for (int q = 0; q < inner.count && status == TAUT_OK; q++) {
            const taut_part *from = &inner.item[q];
            taut_part *p = find_part(f, parts, from->carrier, from->element);
            if (!p) status = TAUT_ERR_MEMORY;
            if (p)
                p->row[i] = taut_kin_add(f->graph, p->row[i], 1.0,
                                         taut_vec_scale(f->graph, factor, from->row[k]));
        }
        taut_release((void **)&inner.item);
        return status;
    }
    taut_part *p = find_part(f, parts, hub, element);
    if (!p) return TAUT_ERR_MEMORY;
    p->row[i].c[k] = taut_add(f->graph, p->row[i].c[k], factor);
    return TAUT_OK;
}

/* ---- formulas linear in elements ---- */

/* The elements of a formula as variables of their own, numbered from `first`. */
typedef struct stand_ins {
    taut_graph *graph;
    const taut_model *model;
    int first, dimension;
} stand_ins;

/* Other leaves stay: the formula is then no combination of elements. */
static taut_node stand_in(void *user, int leaf) {
    const stand_ins *s = user;
    const taut_model_leaf *x = &s->model->leaf[leaf];
    if (x->kind != TAUT_LEAF_ELEMENT) return taut_leaf(s->graph, leaf);
    return taut_variable(s->graph, s->first + x->index * s->dimension + x->part);
}

static taut_status put_stand_ins(stand_ins *s, taut_vec given, taut_vec *formula) {
    taut_substitution *substitution;
    taut_status status = taut_substitution_create(s->graph, stand_in, s, &substitution);
    *formula = given;
    for (int i = 0; i < given.n && status == TAUT_OK; i++) {
        bool finite;
        status = taut_substitute(substitution, given.c[i], &formula->c[i], &finite);
    }
    taut_substitution_free(&substitution);
    return status;
}

/* Does the formula contain stand-ins and t only, and no rates? */
static taut_status is_plain(const taut_freebody *f, const stand_ins *s, taut_node node,
                            bool *plain) {
    const taut_pattern_entry *entry;
    taut_pattern *pattern;
    size_t count = 0;
    TAUT_TRY(taut_pattern_create(f->graph, &pattern));
    taut_status status = taut_pattern_row(pattern, node, &entry, &count);
    for (size_t i = 0; i < count && status == TAUT_OK; i++)
        if (entry[i].variable < s->first || entry[i].order > 0) *plain = false;
    taut_pattern_free(&pattern);
    return status;
}

/* d component[of formula] / d component[of element] of a formula. */
typedef struct slope {
    int element, i, k;
    taut_node factor;
} slope;
typedef struct slopes {
    slope *item;
    size_t count, room;
} slopes;

/* All slopes of a formula; *linear: they are constant. */
static taut_status find_slopes(taut_freebody *f, const stand_ins *s, taut_vec formula, slopes *list,
                               bool *linear) {
    for (int i = 0; i < formula.n && *linear; i++) {
        TAUT_TRY(is_plain(f, s, formula.c[i], linear));
        taut_sweep_begin(f->sweep, TAUT_SWEEP_PLAIN, NULL);
        taut_sweep_seed(f->sweep, formula.c[i], 1.0, taut_number(f->graph, 1.0));
        TAUT_TRY(taut_sweep_run(f->sweep));
        const size_t reached = taut_sweep_reached(f->sweep);
        if (taut_grow((void **)&list->item, &list->room, list->count + reached + 1,
                      sizeof *list->item))
            return TAUT_ERR_MEMORY;
        for (size_t k = 0; k < reached; k++) {
            const taut_node factor = taut_sweep_adjoint(f->sweep, k);
            const int at =
                taut_node_get(f->graph, taut_sweep_variable(f->sweep, k))->index - s->first;
            *linear = *linear && taut_node_get(f->graph, factor)->steady;
            list->item[list->count++] = (slope){at / s->dimension, i, at % s->dimension, factor};
        }
    }
    return TAUT_OK;
}

static bool has_element(const taut_body *b, int element) {
    for (int i = 0; i < b->elements; i++)
        if (b->element[i] == element) return true;
    return false;
}

/* Is a formula nothing but its slopes times its elements? */
static bool is_combination(const taut_freebody *f, const stand_ins *s, taut_vec formula,
                           const slopes *list) {
    for (size_t q = 0; q < list->count; q++) {
        const slope *x = &list->item[q];
        const taut_node element =
            taut_variable(f->graph, s->first + x->element * s->dimension + x->k);
        formula.c[x->i] =
            taut_sub(f->graph, formula.c[x->i], taut_mul(f->graph, x->factor, element));
    }
    for (int i = 0; i < formula.n; i++)
        if (!taut_node_is_number(f->graph, formula.c[i], 0.0)) return false;
    return true;
}

/* A combination of points of one body whose weights have the sum 1, such as a middle, is a point of
 * that body; -1: it is not. */
static int common_body(const taut_freebody *f, const slopes *list) {
    const taut_mechanism *m = f->mechanics->mechanism;
    double sum[3][3] = {{0.0}};
    for (size_t q = 0; q < list->count; q++)
        sum[list->item[q].i][list->item[q].k] += taut_assume_value(f->graph, list->item[q].factor);
    for (int i = 0; i < m->dimension; i++)
        for (int k = 0; k < m->dimension; k++)
            if (fabs(sum[i][k] - (i == k ? 1.0 : 0.0)) > 1e-12) return -1;
    for (int b = 0; b < m->bodies; b++) {
        bool all = true;
        for (size_t q = 0; q < list->count && all; q++)
            all = !m->element[list->item[q].element].is_vector &&
                  has_element(&m->body[b], list->item[q].element);
        if (all) return b;
    }
    return -1;
}

static taut_status add_linear(taut_freebody *f, const stand_ins *s, int element, taut_vec formula,
                              const slopes *list, taut_parts *parts) {
    const int body = is_combination(f, s, formula, list) ? common_body(f, list) : -1;
    if (body >= 0) {
        taut_part *p = find_part(f, parts, body, element);
        if (!p) return TAUT_ERR_MEMORY;
        for (int i = 0; i < 3; i++) p->row[i].c[i] = taut_number(f->graph, 1.0);
        return TAUT_OK;
    }
    for (size_t q = 0; q < list->count; q++) {
        const slope *x = &list->item[q];
        TAUT_TRY(add_component(f, parts, x->element, x->i, x->k, x->factor));
    }
    return TAUT_OK;
}

/* ---- anything else: what the unknowns feel ---- */

/* d_i acts, with a factor, on a tracked angle: by torques, as a driver of the angle does. */
static taut_status add_angle(taut_freebody *f, taut_parts *parts, taut_node angle, int i,
                             taut_node factor) {
    taut_parts inner = {0};
    taut_status status =
        taut_freebody_coordinate(f, NULL, angle, taut_number(f->graph, 1.0), &inner);
    for (int q = 0; q < inner.count && status == TAUT_OK; q++) {
        taut_part *p = find_part(f, parts, inner.item[q].carrier, inner.item[q].element);
        if (!p) status = TAUT_ERR_MEMORY;
        if (p)
            p->row[i] = taut_kin_add(f->graph, p->row[i], 1.0,
                                     taut_vec_scale(f->graph, factor, inner.item[q].row[0]));
    }
    taut_release((void **)&inner.item);
    return status;
}

/* d_i acts, with a factor, on an unknown of a body: a force at the body's first element, and a
 * torque. */
static taut_status add_body_unknown(taut_freebody *f, taut_parts *parts, int body, int number,
                                    int i, taut_node factor) {
    taut_kin *k = f->mechanics->kin;
    const int at = f->mechanics->mechanism->body[body].element[0];
    taut_vec force, torque;
    if (k->formulation->tells && !k->formulation->tells(k, body, number))
        return taut_fail(f->mechanics->errors, TAUT_ERR_CALL,
                         "reactions: the force of a formula acts on joint coordinates (%s), which "
                         "do not tell where it acts; use the formulation natural",
                         k->problem->variable[k->frame[body].first + number].name);
    k->formulation->act(k, body, number, &force, &torque);
    const taut_vec centre = taut_freebody_spatial(
        f, k->frame[body].centre.n > 0 ? k->frame[body].centre : k->frame[body].origin);
    const taut_vec arm = taut_kin_add(f->graph, centre, -1.0, taut_freebody_value(f, at));
    torque = taut_kin_add(f->graph, torque, 1.0, taut_vec_cross(f->graph, arm, force));
    taut_part *p = find_part(f, parts, body, at);
    if (!p) return TAUT_ERR_MEMORY;
    p->row[i] = taut_kin_add(f->graph, p->row[i], 1.0, taut_vec_scale(f->graph, factor, force));
    p = find_part(f, parts, body, -1);
    if (!p) return TAUT_ERR_MEMORY;
    p->row[i] = taut_kin_add(f->graph, p->row[i], 1.0, taut_vec_scale(f->graph, factor, torque));
    return TAUT_OK;
}

/* d_i acts on an unknown with a factor. */
static taut_status add_unknown(taut_freebody *f, taut_parts *parts, int variable, int i,
                               taut_node factor) {
    const taut_kin *k = f->mechanics->kin;
    const taut_mechanism *m = f->mechanics->mechanism;
    const taut_node node = taut_variable(f->graph, variable);
    for (int b = 0; b < m->bodies; b++) {
        const int number = variable - k->frame[b].first;
        if (number >= 0 && number < k->frame[b].unknowns)
            return add_body_unknown(f, parts, b, number, i, factor);
    }
    for (int e = 0; e < m->elements; e++)
        for (int c = 0; c < m->dimension && k->origin[e] == TAUT_ORIGIN_BASIC; c++)
            if (k->value[e].c[c] == node) return add_component(f, parts, e, i, c, factor);
    for (int c = 0; c < m->collinears; c++) {
        const taut_collinear *x = &m->collinear[c];
        const taut_vec v = taut_freebody_value(f, x->vector);
        if (k->scalar[c] != variable) continue;
        for (int a = 0; a < m->dimension; a++) /* the line feels the opposite; it may be ground */
            TAUT_TRY(add_component(f, parts, x->point, i, a, taut_mul(f->graph, factor, v.c[a])));
        const int owner = f->hub[x->origin];
        if (owner < 0) return TAUT_OK;
        taut_part *p = find_part(f, parts, owner, x->point);
        if (!p) return TAUT_ERR_MEMORY;
        p->row[i] = taut_kin_add(f->graph, p->row[i], -1.0, taut_vec_scale(f->graph, factor, v));
        return TAUT_OK;
    }
    for (int a = 0; a < m->angles; a++)
        if (f->mechanics->angle[a].variable == node) return add_angle(f, parts, node, i, factor);
    return TAUT_OK;
}

static taut_status add_gradient(taut_freebody *f, taut_sweep_mode mode, taut_node scalar,
                                taut_parts *parts, int i) {
    taut_mechanics *n = f->mechanics;
    taut_sweep_begin(f->sweep, mode, NULL);
    taut_sweep_seed(f->sweep, scalar, 1.0, taut_number(f->graph, 1.0));
    TAUT_TRY(taut_sweep_run(f->sweep));
    const size_t reached = taut_sweep_reached(f->sweep);
    taut_node *found = taut_arena_array(n->arena, 2 * reached, sizeof *found);
    if (!found) return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < reached; k++) {
        found[2 * k] = taut_sweep_variable(f->sweep, k);
        found[2 * k + 1] = taut_sweep_adjoint(f->sweep, k);
    }
    for (size_t k = 0; k < reached; k++)
        TAUT_TRY(add_unknown(f, parts, taut_node_get(f->graph, found[2 * k])->index, i,
                             found[2 * k + 1]));
    return TAUT_OK;
}

taut_status taut_freebody_gradient(taut_freebody *f, taut_sweep_mode mode, taut_node scalar,
                                   taut_parts *parts) {
    return add_gradient(f, mode, scalar, parts, 0);
}

taut_status taut_freebody_spread(taut_freebody *f, int element, taut_parts *parts) {
    taut_mechanics *n = f->mechanics;
    stand_ins s = {f->graph, n->model, n->problem->variables, n->mechanism->dimension};
    taut_vec formula;
    bool linear = true;
    TAUT_TRY(put_stand_ins(&s, n->mechanism->element[element].given, &formula));
    slopes list = {0};
    taut_status status = find_slopes(f, &s, formula, &list, &linear);
    if (status == TAUT_OK && linear) status = add_linear(f, &s, element, formula, &list, parts);
    taut_release((void **)&list.item);
    if (status != TAUT_OK || linear) return status;
    for (int i = 0; i < n->mechanism->dimension; i++)
        TAUT_TRY(add_gradient(f, TAUT_SWEEP_PLAIN, n->kin->value[element].c[i], parts, i));
    return TAUT_OK;
}
