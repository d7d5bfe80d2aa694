/* LAPACK, one call a function. The only user of lapacke.h. */
#include "core/dense.h"

#include <lapacke.h>
#include <math.h>

#include "core/arena.h"

static int max_int(int a, int b) { return a > b ? a : b; }

taut_status taut_least_norm(int m, int n, double *a, double *b, double rcond, int *rank) {
    *rank = 0;
    if (m == 0 || n == 0) {
        for (int j = 0; j < n; j++) b[j] = 0.0;
        return TAUT_OK;
    }
    taut_arena arena = {0};
    lapack_int *pivot = TAUT_NEW_ARRAY(&arena, n, lapack_int), found = 0;
    taut_status status = TAUT_ERR_MEMORY;
    if (pivot) {
        lapack_int info =
            LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, n, 1, a, m, b, max_int(m, n), pivot, rcond, &found);
        if (info == 0)
            status = TAUT_OK;
        else if (info != LAPACK_WORK_MEMORY_ERROR)
            status = TAUT_ERR_NUMERICS; /* a NaN in A or b */
    }
    taut_arena_release(&arena);
    *rank = (int)found;
    return status;
}

/* R = [R1 R2; 0 ~0] of the pivoted matrix: the null vectors are (-R1^-1 R2 e_q, e_q). */
static void mark_dependent(int m, int n, const double *a, const lapack_int *pivot, int rank,
                           double *null, bool *dependent) {
    for (int q = rank; q < n; q++) {
        dependent[pivot[q] - 1] = true;
        for (int i = rank - 1; i >= 0; i--) {
            double z = -a[q * m + i];
            for (int k = i + 1; k < rank; k++) z -= a[k * m + i] * null[k];
            null[i] = z / a[i * m + i];
            if (fabs(null[i]) > 1e-9) dependent[pivot[i] - 1] = true;
        }
    }
}

taut_status taut_dependent_columns(int m, int n, double *a, double rcond, bool *dependent,
                                   int *rank) {
    *rank = 0;
    for (int j = 0; j < n; j++) dependent[j] = m == 0;
    if (m == 0 || n == 0) return TAUT_OK;
    taut_arena arena = {0};
    const int least = m < n ? m : n;
    lapack_int *pivot = TAUT_NEW_ARRAY(&arena, n, lapack_int);
    double *tau = TAUT_NEW_ARRAY(&arena, n, double); /* later: a null vector */
    taut_status status = TAUT_ERR_MEMORY;
    if (pivot && tau) {
        lapack_int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, n, a, m, pivot, tau);
        if (info == 0) {
            status = TAUT_OK;
            const double largest = fabs(a[0]);
            while (*rank < least && fabs(a[*rank * (m + 1)]) > rcond * largest) ++*rank;
            mark_dependent(m, n, a, pivot, *rank, tau, dependent);
        } else if (info != LAPACK_WORK_MEMORY_ERROR) {
            status = TAUT_ERR_NUMERICS; /* a NaN in A */
        }
    }
    taut_arena_release(&arena);
    return status;
}
