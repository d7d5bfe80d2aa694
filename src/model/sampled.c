/* Which piece of a table holds where, and what it is in numbers. */
#include "model/sampled.h"

#include <math.h>
#include <string.h>

static const double FAR = 1e200; /* beyond every number of a model */

int taut_sampled_coefs(const taut_sampled *t) {
    const int width = t->degree + 1;
    return t->axes == 1 ? width : width * width;
}

/* ---- where ---- */

static double first_knot(const taut_sampled *t, int axis) { return t->knot[axis][0]; }
static double last_knot(const taut_sampled *t, int axis) { return t->knot[axis][t->count[axis]]; }

/* The number of periods before piece `index`. */
static long periods(const taut_sampled *t, int axis, long index) {
    const long n = t->count[axis];
    return index >= 0 ? index / n : -((n - 1 - index) / n);
}

/* Pieces that begin at x or before, of those inside, less one. */
static long find_inside(const taut_sampled *t, int axis, double x) {
    long low = -1, high = t->count[axis] + 1;
    while (high - low > 1) {
        const long middle = low + (high - low) / 2;
        if (x >= t->knot[axis][middle])
            low = middle;
        else
            high = middle;
    }
    return low;
}

long taut_sampled_locate(const taut_sampled *t, int axis, double x, int way) {
    const double begin = first_knot(t, axis), span = last_knot(t, axis) - begin;
    double turns = 0.0;
    if (t->outside == TAUT_OUTSIDE_PERIODIC) turns = floor((x - begin) / span);
    if (!(fabs(turns) < 1e9)) turns = 0.0;
    long index = find_inside(t, axis, x - turns * span);
    if (t->outside == TAUT_OUTSIDE_PERIODIC) {
        if (index < 0) index = 0; /* rounding of the reduction */
        if (index >= t->count[axis]) index = t->count[axis] - 1;
    } else if (index == t->count[axis] && x == last_knot(t, axis) && way <= 0) {
        return index - 1;
    }
    const bool on_knot =
        index >= 0 && index <= t->count[axis] && x - turns * span == t->knot[axis][index];
    if (way < 0 && on_knot) index--;
    return index + (long)turns * t->count[axis];
}

bool taut_sampled_is_outside(const taut_sampled *t, int axis, long index) {
    return t->outside == TAUT_OUTSIDE_ERROR && (index < 0 || index >= t->count[axis]);
}

/* ---- what ---- */

/* Along one argument: the piece inside from which one outside is made, and where that happens. */
typedef struct along {
    int piece;
    int beyond; /* -1, 1: it is outside */
    double end; /* where it leaves the inside */
} along;

static along head_of(const taut_sampled *t, int axis, long index, double *head) {
    const long n = t->count[axis];
    const double *knot = t->knot[axis], span = last_knot(t, axis) - first_knot(t, axis);
    const long turns = t->outside == TAUT_OUTSIDE_PERIODIC ? periods(t, axis, index) : 0;
    along a = {.piece = (int)(index - turns * n)};
    const double shift = (double)turns * span;
    if (a.piece < 0) a = (along){0, -1, knot[0]};
    if (a.piece >= n) a = (along){(int)n - 1, 1, knot[n]};
    head[0] = a.beyond == 0 ? knot[a.piece] + shift : a.beyond > 0 ? knot[n] : -FAR;
    head[1] = a.beyond == 0 ? knot[a.piece + 1] + shift : a.beyond < 0 ? knot[0] : FAR;
    head[2] = a.beyond == 0 ? t->about[axis][a.piece] + shift : a.end;
    return a;
}

void taut_sampled_ends(const taut_sampled *t, int axis, long index, double end[2]) {
    double head[TAUT_PIECE_HEAD];
    head_of(t, axis, index, head);
    end[0] = head[0];
    end[1] = head[1];
}

/* c[0], c[step], ... by powers becomes what holds beyond the end: a constant or a straight line. */
static void leave(const taut_sampled *t, int axis, const along *a, double *c, int step) {
    double own[32], u = a->end - t->about[axis][a->piece];
    for (int k = 0; k <= t->degree; k++) own[k] = c[k * step];
    for (int k = 0; k <= t->degree; k++) c[k * step] = 0.0;
    c[0] = taut_powers_value(own, t->degree, 0, u);
    if (t->degree > 0 && t->outside != TAUT_OUTSIDE_HOLD)
        c[step] = taut_powers_value(own, t->degree, 1, u);
}

void taut_sampled_piece(const taut_sampled *t, const long *index, double *number) {
    const int width = t->degree + 1, coefs = taut_sampled_coefs(t);
    double *c = number + TAUT_PIECE_HEAD * t->axes;
    along a[TAUT_TABLE_AXES] = {{0}};
    for (int axis = 0; axis < t->axes && axis < TAUT_TABLE_AXES; axis++)
        a[axis] = head_of(t, axis, index[axis], number + TAUT_PIECE_HEAD * axis);
    const size_t piece = (size_t)a[0].piece * (size_t)t->count[1] + (size_t)a[1].piece;
    memcpy(c, t->coef + piece * (size_t)coefs, (size_t)coefs * sizeof *c);
    if (a[0].beyond != 0)
        for (int k = 0; k < coefs / width; k++) leave(t, 0, &a[0], c + k, coefs / width);
    if (a[1].beyond != 0)
        for (int k = 0; k < width; k++) leave(t, 1, &a[1], c + k * width, 1);
}

double taut_sampled_value(const taut_sampled *t, const double *number, const double *x) {
    const int width = t->degree + 1;
    const double *c = number + TAUT_PIECE_HEAD * t->axes;
    const double u = x[0] - number[2];
    double sum = 0.0;
    if (t->axes == 1) return taut_powers_value(c, t->degree, 0, u);
    const double v = x[1] - number[TAUT_PIECE_HEAD + 2];
    for (int k = t->degree; k >= 0; k--)
        sum = sum * u + taut_powers_value(c + k * width, t->degree, 0, v);
    return sum;
}

/* The value at a corner. */
static double corner(const taut_sampled *t, int i, int j, double *work) {
    const long index[] = {i ? t->count[0] - 1 : 0, j ? t->count[1] - 1 : 0};
    const double x[] = {i ? last_knot(t, 0) : first_knot(t, 0), t->axes < 2 ? 0.0
                                                                : j         ? last_knot(t, 1)
                                                                            : first_knot(t, 1)};
    taut_sampled_piece(t, index, work);
    return taut_sampled_value(t, work, x);
}

void taut_sampled_rough(const taut_sampled *t, double *number) {
    const int width = t->degree + 1;
    const double z = corner(t, 0, 0, number), ahead = corner(t, 1, 0, number),
                 across = t->axes > 1 ? corner(t, 0, 1, number) : z;
    double *c = number + TAUT_PIECE_HEAD * t->axes;
    memset(number, 0, (size_t)taut_sampled_numbers(t) * sizeof *number);
    for (int axis = 0; axis < t->axes; axis++) {
        double *head = number + TAUT_PIECE_HEAD * axis;
        head[0] = -FAR;
        head[1] = FAR;
        head[2] = first_knot(t, axis);
    }
    c[0] = z;
    if (t->degree == 0) return;
    c[t->axes > 1 ? width : 1] = (ahead - z) / (last_knot(t, 0) - first_knot(t, 0));
    if (t->axes > 1) c[1] = (across - z) / (last_knot(t, 1) - first_knot(t, 1));
}
