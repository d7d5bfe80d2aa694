/* Independent loops of a mechanism: a tree of joints that reaches every body, and one loop for
 * every joint that is not in it. */
#include "task/doctor.h"

typedef struct edge {
    const char *name;
    int end[2]; /* carriers; the last number is the ground */
    bool torque_only, in_tree, merged;
} edge;

typedef struct joint_graph {
    edge *edge;
    int edges, nodes;
    int *parent; /* [nodes] edge to the parent; -1: a root; -2: not reached */
    int *depth;  /* [nodes] */
    int *first;  /* [nodes + 2] the edges of a node begin here ... */
    int *at;     /* [2 edges] ... in this list */
} joint_graph;

/* Transfers of one joint follow each other; together they are an edge. */
static void add_transfer(joint_graph *g, const taut_reactions *r, const taut_transfer *t) {
    if (t->by == TAUT_BY_DRIVER || t->ends == 0) return;
    edge e = {.name = t->name, .end = {g->nodes - 1, g->nodes - 1}, .torque_only = t->torque};
    e.end[0] = r->end[t->end].carrier;
    for (int k = 1; k < t->ends; k++)
        if (r->end[t->end + k].carrier != e.end[0]) {
            e.end[1] = r->end[t->end + k].carrier;
            break;
        }
    if (g->edges > 0 && g->edge[g->edges - 1].name == e.name) {
        g->edge[g->edges - 1].torque_only &= e.torque_only;
        return;
    }
    g->edge[g->edges++] = e;
}

static bool joins(const edge *e, int a, int b) {
    return (e->end[0] == a && e->end[1] == b) || (e->end[0] == b && e->end[1] == a);
}

/* Edges by node. */
static void list_edges(joint_graph *g) {
    int *next = g->first + 1; /* becomes first when all are in */
    for (int k = 0; k < g->nodes + 2; k++) g->first[k] = 0;
    for (int i = 0; i < g->edges; i++)
        for (int side = 0; side < 2; side++) next[g->edge[i].end[side] + 1]++;
    for (int k = 0; k < g->nodes; k++) next[k + 1] += next[k];
    for (int i = 0; i < g->edges; i++)
        for (int side = 0; side < 2; side++) g->at[next[g->edge[i].end[side]]++] = i;
}

/* Is there a joint between the same bodies? */
static bool has_beside(const joint_graph *g, int i) {
    const edge *e = &g->edge[i];
    const int *first = g->first;
    const int node =
        first[e->end[0] + 1] - first[e->end[0]] < first[e->end[1] + 1] - first[e->end[1]]
            ? e->end[0]
            : e->end[1];
    for (int k = first[node]; k < first[node + 1]; k++)
        if (g->at[k] != i && !g->edge[g->at[k]].torque_only &&
            joins(&g->edge[g->at[k]], e->end[0], e->end[1]))
            return true;
    return false;
}

/* What keeps a direction alone belongs to a joint between the same bodies, if there is one. */
static void merge_directions(joint_graph *g) {
    int kept = 0;
    list_edges(g);
    for (int i = 0; i < g->edges; i++)
        g->edge[i].merged = g->edge[i].torque_only && has_beside(g, i);
    for (int i = 0; i < g->edges; i++)
        if (!g->edge[i].merged) g->edge[kept++] = g->edge[i];
    g->edges = kept;
    list_edges(g);
}

/* Breadth first from a root. queue has room for all nodes. */
static void grow_tree(joint_graph *g, int root, int *queue) {
    int head = 0, tail = 0;
    g->parent[root] = -1;
    queue[tail++] = root;
    while (head < tail) {
        const int node = queue[head++];
        for (int k = g->first[node]; k < g->first[node + 1]; k++) {
            edge *e = &g->edge[g->at[k]];
            const int next = e->end[e->end[0] == node];
            if (g->parent[next] != -2) continue;
            g->parent[next] = g->at[k];
            g->depth[next] = g->depth[node] + 1;
            e->in_tree = true;
            queue[tail++] = next;
        }
    }
}

static int parent_of(const joint_graph *g, int node) {
    const edge *e = &g->edge[g->parent[node]];
    return e->end[e->end[0] == node];
}

/* Where the ways of two nodes to the root meet. */
static int meeting(const joint_graph *g, int a, int b) {
    while (a != b) {
        if (g->depth[b] >= g->depth[a])
            b = parent_of(g, b);
        else
            a = parent_of(g, a);
    }
    return a;
}

/* From where the ways meet to one end of the edge, the edge, and back from its other end. */
static taut_status close_loop(const joint_graph *g, const edge *e, taut_arena *arena,
                              taut_loop *loop) {
    const int top = meeting(g, e->end[0], e->end[1]);
    const int first = g->depth[e->end[1]] - g->depth[top];
    loop->joints = first + 1 + g->depth[e->end[0]] - g->depth[top];
    loop->joint = TAUT_NEW_ARRAY(arena, loop->joints, const char *);
    if (!loop->joint) return TAUT_ERR_MEMORY;
    loop->joint[first] = e->name;
    for (int node = e->end[1], at = first; node != top; node = parent_of(g, node))
        loop->joint[--at] = g->edge[g->parent[node]].name;
    for (int node = e->end[0], at = first; node != top; node = parent_of(g, node))
        loop->joint[++at] = g->edge[g->parent[node]].name;
    return TAUT_OK;
}

taut_status taut_find_loops(const taut_reactions *r, taut_arena *arena, taut_diagnosis *d) {
    joint_graph g = {.nodes = r->carriers + 1};
    g.edge = TAUT_NEW_ARRAY(arena, r->transfers, edge);
    g.parent = TAUT_NEW_ARRAY(arena, g.nodes, int);
    g.depth = TAUT_NEW_ARRAY(arena, g.nodes, int);
    int *queue = TAUT_NEW_ARRAY(arena, g.nodes, int);
    g.first = TAUT_NEW_ARRAY(arena, g.nodes + 2, int);
    g.at = TAUT_NEW_ARRAY(arena, 2 * r->transfers, int);
    if (!g.edge || !g.parent || !g.depth || !queue || !g.first || !g.at) return TAUT_ERR_MEMORY;
    for (int i = 0; i < r->transfers; i++) add_transfer(&g, r, &r->transfer[i]);
    merge_directions(&g);
    for (int k = 0; k < g.nodes; k++) g.parent[k] = -2;
    for (int k = g.nodes - 1; k >= 0; k--)
        if (g.parent[k] == -2) grow_tree(&g, k, queue);
    for (int i = 0; i < g.edges; i++) d->loops += !g.edge[i].in_tree;
    d->loop = TAUT_NEW_ARRAY(arena, d->loops, taut_loop);
    if (!d->loop) return TAUT_ERR_MEMORY;
    for (int i = 0, at = 0; i < g.edges; i++)
        if (!g.edge[i].in_tree) TAUT_TRY(close_loop(&g, &g.edge[i], arena, &d->loop[at++]));
    return TAUT_OK;
}
