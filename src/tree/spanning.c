/* Prim's algorithm: of all joints that lead from the tree to a new body, the one that holds most,
 * and of equal ones the one that was seen first. There are seven queues, so that it is linear. */
#include "tree/spanning.h"

enum { GRADES = 7 };

typedef struct grower {
    taut_tree *tree;
    const taut_tree_edge *edge;
    int *start,
        *incident; /* joints of a body: incident[start[b + 1]] ...; the ground comes first */
    int *next;     /* [2 * joints] the entry behind this one in its queue; -1: it is the last */
    int first[GRADES], last[GRADES]; /* entries: 2 * joint + side that it leads to; -1: none */
    bool *known;                     /* [bodies] */
    int count;
} grower;

static taut_status list_incident(grower *g, taut_arena *arena, int bodies, int edges) {
    g->start = TAUT_NEW_ARRAY(arena, bodies + 2, int);
    g->incident = TAUT_NEW_ARRAY(arena, 2 * edges, int);
    int *fill = TAUT_NEW_ARRAY(arena, bodies + 1, int);
    if (!g->start || !g->incident || !fill) return TAUT_ERR_MEMORY;
    for (int i = 0; i < edges; i++)
        for (int side = 0; side < 2; side++) g->start[g->edge[i].body[side] + 2]++;
    for (int b = 0; b <= bodies; b++) g->start[b + 1] += g->start[b];
    for (int i = 0; i < edges; i++)
        for (int side = 0; side < 2; side++) {
            const int at = g->edge[i].body[side] + 1;
            g->incident[g->start[at] + fill[at]++] = 2 * i + 1 - side;
        }
    return TAUT_OK;
}

/* All joints of a body that is now in the tree wait for their turn. */
static void offer_joints(grower *g, int body) {
    for (int k = g->start[body + 1]; k < g->start[body + 2]; k++) {
        const int entry = g->incident[k];
        const taut_tree_edge *e = &g->edge[entry / 2];
        const int to = e->body[entry % 2], grade = e->holds < GRADES ? e->holds : GRADES - 1;
        if (!e->usable || to < 0 || g->known[to]) continue;
        g->next[entry] = -1;
        if (g->first[grade] < 0)
            g->first[grade] = entry;
        else
            g->next[g->last[grade]] = entry;
        g->last[grade] = entry;
    }
}

static void take_body(grower *g, int body, int entry) {
    taut_tree *t = g->tree;
    t->joint[body] = entry < 0 ? -1 : entry / 2;
    t->side[body] = entry < 0 ? 0 : entry % 2;
    t->parent[body] = entry < 0 ? -1 : g->edge[entry / 2].body[1 - entry % 2];
    if (entry >= 0) t->inside[entry / 2] = true;
    t->order[g->count++] = body;
    g->known[body] = true;
    offer_joints(g, body);
}

/* Takes everything that can be reached from what is there. */
static void grow(grower *g) {
    int grade = GRADES - 1;
    while (grade >= 0) {
        const int entry = g->first[grade];
        if (entry < 0) {
            grade--;
            continue;
        }
        g->first[grade] = g->next[entry];
        const int body = g->edge[entry / 2].body[entry % 2];
        if (g->known[body]) continue;
        take_body(g, body, entry);
        grade = GRADES - 1;
    }
}

taut_status taut_tree_create(taut_arena *arena, int bodies, const taut_tree_edge *edge, int edges,
                             taut_tree *tree) {
    taut_arena scratch = {0};
    grower g = {.tree = tree, .edge = edge};
    *tree = (taut_tree){.bodies = bodies,
                        .parent = TAUT_NEW_ARRAY(arena, bodies, int),
                        .joint = TAUT_NEW_ARRAY(arena, bodies, int),
                        .side = TAUT_NEW_ARRAY(arena, bodies, int),
                        .order = TAUT_NEW_ARRAY(arena, bodies, int),
                        .inside = TAUT_NEW_ARRAY(arena, edges, bool)};
    taut_status status = list_incident(&g, &scratch, bodies, edges);
    g.next = TAUT_NEW_ARRAY(&scratch, 2 * edges, int);
    g.known = TAUT_NEW_ARRAY(&scratch, bodies, bool);
    if (!tree->parent || !tree->joint || !tree->side || !tree->order || !tree->inside || !g.next ||
        !g.known)
        status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        for (int i = 0; i < GRADES; i++) g.first[i] = -1;
        offer_joints(&g, -1);
        grow(&g);
        for (int b = 0; b < bodies; b++) {
            if (g.known[b]) continue;
            take_body(&g, b, -1);
            grow(&g);
        }
    }
    taut_arena_release(&scratch);
    return status;
}
