/* Complementarity by enumeration: every combination of modes is solved and judged. */
#include "solve/touch.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-12; /* a pivot that is so small beside its row is none */
static const double SLACK = 1e-10;    /* an inequality that holds up to this is an equation */

enum { WIDTH = 2 * TAUT_TOUCH_MOST };
enum { DEEPEST = 4 }; /* conditions that depend on others */
enum { ROUNDS = 40 }; /* of Newton's method for friction by loads */
static const double CONVERGED = 1e-13;
static const double FAR = 1e6;

/* The linear system of one combination of modes: forces = fixed + map unknowns. */
typedef struct combination {
    const taut_touch *touch;
    int count;
    const double *W;
    int mode[TAUT_TOUCH_MOST];
    int unknowns;
    int row[WIDTH];           /* [unknowns] the rate that is to vanish, ... */
    bool loaded[WIDTH];       /* ... or the law of friction by a load, of this force */
    bool any;                 /* there are such laws: */
    double guess[WIDTH];      /* [2 count] forces at which they are linear */
    double map[WIDTH][WIDTH]; /* [2 count][unknowns] */
    double fixed[WIDTH];
    double a[WIDTH][WIDTH], x[WIDTH];
} combination;

static double w(const combination *c, int i, int j) { return c->W[i * 2 * c->count + j]; }

/* ---- one combination ---- */

static void add_unknown(combination *c, int force, bool loaded) {
    c->row[c->unknowns] = force;
    c->loaded[c->unknowns] = loaded;
    c->any = c->any || loaded;
    c->map[force][c->unknowns++] = 1.0;
}

double taut_touch_load(const taut_touch *t, int count, const double *force, double *gradient) {
    double load[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    for (int k = 0; k < t->loads; k++) {
        load[k] = t->load[k];
        for (int j = 0; j < 2 * count; j++) load[k] += t->by[k][j] * force[j];
        sum += load[k] * load[k];
    }
    const double length = sqrt(sum);
    for (int j = 0; j < 2 * count && gradient; j++) {
        gradient[j] = 0.0;
        for (int k = 0; k < t->loads && length > 0.0; k++)
            gradient[j] += load[k] / length * t->by[k][j];
    }
    return length;
}

/* The equation of friction by a load, linear near the guess: T + level N = 0. */
static void set_up_law(combination *c, int k) {
    const int r = c->row[k], i = r / 2;
    const taut_touch *t = &c->touch[i];
    const double level = c->mode[i] == TAUT_TOUCH_UP ? t->slip[0] : -t->slip[1];
    double gradient[WIDTH], weight[WIDTH];
    double rest = taut_touch_load(t, c->count, c->guess, gradient);
    for (int j = 0; j < 2 * c->count; j++) {
        rest -= gradient[j] * c->guess[j];
        weight[j] = level * gradient[j] + (j == r ? 1.0 : 0.0);
    }
    c->x[k] = -level * rest;
    for (int j = 0; j < 2 * c->count; j++) c->x[k] -= weight[j] * c->fixed[j];
    for (int m = 0; m < c->unknowns; m++) {
        c->a[k][m] = 0.0;
        for (int j = 0; j < 2 * c->count; j++) c->a[k][m] += weight[j] * c->map[j][m];
    }
}

static void set_up(combination *c) {
    c->unknowns = 0;
    c->any = false;
    memset(c->map, 0, sizeof c->map);
    memset(c->fixed, 0, sizeof c->fixed);
    for (int i = 0; i < c->count; i++) {
        const taut_touch *t = &c->touch[i];
        const int mode = c->mode[i], normal = c->unknowns;
        if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE) continue;
        if (t->normal) add_unknown(c, 2 * i, false);
        if (!t->rough || mode == TAUT_TOUCH_HELD) continue;
        if (mode == TAUT_TOUCH_CLOSED || t->loads > 0) {
            add_unknown(c, 2 * i + 1, mode != TAUT_TOUCH_CLOSED);
            continue;
        }
        const double level =
            mode == TAUT_TOUCH_UP ? -t->slip[0] : t->slip[1]; /* against the rate */
        if (t->normal)
            c->map[2 * i + 1][normal] = level;
        else
            c->fixed[2 * i + 1] = level;
    }
    for (int k = 0; k < c->unknowns; k++) {
        const int r = c->row[k];
        if (c->loaded[k]) {
            set_up_law(c, k);
            continue;
        }
        c->x[k] = -c->touch[r / 2].free[r % 2];
        for (int j = 0; j < 2 * c->count; j++) c->x[k] -= w(c, r, j) * c->fixed[j];
        for (int m = 0; m < c->unknowns; m++) {
            c->a[k][m] = 0.0;
            for (int j = 0; j < 2 * c->count; j++) c->a[k][m] += w(c, r, j) * c->map[j][m];
        }
    }
}

/* Gaussian elimination with pivots by columns; false if the matrix is singular. */
static bool eliminate(combination *c) {
    const int n = c->unknowns;
    double size[WIDTH] = {0.0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) size[i] = fmax(size[i], fabs(c->a[i][j]));
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(c->a[i][k]) * size[pivot] > fabs(c->a[pivot][k]) * size[i]) pivot = i;
        if (!(fabs(c->a[pivot][k]) > SINGULAR * size[pivot])) return false;
        for (int j = 0; j < n && pivot != k; j++) {
            const double x = c->a[k][j];
            c->a[k][j] = c->a[pivot][j];
            c->a[pivot][j] = x;
        }
        const double x = c->x[k], s = size[k];
        c->x[k] = c->x[pivot];
        c->x[pivot] = x;
        size[k] = size[pivot];
        size[pivot] = s;
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

static double force_of(const combination *c, int j) {
    double force = c->fixed[j];
    for (int m = 0; m < c->unknowns; m++) force += c->map[j][m] * c->x[m];
    return force;
}

/* Solves the equations of a combination: those of friction by loads by Newton's method, which finds
 * the solution nearest to the guess, since a load is a convex function of the forces. False: they
 * are singular, or there is no solution. */
static bool find_forces(combination *c) {
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0.0, size = 0.0;
        set_up(c);
        if (!eliminate(c)) return false;
        if (!c->any) return true;
        for (int j = 0; j < 2 * c->count; j++) {
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

/* Is a quantity of this size positive? Sets weak where it is zero. */
static bool is_admissible(double value, double slack, bool *weak) {
    if (value < -slack) return false;
    if (value <= slack) *weak = true;
    return true;
}

/* Does element i obey its inequalities? */
static bool judge(const combination *c, int i, const taut_touch_answer *x, const double *slack,
                  double force_slack, bool *weak) {
    const taut_touch *t = &c->touch[i];
    const int mode = c->mode[i];
    const double N = x->force[2 * i], T = x->force[2 * i + 1];
    const double rate = x->rate[2 * i + 1];
    double bound = t->normal ? t->stick * N : t->stick;
    if (t->loads > 0) {
        const double load = taut_touch_load(t, c->count, x->force, NULL);
        if ((load <= t->least) != (mode == TAUT_TOUCH_OPEN)) return false;
        if (mode == TAUT_TOUCH_OPEN) return true;
        bound = t->stick * load;
    }
    if (mode == TAUT_TOUCH_OPEN)
        return !t->normal || is_admissible(x->rate[2 * i], slack[2 * i], weak);
    if (mode == TAUT_TOUCH_IDLE) return fabs(x->rate[2 * i]) <= slack[2 * i];
    if (t->normal && !is_admissible(N, force_slack, weak)) return false;
    if (!t->rough) return true;
    if (mode == TAUT_TOUCH_HELD) return fabs(rate) <= slack[2 * i + 1];
    if (mode == TAUT_TOUCH_CLOSED) return is_admissible(bound - fabs(T), force_slack, weak);
    if (t->slides) return true;
    return is_admissible(mode == TAUT_TOUCH_UP ? rate : -rate, slack[2 * i + 1], weak);
}

/* Would the conditions of a mode depend on those of the others? */
static bool depends(const combination *c, int i, int mode) {
    combination other = *c;
    other.mode[i] = mode;
    set_up(&other);
    return !eliminate(&other);
}

/* Elements that are open, or said to slide, although they cannot move because the others hold them.
 */
static void find_held(const combination *c, taut_touch_answer *x) {
    for (int i = 0; i < c->count; i++) {
        const taut_touch *t = &c->touch[i];
        const int mode = c->mode[i], slip = t->rough ? TAUT_TOUCH_HELD : TAUT_TOUCH_CLOSED;
        if (!(x->weak_at >> i & 1u)) continue;
        if (mode == TAUT_TOUCH_OPEN && t->normal && depends(c, i, slip))
            x->mode[i] = TAUT_TOUCH_IDLE;
        if ((mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN) && !t->slides &&
            depends(c, i, TAUT_TOUCH_CLOSED))
            x->still |= 1u << i;
    }
}

/* Forces and rates of a combination whose unknowns are found; false: it is not admissible. */
static bool accept(const combination *c, taut_touch_answer *x) {
    double slack[WIDTH], largest = 0.0, force_slack = 0.0;
    *x = (taut_touch_answer){0};
    memcpy(x->mode, c->mode, sizeof x->mode);
    for (int j = 0; j < 2 * c->count; j++) {
        x->force[j] = force_of(c, j);
        largest = fmax(largest, fabs(x->force[j]));
    }
    force_slack = SLACK * largest;
    for (int i = 0; i < 2 * c->count; i++) {
        double size = fabs(c->touch[i / 2].free[i % 2]);
        x->rate[i] = c->touch[i / 2].free[i % 2];
        for (int j = 0; j < 2 * c->count; j++) {
            x->rate[i] += w(c, i, j) * x->force[j];
            size += fabs(w(c, i, j) * x->force[j]);
        }
        slack[i] = SLACK * size + c->touch[i / 2].noise[i % 2];
        const double own = fabs(w(c, i, i));
        if (own > 0.0) force_slack = fmax(force_slack, c->touch[i / 2].noise[i % 2] / own);
    }
    for (int i = 0; i < c->count; i++) {
        bool weak = false;
        if (!judge(c, i, x, slack, force_slack, &weak)) return false;
        if (weak) x->weak_at |= 1u << i;
        x->weak = x->weak || weak;
    }
    if (x->weak) find_held(c, x);
    return true;
}

/* Solves a combination and judges it. If conditions depend on each other, those that others imply
 * are left out, one after the other, as long as that helps: what sticks is held, what is closed is
 * idle. False: there is no admissible solution. */
static bool solve(combination *c, int depth, taut_touch_answer *x) {
    if (find_forces(c)) return accept(c, x);
    for (int kind = 0; kind < 2 && depth < DEEPEST; kind++)
        for (int i = c->count - 1; i >= 0; i--) {
            const int mode = c->mode[i];
            const bool sticks = mode == TAUT_TOUCH_CLOSED && c->touch[i].rough;
            const bool closed =
                c->touch[i].normal && (mode == TAUT_TOUCH_CLOSED || mode == TAUT_TOUCH_HELD);
            if (kind == 0 ? !sticks : !closed) continue;
            c->mode[i] = kind == 0 ? TAUT_TOUCH_HELD : TAUT_TOUCH_IDLE;
            if (solve(c, depth + 1, x)) return true;
            c->mode[i] = mode;
        }
    return false;
}

/* ---- all of them ---- */

/* Rates of two answers are the same up to rounding: the modes differ where they do not matter. */
static bool is_same(const combination *c, const taut_touch_answer *a, const taut_touch_answer *b) {
    for (int i = 0; i < 2 * c->count; i++) {
        double size = fabs(c->touch[i / 2].free[i % 2]);
        for (int j = 0; j < 2 * c->count; j++)
            size += fabs(w(c, i, j)) * fmax(fabs(a->force[j]), fabs(b->force[j]));
        if (fabs(a->rate[i] - b->rate[i]) > 1e-9 * size + c->touch[i / 2].noise[i % 2])
            return false;
    }
    return true;
}

static taut_status keep(const combination *c, taut_touch_answers *list,
                        const taut_touch_answer *x) {
    int at = list->count;
    for (int i = 0; i < list->count && !x->weak; i++)
        if (!list->item[i].weak && is_same(c, &list->item[i], x)) return TAUT_OK;
    if (taut_grow((void **)&list->item, &list->room, (size_t)list->count + 1, sizeof *list->item))
        return TAUT_ERR_MEMORY;
    while (at > 0 && !x->weak && list->item[at - 1].weak) at--; /* strict ones first */
    memmove(list->item + at + 1, list->item + at, (size_t)(list->count - at) * sizeof *list->item);
    list->item[at] = *x;
    list->count++;
    return TAUT_OK;
}

/* Forces of friction that are far larger than those of the loads that there are. */
static void begin_far(combination *c) {
    for (int i = 0; i < c->count; i++) {
        const taut_touch *t = &c->touch[i];
        const double none[WIDTH] = {0.0};
        const double size = FAR * (1.0 + t->slip[0]) * taut_touch_load(t, c->count, none, NULL);
        c->guess[2 * i + 1] = c->mode[i] == TAUT_TOUCH_UP ? -size : size;
    }
}

/* The next mode of element i that is possible, after the one it has; TAUT_TOUCH_MODES: none. */
static int next_mode(const taut_touch *t, int mode) {
    do mode++;
    while (mode < TAUT_TOUCH_MODES && !(t->may >> mode & 1u));
    return mode;
}

taut_status taut_touch_solve(const taut_touch *touch, int count, const double *W,
                             taut_touch_answers *list) {
    combination c = {.touch = touch, .count = count, .W = W};
    taut_touch_answer x;
    list->count = 0;
    for (int i = 0; i < count; i++) c.mode[i] = next_mode(&touch[i], -1);
    for (int i = 0; i < count; i++)
        if (c.mode[i] == TAUT_TOUCH_MODES) return TAUT_OK;
    for (;;) {
        combination copy = c;
        if (solve(&copy, 0, &x)) TAUT_TRY(keep(&c, list, &x));
        if (copy.any) { /* a second solution, of larger forces */
            combination far = c;
            begin_far(&far);
            if (solve(&far, 0, &x)) TAUT_TRY(keep(&c, list, &x));
        }
        int i = 0;
        for (; i < count; i++) { /* count up */
            c.mode[i] = next_mode(&touch[i], c.mode[i]);
            if (c.mode[i] < TAUT_TOUCH_MODES) break;
            c.mode[i] = next_mode(&touch[i], -1);
        }
        if (i == count) return TAUT_OK;
    }
}

void taut_touch_release(taut_touch_answers *list) {
    taut_release((void **)&list->item);
    *list = (taut_touch_answers){0};
}
