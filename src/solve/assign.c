/* Finds a transversal of highest value and the smallest offsets of a signature matrix.
 *
 * Flow: feasible offsets -> largest matching of the tight entries (Hopcroft and Karp) -> while rows
 * are free, move the offsets by shortest paths from all of them at once, and match again -> one
 * more shortest-path search turns the final offsets into the smallest ones.
 *
 * The weights enter as in Duff and Koster (MC64); searching from all free rows, not from one after
 * the other, keeps the number of searches small on long chains.
 *
 * Equations: docs/math/structure.md, cited as (5), (6), (8). */
#include "solve/assign.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>

#define NEVER INT64_MAX /* key of what a search does not reach */

typedef struct heap_item {
    int64_t key;
    int row;
} heap_item;

typedef struct work {
    const taut_sigma *sigma;
    int *column_of_row, *row_of_column; /* (n) the matching, the caller's arrays */
    int rank;
    int64_t *c, *d; /* (n) feasible offsets of any sign: slack >= 0, 0 on matched entries */
    /* layers of tight alternating paths */
    int *level;     /* (n) layer of a row, -1: none or used up */
    int last_level; /* the first layer that sees a free column */
    int *cursor;    /* (n) next entry of a row to try */
    int *list;      /* (n) queue, path or stack of rows */
    /* shortest paths */
    int64_t *row_key, *column_key; /* (n) distance from the sources, or NEVER */
    heap_item *heap; /* (n + entries) smallest key first; outdated items stay inside */
    int heap_count;
} work;

/* How far entry e of row i is from being tight: d_j - c_i - sigma_ij, (5). */
static int64_t slack(const work *w, int i, int e) {
    return w->d[w->sigma->column[e]] - w->c[i] - w->sigma->order[e];
}

/* d_j = largest order in column j, c_i = smallest d_j - sigma_ij: each row has a tight entry. */
static void start_offsets(work *w) {
    const taut_sigma *s = w->sigma;
    for (int e = 0; e < s->start[s->n]; e++)
        if (w->d[s->column[e]] < s->order[e]) w->d[s->column[e]] = s->order[e];
    for (int i = 0; i < s->n; i++) {
        int64_t least = NEVER;
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            if (slack(w, i, e) < least) least = slack(w, i, e);
        w->c[i] = least < NEVER ? least : 0;
    }
}

/* Layers the rows by tight alternating paths from the free rows, as far as the first free column.
 * Returns false if no path ends in one: the matching of the tight entries is then largest. */
static bool layer_rows(work *w) {
    const taut_sigma *s = w->sigma;
    int tail = 0;
    for (int i = 0; i < s->n; i++) {
        w->cursor[i] = s->start[i];
        w->level[i] = w->column_of_row[i] < 0 ? 0 : -1;
        if (w->level[i] == 0) w->list[tail++] = i;
    }
    w->last_level = INT_MAX;
    for (int head = 0; head < tail && w->level[w->list[head]] <= w->last_level; head++) {
        const int i = w->list[head];
        for (int e = s->start[i]; e < s->start[i + 1]; e++) {
            if (slack(w, i, e) != 0) continue;
            const int r = w->row_of_column[s->column[e]];
            if (r < 0) {
                w->last_level = w->level[i];
            } else if (w->level[r] < 0 && w->level[i] < w->last_level) {
                w->level[r] = w->level[i] + 1;
                w->list[tail++] = r;
            }
        }
    }
    return w->last_level < INT_MAX;
}

/* Shifts the matching along path (depth + 1 rows): the last row takes column j, each row before it
 * the column that its successor leaves. */
static void shift_path(work *w, const int *path, int depth, int j) {
    for (; depth >= 0; depth--) {
        const int i = path[depth], left = w->column_of_row[i];
        w->column_of_row[i] = j;
        w->row_of_column[j] = i;
        w->level[i] = -1;
        j = left;
    }
    w->rank++;
}

/* Matches the free row `root` along a path that goes down one layer a row, if there is one. Every
 * row is entered at most once in all calls that follow one layer_rows. */
static void match_row(work *w, int root) {
    const taut_sigma *s = w->sigma;
    int *path = w->list, depth = 0;
    path[0] = root;
    while (depth >= 0) {
        const int i = path[depth];
        if (w->cursor[i] == s->start[i + 1]) {
            w->level[i] = -1;
            depth--;
            continue;
        }
        const int e = w->cursor[i]++;
        if (slack(w, i, e) != 0) continue;
        const int j = s->column[e], r = w->row_of_column[j];
        if (r < 0) {
            shift_path(w, path, depth, j);
            return;
        }
        if (w->level[r] == w->level[i] + 1 && w->level[r] <= w->last_level) path[++depth] = r;
    }
}

static void heap_push(work *w, int64_t key, int row) {
    int k = w->heap_count++;
    for (int up; k > 0 && w->heap[up = (k - 1) / 2].key > key; k = up) w->heap[k] = w->heap[up];
    w->heap[k] = (heap_item){key, row};
}

static heap_item heap_pop(work *w) {
    const heap_item top = w->heap[0], moved = w->heap[--w->heap_count];
    int k = 0;
    for (int down = 1; down < w->heap_count; k = down, down = 2 * k + 1) {
        if (down + 1 < w->heap_count && w->heap[down + 1].key < w->heap[down].key) down++;
        if (w->heap[down].key >= moved.key) break;
        w->heap[k] = w->heap[down];
    }
    w->heap[k] = moved;
    return top;
}

/* Shortest paths (Dijkstra): an entry leads from its row to its column at the cost of its slack, a
 * column leads to its matched row for nothing. In: row_key of the sources, NEVER elsewhere.
 * Out: row_key and column_key are distances. Steps without cost bypass the heap. */
static void search(work *w) {
    const taut_sigma *s = w->sigma;
    int *stack = w->list, depth = 0; /* rows at distance `now`, still to be scanned */
    int64_t now = INT64_MIN;
    w->heap_count = 0;
    for (int i = 0; i < s->n; i++) {
        w->column_key[i] = NEVER;
        if (w->row_key[i] < NEVER) heap_push(w, w->row_key[i], i);
    }
    while (depth > 0 || w->heap_count > 0) {
        if (depth == 0) {
            const heap_item top = heap_pop(w);
            if (top.key != w->row_key[top.row]) continue; /* outdated */
            assert(top.key >= now); /* so a row is scanned once, and the heap has room */
            now = top.key;
            stack[depth++] = top.row;
        }
        const int i = stack[--depth];
        for (int e = s->start[i]; e < s->start[i + 1]; e++) {
            const int j = s->column[e], r = w->row_of_column[j];
            const int64_t key = now + slack(w, i, e);
            if (key >= w->column_key[j]) continue;
            w->column_key[j] = key;
            if (r < 0 || key >= w->row_key[r]) continue;
            w->row_key[r] = key;
            if (key == now)
                stack[depth++] = r;
            else
                heap_push(w, key, r);
        }
    }
}

/* Moves the offsets so that every shortest path from a free row becomes tight, (6).
 * Returns false if no free column is reached: the matching is then largest in the whole pattern. */
static bool move_offsets(work *w) {
    const int n = w->sigma->n;
    for (int i = 0; i < n; i++) w->row_key[i] = w->column_of_row[i] < 0 ? 0 : NEVER;
    search(w);
    bool reached = false;
    int64_t far = 0; /* the largest distance: what is not reached moves by it */
    for (int j = 0; j < n; j++) {
        if (w->column_key[j] == NEVER) continue;
        if (w->row_of_column[j] < 0) reached = true;
        if (w->column_key[j] > far) far = w->column_key[j];
    }
    for (int k = 0; k < n && reached; k++) {
        w->c[k] -= w->row_key[k] < far ? w->row_key[k] : far;
        w->d[k] -= w->column_key[k] < far ? w->column_key[k] : far;
    }
    return reached;
}

/* A largest matching; if it is a transversal, one of highest value. */
static void match(work *w) {
    const int n = w->sigma->n;
    do {
        while (w->rank < n && layer_rows(w))
            for (int i = 0; i < n; i++)
                if (w->column_of_row[i] < 0) match_row(w, i);
    } while (w->rank < n && move_offsets(w));
}

/* Writes the smallest offsets, (8): with e_i = c_i now, c_i = e_i - min over rows k of (e_k +
 * distance from k to i), so one search with every row k a source at e_k gives them all. */
static taut_status smallest_offsets(work *w, taut_offsets *out) {
    const int n = w->sigma->n;
    for (int i = 0; i < n; i++) w->row_key[i] = w->c[i];
    search(w);
    int largest_c = 0, algebraic = 0;
    for (int i = 0; i < n; i++) {
        const int j = w->column_of_row[i];
        const int64_t c = w->c[i] - w->row_key[i], d = w->d[j] - w->row_key[i];
        assert(c >= 0 && d >= c);
        if (d >= INT_MAX) return TAUT_ERR_CALL;
        out->c[i] = (int)c;
        out->d[j] = (int)d;
        out->dof += (long)(d - c);
        if (out->c[i] > largest_c) largest_c = out->c[i];
        if (d == 0) algebraic = 1;
    }
    out->index = largest_c + algebraic;
    return TAUT_OK;
}

static taut_status work_create(work *w, taut_arena *arena) {
    const int n = w->sigma->n;
    w->c = TAUT_NEW_ARRAY(arena, n, int64_t);
    w->d = TAUT_NEW_ARRAY(arena, n, int64_t);
    w->level = TAUT_NEW_ARRAY(arena, n, int);
    w->cursor = TAUT_NEW_ARRAY(arena, n, int);
    w->list = TAUT_NEW_ARRAY(arena, n, int);
    w->row_key = TAUT_NEW_ARRAY(arena, n, int64_t);
    w->column_key = TAUT_NEW_ARRAY(arena, n, int64_t);
    w->heap = TAUT_NEW_ARRAY(arena, (size_t)n + (size_t)w->sigma->start[n], heap_item);
    if (!w->c || !w->d || !w->level || !w->cursor || !w->list || !w->row_key || !w->column_key ||
        !w->heap)
        return TAUT_ERR_MEMORY;
    for (int k = 0; k < n; k++) w->column_of_row[k] = w->row_of_column[k] = -1;
    return TAUT_OK;
}

bool taut_sigma_is_valid(const taut_sigma *sigma) {
    if (sigma->n < 0 || sigma->start[0] != 0) return false;
    for (int i = 0; i < sigma->n; i++) {
        if (sigma->start[i + 1] < sigma->start[i]) return false;
        for (int e = sigma->start[i], before = -1; e < sigma->start[i + 1]; e++) {
            if (sigma->column[e] <= before || sigma->column[e] >= sigma->n) return false;
            if (sigma->order[e] < 0) return false;
            before = sigma->column[e];
        }
    }
    return true;
}

taut_status taut_assign(const taut_sigma *sigma, taut_arena *arena, taut_offsets *out) {
    assert(taut_sigma_is_valid(sigma));
    const int n = sigma->n;
    *out = (taut_offsets){.index = -1};
    out->column_of_row = TAUT_NEW_ARRAY(arena, n, int);
    out->row_of_column = TAUT_NEW_ARRAY(arena, n, int);
    if (!out->column_of_row || !out->row_of_column) return TAUT_ERR_MEMORY;

    taut_arena scratch = {0};
    work w = {
        .sigma = sigma, .column_of_row = out->column_of_row, .row_of_column = out->row_of_column};
    taut_status status = work_create(&w, &scratch);
    if (status != TAUT_OK) goto done;
    start_offsets(&w);
    match(&w);
    out->rank = w.rank;
    if (w.rank < n) goto done;

    out->c = TAUT_NEW_ARRAY(arena, n, int);
    out->d = TAUT_NEW_ARRAY(arena, n, int);
    status = out->c && out->d ? smallest_offsets(&w, out) : TAUT_ERR_MEMORY;
done:
    taut_arena_release(&scratch);
    return status;
}
