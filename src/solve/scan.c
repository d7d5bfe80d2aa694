/* Bisection of the step, as parts s from 0 to 1 of it. */
#include "solve/scan.h"

#include <math.h>

enum { DEPTH = 26, MOST_LOOKS = 600 }; /* a part is not bisected further; nor are more looked at */

typedef struct piece {
    double low, high; /* parts of the step */
    int depth;
} piece;

static double time_of(const taut_scan *x, double s) { return x->from + s * (x->to - x->from); }

/* How far the function may be off in a piece. */
static double bound(const taut_scan *x, double low, double high) {
    const double a = time_of(x, low), b = time_of(x, high);
    const taut_interval times = {fmin(a, b), fmax(a, b)};
    const taut_interval r = taut_sample_range(x->sample, x->node, times, x->work);
    return fmax(fabs(r.low - x->value), fabs(r.high - x->value));
}

/* Into the half that may be further off, again and again. */
static double find_most(const taut_scan *x, double *off) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < DEPTH; i++) {
        const double middle = 0.5 * (low + high);
        const double left = bound(x, low, middle), right = bound(x, middle, high);
        if (right > left)
            low = middle;
        else
            high = middle;
        *off = fmax(left, right);
    }
    return 0.5 * (low + high);
}

/* The first piece that may be off by this much. */
static double find_first(const taut_scan *x, double off, double otherwise) {
    piece stack[DEPTH + 2] = {{0.0, 1.0, 0}};
    int pieces = 1;
    for (int looks = 0; pieces > 0 && looks < MOST_LOOKS; looks++) {
        const piece p = stack[--pieces];
        const double middle = 0.5 * (p.low + p.high);
        if (!(bound(x, p.low, p.high) >= off)) continue;
        if (p.depth == DEPTH) return middle;
        stack[pieces++] = (piece){middle, p.high, p.depth + 1};
        stack[pieces++] = (piece){p.low, middle, p.depth + 1};
    }
    return otherwise;
}

bool taut_scan_find(const taut_scan *x, double *most, double *first) {
    double off = 0.0;
    if (bound(x, 0.0, 1.0) <= x->limit) return false;
    const double s = find_most(x, &off);
    if (!(off > x->limit) || !isfinite(off)) return false;
    *most = time_of(x, s);
    *first = time_of(x, find_first(x, fmax(0.5 * off, x->limit), s));
    return true;
}
