/* Envelope (skyline) Cholesky factorisation, scaled to a unit diagonal: the square of the smallest
 * pivot then measures how close the constraints are to linear dependence. */
#include "tree/multiplier.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"

static const double SAFE = 1e-11; /* of a pivot beside the diagonal of ones */
static const double RANK = 1e-12; /* of what counts in the pivoted QR */

taut_status taut_multiplier_create(int n, bool careful, taut_arena *arena, taut_multiplier *m) {
    const size_t square = (size_t)n * (size_t)n;
    *m = (taut_multiplier){.n = n, .careful = careful};
    m->matrix = TAUT_NEW_ARRAY(arena, square, double);
    m->factor = TAUT_NEW_ARRAY(arena, square, double);
    m->scale = TAUT_NEW_ARRAY(arena, n, double);
    m->first = TAUT_NEW_ARRAY(arena, n, int);
    m->work = TAUT_NEW_ARRAY(arena, square + (size_t)n, double);
    if (!m->matrix || !m->factor || !m->scale || !m->first || !m->work) return TAUT_ERR_MEMORY;
    return TAUT_OK;
}

static double dot(const double *a, const double *b, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

void taut_multiplier_factor(taut_multiplier *m) {
    const size_t n = (size_t)m->n;
    m->truncated = m->careful;
    for (size_t i = 0; i < n; i++) {
        const double d = m->matrix[i * n + i];
        m->scale[i] = d > 0.0 ? 1.0 / sqrt(d) : 0.0;
        if (!(d > 0.0)) m->truncated = true;
    }
    for (size_t i = 0; i < n && !m->truncated; i++) {
        double *row = m->factor + i * n;
        for (int j = m->first[i]; j <= (int)i; j++) {
            const double *other = m->factor + (size_t)j * n;
            const int from = m->first[i] > m->first[j] ? m->first[i] : m->first[j];
            const double value = m->matrix[i * n + (size_t)j] * m->scale[i] * m->scale[j];
            const double rest = value - dot(row + from, other + from, j - from);
            if (j < (int)i) {
                row[j] = rest / other[j];
            } else {
                if (!(rest > SAFE)) m->truncated = true;
                row[j] = sqrt(rest);
            }
        }
    }
}

/* The solution of least norm (scaled), with the directions left out that the matrix hardly has. */
static taut_status solve_truncated(const taut_multiplier *m, double *b) {
    const size_t n = (size_t)m->n;
    double *matrix = m->work, *x = m->work + n * n;
    int rank;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++)
            matrix[i * n + j] = matrix[j * n + i] =
                m->matrix[i * n + j] * m->scale[i] * m->scale[j];
        x[i] = b[i] * m->scale[i];
        if (!isfinite(x[i]) || !isfinite(m->scale[i])) return TAUT_ERR_NUMERICS;
    }
    TAUT_TRY(taut_least_norm(m->n, m->n, matrix, x, RANK, &rank));
    for (size_t i = 0; i < n; i++) b[i] = x[i] * m->scale[i];
    return TAUT_OK;
}

taut_status taut_multiplier_solve(taut_multiplier *m, double *b) {
    const size_t n = (size_t)m->n;
    if (m->truncated) return solve_truncated(m, b);
    for (size_t i = 0; i < n; i++) {
        const double *row = m->factor + i * n;
        const int from = m->first[i];
        b[i] = (b[i] * m->scale[i] - dot(row + from, b + from, (int)i - from)) / row[i];
    }
    for (size_t i = n; i-- > 0;) {
        const double *row = m->factor + i * n;
        b[i] /= row[i];
        for (int j = m->first[i]; j < (int)i; j++) b[j] -= row[j] * b[i];
    }
    for (size_t i = 0; i < n; i++) b[i] *= m->scale[i];
    return TAUT_OK;
}
