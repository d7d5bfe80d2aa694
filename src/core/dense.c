/* LAPACK, one call a function. The only user of lapacke.h. Few mechanisms need it, and its
 * libraries take longer to load than many a simulation, so it is loaded when it is first called. */
#include "core/dense.h"

#include <lapacke.h>
#include <math.h>
#include <pthread.h>

#include "core/arena.h"
#include "core/load.h"

/* OpenBLAS's own, in none of the headers of LAPACK; another BLAS does not have it. */
extern void openblas_set_num_threads(int count);

#define FUNCTIONS(X)                                                                               \
    X(LAPACKE_dgelsy)                                                                              \
    X(LAPACKE_dgeqp3)                                                                              \
    X(LAPACKE_dgeqrf)                                                                              \
    X(LAPACKE_dgesv)                                                                               \
    X(LAPACKE_dgesvd)                                                                              \
    X(LAPACKE_dormqr)                                                                              \
    X(LAPACKE_dsyev)
#define WANTED(f) {.name = #f, .pointer = &lapack.f},

static struct {
    FUNCTIONS(TAUT_LIBRARY_MEMBER)
    TAUT_LIBRARY_MEMBER(openblas_set_num_threads)
} lapack;

static taut_status loaded = TAUT_ERR_IO;

/* More threads would make sums depend on their number, and simulations in several threads wait for
 * each other. */
static void load_lapack(void) {
    static const taut_wanted wanted[] = {
        FUNCTIONS(WANTED){.name = "openblas_set_num_threads",
                          .pointer = &lapack.openblas_set_num_threads,
                          .optional = true}};
    static taut_library library = {TAUT_LAPACKE_FILE, wanted, TAUT_LIBRARY_COUNT(wanted), false};
    loaded = taut_library_load(&library, NULL);
    if (lapack.openblas_set_num_threads) lapack.openblas_set_num_threads(1);
}

static taut_status prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_lapack);
    return loaded;
}

void taut_blas_prepare(void) { prepare(); }

static int max_int(int a, int b) { return a > b ? a : b; }

taut_status taut_least_norm(int m, int n, double *a, double *b, double rcond, int *rank) {
    *rank = 0;
    if (m == 0 || n == 0) {
        for (int j = 0; j < n; j++) b[j] = 0.0;
        return TAUT_OK;
    }
    taut_arena arena = {0};
    lapack_int *pivot = TAUT_NEW_ARRAY(&arena, n, lapack_int), found = 0;
    taut_status status = pivot ? prepare() : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        lapack_int info = lapack.LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, n, 1, a, m, b, max_int(m, n),
                                                pivot, rcond, &found);
        if (info != 0) /* a NaN in A or b */
            status = info == LAPACK_WORK_MEMORY_ERROR ? TAUT_ERR_MEMORY : TAUT_ERR_NUMERICS;
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

/* Factors A in place; pivot (n) and tau (n) come from the caller's arena. */
static taut_status pivoted_qr(int m, int n, double *a, double rcond, lapack_int *pivot, double *tau,
                              int *rank) {
    const int least = m < n ? m : n;
    *rank = 0;
    if (!pivot || !tau) return TAUT_ERR_MEMORY;
    TAUT_TRY(prepare());
    for (int j = 0; j < n; j++) pivot[j] = 0;
    lapack_int info = lapack.LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, n, a, m, pivot, tau);
    if (info == LAPACK_WORK_MEMORY_ERROR) return TAUT_ERR_MEMORY;
    if (info != 0) return TAUT_ERR_NUMERICS; /* a NaN in A */
    const double largest = fabs(a[0]);
    while (*rank < least && fabs(a[*rank * (m + 1)]) > rcond * largest) ++*rank;
    return TAUT_OK;
}

/* The null vector of the pivoted column q >= rank, in the order of the columns. */
static void null_vector(int m, int n, const double *a, const lapack_int *pivot, int rank, int q,
                        double *z) {
    for (int j = 0; j < n; j++) z[j] = 0.0;
    z[pivot[q] - 1] = 1.0;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = -a[(size_t)q * (size_t)m + (size_t)i];
        for (int k = i + 1; k < rank; k++)
            sum -= a[(size_t)k * (size_t)m + (size_t)i] * z[pivot[k] - 1];
        z[pivot[i] - 1] = sum / a[(size_t)i * (size_t)(m + 1)];
    }
}

/* Takes the part along the unit vector z out of v. */
static void remove_part(int n, const double *z, double *v) {
    double dot = 0.0;
    for (int j = 0; j < n; j++) dot += z[j] * v[j];
    for (int j = 0; j < n; j++) v[j] -= dot * z[j];
}

/* From the factors: one solution, the null vectors made orthonormal, and their parts taken out. */
static taut_status solve_factored(int m, int n, double *a, double *b, const lapack_int *pivot,
                                  const double *tau, int rank, double *x, double *null) {
    const int reflectors = m < n ? m : n;
    for (int j = 0; j < n; j++) x[j] = 0.0;
    const lapack_int info =
        lapack.LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', m, 1, reflectors, a, m, tau, b, m);
    if (info != 0) /* a NaN in b */
        return info == LAPACK_WORK_MEMORY_ERROR ? TAUT_ERR_MEMORY : TAUT_ERR_NUMERICS;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = b[i];
        for (int k = i + 1; k < rank; k++)
            sum -= a[(size_t)k * (size_t)m + (size_t)i] * x[pivot[k] - 1];
        x[pivot[i] - 1] = sum / a[(size_t)i * (size_t)(m + 1)];
    }
    for (int q = rank; q < n; q++) {
        double *z = null + (size_t)(q - rank) * (size_t)n, square = 0.0;
        null_vector(m, n, a, pivot, rank, q, z);
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < q - rank; k++) remove_part(n, null + (size_t)k * (size_t)n, z);
        for (int j = 0; j < n; j++) square += z[j] * z[j];
        for (int j = 0; j < n; j++) z[j] /= sqrt(square);
        remove_part(n, z, x);
    }
    return TAUT_OK;
}

taut_status taut_least_norm_null(int m, int n, double *a, double *b, double rcond, double *x,
                                 double *null, int *rank) {
    taut_arena arena = {0};
    *rank = 0;
    for (int j = 0; j < n && m == 0; j++) { /* nothing is asked of x */
        x[j] = 0.0;
        for (int k = 0; k < n; k++) null[(size_t)j * (size_t)n + (size_t)k] = j == k ? 1.0 : 0.0;
    }
    if (m == 0 || n == 0) return TAUT_OK;
    lapack_int *pivot = TAUT_NEW_ARRAY(&arena, n, lapack_int);
    double *tau = TAUT_NEW_ARRAY(&arena, n, double);
    taut_status status = pivoted_qr(m, n, a, rcond, pivot, tau, rank);
    if (status == TAUT_OK) status = solve_factored(m, n, a, b, pivot, tau, *rank, x, null);
    taut_arena_release(&arena);
    return status;
}

taut_status taut_dependent_columns(int m, int n, double *a, double rcond, bool *dependent,
                                   int *rank) {
    taut_arena arena = {0};
    *rank = 0;
    for (int j = 0; j < n; j++) dependent[j] = m == 0;
    if (m == 0 || n == 0) return TAUT_OK;
    lapack_int *pivot = TAUT_NEW_ARRAY(&arena, n, lapack_int);
    double *tau = TAUT_NEW_ARRAY(&arena, n, double); /* later: a null vector */
    taut_status status = pivoted_qr(m, n, a, rcond, pivot, tau, rank);
    if (status == TAUT_OK) mark_dependent(m, n, a, pivot, *rank, tau, dependent);
    taut_arena_release(&arena);
    return status;
}

taut_status taut_pivoted_columns(int m, int n, double *a, double rcond, int *order, int *rank) {
    taut_arena arena = {0};
    *rank = 0;
    for (int j = 0; j < n; j++) order[j] = j;
    if (m == 0 || n == 0) return TAUT_OK;
    lapack_int *pivot = TAUT_NEW_ARRAY(&arena, n, lapack_int);
    double *tau = TAUT_NEW_ARRAY(&arena, n, double);
    taut_status status = pivoted_qr(m, n, a, rcond, pivot, tau, rank);
    for (int j = 0; j < n && status == TAUT_OK; j++) order[j] = (int)pivot[j] - 1;
    taut_arena_release(&arena);
    return status;
}

taut_status taut_dense_solve(int n, int sides, double *a, double *b, int *pivot) {
    _Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are passed on as they are");
    for (int k = 0; n == 1 && k < sides; k++) b[k] /= a[0];
    if (n == 1) return a[0] != 0.0 ? TAUT_OK : TAUT_SINGULAR;
    if (n == 0 || sides == 0) return TAUT_OK;
    TAUT_TRY(prepare());
    const lapack_int info = lapack.LAPACKE_dgesv(LAPACK_COL_MAJOR, n, sides, a, n, pivot, b, n);
    if (info > 0) return TAUT_SINGULAR;
    return info == 0 ? TAUT_OK : TAUT_ERR_NUMERICS; /* a NaN */
}

/* ---- null spaces ---- */

static taut_status answer(lapack_int info) {
    if (info == 0) return TAUT_OK;
    return info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR
               ? TAUT_ERR_MEMORY
               : TAUT_ERR_NUMERICS;
}

/* The last columns of Q: Q times the last columns of the unit matrix. */
static taut_status null_by_qr(int m, int n, double *a, double *q, double *tau) {
    TAUT_TRY(answer(lapack.LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, m, a, n, tau)));
    for (int k = 0; k < n - m; k++) q[(size_t)k * (size_t)n + (size_t)(m + k)] = 1.0;
    return answer(lapack.LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', n, n - m, m, a, n, tau, q, n));
}

/* The left singular vectors beyond the m-th; `all` has room for n x n. */
static taut_status null_by_svd(int m, int n, double *a, double *q, double *all, double *sigma) {
    double none = 0.0;
    TAUT_TRY(answer(lapack.LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', n, m, a, n, sigma, all, n,
                                          &none, 1, sigma + m)));
    for (int k = 0; k < (n - m) * n; k++) q[k] = all[m * n + k];
    return TAUT_OK;
}

/* The eigenvectors of the n - m smallest eigenvalues, which are 0. */
static taut_status null_by_eig(int m, int n, const double *a, double *q, double *all,
                               double *lambda) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < m; k++) sum += a[k * n + i] * a[k * n + j];
            all[j * n + i] = sum;
        }
    TAUT_TRY(answer(lapack.LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, all, n, lambda)));
    for (int k = 0; k < (n - m) * n; k++) q[k] = all[k];
    return TAUT_OK;
}

taut_status taut_null_basis(taut_null_method method, int m, int n, double *a, double *basis) {
    taut_arena arena = {0};
    const int dim = n - m;
    if (dim <= 0) return TAUT_OK;
    TAUT_TRY(prepare());
    double *q = TAUT_NEW_ARRAY(&arena, n * dim, double); /* by columns */
    double *all = method == TAUT_NULL_QR ? q : TAUT_NEW_ARRAY(&arena, n * n, double);
    double *work = TAUT_NEW_ARRAY(&arena, 2 * n, double);
    taut_status status = q && all && work ? TAUT_OK : TAUT_ERR_MEMORY;
    if (status == TAUT_OK && m == 0)
        for (int k = 0; k < n; k++) q[k * n + k] = 1.0;
    else if (status == TAUT_OK && method == TAUT_NULL_QR)
        status = null_by_qr(m, n, a, q, work);
    else if (status == TAUT_OK && method == TAUT_NULL_SVD)
        status = null_by_svd(m, n, a, q, all, work);
    else if (status == TAUT_OK)
        status = null_by_eig(m, n, a, q, all, work);
    for (int i = 0; i < n && status == TAUT_OK; i++)
        for (int k = 0; k < dim; k++) basis[i * dim + k] = q[k * n + i];
    taut_arena_release(&arena);
    return status;
}
