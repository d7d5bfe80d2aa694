/* Interpolation and quadrature at Chebyshev's points. */
#include "task/chebyshev.h"

#include <math.h>

void taut_chebyshev_points(int n, double *point, double *weight) {
    for (int i = 0; i <= n; i++) {
        const double angle = M_PI * (double)i / (double)n;
        double sum = 0.0;
        for (int k = 1; 2 * k <= n; k++)
            sum += (2 * k == n ? 1.0 : 2.0) * cos(2.0 * (double)k * angle) /
                   (4.0 * (double)k * (double)k - 1.0);
        point[i] = 0.5 * (1.0 - cos(angle));
        weight[i] = (i == 0 || i == n ? 0.5 : 1.0) * (1.0 - sum) / (double)n;
    }
    point[0] = 0.0;
    point[n] = 1.0;
}

double taut_chebyshev_interpolate(const double *point, const double *f, int n, double x) {
    double above = 0.0, below = 0.0;
    for (int i = 0; i <= n; i++) {
        if (x == point[i]) return f[i];
        const double w = (i % 2 ? -1.0 : 1.0) * (i == 0 || i == n ? 0.5 : 1.0) / (x - point[i]);
        above += w * f[i];
        below += w;
    }
    return above / below;
}
