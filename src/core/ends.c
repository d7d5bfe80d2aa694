/* Levels from one end of the graph, and fill and waiting by the elimination tree. */
#include "core/ends.h"

#include <string.h>

#include "core/arena.h"

/* What a step spends on a factor (some twenty solutions, two eliminations), in units of what an
 * entry of it takes: to wait for a pivot, and an operation of the elimination. */
static const double WAITING = 10.0, ELIMINATING = 1.0 / 6.0;
static const double BETTER = 0.9; /* less than this part of the price */

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

typedef struct tree {
    int *place;   /* [n] of an unknown in the order */
    int *parent;  /* [n] by place */
    int *mark;    /* [n] likewise: the last row that has an entry there */
    int *height;  /* [n] likewise */
    int *entries; /* [n] likewise: of its column in a factor */
} tree;

/* Entries of row k that come about by an unknown before it. */
static void climb(tree *t, int k, int place) {
    for (; place < k && t->mark[place] != k; place = t->parent[place]) {
        t->mark[place] = k;
        t->entries[place]++;
        if (t->parent[place] < 0) t->parent[place] = k;
        if (t->height[k] <= t->height[place]) t->height[k] = t->height[place] + 1;
    }
}

/* By the elimination tree of the symmetric pattern. */
static double find_price(const taut_pattern_graph *g, const int *order, tree *t) {
    double fill = 0.0, operations = 0.0;
    int wait = 0;
    for (int k = 0; k < g->n; k++) {
        t->place[order[k]] = k;
        t->parent[k] = t->mark[k] = -1;
        t->height[k] = t->entries[k] = 0;
    }
    for (int k = 0; k < g->n; k++) {
        const int i = order[k];
        for (int m = g->start[i]; m < g->start[i + 1]; m++) climb(t, k, t->place[g->row[m]]);
        for (int m = g->row_start[i]; m < g->row_start[i + 1]; m++)
            climb(t, k, t->place[g->column[m]]);
        if (t->height[k] > wait) wait = t->height[k];
    }
    for (int k = 0; k < g->n; k++) {
        fill += t->entries[k];
        operations += (double)t->entries[k] * t->entries[k];
    }
    return fill + WAITING * wait + ELIMINATING * operations;
}

/* ---- the order ---- */

/* The level in the middle: as many unknowns before it as behind. The queue is sorted by levels. */
static int middle_of(const levels *l) { return l->of[l->queue[l->count / 2]]; }

static int distance(const levels *l, int middle, int i) {
    return l->of[i] > middle ? l->of[i] - middle : middle - l->of[i];
}

/* The farthest from the middle first. */
static void rank_by_distance(const levels *l, int n, int *rank) {
    const int middle = middle_of(l);
    for (int i = 0; i < n; i++) rank[i] = n - 1 - distance(l, middle, i);
}

/* The rank by which an unknown is sorted. Multipliers have no diagonal before one of their
 * neighbours has been a pivot, and a good one for sure when all of them have been: such an unknown
 * comes with the last of its neighbours, or at least not before the first. */
static int find_rank(const taut_pattern_graph *g, const int *rank, bool with_last, int i,
                     bool *has_diagonal) {
    int first = g->n, last = -1;
    *has_diagonal = false;
    for (int m = g->start[i]; m < g->start[i + 1]; m++) {
        const int other = rank[g->row[m]];
        *has_diagonal = *has_diagonal || g->row[m] == i;
        if (other < first) first = other;
        if (other > last) last = other;
    }
    if (*has_diagonal || last < 0) return rank[i];
    return with_last ? last : first > rank[i] ? first : rank[i];
}

/* By rank; of one rank those with a diagonal first, otherwise in the order given. next: [n + 1],
 * work space. */
static void sort_by_rank(const taut_pattern_graph *g, const int *order, const int *rank,
                         bool with_last, int *next, int *sorted) {
    const int n = g->n;
    bool has_diagonal;
    memset(next, 0, (size_t)(n + 1) * sizeof *next);
    for (int i = 0; i < n; i++) next[find_rank(g, rank, with_last, i, &has_diagonal) + 1]++;
    for (int k = 0; k < n; k++) next[k + 1] += next[k];
    for (int without = 0; without < 2; without++)
        for (int k = 0; k < n; k++) {
            const int r = find_rank(g, rank, with_last, order[k], &has_diagonal);
            if (has_diagonal == !without) sorted[next[r]++] = order[k];
        }
}

static taut_status find(const taut_pattern_graph *g, int *order, bool *better, taut_arena *arena) {
    const int n = g->n;
    levels l = {.of = TAUT_NEW_ARRAY(arena, n, int), .queue = TAUT_NEW_ARRAY(arena, n, int)};
    tree t = {.place = TAUT_NEW_ARRAY(arena, n, int),
              .parent = TAUT_NEW_ARRAY(arena, n, int),
              .mark = TAUT_NEW_ARRAY(arena, n, int),
              .height = TAUT_NEW_ARRAY(arena, n, int),
              .entries = TAUT_NEW_ARRAY(arena, n, int)};
    int *rank = TAUT_NEW_ARRAY(arena, n, int), *next = TAUT_NEW_ARRAY(arena, n + 1, int);
    int *sorted = TAUT_NEW_ARRAY(arena, n, int);
    if (!l.of || !l.queue || !t.place || !t.parent || !t.mark || !t.height || !t.entries || !rank ||
        !next || !sorted)
        return TAUT_ERR_MEMORY;
    find_levels(g, 0, &l);
    if (l.count < n) return TAUT_OK; /* in several parts */
    find_levels(g, l.queue[n - 1], &l);
    for (int k = 0; k < n; k++) rank[order[k]] = k;
    sort_by_rank(g, order, rank, false, next, sorted); /* as pivots will be chosen */
    const double now = find_price(g, sorted, &t);
    rank_by_distance(&l, n, rank);
    sort_by_rank(g, order, rank, true, next, sorted);
    *better = find_price(g, sorted, &t) < BETTER * now;
    if (*better) memcpy(order, sorted, (size_t)n * sizeof *order);
    return TAUT_OK;
}

taut_status taut_order_from_ends(const taut_pattern_graph *graph, int *order, bool *better) {
    taut_arena arena = {0};
    *better = false;
    const taut_status status = graph->n > 0 ? find(graph, order, better, &arena) : TAUT_OK;
    taut_arena_release(&arena);
    return status;
}
