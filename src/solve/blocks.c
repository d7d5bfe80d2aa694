/* Splits a structure: coarse Dulmage-Mendelsohn parts by alternating paths, and the blocks of the
 * system Jacobian by strongly connected components (Tarjan, without recursion).
 * Equations: docs/math/structure.md, cited as (14), (15). */
#include "solve/blocks.h"

#include <assert.h>

/* The rows or the columns of a pattern, as one side of a bipartite graph. */
typedef struct side {
    const int *start, *neighbour; /* (n + 1), (entries) what each node meets on the other side */
    const int *mate;              /* (n) its match on the other side, -1: free */
    bool *seen;                   /* (n) reached by an alternating path */
} side;

/* Marks what alternating paths from the free nodes of `from` reach, (15). list is (n). */
static void reach(int n, const side *from, const side *to, int *list) {
    int count = 0;
    for (int a = 0; a < n; a++) {
        if (from->mate[a] >= 0) continue;
        from->seen[a] = true;
        list[count++] = a;
    }
    for (int k = 0; k < count; k++) {
        const int a = list[k];
        for (int e = from->start[a]; e < from->start[a + 1]; e++) {
            const int b = from->neighbour[e];
            if (to->seen[b]) continue;
            assert(to->mate[b] >= 0); /* otherwise the matching is not the largest */
            to->seen[b] = true;
            from->seen[to->mate[b]] = true;
            list[count++] = to->mate[b];
        }
    }
}

/* counter[k] becomes the sum of counter[0] .. counter[k - 1]: from sizes to first positions. */
static void sizes_to_starts(int *counter, int n) {
    for (int k = 0, sum = 0; k < n; k++) {
        const int size = counter[k];
        counter[k] = sum;
        sum += size;
    }
}

/* The rows of each column: start (n + 1) and row (entries), both zeroed. */
static void transpose(const taut_sigma *sigma, int *start, int *row) {
    const int n = sigma->n;
    for (int e = 0; e < sigma->start[n]; e++) start[sigma->column[e] + 1]++;
    sizes_to_starts(start + 1, n);
    for (int i = 0; i < n; i++)
        for (int e = sigma->start[i]; e < sigma->start[i + 1]; e++)
            row[start[sigma->column[e] + 1]++] = i;
}

/* The indices that are marked, ascending; NULL if there is no memory. */
static int *list_marked(taut_arena *arena, int n, const bool *marked, int *count) {
    *count = 0;
    for (int k = 0; k < n; k++) *count += marked[k];
    int *list = TAUT_NEW_ARRAY(arena, *count, int);
    for (int k = 0, at = 0; list && k < n; k++)
        if (marked[k]) list[at++] = k;
    return list;
}

/* One search from the free rows, one from the free columns; the caller releases scratch. */
static taut_status split(const taut_sigma *sigma, const taut_offsets *offsets, taut_arena *scratch,
                         taut_arena *arena, taut_dm *out) {
    const int n = sigma->n;
    int *start = TAUT_NEW_ARRAY(scratch, (size_t)n + 1, int);
    int *row = TAUT_NEW_ARRAY(scratch, sigma->start[n], int);
    int *list = TAUT_NEW_ARRAY(scratch, n, int);
    bool *seen = TAUT_NEW_ARRAY(scratch, 4 * (size_t)n, bool);
    if (!start || !row || !list || !seen) return TAUT_ERR_MEMORY;
    transpose(sigma, start, row);

    side rows = {sigma->start, sigma->column, offsets->column_of_row, seen};
    side columns = {start, row, offsets->row_of_column, seen + n};
    reach(n, &rows, &columns, list);
    out->over_rows = list_marked(arena, n, rows.seen, &out->nover_rows);
    out->over_columns = list_marked(arena, n, columns.seen, &out->nover_columns);

    rows.seen = seen + 2 * (size_t)n;
    columns.seen = seen + 3 * (size_t)n;
    reach(n, &columns, &rows, list);
    out->under_rows = list_marked(arena, n, rows.seen, &out->nunder_rows);
    out->under_columns = list_marked(arena, n, columns.seen, &out->nunder_columns);
    return out->over_rows && out->over_columns && out->under_rows && out->under_columns
               ? TAUT_OK
               : TAUT_ERR_MEMORY;
}

/* Tarjan's search. Nodes are equations; i leads to every equation whose variable it contains. */
typedef struct walk {
    const taut_sigma *sigma;
    const taut_offsets *offsets;
    int nvisited, depth, nopen, nblocks;
    int *number; /* (n) when a node was visited, from 1; 0: not yet */
    int *low;    /* (n) smallest number of an open node that it is known to lead to */
    int *cursor; /* (n) next entry of a node to follow */
    int *path;   /* (n, depth used) nodes from the root to the current one */
    int *open;   /* (n, nopen used) visited nodes that have no block yet */
    int *block;  /* (n) block of a node, in the order found; -1: none yet */
    int *level;  /* (n, nblocks used) longest chain of blocks that a block waits for */
} walk;

/* The equation that row i waits for by entry e, or -1 if the entry is not tight, (14). */
static int follow(const walk *w, int i, int e) {
    const taut_offsets *o = w->offsets;
    const int j = w->sigma->column[e];
    return o->d[j] - o->c[i] == w->sigma->order[e] ? o->row_of_column[j] : -1;
}

static void visit(walk *w, int i) {
    w->number[i] = w->low[i] = ++w->nvisited;
    w->cursor[i] = w->sigma->start[i];
    w->path[w->depth++] = i;
    w->open[w->nopen++] = i;
}

/* Makes a block of the open nodes from `root` on; all that they lead to have blocks already. */
static void close_block(walk *w, int root) {
    const int b = w->nblocks++, end = w->nopen;
    do {
        w->block[w->open[--w->nopen]] = b;
    } while (w->open[w->nopen] != root);
    for (int k = w->nopen; k < end; k++) {
        const int i = w->open[k];
        for (int e = w->sigma->start[i]; e < w->sigma->start[i + 1]; e++) {
            const int r = follow(w, i, e);
            if (r < 0 || w->block[r] == b) continue;
            if (w->level[b] <= w->level[w->block[r]]) w->level[b] = w->level[w->block[r]] + 1;
        }
    }
}

/* Visits all that root leads to, and gives it blocks. */
static void walk_from(walk *w, int root) {
    visit(w, root);
    while (w->depth > 0) {
        const int i = w->path[w->depth - 1];
        if (w->cursor[i] < w->sigma->start[i + 1]) {
            const int r = follow(w, i, w->cursor[i]++);
            if (r < 0) continue;
            if (w->number[r] == 0)
                visit(w, r);
            else if (w->block[r] < 0 && w->number[r] < w->low[i])
                w->low[i] = w->number[r];
        } else {
            w->depth--;
            if (w->low[i] == w->number[i])
                close_block(w, i);
            else if (w->low[i] < w->low[w->path[w->depth - 1]])
                w->low[w->path[w->depth - 1]] = w->low[i];
        }
    }
}

/* Sorts the blocks by level, then by first row, and lists their rows. counter and place are (n), of
 * any content. */
static void list_blocks(const walk *w, int *counter, int *place, taut_blocks *out) {
    const int n = w->sigma->n;
    for (int k = 0; k < n; k++) counter[k] = 0;
    for (int b = 0; b < w->nblocks; b++) place[b] = -1;
    for (int b = 0; b < w->nblocks; b++) counter[w->level[b]]++;
    sizes_to_starts(counter, n);
    for (int i = 0; i < n; i++) {
        const int b = w->block[i];
        if (place[b] < 0) place[b] = counter[w->level[b]]++;
    }
    for (int i = 0; i < n; i++) out->block_start[place[w->block[i]]]++;
    sizes_to_starts(out->block_start, w->nblocks + 1);
    for (int b = 0; b < w->nblocks; b++) counter[b] = out->block_start[b];
    for (int i = 0; i < n; i++) {
        const int k = counter[place[w->block[i]]]++;
        out->row[k] = i;
        out->column[k] = w->offsets->column_of_row[i];
    }
}

/* Finds and lists the blocks; the caller releases scratch. */
static taut_status find(walk *w, taut_arena *scratch, taut_arena *arena, taut_blocks *out) {
    const int n = w->sigma->n;
    w->number = TAUT_NEW_ARRAY(scratch, n, int);
    w->low = TAUT_NEW_ARRAY(scratch, n, int);
    w->cursor = TAUT_NEW_ARRAY(scratch, n, int);
    w->path = TAUT_NEW_ARRAY(scratch, n, int);
    w->open = TAUT_NEW_ARRAY(scratch, n, int);
    w->block = TAUT_NEW_ARRAY(scratch, n, int);
    w->level = TAUT_NEW_ARRAY(scratch, n, int);
    if (!w->number || !w->low || !w->cursor || !w->path || !w->open || !w->block || !w->level)
        return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) w->block[i] = -1;
    for (int i = 0; i < n; i++)
        if (w->number[i] == 0) walk_from(w, i);

    out->block_start = TAUT_NEW_ARRAY(arena, (size_t)w->nblocks + 1, int);
    out->row = TAUT_NEW_ARRAY(arena, n, int);
    out->column = TAUT_NEW_ARRAY(arena, n, int);
    if (!out->block_start || !out->row || !out->column) return TAUT_ERR_MEMORY;
    out->nblocks = w->nblocks;
    list_blocks(w, w->cursor, w->path, out);
    return TAUT_OK;
}

taut_status taut_dm_split(const taut_sigma *sigma, const taut_offsets *offsets, taut_arena *arena,
                          taut_dm *out) {
    taut_arena scratch = {0};
    *out = (taut_dm){0};
    const taut_status status = split(sigma, offsets, &scratch, arena, out);
    taut_arena_release(&scratch);
    return status;
}

taut_status taut_blocks_find(const taut_sigma *sigma, const taut_offsets *offsets,
                             taut_arena *arena, taut_blocks *out) {
    *out = (taut_blocks){0};
    if (offsets->rank < sigma->n) return TAUT_ERR_CALL;
    taut_arena scratch = {0};
    walk w = {.sigma = sigma, .offsets = offsets};
    const taut_status status = find(&w, &scratch, arena, out);
    taut_arena_release(&scratch);
    return status;
}
