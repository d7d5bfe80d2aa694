/* Isolation of roots in Bernstein form. A piece is excluded if all its coefficients are on one side
 * of zero; if it is monotone or has a single extremum, it is cut there and the values at the cuts
 * tell what crosses; otherwise it is halved. Pieces are visited from left to right, so the scan of
 * the values at their ends needs no list. */
#include "solve/event.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DEEPEST = 56, POLISH = 100 }; /* halvings; iterations for one root */

taut_status taut_root_finder_create(int most, taut_arena *arena, taut_root_finder *f) {
    const size_t width = (size_t)most + 1;
    *f = (taut_root_finder){.most = most};
    f->stack = TAUT_NEW_ARRAY(arena, width * (DEEPEST + 2), double);
    f->from = TAUT_NEW_ARRAY(arena, DEEPEST + 2, double);
    f->to = TAUT_NEW_ARRAY(arena, DEEPEST + 2, double);
    f->work = TAUT_NEW_ARRAY(arena, width, double);
    f->root = TAUT_NEW_ARRAY(arena, 2 * width + 2, taut_zero);
    return f->stack && f->from && f->to && f->work && f->root ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* A search under way. */
typedef struct scan {
    taut_root_finder *finder;
    const double *c; /* without the known zeros at the start */
    int n;
    double noise, rho;
    int side;      /* the last sign that was certain */
    double last;   /* where */
    bool near;     /* since then values were too small to have a sign: ... */
    double best;   /* ... where the smallest one was, ... */
    double least;  /* ... and its size */
    bool extremum; /* it is a smooth extremum, on the side of the last sign */
} scan;

static double value(const scan *s, double x) {
    double sum = 0.0;
    for (int k = s->n; k >= 0; k--) sum = sum * x + s->c[k];
    return sum;
}

static double slope(const scan *s, double x) {
    double sum = 0.0;
    for (int k = s->n; k >= 1; k--) sum = sum * x + k * s->c[k];
    return sum;
}

static double bend(const scan *s, double x) {
    double sum = 0.0;
    for (int k = s->n; k >= 2; k--) sum = sum * x + (double)k * (k - 1) * s->c[k];
    return sum;
}

typedef double function(const scan *s, double x);

/* A zero of f between a and b, where its signs differ: Newton's method, kept inside. */
static double polish(const scan *s, function *f, function *df, double a, double b) {
    double fa = f(s, a);
    const double fb = f(s, b);
    if (fa == 0.0) return a;
    if (fb == 0.0) return b;
    if ((fa > 0.0) == (fb > 0.0)) return fabs(fa) < fabs(fb) ? a : b;
    double x = a - fa * (b - a) / (fb - fa);
    for (int i = 0; i < POLISH && b - a > DBL_EPSILON * b; i++) {
        if (!(x > a && x < b)) x = 0.5 * (a + b);
        const double fx = f(s, x), d = df(s, x);
        if (fx == 0.0) return x;
        if ((fx > 0.0) == (fa > 0.0)) {
            a = x;
            fa = fx;
        } else {
            b = x;
        }
        const double next = x - fx / d;
        if (fabs(next - x) <= 0.5 * DBL_EPSILON * fabs(x)) return x;
        /* Newton steps that close the bracket from one side only are halved now and then */
        x = i % 8 == 7 ? 0.5 * (a + b) : next;
    }
    return x;
}

/* ---- the scan of values ---- */

static void emit(scan *s, double theta, int way) {
    taut_root_finder *f = s->finder;
    if (f->roots < 2 * f->most + 2) f->root[f->roots++] = (taut_zero){theta, way};
}

/* The value at a point to the right of all before. */
static void see(scan *s, double x, double v, bool extremum) {
    const int sign = v > s->noise ? 1 : v < -s->noise ? -1 : 0;
    const bool grazes = extremum && sign == s->side && fabs(v) <= s->noise + s->rho;
    if (sign == 0 || grazes) {
        if (!s->near || fabs(v) < s->least) {
            s->best = x;
            s->least = fabs(v);
        }
        s->near = true;
        return;
    }
    if (s->side != 0 && sign != s->side)
        emit(s, x > s->last ? polish(s, value, slope, s->last, x) : x, sign);
    else if (s->side != 0 && s->near)
        emit(s, s->best, 0);
    s->side = sign;
    s->last = x;
    s->near = false;
}

/* At the end of the step a value without a sign is a crossing if the slope is clear. */
static void finish(scan *s) {
    taut_root_finder *f = s->finder;
    f->undecided = false;
    if (s->near && s->side != 0) {
        const double g1 = slope(s, 1.0), g2 = fabs(bend(s, 1.0));
        const bool clear = g1 * s->side < 0.0 && g1 * g1 > 16.0 * s->noise * (g2 + s->noise);
        if (clear) {
            const double before = value(s, s->last), after = value(s, 1.0);
            const bool inside = (before > 0.0) != (after > 0.0);
            emit(s, inside ? polish(s, value, slope, s->last, 1.0) : 1.0, -s->side);
            s->side = -s->side;
        } else {
            f->undecided = true;
        }
    }
    f->side = s->side;
}

/* ---- pieces ---- */

/* Bernstein coefficients over [0, 1] from those of powers: b_i = sum of C(i,j)/C(n,j) c_j. */
static void to_bernstein(const double *c, int n, double *b) {
    for (int i = 0; i <= n; i++) {
        double weight = 1.0, sum = c[0];
        for (int j = 1; j <= i; j++) {
            weight *= (double)(i - j + 1) / (n - j + 1);
            sum += weight * c[j];
        }
        b[i] = sum;
    }
}

/* Cuts b at x (of its piece) into left and b itself, which becomes the right one. */
static void cut(double *b, double *left, int n, double x) {
    left[0] = b[0];
    for (int k = 1; k <= n; k++) {
        for (int i = 0; i <= n - k; i++) b[i] += x * (b[i + 1] - b[i]);
        left[k] = b[0];
    }
}

/* Have all coefficients the same sign, clearly? rho is for what the polynomial leaves out. */
static bool is_clear(const double *b, int n, double margin) {
    const bool up = b[0] > 0.0;
    for (int i = 0; i <= n; i++)
        if (!(up ? b[i] > margin : b[i] < -margin)) return false;
    return true;
}

static bool is_noise(const double *b, int n, double noise) {
    for (int i = 0; i <= n; i++)
        if (fabs(b[i]) > noise) return false;
    return true;
}

/* Changes of sign in the differences of the coefficients: at least as many as extrema. */
static int variations(const double *b, int n) {
    int count = 0, sign = 0;
    for (int i = 0; i < n; i++) {
        const double d = b[i + 1] - b[i];
        const int now = d > 0.0 ? 1 : d < 0.0 ? -1 : sign;
        if (sign != 0 && now != sign) count++;
        sign = now;
    }
    return count;
}

/* A piece with at most one extremum. */
static void pass(scan *s, const double *b, double from, double to, int extrema) {
    if (extrema == 1) {
        const double x = polish(s, slope, bend, from, to);
        if (x > from && x < to) see(s, x, value(s, x), true);
    }
    see(s, to, b[s->n], false);
}

static void isolate(scan *s) {
    taut_root_finder *f = s->finder;
    const int n = s->n;
    const size_t width = (size_t)n + 1;
    int depth = 0;
    to_bernstein(s->c, n, f->stack);
    f->from[0] = 0.0;
    f->to[0] = 1.0;
    see(s, 0.0, f->stack[0], false);
    while (depth >= 0) {
        double *b = f->stack + (size_t)depth * width;
        const double from = f->from[depth], to = f->to[depth];
        const double margin = s->noise + s->rho * pow(to, n);
        const int extrema =
            is_clear(b, n, margin) || is_noise(b, n, s->noise) ? 0 : variations(b, n);
        if (extrema <= 1 || depth == DEEPEST || !(0.5 * (from + to) > from)) {
            pass(s, b, from, to, extrema);
            depth--;
            continue;
        }
        const double middle = 0.5 * (from + to);
        cut(b, b + width, n, 0.5); /* the left half goes on top */
        f->from[depth] = f->from[depth + 1] = from;
        f->from[depth] = middle;
        f->to[depth + 1] = middle;
        depth++;
    }
}

/* ---- the whole ---- */

int taut_root_zeros(const double *c, int order, double noise) {
    int zeros = 1;
    double size = noise;
    for (int k = 0; k <= order; k++) size += fabs(c[k]);
    while (zeros <= order && fabs(c[zeros]) <= 16.0 * DBL_EPSILON * size + noise) zeros++;
    return zeros;
}

void taut_roots_find(taut_root_finder *f, const taut_root_query *q) {
    scan s = {.finder = f, .c = q->c + q->zeros, .n = q->order - q->zeros, .rho = q->rho};
    double rest = 0.0;
    f->roots = 0;
    f->side = q->side;
    f->undecided = false;
    if (s.n < 0) return;
    while (s.n > 0 && s.c[s.n] == 0.0) s.n--;
    for (int k = 1; k <= s.n; k++) rest += fabs(s.c[k]);
    if (q->zeros == 0) s.side = q->side;
    s.noise = 2.0 * DBL_EPSILON * (rest + fabs(s.c[0])) + q->noise;
    const int sign = s.c[0] > 0.0 ? 1 : -1;
    if (fabs(s.c[0]) > rest + s.rho + s.noise && (s.side == 0 || s.side == sign)) {
        f->side = sign; /* by far the most frequent case */
        return;
    }
    isolate(&s);
    finish(&s);
}
