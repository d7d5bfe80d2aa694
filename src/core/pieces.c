/* Pieces through every sample; those of a fit are in fitted.c. */
#include "core/pieces.h"

#include <math.h>

#include "core/fitted.h"

/* ---- polynomials ---- */

double taut_powers_value(const double *c, int degree, int order, double u) {
    double sum = 0.0;
    for (int k = degree; k >= order; k--) {
        double factor = 1.0;
        for (int i = 0; i < order; i++) factor *= k - i;
        sum = sum * u + factor * c[k];
    }
    return sum;
}

double taut_pieces_value(const taut_pieces *p, int k, int order, double x) {
    return taut_powers_value(p->coef + (size_t)k * (size_t)(p->degree + 1), p->degree, order,
                             x - p->about[k]);
}

int taut_pieces_find(const taut_pieces *p, double x) {
    int low = 0, high = p->count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (x >= p->knot[middle])
            low = middle;
        else
            high = middle;
    }
    return low;
}

void taut_hermite_cubic(double h, const double y[2], const double slope[2], double c[4]) {
    const double secant = (y[1] - y[0]) / h;
    c[0] = y[0];
    c[1] = slope[0];
    c[2] = (3.0 * secant - 2.0 * slope[0] - slope[1]) / h;
    c[3] = (slope[0] + slope[1] - 2.0 * secant) / h / h;
}

/* ---- slopes of splines ---- */

static double step_of(const taut_samples *s, int i) { return s->x[i + 1] - s->x[i]; }

static double secant_of(const taut_samples *s, int i) {
    return (s->y[i + 1] - s->y[i]) / step_of(s, i);
}

/* Solves a tridiagonal system of n rows; d becomes the solution, b is overwritten. */
static void solve_three(int n, const double *a, double *b, const double *c, double *d) {
    for (int i = 1; i < n; i++) {
        const double factor = a[i] / b[i - 1];
        b[i] -= factor * c[i - 1];
        d[i] -= factor * d[i - 1];
    }
    d[n - 1] /= b[n - 1];
    for (int i = n - 2; i >= 0; i--) d[i] = (d[i] - c[i] * d[i + 1]) / b[i];
}

/* Row i: the second derivatives of both sides are the same at sample i. l: the one before. */
static void spline_row(const taut_samples *s, int i, int l, double row[4]) {
    const double before = step_of(s, l), after = step_of(s, i);
    row[0] = after;
    row[1] = 2.0 * (before + after);
    row[2] = before;
    row[3] = 3.0 * (after * secant_of(s, l) + before * secant_of(s, i));
}

/* Two unknowns have each other on both sides. */
static void periodic_pair(const taut_samples *s, double *slope) {
    double p[4], q[4];
    spline_row(s, 0, 1, p);
    spline_row(s, 1, 0, q);
    const double off = p[0] + p[2], other = q[0] + q[2], det = p[1] * q[1] - off * other;
    slope[0] = slope[2] = (p[3] * q[1] - off * q[3]) / det;
    slope[1] = (p[1] * q[3] - other * p[3]) / det;
}

/* A cyclic system, by that without its corners (Sherman and Morrison). */
static void periodic_slopes(const taut_samples *s, double *work, double *slope) {
    const int n = s->count - 1;
    double *a = work, *b = work + n, *c = work + 2 * (size_t)n;
    if (n == 1) slope[0] = slope[1] = 0.0;
    if (n == 2) periodic_pair(s, slope);
    if (n <= 2) return;
    for (int round = 0; round < 2; round++) { /* the right-hand side; the corners' vector */
        double row[4], corner = 0.0, gamma = 0.0, last = 0.0;
        for (int i = 0; i < n; i++) {
            spline_row(s, i, i == 0 ? n - 1 : i - 1, row);
            a[i] = row[0];
            b[i] = row[1];
            c[i] = row[2];
            if (i == 0) gamma = -row[1], corner = row[0];
            if (i == n - 1) last = row[2];
            if (round == 1) slope[i] = row[3];
        }
        b[0] -= gamma;
        b[n - 1] -= corner * last / gamma;
        if (round == 0) {
            double *z = work + 3 * (size_t)n;
            for (int i = 0; i < n; i++) z[i] = 0.0;
            z[0] = gamma;
            z[n - 1] = last;
            solve_three(n, a, b, c, z);
        } else {
            const double *z = work + 3 * (size_t)n;
            solve_three(n, a, b, c, slope);
            const double by = (slope[0] + corner / gamma * slope[n - 1]) /
                              (1.0 + z[0] + corner / gamma * z[n - 1]);
            for (int i = 0; i < n; i++) slope[i] -= by * z[i];
        }
    }
    slope[n] = slope[0];
}

/* Of the parabola through three samples, at sample i of them. */
static double parabola_slope(const taut_samples *s, int i) {
    const double h0 = step_of(s, 0), h1 = step_of(s, 1), m0 = secant_of(s, 0), m1 = secant_of(s, 1);
    const double bend = (m1 - m0) / (h0 + h1);
    return m0 + bend * (i == 0 ? -h0 : i == 1 ? h0 : h0 + 2.0 * h1);
}

void taut_spline_slopes(const taut_samples *s, double *work, double *slope) {
    const int n = s->count;
    double *a = work, *b = work + n, *c = work + 2 * (size_t)n, row[4];
    if (s->periodic) {
        periodic_slopes(s, work, slope);
        return;
    }
    if (n == 2) slope[0] = slope[1] = secant_of(s, 0);
    for (int i = 0; n == 3 && i < 3; i++) slope[i] = parabola_slope(s, i);
    if (n <= 3) return;
    for (int i = 1; i < n - 1; i++) {
        spline_row(s, i, i - 1, row);
        a[i] = row[0];
        b[i] = row[1];
        c[i] = row[2];
        slope[i] = row[3];
    }
    /* no jump of the third derivative at the second knot, and at the last but one */
    const double h0 = step_of(s, 0), h1 = step_of(s, 1), both = h0 + h1;
    b[0] = h1;
    c[0] = both;
    slope[0] = ((h0 + 2.0 * both) * h1 * secant_of(s, 0) + h0 * h0 * secant_of(s, 1)) / both;
    const double k0 = step_of(s, n - 2), k1 = step_of(s, n - 3), ends = k0 + k1;
    b[n - 1] = k1;
    a[n - 1] = ends;
    slope[n - 1] =
        (k0 * k0 * secant_of(s, n - 3) + (2.0 * ends + k0) * k1 * secant_of(s, n - 2)) / ends;
    solve_three(n, a, b, c, slope);
}

/* ---- slopes that keep the shape (Fritsch and Butland 1984) ---- */

static double between_secants(double h0, double h1, double m0, double m1) {
    if (!(m0 * m1 > 0.0)) return 0.0; /* an extremum of the samples is one of the function */
    const double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
    return (w0 + w1) / (w0 / m0 + w1 / m1);
}

static double end_slope(double h0, double h1, double m0, double m1) {
    const double d = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
    if (!(d * m0 > 0.0)) return 0.0;
    if (!(m0 * m1 > 0.0) && fabs(d) > 3.0 * fabs(m0)) return 3.0 * m0;
    return d;
}

static void pchip_slopes(const taut_samples *s, double *slope) {
    const int n = s->count;
    for (int i = 1; i < n - 1; i++)
        slope[i] =
            between_secants(step_of(s, i - 1), step_of(s, i), secant_of(s, i - 1), secant_of(s, i));
    if (s->periodic) {
        slope[0] = slope[n - 1] =
            between_secants(step_of(s, n - 2), step_of(s, 0), secant_of(s, n - 2), secant_of(s, 0));
    } else if (n == 2) {
        slope[0] = slope[1] = secant_of(s, 0);
    } else {
        slope[0] = end_slope(step_of(s, 0), step_of(s, 1), secant_of(s, 0), secant_of(s, 1));
        slope[n - 1] = end_slope(step_of(s, n - 2), step_of(s, n - 3), secant_of(s, n - 2),
                                 secant_of(s, n - 3));
    }
}

/* ---- pieces ---- */

taut_status taut_pieces_room(int degree, int count, taut_arena *arena, taut_pieces *p) {
    *p = (taut_pieces){.degree = degree, .count = count};
    p->knot = TAUT_NEW_ARRAY(arena, (size_t)count + 1, double);
    p->about = TAUT_NEW_ARRAY(arena, count, double);
    p->coef = TAUT_NEW_ARRAY(arena, (size_t)count * (size_t)(degree + 1), double);
    return p->knot && p->about && p->coef ? TAUT_OK : TAUT_ERR_MEMORY;
}

static taut_status make_lines(const taut_samples *s, taut_arena *arena, taut_pieces *p) {
    TAUT_TRY(taut_pieces_room(1, s->count - 1, arena, p));
    for (int i = 0; i < s->count; i++) p->knot[i] = s->x[i];
    for (int i = 0; i < p->count; i++) {
        p->about[i] = s->x[i];
        p->coef[2 * i] = s->y[i];
        p->coef[2 * i + 1] = secant_of(s, i);
    }
    return TAUT_OK;
}

static taut_status make_cubics(const taut_samples *s, bool spline, taut_arena *arena,
                               taut_pieces *p) {
    const size_t n = (size_t)s->count;
    double *slope = TAUT_NEW_ARRAY(arena, 5 * n, double);
    if (!slope) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_pieces_room(3, s->count - 1, arena, p));
    if (spline)
        taut_spline_slopes(s, slope + n, slope);
    else
        pchip_slopes(s, slope);
    for (int i = 0; i < s->count; i++) p->knot[i] = s->x[i];
    for (int i = 0; i < p->count; i++) {
        p->about[i] = s->x[i];
        taut_hermite_cubic(step_of(s, i), s->y + i, slope + i, p->coef + 4 * (size_t)i);
    }
    return TAUT_OK;
}

/* Does piece k go on as piece i, which began before it? */
static bool goes_on(const taut_pieces *p, int i, int k, double size) {
    const double from = p->knot[k], h = p->knot[k + 1] - from;
    for (int j = 0; j <= p->degree + 1; j++) {
        const double x = from + h * j / (p->degree + 1);
        const double d = taut_pieces_value(p, i, 0, x) - taut_pieces_value(p, k, 0, x);
        if (!(fabs(d) <= 1e-14 * size)) return false;
    }
    return true;
}

/* One piece instead of several that are the same polynomial: nothing happens between them. */
static void merge(const taut_samples *s, taut_pieces *p) {
    const int width = p->degree + 1;
    double size = 0.0;
    int last = 0;
    for (int i = 0; i < s->count; i++) size = fmax(size, fabs(s->y[i]));
    for (int k = 1; k < p->count; k++) {
        if (goes_on(p, last, k, size)) continue;
        p->knot[++last] = p->knot[k];
        p->about[last] = p->about[k];
        for (int j = 0; j < width; j++) p->coef[last * width + j] = p->coef[k * width + j];
    }
    p->knot[last + 1] = p->knot[p->count];
    p->count = last + 1;
}

/* Derivatives of a fit are less exact than its values, and should not disappoint: it is made closer
 * than it has to be, unless that takes far more pieces, because samples have noise. */
static taut_status make_fit(const taut_samples *s, double tolerance, taut_arena *arena,
                            taut_pieces *p) {
    static const double CLOSE = 0.03, ENOUGH = 0.5;
    taut_pieces cubics, smooth, loose;
    TAUT_TRY(make_cubics(s, true, arena, &cubics));
    TAUT_TRY(taut_pieces_smooth(s, &cubics, arena, &smooth));
    TAUT_TRY(taut_pieces_fit(&smooth, CLOSE * tolerance, arena, p));
    TAUT_TRY(taut_pieces_fit(&smooth, ENOUGH * tolerance, arena, &loose));
    if (p->count > 3 * loose.count) *p = loose;
    return TAUT_OK;
}

taut_status taut_pieces_create(const taut_samples *s, taut_between between, double tolerance,
                               taut_arena *arena, taut_pieces *p) {
    if (between == TAUT_BETWEEN_LINEAR)
        TAUT_TRY(make_lines(s, arena, p));
    else if (between == TAUT_BETWEEN_FIT)
        TAUT_TRY(make_fit(s, tolerance, arena, p));
    else
        TAUT_TRY(make_cubics(s, between == TAUT_BETWEEN_SPLINE, arena, p));
    merge(s, p);
    return TAUT_OK;
}
