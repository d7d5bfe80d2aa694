/* Lemke's method: a covering variable makes q positive, and pivots take it out again; ties are
 * broken lexicographically, so no basis comes back (Cottle, Pang and Stone, chapter 4). */
#include "solve/lemke.h"

#include <math.h>
#include <string.h>

#include "core/arena.h"
#include "core/dense.h"

static const double PIVOT = 1e-11; /* of a tableau whose rows are of size 1 */
enum { TURNS = 50 };               /* pivots for each unknown at most */

typedef struct lemke {
    taut_lcp lcp;
    double *tableau;      /* [n][2 n + 2] w, z, the covering variable, right side */
    int *basis;           /* [n] */
    double *z;            /* [n] */
    int *pivots;          /* [n] work space, as the next ones */
    double *work, *right; /* [n][n], [n] */
} lemke;

static double *entry(const lemke *p, int i, int j) {
    return p->tableau + (size_t)i * (size_t)(2 * p->lcp.n + 2) + (size_t)j;
}

static void begin(lemke *p, double lean) {
    const int n = p->lcp.n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            *entry(p, i, j) = i == j ? 1.0 : 0.0;
            *entry(p, i, n + j) = -p->lcp.M[(size_t)i * (size_t)n + (size_t)j];
        }
        *entry(p, i, 2 * n) = -(1.0 + lean * i / n);
        *entry(p, i, 2 * n + 1) = p->lcp.q[i];
        p->basis[i] = i;
    }
}

static void turn(lemke *p, int row, int column) {
    const int width = 2 * p->lcp.n + 2;
    const double by = *entry(p, row, column);
    for (int j = 0; j < width; j++) *entry(p, row, j) /= by;
    for (int i = 0; i < p->lcp.n; i++) {
        const double factor = *entry(p, i, column);
        if (i == row || factor == 0.0) continue;
        for (int j = 0; j < width; j++) *entry(p, i, j) -= factor * *entry(p, row, j);
    }
    p->basis[row] = column;
}

/* Is row a before row b, by the right side and then by the columns of the first basis, all over the
 * pivot? No two rows are equal, so nothing comes back. */
static bool is_before(const lemke *p, int a, int b, int column) {
    const int n = p->lcp.n;
    const double x = *entry(p, a, column), y = *entry(p, b, column);
    double difference = *entry(p, a, 2 * n + 1) / x - *entry(p, b, 2 * n + 1) / y;
    for (int j = 0; j < n && fabs(difference) <= 1e-14; j++)
        difference = *entry(p, a, j) / x - *entry(p, b, j) / y;
    return difference < 0.0;
}

static int find_row(const lemke *p, int column) {
    int best = -1;
    for (int i = 0; i < p->lcp.n; i++)
        if (*entry(p, i, column) > PIVOT && (best < 0 || is_before(p, i, best, column))) best = i;
    for (int i = 0; i < p->lcp.n && best >= 0;
         i++) /* the covering variable leaves as soon as it may */
        if (p->basis[i] == 2 * p->lcp.n && *entry(p, i, column) > PIVOT &&
            *entry(p, i, 2 * p->lcp.n + 1) / *entry(p, i, column) <=
                *entry(p, best, 2 * p->lcp.n + 1) / *entry(p, best, column) + 1e-13)
            best = i;
    return best;
}

/* The unknowns from the basis, with the digits of the matrix itself. */
static taut_status polish(lemke *p) {
    int m = 0;
    memset(p->z, 0, (size_t)p->lcp.n * sizeof *p->z);
    for (int i = 0; i < p->lcp.n; i++)
        if (p->basis[i] >= p->lcp.n && p->basis[i] < 2 * p->lcp.n)
            p->basis[m++] = p->basis[i] - p->lcp.n;
    for (int i = 0; i < m; i++) {
        p->right[i] = -p->lcp.q[p->basis[i]];
        for (int k = 0; k < m; k++)
            p->work[(size_t)k * (size_t)m + (size_t)i] =
                p->lcp.M[(size_t)p->basis[i] * (size_t)p->lcp.n + (size_t)p->basis[k]];
    }
    if (m > 0) TAUT_TRY(taut_dense_solve(m, 1, p->work, p->right, p->pivots));
    for (int i = 0; i < m; i++) p->z[p->basis[i]] = fmax(p->right[i], 0.0);
    return TAUT_OK;
}

/* Is nothing covered any more but rounding? */
static bool is_uncovered(const lemke *p) {
    double size = 0.0;
    for (int i = 0; i < p->lcp.n; i++) size = fmax(size, fabs(p->lcp.q[i]));
    for (int i = 0; i < p->lcp.n; i++)
        if (p->basis[i] == 2 * p->lcp.n) return *entry(p, i, 2 * p->lcp.n + 1) <= PIVOT * size;
    return true;
}

static taut_status solve(lemke *p, double lean, bool *found) {
    const int n = p->lcp.n;
    int row = -1, column = 2 * n;
    *found = true;
    memset(p->z, 0, (size_t)n * sizeof *p->z);
    begin(p, lean);
    for (int i = 0; i < n; i++) {
        const double rest = p->lcp.q[i] / (1.0 + lean * i / n);
        if (rest < 0.0 && (row < 0 || rest < p->lcp.q[row] / (1.0 + lean * row / n))) row = i;
    }
    if (row < 0) return TAUT_OK;
    for (int k = 0; k < TURNS * n + TURNS && row >= 0; k++) {
        const int leaves = p->basis[row];
        turn(p, row, column);
        if (is_uncovered(p)) return polish(p);
        column = leaves < n ? leaves + n : leaves - n;
        row = find_row(p, column);
    }
    *found = false;
    return TAUT_OK;
}

taut_status taut_lemke_solve(const taut_lcp *lcp, double lean, double *z, bool *found) {
    const size_t n = (size_t)lcp->n;
    taut_arena arena = {0};
    lemke p = {.lcp = *lcp,
               .tableau = TAUT_NEW_ARRAY(&arena, n * (2 * n + 2), double),
               .basis = TAUT_NEW_ARRAY(&arena, n, int),
               .z = z,
               .pivots = TAUT_NEW_ARRAY(&arena, n, int),
               .work = TAUT_NEW_ARRAY(&arena, n * n, double),
               .right = TAUT_NEW_ARRAY(&arena, n, double)};
    const bool good = p.tableau && p.basis && p.pivots && p.work && p.right;
    const taut_status status = good ? solve(&p, lean, found) : TAUT_ERR_MEMORY;
    taut_arena_release(&arena);
    return status;
}
