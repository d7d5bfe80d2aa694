/* Small matrices by core/reflections, others by LAPACK, of which this is the only user. Few
 * mechanisms need it, and its libraries take longer to load than many a simulation, so it is loaded
 * when it is first called. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "core/dense.h"

#include <lapacke.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "core/arena.h"
#include "core/library.h"
#include "core/reflections.h"

/* OpenBLAS's own, in none of the headers of LAPACK; another BLAS does not have it. */
extern void openblas_set_num_threads(int count);

#define FUNCTIONS(X)                                                                               \
    X(LAPACKE_dgebal)                                                                              \
    X(LAPACKE_dgeevx)                                                                              \
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

static taut_status loaded = TAUT_ERR_LIBRARY;

static const size_t ROOM = (size_t)224 << 20; /* of OpenBLAS 0.3, one thread, with gfortran */

/* OpenBLAS asks for its buffer again and again if there is no room for it, without end: so the room
 * for buffer and libraries is tried first. Nothing is touched. */
static bool has_room(void) {
    void *room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, ROOM);
    return true;
}

/* More threads would make sums depend on their number, and simulations in several threads wait for
 * each other. */
static void load_lapack(void) {
    static const taut_wanted wanted[] = {
        FUNCTIONS(WANTED){.name = "openblas_set_num_threads",
                          .pointer = &lapack.openblas_set_num_threads,
                          .optional = true}};
    static taut_library library = {TAUT_LAPACKE_FILE, wanted, TAUT_LIBRARY_COUNT(wanted),
                                   "liblapacke", false};
    if (!has_room()) {
        loaded = TAUT_ERR_MEMORY;
        return;
    }
    loaded = taut_library_load(&library, NULL);
    if (lapack.openblas_set_num_threads) lapack.openblas_set_num_threads(1);
}

static taut_status prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_lapack);
#ifdef __wasm__ /* called only for what our own routines cannot cope with, such as a NaN */
    return TAUT_ERR_NUMERICS;
#endif
    return loaded;
}

taut_status taut_blas_prepare(void) { return prepare(); }

static int max_int(int a, int b) { return a > b ? a : b; }
static int min_int(int a, int b) { return a < b ? a : b; }

static taut_status answer(lapack_int info) {
    if (info == 0) return TAUT_OK;
    return info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR
               ? TAUT_ERR_MEMORY
               : TAUT_ERR_NUMERICS; /* a NaN in what was given */
}

/* ---- what is small ---- */

#ifdef __wasm__ /* there is no LAPACK */
static const double MOST_WORK = HUGE_VAL;
#else
static const double MOST_WORK = 64.0 * 64.0 * 64.0; /* beyond, LAPACK is faster, once it is there */
#endif
static const double MOST = 1e100; /* of entries, whose squares are needed */

/* How large the entries are: |a| <= MOST for each, or infinity. */
static double size(int m, int n, const double *a) {
    const size_t count = (size_t)m * (size_t)n;
    double largest = 0.0;
    for (size_t k = 0; k < count; k++) {
        if (!(fabs(a[k]) <= MOST)) return HUGE_VAL;
        largest = fmax(largest, fabs(a[k]));
    }
    return largest;
}

/* A matrix for our own routines. What they cannot cope with is left to LAPACK, for it to refuse. */
static bool is_small(int m, int n, const double *a) {
    if ((double)m * n * min_int(m, n) > MOST_WORK) return false;
    const double largest = size(m, n, a);
    return largest <= MOST && (largest >= 1.0 / MOST || largest == 0.0);
}

/* ---- least norm and rank ---- */

/* A = Q R with its columns in the order that they have now: what is found of it. */
typedef struct factored {
    int m, n, rank;
    double *a, *tau; /* R and the reflections of Q */
    int *order;      /* [n] */
    bool small;      /* by our own routines */
} factored;

static double entry(const factored *f, int i, int j) {
    return f->a[(size_t)j * (size_t)f->m + (size_t)i];
}

static int rank_of(const factored *f, double rcond) {
    const int least = min_int(f->m, f->n);
    int rank = 0;
    while (rank < least && fabs(entry(f, rank, rank)) > rcond * fabs(entry(f, 0, 0))) rank++;
    return rank;
}

#ifdef __wasm__
/* Without LAPACK: QR of a matrix whose entries have no squares, by another of the size of 1. */
static bool qr_of_any_size(int m, int n, double *a, double *tau, int *order) {
    double largest = 0.0;
    int power;
    for (int k = 0; k < m * n; k++) largest = fmax(largest, isfinite(a[k]) ? fabs(a[k]) : HUGE_VAL);
    if (!isfinite(largest)) return false;
    frexp(largest, &power);
    for (int k = 0; k < m * n; k++) a[k] = ldexp(a[k], -power);
    taut_pivoted_qr(m, n, a, tau, order);
    for (int j = 0; j < n; j++) /* R, not the reflections below it */
        for (int i = 0; i <= j && i < m; i++) a[j * m + i] = ldexp(a[j * m + i], power);
    return true;
}
#else
static bool qr_of_any_size(int m, int n, double *a, double *tau, int *order) {
    (void)m, (void)n, (void)a, (void)tau, (void)order;
    return false;
}
#endif

/* Factors A in place; other memory is from arena. */
static taut_status factor(int m, int n, double *a, double rcond, taut_arena *arena, factored *f) {
    _Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are passed on as they are");
    const int least = min_int(m, n);
    *f = (factored){.m = m, .n = n, .a = a, .small = is_small(m, n, a)};
    f->order = TAUT_NEW_ARRAY(arena, n, int);
    f->tau = TAUT_NEW_ARRAY(arena, least, double);
    if (!f->order || !f->tau) return TAUT_ERR_MEMORY;
    if (f->small) {
        taut_pivoted_qr(m, n, a, f->tau, f->order);
    } else if (qr_of_any_size(m, n, a, f->tau, f->order)) {
        f->small = true;
    } else {
        TAUT_TRY(prepare());
        TAUT_TRY(answer(lapack.LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, n, a, m, f->order, f->tau)));
        for (int j = 0; j < n; j++) f->order[j]--;
    }
    f->rank = rank_of(f, rcond);
    return TAUT_OK;
}

/* b (m) becomes Q^T b. */
static taut_status rotate(const factored *f, double *b) {
    const int count = min_int(f->m, f->n);
    if (f->small && size(f->m, 1, b) <= MOST) {
        taut_times_q(f->m, count, f->a, f->tau, true, 1, b);
        return TAUT_OK;
    }
    TAUT_TRY(prepare());
    return answer(lapack.LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', f->m, 1, count, f->a, f->m,
                                        f->tau, b, f->m));
}

/* y (rank) becomes R1^-1 y. */
static void solve_triangle(const factored *f, double *y) {
    for (int i = f->rank - 1; i >= 0; i--) {
        for (int k = i + 1; k < f->rank; k++) y[i] -= entry(f, i, k) * y[k];
        y[i] /= entry(f, i, i);
    }
}

/* y (n): of the solutions of (R1 R2) y = c the shortest, c being the first entries of y.
 * (R1 R2)^T = Z S: then S^T Z^T y = c, and y has no part but in the columns of Z. */
static taut_status solve_trapezoid(const factored *f, taut_arena *arena, double *y) {
    const int n = f->n, rank = f->rank;
    double *z = TAUT_NEW_ARRAY(arena, n * rank, double), *tau = TAUT_NEW_ARRAY(arena, rank, double);
    if (!z || !tau) return TAUT_ERR_MEMORY;
    for (int i = 0; i < rank; i++)
        for (int j = i; j < n; j++) z[i * n + j] = entry(f, i, j);
    taut_qr(n, rank, z, tau);
    for (int i = 0; i < rank; i++) {
        for (int k = 0; k < i; k++) y[i] -= z[i * n + k] * y[k];
        y[i] /= z[i * n + i];
    }
    for (int j = rank; j < n; j++) y[j] = 0.0;
    taut_times_q(n, rank, z, tau, false, 1, y);
    return TAUT_OK;
}

/* taut_least_norm by our own routines. */
static taut_status least_norm_small(int m, int n, double *a, double *b, double rcond,
                                    taut_arena *arena, factored *f) {
    double *y = TAUT_NEW_ARRAY(arena, n, double);
    if (!y) return TAUT_ERR_MEMORY;
    TAUT_TRY(factor(m, n, a, rcond, arena, f));
    TAUT_TRY(rotate(f, b));
    for (int i = 0; i < f->rank; i++) y[i] = b[i];
    if (f->rank == n)
        solve_triangle(f, y);
    else
        TAUT_TRY(solve_trapezoid(f, arena, y));
    for (int j = 0; j < n; j++) b[f->order[j]] = y[j];
    return TAUT_OK;
}

static taut_status least_norm_large(int m, int n, double *a, double *b, double rcond,
                                    taut_arena *arena, int *rank) {
    lapack_int *pivot = TAUT_NEW_ARRAY(arena, n, lapack_int), found = 0;
    if (!pivot) return TAUT_ERR_MEMORY;
    TAUT_TRY(prepare());
    TAUT_TRY(answer(lapack.LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, n, 1, a, m, b, max_int(m, n), pivot,
                                          rcond, &found)));
    *rank = (int)found;
    return TAUT_OK;
}

taut_status taut_least_norm(int m, int n, double *a, double *b, double rcond, int *rank) {
    int fewer;
    return taut_least_norm_ranks(m, n, a, b, rcond, rank, rcond, &fewer);
}

taut_status taut_least_norm_ranks(int m, int n, double *a, double *b, double rcond, int *rank,
                                  double stricter, int *fewer) {
    *rank = *fewer = 0;
    if (m == 0 || n == 0) {
        for (int j = 0; j < n; j++) b[j] = 0.0;
        return TAUT_OK;
    }
    taut_arena arena = {0};
    factored f = {0};
    const bool small = is_small(m, n, a) && size(m, 1, b) <= MOST;
    const taut_status status = small ? least_norm_small(m, n, a, b, rcond, &arena, &f)
                                     : least_norm_large(m, n, a, b, rcond, &arena, rank);
    if (small && status == TAUT_OK) *rank = f.rank;
    *fewer = small && status == TAUT_OK ? rank_of(&f, stricter) : -1;
    taut_arena_release(&arena);
    return status;
}

/* R = [R1 R2; 0 ~0] of the pivoted matrix: the null vectors are (-R1^-1 R2 e_q, e_q), of which z
 * (rank) becomes the first part. */
static void null_vector(const factored *f, int q, double *z) {
    for (int i = 0; i < f->rank; i++) z[i] = -entry(f, i, q);
    solve_triangle(f, z);
}

/* Takes the part along the unit vector z out of v. */
static void remove_part(int n, const double *z, double *v) {
    double dot = 0.0;
    for (int j = 0; j < n; j++) dot += z[j] * v[j];
    for (int j = 0; j < n; j++) v[j] -= dot * z[j];
}

/* From the factors: one solution, the null vectors made orthonormal, and their parts taken out. y
 * (n) is work space. */
static taut_status solve_factored(const factored *f, double *b, double *x, double *null,
                                  double *y) {
    const int n = f->n, rank = f->rank;
    TAUT_TRY(rotate(f, b));
    for (int i = 0; i < rank; i++) y[i] = b[i];
    solve_triangle(f, y);
    for (int j = 0; j < n; j++) x[f->order[j]] = j < rank ? y[j] : 0.0;
    for (int q = rank; q < n; q++) {
        double *z = null + (size_t)(q - rank) * (size_t)n, square = 0.0;
        null_vector(f, q, y);
        for (int j = 0; j < n; j++) z[f->order[j]] = j < rank ? y[j] : j == q ? 1.0 : 0.0;
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
    factored f;
    *rank = 0;
    for (int j = 0; j < n && m == 0; j++) { /* nothing is asked of x */
        x[j] = 0.0;
        for (int k = 0; k < n; k++) null[(size_t)j * (size_t)n + (size_t)k] = j == k ? 1.0 : 0.0;
    }
    if (m == 0 || n == 0) return TAUT_OK;
    double *y = TAUT_NEW_ARRAY(&arena, n, double);
    taut_status status = y ? factor(m, n, a, rcond, &arena, &f) : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) status = solve_factored(&f, b, x, null, y);
    if (status == TAUT_OK) *rank = f.rank;
    taut_arena_release(&arena);
    return status;
}

taut_status taut_dependent_columns(int m, int n, double *a, double rcond, bool *dependent,
                                   int *rank) {
    taut_arena arena = {0};
    factored f;
    *rank = 0;
    for (int j = 0; j < n; j++) dependent[j] = m == 0;
    if (m == 0 || n == 0) return TAUT_OK;
    double *z = TAUT_NEW_ARRAY(&arena, n, double);
    taut_status status = z ? factor(m, n, a, rcond, &arena, &f) : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        *rank = f.rank;
        for (int q = f.rank; q < n; q++) {
            null_vector(&f, q, z);
            dependent[f.order[q]] = true;
            for (int i = 0; i < f.rank; i++)
                if (fabs(z[i]) > 1e-9) dependent[f.order[i]] = true;
        }
    }
    taut_arena_release(&arena);
    return status;
}

taut_status taut_pivoted_columns(int m, int n, double *a, double rcond, int *order, int *rank) {
    taut_arena arena = {0};
    factored f;
    *rank = 0;
    for (int j = 0; j < n; j++) order[j] = j;
    if (m == 0 || n == 0) return TAUT_OK;
    const taut_status status = factor(m, n, a, rcond, &arena, &f);
    if (status == TAUT_OK) {
        *rank = f.rank;
        memcpy(order, f.order, (size_t)n * sizeof *order);
    }
    taut_arena_release(&arena);
    return status;
}

taut_status taut_dense_solve(int n, int sides, double *a, double *b, int *pivot) {
    for (int k = 0; n == 1 && k < sides; k++) b[k] /= a[0];
    if (n == 1) return a[0] != 0.0 ? TAUT_OK : TAUT_SINGULAR;
    if (n == 0 || sides == 0) return TAUT_OK;
    if (is_small(n, n, a) && size(n, sides, b) <= MOST)
        return taut_eliminate(n, sides, a, b) ? TAUT_OK : TAUT_SINGULAR;
    TAUT_TRY(prepare());
    const lapack_int info = lapack.LAPACKE_dgesv(LAPACK_COL_MAJOR, n, sides, a, n, pivot, b, n);
    if (info > 0) return TAUT_SINGULAR;
    return info == 0 ? TAUT_OK : TAUT_ERR_NUMERICS; /* a NaN */
}

/* ---- null spaces ---- */

/* The last columns of Q: Q times the last columns of the unit matrix. */
static taut_status null_by_qr(int m, int n, double *a, double *q, double *tau) {
    for (int k = 0; k < n - m; k++) q[(size_t)k * (size_t)n + (size_t)(m + k)] = 1.0;
    if (is_small(n, m, a)) {
        taut_qr(n, m, a, tau);
        taut_times_q(n, m, a, tau, false, n - m, q);
        return TAUT_OK;
    }
    TAUT_TRY(prepare());
    TAUT_TRY(answer(lapack.LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, m, a, n, tau)));
    return answer(lapack.LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', n, n - m, m, a, n, tau, q, n));
}

/* The left singular vectors beyond the m-th; `all` has room for n x n. */
static taut_status null_by_svd(int m, int n, double *a, double *q, double *all, double *sigma) {
    double none = 0.0;
    TAUT_TRY(prepare());
    TAUT_TRY(answer(lapack.LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', n, m, a, n, sigma, all, n,
                                          &none, 1, sigma + m)));
    for (int k = 0; k < (n - m) * n; k++) q[k] = all[m * n + k];
    return TAUT_OK;
}

/* The eigenvectors of the n - m smallest eigenvalues, which are 0. */
static taut_status null_by_eig(int m, int n, const double *a, double *q, double *all,
                               double *lambda) {
    TAUT_TRY(prepare());
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

/* ---- eigenvalues ---- */

taut_status taut_scale_evenly(int n, double *a, double *scale) {
    lapack_int low, high;
    taut_status status = prepare();
    if (status == TAUT_OK && n > 0)
        status = answer(lapack.LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', n, a, n, &low, &high, scale));
    return status;
}

/* LAPACK has two columns for a pair of complex vectors: real and imaginary part of the first. */
static void unpack_vector(int n, int k, const double *imaginary, const double *packed,
                          double (*vector)[2]) {
    const int first = imaginary[k] < 0.0 ? k - 1 : k;
    const double sign = imaginary[k] > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < n; i++) {
        vector[i][0] = packed[first * n + i];
        vector[i][1] = imaginary[k] == 0.0 ? 0.0 : sign * packed[(first + 1) * n + i];
    }
}

/* 1 / |y^H x|, both of length 1. */
static double condition_of(int n, const double (*y)[2], const double (*x)[2]) {
    double real = 0.0, imaginary = 0.0;
    for (int i = 0; i < n; i++) {
        real += y[i][0] * x[i][0] + y[i][1] * x[i][1];
        imaginary += y[i][0] * x[i][1] - y[i][1] * x[i][0];
    }
    return 1.0 / hypot(real, imaginary);
}

taut_status taut_eigen(int n, double *a, double (*value)[2], double (*vector)[2],
                       double (*left_vector)[2], double *condition) {
    taut_arena arena = {0};
    lapack_int low, high;
    double norm, none = 0.0;
    const size_t square = (size_t)n * (size_t)n;
    double *real = TAUT_NEW_ARRAY(&arena, n, double),
           *imaginary = TAUT_NEW_ARRAY(&arena, n, double);
    double *left = TAUT_NEW_ARRAY(&arena, square, double),
           *scale = TAUT_NEW_ARRAY(&arena, n, double);
    double *right = TAUT_NEW_ARRAY(&arena, square, double);
    double(*one)[2] = taut_arena_array(&arena, (size_t)n, sizeof *one);
    taut_status status =
        real && imaginary && left && scale && right && one ? prepare() : TAUT_ERR_MEMORY;
    if (status == TAUT_OK && n > 0)
        status = answer(lapack.LAPACKE_dgeevx(LAPACK_COL_MAJOR, 'B', 'V', 'V', 'N', n, a, n, real,
                                              imaginary, left, n, right, n, &low, &high, scale,
                                              &norm, &none, &none));
    for (int k = 0; k < n && status == TAUT_OK; k++) {
        double(*x)[2] = vector + k * n, (*y)[2] = left_vector ? left_vector + k * n : one;
        unpack_vector(n, k, imaginary, right, x);
        unpack_vector(n, k, imaginary, left, y);
        value[k][0] = real[k];
        value[k][1] = imaginary[k];
        condition[k] = condition_of(n, (const double(*)[2])y, (const double(*)[2])x);
    }
    taut_arena_release(&arena);
    return status;
}

taut_status taut_singular_values(int m, int n, double *a, double *sigma) {
    taut_arena arena = {0};
    const int least = min_int(m, n);
    double none = 0.0;
    double *work = TAUT_NEW_ARRAY(&arena, least + 1, double);
    taut_status status = work ? prepare() : TAUT_ERR_MEMORY;
    if (status == TAUT_OK && least > 0)
        status = answer(lapack.LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, a, m, sigma, &none,
                                              1, &none, 1, work));
    taut_arena_release(&arena);
    return status;
}
