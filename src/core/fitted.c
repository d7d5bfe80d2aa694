/* Fitting: on [a, b], with u from -1 to 1, a piece is
 *
 *   p(u) = H(u) + (1 - u^2)^3 q(u),
 *
 * H of degree 5 with the function's value and two derivatives at both ends, q of least squares at
 * Chebyshev's points. So pieces join with two continuous derivatives, whatever q is, and a piece of
 * a single interval is the spline itself. A piece is made as long as the tolerance allows. */
#include "core/fitted.h"

#include <math.h>
#include <string.h>

#include "core/reflections.h"

enum { LOWEST = 7, HIGHEST = 13, MOST = HIGHEST - 5, POINTS = 4 * MOST };

/* ---- what is fitted ---- */

enum { STENCIL = 7 };
static const double UNEVEN = 4.0; /* steps of a stencil may differ so much */

/* Sample i, also beyond the ends of a period. */
static void sample_at(const taut_samples *s, int i, double *x, double *y) {
    const int n = s->count - 1; /* of a period */
    const int turns = !s->periodic ? 0 : i >= 0 ? i / n : -((n - 1 - i) / n);
    *x = s->x[i - turns * n] + turns * (s->x[n] - s->x[0]);
    *y = s->y[i - turns * n];
}

/* Slope and second derivative, at x[at], of the polynomial through count samples: from the weights
 * of its Lagrange form. */
static void differentiate(const double *x, const double *y, int count, int at, double d[2]) {
    d[0] = d[1] = 0.0;
    for (int j = 0; j < count; j++) {
        /* the j-th basis polynomial as a product of (u - x_k)/(x_j - x_k): value and derivatives */
        double value = 1.0, first = 0.0, second = 0.0;
        for (int k = 0; k < count; k++) {
            if (k == j) continue;
            const double by = 1.0 / (x[j] - x[k]), factor = (x[at] - x[k]) * by;
            second = second * factor + 2.0 * first * by;
            first = first * factor + value * by;
            value *= factor;
        }
        d[0] += first * y[j];
        d[1] += second * y[j];
    }
}

/* At sample i; false: samples are too few or too uneven there. */
static bool find_derivatives(const taut_samples *s, int i, double d[2]) {
    double x[STENCIL], y[STENCIL], least = HUGE_VAL, most = 0.0;
    int first = i - STENCIL / 2;
    if (s->count <= STENCIL) return false;
    if (!s->periodic && first < 0) first = 0;
    if (!s->periodic && first > s->count - STENCIL) first = s->count - STENCIL;
    for (int k = 0; k < STENCIL; k++) {
        sample_at(s, first + k, &x[k], &y[k]);
        if (k == 0) continue;
        least = fmin(least, x[k] - x[k - 1]);
        most = fmax(most, x[k] - x[k - 1]);
    }
    if (!(most <= UNEVEN * least)) return false;
    differentiate(x, y, STENCIL, i - first, d);
    return true;
}

/* c[6] over a length h, about its left end, from value, slope and second derivative at both. */
static void quintic(double h, const double left[3], const double right[3], double c[6]) {
    const double a = left[1] * h, b = right[1] * h, p = left[2] * h * h, q = right[2] * h * h;
    const double rise = right[0] - left[0];
    const double own[6] = {left[0],
                           a,
                           0.5 * p,
                           10.0 * rise - 6.0 * a - 4.0 * b - 1.5 * p + 0.5 * q,
                           -15.0 * rise + 8.0 * a + 7.0 * b + 1.5 * p - q,
                           6.0 * rise - 3.0 * (a + b) - 0.5 * (p - q)};
    double by = 1.0;
    for (int k = 0; k < 6; k++, by /= h) c[k] = own[k] * by;
}

taut_status taut_pieces_smooth(const taut_samples *s, const taut_pieces *spline, taut_arena *arena,
                               taut_pieces *p) {
    const int n = s->count;
    double(*at)[3] = taut_arena_array(arena, (size_t)n, sizeof *at);
    if (!at) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_pieces_room(5, n - 1, arena, p));
    for (int i = 0; i < n; i++) {
        at[i][0] = s->y[i];
        p->knot[i] = s->x[i];
        if (find_derivatives(s, i, &at[i][1])) continue;
        for (int k = 1; k < 3; k++)
            at[i][k] = taut_pieces_value(spline, i < n - 1 ? i : n - 2, k, s->x[i]);
    }
    for (int k = 1; k < 3 && s->periodic; k++) at[n - 1][k] = at[0][k];
    for (int i = 0; i < n - 1; i++) {
        p->about[i] = s->x[i];
        quintic(s->x[i + 1] - s->x[i], at[i], at[i + 1], p->coef + 6 * (size_t)i);
    }
    return TAUT_OK;
}

/* ---- one piece ---- */

static double spline_at(const taut_pieces *s, int k, int order, double x) {
    return taut_pieces_value(s, k < s->count ? k : s->count - 1, order, x);
}

/* c[6] of H, from value, slope and second derivative (by u) at -1 and at 1. */
static void hermite(const double left[3], const double right[3], double c[6]) {
    const double f = 0.5 * (right[0] + left[0]), g = 0.5 * (right[1] - left[1]),
                 h = 0.5 * (right[2] + left[2]);
    const double F = 0.5 * (right[0] - left[0]), G = 0.5 * (right[1] + left[1]),
                 H = 0.5 * (right[2] - left[2]);
    c[4] = (h - g) / 8.0;
    c[2] = 0.5 * g - 2.0 * c[4];
    c[0] = f - c[2] - c[4];
    c[5] = (H - 3.0 * (G - F)) / 8.0;
    c[3] = 0.5 * (G - F) - 2.0 * c[5];
    c[1] = F - c[3] - c[5];
}

/* Adds (1 - u^2)^3 times the sum of q[j] T_j(u), j < count, to c. */
static void add_inner(const double *q, int count, double *c) {
    static const double BUMP[4] = {1.0, -3.0, 3.0, -1.0};
    double before[MOST] = {0}, now[MOST] = {0}, next[MOST];
    now[0] = 1.0;
    for (int j = 0; j < count; j++) {
        for (int k = 0; k <= j; k++)
            for (int b = 0; b < 4; b++) c[k + 2 * b] += q[j] * now[k] * BUMP[b];
        for (int k = 0; k < MOST; k++)
            next[k] = (k > 0 ? (j == 0 ? 1.0 : 2.0) * now[k - 1] : 0.0) - (j > 0 ? before[k] : 0.0);
        memcpy(before, now, sizeof before);
        memcpy(now, next, sizeof now);
    }
}

/* q of least squares: q[count]. */
static void find_inner(const taut_pieces *s, int from, int to, int count, const double *c,
                       double *q) {
    const double a = s->knot[from], b = s->knot[to], middle = 0.5 * (a + b), w = 0.5 * (b - a);
    double matrix[POINTS * MOST], side[POINTS], tau[MOST];
    int k = from;
    for (int i = 0; i < POINTS; i++) {
        const double u = -cos(acos(-1.0) * (i + 0.5) / POINTS), x = middle + w * u;
        const double bump = (1.0 - u * u) * (1.0 - u * u) * (1.0 - u * u);
        while (k + 1 < to && x >= s->knot[k + 1]) k++;
        side[i] = spline_at(s, k, 0, x) - taut_powers_value(c, 5, 0, u);
        double before = 1.0, now = u;
        for (int j = 0; j < count; j++) {
            matrix[j * POINTS + i] = bump * before;
            const double next = 2.0 * u * now - before;
            before = now;
            now = next;
        }
    }
    taut_qr(POINTS, count, matrix, tau);
    taut_times_q(POINTS, count, matrix, tau, true, 1, side);
    for (int j = count - 1; j >= 0; j--) {
        q[j] = side[j];
        for (int i = j + 1; i < count; i++) q[j] -= matrix[i * POINTS + j] * q[i];
        q[j] = matrix[j * POINTS + j] != 0.0 ? q[j] / matrix[j * POINTS + j] : 0.0;
    }
}

/* The piece from one knot to another: c[degree + 1] by powers of u. */
static void fit_piece(const taut_pieces *s, int from, int to, int degree, double *c) {
    const double w = 0.5 * (s->knot[to] - s->knot[from]);
    double left[3], right[3], q[MOST];
    memset(c, 0, (size_t)(degree + 1) * sizeof *c);
    for (int i = 0; i < 3; i++) {
        const double scale = i == 0 ? 1.0 : i == 1 ? w : w * w;
        left[i] = scale * spline_at(s, from, i, s->knot[from]);
        right[i] = scale * spline_at(s, to - 1, i, s->knot[to]);
    }
    hermite(left, right, c);
    if (to - from == 1) return;
    find_inner(s, from, to, degree - 5, c, q);
    add_inner(q, degree - 5, c);
}

static bool is_close(const taut_pieces *s, int from, int to, int degree, const double *c,
                     double tolerance) {
    const double a = s->knot[from], b = s->knot[to], middle = 0.5 * (a + b), w = 0.5 * (b - a);
    for (int k = from; k < to; k++)
        for (int half = 0; half < 2; half++) {
            const double x = half ? 0.5 * (s->knot[k] + s->knot[k + 1]) : s->knot[k];
            const double d = taut_powers_value(c, degree, 0, (x - middle) / w);
            if (!(fabs(d - spline_at(s, k, 0, x)) <= tolerance)) return false;
        }
    return true;
}

/* ---- all of them ---- */

/* How far a piece from `from` can go: twice as far as long as that is good, then by halves. */
static int find_end(const taut_pieces *s, int from, int degree, double tolerance) {
    double c[HIGHEST + 1];
    int good = from + 1, bad = s->count + 1;
    for (int length = 2; good < s->count; length *= 2) {
        const int to = from + length < s->count ? from + length : s->count;
        fit_piece(s, from, to, degree, c);
        if (!is_close(s, from, to, degree, c, tolerance)) {
            bad = to;
            break;
        }
        good = to;
    }
    while (bad - good > 1 && good < s->count) {
        const int to = good + (bad - good) / 2;
        fit_piece(s, from, to, degree, c);
        if (is_close(s, from, to, degree, c, tolerance))
            good = to;
        else
            bad = to;
    }
    return good;
}

/* The ends of the pieces: end[pieces]. */
static int find_ends(const taut_pieces *s, int degree, double tolerance, int *end) {
    int count = 0;
    for (int from = 0; from < s->count; from = end[count++])
        end[count] = find_end(s, from, degree, tolerance);
    return count;
}

taut_status taut_pieces_fit(const taut_pieces *s, double tolerance, taut_arena *arena,
                            taut_pieces *p) {
    int *end[2] = {TAUT_NEW_ARRAY(arena, s->count, int), TAUT_NEW_ARRAY(arena, s->count, int)};
    if (!end[0] || !end[1]) return TAUT_ERR_MEMORY;
    const int low = find_ends(s, LOWEST, tolerance, end[0]),
              high = find_ends(s, HIGHEST, tolerance, end[1]);
    const bool higher = 4 * high < 3 * low; /* worth its longer polynomials */
    const int degree = higher ? HIGHEST : LOWEST;
    const int *to = end[higher];
    TAUT_TRY(taut_pieces_room(degree, higher ? high : low, arena, p));
    for (int i = 0, from = 0; i < p->count; from = to[i++]) {
        double *c = p->coef + (size_t)i * (size_t)(degree + 1), by = 1.0;
        const double w = 0.5 * (s->knot[to[i]] - s->knot[from]);
        p->knot[i] = s->knot[from];
        p->knot[i + 1] = s->knot[to[i]];
        p->about[i] = 0.5 * (s->knot[from] + s->knot[to[i]]);
        fit_piece(s, from, to[i], degree, c);
        for (int k = 0; k <= degree; k++, by /= w) c[k] *= by;
    }
    return TAUT_OK;
}
