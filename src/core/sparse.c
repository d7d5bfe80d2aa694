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

/* Pivots this much smaller than the largest one count as zero, or, in a lopsided matrix, than the
 * largest entry of their columns: these may be of very different sizes. */
static const double SINGULAR_PIVOT = 1e-15;
/* The pivots are those of an older matrix: new ones are taken when the condition got this much
 * worse, or when a multiplier is this large. */
static const double REPIVOT = 1e-3;
static const double LARGEST_MULTIPLIER = 100.0;
/* KLU keeps a diagonal pivot down to this fraction of its column: its own 1e-3 saves a little fill
 * and may lose eight digits, 0.1 loses hardly more than one. */
static const double PIVOT_TOLERANCE = 0.1;

/* The orderings of KLU. */
enum { AMD = 0, COLAMD = 1 };

/* A triangular factor by rows, without its diagonal; columns ascend. */
typedef struct triangle {
    int *start; /* [n+1] */
    int *column;
    double *value;
} triangle;

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
    double rcond;

    taut_arena chosen; /* what the choice of pivots has made: */
    bool pivoted;      /* there is a choice */
    double pivoted_rcond;
    int *pivot_row, *pivot_column; /* [n] of the k-th pivot */
    int *position;                 /* [n] of a column among the pivots */
    triangle lower, upper;         /* both with ones on their diagonals ... */
    double *pivot;                 /* [n] ... and this between them */
    double *scale;   /* [n] of the pivots' rows: a power of 2, so that scaling costs no bit */
    int blocks;      /* on the diagonal, each with triangles of its own; below them is nothing, */
    int *block;      /* [blocks+1] here they begin, */
    triangle beyond; /* and right of them the matrix stands as it is, rows scaled */
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

static taut_status analyse(taut_lu *lu) {
    const bool lopsided = lu->lopsided;
    if (lu->n == 0) return TAUT_OK;
    klu_defaults(&lu->common);
    lu->common.scale = 2; /* rows by their largest entry */
    lu->common.tol = lopsided ? 1.0 : PIVOT_TOLERANCE;
    lu->common.ordering = lopsided ? COLAMD : AMD;
    lu->common.btf = lopsided; /* otherwise one block: less fill in saddle-point matrices */
    lu->symbolic = klu_analyze(lu->n, lu->start, lu->row, &lu->common);
    if (lu->symbolic) return TAUT_OK;
    return lu->common.status == KLU_SINGULAR ? TAUT_SINGULAR : TAUT_ERR_MEMORY;
}

static taut_status create(int n, const int *start, const int *row, bool lopsided,
                          taut_lu **result) {
    taut_lu *lu = NULL;
    size_t room = 0;
    *result = NULL;
    if (taut_grow((void **)&lu, &room, 1, sizeof *lu)) return TAUT_ERR_MEMORY;
    memset(lu, 0, sizeof *lu);
    lu->n = n;
    lu->lopsided = lopsided;
    lu->start = TAUT_NEW_ARRAY(&lu->arena, n + 1, int);
    lu->row = TAUT_NEW_ARRAY(&lu->arena, start[n], int);
    lu->work = TAUT_NEW_ARRAY(&lu->arena, n, double);
    lu->x = TAUT_NEW_ARRAY(&lu->arena, n, double);
    lu->column_size = TAUT_NEW_ARRAY(&lu->arena, lopsided ? n : 0, double);
    taut_status status =
        lu->start && lu->row && lu->work && lu->x && lu->column_size ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        memcpy(lu->start, start, (size_t)(n + 1) * sizeof *start);
        if (start[n]) memcpy(lu->row, row, (size_t)start[n] * sizeof *row);
        status = list_rows(lu);
    }
    if (status == TAUT_OK) status = analyse(lu);
    if (status == TAUT_OK)
        *result = lu;
    else
        taut_lu_free(&lu);
    return status;
}

taut_status taut_lu_create(int n, const int *start, const int *row, taut_lu **result) {
    return create(n, start, row, false, result);
}

taut_status taut_lu_create_lopsided(int n, const int *start, const int *row, taut_lu **result) {
    return create(n, start, row, true, result);
}

void taut_lu_free(taut_lu **result) {
    taut_lu *lu = *result;
    if (!lu) return;
    if (lu->symbolic) klu_free_symbolic(&lu->symbolic, &lu->common);
    taut_arena_release(&lu->chosen);
    taut_arena_release(&lu->arena);
    taut_release((void **)result);
}

/* ---- the choice of pivots ---- */

/* A triangle by rows from its pattern by columns, diagonal left out. */
static taut_status by_rows(taut_lu *lu, const int *start, const int *row, triangle *t) {
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
    lu->pivot_row = TAUT_NEW_ARRAY(&lu->chosen, n, int);
    lu->pivot_column = TAUT_NEW_ARRAY(&lu->chosen, n, int);
    lu->position = TAUT_NEW_ARRAY(&lu->chosen, n, int);
    lu->pivot = TAUT_NEW_ARRAY(&lu->chosen, n, double);
    lu->scale = TAUT_NEW_ARRAY(&lu->chosen, n, double);
    lu->blocks = numeric->nblocks;
    lu->block = TAUT_NEW_ARRAY(&lu->chosen, lu->blocks + 1, int);
    taut_status status = TAUT_ERR_MEMORY;
    if (lower_start && upper_start && lower_row && upper_row && beyond_start && beyond_row &&
        unused && lu->pivot_row && lu->pivot_column && lu->position && lu->pivot && lu->scale &&
        lu->block &&
        klu_extract(numeric, lu->symbolic, lower_start, lower_row, unused, upper_start, upper_row,
                    unused + numeric->lnz, beyond_start, beyond_row,
                    unused + numeric->lnz + numeric->unz, lu->pivot_row, lu->pivot_column, NULL,
                    lu->block, &lu->common)) {
        for (int k = 0; k < n; k++) lu->position[lu->pivot_column[k]] = k;
        status = by_rows(lu, lower_start, lower_row, &lu->lower);
        if (status == TAUT_OK) status = by_rows(lu, upper_start, upper_row, &lu->upper);
        if (status == TAUT_OK) status = by_rows(lu, beyond_start, beyond_row, &lu->beyond);
    }
    taut_arena_release(&scratch);
    return status;
}

static taut_status choose_pivots(taut_lu *lu, const double *value) {
    double *v = (double *)(uintptr_t)value; /* KLU reads it only */
    lu->pivoted = false;
    taut_arena_release(&lu->chosen);
    klu_numeric *numeric = klu_factor(lu->start, lu->row, v, lu->symbolic, &lu->common);
    if (!numeric) return lu->common.status == KLU_OUT_OF_MEMORY ? TAUT_ERR_MEMORY : TAUT_SINGULAR;
    taut_status status = TAUT_SINGULAR; /* half done: nothing to take */
    if (lu->common.status != KLU_SINGULAR) status = take_pivots(lu, numeric);
    klu_free_numeric(&numeric, &lu->common);
    lu->pivoted = status == TAUT_OK;
    return status;
}

/* ---- elimination ---- */

/* The largest entry of row `row` in its block, which ends before the pivot `beyond`; scaled to be
 * between 0.5 and 1, or 0. */
static inline double size_row(const taut_lu *lu, const double *value, int row, int beyond,
                              double *scale) {
    double largest = 0.0;
    const int end = lu->row_start[row + 1];
    for (int k = lu->row_start[row]; k < end; k++) {
        const double size = fabs(value[lu->row_number[k]]);
        if (size > largest && (beyond == lu->n || lu->position[lu->row_column[k]] < beyond))
            largest = size;
    }
    int exponent;
    largest = frexp(largest, &exponent);
    *scale = ldexp(1.0, -exponent);
    return largest;
}

/* Puts row `row` of the matrix, scaled, into work[], by pivots. */
static void load_row(taut_lu *lu, const double *value, int row, double scale) {
    const int end = lu->row_start[row + 1];
    for (int k = lu->row_start[row]; k < end; k++)
        lu->work[lu->position[lu->row_column[k]]] = value[lu->row_number[k]] * scale;
}

static void size_columns(taut_lu *lu, const double *value) {
    memset(lu->column_size, 0, (size_t)lu->n * sizeof *lu->column_size);
    for (int i = 0, block = 0, beyond = 0; i < lu->n; i++) {
        if (i == beyond) beyond = lu->block[++block];
        const int row = lu->pivot_row[i];
        double scale;
        size_row(lu, value, row, beyond, &scale);
        for (int k = lu->row_start[row]; k < lu->row_start[row + 1]; k++) {
            const int j = lu->position[lu->row_column[k]];
            const double size = fabs(value[lu->row_number[k]]) * scale;
            if (j < beyond && size > lu->column_size[j]) lu->column_size[j] = size;
        }
    }
}

/* Takes what is right of the blocks out of work[]. */
static void unload_beyond(taut_lu *lu, int i) {
    const triangle *F = &lu->beyond;
    for (int m = F->start[i]; m < F->start[i + 1]; m++) {
        F->value[m] = lu->work[F->column[m]];
        lu->work[F->column[m]] = 0.0;
    }
}

/* Row by row with the chosen pivots. False: they do not suit this matrix. */
static bool eliminate(taut_lu *lu, const double *value) {
    const triangle *L = &lu->lower, *U = &lu->upper;
    double *work = lu->work, smallest = INFINITY, greatest = 0.0, multiplier = 0.0;
    const bool blocks = lu->blocks > 1;
    if (lu->lopsided) size_columns(lu, value);
    for (int i = 0, block = 0, beyond = 0; i < lu->n; i++) {
        if (i == beyond) beyond = lu->block[++block];
        const double largest = size_row(lu, value, lu->pivot_row[i], beyond, &lu->scale[i]);
        load_row(lu, value, lu->pivot_row[i], lu->scale[i]);
        if (blocks) unload_beyond(lu, i);
        for (int k = L->start[i]; k < L->start[i + 1]; k++) {
            const int j = L->column[k];
            const double left = work[j], l = left / lu->pivot[j];
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
        lu->pivot[i] = work[i];
        work[i] = 0.0;
        if (pivot < smallest) smallest = pivot;
        if (pivot > greatest) greatest = lu->lopsided ? 1.0 : pivot;
        if (!(pivot > SINGULAR_PIVOT * greatest)) return false;
    }
    lu->rcond = fmin(smallest / greatest, 1.0);
    return multiplier <= LARGEST_MULTIPLIER;
}

taut_status taut_lu_factor(taut_lu *lu, const double *value) {
    lu->rcond = lu->n ? 0.0 : 1.0;
    for (int k = 0; k < lu->start[lu->n]; k++)
        if (!isfinite(value[k])) return TAUT_SINGULAR;
    if (lu->n == 0) return TAUT_OK;
    if (lu->pivoted && eliminate(lu, value) && lu->rcond > REPIVOT * lu->pivoted_rcond)
        return TAUT_OK;
    lu->rcond = 0.0; /* of the pivots that are given up */
    TAUT_TRY(choose_pivots(lu, value));
    eliminate(lu, value); /* a multiplier may be large where there is no better one */
    lu->pivoted_rcond = lu->rcond;
    return lu->rcond > SINGULAR_PIVOT ? TAUT_OK : TAUT_SINGULAR;
}

/* ---- solving ---- */

/* The divisions stand between the triangles: there they do not wait for each other. */
static void solve_one_block(const taut_lu *lu, double *b) {
    const triangle *L = &lu->lower, *U = &lu->upper;
    double *x = lu->x;
    for (int i = 0; i < lu->n; i++) {
        double sum = b[lu->pivot_row[i]] * lu->scale[i];
        for (int k = L->start[i]; k < L->start[i + 1]; k++) sum -= L->value[k] * x[L->column[k]];
        x[i] = sum;
    }
    for (int i = 0; i < lu->n; i++) x[i] /= lu->pivot[i];
    for (int i = lu->n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int k = U->start[i + 1] - 1; k >= U->start[i]; k--)
            sum -= U->value[k] * x[U->column[k]]; /* the one that was found last comes last */
        x[i] = sum;
        b[lu->pivot_column[i]] = sum;
    }
}

/* The last block first: those before need its solution. */
static void solve_blocks(const taut_lu *lu, double *b) {
    const triangle *L = &lu->lower, *U = &lu->upper, *F = &lu->beyond;
    double *x = lu->x;
    for (int i = 0; i < lu->n; i++) x[i] = b[lu->pivot_row[i]] * lu->scale[i];
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
        for (int i = first; i < end; i++) x[i] /= lu->pivot[i];
        for (int i = end - 1; i >= first; i--) {
            double sum = x[i];
            for (int k = U->start[i + 1] - 1; k >= U->start[i]; k--)
                sum -= U->value[k] * x[U->column[k]];
            x[i] = sum;
        }
    }
    for (int i = 0; i < lu->n; i++) b[lu->pivot_column[i]] = x[i];
}

void taut_lu_solve(const taut_lu *lu, double *b) {
    if (lu->blocks > 1)
        solve_blocks(lu, b);
    else
        solve_one_block(lu, b);
}

void taut_lu_solve_transposed(const taut_lu *lu, double *b) {
    const triangle *L = &lu->lower, *U = &lu->upper, *F = &lu->beyond;
    double *x = lu->x;
    const bool blocks = lu->blocks > 1;
    for (int i = 0; i < lu->n; i++) x[i] = b[lu->pivot_column[i]];
    for (int block = 0; block < lu->blocks; block++) {
        const int first = lu->block[block], end = lu->block[block + 1];
        for (int i = first; i < end; i++)
            for (int k = U->start[i]; k < U->start[i + 1]; k++)
                x[U->column[k]] -= U->value[k] * x[i];
        for (int i = first; i < end; i++) x[i] /= lu->pivot[i];
        for (int i = end - 1; i >= first; i--) {
            for (int k = L->start[i]; k < L->start[i + 1]; k++)
                x[L->column[k]] -= L->value[k] * x[i];
            for (int k = F->start[i]; blocks && k < F->start[i + 1]; k++)
                x[F->column[k]] -= F->value[k] * x[i];
            b[lu->pivot_row[i]] = x[i] * lu->scale[i];
        }
    }
}

double taut_lu_rcond(const taut_lu *lu) { return lu->rcond; }
