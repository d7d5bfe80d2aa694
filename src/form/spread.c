/* Who feels a force on something that is a formula of others. A formula that is linear in the
 * elements it names, such as C + B - A, passes the force on to these elements; so does anything
 * else, by the derivatives at hand, and to the coordinates that it names. */
#include <math.h>

#include "expr/pattern.h"
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
        TAUT_TRY(taut_sweep_of(f->sweep, TAUT_SWEEP_PLAIN, formula.c[i]));
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

/* ---- anything else: what the leaves of the formula feel ---- */

/* d_i acts, with a factor, on a coordinate with a name, as a driver of it does. */
static taut_status add_coordinate(taut_freebody *f, taut_parts *parts, int leaf, int i,
                                  taut_node factor) {
    taut_parts inner = {0};
    taut_status status = taut_freebody_coordinate(f, f->mechanics->model->leaf[leaf].name,
                                                  f->mechanics->kin->meaning[leaf],
                                                  taut_number(f->graph, 1.0), &inner);
    for (int q = 0; q < inner.count && status == TAUT_OK; q++) {
        const taut_part *from = &inner.item[q];
        taut_part *p = find_part(f, parts, from->carrier, from->element);
        if (!p) status = TAUT_ERR_MEMORY;
        if (p)
            p->row[i] = taut_kin_add(f->graph, p->row[i], 1.0,
                                     taut_vec_scale(f->graph, factor, from->row[0]));
    }
    taut_release((void **)&inner.item);
    return status;
}

/* d_i acts, with a factor, on what a leaf stands for: whatever the unknowns of the formulation are,
 * it acts on the body that carries it. */
static taut_status add_leaf(taut_freebody *f, taut_parts *parts, int leaf, int i,
                            taut_node factor) {
    const taut_model_leaf *x = &f->mechanics->model->leaf[leaf];
    switch (x->kind) {
    case TAUT_LEAF_ELEMENT: return add_component(f, parts, x->index, i, x->part, factor);
    case TAUT_LEAF_ANGLE:
    case TAUT_LEAF_LINE:
    case TAUT_LEAF_DISTANCE:
    case TAUT_LEAF_CURVE: return add_coordinate(f, parts, leaf, i, factor);
    default: return TAUT_OK; /* further unknowns and forces are of no body */
    }
}

/* A leaf, and the derivative of the formula by it. */
typedef struct pull {
    int leaf;
    taut_node factor;
} pull;

/* d_i acts, with a weight, on a formula of leaves. */
static taut_status add_gradient(taut_freebody *f, taut_sweep_mode mode, taut_node formula,
                                taut_node weight, taut_parts *parts, int i) {
    taut_mechanics *n = f->mechanics;
    taut_sweep_begin(f->sweep, mode, NULL);
    taut_sweep_seed(f->sweep, formula, 1.0, taut_number(f->graph, 1.0));
    TAUT_TRY(taut_sweep_run(f->sweep));
    const size_t reached = taut_sweep_reached(f->sweep);
    pull *found = taut_arena_array(n->arena, reached + 1, sizeof *found);
    if (!found) return TAUT_ERR_MEMORY;
    for (size_t k = 0; k < reached; k++)
        found[k] = (pull){taut_node_get(f->graph, taut_sweep_variable(f->sweep, k))->index,
                          taut_sweep_adjoint(f->sweep, k)};
    for (size_t k = 0; k < reached; k++) { /* more sweeps inside */
        taut_node factor;
        TAUT_TRY(taut_kin_import(n->kin, found[k].factor, n->model->problem_place, &factor));
        TAUT_TRY(add_leaf(f, parts, found[k].leaf, i, taut_mul(f->graph, weight, factor)));
    }
    return TAUT_OK;
}

taut_status taut_freebody_gradient(taut_freebody *f, taut_sweep_mode mode, taut_node formula,
                                   taut_node weight, taut_parts *parts) {
    return add_gradient(f, mode, formula, weight, parts, 0);
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
        TAUT_TRY(add_gradient(f, TAUT_SWEEP_PLAIN, n->mechanism->element[element].given.c[i],
                              taut_number(f->graph, 1.0), parts, i));
    return TAUT_OK;
}
