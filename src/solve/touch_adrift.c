/* Elements without a force because the others hold them: would another share of the load be another
 * motion? In the plane, for any number of elements. */
#include <math.h>

#include "core/reflections.h"
#include "solve/touch_parts.h"

enum { UNKNOWNS = 2 * TAUT_TOUCH_MOST };

static const double SINGULAR = 1e-10; /* a pivot that is so small beside the entries is none */
static const double SLACK = 1e-10;    /* rates up to this are none, beside what they consist of */
static const double DIFFERENT = 1e-6; /* of rates, beside what they consist of */

/* What a rate consists of, without signs. */
static double size_of(const taut_touch *touch, int count, const double *W,
                      const taut_touch_answer *x, int r) {
    double size = fabs(touch[r / ROWS].free[r % ROWS]);
    for (int j = 0; j < ROWS * count; j++) size += fabs(W[r * ROWS * count + j] * x->force[j]);
    return size;
}

/* What friction of element i is for each unit of its normal force: two values where it has no force
 * and begins to slide with no rate yet, which may be one way or the other. Returns their number. */
static int drags_of(const taut_touch *t, const taut_touch_answer *x, int i, double slack,
                    double drag[2]) {
    const double rate = x->rate[ROWS * i + 1];
    const int mode = x->mode[i];
    const bool free = t->rough && mode == TAUT_TOUCH_IDLE;
    drag[0] = -t->slip[0];
    drag[1] = t->slip[1];
    if (free && !t->slides && fabs(rate) <= slack) return 2;
    if (!t->rough || mode == TAUT_TOUCH_CLOSED || mode == TAUT_TOUCH_OPEN)
        drag[0] = 0.0;
    else if (mode == TAUT_TOUCH_DOWN ||
             (free && (t->slides ? !(t->may >> TAUT_TOUCH_UP & 1u) : rate < 0.0)))
        drag[0] = drag[1];
    return 1;
}

/* Solves a y = x, by columns; y is in x. False: a is singular, or nearly so. */
static bool solve(int n, double *a, double *x) {
    double size = 0.0;
    for (int k = 0; k < n * n; k++) size = fmax(size, fabs(a[k]));
    if (!taut_eliminate(n, 1, a, x)) return false;
    for (int k = 0; k < n; k++) /* pivots */
        if (!(fabs(a[k * n + k]) > SINGULAR * size)) return false;
    return true;
}

/* The question, and the friction that belongs to normal forces. */
typedef struct adrift {
    const taut_touch *touch;
    int count;
    const double *W;
    const taut_touch_answer *x;
    double drag[TAUT_TOUCH_MOST];
} adrift;

/* The rate r that force `row` makes, with the friction that belongs to it. */
static double response(const adrift *q, int r, int row) {
    const int size = ROWS * q->count, i = row / ROWS;
    const double drag = row % ROWS == 0 ? q->drag[i] : 0.0;
    return q->W[r * size + row] + drag * q->W[r * size + ROWS * i + 1];
}

/* Is it another motion if element `idle` has a force, with this friction? */
static bool moves_otherwise(const adrift *q, int idle) {
    const taut_touch_answer *x = q->x;
    double a[UNKNOWNS * UNKNOWNS], z[UNKNOWNS];
    int row[UNKNOWNS], n = 0;
    for (int i = 0; i < q->count; i++) { /* forces that their conditions tell */
        const int mode = x->mode[i];
        if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE || i == idle) continue;
        if (q->touch[i].normal) row[n++] = ROWS * i;
        if (q->touch[i].rough && mode == TAUT_TOUCH_CLOSED) row[n++] = ROWS * i + 1;
    }
    for (int k = 0; k < n; k++) {
        for (int m = 0; m < n; m++) a[m * n + k] = response(q, row[k], row[m]);
        z[k] = -response(q, row[k], ROWS * idle);
    }
    if (!solve(n, a, z)) return false;
    for (int k = 0; k < n; k++) /* those that carry nothing cannot carry less */
        if (q->touch[row[k] / ROWS].normal && row[k] % ROWS == 0 && !(x->force[row[k]] > 0.0) &&
            z[k] < 0.0)
            return false;
    for (int r = 0; r < ROWS * q->count; r++) {
        double rate = response(q, r, ROWS * idle), size = fabs(rate);
        for (int k = 0; k < n; k++) {
            const double part = response(q, r, row[k]) * z[k];
            rate += part;
            size += fabs(part);
        }
        if (fabs(rate) > DIFFERENT * size) return true;
    }
    return false;
}

bool taut_touch_is_adrift(const taut_touch *touch, int count, const double *W,
                          const taut_touch_answer *x, int idle) {
    adrift q = {.touch = touch, .count = count, .W = W, .x = x};
    double drag[2];
    bool other = true; /* whichever way it begins to slide */
    for (int i = 0; i < count; i++) {
        drags_of(&touch[i], x, i, 0.0, drag);
        q.drag[i] = drag[0];
    }
    const int row = ROWS * idle + 1;
    const double slack = SLACK * size_of(touch, count, W, x, row) + touch[idle].noise[1];
    const int ways = drags_of(&touch[idle], x, idle, slack, drag);
    for (int k = 0; k < ways && other; k++) {
        q.drag[idle] = drag[k];
        other = moves_otherwise(&q, idle);
    }
    return other;
}
