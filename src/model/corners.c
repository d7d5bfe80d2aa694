/* Tables with which masses move: a corner of such a one would be a blow, and the equations of
 * motion would not notice. Found once the file is read: masks of up to 64 tables go up through the
 * graph. */
#include <stdint.h>

#include "model/reader.h"

typedef struct search {
    const taut_model *model;
    uint64_t *node;    /* [nodes] tables below each */
    uint64_t *element; /* [elements] tables on which the place of each depends */
    bool *moves;       /* [nodes] contains a derivative */
    int first;         /* lookup of bit 0 */
} search;

/* Bits of the parameters of lookups. */
static uint64_t bit_of(const search *s, int parameter) {
    const taut_model *m = s->model;
    for (int i = s->first; i < m->lookups && i < s->first + 64; i++) {
        const taut_model_lookup *x = &m->lookup[i];
        const int count = taut_sampled_numbers(&m->table[x->table].table);
        if (parameter >= x->first && parameter < x->first + count)
            return (uint64_t)1 << (i - s->first);
    }
    return 0;
}

/* What a leaf stands for depends on these. */
static uint64_t mask_of_leaf(const search *s, int leaf) {
    const taut_model_leaf *x = &s->model->leaf[leaf];
    return x->kind == TAUT_LEAF_ELEMENT ? s->element[x->index] : 0;
}

static void spread(search *s) {
    const taut_graph *g = s->model->graph;
    for (taut_node v = 1; v < taut_graph_size(g); v++) {
        const taut_node_data *d = taut_node_get(g, v);
        uint64_t mask = d->op == TAUT_OP_PARAM  ? bit_of(s, d->index)
                        : d->op == TAUT_OP_LEAF ? mask_of_leaf(s, d->index)
                                                : 0;
        bool moves = d->op == TAUT_OP_DIFF;
        for (uint32_t i = 0; i < d->count; i++) {
            mask |= s->node[taut_node_args(g, v)[i]];
            moves = moves || s->moves[taut_node_args(g, v)[i]];
        }
        s->node[v] = mask;
        s->moves[v] = moves;
    }
}

/* ---- mechanisms ---- */

/* Points and vectors that are placed by formulas, or on lines; true if one has become more. */
static bool place_elements(search *s) {
    const taut_mechanism *m = s->model->mechanism;
    bool more = false;
    for (int e = 0; e < m->elements; e++) {
        uint64_t mask = s->element[e];
        for (int i = 0; i < m->element[e].given.n; i++) mask |= s->node[m->element[e].given.c[i]];
        for (int i = 0; i < m->collinears; i++)
            if (m->collinear[i].point == e)
                mask |= s->element[m->collinear[i].origin] | s->element[m->collinear[i].vector];
        more = more || mask != s->element[e];
        s->element[e] = mask;
    }
    return more;
}

static uint64_t search_mechanism(search *s) {
    const taut_mechanism *m = s->model->mechanism;
    uint64_t mask = 0;
    do {
        spread(s);
    } while (place_elements(s));
    for (int b = 0; b < m->bodies; b++)
        for (int i = 0; i < m->body[b].elements; i++) mask |= s->element[m->body[b].element[i]];
    for (int i = 0; i < m->particles; i++) mask |= s->element[m->particle[i].point];
    for (int i = 0; i < m->links; i++)
        if (m->link[i].mass != TAUT_NO_NODE)
            mask |= s->element[m->link[i].point[0]] | s->element[m->link[i].point[1]];
    return mask;
}

/* ---- Lagrangians ---- */

/* Terms that contain velocities: kinetic energy, as far as one can tell. */
static uint64_t search_terms(search *s) {
    const taut_graph *g = s->model->graph;
    const taut_node L = s->model->L;
    uint64_t mask = 0;
    spread(s);
    if (L == TAUT_NO_NODE) return 0;
    const taut_node_data *d = taut_node_get(g, L);
    if (d->op != TAUT_OP_SUM) return s->moves[L] ? s->node[L] : 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const taut_node term = taut_node_args(g, L)[i];
        if (s->moves[term]) mask |= s->node[term];
    }
    return mask;
}

taut_status taut_find_corners(taut_model *m) {
    taut_arena arena = {0};
    const size_t size = taut_graph_size(m->graph);
    search s = {.model = m};
    taut_status status = TAUT_OK;
    for (s.first = 0; s.first < m->lookups && status == TAUT_OK; s.first += 64) {
        s.node = TAUT_NEW_ARRAY(&arena, size, uint64_t);
        s.moves = TAUT_NEW_ARRAY(&arena, size, bool);
        s.element = TAUT_NEW_ARRAY(&arena, m->mechanism ? m->mechanism->elements : 0, uint64_t);
        if (!s.node || !s.moves || !s.element) {
            status = TAUT_ERR_MEMORY;
            break;
        }
        const uint64_t mask = m->mechanism                       ? search_mechanism(&s)
                              : m->kind == TAUT_MODEL_LAGRANGIAN ? search_terms(&s)
                                                                 : 0;
        for (int i = 0; i < 64 && s.first + i < m->lookups; i++)
            m->lookup[s.first + i].inertial = (mask >> i) & 1;
    }
    taut_arena_release(&arena);
    return status;
}
