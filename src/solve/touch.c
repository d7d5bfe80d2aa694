/* Complementarity by enumeration: every combination of modes is solved and judged. */
#include "solve/touch.h"

#include <math.h>
#include <string.h>

#include "solve/touch_parts.h"

static const double SLACK = 1e-10; /* an inequality that holds up to this is an equation, ... */
static const double SHARED =
    1e-6; /* ... and of what others hold in part, whose forces are a choice */

enum { DEEPEST = 6 }; /* conditions that depend on others */

/* ---- one combination ---- */

/* Is a quantity of this size positive? Sets weak where it is zero. */
static bool is_admissible(double value, double slack, bool *weak) {
    if (value < -slack) return false;
    if (value <= slack) *weak = true;
    return true;
}

static bool judge_slip(const taut_combination *c, int i, const taut_touch_answer *x,
                       const double *slack, bool *weak) {
    const taut_touch *t = &c->touch[i];
    const double *rate = x->rate + ROWS * i + 1;
    if (t->slides) return true;
    if (t->ways > 1) {
        double ahead = 0.0, most = 0.0;
        for (int k = 0; k < t->ways; k++) {
            ahead += rate[k] * c->direction[i][k];
            most = fmax(most, slack[ROWS * i + 1 + k]);
        }
        return is_admissible(ahead, most, weak);
    }
    return is_admissible(c->mode[i] == TAUT_TOUCH_UP ? rate[0] : -rate[0], slack[ROWS * i + 1],
                         weak);
}

/* Does element i obey its inequalities? */
static bool judge(const taut_combination *c, int i, const taut_touch_answer *x, const double *slack,
                  double force_slack, bool *weak) {
    const taut_touch *t = &c->touch[i];
    const int mode = c->mode[i], at = ROWS * i;
    const double N = x->force[at];
    double bound = t->normal ? t->stick * N : t->stick;
    bool inside = false; /* what others hold is weak only if it alone is at its bound */
    if (t->loads > 0) {
        const double load = taut_touch_load(t, c->count, x->force, NULL);
        if ((load <= t->least) != (mode == TAUT_TOUCH_OPEN)) return false;
        if (mode == TAUT_TOUCH_OPEN) return true;
        bound = t->stick * load;
    }
    if (mode == TAUT_TOUCH_OPEN) return !t->normal || is_admissible(x->rate[at], slack[at], weak);
    if (mode == TAUT_TOUCH_IDLE) return fabs(x->rate[at]) <= slack[at];
    if (t->normal && !is_admissible(N - t->back, force_slack, weak)) return false;
    if (!t->rough) return true;
    if (mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN) return judge_slip(c, i, x, slack, weak);
    for (int k = 1; k < ROWS; k++)
        if (taut_touch_holds(mode, k) && !(fabs(x->rate[at + k]) <= slack[at + k])) return false;
    if (mode > TAUT_TOUCH_HELD && mode != taut_touch_held_wholly(t->ways))
        force_slack = fmax(force_slack, SHARED * bound);
    return is_admissible(bound - taut_touch_length(TAUT_TOUCH_WAYS, x->force + at + 1), force_slack,
                         mode == taut_touch_held_wholly(t->ways) ? &inside : weak);
}

/* Would the conditions of a mode depend on those of the others? */
static bool depends(const taut_combination *c, int i, int mode) {
    taut_combination other = *c;
    other.mode[i] = mode;
    taut_touch_set_up(&other);
    return !taut_touch_eliminate(&other);
}

/* Elements that are open, or said to slide, although they cannot move because the others hold them.
 */
static void find_held(const taut_combination *c, taut_touch_answer *x) {
    for (int i = 0; i < c->count; i++) {
        const taut_touch *t = &c->touch[i];
        const int mode = c->mode[i],
                  slip = t->rough ? taut_touch_held_wholly(t->ways) : TAUT_TOUCH_CLOSED;
        if (!(x->weak_at >> i & 1u)) continue;
        const bool moves = taut_touch_w(c, ROWS * i, ROWS * i) > 0.0; /* it is not held by joints */
        if (mode == TAUT_TOUCH_OPEN && t->normal && moves && depends(c, i, slip))
            x->mode[i] = TAUT_TOUCH_IDLE;
        if ((mode == TAUT_TOUCH_UP || mode == TAUT_TOUCH_DOWN) && !t->slides &&
            depends(c, i, TAUT_TOUCH_CLOSED))
            x->still |= 1u << i;
    }
}

/* Friction of element i by a normal force on it, where it slides or is about to, from T1 on. */
static void find_drag(const taut_combination *c, int i, const taut_touch_answer *x, double N,
                      double *T) {
    const taut_touch *t = &c->touch[i];
    const double *rate = x->rate + ROWS * i + 1;
    const double speed = taut_touch_length(t->ways, rate);
    for (int k = 0; k < t->ways; k++) T[k] = 0.0;
    if (!t->rough || (!t->slides && !(speed > SLACK * taut_touch_rate_size(c, x, ROWS * i + 1))))
        return;
    const bool up = t->slides ? t->may >> TAUT_TOUCH_UP & 1u : rate[0] > 0.0;
    for (int k = 0; k < t->ways; k++)
        T[k] = t->ways == 1 ? (up ? -t->slip[0] : t->slip[1]) * N
                            : -t->slip[0] * N * (t->slides ? t->direction[k] : rate[k] / speed);
}

/* Element i has no force because the others hold it. Would the motion be another one if it had? The
 * others then carry less of what they all hold together, so what slides may feel other friction. */
static bool is_adrift(const taut_combination *c, int i, const taut_touch_answer *x) {
    taut_touch touch[MOST];
    taut_touch_answer y;
    taut_combination other = *c;
    double push[ROWS] = {0.0};
    for (int j = 0; j < ROWS * c->count; j += ROWS) push[0] = fmax(push[0], fabs(x->force[j]));
    if (push[0] == 0.0) return false;
    find_drag(c, i, x, push[0], push + 1);
    memcpy(touch, c->touch, (size_t)c->count * sizeof *touch);
    for (int r = 0; r < ROWS * c->count; r++)
        for (int k = 0; k < ROWS; k++)
            touch[r / ROWS].free[r % ROWS] += taut_touch_w(c, r, ROWS * i + k) * push[k];
    other.touch = touch;
    if (!taut_touch_balance(&other)) return false;
    taut_touch_find(&other, &y);
    bool differs = false;
    for (int r = 0; r < ROWS * c->count; r++) {
        const double size = taut_touch_rate_size(c, x, r) + taut_touch_rate_size(&other, &y, r);
        const double noise = c->touch[r / ROWS].noise[r % ROWS];
        differs = differs || fabs(y.rate[r] - x->rate[r]) > SHARED * size + noise;
        /* those that carry nothing cannot carry less */
        if (r % ROWS == 0 && c->touch[r / ROWS].normal && x->weak_at >> r / ROWS & 1u &&
            y.force[r] < x->force[r] - SHARED * push[0])
            return false;
    }
    return differs;
}

/* Do contacts push so much that the rounding of it is more than all rates without that? Conditions
 * that depend on each other have such forces, which mean nothing. */
static bool is_lost(const taut_combination *c, const taut_touch_answer *x) {
    double rate = 0.0, size = 0.0;
    for (int i = 0; i < ROWS * c->count; i++) {
        const taut_touch *t = &c->touch[i / ROWS];
        double given = fabs(t->free[i % ROWS]) + t->noise[i % ROWS], made = 0.0;
        for (int j = 0; j < ROWS * c->count; j++)
            *(c->touch[j / ROWS].normal ? &made : &given) +=
                fabs(taut_touch_w(c, i, j) * x->force[j]);
        rate = fmax(rate, given);
        size = fmax(size, made);
    }
    return SLACK * size > rate;
}

/* Is the combination whose forces and rates are found admissible? */
static bool accept(const taut_combination *c, taut_touch_answer *x) {
    double slack[WIDTH] = {0.0}, force_slack = 0.0;
    if (is_lost(c, x)) return false;
    for (int j = 0; j < ROWS * c->count; j++)
        force_slack = fmax(force_slack, SLACK * fabs(x->force[j]));
    for (int i = 0; i < ROWS * c->count; i++) {
        const double noise = c->touch[i / ROWS].noise[i % ROWS], own = fabs(taut_touch_w(c, i, i));
        slack[i] = SLACK * taut_touch_rate_size(c, x, i) + noise;
        if (own > 0.0) force_slack = fmax(force_slack, noise / own);
    }
    for (int i = 0; i < c->count; i++) {
        bool weak = false;
        if (!judge(c, i, x, slack, force_slack, &weak)) return false;
        if (weak) x->weak_at |= 1u << i;
        x->weak = x->weak || weak;
    }
    memcpy(x->direction, c->direction, sizeof c->direction);
    memcpy(x->share, c->share, sizeof c->share);
    if (x->weak) find_held(c, x);
    for (int i = 0; i < c->count; i++)
        x->adrift = x->adrift || (x->mode[i] == TAUT_TOUCH_IDLE && is_adrift(c, i, x));
    return true;
}

/* ---- conditions that depend on each other ---- */

/* What others may relieve element i of: sticking in one direction (kinds 0 to 2), being closed (3).
 * The mode that it has then; -1: there is nothing. */
static int relieved(const taut_combination *c, int i, int kind) {
    const taut_touch *t = &c->touch[i];
    const int mode = c->mode[i];
    if (kind < TAUT_TOUCH_WAYS) {
        const bool sticks = mode == TAUT_TOUCH_CLOSED && t->rough;
        if (kind >= t->ways || !(sticks || mode > TAUT_TOUCH_HELD)) return -1;
        return (sticks ? TAUT_TOUCH_HELD : mode) + (1 << kind);
    }
    const bool closed = mode == TAUT_TOUCH_CLOSED || mode == taut_touch_held_wholly(t->ways);
    return t->normal && closed ? TAUT_TOUCH_IDLE : -1;
}

/* Rates of two answers are the same up to rounding: the modes differ where they do not matter. */
static bool is_same(const taut_combination *c, const taut_touch_answer *a,
                    const taut_touch_answer *b) {
    for (int i = 0; i < ROWS * c->count; i++) {
        const double size = fmax(taut_touch_rate_size(c, a, i), taut_touch_rate_size(c, b, i));
        if (fabs(a->rate[i] - b->rate[i]) > 1e-9 * size + c->touch[i / ROWS].noise[i % ROWS])
            return false;
    }
    return true;
}

static bool is_new(const taut_combination *c, const taut_touch_answers *list,
                   const taut_touch_answer *x) {
    for (int i = 0; i < list->count; i++) {
        const taut_touch_answer *y = &list->item[i];
        if (x->weak != y->weak || !is_same(c, y, x)) continue;
        if (!x->weak || memcmp(x->mode, y->mode, sizeof x->mode) == 0) return false;
    }
    return true;
}

static taut_status keep(const taut_combination *c, taut_touch_answers *list,
                        const taut_touch_answer *x) {
    int at = list->count;
    if (!is_new(c, list, x)) return TAUT_OK;
    if (taut_grow((void **)&list->item, &list->room, (size_t)list->count + 1, sizeof *list->item))
        return TAUT_ERR_MEMORY;
    while (at > 0 && !x->weak && list->item[at - 1].weak) at--; /* strict ones first */
    memmove(list->item + at + 1, list->item + at, (size_t)(list->count - at) * sizeof *list->item);
    list->item[at] = *x;
    list->count++;
    return TAUT_OK;
}

/* With regular conditions: all directions of slip, and shares of what others hold. */
static taut_status solve_regular(taut_combination *c, taut_touch_answers *list, bool *found) {
    taut_touch_search search;
    taut_touch_answer x;
    taut_touch_search_begin(&search, c);
    while (taut_touch_search_next(&search, c, &x)) {
        taut_touch_find_shares(c, &x);
        if (!accept(c, &x)) continue;
        *found = true;
        TAUT_TRY(keep(c, list, &x));
    }
    return TAUT_OK;
}

/* Has element i been relieved of something that the others do not hold? Where nothing pushes at
 * this instant, that would only be seen later. */
static bool is_free(const taut_combination *c, int i) {
    const taut_touch *t = &c->touch[i];
    const int mode = c->mode[i];
    if (mode == TAUT_TOUCH_IDLE)
        return !depends(c, i, t->rough ? taut_touch_held_wholly(t->ways) : TAUT_TOUCH_CLOSED);
    for (int k = 1; k <= t->ways; k++) {
        const int back = mode - (1 << (k - 1));
        if (taut_touch_holds(mode, k) &&
            !depends(c, i, back == TAUT_TOUCH_HELD ? TAUT_TOUCH_CLOSED : back))
            return true;
    }
    return false;
}

static bool is_relieved_too_far(const taut_combination *c) {
    for (int i = 0; i < c->count; i++)
        if (is_free(c, i)) return true;
    return false;
}

/* Solves a combination and judges it; its solutions go into the list. If conditions depend on each
 * other, those that others imply are left out, one after the other (last: the one before, as a
 * number), until there are solutions; what is held has its share of the load then. */
static taut_status solve(taut_combination *c, int depth, int last, taut_touch_answers *list,
                         bool *found) {
    enum { KINDS = TAUT_TOUCH_WAYS + 1 };
    taut_touch_aim(c);
    if (taut_touch_balance(c))
        return depth > 0 && is_relieved_too_far(c) ? TAUT_OK : solve_regular(c, list, found);
    for (int k = last + 1; k < KINDS * c->count && depth < DEEPEST && !*found; k++) {
        const int i = c->count - 1 - k % c->count, mode = c->mode[i];
        const int next = relieved(c, i, k / c->count);
        if (next < 0) continue;
        c->mode[i] = next;
        TAUT_TRY(solve(c, depth + 1, k, list, found));
        c->mode[i] = mode;
    }
    return TAUT_OK;
}

/* ---- all of them ---- */

/* The next mode of element i that is possible, after the one it has; TAUT_TOUCH_MODES: none. */
static int next_mode(const taut_touch *t, int mode) {
    do mode++;
    while (mode < TAUT_TOUCH_MODES && !(t->may >> mode & 1u));
    return mode;
}

taut_status taut_touch_solve(const taut_touch *touch, int count, const double *W,
                             taut_touch_answers *list) {
    list->count = 0;
    list->sought = false;
    if (count > TAUT_TOUCH_ENUMERATED) return taut_touch_pivot(touch, count, W, list);
    taut_combination c = {.touch = touch, .count = count, .W = W};
    for (int i = 0; i < count; i++) c.mode[i] = next_mode(&touch[i], -1);
    for (int i = 0; i < count; i++)
        if (c.mode[i] == TAUT_TOUCH_MODES) return TAUT_OK;
    for (;;) {
        bool found = false;
        memset(c.guess, 0, sizeof c.guess);
        TAUT_TRY(solve(&c, 0, -1, list, &found));
        if (c.any) { /* a second solution, of larger forces */
            memset(c.guess, 0, sizeof c.guess);
            taut_touch_begin_far(&c);
            found = false;
            TAUT_TRY(solve(&c, 0, -1, list, &found));
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

taut_status taut_touch_add(const taut_touch *touch, int count, const double *W,
                           const taut_touch_answer *answer, taut_touch_answers *list) {
    const taut_combination c = {.touch = touch, .count = count, .W = W};
    return keep(&c, list, answer);
}

void taut_touch_release(taut_touch_answers *list) {
    taut_release((void **)&list->item);
    *list = (taut_touch_answers){0};
}
