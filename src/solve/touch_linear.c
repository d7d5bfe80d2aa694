/* one combination of modes of touching elements: a linear system for the forces. */
#include <math.h>
#include <string.h>

#include "solve/touch_parts.h"

static const double SINGULAR = 1e-10; /* a pivot that is so small beside its row is none */
static const double CONVERGED = 1e-13;
static const double FAR = 1e6;
enum { REWEIGHTINGS = 12 };
enum { ROUNDS = 40 }; /* of Newton's method for friction by loads */

/* ---- the system ---- */

static void add_unknown(taut_combination *c, int force, bool loaded) {
    c->row[c->unknowns] = force;
    c->loaded[c->unknowns] = loaded;
    c->any = c->any || loaded;
    c->map[force][c->unknowns++] = 1.0;
}

/* Friction of element i while it slides: in proportion to N, or given. */
static void add_slip(taut_combination *c, int i, int normal) {
    const taut_touch *t = &c->touch[i];
    const bool up = c->mode[i] == TAUT_TOUCH_UP;
    for (int k = 0; k < t->ways; k++) { /* against the rate */
        const double level = t->ways > 1 ? -t->slip[0] * c->direction[i][k]
                             : up        ? -t->slip[0]
                                         : t->slip[1];
        if (t->normal)
            c->map[ROWS * i + 1 + k][normal] = level;
        else
            c->fixed[ROWS * i + 1 + k] = level;
    }
}

static void add_element(taut_combination *c, int i) {
    const taut_touch *t = &c->touch[i];
    const int mode = c->mode[i], normal = c->unknowns;
    if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE) return;
    if (t->normal) add_unknown(c, ROWS * i, false);
    if (!t->rough) return;
    if (t->loads > 0 && (mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN)) {
        for (int k = 1; k <= t->ways; k++) add_unknown(c, ROWS * i + k, true);
        return;
    }
    if (mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN) {
        add_slip(c, i, normal);
        return;
    }
    for (int k = 1; k <= t->ways; k++) {
        if (taut_touch_holds(mode, k))
            c->fixed[ROWS * i + k] = c->given[i][k - 1];
        else
            add_unknown(c, ROWS * i + k, false);
    }
}

double taut_touch_load(const taut_touch *t, int count, const double *force, double *gradient) {
    double load[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    for (int k = 0; k < t->loads; k++) {
        load[k] = t->load[k];
        for (int j = 0; j < ROWS * count; j++) load[k] += t->by[k][j] * force[j];
        sum += load[k] * load[k];
    }
    const double length = sqrt(sum);
    for (int j = 0; j < ROWS * count && gradient; j++) {
        gradient[j] = 0.0;
        for (int k = 0; k < t->loads && length > 0.0; k++)
            gradient[j] += load[k] / length * t->by[k][j];
    }
    return length;
}

/* The equation of friction by a load, linear near the guess: T + level N = 0. */
static void set_up_law(taut_combination *c, int k) {
    const int r = c->row[k], i = r / ROWS;
    const taut_touch *t = &c->touch[i];
    const double level = t->ways > 1                   ? t->slip[0] * c->direction[i][r % ROWS - 1]
                         : c->mode[i] == TAUT_TOUCH_UP ? t->slip[0]
                                                       : -t->slip[1];
    double gradient[WIDTH], weight[WIDTH];
    double rest = taut_touch_load(t, c->count, c->guess, gradient);
    for (int j = 0; j < ROWS * c->count; j++) {
        rest -= gradient[j] * c->guess[j];
        weight[j] = level * gradient[j] + (j == r ? 1.0 : 0.0);
    }
    c->x[k] = -level * rest;
    for (int j = 0; j < ROWS * c->count; j++) c->x[k] -= weight[j] * c->fixed[j];
    for (int m = 0; m < c->unknowns; m++) {
        c->a[k][m] = 0.0;
        for (int j = 0; j < ROWS * c->count; j++) c->a[k][m] += weight[j] * c->map[j][m];
    }
}

void taut_touch_set_up(taut_combination *c) {
    const int size = ROWS * c->count;
    c->unknowns = 0;
    c->any = false;
    for (int j = 0; j < size; j++) {
        memset(c->map[j], 0, (size_t)size * sizeof c->map[j][0]);
        c->fixed[j] = 0.0;
    }
    for (int i = 0; i < c->count; i++) add_element(c, i);
    for (int k = 0; k < c->unknowns; k++) {
        const int r = c->row[k];
        if (c->loaded[k]) {
            set_up_law(c, k);
            continue;
        }
        c->x[k] = -c->touch[r / ROWS].free[r % ROWS];
        for (int j = 0; j < size; j++) c->x[k] -= taut_touch_w(c, r, j) * c->fixed[j];
        for (int m = 0; m < c->unknowns; m++) {
            c->a[k][m] = 0.0;
            for (int j = 0; j < size; j++) c->a[k][m] += taut_touch_w(c, r, j) * c->map[j][m];
        }
    }
}

static void exchange(taut_combination *c, double *size, int k, int pivot) {
    const double x = c->x[k], s = size[k];
    for (int j = 0; j < c->unknowns && pivot != k; j++) {
        const double y = c->a[k][j];
        c->a[k][j] = c->a[pivot][j];
        c->a[pivot][j] = y;
    }
    c->x[k] = c->x[pivot];
    c->x[pivot] = x;
    size[k] = size[pivot];
    size[pivot] = s;
}

/* Gaussian elimination with pivots by columns. */
bool taut_touch_eliminate(taut_combination *c) {
    const int n = c->unknowns;
    double size[WIDTH] = {0.0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) size[i] = fmax(size[i], fabs(c->a[i][j]));
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(c->a[i][k]) * size[pivot] > fabs(c->a[pivot][k]) * size[i]) pivot = i;
        if (!(fabs(c->a[pivot][k]) > SINGULAR * size[pivot])) return false;
        exchange(c, size, k, pivot);
        for (int i = k + 1; i < n; i++) {
            const double factor = c->a[i][k] / c->a[k][k];
            for (int j = k; j < n; j++) c->a[i][j] -= factor * c->a[k][j];
            c->x[i] -= factor * c->x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) c->x[k] -= c->a[k][j] * c->x[j];
        c->x[k] /= c->a[k][k];
    }
    return true;
}

static double force_of(const taut_combination *c, int j) {
    double force = c->fixed[j];
    for (int m = 0; m < c->unknowns; m++) force += c->map[j][m] * c->x[m];
    return force;
}

bool taut_touch_balance(taut_combination *c) {
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0.0, size = 0.0;
        taut_touch_set_up(c);
        if (!taut_touch_eliminate(c)) return false;
        if (!c->any) return true;
        for (int j = 0; j < ROWS * c->count; j++) {
            const double force = force_of(c, j);
            change = fmax(change, fabs(force - c->guess[j]));
            size = fmax(size, fabs(force));
            c->guess[j] = force;
        }
        if (change <= CONVERGED * size) return true;
        if (!isfinite(change)) return false;
    }
    return false;
}

void taut_touch_begin_far(taut_combination *c) {
    for (int i = 0; i < c->count; i++) {
        const taut_touch *t = &c->touch[i];
        const double none[WIDTH] = {0.0};
        const double size = FAR * (1.0 + t->slip[0]) * taut_touch_load(t, c->count, none, NULL);
        c->guess[ROWS * i + 1] = c->mode[i] == TAUT_TOUCH_UP ? -size : size;
        for (int k = 0; k < t->ways && t->ways > 1; k++)
            c->guess[ROWS * i + 1 + k] = -size * c->direction[i][k];
    }
}

double taut_touch_rate_size(const taut_combination *c, const taut_touch_answer *x, int i) {
    double size = fabs(c->touch[i / ROWS].free[i % ROWS]);
    for (int j = 0; j < ROWS * c->count; j++) size += fabs(taut_touch_w(c, i, j) * x->force[j]);
    return size;
}

void taut_touch_find(const taut_combination *c, taut_touch_answer *x) {
    *x = (taut_touch_answer){0};
    memcpy(x->mode, c->mode, sizeof c->mode);
    for (int j = 0; j < ROWS * c->count; j++) {
        x->force[j] = force_of(c, j);
    }
    for (int i = 0; i < ROWS * c->count; i++) {
        x->rate[i] = c->touch[i / ROWS].free[i % ROWS];
        for (int j = 0; j < ROWS * c->count; j++) x->rate[i] += taut_touch_w(c, i, j) * x->force[j];
    }
}

/* ---- shares ---- */

/* Tangential forces as they depend on those in held directions, linearly. */
typedef struct sharing {
    int held[WIDTH], count;  /* rows of the latter */
    double force[WIDTH];     /* all forces with these 0, ... */
    double by[WIDTH][WIDTH]; /* [count][ROWS elements] ... and what each of them adds */
    double weight[MOST];
    double matrix[WIDTH][WIDTH], z[WIDTH];
} sharing;

static void find_forces(taut_combination *c, double *force) {
    taut_touch_answer x;
    taut_touch_balance(c);
    taut_touch_find(c, &x);
    memcpy(force, x.force, WIDTH * sizeof *force);
}

static void find_sharing(taut_combination *c, sharing *s) {
    memset(c->given, 0, sizeof c->given);
    find_forces(c, s->force);
    for (int h = 0; h < s->count; h++) {
        double *given = &c->given[s->held[h] / ROWS][s->held[h] % ROWS - 1];
        *given = 1.0;
        find_forces(c, s->by[h]);
        *given = 0.0;
        for (int j = 0; j < ROWS * c->count; j++) s->by[h][j] -= s->force[j];
    }
}

static bool is_stuck(const taut_combination *c, int i) {
    const int mode = c->mode[i];
    return c->touch[i].rough && mode != TAUT_TOUCH_OPEN && mode != TAUT_TOUCH_IDLE &&
           mode != TAUT_TOUCH_UP && mode != TAUT_TOUCH_DOWN;
}

/* The least sum of squares of tangential forces with these weights, by the normal equations. */
static bool minimise(const taut_combination *c, sharing *s) {
    const int n = s->count;
    for (int a = 0; a < n; a++) {
        s->z[a] = 0.0;
        for (int b = 0; b < n; b++) s->matrix[a][b] = 0.0;
        for (int j = 0; j < ROWS * c->count; j++) {
            if (j % ROWS == 0 || !is_stuck(c, j / ROWS)) continue;
            const double w = s->weight[j / ROWS] * s->by[a][j];
            s->z[a] -= w * s->force[j];
            for (int b = 0; b < n; b++) s->matrix[a][b] += w * s->by[b][j];
        }
    }
    for (int k = 0; k < n; k++) { /* it is positive definite: no pivots */
        if (!(s->matrix[k][k] > 0.0)) return false;
        for (int i = k + 1; i < n; i++) {
            const double factor = s->matrix[i][k] / s->matrix[k][k];
            for (int j = k; j < n; j++) s->matrix[i][j] -= factor * s->matrix[k][j];
            s->z[i] -= factor * s->z[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) s->z[k] -= s->matrix[k][j] * s->z[j];
        s->z[k] /= s->matrix[k][k];
    }
    return true;
}

static double bound_of(const taut_combination *c, const double *force, int i) {
    const taut_touch *t = &c->touch[i];
    if (t->loads > 0) return t->stick * taut_touch_load(t, c->count, force, NULL);
    return t->normal ? t->stick * fmax(force[ROWS * i], 0.0) : t->stick;
}

/* The largest part of its friction that an element uses; weights for the next round, with which
 * that part becomes smaller. */
static double weigh(const taut_combination *c, const double *force, sharing *s, bool first) {
    double most = 0.0;
    for (int i = 0; i < c->count; i++) {
        if (!is_stuck(c, i)) continue;
        const double bound = fmin(fmax(bound_of(c, force, i), 1e-100), 1e100);
        const double use = taut_touch_length(TAUT_TOUCH_WAYS, force + ROWS * i + 1) / bound;
        most = fmax(most, use);
        s->weight[i] = first ? 1.0 / bound : s->weight[i] * fmax(use, 1e-3);
    }
    return most;
}

void taut_touch_find_shares(taut_combination *c, taut_touch_answer *x) {
    sharing s = {0};
    double force[WIDTH];
    memset(c->share, 0, sizeof c->share);
    for (int i = 0; i < c->count; i++)
        for (int k = 1; k <= c->touch[i].ways; k++)
            if (c->touch[i].rough && taut_touch_holds(c->mode[i], k))
                s.held[s.count++] = ROWS * i + k;
    if (s.count == 0) return;
    find_sharing(c, &s);
    memcpy(force, s.force, sizeof force);
    weigh(c, force, &s, true);
    for (int round = 0; round < REWEIGHTINGS && minimise(c, &s); round++) {
        for (int h = 0; h < s.count; h++) c->given[s.held[h] / ROWS][s.held[h] % ROWS - 1] = s.z[h];
        find_forces(c, force);
        if (weigh(c, force, &s, round == 0) <= 1.0 && round > 0) break;
    }
    taut_touch_balance(c);
    taut_touch_find(c, x);
    for (int h = 0; h < s.count; h++) {
        const int i = s.held[h] / ROWS, k = s.held[h] % ROWS;
        const double N = c->touch[i].normal ? x->force[ROWS * i]
                         : c->touch[i].loads > 0
                             ? taut_touch_load(&c->touch[i], c->count, x->force, NULL)
                             : 1.0;
        c->share[i][k - 1] = N > 0.0 ? x->force[s.held[h]] / N : 0.0;
    }
    memset(c->given, 0, sizeof c->given);
}
