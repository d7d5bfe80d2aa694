/* Roots of p' by Bernstein coefficients: their changes of sign bound the number of roots in an
 * interval (Descartes), and de Casteljau's scheme halves it. No change: p is monotone; one: there
 * is one root, found by bisection and secants; more: both halves. */
#include "task/extremum.h"

#include <math.h>

static const double NARROW =
    1e-9; /* p is known to 1e-18 of its curvature in an interval so small */

typedef struct search {
    const double *c;
    int degree;
    double sign;
    double best, where;
} search;

static double value(const search *s, double theta) {
    double p = 0.0;
    for (int k = s->degree; k >= 0; k--) p = p * theta + s->c[k];
    return s->sign * p;
}

static double slope(const search *s, double theta) {
    double p = 0.0;
    for (int k = s->degree; k >= 1; k--) p = p * theta + (double)k * s->c[k];
    return p;
}

static void consider(search *s, double theta) {
    const double found = value(s, theta);
    if (!(found > s->best)) return;
    s->best = found;
    s->where = theta;
}

/* The root of p' between a and b, by the Illinois variant of regula falsi. */
static void close_in(search *s, double a, double b) {
    double fa = slope(s, a), fb = slope(s, b);
    consider(s, a);
    consider(s, b);
    if (!(fa * fb < 0.0)) return; /* at an end, but for rounding */
    for (int i = 0; i < 100 && b - a > 1e-15; i++) {
        double x = a - fa * (b - a) / (fb - fa);
        if (!(x > a && x < b)) x = 0.5 * (a + b);
        const double fx = slope(s, x);
        if (fx == 0.0) {
            a = b = x;
        } else if ((fx > 0.0) == (fb > 0.0)) {
            b = x;
            fb = fx;
            fa *= 0.5;
        } else {
            a = x;
            fa = fx;
            fb *= 0.5;
        }
        if (i % 3 == 2 && b - a > 1e-15) { /* so that the interval always gets shorter */
            x = 0.5 * (a + b);
            const double middle = slope(s, x);
            if ((middle > 0.0) == (fb > 0.0)) {
                b = x;
                fb = middle;
            } else {
                a = x;
                fa = middle;
            }
        }
    }
    consider(s, 0.5 * (a + b));
}

static int sign_changes(const double *b, int degree) {
    int changes = 0;
    double last = 0.0;
    for (int i = 0; i <= degree; i++) {
        if (b[i] == 0.0) continue;
        if (last * b[i] < 0.0) changes++;
        last = b[i] > 0.0 ? 1.0 : -1.0;
    }
    return changes;
}

/* b: Bernstein coefficients of p' on [a, a + width]; they are overwritten. */
static void look_inside(search *s, double *b, double a, double width) {
    const int degree = s->degree - 1;
    const int changes = sign_changes(b, degree);
    if (changes == 0) {
        consider(s, a);
        consider(s, a + width);
    } else if (changes == 1) {
        close_in(s, a, a + width);
    } else if (width < NARROW) {
        consider(s, a + 0.5 * width);
    } else {
        double left[TAUT_EXTREMUM_MOST] = {0.0};
        for (int i = 0; i <= degree; i++) {
            left[i] = b[0];
            for (int k = 0; k < degree - i; k++) b[k] = 0.5 * (b[k] + b[k + 1]);
        }
        look_inside(s, left, a, 0.5 * width);
        look_inside(s, b, a + 0.5 * width, 0.5 * width);
    }
}

/* Coefficients of p' from powers to Bernstein's basis: divided by binomials, then summed up. */
static void change_basis(const search *s, double *b) {
    const int n = s->degree - 1;
    double binomial = 1.0;
    for (int k = 0; k <= n; k++) {
        b[k] = (double)(k + 1) * s->c[k + 1] / binomial;
        binomial *= (double)(n - k) / (double)(k + 1);
    }
    for (int r = 1; r <= n; r++)
        for (int k = n; k >= r; k--) b[k] += b[k - 1];
}

double taut_extremum(const double *c, int degree, double sign, double floor, double *theta) {
    double most = sign * c[0], rest = 0.0, b[TAUT_EXTREMUM_MOST] = {0.0};
    while (degree > 0 && c[degree] == 0.0) degree--;
    search s = {c, degree, sign, -(double)INFINITY, 0.0};
    for (int k = 1; k <= degree; k++) {
        most += fmax(0.0, sign * c[k]);
        if (k > 1) rest += (double)k * fabs(c[k]);
    }
    *theta = 0.0;
    if (most <= floor) return most;
    consider(&s, 0.0);
    consider(&s, 1.0);
    /* most steps of most columns are monotone, and p'(0) tells it */
    if (degree > 1 && !(fabs(c[1]) > rest)) {
        change_basis(&s, b);
        look_inside(&s, b, 0.0, 1.0);
    }
    *theta = s.where;
    return s.best;
}
