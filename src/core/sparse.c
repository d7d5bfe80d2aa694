/* LU factors: KLU orders the unknowns and chooses pivots, once and then rarely; the elimination
 * with these pivots, and the solves, which are all that a step does, run over flat rows here. The
 * only user of klu.h. */
#include "core/sparse.h"

#include <klu.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/arena.h"
#include "core/bits.h"
#include "core/bounds.h"
#include "core/ends.h"
#include "core/lanes.h"
#include "core/small.h"
#include "core/unrolled.h"

/* Pivots this much smaller than the largest one count as zero, or, in a lopsided matrix, than the
 * largest entry of their columns: these may be of very different sizes. */
static const double SINGULAR_PIVOT = TAUT_SINGULAR_PIVOT;
/* The pivots are those of an older matrix: new ones are taken when the condition got this much
 * worse, or when a multiplier is this large. */
static const double REPIVOT = 1e-3;
static const double LARGEST_MULTIPLIER = 100.0;
/* The same where a few digits are enough. */
static const double ROUGH_REPIVOT = 1e-8, LARGEST_ROUGH_MULTIPLIER = 1e6;
/* KLU keeps a diagonal pivot down to this fraction of its column: its own 1e-3 saves a little fill
 * and may lose eight digits, 0.1 loses hardly more than one. */
static const double PIVOT_TOLERANCE = 0.1;

/* The orderings of KLU. */
enum { AMD = 0, COLAMD = 1 };
/* The search for a full diagonal may look at every entry so often; its worst case is quadratic. */
static const double MOST_MATCHING = 30.0;
enum { LARGE = 300 }; /* unknowns: the caller is asked whether to go on */
enum { MANY = 64 };   /* divisions that are worth a call by the kind of processor */

struct taut_lu {
    taut_arena arena;
    int n;
    int *start, *row;                         /* the pattern by columns, */
    int *row_start, *row_column, *row_number; /* and by rows, with the numbers of the values */
    double *work;                             /* [n] 0 between calls of eliminate */
    double *x;                                /* [n] of a solve */
    bool lopsided;
    double
        *column_size; /* [n] lopsided: the largest entry of the k-th pivot's column, rows scaled */
    klu_common common;
    klu_symbolic *symbolic;
    bool borrowed; /* the pattern and its analysis belong to another one */
    bool rough;    /* for rough results */
    double rcond;
    bool deficient; /* the matrix seems singular by any pivots */

    taut_arena chosen; /* what the choice of pivots has made: */
    bool pivoted;      /* there is a choice */
    double pivoted_rcond;
    long choices;          /* so far */
    double *pivoted_value; /* [entries] the matrix for which it was made */
    taut_factors f;
    taut_rows_by_pivots entries;
    bool is_small;
    taut_small small; /* if it is */
    bool inverted;    /* its inverses are those of these factors */
    int blocks;       /* on the diagonal, each with triangles of its own; below them is nothing, */
    int *block;       /* [blocks+1] here they begin, */
    taut_triangle beyond; /* and right of them the matrix stands as it is, rows scaled */

    taut_unrolled *unrolled; /* compiled code with pivots of its own; NULL: there is none */
    double unrolled_rcond;   /* the best that it has had */
    bool by_unrolled;        /* the factors at hand are its own */
};

/* ---- set-up ---- */

/* The pattern by rows: entries of a column are in the order of their rows already. */
static taut_status list_rows(taut_lu *lu) {
    const int n = lu->n, entries = lu->start[n];
    lu->row_start = TAUT_NEW_ARRAY(&lu->arena, n + 2, int);
    lu->row_column = TAUT_NEW_ARRAY(&lu->arena, entries, int);
    lu->row_number = TAUT_NEW_ARRAY(&lu->arena, entries, int);
    if (!lu->row_start || !lu->row_column || !lu->row_number) return TAUT_ERR_MEMORY;
    int *next = lu->row_start + 1; /* becomes row_start when all are in */
    for (int k = 0; k < entries; k++)
        if (lu->row[k] + 1 < n) next[lu->row[k] + 1]++;
    for (int i = 0; i < n; i++) next[i + 1] += next[i];
    for (int j = 0; j < n; j++)
        for (int k = lu->start[j]; k < lu->start[j + 1]; k++) {
            const int at = next[lu->row[k]]++;
            lu->row_column[at] = j;
            lu->row_number[at] = k;
        }
    return TAUT_OK;
}

/* Where the graph is long and thin, an order from both its ends. */
static taut_status order_anew(taut_lu *lu) {
    const taut_pattern_graph graph = {lu->n, lu->start, lu->row, lu->row_start, lu->row_column};
    bool better;
    TAUT_TRY(taut_order_from_ends(&graph, lu->symbolic->Q, &better));
    if (!better) return TAUT_OK;
    int *order = TAUT_NEW_ARRAY(&lu->arena, lu->n, int);
    if (!order) return TAUT_ERR_MEMORY;
    memcpy(order, lu->symbolic->Q, (size_t)lu->n * sizeof *order);
    klu_free_symbolic(&lu->symbolic, &lu->common);
    lu->symbolic = klu_analyze_given(lu->n, lu->start, lu->row, order, order, &lu->common);
    return lu->symbolic ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status analyse(taut_lu *lu) {
    const bool lopsided = lu->lopsided;
    if (lu->n == 0) return TAUT_OK;
    klu_defaults(&lu->common);
    lu->common.scale = 2; /* rows by their largest entry */
    lu->common.tol = lopsided ? 1.0 : PIVOT_TOLERANCE;
    lu->common.ordering = lopsided ? COLAMD : AMD;
    lu->common.btf = lopsided; /* otherwise one block: less fill in saddle-point matrices */
    lu->common.maxwork = MOST_MATCHING;
    lu->symbolic = klu_analyze(lu->n, lu->start, lu->row, &lu->common);
    if (lu->symbolic && lopsided && lu->common.structural_rank < lu->n) {
        /* no full diagonal, or not in time: blocks of this could be singular where the whole is not
         */
        klu_free_symbolic(&lu->symbolic, &lu->common);
        lu->common.btf = false;
        lu->symbolic = klu_analyze(lu->n, lu->start, lu->row, &lu->common);
    }
    if (lu->symbolic) return lopsided || lu->is_small ? TAUT_OK : order_anew(lu);
    return lu->common.status == KLU_SINGULAR ? TAUT_SINGULAR : TAUT_ERR_MEMORY;
}

/* The pattern, copied, and its analysis. */
static taut_status take_pattern(taut_lu *lu, const int *start, const int *row) {
    const int n = lu->n;
    lu->start = TAUT_NEW_ARRAY(&lu->arena, n + 1, int);
    lu->row = TAUT_NEW_ARRAY(&lu->arena, start[n], int);
    if (!lu->start || !lu->row) return TAUT_ERR_MEMORY;
    memcpy(lu->start, start, (size_t)(n + 1) * sizeof *start);
    if (start[n]) memcpy(lu->row, row, (size_t)start[n] * sizeof *row);
    TAUT_TRY(list_rows(lu));
    return analyse(lu);
}

/* The same, borrowed. */
static void borrow_pattern(taut_lu *lu, const taut_lu *like) {
    lu->start = like->start;
    lu->row = like->row;
    lu->row_start = like->row_start;
    lu->row_column = like->row_column;
    lu->row_number = like->row_number;
    lu->common = like->common;
    lu->symbolic = like->symbolic;
    lu->borrowed = true;
}

/* Like another one, or of this pattern. */
static taut_status create(const taut_lu *like, int n, const int *start, const int *row,
                          bool lopsided, taut_lu **result) {
    taut_lu *lu = NULL;
    size_t room = 0;
    *result = NULL;
    if (taut_grow((void **)&lu, &room, 1, sizeof *lu)) return TAUT_ERR_MEMORY;
    memset(lu, 0, sizeof *lu);
    lu->n = lu->f.n = n;
    lu->lopsided = lopsided;
    lu->is_small = !lopsided && taut_small_fits(n);
    lu->work = TAUT_NEW_ARRAY(&lu->arena, n, double);
    lu->x = TAUT_NEW_ARRAY(&lu->arena, n, double);
    lu->column_size = TAUT_NEW_ARRAY(&lu->arena, lopsided ? n : 0, double);
    taut_status status = lu->work && lu->x && lu->column_size ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK && like)
        borrow_pattern(lu, like);
    else if (status == TAUT_OK)
        status = take_pattern(lu, start, row);
    if (status == TAUT_OK)
        *result = lu;
    else
        taut_lu_free(&lu);
    return status;
}

taut_status taut_lu_create(int n, const int *start, const int *row, taut_lu **result) {
    return create(NULL, n, start, row, false, result);
}

taut_status taut_lu_create_lopsided(int n, const int *start, const int *row, taut_lu **result) {
    return create(NULL, n, start, row, true, result);
}

taut_status taut_lu_create_rough(const taut_lu *like, taut_lu **result) {
    TAUT_TRY(create(like, like->n, NULL, NULL, like->lopsided, result));
    (*result)->rough = true;
    return TAUT_OK;
}

taut_status taut_lu_create_like(const taut_lu *like, taut_lu **result) {
    return create(like, like->n, NULL, NULL, like->lopsided, result);
}

void taut_lu_free(taut_lu **lu) {
    taut_lu *x = *lu;
    if (!x) return;
    if (x->symbolic && !x->borrowed) klu_free_symbolic(&x->symbolic, &x->common);
    taut_arena_release(&x->chosen);
    taut_arena_release(&x->arena);
    taut_release((void **)lu);
}

/* ---- the choice of pivots ---- */

/* A triangle by rows from its pattern by columns, diagonal left out. */
static taut_status by_rows(taut_lu *lu, const int *start, const int *row, taut_triangle *t) {
    const int n = lu->n;
    t->start = TAUT_NEW_ARRAY(&lu->chosen, n + 2, int);
    t->column = TAUT_NEW_ARRAY(&lu->chosen, start[n], int);
    t->value = TAUT_NEW_ARRAY(&lu->chosen, start[n], double);
    if (!t->start || !t->column || !t->value) return TAUT_ERR_MEMORY;
    int *next = t->start + 1;
    for (int j = 0; j < n; j++)
        for (int k = start[j]; k < start[j + 1]; k++)
            if (row[k] != j && row[k] + 1 < n) next[row[k] + 1]++;
    for (int i = 0; i < n; i++) next[i + 1] += next[i];
    for (int j = 0; j < n; j++)
        for (int k = start[j]; k < start[j + 1]; k++)
            if (row[k] != j) t->column[next[row[k]]++] = j;
    return TAUT_OK;
}

/* The entries in the order of the pivots. */
static taut_status sort_entries(taut_lu *lu, taut_arena *scratch) {
    const int n = lu->n, entries = lu->start[n];
    taut_rows_by_pivots *e = &lu->entries;
    int *position = TAUT_NEW_ARRAY(scratch, n, int); /* of a column among the pivots */
    e->start = TAUT_NEW_ARRAY(&lu->chosen, n + 1, int);
    e->column = TAUT_NEW_ARRAY(&lu->chosen, entries, int);
    e->number = TAUT_NEW_ARRAY(&lu->chosen, entries, int);
    if (!position || !e->start || !e->column || !e->number) return TAUT_ERR_MEMORY;
    for (int k = 0; k < n; k++) position[lu->f.pivot_column[k]] = k;
    for (int i = 0, at = 0; i < n; i++) {
        const int row = lu->f.pivot_row[i];
        for (int k = lu->row_start[row]; k < lu->row_start[row + 1]; k++, at++) {
            e->column[at] = position[lu->row_column[k]];
            e->number[at] = lu->row_number[k];
        }
        e->start[i + 1] = at;
    }
    return TAUT_OK;
}

/* Takes over pivots and patterns from KLU's factors. */
static taut_status take_pivots(taut_lu *lu, klu_numeric *numeric) {
    const int n = lu->n;
    taut_arena scratch = {0};
    int *lower_start = TAUT_NEW_ARRAY(&scratch, n + 1, int);
    int *upper_start = TAUT_NEW_ARRAY(&scratch, n + 1, int);
    int *lower_row = TAUT_NEW_ARRAY(&scratch, numeric->lnz, int);
    int *upper_row = TAUT_NEW_ARRAY(&scratch, numeric->unz, int);
    int *beyond_start = TAUT_NEW_ARRAY(&scratch, n + 1, int);
    int *beyond_row = TAUT_NEW_ARRAY(&scratch, numeric->nzoff, int);
    double *unused = /* KLU gives patterns with values only */
        TAUT_NEW_ARRAY(&scratch, numeric->lnz + numeric->unz + numeric->nzoff, double);
    lu->f.pivot_row = TAUT_NEW_ARRAY(&lu->chosen, n, int);
    lu->f.pivot_column = TAUT_NEW_ARRAY(&lu->chosen, n, int);
    lu->f.pivot = TAUT_NEW_ARRAY(&lu->chosen, n, double);
    lu->f.scale = TAUT_NEW_ARRAY(&lu->chosen, n, double);
    lu->blocks = numeric->nblocks;
    lu->block = TAUT_NEW_ARRAY(&lu->chosen, lu->blocks + 1, int);
    taut_status status = TAUT_ERR_MEMORY;
    if (lower_start && upper_start && lower_row && upper_row && beyond_start && beyond_row &&
        unused && lu->f.pivot_row && lu->f.pivot_column && lu->f.pivot && lu->f.scale &&
        lu->block &&
        klu_extract(numeric, lu->symbolic, lower_start, lower_row, unused, upper_start, upper_row,
                    unused + numeric->lnz, beyond_start, beyond_row,
                    unused + numeric->lnz + numeric->unz, lu->f.pivot_row, lu->f.pivot_column, NULL,
                    lu->block, &lu->common)) {
        status = sort_entries(lu, &scratch);
        if (status == TAUT_OK) status = by_rows(lu, lower_start, lower_row, &lu->f.lower);
        if (status == TAUT_OK) status = by_rows(lu, upper_start, upper_row, &lu->f.upper);
        if (status == TAUT_OK) status = by_rows(lu, beyond_start, beyond_row, &lu->beyond);
        if (status == TAUT_OK && lu->is_small)
            status = taut_small_create(&lu->f, lu->entries, &lu->chosen, &lu->small);
    }
    taut_arena_release(&scratch);
    return status;
}

static taut_status choose_pivots(taut_lu *lu, const double *value) {
    double *v = (double *)(uintptr_t)value; /* KLU reads it only */
    lu->pivoted = false;
    lu->pivoted_value = NULL;
    lu->choices++;
    taut_arena_release(&lu->chosen);
    klu_numeric *numeric = klu_factor(lu->start, lu->row, v, lu->symbolic, &lu->common);
    if (!numeric) return lu->common.status == KLU_OUT_OF_MEMORY ? TAUT_ERR_MEMORY : TAUT_SINGULAR;
    taut_status status = TAUT_SINGULAR; /* half done: nothing to take */
    if (lu->common.status != KLU_SINGULAR) status = take_pivots(lu, numeric);
    klu_free_numeric(&numeric, &lu->common);
    if (status == TAUT_OK) {
        lu->pivoted_value = TAUT_NEW_ARRAY(&lu->chosen, lu->start[lu->n], double);
        if (!lu->pivoted_value) return TAUT_ERR_MEMORY;
        memcpy(lu->pivoted_value, value, (size_t)lu->start[lu->n] * sizeof *value);
    }
    lu->pivoted = status == TAUT_OK;
    return status;
}

/* ---- elimination ---- */

/* The largest entry of the i-th row in its block, which ends before the pivot `beyond`; scaled to
 * be between 0.5 and 1, or 0. */
static inline double size_row(const taut_lu *lu, const double *value, int i, int beyond,
                              double *scale) {
    const taut_rows_by_pivots *e = &lu->entries;
    double largest = 0.0, scaled;
    for (int k = e->start[i]; k < e->start[i + 1]; k++) {
        const double size = fabs(value[e->number[k]]);
        if (size > largest && e->column[k] < beyond) largest = size;
    }
    *scale = taut_power_below(largest, &scaled);
    return scaled;
}

/* Puts the i-th row of the matrix, scaled, into work[]. */
static void load_row(taut_lu *lu, const double *value, int i, double scale) {
    const taut_rows_by_pivots *e = &lu->entries;
    for (int k = e->start[i]; k < e->start[i + 1]; k++)
        lu->work[e->column[k]] = value[e->number[k]] * scale;
}

static void size_columns(taut_lu *lu, const double *value) {
    const taut_rows_by_pivots *e = &lu->entries;
    memset(lu->column_size, 0, (size_t)lu->n * sizeof *lu->column_size);
    for (int i = 0, block = 0, beyond = 0; i < lu->n; i++) {
        if (i == beyond) beyond = lu->block[++block];
        double scale;
        size_row(lu, value, i, beyond, &scale);
        for (int k = e->start[i]; k < e->start[i + 1]; k++) {
            const int j = e->column[k];
            const double size = fabs(value[e->number[k]]) * scale;
            if (j < beyond && size > lu->column_size[j]) lu->column_size[j] = size;
        }
    }
}

/* Takes what is right of the blocks out of work[]. */
static void unload_beyond(taut_lu *lu, int i) {
    const taut_triangle *F = &lu->beyond;
    for (int m = F->start[i]; m < F->start[i + 1]; m++) {
        F->value[m] = lu->work[F->column[m]];
        lu->work[F->column[m]] = 0.0;
    }
}

/* Numerical refactorisation, row by row with the chosen pivots. False: a pivot is numerically 0. */
static bool eliminate_rows(taut_lu *lu, const double *value, taut_elimination *found) {
    const taut_triangle *L = &lu->f.lower, *U = &lu->f.upper;
    double *work = lu->work, smallest = (double)INFINITY, greatest = 0.0, multiplier = 0.0;
    const bool blocks = lu->blocks > 1;
    if (lu->lopsided) size_columns(lu, value);
    for (int i = 0, block = 0, beyond = 0; i < lu->n; i++) {
        if (i == beyond) beyond = lu->block[++block];
        const double largest = size_row(lu, value, i, beyond, &lu->f.scale[i]);
        load_row(lu, value, i, lu->f.scale[i]);
        if (blocks) unload_beyond(lu, i);
        for (int k = L->start[i]; k < L->start[i + 1]; k++) {
            const int j = L->column[k];
            const double left = work[j], l = left / lu->f.pivot[j];
            work[j] = 0.0;
            L->value[k] = l;
            if (fabs(l) > multiplier) multiplier = fabs(l);
            for (int m = U->start[j]; m < U->start[j + 1]; m++)
                work[U->column[m]] -= left * U->value[m];
        }
        const double inverse = 1.0 / work[i];
        for (int m = U->start[i]; m < U->start[i + 1]; m++) {
            U->value[m] = work[U->column[m]] * inverse;
            work[U->column[m]] = 0.0;
        }
        /* as if rows, or columns, had the size 1 */
        const double pivot = fabs(work[i]) / (lu->lopsided ? lu->column_size[i] : largest);
        lu->f.pivot[i] = work[i];
        work[i] = 0.0;
        if (pivot < smallest) smallest = pivot;
        if (pivot > greatest) greatest = lu->lopsided ? 1.0 : pivot;
        if (!(pivot > SINGULAR_PIVOT * greatest)) return false;
    }
    *found = (taut_elimination){smallest, greatest, multiplier, false};
    return true;
}

/* By compiled code. False: its pivots do not suit this matrix. */
static bool eliminate_unrolled(taut_lu *lu, const double *value) {
    taut_unrolled_numbers *x = &lu->unrolled->numbers;
    lu->unrolled->eliminate(x, value);
    const double rcond = taut_smaller(x->smallest / x->greatest, 1.0);
    if (!(x->smallest > SINGULAR_PIVOT * x->greatest && x->multiplier <= LARGEST_MULTIPLIER &&
          rcond > REPIVOT * lu->unrolled_rcond))
        return false;
    lu->unrolled_rcond = taut_larger(lu->unrolled_rcond, rcond);
    lu->rcond = rcond;
    return true;
}

/* False: the chosen pivots do not suit this matrix. */
static bool eliminate(taut_lu *lu, const double *value) {
    taut_elimination found = {0};
    const double most = lu->rough ? LARGEST_ROUGH_MULTIPLIER : LARGEST_MULTIPLIER;
    const bool done = lu->is_small
                          ? taut_small_eliminate(&lu->small, &lu->f, value, SINGULAR_PIVOT, &found)
                          : eliminate_rows(lu, value, &found);
    /* entries of very different sizes may hide another pivot: exact results have to look for it */
    lu->deficient = lu->rough && found.deficient && found.multiplier <= most;
    if (!done) return false;
    lu->rcond = taut_smaller(found.smallest / found.greatest, 1.0);
    return found.multiplier <= most;
}

/* Factors of large matrices take a while: may they be begun? */
static taut_status ask_if_large(const taut_lu *lu) {
    return lu->n >= LARGE ? taut_bounds_ask() : TAUT_OK;
}

taut_status taut_lu_factor(taut_lu *lu, const double *value) {
    lu->rcond = lu->n ? 0.0 : 1.0;
    lu->inverted = false;
    if (lu->n == 0) return TAUT_OK;
    lu->by_unrolled = lu->unrolled && eliminate_unrolled(lu, value); /* if all is finite */
    if (lu->by_unrolled) return TAUT_OK;
    if (!taut_all_finite(value, lu->start[lu->n])) return TAUT_SINGULAR;
    const double repivot = lu->rough ? ROUGH_REPIVOT : REPIVOT;
    TAUT_TRY(ask_if_large(lu));
    if (lu->pivoted && eliminate(lu, value) && lu->rcond > repivot * lu->pivoted_rcond)
        return TAUT_OK;
    lu->rcond = 0.0; /* of the pivots that are given up */
    if (lu->pivoted && lu->deficient) return TAUT_SINGULAR;
    TAUT_TRY(ask_if_large(lu));
    TAUT_TRY(choose_pivots(lu, value));
    TAUT_TRY(ask_if_large(lu));
    eliminate(lu, value); /* a multiplier may be large where there is no better one */
    lu->pivoted_rcond = lu->rcond;
    return lu->rcond > SINGULAR_PIVOT ? TAUT_OK : TAUT_SINGULAR;
}

/* ---- solving ---- */

/* Divisions by the pivots: a call by the kind of processor, for matrices that are worth it. */
TAUT_ALL_WIDTHS
static void divide_many(double *restrict x, const double *restrict by, int count) {
    for (int i = 0; i < count; i++) x[i] /= by[i];
}

static void divide(double *x, const double *by, int count) {
    if (count >= MANY)
        divide_many(x, by, count);
    else
        for (int i = 0; i < count; i++) x[i] /= by[i];
}

/* The divisions stand between the triangles: there they do not wait for each other. */
static void solve_one_block(const taut_lu *lu, double *b) {
    const taut_triangle *L = &lu->f.lower, *U = &lu->f.upper;
    double *x = lu->x;
    for (int i = 0; i < lu->n; i++) {
        double sum = b[lu->f.pivot_row[i]] * lu->f.scale[i];
        for (int k = L->start[i]; k < L->start[i + 1]; k++) sum -= L->value[k] * x[L->column[k]];
        x[i] = sum;
    }
    divide(x, lu->f.pivot, lu->n);
    for (int i = lu->n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int k = U->start[i + 1] - 1; k >= U->start[i]; k--)
            sum -= U->value[k] * x[U->column[k]]; /* the one that was found last comes last */
        x[i] = sum;
        b[lu->f.pivot_column[i]] = sum;
    }
}

/* The last block first: those before need its solution. */
static void solve_blocks(const taut_lu *lu, double *b) {
    const taut_triangle *L = &lu->f.lower, *U = &lu->f.upper, *F = &lu->beyond;
    double *x = lu->x;
    for (int i = 0; i < lu->n; i++) x[i] = b[lu->f.pivot_row[i]] * lu->f.scale[i];
    for (int block = lu->blocks - 1; block >= 0; block--) {
        const int first = lu->block[block], end = lu->block[block + 1];
        for (int i = first; i < end; i++) {
            double sum = x[i];
            for (int k = F->start[i]; k < F->start[i + 1]; k++)
                sum -= F->value[k] * x[F->column[k]];
            for (int k = L->start[i]; k < L->start[i + 1]; k++)
                sum -= L->value[k] * x[L->column[k]];
            x[i] = sum;
        }
        for (int i = first; i < end; i++) x[i] /= lu->f.pivot[i];
        for (int i = end - 1; i >= first; i--) {
            double sum = x[i];
            for (int k = U->start[i + 1] - 1; k >= U->start[i]; k--)
                sum -= U->value[k] * x[U->column[k]];
            x[i] = sum;
        }
    }
    for (int i = 0; i < lu->n; i++) b[lu->f.pivot_column[i]] = x[i];
}

taut_status taut_lu_invert(taut_lu *lu) {
    if (!lu->is_small || lu->inverted || lu->n == 0 || lu->by_unrolled) return TAUT_OK;
    if (lu->n > 1) { /* otherwise there is nothing in the triangles */
        TAUT_TRY(taut_small_reserve(&lu->f, &lu->chosen, &lu->small));
        taut_small_invert(&lu->small, &lu->f);
    }
    lu->inverted = true;
    return TAUT_OK;
}

void taut_lu_inverses(const taut_lu *lu, taut_inverses *inverses) {
    *inverses = (taut_inverses){0};
    if (!lu->inverted || lu->n == 0) return;
    const bool one = lu->n == 1;
    *inverses = (taut_inverses){.lower = one ? lu->f.pivot : lu->small.lower,
                                .upper = one ? NULL : lu->small.upper,
                                .pivot = one ? lu->f.pivot : lu->small.pivot,
                                .scale = lu->f.scale,
                                .row = lu->f.pivot_row};
}

void taut_lu_solve(const taut_lu *lu, double *b) {
    if (lu->by_unrolled)
        lu->unrolled->solve(&lu->unrolled->numbers, b);
    else if (lu->inverted && lu->n == 1)
        *b = 0.0 + (0.0 + *b * *lu->f.scale) / *lu->f.pivot; /* as products do it */
    else if (lu->inverted)
        taut_small_solve(&lu->small, &lu->f, b);
    else if (lu->blocks > 1)
        solve_blocks(lu, b);
    else
        solve_one_block(lu, b);
}

/* By rows: by columns every entry would wait for what the last one has written. */
void taut_lu_take_product(const taut_lu *lu, const double *value, const double *x, double *b) {
    for (int i = 0; i < lu->n; i++) {
        double sum = b[i];
        for (int k = lu->row_start[i]; k < lu->row_start[i + 1]; k++)
            sum -= value[lu->row_number[k]] * x[lu->row_column[k]];
        b[i] = sum;
    }
}

typedef double four_lanes __attribute__((vector_size(32), aligned(8), may_alias));

/* sum less row i of a triangle times x. */
TAUT_INLINE void take_off_row(const taut_triangle *t, int i, const four_lanes *x, four_lanes *sum) {
    four_lanes low = sum[0], high = sum[1];
    for (int k = t->start[i]; k < t->start[i + 1]; k++) {
        const four_lanes *other = x + 2 * (ptrdiff_t)t->column[k];
        low -= t->value[k] * other[0];
        high -= t->value[k] * other[1];
    }
    sum[0] = low;
    sum[1] = high;
}

TAUT_ALL_PROCESSORS
static void solve_in_lanes(const taut_lu *lu, four_lanes *b, four_lanes *x) {
    for (int i = 0; i < lu->n; i++) {
        const four_lanes *from = b + 2 * (ptrdiff_t)lu->f.pivot_row[i];
        four_lanes sum[2] = {from[0] * lu->f.scale[i], from[1] * lu->f.scale[i]};
        take_off_row(&lu->f.lower, i, x, sum);
        x[2 * i] = sum[0];
        x[2 * i + 1] = sum[1];
    }
    for (int i = lu->n - 1; i >= 0; i--) {
        four_lanes sum[2] = {x[2 * i] / lu->f.pivot[i], x[2 * i + 1] / lu->f.pivot[i]};
        four_lanes *to = b + 2 * (ptrdiff_t)lu->f.pivot_column[i];
        take_off_row(&lu->f.upper, i, x, sum);
        to[0] = x[2 * i] = sum[0];
        to[1] = x[2 * i + 1] = sum[1];
    }
}

void taut_lu_solve_eight(const taut_lu *lu, double *b, double *work) {
    if (lu->blocks <= 1) solve_in_lanes(lu, (four_lanes *)b, (four_lanes *)work);
    for (int l = 0; l < TAUT_LU_LANES && lu->blocks > 1; l++) {
        for (int i = 0; i < lu->n; i++) work[i] = b[i * TAUT_LU_LANES + l];
        solve_blocks(lu, work);
        for (int i = 0; i < lu->n; i++) b[i * TAUT_LU_LANES + l] = work[i];
    }
}

static void solve_transposed(const taut_lu *lu, double *b) {
    const taut_triangle *L = &lu->f.lower, *U = &lu->f.upper, *F = &lu->beyond;
    double *x = lu->x;
    const bool blocks = lu->blocks > 1;
    for (int i = 0; i < lu->n; i++) x[i] = b[lu->f.pivot_column[i]];
    for (int block = 0; block < lu->blocks; block++) {
        const int first = lu->block[block], end = lu->block[block + 1];
        for (int i = first; i < end; i++)
            for (int k = U->start[i]; k < U->start[i + 1]; k++)
                x[U->column[k]] -= U->value[k] * x[i];
        for (int i = first; i < end; i++) x[i] /= lu->f.pivot[i];
        for (int i = end - 1; i >= first; i--) {
            for (int k = L->start[i]; k < L->start[i + 1]; k++)
                x[L->column[k]] -= L->value[k] * x[i];
            for (int k = F->start[i]; blocks && k < F->start[i + 1]; k++)
                x[F->column[k]] -= F->value[k] * x[i];
            b[lu->f.pivot_row[i]] = x[i] * lu->f.scale[i];
        }
    }
}

void taut_lu_solve_transposed(const taut_lu *lu, double *b) {
    if (lu->by_unrolled)
        lu->unrolled->solve_transposed(&lu->unrolled->numbers, b);
    else if (lu->inverted && lu->n > 1)
        taut_small_solve_transposed(&lu->small, &lu->f, b);
    else
        solve_transposed(lu, b);
}

double taut_lu_rcond(const taut_lu *lu) { return lu->rcond; }

const double *taut_lu_pivoted(const taut_lu *lu) { return lu->pivoted_value; }

void taut_lu_forget(taut_lu *lu) {
    lu->pivoted = false;
    lu->unrolled_rcond = 0.0;
}

bool taut_lu_choice(const taut_lu *lu, taut_choice *choice) {
    if (!lu->pivoted || !lu->is_small || lu->n == 0) return false;
    *choice = (taut_choice){&lu->f, &lu->entries, lu->pivoted_rcond, lu->choices, lu->rough};
    return true;
}

bool taut_lu_keeps(const taut_choice *choice, double rcond, double multiplier) {
    return multiplier <= (choice->rough ? LARGEST_ROUGH_MULTIPLIER : LARGEST_MULTIPLIER) &&
           rcond > (choice->rough ? ROUGH_REPIVOT : REPIVOT) * choice->rcond;
}

void taut_lu_unroll(taut_lu *lu, taut_unrolled *unrolled) {
    lu->unrolled = unrolled;
    lu->unrolled_rcond = 0.0;
    lu->by_unrolled = false;
}

const taut_unrolled_numbers *taut_lu_unrolled(const taut_lu *lu) {
    return lu->by_unrolled ? &lu->unrolled->numbers : NULL;
}

taut_status taut_lu_repivot(taut_lu *lu, const double *value) {
    lu->pivoted = false;
    return taut_lu_factor(lu, value);
}
