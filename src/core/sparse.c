/* LU factors: a small dense code below SMALL unknowns, KLU above. The only user of klu.h. */
#include "core/sparse.h"

#include <klu.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/arena.h"

/* Below this size a dense factorisation beats the bookkeeping of a sparse one. */
enum { SMALL = 24 };
/* Pivots this much smaller than the largest one count as zero. */
static const double SINGULAR_PIVOT = 1e-15;
/* A refactorisation keeps old pivots: take new ones when the condition got this much worse. */
static const double REPIVOT = 1e-3;
/* KLU keeps a diagonal pivot down to this fraction of its column: its own 1e-3 saves a little fill
 * and may lose eight digits, 0.1 loses hardly more than one. */
static const double PIVOT_TOLERANCE = 0.1;

struct taut_lu {
    taut_arena arena;
    int n;
    int *start, *row;
    double rcond;
    /* dense */
    double *a;     /* (n x n) by rows: the factors */
    int *pivot;    /* [n] */
    double *scale; /* [n] row scaling */
    /* KLU */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double pivoted_rcond; /* just after the pivots were chosen */
};

static taut_status create_dense(taut_lu *lu) {
    lu->a = TAUT_NEW_ARRAY(&lu->arena, lu->n * lu->n, double);
    lu->pivot = TAUT_NEW_ARRAY(&lu->arena, lu->n, int);
    lu->scale = TAUT_NEW_ARRAY(&lu->arena, lu->n, double);
    return lu->a && lu->pivot && lu->scale ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status create_klu(taut_lu *lu) {
    klu_defaults(&lu->common);
    lu->common.scale = 2; /* rows by their largest entry */
    lu->common.tol = PIVOT_TOLERANCE;
    lu->symbolic = klu_analyze(lu->n, lu->start, lu->row, &lu->common);
    if (lu->symbolic) return TAUT_OK;
    return lu->common.status == KLU_SINGULAR ? TAUT_SINGULAR : TAUT_ERR_MEMORY;
}

taut_status taut_lu_create(int n, const int *start, const int *row, taut_lu **result) {
    taut_lu *lu = NULL;
    size_t room = 0;
    *result = NULL;
    if (taut_grow((void **)&lu, &room, 1, sizeof *lu)) return TAUT_ERR_MEMORY;
    memset(lu, 0, sizeof *lu);
    lu->n = n;
    lu->start = TAUT_NEW_ARRAY(&lu->arena, n + 1, int);
    lu->row = TAUT_NEW_ARRAY(&lu->arena, start[n], int);
    taut_status status = lu->start && lu->row ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        memcpy(lu->start, start, (size_t)(n + 1) * sizeof *start);
        if (start[n]) memcpy(lu->row, row, (size_t)start[n] * sizeof *row);
        status = n < SMALL ? create_dense(lu) : create_klu(lu);
    }
    if (status == TAUT_OK)
        *result = lu;
    else
        taut_lu_free(&lu);
    return status;
}

void taut_lu_free(taut_lu **result) {
    taut_lu *lu = *result;
    if (!lu) return;
    if (lu->numeric) klu_free_numeric(&lu->numeric, &lu->common);
    if (lu->symbolic) klu_free_symbolic(&lu->symbolic, &lu->common);
    taut_arena_release(&lu->arena);
    taut_release((void **)result);
}

/* ---- dense: row elimination with scaled partial pivoting ---- */

static taut_status factor_dense(taut_lu *lu, const double *value) {
    const int n = lu->n;
    double *a = lu->a;
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int j = 0; j < n; j++)
        for (int k = lu->start[j]; k < lu->start[j + 1]; k++) a[lu->row[k] * n + j] = value[k];
    for (int i = 0; i < n; i++) {
        double largest = 0.0;
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(a[i * n + j]));
        if (!(largest > 0.0)) return TAUT_SINGULAR;
        lu->scale[i] = 1.0 / largest;
        for (int j = 0; j < n; j++) a[i * n + j] *= lu->scale[i];
    }
    double smallest = INFINITY, greatest = 0.0;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        lu->pivot[k] = p;
        const double pivot = fabs(a[p * n + k]);
        smallest = fmin(smallest, pivot);
        greatest = fmax(greatest, pivot);
        if (!(pivot > SINGULAR_PIVOT * greatest)) return TAUT_SINGULAR;
        if (p != k)
            for (int j = 0; j < n; j++) {
                double swap = a[k * n + j];
                a[k * n + j] = a[p * n + j];
                a[p * n + j] = swap;
            }
        for (int i = k + 1; i < n; i++) {
            if (a[i * n + k] == 0.0) continue;
            const double l = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= l * a[k * n + j];
        }
    }
    lu->rcond = n ? smallest / greatest : 1.0;
    return TAUT_OK;
}

static void solve_dense(const taut_lu *lu, double *b) {
    const int n = lu->n;
    const double *a = lu->a;
    for (int i = 0; i < n; i++) b[i] *= lu->scale[i];
    for (int k = 0; k < n; k++) {
        const int p = lu->pivot[k];
        const double swap = b[k];
        b[k] = b[p];
        b[p] = swap;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) b[i] -= a[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
}

static void solve_dense_transposed(const taut_lu *lu, double *b) {
    const int n = lu->n;
    const double *a = lu->a;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) b[i] -= a[j * n + i] * b[j];
        b[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) b[i] -= a[j * n + i] * b[j];
    for (int k = n - 1; k >= 0; k--) {
        const int p = lu->pivot[k];
        const double swap = b[k];
        b[k] = b[p];
        b[p] = swap;
    }
    for (int i = 0; i < n; i++) b[i] *= lu->scale[i];
}

/* ---- KLU ---- */

static taut_status factor_klu(taut_lu *lu, const double *value) {
    double *v = (double *)(uintptr_t)value; /* KLU reads it only */
    if (lu->numeric) {
        if (klu_refactor(lu->start, lu->row, v, lu->symbolic, lu->numeric, &lu->common) &&
            lu->common.status == KLU_OK && klu_rcond(lu->symbolic, lu->numeric, &lu->common)) {
            lu->rcond = lu->common.rcond;
            if (lu->rcond > REPIVOT * lu->pivoted_rcond) return TAUT_OK;
        }
        klu_free_numeric(&lu->numeric, &lu->common);
    }
    lu->rcond = 0.0; /* of the pivots that were given up */
    lu->numeric = klu_factor(lu->start, lu->row, v, lu->symbolic, &lu->common);
    if (!lu->numeric)
        return lu->common.status == KLU_OUT_OF_MEMORY ? TAUT_ERR_MEMORY : TAUT_SINGULAR;
    if (lu->common.status == KLU_SINGULAR) { /* half done: nothing to refactor */
        klu_free_numeric(&lu->numeric, &lu->common);
        return TAUT_SINGULAR;
    }
    klu_rcond(lu->symbolic, lu->numeric, &lu->common);
    lu->rcond = lu->pivoted_rcond = lu->common.rcond;
    return lu->rcond > SINGULAR_PIVOT ? TAUT_OK : TAUT_SINGULAR;
}

taut_status taut_lu_factor(taut_lu *lu, const double *value) {
    lu->rcond = 0.0;
    for (int k = 0; k < lu->start[lu->n]; k++)
        if (!isfinite(value[k])) return TAUT_SINGULAR;
    return lu->symbolic ? factor_klu(lu, value) : factor_dense(lu, value);
}

/* KLU's solve wants the common block for its status and its work space. */
void taut_lu_solve(const taut_lu *lu, double *b) {
    if (lu->symbolic)
        klu_solve(lu->symbolic, lu->numeric, lu->n, 1, b, (klu_common *)(uintptr_t)&lu->common);
    else
        solve_dense(lu, b);
}

void taut_lu_solve_transposed(const taut_lu *lu, double *b) {
    if (lu->symbolic)
        klu_tsolve(lu->symbolic, lu->numeric, lu->n, 1, b, (klu_common *)(uintptr_t)&lu->common);
    else
        solve_dense_transposed(lu, b);
}

double taut_lu_rcond(const taut_lu *lu) { return lu->rcond; }
