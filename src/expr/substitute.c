/* A walk down to the leaves with a stack of its own, and up again through the constructors, which
 * bring what has become simpler into canonical form. */
#include "expr/substitute.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "expr/ops.h"

struct taut_substitution {
    taut_graph *graph;
    taut_leaf_meaning *meaning;
    void *user;
    taut_node *image; /* [size] by node; TAUT_NO_NODE: not known yet */
    size_t size, room;
    taut_node *found; /* [founds] nodes that have an image */
    size_t founds, found_room;
};

typedef struct walk {
    taut_node *node;
    size_t depth, room;
} walk;

/* Arguments and coefficients of the node that is being rebuilt: the graph's own may move. */
typedef struct terms {
    taut_node *arg;
    double *coef;
    size_t arg_room, coef_room;
} terms;

taut_status taut_substitution_create(taut_graph *graph, taut_leaf_meaning *meaning, void *user,
                                     taut_substitution **substitution) {
    size_t room = 0;
    *substitution = NULL;
    if (taut_grow((void **)substitution, &room, 1, sizeof **substitution)) return TAUT_ERR_MEMORY;
    **substitution = (taut_substitution){.graph = graph, .meaning = meaning, .user = user};
    return TAUT_OK;
}

void taut_substitution_free(taut_substitution **substitution) {
    if (!*substitution) return;
    taut_release((void **)&(*substitution)->image);
    taut_release((void **)&(*substitution)->found);
    taut_release((void **)substitution);
}

/* Makes room for all nodes of the graph as it is now. */
static int follow_graph(taut_substitution *s) {
    const size_t size = taut_graph_size(s->graph), old = s->size;
    if (size <= old) return 0;
    if (taut_grow((void **)&s->image, &s->room, size, sizeof *s->image)) return -1;
    memset(s->image + old, 0, (size - old) * sizeof *s->image);
    s->size = size;
    return 0;
}

static int note_found(taut_substitution *s, taut_node v) {
    if (taut_grow((void **)&s->found, &s->found_room, s->founds + 1, sizeof *s->found)) return -1;
    s->found[s->founds++] = v;
    return 0;
}

static int push(walk *w, taut_node node) {
    if (taut_grow((void **)&w->node, &w->room, w->depth + 1, sizeof *w->node)) return -1;
    w->node[w->depth++] = node;
    return 0;
}

/* Pushes the arguments that have no image yet; *ready: there are none. */
static int want_arguments(taut_substitution *s, walk *w, taut_node v, bool *ready) {
    const uint32_t count = taut_node_get(s->graph, v)->count;
    *ready = true;
    for (uint32_t i = 0; i < count; i++) {
        const taut_node a = taut_node_args(s->graph, v)[i];
        if (s->image[a] != TAUT_NO_NODE) continue;
        *ready = false;
        if (push(w, a)) return -1;
    }
    return 0;
}

/* Copies the images of the arguments; *same: they are the arguments themselves. */
static int take_arguments(const taut_substitution *s, taut_node v, terms *t, bool *same) {
    const uint32_t count = taut_node_get(s->graph, v)->count;
    *same = true;
    if (taut_grow((void **)&t->arg, &t->arg_room, count + 1, sizeof *t->arg) ||
        taut_grow((void **)&t->coef, &t->coef_room, count + 1, sizeof *t->coef))
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        const taut_node a = taut_node_args(s->graph, v)[i];
        t->arg[i] = s->image[a];
        t->coef[i] = taut_node_coefs(s->graph, v)[i];
        if (t->arg[i] != a) *same = false;
    }
    return 0;
}

static taut_node rebuild(taut_substitution *s, taut_node v, const terms *t) {
    const taut_node_data d = *taut_node_get(s->graph, v);
    taut_graph *g = s->graph;
    switch (d.op) {
    case TAUT_OP_SUM: return taut_sum(g, d.constant, d.count, t->coef, t->arg);
    case TAUT_OP_MUL: return taut_mul(g, t->arg[0], t->arg[1]);
    case TAUT_OP_SQR: return taut_square(g, t->arg[0]);
    case TAUT_OP_DIV: return taut_div(g, t->arg[0], t->arg[1]);
    case TAUT_OP_SQRT: return taut_root(g, t->arg[0]);
    case TAUT_OP_POW: return taut_power(g, t->arg[0], t->arg[1]);
    case TAUT_OP_DIFF: return taut_dot(g, t->arg[0], d.index);
    case TAUT_OP_ATAN2: return taut_atan2(g, t->arg[0], t->arg[1]);
    default: return taut_apply(g, (taut_op)d.op, t->arg[0]);
    }
}

/* A constant that has come about, such as the length of a line between two fixed points. */
static bool is_finite(const taut_graph *g, taut_node v) {
    const taut_node_data *d = taut_node_get(g, v);
    for (uint32_t i = 0; d->op == TAUT_OP_SUM && i < d->count; i++)
        if (!isfinite(taut_node_coefs(g, v)[i])) return false;
    return isfinite(d->value) && isfinite(d->constant);
}

static taut_status resolve(taut_substitution *s, walk *w, terms *t, bool *finite) {
    while (w->depth > 0) {
        const taut_node v = w->node[w->depth - 1];
        const taut_node_data d = *taut_node_get(s->graph, v);
        taut_node image = v;
        bool ready = true, same = true;
        if (follow_graph(s)) return TAUT_ERR_MEMORY;
        if (s->image[v] != TAUT_NO_NODE) {
            w->depth--;
            continue;
        }
        if (d.op == TAUT_OP_LEAF) {
            image = s->meaning(s->user, d.index);
            if (image == TAUT_NO_NODE)
                return taut_graph_failed(s->graph) ? TAUT_ERR_MEMORY : TAUT_ERR_INPUT;
        } else if (!d.steady && d.count > 0) {
            if (want_arguments(s, w, v, &ready)) return TAUT_ERR_MEMORY;
            if (!ready) continue;
            if (take_arguments(s, v, t, &same)) return TAUT_ERR_MEMORY;
            if (!same) image = rebuild(s, v, t);
            if (image == TAUT_NO_NODE) return TAUT_ERR_MEMORY;
            *finite = *finite && is_finite(s->graph, image);
        }
        if (follow_graph(s) || note_found(s, v)) return TAUT_ERR_MEMORY;
        s->image[v] = image;
        w->depth--;
    }
    return TAUT_OK;
}

taut_status taut_substitute(taut_substitution *s, taut_node node, taut_node *result, bool *finite) {
    walk w = {0};
    terms t = {0};
    *finite = true;
    *result = TAUT_NO_NODE;
    if (node == TAUT_NO_NODE) return TAUT_OK;
    taut_status status = follow_graph(s) || push(&w, node) ? TAUT_ERR_MEMORY : TAUT_OK;
    if (status == TAUT_OK) status = resolve(s, &w, &t, finite);
    if (status == TAUT_OK) *result = s->image[node];
    if (status == TAUT_OK && !*finite) status = TAUT_ERR_INPUT;
    taut_release((void **)&w.node);
    taut_release((void **)&t.arg);
    taut_release((void **)&t.coef);
    return status;
}

taut_status taut_substitution_note(taut_substitution *s, taut_node node, taut_node image) {
    if (follow_graph(s) || note_found(s, node)) return TAUT_ERR_MEMORY;
    s->image[node] = image;
    return TAUT_OK;
}

void taut_substitution_forget(taut_substitution *s) {
    for (size_t i = 0; i < s->founds; i++) s->image[s->found[i]] = TAUT_NO_NODE;
    s->founds = 0;
}

taut_node taut_substitution_known(const taut_substitution *s, taut_node node) {
    return node < s->size ? s->image[node] : TAUT_NO_NODE;
}
