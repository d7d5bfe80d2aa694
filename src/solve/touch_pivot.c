/* Complementarity by pivoting (solve/lemke), for more elements than can be enumerated. A normal
 * force N is complementary to its rate, and friction in the plane with the bounds -a <= T <= b, a
 * and b numbers or parts of N, is the pair (Pfeiffer and Glocker)
 *
 *   z: a + T   and the rate downward,     w: the rate upward   and b - T.
 *
 * What holds whatever comes is eliminated first. A basis is regular, so the conditions that hold do
 * not depend on each other; what depends on them has no force, or friction at a bound at which it
 * does not slip (docs/math/contact.md, section 3). */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "solve/lemke.h"
#include "solve/touch_parts.h"

static const double ZERO = 1e-10; /* beside the largest force, or what a rate consists of */

/* What friction of an element is. */
typedef enum bond {
    NONE,  /* there is none, or it is off */
    FIRM,  /* it holds */
    GIVEN, /* it slides, or is known to set off: T = level N, or the level itself */
    BOUND  /* it is between its bounds */
} bond;

typedef struct pivoting {
    const taut_touch *touch;
    int count, size;      /* elements; ROWS count */
    double *W, *f;        /* [size][size], [size] rates by forces, with what is firm eliminated */
    bond *bond;           /* [count] */
    double *level;        /* [count] GIVEN: T over N, or T */
    bool *normal;         /* [count] it may have a normal force */
    int without;          /* an element that has none all the same; -1: there is none */
    double *unit;         /* [size] of forces; rates have its inverse */
    int n;                /* unknowns: */
    int *of;              /* [n] row of the force; of a rate downward it, less size */
    double *M, *q;        /* [n][n], [n] */
    double *z;            /* [n] */
    int *pivots;          /* [size + n] work space, as the next one */
    double *work, *right; /* [(size + n)^2], [size + n] */
} pivoting;

static double w_of(const pivoting *p, int i, int j) {
    return p->W[(size_t)i * (size_t)p->size + (size_t)j];
}

bool taut_touch_is_possible(const taut_touch *touch, int count) {
    bool plain = count <= TAUT_TOUCH_MOST;
    for (int i = 0; i < count; i++)
        plain = plain && touch[i].ways <= 1 && touch[i].loads == 0 && touch[i].back == 0.0;
    return plain || count <= TAUT_TOUCH_ENUMERATED;
}

/* ---- what is firm ---- */

static bool is_firm(const taut_touch *t) {
    return t->rough && isinf(t->stick) && t->may == 1u << TAUT_TOUCH_CLOSED;
}

/* Takes the forces T of `rows` that keep their rates at 0 out of the others. */
static taut_status eliminate(pivoting *p, const int *rows, int m) {
    double *a = p->work;
    if (m == 0) return TAUT_OK;
    double *b = taut_new((size_t)m * (size_t)(p->size + 1) * sizeof *b);
    if (!b) return TAUT_ERR_MEMORY;
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < m; k++)
            a[(size_t)k * (size_t)m + (size_t)i] = w_of(p, rows[i], rows[k]);
        for (int j = 0; j < p->size; j++)
            b[(size_t)j * (size_t)m + (size_t)i] = w_of(p, rows[i], j);
        b[(size_t)p->size * (size_t)m + (size_t)i] = p->f[rows[i]];
    }
    const taut_status status = taut_dense_solve(m, p->size + 1, a, b, p->pivots);
    double *column = p->right; /* W of row i by the firm ones, before it changes */
    for (int i = 0; i < p->size && status == TAUT_OK; i++) {
        for (int k = 0; k < m; k++) column[k] = w_of(p, i, rows[k]);
        for (int k = 0; k < m; k++) {
            for (int j = 0; j < p->size; j++)
                p->W[(size_t)i * (size_t)p->size + (size_t)j] -=
                    column[k] * b[(size_t)j * (size_t)m + (size_t)k];
            p->f[i] -= column[k] * b[(size_t)p->size * (size_t)m + (size_t)k];
        }
    }
    taut_release((void **)&b);
    return status;
}

/* ---- the problem ---- */

static void find_bonds(pivoting *p) {
    for (int i = 0; i < p->count; i++) {
        const taut_touch *t = &p->touch[i];
        const unsigned closed = t->may & ~(1u << TAUT_TOUCH_OPEN);
        p->normal[i] = t->normal && closed;
        p->bond[i] = !t->rough || !closed || i == p->without ? NONE
                     : is_firm(t)                            ? FIRM
                     : t->slides                             ? GIVEN
                                                             : BOUND;
        if (p->bond[i] == GIVEN)
            p->level[i] = t->may >> TAUT_TOUCH_UP & 1u ? -t->slip[0] : t->slip[1];
    }
}

static void number_unknowns(pivoting *p) {
    p->n = 0;
    for (int i = 0; i < p->count; i++) {
        if (p->normal[i] && i != p->without) p->of[p->n++] = ROWS * i;
        if (p->bond[i] != BOUND) continue;
        p->of[p->n++] = ROWS * i + 1;
        p->of[p->n++] = ROWS * i + 1 - p->size;
    }
}

/* Forces that an unknown z makes: row and weight of up to two, in units. */
static int forces_of(const pivoting *p, int k, int *row, double *weight) {
    const int r = p->of[k];
    if (r < 0) return 0;
    const int i = r / ROWS, T = ROWS * i + 1;
    row[0] = r;
    weight[0] = p->unit[r];
    if (r == T || p->bond[i] == NONE || p->bond[i] == FIRM) return 1;
    row[1] = T; /* N, of which friction is a part, or its bound */
    weight[1] = p->unit[r] * (p->bond[i] == GIVEN ? p->level[i] : -p->touch[i].stick);
    return 2;
}

/* Forces that are there without unknowns. */
static double constant_of(const pivoting *p, int i) {
    if (p->normal[i] || p->touch[i].normal) return 0.0;
    return p->bond[i] == GIVEN ? p->level[i] : p->bond[i] == BOUND ? -p->touch[i].stick : 0.0;
}

static void set_up(pivoting *p) {
    for (int k = 0; k < p->n; k++) {
        const int r = p->of[k];
        double *m = p->M + (size_t)k * (size_t)p->n;
        memset(m, 0, (size_t)p->n * sizeof *m);
        if (r < 0) { /* b - T = b + a - (a + T), in units */
            const int i = (r + p->size) / ROWS;
            const double T = p->unit[r + p->size], sum = 2.0 * p->touch[i].stick;
            p->q[k] = p->touch[i].normal ? 0.0 : sum / T;
            for (int j = 0; j < p->n; j++)
                m[j] = p->of[j] == r + p->size                      ? -1.0
                       : p->touch[i].normal && p->of[j] == ROWS * i ? sum * p->unit[ROWS * i] / T
                                                                    : 0.0;
            continue;
        }
        p->q[k] = p->f[r];
        for (int i = 0; i < p->count; i++) p->q[k] += w_of(p, r, ROWS * i + 1) * constant_of(p, i);
        p->q[k] *= p->unit[r];
        for (int j = 0; j < p->n; j++) {
            int row[2];
            double weight[2];
            const int forces = forces_of(p, j, row, weight);
            for (int d = 0; d < forces; d++) m[j] += p->unit[r] * w_of(p, r, row[d]) * weight[d];
            if (p->of[j] == r - p->size) m[j] += 1.0; /* upward: the rate, and the one downward */
        }
    }
}

/* ---- what it means ---- */

/* Forces, and rates by the whole matrix; what is firm from the rates that it keeps. */
static taut_status find_answer(pivoting *p, const double *W, const int *firm, int m,
                               taut_touch_answer *x) {
    *x = (taut_touch_answer){0};
    for (int i = 0; i < p->count; i++) x->force[ROWS * i + 1] = constant_of(p, i);
    for (int k = 0; k < p->n; k++) {
        int row[2];
        double weight[2];
        const int forces = forces_of(p, k, row, weight);
        for (int d = 0; d < forces; d++) x->force[row[d]] += weight[d] * p->z[k];
    }
    for (int i = 0; i < m; i++) {
        p->right[i] = -p->touch[firm[i] / ROWS].free[firm[i] % ROWS];
        for (int j = 0; j < p->size; j++)
            p->right[i] -= W[(size_t)firm[i] * (size_t)p->size + (size_t)j] * x->force[j];
        for (int k = 0; k < m; k++)
            p->work[(size_t)k * (size_t)m + (size_t)i] =
                W[(size_t)firm[i] * (size_t)p->size + (size_t)firm[k]];
    }
    if (m > 0) TAUT_TRY(taut_dense_solve(m, 1, p->work, p->right, p->pivots));
    for (int i = 0; i < m; i++) x->force[firm[i]] = p->right[i];
    for (int i = 0; i < p->size; i++) {
        x->rate[i] = p->touch[i / ROWS].free[i % ROWS];
        for (int j = 0; j < p->size; j++)
            x->rate[i] += W[(size_t)i * (size_t)p->size + (size_t)j] * x->force[j];
    }
    return TAUT_OK;
}

/* What rate i is to be compared with. */
static double slack_of(const pivoting *p, const taut_touch_answer *x, const double *W, int i) {
    double size = fabs(p->touch[i / ROWS].free[i % ROWS]);
    for (int j = 0; j < p->size; j++)
        size += fabs(W[(size_t)i * (size_t)p->size + (size_t)j] * x->force[j]);
    return ZERO * size + p->touch[i / ROWS].noise[i % ROWS];
}

/* Does the condition of row r follow from those of rows[m], which do not depend on each other? */
static bool depends(pivoting *p, const double *W, const int *rows, int m, int r) {
    const double own = W[(size_t)r * (size_t)p->size + (size_t)r];
    double rest = own;
    for (int i = 0; i < m; i++) {
        p->right[i] = W[(size_t)rows[i] * (size_t)p->size + (size_t)r];
        for (int k = 0; k < m; k++)
            p->work[(size_t)k * (size_t)m + (size_t)i] =
                W[(size_t)rows[i] * (size_t)p->size + (size_t)rows[k]];
    }
    if (m > 0 && taut_dense_solve(m, 1, p->work, p->right, p->pivots) != TAUT_OK) return true;
    for (int i = 0; i < m; i++)
        rest -= W[(size_t)r * (size_t)p->size + (size_t)rows[i]] * p->right[i];
    return !(rest > 1e-9 * own);
}

static int mode_of(const pivoting *p, const taut_touch_answer *x, int i, double slack) {
    const taut_touch *t = &p->touch[i];
    const double N = x->force[ROWS * i], T = x->force[ROWS * i + 1];
    if (!(t->may & ~(1u << TAUT_TOUCH_OPEN)) || (t->normal && !(N > slack))) return TAUT_TOUCH_OPEN;
    if (p->bond[i] == GIVEN) return signbit(p->level[i]) ? TAUT_TOUCH_UP : TAUT_TOUCH_DOWN;
    if (p->bond[i] != BOUND) return TAUT_TOUCH_CLOSED;
    const double bound = t->normal ? t->stick * N : t->stick;
    if (T <= -bound + slack) return TAUT_TOUCH_UP;
    return T >= bound - slack ? TAUT_TOUCH_DOWN : TAUT_TOUCH_CLOSED;
}

/* Modes, and what is zero where it need not be; rows: conditions that hold, whose number is
 * returned. */
static int judge(pivoting *p, const double *W, int *rows, taut_touch_answer *x) {
    double slack = 0.0;
    int m = 0;
    for (int j = 0; j < p->size; j++) {
        const double own = W[(size_t)j * (size_t)(p->size + 1)];
        slack = fmax(slack, ZERO * fabs(x->force[j]));
        if (own > 0.0) slack = fmax(slack, p->touch[j / ROWS].noise[j % ROWS] / own);
    }
    for (int i = 0; i < p->count; i++) {
        const int mode = x->mode[i] = mode_of(p, x, i, slack);
        if (mode == TAUT_TOUCH_OPEN) continue;
        if (p->touch[i].normal) rows[m++] = ROWS * i;
        if (mode == TAUT_TOUCH_CLOSED && p->touch[i].rough) rows[m++] = ROWS * i + 1;
    }
    for (int i = 0; i < p->count; i++) {
        const bool open = x->mode[i] == TAUT_TOUCH_OPEN;
        const int r = ROWS * i + (open ? 0 : 1);
        const bool slips = x->mode[i] == TAUT_TOUCH_UP || x->mode[i] == TAUT_TOUCH_DOWN;
        if (open ? !p->normal[i] : !slips || p->touch[i].slides) continue;
        if (fabs(x->rate[r]) > slack_of(p, x, W, r)) continue;
        if (!depends(p, W, rows, m, r)) {
            x->weak = true;
            x->weak_at |= 1u << i;
        } else if (open) {
            x->mode[i] = TAUT_TOUCH_IDLE;
        } else {
            x->still |= 1u << i;
        }
    }
    return m;
}

/* The same forces and rates with gaps closed that may as well be open, as far as they do not depend
 * on others: what follows decides. False: there are none. */
static bool close_weak(pivoting *p, const double *W, int *rows, int m, taut_touch_answer *x) {
    bool any = false;
    for (int i = 0; i < p->count; i++) {
        const taut_touch *t = &p->touch[i];
        if (x->mode[i] != TAUT_TOUCH_OPEN || !(x->weak_at >> i & 1u)) continue;
        any = true;
        if (depends(p, W, rows, m, ROWS * i)) {
            x->mode[i] = TAUT_TOUCH_IDLE;
            continue;
        }
        rows[m++] = ROWS * i;
        x->mode[i] = p->bond[i] == GIVEN && signbit(p->level[i]) ? TAUT_TOUCH_UP
                     : p->bond[i] == GIVEN                       ? TAUT_TOUCH_DOWN
                                                                 : TAUT_TOUCH_CLOSED;
        if (!t->rough || p->bond[i] == GIVEN) continue;
        if (depends(p, W, rows, m, ROWS * i + 1)) {
            x->mode[i] = TAUT_TOUCH_UP;
            x->still |= 1u << i;
        } else {
            rows[m++] = ROWS * i + 1;
        }
    }
    return any;
}

/* Is it a solution, in spite of rounding? */
static bool is_admissible(const pivoting *p, const double *W, const taut_touch_answer *x) {
    for (int i = 0; i < p->count; i++) {
        const int N = ROWS * i, T = N + 1;
        if (p->normal[i] && x->rate[N] < -10.0 * slack_of(p, x, W, N)) return false;
        if (p->touch[i].slides || (x->still >> i & 1u)) continue;
        const double along = x->mode[i] == TAUT_TOUCH_UP     ? x->rate[T]
                             : x->mode[i] == TAUT_TOUCH_DOWN ? -x->rate[T]
                                                             : 0.0;
        if (along < -10.0 * slack_of(p, x, W, T)) return false;
    }
    return true;
}

/* What sets off has kinetic friction from there on; true: some did so only now. */
static bool let_slip(pivoting *p, const double *W, const taut_touch_answer *x) {
    bool other = false;
    for (int i = 0; i < p->count; i++) {
        const taut_touch *t = &p->touch[i];
        const bool up = x->mode[i] == TAUT_TOUCH_UP, down = x->mode[i] == TAUT_TOUCH_DOWN;
        if (p->bond[i] != BOUND || !(up || down) || (x->still >> i & 1u)) continue;
        if (!(t->stick > t->slip[up ? 0 : 1])) continue;
        if (fabs(x->rate[ROWS * i + 1]) <= slack_of(p, x, W, ROWS * i + 1)) continue;
        p->bond[i] = GIVEN;
        p->level[i] = up ? -t->slip[0] : t->slip[1];
        other = true;
    }
    return other;
}

/* ---- the whole ---- */

static taut_status make_room(taut_arena *arena, pivoting *p) {
    const size_t count = (size_t)p->count, size = (size_t)p->size, n = 3 * count, all = size + n;
    p->W = TAUT_NEW_ARRAY(arena, size * size, double);
    p->f = TAUT_NEW_ARRAY(arena, size, double);
    p->bond = TAUT_NEW_ARRAY(arena, count, bond);
    p->level = TAUT_NEW_ARRAY(arena, count, double);
    p->normal = TAUT_NEW_ARRAY(arena, count, bool);
    p->unit = TAUT_NEW_ARRAY(arena, size, double);
    p->of = TAUT_NEW_ARRAY(arena, n, int);
    p->M = TAUT_NEW_ARRAY(arena, n * n, double);
    p->q = TAUT_NEW_ARRAY(arena, n, double);
    p->z = TAUT_NEW_ARRAY(arena, n, double);
    p->pivots = TAUT_NEW_ARRAY(arena, all, int);
    p->work = TAUT_NEW_ARRAY(arena, all * all, double);
    p->right = TAUT_NEW_ARRAY(arena, all, double);
    const bool good = p->W && p->f && p->bond && p->level && p->normal && p->unit && p->of && p->M;
    return good && p->q && p->z && p->pivots && p->work && p->right ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* Units of forces in which each alone makes a rate of 1. */
static void find_units(pivoting *p) {
    for (int i = 0; i < p->size; i++) {
        const double own = w_of(p, i, i);
        p->unit[i] = own > 0.0 ? 1.0 / sqrt(own) : 1.0;
    }
}

/* One solution, into the list; *last: it, if it is admissible (mode[0] -1: there is none). */
static taut_status solve(pivoting *p, const double *W, int *rows, double lean,
                         taut_touch_answers *list, taut_touch_answer *last) {
    taut_touch_answer x;
    last->mode[0] = -1;
    bool found = true, other = true;
    int *firm = rows + p->size, m = 0, closed = 0;
    find_bonds(p);
    for (int i = 0; i < p->count; i++)
        if (p->bond[i] == FIRM) firm[m++] = ROWS * i + 1;
    for (int round = 0; round <= p->count && other; round++) {
        number_unknowns(p);
        set_up(p);
        TAUT_TRY(taut_lemke_solve(&(taut_lcp){p->n, p->M, p->q}, lean, p->z, &found));
        if (!found) return TAUT_OK;
        TAUT_TRY(find_answer(p, W, firm, m, &x));
        closed = judge(p, W, rows, &x);
        other = let_slip(p, W, &x);
    }
    if (!is_admissible(p, W, &x)) return TAUT_OK;
    *last = x;
    TAUT_TRY(taut_touch_add(p->touch, p->count, W, &x, list));
    if (!close_weak(p, W, rows, closed, &x)) return TAUT_OK;
    return taut_touch_add(p->touch, p->count, W, &x, list);
}

/* Where a force vanishes that need not, others may have a distribution in which none does: each
 * of those that have one is left out for a try. */
static taut_status solve_strictly(pivoting *p, const double *W, int *rows, double lean,
                                  taut_touch_answers *list) {
    taut_touch_answer first, x;
    p->without = -1;
    TAUT_TRY(solve(p, W, rows, lean, list, &first));
    bool weak = first.mode[0] >= 0 && first.weak;
    for (int i = 0; i < p->count && weak; i++) {
        if (!p->touch[i].normal || !(first.force[ROWS * i] > 0.0)) continue;
        p->without = i;
        TAUT_TRY(solve(p, W, rows, lean, list, &x));
        weak = x.mode[0] < 0 || x.weak;
    }
    p->without = -1;
    return TAUT_OK;
}

static int weaknesses(const taut_touch_answer *x) {
    int count = 0;
    for (unsigned bits = x->weak ? x->weak_at : 0u; bits; bits &= bits - 1u) count++;
    return count;
}

/* Those with the fewest forces and rates that vanish come first: rounding decides least there. */
static void sort(taut_touch_answers *list) {
    for (int k = 1; k < list->count; k++)
        for (int i = k; i > 0 && weaknesses(&list->item[i]) < weaknesses(&list->item[i - 1]); i--) {
            const taut_touch_answer x = list->item[i];
            list->item[i] = list->item[i - 1];
            list->item[i - 1] = x;
        }
}

taut_status taut_touch_pivot(const taut_touch *touch, int count, const double *W,
                             taut_touch_answers *list) {
    static const double LEAN[] = {0.0, 1.7, -0.6, 5.0};
    taut_arena arena = {0};
    pivoting p = {.touch = touch, .count = count, .size = ROWS * count};
    int *rows = TAUT_NEW_ARRAY(&arena, 2 * p.size, int), m = 0;
    bool rough = false;
    taut_status status = rows ? make_room(&arena, &p) : TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        memcpy(p.W, W, (size_t)p.size * (size_t)p.size * sizeof *W);
        for (int i = 0; i < p.size; i++) p.f[i] = touch[i / ROWS].free[i % ROWS];
        for (int i = 0; i < count; i++) {
            if (is_firm(&touch[i])) rows[m++] = ROWS * i + 1;
            rough = rough || (touch[i].rough && !is_firm(&touch[i]));
        }
        status = eliminate(&p, rows, m);
        find_units(&p);
    }
    list->sought = rough;
    /* without friction the matrix is that of responses, and all solutions have the same rates */
    for (int k = 0; k < (rough ? 4 : 1) && status == TAUT_OK; k++)
        status = solve_strictly(&p, W, rows, LEAN[k], list);
    sort(list);
    for (int k = 0; k < list->count && rough; k++)
        for (int i = 0; i < count && !list->item[k].adrift; i++)
            list->item[k].adrift = list->item[k].mode[i] == TAUT_TOUCH_IDLE &&
                                   taut_touch_is_adrift(touch, count, W, &list->item[k], i);
    taut_arena_release(&arena);
    return status == TAUT_SINGULAR ? TAUT_OK : status;
}
