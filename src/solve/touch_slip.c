/* Directions of slip in space: friction is against the rate that it leaves behind, which is found
 * by Newton's method for the angles, from several starts. */
#include <math.h>

#include "solve/touch_parts.h"

enum { STARTS = 8, ROUNDS = 60 };

static const double TWO_PI = 6.283185307179586;
static const double CONVERGED = 1e-14; /* change of an angle */
static const double CLOSE = 1e-9;      /* ... and with this one rounding is in the way */
static const double NUDGE = 1e-6;      /* for differences */
static const double LONGEST = 0.7;     /* step of an angle */

static bool is_unknown(const taut_combination *c, int i) {
    const taut_touch *t = &c->touch[i];
    return t->spatial && t->rough && !t->slides && c->mode[i] == TAUT_TOUCH_UP;
}

void taut_touch_aim(taut_combination *c) {
    for (int i = 0; i < c->count; i++) {
        const taut_touch *t = &c->touch[i];
        const double length = hypot(t->free[1], t->free[2]);
        if (!t->spatial) continue;
        for (int k = 0; k < 2; k++)
            c->direction[i][k] = t->slides      ? t->direction[k]
                                 : length > 0.0 ? t->free[1 + k] / length
                                                : (k == 0 ? 1.0 : 0.0);
    }
}

void taut_touch_search_begin(taut_touch_search *s, const taut_combination *c) {
    *s = (taut_touch_search){0};
    for (int i = 0; i < c->count; i++)
        if (is_unknown(c, i)) s->who[s->count++] = i;
}

/* How far friction is from being parallel to the rates, for these angles. */
static bool find_turns(const taut_touch_search *s, taut_combination *c, const double *angle,
                       double *turn, taut_touch_answer *x) {
    for (int k = 0; k < s->count; k++) {
        c->direction[s->who[k]][0] = cos(angle[k]);
        c->direction[s->who[k]][1] = sin(angle[k]);
    }
    if (!taut_touch_balance(c)) return false;
    taut_touch_find(c, x);
    for (int k = 0; k < s->count; k++) {
        const double *d = c->direction[s->who[k]], *rate = x->rate + ROWS * s->who[k] + 1;
        turn[k] = d[0] * rate[1] - d[1] * rate[0];
    }
    return true;
}

/* Solves matrix d = turn, [n][n]; false: it is singular. */
static bool solve_small(int n, double matrix[][TAUT_TOUCH_MOST], double *x) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(matrix[i][k]) > fabs(matrix[pivot][k])) pivot = i;
        if (!(fabs(matrix[pivot][k]) > 0.0)) return false;
        for (int j = 0; j < n; j++) {
            const double y = matrix[k][j];
            matrix[k][j] = matrix[pivot][j];
            matrix[pivot][j] = y;
        }
        const double y = x[k];
        x[k] = x[pivot];
        x[pivot] = y;
        for (int i = k + 1; i < n; i++) {
            const double factor = matrix[i][k] / matrix[k][k];
            for (int j = k; j < n; j++) matrix[i][j] -= factor * matrix[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= matrix[k][j] * x[j];
        x[k] /= matrix[k][k];
    }
    return true;
}

/* One step of Newton's method; returns its length, negative if there is none. */
static double step(const taut_touch_search *s, taut_combination *c, double *angle) {
    double turn[TAUT_TOUCH_MOST] = {0.0}, ahead[TAUT_TOUCH_MOST], behind[TAUT_TOUCH_MOST];
    double matrix[TAUT_TOUCH_MOST][TAUT_TOUCH_MOST] = {{0.0}}, longest = 0.0;
    taut_touch_answer x;
    for (int k = 0; k < s->count; k++) {
        const double here = angle[k];
        angle[k] = here + NUDGE;
        if (!find_turns(s, c, angle, ahead, &x)) return -1.0;
        angle[k] = here - NUDGE;
        if (!find_turns(s, c, angle, behind, &x)) return -1.0;
        angle[k] = here;
        for (int i = 0; i < s->count; i++) matrix[i][k] = (ahead[i] - behind[i]) / (2.0 * NUDGE);
    }
    if (!find_turns(s, c, angle, turn, &x)) return -1.0;
    if (!solve_small(s->count, matrix, turn)) return -1.0;
    for (int k = 0; k < s->count; k++) longest = fmax(longest, fabs(turn[k]));
    if (!isfinite(longest)) return -1.0;
    const double part = longest > LONGEST ? LONGEST / longest : 1.0;
    for (int k = 0; k < s->count; k++) angle[k] -= part * turn[k];
    return longest;
}

bool taut_touch_search_next(taut_touch_search *s, taut_combination *c, taut_touch_answer *x) {
    double angle[TAUT_TOUCH_MOST], turn[TAUT_TOUCH_MOST];
    for (; s->start <= (s->count > 0 ? STARTS : 0); s->start++) {
        for (int k = 0; k < s->count; k++) {
            const taut_touch *t = &c->touch[s->who[k]];
            angle[k] = atan2(t->free[2], t->free[1]) + s->start * (TWO_PI / STARTS);
        }
        double last = s->count > 0 ? 1.0 : 0.0;
        for (int round = 0; round < ROUNDS && last > CONVERGED; round++) {
            const double length = step(s, c, angle);
            if (length < 0.0 || (length >= last && last < CLOSE)) {
                if (length < 0.0) last = 1.0;
                break;
            }
            last = length;
        }
        if (last > CLOSE || !find_turns(s, c, angle, turn, x)) continue;
        s->start++;
        return true;
    }
    return false;
}
