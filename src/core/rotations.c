/* Hestenes' variant of Jacobi's method: columns are rotated in pairs until all are orthogonal. */
#include "core/rotations.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 60 };

static double dot(const double *a, const double *b, int m) {
    double sum = 0.0;
    for (int i = 0; i < m; i++) sum += a[i] * b[i];
    return sum;
}

static void rotate(double *a, double *b, int m, double c, double s) {
    for (int i = 0; i < m; i++) {
        const double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/* Makes two columns orthogonal; false: they are. */
static int settle(int m, int n, double *a, double *v, int p, int q) {
    double *x = a + (long)p * m, *y = a + (long)q * m;
    const double alpha = dot(x, x, m), beta = dot(y, y, m), gamma = dot(x, y, m);
    if (!(fabs(gamma) > DBL_EPSILON * sqrt(alpha * beta))) return 0;
    const double zeta = (beta - alpha) / (2.0 * gamma);
    const double t = (zeta > 0.0 ? 1.0 : -1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    const double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    rotate(x, y, m, c, s);
    rotate(v + (long)p * n, v + (long)q * n, n, c, s);
    return 1;
}

static void exchange(double *a, double *b, int m) {
    for (int i = 0; i < m; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void taut_rotate_columns(int m, int n, double *a, double *sigma, double *v) {
    int moved = 1;
    memset(v, 0, (size_t)n * (size_t)n * sizeof *v);
    for (int k = 0; k < n; k++) v[(long)k * n + k] = 1.0;
    for (int sweep = 0; sweep < MOST_SWEEPS && moved; sweep++) {
        moved = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) moved |= settle(m, n, a, v, p, q);
    }
    for (int k = 0; k < n; k++) sigma[k] = sqrt(dot(a + (long)k * m, a + (long)k * m, m));
    for (int k = 0; k < n; k++) { /* the largest first */
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (sigma[i] > sigma[best]) best = i;
        if (best == k) continue;
        exchange(&sigma[k], &sigma[best], 1);
        exchange(a + (long)k * m, a + (long)best * m, m);
        exchange(v + (long)k * n, v + (long)best * n, n);
    }
}
