/* Reflections and row elimination, column by column; the same digits on every processor. */
#include "core/reflections.h"

#include <math.h>
#include <stddef.h>

/* Columns are equally long if the squares of their lengths agree to this: rounding shall not decide
 * between them. */
static const double TIE = 1e-9;

/* In four partial sums, which do not wait for each other. */
static double inner(int n, const double *a, const double *b) {
    double part[4] = {0}, rest = 0.0;
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++) part[k] += a[i + k] * b[i + k];
    for (; i < n; i++) rest += a[i] * b[i];
    return (part[0] + part[2]) + (part[1] + part[3]) + rest;
}

/* y -= factor x */
static void subtract(int n, double factor, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] -= factor * x[i];
}

/* ---- reflections: H = I - tau v v^T with v = (1, tail) ---- */

/* H makes x (n) a multiple of the first unit vector: x becomes that multiple and the tail. */
static double find_reflection(int n, double *x) {
    const double below = inner(n - 1, x + 1, x + 1);
    if (below == 0.0) return 0.0;
    const double top = x[0], image = -copysign(sqrt(top * top + below), top);
    for (int i = 1; i < n; i++) x[i] /= top - image;
    x[0] = image;
    return (image - top) / image;
}

static void reflect(int n, double tau, const double *tail, double *x) {
    const double factor = tau * (x[0] + inner(n - 1, tail, x + 1));
    x[0] -= factor;
    subtract(n - 1, factor, tail, x + 1);
}

static double *at(int m, double *a, int i, int j) { return a + (size_t)j * (size_t)m + i; }

/* The reflection of column k, and the columns behind it. */
static void reduce_column(int m, int n, double *a, int k, double *tau) {
    double *top = at(m, a, k, k);
    tau[k] = find_reflection(m - k, top);
    for (int j = k + 1; j < n && tau[k] != 0.0; j++)
        reflect(m - k, tau[k], top + 1, at(m, a, k, j));
}

void taut_qr(int m, int n, double *a, double *tau) {
    for (int k = 0; k < m && k < n; k++) reduce_column(m, n, a, k, tau);
}

static void swap_columns(int m, double *a, int *order, int j, int k) {
    const int other = order[j];
    order[j] = order[k];
    order[k] = other;
    for (int i = 0; i < m && j != k; i++) {
        const double entry = *at(m, a, i, j);
        *at(m, a, i, j) = *at(m, a, i, k);
        *at(m, a, i, k) = entry;
    }
}

/* Which of the columns from number k on is the longest below row k; of equal ones that which came
 * first. Lengths are computed anew each time: cheaper than the reflections, and without the
 * cancellation that bringing them up to date would suffer. */
static int find_longest(int m, int n, double *a, const int *order, int k) {
    int longest = k;
    double most = 0.0;
    for (int j = k; j < n; j++) {
        const double square = inner(m - k, at(m, a, k, j), at(m, a, k, j));
        const bool equal = fabs(square - most) <= TIE * most;
        if (equal ? order[j] < order[longest] : square > most) longest = j;
        most = fmax(most, square);
    }
    return longest;
}

void taut_pivoted_qr(int m, int n, double *a, double *tau, int *order) {
    for (int j = 0; j < n; j++) order[j] = j;
    for (int k = 0; k < m && k < n; k++) {
        swap_columns(m, a, order, k, find_longest(m, n, a, order, k));
        reduce_column(m, n, a, k, tau);
    }
}

void taut_times_q(int m, int count, const double *a, const double *tau, bool transposed,
                  int columns, double *c) {
    for (int step = 0; step < count; step++) {
        const int k = transposed ? step : count - 1 - step;
        const double *tail = a + (size_t)k * (size_t)m + k + 1;
        for (int j = 0; j < columns; j++) reflect(m - k, tau[k], tail, at(m, c, k, j));
    }
}

/* ---- elimination ---- */

static void swap(double *a, double *b) {
    const double other = *a;
    *a = *b;
    *b = other;
}

bool taut_eliminate(int n, int sides, double *a, double *b) {
    for (int k = 0; k < n; k++) {
        double *column = at(n, a, 0, k);
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(column[i]) > fabs(column[best])) best = i;
        if (column[best] == 0.0) return false;
        for (int j = k; j < n && best != k; j++) swap(at(n, a, k, j), at(n, a, best, j));
        for (int j = 0; j < sides && best != k; j++) swap(at(n, b, k, j), at(n, b, best, j));
        for (int i = k + 1; i < n; i++) column[i] /= column[k];
        for (int j = k + 1; j < n; j++)
            subtract(n - k - 1, *at(n, a, k, j), column + k + 1, at(n, a, k + 1, j));
        for (int j = 0; j < sides; j++)
            subtract(n - k - 1, *at(n, b, k, j), column + k + 1, at(n, b, k + 1, j));
    }
    for (int j = 0; j < sides; j++) {
        double *x = at(n, b, 0, j);
        for (int k = n - 1; k >= 0; k--) {
            x[k] /= *at(n, a, k, k);
            subtract(k, x[k], at(n, a, 0, k), x);
        }
    }
    return true;
}
