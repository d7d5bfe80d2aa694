/* Tables with which masses move: a corner of such a one would be a blow, and the equations of
 * motion would not notice. Found once the file is read: from what has mass down through the graph,
 * each node and element once. */
#include "model/reader.h"

typedef struct search {
    const taut_model *model;
    bool *reached;    /* [nodes] */
    bool *parameter;  /* [parameters] */
    bool *placed;     /* [elements] */
    taut_node *node;  /* [nodes] reached, but not looked at so far: ... */
    int *element;     /* [elements] ... likewise */
    size_t nodes;     /* how many wait */
    int elements;     /* likewise */
    int *line, *next; /* [elements], [collinears] the lines a point is on: number + 1; 0: no more */
} search;

static void reach(search *s, taut_node v) {
    if (s->reached[v]) return;
    s->reached[v] = true;
    s->node[s->nodes++] = v;
}

static void reach_element(search *s, int e) {
    if (s->placed[e]) return;
    s->placed[e] = true;
    s->element[s->elements++] = e;
}

static void look_at_node(search *s, taut_node v) {
    const taut_graph *g = s->model->graph;
    const taut_node_data *d = taut_node_get(g, v);
    if (d->op == TAUT_OP_PARAM) s->parameter[d->index] = true;
    if (d->op == TAUT_OP_LEAF && s->model->leaf[d->index].kind == TAUT_LEAF_ELEMENT)
        reach_element(s, s->model->leaf[d->index].index);
    for (uint32_t i = 0; i < d->count; i++) reach(s, taut_node_args(g, v)[i]);
}

/* Points and vectors are placed by formulas, or on lines. */
static void look_at_element(search *s, int e) {
    const taut_mechanism *m = s->model->mechanism;
    for (int i = 0; i < m->element[e].given.n; i++) reach(s, m->element[e].given.c[i]);
    for (int k = s->line[e]; k > 0; k = s->next[k - 1]) {
        reach_element(s, m->collinear[k - 1].origin);
        reach_element(s, m->collinear[k - 1].vector);
    }
}

static void go_down(search *s) {
    while (s->nodes > 0 || s->elements > 0)
        if (s->nodes > 0)
            look_at_node(s, s->node[--s->nodes]);
        else
            look_at_element(s, s->element[--s->elements]);
}

/* ---- what has mass ---- */

static void reach_masses(search *s) {
    const taut_mechanism *m = s->model->mechanism;
    for (int i = 0; i < m->collinears; i++) {
        s->next[i] = s->line[m->collinear[i].point];
        s->line[m->collinear[i].point] = i + 1;
    }
    for (int b = 0; b < m->bodies; b++)
        for (int i = 0; i < m->body[b].elements; i++) reach_element(s, m->body[b].element[i]);
    for (int i = 0; i < m->particles; i++) reach_element(s, m->particle[i].point);
    for (int i = 0; i < m->links; i++)
        for (int k = 0; k < 2 && m->link[i].mass != TAUT_NO_NODE; k++)
            reach_element(s, m->link[i].point[k]);
}

/* Lagrangians: terms that contain velocities, kinetic energy as far as one can tell. */
static taut_status reach_terms(search *s, taut_arena *arena) {
    const taut_graph *g = s->model->graph;
    const taut_node L = s->model->L;
    if (L == TAUT_NO_NODE) return TAUT_OK;
    bool *moves = TAUT_NEW_ARRAY(arena, (size_t)L + 1, bool);
    if (!moves) return TAUT_ERR_MEMORY;
    for (taut_node v = 1; v <= L; v++) {
        const taut_node_data *d = taut_node_get(g, v);
        moves[v] = d->op == TAUT_OP_DIFF;
        for (uint32_t i = 0; i < d->count; i++)
            moves[v] = moves[v] || moves[taut_node_args(g, v)[i]];
    }
    const taut_node_data *d = taut_node_get(g, L);
    if (d->op != TAUT_OP_SUM && moves[L]) reach(s, L);
    for (uint32_t i = 0; i < d->count && d->op == TAUT_OP_SUM; i++)
        if (moves[taut_node_args(g, L)[i]]) reach(s, taut_node_args(g, L)[i]);
    return TAUT_OK;
}

static taut_status find(taut_model *m, taut_arena *arena) {
    const size_t size = taut_graph_size(m->graph);
    const int elements = m->mechanism ? m->mechanism->elements : 0;
    search s = {.model = m,
                .reached = TAUT_NEW_ARRAY(arena, size, bool),
                .parameter = TAUT_NEW_ARRAY(arena, m->parameters, bool),
                .placed = TAUT_NEW_ARRAY(arena, elements, bool),
                .node = TAUT_NEW_ARRAY(arena, size, taut_node),
                .element = TAUT_NEW_ARRAY(arena, elements, int),
                .line = TAUT_NEW_ARRAY(arena, elements, int),
                .next = TAUT_NEW_ARRAY(arena, m->mechanism ? m->mechanism->collinears : 0, int)};
    if (!s.reached || !s.parameter || !s.placed || !s.node || !s.element || !s.line || !s.next)
        return TAUT_ERR_MEMORY;
    if (m->mechanism) reach_masses(&s);
    if (m->kind == TAUT_MODEL_LAGRANGIAN) TAUT_TRY(reach_terms(&s, arena));
    go_down(&s);
    for (int i = 0; i < m->lookups; i++) {
        taut_model_lookup *x = &m->lookup[i];
        const int count = taut_sampled_numbers(&m->table[x->table].table);
        x->inertial = false;
        for (int k = 0; k < count; k++) x->inertial = x->inertial || s.parameter[x->first + k];
    }
    return TAUT_OK;
}

taut_status taut_find_corners(taut_model *m) {
    taut_arena arena = {0};
    const taut_status status = m->lookups > 0 ? find(m, &arena) : TAUT_OK;
    taut_arena_release(&arena);
    return status;
}
