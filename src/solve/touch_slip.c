/* Directions of slip in space: friction is against the rate that it leaves behind, which is found
 * by Newton's method for what turns them, from several starts. */
#include <math.h>
#include <string.h>

#include "solve/touch_parts.h"

enum { STARTS = 8, ROUNDS = 60, TURNS = (TAUT_TOUCH_WAYS - 1) * MOST };

static const double TWO_PI = 6.283185307179586;
static const double CONVERGED = 1e-14; /* change of a direction */
static const double CLOSE = 1e-9;      /* ... and with this one rounding is in the way */
static const double NUDGE = 1e-6;      /* for differences */
static const double LONGEST = 0.7;     /* turn of a step */
static const double BOUND = 1e-9;      /* mobility beside that along a line: there is none */
static const double OFF = 1e-6;        /* rates across it: there are none */

static bool is_unknown(const taut_combination *c, int i) {
    const taut_touch *t = &c->touch[i];
    return t->ways > 1 && t->rough && !t->slides && c->mode[i] == TAUT_TOUCH_UP;
}

/* The direction without friction; any, if there is none. */
static void find_free(const taut_touch *t, double *direction) {
    const double length = taut_touch_length(t->ways, t->free + 1);
    for (int k = 0; k < t->ways; k++)
        direction[k] = length > 0.0 ? t->free[1 + k] / length : k == 0 ? 1.0 : 0.0;
}

void taut_touch_aim(taut_combination *c) {
    for (int i = 0; i < c->count; i++) {
        const taut_touch *t = &c->touch[i];
        if (t->ways < 2) continue;
        if (t->slides)
            memcpy(c->direction[i], t->direction, sizeof c->direction[i]);
        else
            find_free(t, c->direction[i]);
    }
}

void taut_touch_across(int ways, const double *way, double across[][TAUT_TOUCH_WAYS]) {
    if (ways == 2) {
        across[0][0] = -way[1];
        across[0][1] = way[0];
        return;
    }
    const double sign = way[2] < 0.0 ? -1.0 : 1.0,
                 a = -1.0 / (sign + way[2]); /* Duff et al. 2017 */
    const double x = way[0], y = way[1], b = a * x * y;
    across[0][0] = 1.0 + sign * x * x * a;
    across[0][1] = sign * b;
    across[0][2] = -sign * x;
    across[1][0] = b;
    across[1][1] = sign + y * y * a;
    across[1][2] = -y;
}

/* How tangential rates of element i respond to its tangential forces while its gap stays closed. */
static void find_mobility(const taut_combination *c, int i, double S[][TAUT_TOUCH_WAYS]) {
    const taut_touch *t = &c->touch[i];
    const int at = ROWS * i;
    const double own = t->normal ? taut_touch_w(c, at, at) : 0.0;
    for (int a = 0; a < t->ways; a++)
        for (int b = 0; b < t->ways; b++) {
            S[a][b] = taut_touch_w(c, at + 1 + a, at + 1 + b);
            if (own > 0.0)
                S[a][b] -= taut_touch_w(c, at + 1 + a, at) * taut_touch_w(c, at, at + 1 + b) / own;
        }
}

/* Is its rate along a line, whatever the tangential forces? Behind an impact it may not be. */
static bool stays_on(const taut_combination *c, int i, const double *line) {
    const taut_touch *t = &c->touch[i];
    const int at = ROWS * i;
    const double own = t->normal ? taut_touch_w(c, at, at) : 0.0;
    double rate[TAUT_TOUCH_WAYS] = {0.0}, along = 0.0, noise = 0.0;
    for (int k = 0; k < t->ways; k++) {
        rate[k] = t->free[1 + k];
        if (own > 0.0) rate[k] -= taut_touch_w(c, at + 1 + k, at) * t->free[0] / own;
        along += rate[k] * line[k];
        noise = fmax(noise, t->noise[1 + k]);
    }
    const double size = taut_touch_length(TAUT_TOUCH_WAYS, rate);
    for (int k = 0; k < t->ways; k++) rate[k] -= along * line[k];
    return taut_touch_length(TAUT_TOUCH_WAYS, rate) <= OFF * size + noise;
}

/* Can it move along one line alone, because joints hold it otherwise? Then friction does not say in
 * which direction, least of all where accelerations vanish: it is known. */
static bool find_line(const taut_combination *c, int i, double *line) {
    double S[TAUT_TOUCH_WAYS][TAUT_TOUCH_WAYS];
    const int ways = c->touch[i].ways;
    int largest = 0;
    find_mobility(c, i, S);
    for (int k = 1; k < ways; k++)
        if (S[k][k] > S[largest][largest]) largest = k;
    const double own = S[largest][largest];
    if (!(own > 0.0)) return false;
    for (int a = 0; a < ways; a++)
        for (int b = 0; b < ways; b++)
            if (fabs(S[a][b] - S[a][largest] * S[largest][b] / own) > BOUND * own) return false;
    for (int k = 0; k < ways; k++) line[k] = S[k][largest];
    const double length = taut_touch_length(ways, line);
    for (int k = 0; k < ways; k++) line[k] /= length;
    return stays_on(c, i, line);
}

void taut_touch_search_begin(taut_touch_search *s, const taut_combination *c) {
    *s = (taut_touch_search){0};
    for (int i = 0; i < c->count; i++) {
        if (!is_unknown(c, i)) continue;
        s->bound[s->count] = find_line(c, i, s->line[s->count]);
        s->who[s->count++] = i;
    }
}

/* ---- turning ---- */

/* How directions can turn: each towards the vectors across it, unless it is bound to a line. */
typedef struct turning {
    int count;
    int of[TURNS]; /* [count] an element, ... */
    double across[TURNS][TAUT_TOUCH_WAYS];
} turning;

static void find_turning(const taut_touch_search *s, const taut_combination *c, turning *t) {
    t->count = 0;
    for (int k = 0; k < s->count; k++) {
        const int i = s->who[k], ways = c->touch[i].ways;
        if (s->bound[k]) continue;
        taut_touch_across(ways, c->direction[i], t->across + t->count);
        for (int d = 1; d < ways; d++) t->of[t->count++] = i;
    }
}

/* Turns a direction, and what it turns towards, by an angle. */
static void turn_by(taut_combination *c, turning *t, int k, double angle) {
    double *u = c->direction[t->of[k]], *v = t->across[k];
    const double cosine = cos(angle), sine = sin(angle);
    for (int d = 0; d < c->touch[t->of[k]].ways; d++) {
        const double x = u[d], y = v[d];
        u[d] = cosine * x + sine * y;
        v[d] = cosine * y - sine * x;
    }
}

/* How far friction is from being parallel to the rates. */
static bool find_misses(taut_combination *c, const turning *t, double *miss, taut_touch_answer *x) {
    if (!taut_touch_balance(c)) return false;
    taut_touch_find(c, x);
    for (int k = 0; k < t->count; k++) {
        const double *rate = x->rate + ROWS * t->of[k] + 1;
        miss[k] = 0.0;
        for (int d = 0; d < c->touch[t->of[k]].ways; d++) miss[k] += t->across[k][d] * rate[d];
    }
    return true;
}

/* The same with direction k turned by a small angle, which is taken back. */
static bool find_misses_beside(taut_combination *c, turning *t, int k, double angle, double *miss) {
    double u[TAUT_TOUCH_WAYS], v[TAUT_TOUCH_WAYS];
    taut_touch_answer x;
    memcpy(u, c->direction[t->of[k]], sizeof u);
    memcpy(v, t->across[k], sizeof v);
    turn_by(c, t, k, angle);
    const bool good = find_misses(c, t, miss, &x);
    memcpy(c->direction[t->of[k]], u, sizeof u);
    memcpy(t->across[k], v, sizeof v);
    return good;
}

/* Solves matrix d = miss, [n][n]; false: it is singular. */
static bool solve_small(int n, double matrix[][TURNS], double *x) {
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
static double step(const taut_touch_search *s, taut_combination *c) {
    double miss[TURNS] = {0.0}, ahead[TURNS], behind[TURNS];
    double matrix[TURNS][TURNS] = {{0.0}}, longest = 0.0;
    taut_touch_answer x;
    turning t;
    find_turning(s, c, &t);
    for (int k = 0; k < t.count; k++) {
        if (!find_misses_beside(c, &t, k, NUDGE, ahead)) return -1.0;
        if (!find_misses_beside(c, &t, k, -NUDGE, behind)) return -1.0;
        for (int i = 0; i < t.count; i++) matrix[i][k] = (ahead[i] - behind[i]) / (2.0 * NUDGE);
    }
    if (!find_misses(c, &t, miss, &x)) return -1.0;
    if (!solve_small(t.count, matrix, miss)) return -1.0;
    for (int k = 0; k < t.count; k++) longest = fmax(longest, fabs(miss[k]));
    if (!isfinite(longest)) return -1.0;
    const double part = longest > LONGEST ? LONGEST / longest : 1.0;
    for (int k = 0; k < t.count; k++) turn_by(c, &t, k, -part * miss[k]);
    for (int k = 0; k < s->count; k++) { /* turns one after the other round a little */
        double *u = c->direction[s->who[k]];
        const double length = taut_touch_length(c->touch[s->who[k]].ways, u);
        for (int d = 0; d < c->touch[s->who[k]].ways; d++) u[d] /= length;
    }
    return longest;
}

/* ---- starts ---- */

/* The direction without friction, turned by the start's number of eighths; in three dimensions the
 * last of these are at right angles to that plane. */
static void begin(taut_combination *c, int i, int start) {
    double across[2][TAUT_TOUCH_WAYS] = {{0.0}}, *u = c->direction[i];
    const int ways = c->touch[i].ways;
    find_free(&c->touch[i], u);
    taut_touch_across(ways, u, across);
    const bool aside = start > STARTS && ways > 2;
    const double angle = aside ? 0.25 * TWO_PI : start * (TWO_PI / STARTS);
    const double *v = across[aside ? 1 : 0], sign = start == STARTS + 2 ? -1.0 : 1.0;
    for (int d = 0; d < ways; d++) u[d] = cos(angle) * u[d] + sign * sin(angle) * v[d];
}

/* How many starts there are. */
static int starts_of(const taut_touch_search *s, const taut_combination *c) {
    int ways = 1;
    for (int k = 0; k < s->count; k++)
        if (c->touch[s->who[k]].ways > ways) ways = c->touch[s->who[k]].ways;
    return ways == 1 ? 1 : ways == 2 ? STARTS + 1 : STARTS + 3;
}

bool taut_touch_search_next(taut_touch_search *s, taut_combination *c, taut_touch_answer *x) {
    double miss[TURNS];
    turning t = {0};
    for (; s->start < starts_of(s, c); s->start++) {
        for (int k = 0; k < s->count; k++) {
            begin(c, s->who[k], s->start);
            for (int d = 0; d < TAUT_TOUCH_WAYS && s->bound[k]; d++)
                c->direction[s->who[k]][d] = s->start % 2 == 0 ? s->line[k][d] : -s->line[k][d];
        }
        double last = s->count > 0 ? 1.0 : 0.0;
        for (int round = 0; round < ROUNDS && last > CONVERGED; round++) {
            const double length = step(s, c);
            if (length < 0.0 || (length >= last && last < CLOSE)) {
                if (length < 0.0) last = 1.0;
                break;
            }
            last = length;
        }
        if (last > CLOSE || !find_misses(c, &t, miss, x)) continue;
        s->start++;
        return true;
    }
    return false;
}
