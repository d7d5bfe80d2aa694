/* Envelope (skyline) Cholesky factorisation, scaled to a unit diagonal: the square of the smallest
 * pivot then measures how close the constraints are to linear dependence. */
#include "tree/multiplier.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"

static const double SAFE = 1e-11; /* of a pivot beside the diagonal of ones */
static const double RANK = 1e-12; /* of what counts in the pivoted QR */

taut_status taut_multiplier_create(int n, const int *first, bool careful, taut_arena *arena,
                                   taut_multiplier *m) {
    *m = (taut_multiplier){.n = n, .first = first, .careful = careful, .arena = arena};
    m->start = TAUT_NEW_ARRAY(arena, n + 1, size_t);
    m->scale = TAUT_NEW_ARRAY(arena, n, double);
    if (!m->start || !m->scale) return TAUT_ERR_MEMORY;
    for (int i = 0; i < n; i++) m->start[i + 1] = m->start[i] + (size_t)(i - first[i] + 1);
    m->matrix = TAUT_NEW_ARRAY(arena, m->start[n], double);
    m->factor = TAUT_NEW_ARRAY(arena, m->start[n], double);
    return m->matrix && m->factor ? TAUT_OK : TAUT_ERR_MEMORY;
}

static double dot(const double *a, const double *b, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

void taut_multiplier_factor(taut_multiplier *m) {
    const int n = m->n;
    m->truncated = m->careful;
    for (int i = 0; i < n; i++) {
        const double d = *taut_multiplier_entry(m, i, i);
        m->scale[i] = d > 0.0 ? 1.0 / sqrt(d) : 0.0;
        if (!(d > 0.0)) m->truncated = true;
    }
    for (int i = 0; i < n && !m->truncated; i++) {
        const int begin = m->first[i];
        double *row = m->factor + m->start[i];
        for (int j = begin; j <= i; j++) {
            const double *other = m->factor + m->start[j];
            const int from = begin > m->first[j] ? begin : m->first[j];
            const double value = *taut_multiplier_entry(m, i, j) * m->scale[i] * m->scale[j];
            const double rest =
                value - dot(row + (from - begin), other + (from - m->first[j]), j - from);
            if (j < i) {
                row[j - begin] = rest / other[j - m->first[j]];
            } else {
                if (!(rest > SAFE)) m->truncated = true;
                row[j - begin] = sqrt(rest);
            }
        }
    }
}

/* The solution of least norm (scaled), with the directions left out that the matrix hardly has. */
static taut_status solve_truncated(taut_multiplier *m, double *b) {
    const size_t n = (size_t)m->n;
    int rank;
    if (!m->work) m->work = TAUT_NEW_ARRAY(m->arena, n * n + n, double);
    if (!m->work) return TAUT_ERR_MEMORY;
    double *matrix = m->work, *x = m->work + n * n;
    memset(matrix, 0, n * n * sizeof *matrix);
    for (int i = 0; i < m->n; i++) {
        for (int j = m->first[i]; j <= i; j++)
            matrix[(size_t)i * n + (size_t)j] = matrix[(size_t)j * n + (size_t)i] =
                *taut_multiplier_entry(m, i, j) * m->scale[i] * m->scale[j];
        x[i] = b[i] * m->scale[i];
        if (!isfinite(x[i]) || !isfinite(m->scale[i])) return TAUT_ERR_NUMERICS;
    }
    TAUT_TRY(taut_least_norm(m->n, m->n, matrix, x, RANK, &rank));
    for (size_t i = 0; i < n; i++) b[i] = x[i] * m->scale[i];
    return TAUT_OK;
}

taut_status taut_multiplier_solve(taut_multiplier *m, double *b) {
    if (m->truncated) return solve_truncated(m, b);
    for (int i = 0; i < m->n; i++) {
        const double *row = m->factor + m->start[i];
        const int from = m->first[i];
        b[i] = (b[i] * m->scale[i] - dot(row, b + from, i - from)) / row[i - from];
    }
    for (int i = m->n; i-- > 0;) {
        const double *row = m->factor + m->start[i];
        const int from = m->first[i];
        b[i] /= row[i - from];
        for (int j = from; j < i; j++) b[j] -= row[j - from] * b[i];
    }
    for (int i = 0; i < m->n; i++) b[i] *= m->scale[i];
    return TAUT_OK;
}
