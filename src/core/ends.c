/* Levels from one end of the graph, and fill and waiting by the elimination tree. */
#include "core/ends.h"

#include "core/arena.h"

static const double MORE_FILL = 1.05, LESS_WAITING = 0.75;

/* ---- levels ---- */

typedef struct levels {
    int *of;    /* [n] by unknown; -1: not reached */
    int *queue; /* [n] in the order in which they are reached */
    int count;  /* of those that are reached */
} levels;

static void reach(levels *l, const int *list, int from, int to, int level) {
    for (int k = from; k < to; k++)
        if (l->of[list[k]] < 0) {
            l->of[list[k]] = level;
            l->queue[l->count++] = list[k];
        }
}

/* Breadth first. */
static void find_levels(const taut_pattern_graph *g, int from, levels *l) {
    for (int i = 0; i < g->n; i++) l->of[i] = -1;
    l->count = 0;
    reach(l, &from, 0, 1, 0);
    for (int head = 0; head < l->count; head++) {
        const int i = l->queue[head];
        reach(l, g->row, g->start[i], g->start[i + 1], l->of[i] + 1);
        reach(l, g->column, g->row_start[i], g->row_start[i + 1], l->of[i] + 1);
    }
}

/* ---- what an order costs ---- */

typedef struct cost {
    long fill; /* entries of a factor */
    int wait;  /* pivots one behind the other */
} cost;

typedef struct tree {
    int *place;  /* [n] of an unknown in the order */
    int *parent; /* [n] by place */
    int *mark;   /* [n] likewise: the last row that has an entry there */
    int *height; /* [n] likewise */
} tree;

/* Entries of row k that come about by an unknown before it. */
static long climb(tree *t, int k, int place) {
    long entries = 0;
    for (; place < k && t->mark[place] != k; place = t->parent[place], entries++) {
        t->mark[place] = k;
        if (t->parent[place] < 0) t->parent[place] = k;
        if (t->height[k] <= t->height[place]) t->height[k] = t->height[place] + 1;
    }
    return entries;
}

/* By the elimination tree of the symmetric pattern. */
static cost find_cost(const taut_pattern_graph *g, const int *order, tree *t) {
    cost c = {0, 0};
    for (int k = 0; k < g->n; k++) {
        t->place[order[k]] = k;
        t->parent[k] = t->mark[k] = -1;
        t->height[k] = 0;
    }
    for (int k = 0; k < g->n; k++) {
        const int i = order[k];
        for (int m = g->start[i]; m < g->start[i + 1]; m++)
            c.fill += climb(t, k, t->place[g->row[m]]);
        for (int m = g->row_start[i]; m < g->row_start[i + 1]; m++)
            c.fill += climb(t, k, t->place[g->column[m]]);
        if (t->height[k] > c.wait) c.wait = t->height[k];
    }
    return c;
}

/* ---- the order ---- */

/* The level in the middle: as many unknowns before it as behind. The queue is sorted by levels. */
static int middle_of(const levels *l) { return l->of[l->queue[l->count / 2]]; }

static int distance(const levels *l, int middle, int i) {
    return l->of[i] > middle ? l->of[i] - middle : middle - l->of[i];
}

/* The farthest from the middle first; those that are equally far away in the order given. next: [n
 * + 1], 0. */
static void sort_by_distance(const levels *l, int n, const int *order, int *next, int *sorted) {
    const int middle = middle_of(l);
    for (int i = 0; i < n; i++) next[n - 1 - distance(l, middle, i) + 1]++;
    for (int k = 0; k < n; k++) next[k + 1] += next[k];
    for (int k = 0; k < n; k++) sorted[next[n - 1 - distance(l, middle, order[k])]++] = order[k];
}

static taut_status find(const taut_pattern_graph *g, int *order, bool *better, taut_arena *arena) {
    const int n = g->n;
    levels l = {.of = TAUT_NEW_ARRAY(arena, n, int), .queue = TAUT_NEW_ARRAY(arena, n, int)};
    tree t = {.place = TAUT_NEW_ARRAY(arena, n, int),
              .parent = TAUT_NEW_ARRAY(arena, n, int),
              .mark = TAUT_NEW_ARRAY(arena, n, int),
              .height = TAUT_NEW_ARRAY(arena, n, int)};
    int *sorted = TAUT_NEW_ARRAY(arena, n, int), *next = TAUT_NEW_ARRAY(arena, n + 1, int);
    if (!l.of || !l.queue || !t.place || !t.parent || !t.mark || !t.height || !sorted || !next)
        return TAUT_ERR_MEMORY;
    find_levels(g, 0, &l);
    if (l.count < n) return TAUT_OK; /* in several parts */
    find_levels(g, l.queue[n - 1], &l);
    sort_by_distance(&l, n, order, next, sorted);
    const cost now = find_cost(g, order, &t), then = find_cost(g, sorted, &t);
    *better =
        (double)then.fill <= MORE_FILL * (double)now.fill && then.wait < LESS_WAITING * now.wait;
    for (int k = 0; k < n && *better; k++) order[k] = sorted[k];
    return TAUT_OK;
}

taut_status taut_order_from_ends(const taut_pattern_graph *graph, int *order, bool *better) {
    taut_arena arena = {0};
    *better = false;
    const taut_status status = graph->n > 0 ? find(graph, order, better, &arena) : TAUT_OK;
    taut_arena_release(&arena);
    return status;
}
