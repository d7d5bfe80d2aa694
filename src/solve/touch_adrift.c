/* Elements without a force because the others hold them: would another share of the load be another
 * motion? In the plane, for any number of elements. */
#include <math.h>
#include <string.h>

#include "solve/touch_parts.h"

enum { UNKNOWNS = 2 * TAUT_TOUCH_MOST };

static const double SINGULAR = 1e-10; /* a pivot that is so small beside its row is none */
static const double DIFFERENT = 1e-6; /* of rates, beside what they consist of */

/* What friction of a sliding element is for each unit of its normal force. */
static double drag_of(const taut_touch *t, const taut_touch_answer *x, int i) {
    const double rate = x->rate[ROWS * i + 1];
    if (!t->rough || x->mode[i] == TAUT_TOUCH_CLOSED || x->mode[i] == TAUT_TOUCH_OPEN) return 0.0;
    if (x->mode[i] == TAUT_TOUCH_UP) return -t->slip[0];
    if (x->mode[i] == TAUT_TOUCH_DOWN) return t->slip[1];
    if (t->slides) return t->may >> TAUT_TOUCH_UP & 1u ? -t->slip[0] : t->slip[1];
    return rate > 0.0 ? -t->slip[0] : rate < 0.0 ? t->slip[1] : 0.0;
}

/* Gaussian elimination with pivots by rows; false: it is singular. */
static bool eliminate(int n, double a[][UNKNOWNS], double *x) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        double size = 0.0;
        for (int i = k; i < n; i++) {
            if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
            for (int j = k; j < n; j++) size = fmax(size, fabs(a[i][j]));
        }
        if (!(fabs(a[pivot][k]) > SINGULAR * size)) return false;
        for (int j = 0; j < n && pivot != k; j++) {
            const double y = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = y;
        }
        const double y = x[k];
        x[k] = x[pivot];
        x[pivot] = y;
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= factor * a[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
    return true;
}

/* The rates that force `row` makes, with the friction that belongs to it. */
static double response(const taut_touch *touch, int count, const double *W,
                       const taut_touch_answer *x, int r, int row) {
    const int i = row / ROWS;
    const double drag = row % ROWS == 0 ? drag_of(&touch[i], x, i) : 0.0;
    return W[r * ROWS * count + row] + drag * W[r * ROWS * count + ROWS * i + 1];
}

bool taut_touch_is_adrift(const taut_touch *touch, int count, const double *W,
                          const taut_touch_answer *x, int idle) {
    double a[UNKNOWNS][UNKNOWNS], z[UNKNOWNS];
    int row[UNKNOWNS], n = 0;
    for (int i = 0; i < count; i++) { /* forces that their conditions tell */
        const int mode = x->mode[i];
        if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE || i == idle) continue;
        if (touch[i].normal) row[n++] = ROWS * i;
        if (touch[i].rough && mode == TAUT_TOUCH_CLOSED) row[n++] = ROWS * i + 1;
    }
    for (int k = 0; k < n; k++) {
        for (int m = 0; m < n; m++) a[k][m] = response(touch, count, W, x, row[k], row[m]);
        z[k] = -response(touch, count, W, x, row[k], ROWS * idle);
    }
    if (!eliminate(n, a, z)) return false;
    for (int k = 0; k < n; k++) /* those that carry nothing cannot carry less */
        if (touch[row[k] / ROWS].normal && row[k] % ROWS == 0 && !(x->force[row[k]] > 0.0) &&
            z[k] < 0.0)
            return false;
    for (int r = 0; r < ROWS * count; r++) {
        double rate = response(touch, count, W, x, r, ROWS * idle), size = fabs(rate);
        for (int k = 0; k < n; k++) {
            const double part = response(touch, count, W, x, r, row[k]) * z[k];
            rate += part;
            size += fabs(part);
        }
        if (fabs(rate) > DIFFERENT * size) return true;
    }
    return false;
}
