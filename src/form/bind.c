/* What a mechanism's file says by formulas, in the unknowns of a problem: equations, outputs, and
 * initial values, of which those of things that cannot move are only checked. */
#include <math.h>
#include <stdio.h>

#include "form/mechanics.h"

taut_status taut_mechanics_import_list(taut_mechanics *n, const taut_model_formulas *list,
                                       taut_model_formulas *own) {
    *own = (taut_model_formulas){.count = list->count};
    own->item = TAUT_NEW_ARRAY(n->arena, list->count, taut_model_formula);
    if (!own->item) return TAUT_ERR_MEMORY;
    for (int i = 0; i < list->count; i++) {
        own->item[i] = list->item[i];
        TAUT_MECHANICS_NOTE(n, taut_kin_import(n->kin, list->item[i].node, list->item[i].place,
                                               &own->item[i].node));
    }
    return TAUT_OK;
}

/* ---- initial values ---- */

/* The element that an initial value is of; NULL: it is of something else. */
static const taut_element *element_of(const taut_mechanics *n, const taut_model_value *v) {
    const taut_node_data *d = taut_node_get(n->graph, v->node);
    if (d->op != TAUT_OP_LEAF) return NULL;
    const taut_model_leaf *leaf = &n->model->leaf[d->index];
    return leaf->kind == TAUT_LEAF_ELEMENT ? &n->mechanism->element[leaf->index] : NULL;
}

/* What does not move has its place and no velocity. A guess of what a joint holds may be rough. */
static taut_status check_steady(taut_mechanics *n, const taut_model_value *v, taut_node node) {
    const taut_element *e = element_of(n, v);
    const double place = taut_choose_by_value(n->graph, node);
    char text[TAUT_NAME_MAX + 60];
    if (!e)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, v->place,
                            "'%s' is not a variable: it has no initial value", v->name);
    if (v->number == TAUT_NO_NODE || (!e->fixed && !v->fixed)) return TAUT_OK;
    taut_choose_by_value(n->graph, v->number);
    snprintf(text, sizeof text, "%s%.*s", v->name, v->components > 1 ? 1 : 0, &"xyz"[v->component]);
    if (v->order > 0 && v->value != 0.0)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, v->place,
                            "%s is fixed and cannot have the velocity %.10g", text, v->value);
    if (v->order == 0 && fabs(place - v->value) >
                             1e-9 * fmax(e->is_vector ? 1.0 : taut_kin_size(n->kin), fabs(place)))
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, v->place,
                            "%s is fixed at %.10g and cannot start at %.10g", text, place,
                            v->value);
    return TAUT_OK;
}

/* Derivatives of unknowns that have a value, as bits: another name for the same point may give it
 * again. */
typedef struct givens {
    uint64_t *orders; /* [room] by unknown */
    size_t room;
    int *copy, *next; /* [elements] the first copy of an element; the next one of a copy; 0: none */
} givens;

/* *first: the unknown has had no value of this derivative so far. */
static taut_status note_given(givens *g, int variable, int order, bool *first) {
    const uint64_t bit = (uint64_t)1 << order; /* formulas have at most 50 primes */
    const size_t old = g->room;
    if (taut_grow((void **)&g->orders, &g->room, (size_t)variable + 1, sizeof *g->orders))
        return TAUT_ERR_MEMORY;
    for (size_t i = old; i < g->room; i++) g->orders[i] = 0;
    *first = !(g->orders[variable] & bit);
    g->orders[variable] |= bit;
    return TAUT_OK;
}

static taut_status bind_value(taut_mechanics *n, const taut_model_value *v, givens *g) {
    taut_node node;
    TAUT_TRY(taut_kin_import(n->kin, v->node, v->place, &node));
    const taut_node_data *d = taut_node_get(n->graph, node);
    if (d->steady) return check_steady(n, v, node);
    if (v->number == TAUT_NO_NODE)
        return taut_fail_at(n->errors, TAUT_ERR_INPUT, v->place,
                            "%s is to be kept fixed, but it has no value: give one under '%s'",
                            v->name, v->order > 0 ? "velocities" : "positions");
    taut_model_value own = *v;
    own.node = node;
    own.slot = (int)(v - n->model->value);
    own.variable = d->op == TAUT_OP_VAR ? d->index : -1;
    bool first = true;
    if (own.variable >= 0) TAUT_TRY(note_given(g, own.variable, v->order, &first));
    if (!first) own.variable = -1;
    n->value[n->values++] = own;
    return TAUT_OK;
}

/* A body that has an element for itself, because a joint was split, begins with the same values. */
static taut_status bind_copies(taut_mechanics *n, const taut_model_value *v, givens *g) {
    const taut_element *of = element_of(n, v);
    if (!of) return TAUT_OK;
    const taut_model_leaf leaf = n->model->leaf[taut_node_get(n->graph, v->node)->index];
    for (int e = g->copy[leaf.index]; e > 0; e = g->next[e]) {
        taut_node node;
        bool first = true;
        TAUT_TRY(
            taut_kin_import(n->kin, n->mechanism->element[e].leaf[leaf.part], v->place, &node));
        const taut_node_data *x = taut_node_get(n->graph, node);
        if (x->op != TAUT_OP_VAR || v->number == TAUT_NO_NODE || of->fixed) continue;
        TAUT_TRY(note_given(g, x->index, v->order, &first));
        if (!first) continue;
        taut_model_value own = *v;
        own.node = node;
        own.slot = (int)(v - n->model->value);
        own.variable = x->index;
        own.fixed = false; /* the joint sees to it */
        n->value[n->values++] = own;
    }
    return TAUT_OK;
}

static taut_status bind_each(taut_mechanics *n, givens *g) {
    for (int i = 0; i < n->model->values; i++) {
        TAUT_MECHANICS_NOTE(n, bind_value(n, &n->model->value[i], g));
        TAUT_MECHANICS_NOTE(n, bind_copies(n, &n->model->value[i], g));
    }
    return TAUT_OK;
}

/* Which copies an element has, and room for as many values as there may be with theirs. */
static taut_status list_copies(taut_mechanics *n, givens *g) {
    const taut_mechanism *m = n->mechanism;
    size_t room = (size_t)n->model->values;
    g->copy = TAUT_NEW_ARRAY(n->arena, m->elements, int);
    g->next = TAUT_NEW_ARRAY(n->arena, m->elements, int);
    int *count = TAUT_NEW_ARRAY(n->arena, m->elements, int);
    if (!g->copy || !g->next || !count) return TAUT_ERR_MEMORY;
    for (int e = m->elements - 1; e >= m->elements - m->copies; e--) {
        g->next[e] = g->copy[m->element[e].original];
        g->copy[m->element[e].original] = e;
        count[m->element[e].original]++;
    }
    for (int i = 0; i < n->model->values; i++) {
        const taut_element *of = element_of(n, &n->model->value[i]);
        if (of) room += (size_t)count[of - m->element];
    }
    n->value = TAUT_NEW_ARRAY(n->arena, room, taut_model_value);
    return n->value ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status bind_values(taut_mechanics *n) {
    givens g = {0};
    TAUT_TRY(list_copies(n, &g));
    const taut_status status = bind_each(n, &g);
    taut_release((void **)&g.orders);
    return status;
}

/* The functions of events, and what they assign. */
static taut_status bind_events(taut_mechanics *n) {
    const taut_model *m = n->model;
    taut_problem *p = n->problem;
    for (int i = 0; i < m->events; i++)
        TAUT_MECHANICS_NOTE(
            n, taut_kin_import(n->kin, m->event[i].when, m->event[i].place, &p->when[i]));
    for (int i = 0; i < m->kinks; i++)
        TAUT_MECHANICS_NOTE(n, taut_kin_import(n->kin, m->kink[i].boundary, m->kink[i].place,
                                               &p->when[m->events + i]));
    for (int i = 0; i < m->lookups; i++)
        TAUT_MECHANICS_NOTE(
            n, taut_kin_import(n->kin, m->lookup[i].value, m->lookup[i].place, &p->sampled[i]));
    for (int i = 0; i < m->lookups; i++)
        for (int k = 0; k < 2 * m->table[m->lookup[i].table].table.axes; k++)
            TAUT_MECHANICS_NOTE(
                n, taut_kin_import(n->kin, m->lookup[i].boundary[k], m->lookup[i].place,
                                   &p->when[m->events + m->kinks + m->lookup[i].start + k]));
    for (int i = 0; i < m->actions; i++) {
        const taut_model_action *a = &m->action[i];
        TAUT_MECHANICS_NOTE(n, taut_kin_import(n->kin, a->value, a->place, &p->assign[i]));
        if (a->parameter < 0)
            TAUT_MECHANICS_NOTE(n, taut_kin_import(n->kin, a->target, a->place, &p->target[i]));
    }
    return TAUT_OK;
}

static taut_status import_formula(void *user, taut_node formula, taut_place place,
                                  taut_node *node) {
    taut_mechanics *n = user;
    return taut_kin_import(n->kin, formula, place, node);
}

taut_status taut_mechanics_bind(taut_mechanics *n) {
    const taut_model *m = n->model;
    TAUT_TRY(taut_mechanics_import_list(n, &m->equations, &n->equations));
    TAUT_TRY(taut_mechanics_import_list(n, &m->outputs, &n->outputs));
    TAUT_TRY(bind_events(n));
    TAUT_MECHANICS_NOTE(n,
                        taut_contacts_import(n->problem, import_formula, n, n->tracked, n->errors));
    return bind_values(n);
}
