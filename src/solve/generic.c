/* A largest matching of columns with rows, by one search for an alternating path a column; columns
 * that such paths reach from one that stays free are dependent (Dulmage and Mendelsohn). */
#include "solve/generic.h"

#include <string.h>

#include "core/arena.h"

typedef struct matching {
    int *start, *row;   /* (n + 1), rows of column j: row[start[j]] .. row[start[j+1]-1] */
    int *column_of_row; /* (m) -1: none */
    int *row_of_column; /* (n) -1: none */
    int *from;          /* (m) the column by which a search came to a row; -1: it did not */
    int *queue;         /* (n) columns that a search has reached */
} matching;

static taut_status create(int m, int n, int entries, const int *row, const int *column,
                          taut_arena *arena, matching *g) {
    g->start = TAUT_NEW_ARRAY(arena, n + 2, int);
    g->row = TAUT_NEW_ARRAY(arena, entries + 1, int);
    g->column_of_row = TAUT_NEW_ARRAY(arena, m + 1, int);
    g->row_of_column = TAUT_NEW_ARRAY(arena, n + 1, int);
    g->from = TAUT_NEW_ARRAY(arena, m + 1, int);
    g->queue = TAUT_NEW_ARRAY(arena, n + 1, int);
    if (!g->start || !g->row || !g->column_of_row || !g->row_of_column || !g->from || !g->queue)
        return TAUT_ERR_MEMORY;
    for (int e = 0; e < entries; e++)
        if (column[e] >= 0) g->start[column[e] + 2]++;
    for (int j = 0; j < n; j++) g->start[j + 1] += g->start[j];
    for (int e = 0; e < entries; e++)
        if (column[e] >= 0) g->row[g->start[column[e] + 1]++] = row[e];
    for (int i = 0; i < m; i++) g->column_of_row[i] = -1;
    for (int j = 0; j < n; j++) g->row_of_column[j] = -1;
    return TAUT_OK;
}

/* Goes from `first` along alternating paths to a row that is free, or, -1, to all that can be
 * reached: *reached columns are in the queue then. */
static int search(matching *g, int m, int first, int *reached) {
    for (int i = 0; i < m; i++) g->from[i] = -1;
    g->queue[0] = first;
    *reached = 1;
    for (int head = 0; head < *reached; head++) {
        const int j = g->queue[head];
        for (int e = g->start[j]; e < g->start[j + 1]; e++) {
            const int i = g->row[e];
            if (g->from[i] >= 0) continue;
            g->from[i] = j;
            if (g->column_of_row[i] < 0) return i;
            g->queue[(*reached)++] = g->column_of_row[i];
        }
    }
    return -1;
}

/* The path back to the column where the search began: all of it changes sides. */
static void exchange(matching *g, int i) {
    while (i >= 0) {
        const int j = g->from[i], next = g->row_of_column[j];
        g->column_of_row[i] = j;
        g->row_of_column[j] = i;
        i = next;
    }
}

taut_status taut_generic_columns(int m, int n, int entries, const int *row, const int *column,
                                 bool *loose, int *rank) {
    taut_arena arena = {0};
    matching g;
    int reached;
    *rank = 0;
    memset(loose, 0, (size_t)n * sizeof *loose);
    const taut_status status = create(m, n, entries, row, column, &arena, &g);
    for (int j = 0; j < n && status == TAUT_OK; j++) {
        const int free = search(&g, m, j, &reached);
        *rank += free >= 0;
        exchange(&g, free);
    }
    for (int j = 0; j < n && status == TAUT_OK; j++) {
        if (g.row_of_column[j] >= 0) continue;
        search(&g, m, j, &reached);
        for (int k = 0; k < reached; k++) loose[g.queue[k]] = true;
    }
    taut_arena_release(&arena);
    return status;
}
