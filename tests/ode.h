/* Runge and Kutta's method of order 4 in extended precision: slow, simple, and independent of taut.
 */
#ifndef TAUT_TESTS_ODE_H
#define TAUT_TESTS_ODE_H

enum { ODE_MOST = 16 };

/* rate[] of x[] at time t. */
typedef void ode_fn(long double t, const long double *x, long double *rate);

static inline void ode_run(ode_fn *f, int n, long double *x, long double from, long double to,
                           long steps) {
    const long double h = (to - from) / (long double)steps;
    long double k[4][ODE_MOST], y[ODE_MOST];
    for (long s = 0; s < steps; s++) {
        const long double t = from + h * (long double)s;
        f(t, x, k[0]);
        for (int i = 0; i < n; i++) y[i] = x[i] + h / 2 * k[0][i];
        f(t + h / 2, y, k[1]);
        for (int i = 0; i < n; i++) y[i] = x[i] + h / 2 * k[1][i];
        f(t + h / 2, y, k[2]);
        for (int i = 0; i < n; i++) y[i] = x[i] + h * k[2][i];
        f(t + h, y, k[3]);
        for (int i = 0; i < n; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

#endif
