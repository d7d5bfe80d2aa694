/* Left-looking elimination: a column is solved with the columns of L that it reaches, found by
 * depth-first search; the largest of what is left is its pivot. The only user of colamd.h. */
#include "core/independent.h"

#include <colamd.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/arena.h"

typedef struct elimination {
    const taut_sparse_columns *a;
    taut_arena arena;
    int *order;     /* [n] columns that fill little first */
    int *column_of; /* [m] the column of L with this pivot row; -1: none yet */
    int *start;     /* [n+1] columns of L, without their pivots ... */
    int *row;       /* ... on the heap: these rows ... */
    double *value;  /* ... and values */
    size_t row_room, value_room;
    int columns;  /* of L */
    double *x;    /* [m] the column at work, 0 between columns */
    int *reached; /* [m] rows that it has, pivots in topological order from `top` on */
    int *stack;   /* [m] */
    int *next;    /* [m] of the search: the next entry of a row's column of L */
    bool *seen;   /* [m] */
} elimination;

static taut_status find_order(elimination *e) {
    const taut_sparse_columns *a = e->a;
    const size_t room = colamd_recommended(a->start[a->n], a->m, a->n);
    int *work = TAUT_NEW_ARRAY(&e->arena, room, int), *start;
    int stats[COLAMD_STATS];
    start = TAUT_NEW_ARRAY(&e->arena, a->n + 1, int);
    if (!work || !start || room == 0) return TAUT_ERR_MEMORY;
    if (a->start[a->n] > 0) memcpy(work, a->row, (size_t)a->start[a->n] * sizeof *work);
    memcpy(start, a->start, (size_t)(a->n + 1) * sizeof *start);
    if (!colamd(a->m, a->n, (int)room, work, start, NULL, stats)) return TAUT_ERR_CALL;
    e->order = start;
    return TAUT_OK;
}

static taut_status begin(elimination *e) {
    const int m = e->a->m, n = e->a->n;
    e->column_of = TAUT_NEW_ARRAY(&e->arena, m, int);
    e->start = TAUT_NEW_ARRAY(&e->arena, n + 1, int);
    e->x = TAUT_NEW_ARRAY(&e->arena, m, double);
    e->reached = TAUT_NEW_ARRAY(&e->arena, m, int);
    e->stack = TAUT_NEW_ARRAY(&e->arena, m, int);
    e->next = TAUT_NEW_ARRAY(&e->arena, m, int);
    e->seen = TAUT_NEW_ARRAY(&e->arena, m, bool);
    if (!e->column_of || !e->start || !e->x || !e->reached || !e->stack || !e->next || !e->seen)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < m; i++) e->column_of[i] = -1;
    return find_order(e);
}

/* Where the entries of a row's column of L begin and end: nowhere, if it is no pivot yet. */
static int first_below(const elimination *e, int i) {
    return e->column_of[i] < 0 ? 0 : e->start[e->column_of[i]];
}

static int end_below(const elimination *e, int i) {
    return e->column_of[i] < 0 ? 0 : e->start[e->column_of[i] + 1];
}

/* Adds what row i reaches to reached[], ahead of top; returns the new top. */
static int search(elimination *e, int i, int top) {
    int depth = 0;
    if (e->seen[i]) return top;
    e->stack[0] = i;
    e->next[i] = first_below(e, i);
    e->seen[i] = true;
    while (depth >= 0) {
        const int at = e->stack[depth];
        if (e->next[at] == end_below(e, at)) {
            e->reached[--top] = at;
            depth--;
            continue;
        }
        const int below = e->row[e->next[at]++];
        if (e->seen[below]) continue;
        e->seen[below] = true;
        e->next[below] = first_below(e, below);
        e->stack[++depth] = below;
    }
    return top;
}

/* Column j less its part in L: in x, at the rows reached[top ..]. Its largest entry, before. */
static double reduce(elimination *e, int j, int *top) {
    const taut_sparse_columns *a = e->a;
    double largest = 0.0;
    *top = a->m;
    for (int k = a->start[j]; k < a->start[j + 1]; k++) {
        *top = search(e, a->row[k], *top);
        e->x[a->row[k]] = a->value[k];
        largest = fmax(largest, fabs(a->value[k]));
    }
    for (int k = *top; k < a->m; k++) {
        const double x = e->x[e->reached[k]];
        for (int q = first_below(e, e->reached[k]); q < end_below(e, e->reached[k]); q++)
            e->x[e->row[q]] -= e->value[q] * x;
    }
    return largest;
}

/* The rows without a pivot become a column of L below row `pivot`. */
static taut_status keep(elimination *e, int top, int pivot) {
    size_t used = (size_t)e->start[e->columns];
    const size_t need = used + (size_t)(e->a->m - top);
    if (need > INT_MAX || taut_grow((void **)&e->row, &e->row_room, need, sizeof *e->row) ||
        taut_grow((void **)&e->value, &e->value_room, need, sizeof *e->value))
        return TAUT_ERR_MEMORY;
    for (int k = top; k < e->a->m; k++) {
        const int i = e->reached[k];
        if (e->column_of[i] >= 0 || i == pivot || e->x[i] == 0.0) continue;
        e->row[used] = i;
        e->value[used++] = e->x[i] / e->x[pivot];
    }
    e->column_of[pivot] = e->columns++;
    e->start[e->columns] = (int)used;
    return TAUT_OK;
}

static taut_status eliminate(elimination *e, int j, double limit, int *pivot) {
    int top;
    double most = limit * reduce(e, j, &top);
    taut_status status = TAUT_OK;
    *pivot = -1;
    for (int k = top; k < e->a->m; k++) {
        const int i = e->reached[k];
        if (e->column_of[i] >= 0 || !(fabs(e->x[i]) > most)) continue;
        most = fabs(e->x[i]);
        *pivot = i;
    }
    if (*pivot >= 0) status = keep(e, top, *pivot);
    for (int k = top; k < e->a->m; k++) {
        e->x[e->reached[k]] = 0.0;
        e->seen[e->reached[k]] = false;
    }
    return status;
}

taut_status taut_independent_columns(const taut_sparse_columns *a, double limit, int *pivot_row,
                                     int *rank) {
    elimination e = {.a = a};
    taut_status status = begin(&e);
    *rank = 0;
    for (int k = 0; k < a->n && status == TAUT_OK; k++) {
        const int j = e.order[k];
        status = eliminate(&e, j, limit, &pivot_row[j]);
        *rank += pivot_row[j] >= 0;
    }
    taut_release((void **)&e.row);
    taut_release((void **)&e.value);
    taut_arena_release(&e.arena);
    return status;
}
