/* Markowitz' criterion with a threshold that has to hold in every matrix. What is cheapest now may
 * leave nothing good for later, so there are three ways to prefer: the cheapest pivot, the largest
 * one, and those of the diagonal, where masses are; the best result counts. */
#include "export/pivots.h"

#include <math.h>
#include <string.h>

#include "core/bounds.h"

/* A pivot must not be smaller than this part of its column, in any matrix; if no entry is that
 * good, a smaller part must do. */
static const double THRESHOLD[] = {0.1, 0.01, 1e-3};
enum { THRESHOLDS = 3 };
static const double GOOD = 0.01; /* a result that is good enough to be judged by its cost */

typedef enum preference { CHEAPEST, LARGEST, DIAGONAL, PREFERENCES } preference;

typedef struct search {
    const taut_pivot_matrices *m;
    int n;
    preference preference;
    double *a;     /* [count][n * n] what is left of the matrices */
    bool *present; /* [n * n] the pattern of what is left, and of the factors */
    bool *row_done, *column_done;
    double *top;      /* [count] work: the largest entry of a column */
    double *diagonal; /* [2n] work */
    int *where;       /* [n] work */
    taut_pivots *pivots;
} search;

static double *matrix(const search *s, int k) { return s->a + (ptrdiff_t)k * s->n * s->n; }

/* ---- one pivot ---- */

/* How many entries the rest of a row and of a column have, beside the one where they meet. */
static long cost_of(const search *s, int i, int j) {
    long in_row = 0, in_column = 0;
    for (int k = 0; k < s->n; k++) {
        in_row += !s->column_done[k] && s->present[i * s->n + k];
        in_column += !s->row_done[k] && s->present[k * s->n + j];
    }
    return (in_row - 1) * (in_column - 1);
}

static void find_tops(search *s, int j) {
    for (int k = 0; k < s->m->count; k++) s->top[k] = 0.0;
    for (int i = 0; i < s->n; i++) {
        if (s->row_done[i] || !s->present[i * s->n + j]) continue;
        for (int k = 0; k < s->m->count; k++)
            s->top[k] = fmax(s->top[k], fabs(matrix(s, k)[i * s->n + j]));
    }
}

/* The least part of its column that an entry is. One that changes its sign is 0 somewhere between
 * two matrices. */
static double share_of(const search *s, int i, int j) {
    const bool positive = matrix(s, 0)[i * s->n + j] > 0.0;
    double least = 1.0;
    for (int k = 0; k < s->m->count; k++) {
        const double a = matrix(s, k)[i * s->n + j], x = positive ? a : -a;
        if (!(x > 0.0)) return 0.0;
        least = fmin(least, x / s->top[k]);
    }
    return least;
}

/* How much is against a pivot, beside the cost of another one. */
static double badness(const search *s, int i, int j, double share) {
    const double cost = (double)cost_of(s, i, j);
    switch (s->preference) {
    case LARGEST: return -share;
    case DIAGONAL: return cost + (i == j ? 0.0 : 1e9) - 0.5 * share;
    default: return cost - 0.5 * share;
    }
}

/* The entry with the least against it of those that are good enough. */
static bool find_pivot(search *s, double threshold, int *row, int *column, double *share) {
    double least = (double)INFINITY;
    for (int j = 0; j < s->n; j++) {
        if (s->column_done[j]) continue;
        find_tops(s, j);
        for (int i = 0; i < s->n; i++) {
            if (s->row_done[i] || !s->present[i * s->n + j]) continue;
            const double x = share_of(s, i, j);
            if (x < threshold) continue;
            const double bad = badness(s, i, j, x);
            if (bad >= least) continue;
            least = bad;
            *share = x;
            *row = i;
            *column = j;
        }
    }
    return isfinite(least);
}

/* ---- elimination ---- */

static void note_pivot(search *s, int k, int i, int j) {
    taut_pivots *p = s->pivots;
    double least = (double)INFINITY, largest = 0.0;
    int where = 0;
    for (int m = 0; m < s->m->count; m++) {
        const double x = fabs(matrix(s, m)[i * s->n + j]);
        if (x < least) where = m;
        least = fmin(least, x);
        largest = fmax(largest, x);
    }
    p->row[k] = i;
    p->column[k] = j;
    p->largest[k] = largest;
    if (least / largest < p->closest) {
        p->closest = least / largest;
        p->worst = where;
    }
}

static void eliminate(search *s, int r, int c) {
    const int n = s->n;
    s->row_done[r] = s->column_done[c] = true;
    for (int i = 0; i < n; i++) {
        if (s->row_done[i] || !s->present[i * n + c]) continue;
        s->pivots->operations += 2; /* of the elimination, and of a solution */
        for (int j = 0; j < n; j++) {
            if (s->column_done[j] || !s->present[r * n + j]) continue;
            s->present[i * n + j] = true;
            s->pivots->operations++;
        }
        for (int m = 0; m < s->m->count; m++) {
            double *a = matrix(s, m);
            const double factor = a[i * n + c] / a[r * n + c];
            for (int j = 0; j < n; j++)
                if (!s->column_done[j]) a[i * n + j] -= factor * a[r * n + j];
        }
    }
}

/* ---- the core ---- */

/* Lists its rows and columns. */
static void list_core(search *s) {
    taut_pivots *p = s->pivots;
    int r = p->first_core, c = p->first_core;
    for (int k = 0; k < s->n; k++) {
        if (!s->row_done[k]) p->row[r++] = k;
        if (!s->column_done[k]) p->column[c++] = k;
    }
    for (int i = p->first_core; i < s->n; i++) /* it is dense */
        for (int j = p->first_core; j < s->n; j++)
            s->present[p->row[i] * s->n + p->column[j]] = true;
    const long m = s->n - p->first_core;
    p->operations += 2 * m * m * m / 3 + 3 * m * m;
}

/* Diagonal entries of R of one matrix, whose core becomes R: column k is orthogonalised against
 * those before it. */
static void reflect(search *s, int which, double *diagonal) {
    const taut_pivots *p = s->pivots;
    double *a = matrix(s, which);
    for (int k = p->first_core; k < s->n; k++) {
        double square = 0.0;
        for (int i = p->first_core; i < s->n; i++) {
            const double x = a[p->row[i] * s->n + p->column[k]];
            square += x * x;
        }
        diagonal[k] = sqrt(square);
        for (int j = k + 1; j < s->n; j++) {
            double dot = 0.0;
            for (int i = p->first_core; i < s->n; i++)
                dot += a[p->row[i] * s->n + p->column[k]] * a[p->row[i] * s->n + p->column[j]];
            for (int i = p->first_core; i < s->n; i++)
                a[p->row[i] * s->n + p->column[j]] -=
                    dot / square * a[p->row[i] * s->n + p->column[k]];
        }
    }
}

static void measure_core(search *s, double *diagonal) {
    taut_pivots *p = s->pivots;
    double *least = diagonal + s->n;
    for (int k = p->first_core; k < s->n; k++) least[k] = (double)INFINITY;
    for (int m = 0; m < s->m->count; m++) {
        reflect(s, m, diagonal);
        for (int k = p->first_core; k < s->n; k++) {
            p->largest[k] = fmax(p->largest[k], diagonal[k]);
            if (diagonal[k] < least[k]) {
                least[k] = diagonal[k];
                s->where[k] = m;
            }
        }
    }
    for (int k = p->first_core; k < s->n; k++)
        if (!(least[k] / p->largest[k] >= p->closest)) {
            p->closest = p->largest[k] > 0.0 ? least[k] / p->largest[k] : 0.0;
            p->worst = s->where[k];
        }
}

/* ---- set-up and result ---- */

static taut_status prepare(search *s, taut_arena *work, taut_arena *arena) {
    const taut_pivot_matrices *m = s->m;
    taut_pivots *p = s->pivots;
    const int n = m->n, nonzeros = m->start[n];
    s->n = n;
    s->a = TAUT_NEW_ARRAY(work, (size_t)m->count * (size_t)n * (size_t)n, double);
    s->present = TAUT_NEW_ARRAY(work, n * n, bool);
    s->row_done = TAUT_NEW_ARRAY(work, n, bool);
    s->column_done = TAUT_NEW_ARRAY(work, n, bool);
    s->top = TAUT_NEW_ARRAY(work, m->count, double);
    s->diagonal = TAUT_NEW_ARRAY(work, 2 * n, double);
    s->where = TAUT_NEW_ARRAY(work, n, int);
    *p = (taut_pivots){.n = n, .least = 1.0, .closest = 1.0};
    p->row = TAUT_NEW_ARRAY(arena, n, int);
    p->column = TAUT_NEW_ARRAY(arena, n, int);
    p->largest = TAUT_NEW_ARRAY(arena, n, double);
    p->at = TAUT_NEW_ARRAY(arena, n * n, int);
    if (!s->a || !s->present || !s->row_done || !s->column_done || !s->top || !s->diagonal ||
        !s->where || !p->row || !p->column || !p->largest || !p->at)
        return TAUT_ERR_MEMORY;
    for (int j = 0; j < n; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            s->present[m->row[k] * n + j] = true;
            for (int c = 0; c < m->count; c++)
                matrix(s, c)[m->row[k] * n + j] = m->value[(ptrdiff_t)c * nonzeros + k];
        }
    return TAUT_OK;
}

/* Numbers of the factors' entries, row by row. */
static taut_status list_entries(const search *s, taut_arena *arena) {
    const taut_pivot_matrices *m = s->m;
    taut_pivots *p = s->pivots;
    const int n = s->n;
    for (int k = 0; k < n * n; k++) p->at[k] = s->present[k] ? p->entries++ : -1;
    p->entry = TAUT_NEW_ARRAY(arena, p->entries + 1, taut_factor_entry);
    if (!p->entry) return TAUT_ERR_MEMORY;
    for (int k = 0; k < n * n; k++)
        if (p->at[k] >= 0) p->entry[p->at[k]] = (taut_factor_entry){k / n, k % n, -1};
    for (int j = 0; j < n; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            p->entry[p->at[m->row[k] * n + j]].from = k;
    return TAUT_OK;
}

static taut_status choose(search *s) {
    for (int k = 0; k < s->n; k++) {
        int row = -1, column = -1, t = 0;
        double share = 0.0;
        TAUT_TRY(taut_bounds_ask());
        while (t < THRESHOLDS && !find_pivot(s, THRESHOLD[t], &row, &column, &share)) t++;
        if (t == THRESHOLDS) return TAUT_OK;
        s->pivots->least = fmin(s->pivots->least, share);
        note_pivot(s, k, row, column);
        eliminate(s, row, column);
        s->pivots->first_core = k + 1;
    }
    return TAUT_OK;
}

/* Is one result better than another? */
static bool is_better(const taut_pivots *a, const taut_pivots *b) {
    if (b->n == 0) return true;
    if (a->first_core != b->first_core) return a->first_core > b->first_core;
    if (a->least >= GOOD && b->least >= GOOD) return a->operations < b->operations;
    return a->least > b->least;
}

taut_status taut_pivots_choose(const taut_pivot_matrices *matrices, taut_arena *arena,
                               taut_pivots *pivots) {
    *pivots = (taut_pivots){0};
    for (preference p = CHEAPEST; p < PREFERENCES; p++) {
        taut_arena work = {0};
        taut_pivots found;
        search s = {.m = matrices, .pivots = &found, .preference = p};
        taut_status status = prepare(&s, &work, arena);
        if (status == TAUT_OK) status = choose(&s);
        if (status == TAUT_OK) {
            list_core(&s);
            measure_core(&s, s.diagonal);
            status = list_entries(&s, arena);
        }
        taut_arena_release(&work);
        TAUT_TRY(status);
        if (is_better(&found, pivots)) *pivots = found;
    }
    return TAUT_OK;
}

double taut_pivots_largest_multiplier(const taut_pivots *p, const double *value, double *a) {
    const int n = p->n;
    double largest = 0.0;
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int k = 0; k < p->entries; k++)
        if (p->entry[k].from >= 0)
            a[p->entry[k].row * n + p->entry[k].column] = value[p->entry[k].from];
    for (int k = 0; k < p->first_core; k++)
        for (int i = k + 1; i < n; i++) {
            const int r = p->row[k], c = p->column[k], below = p->row[i];
            const double m = a[below * n + c] / a[r * n + c];
            if (!isfinite(m)) return (double)INFINITY;
            largest = fmax(largest, fabs(m));
            for (int j = k + 1; j < n && m != 0.0; j++)
                a[below * n + p->column[j]] -= m * a[r * n + p->column[j]];
        }
    return largest;
}
