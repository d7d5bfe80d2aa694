/* The choice of states. Directions come in groups, by the stage at which they begin: positions,
 * then velocities. A candidate belongs to the last group in which it varies, and is independent of
 * those chosen already if it does so there: the map from directions to states is triangular by
 * groups, so each group is judged by itself, and units of time play no part. */
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "task/linear.h"

static const double NOTHING = 1e-9;     /* of a value: it stands still */
static const double ROUNDING = 1e-12;   /* of what a variation could be */
static const double INDEPENDENT = 1e-3; /* of its length: as a preferred state */
static const double LARGEST = 0.5;      /* of the largest one: as good as that */
static const double STILL = 1e-2;       /* of the largest moving one: better, if it stands still */
static const double MOST = 0.7;         /* of its length: left */
static const double LEAST = 1e-7;       /* of the largest one: worth nothing */

/* In which order they are taken. */
enum { RATES = -1, PREFERRED, STILL_ONES, TURNS, MOVING_ONES, OTHERS, UNWANTED };

/* A candidate with its variation in the directions of its group. */
typedef struct trial {
    const taut_pick *pick;
    int group;   /* stage of its directions */
    double *w;   /* [directions of the group] what is not yet in the chosen ones */
    double left; /* length of it ... */
    double size; /* ... now, and at first */
    int kind;    /* see above; components of points and vectors by size */
    bool chosen;
} trial;

typedef struct choice {
    const taut_variational *v;
    const taut_catalogue *catalogue;
    int inputs, directions; /* free ones */
    bool turns;             /* rotations in joints are wanted */
    trial *trial;
    int trials;
} choice;

/* The directions that begin at a stage: *first, and how many. */
static int group_of(const choice *c, int stage, int *first) {
    int count = 0;
    for (int k = c->directions - 1; k >= 0; k--)
        if (taut_variational_begins(c->v, c->inputs + k) == stage) {
            *first = c->inputs + k;
            count++;
        }
    return count;
}

/* A dot product in four sums, which run side by side. */
static double dot_of(const double *a, const double *b, int n) {
    double sum[4] = {0.0};
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int lane = 0; lane < 4; lane++) sum[lane] += a[k + lane] * b[k + lane];
    for (; k < n; k++) sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double length_of(const double *w, int n) { return sqrt(dot_of(w, w, n)); }

/* Finds the group of a candidate and its variation there; group 0: it does not vary. room: for
 * values and sizes in all directions. */
static taut_status examine(const choice *c, const taut_pick *pick, taut_arena *arena, double *room,
                           trial *x) {
    const int slot = c->catalogue->item[pick->item].slot, all = c->inputs + c->directions;
    const double scale = taut_variational_scale(c->v, slot, pick->level);
    double *value = room, *terms = room + all;
    *x = (trial){.pick = pick};
    taut_variational_all(c->v, slot, pick->level, value, terms);
    for (int k = all - 1; k >= c->inputs; k--) {
        if (!(fabs(value[k]) > ROUNDING * (terms[k] + scale))) continue;
        x->group = taut_variational_begins(c->v, k);
        break;
    }
    int first = 0;
    const int n = x->group < 0 ? group_of(c, x->group, &first) : 0;
    x->w = TAUT_NEW_ARRAY(arena, n, double);
    if (!x->w) return TAUT_ERR_MEMORY;
    memcpy(x->w, value + first, (size_t)n * sizeof *x->w);
    x->size = x->left = length_of(x->w, n);
    return TAUT_OK;
}

static taut_status examine_all(choice *c, const taut_picks *picks, taut_arena *arena) {
    const int all = taut_variational_directions(c->v);
    double *room = TAUT_NEW_ARRAY(arena, 2 * all + 1, double);
    c->directions = all - c->inputs;
    c->trial = TAUT_NEW_ARRAY(arena, picks->count, trial);
    if (!room || !c->trial) return TAUT_ERR_MEMORY;
    for (c->trials = 0; c->trials < picks->count; c->trials++)
        TAUT_TRY(examine(c, &picks->item[c->trials], arena, room, &c->trial[c->trials]));
    return TAUT_OK;
}

/* ---- choosing ---- */

/* Tracked angles, joint coordinates and distances first; then components that stand still, which
 * keep their meaning while the rest turns; then others; unknowns without a column last. */
static int kind_of(const choice *c, const taut_pick *pick, bool mechanism) {
    const taut_named *q = &c->catalogue->item[pick->item];
    if (q->turns) return c->turns ? TURNS : UNWANTED;
    if (!q->column) return OTHERS;
    if (q->kind != TAUT_COLUMN_POINT && q->kind != TAUT_COLUMN_VECTOR)
        return mechanism ? PREFERRED : STILL_ONES;
    const double rate = taut_variational_value(c->v, q->slot, 1);
    const double value = taut_variational_value(c->v, q->slot, 0);
    return fabs(rate) <= NOTHING * fmax(1.0, fabs(value)) ? STILL_ONES : MOVING_ONES;
}

/* Takes the direction of a chosen one out of all others of its group. */
static void take_out(choice *c, const trial *chosen, int n) {
    const double length = length_of(chosen->w, n);
    for (int i = 0; i < c->trials; i++) {
        trial *x = &c->trial[i];
        if (x->chosen || x->group != chosen->group) continue;
        for (int round = 0; round < 2; round++) { /* twice is enough, */
            const double part = dot_of(x->w, chosen->w, n) / length / length, before = x->left;
            if (part == 0.0) break;
            for (int k = 0; k < n; k++) x->w[k] -= part * chosen->w[k];
            x->left = length_of(x->w, n);
            if (x->left > MOST * before) break; /* and once, if little was taken */
        }
    }
}

/* Is the quantity of a rate a state already, one derivative below? */
static bool follows_chosen(const choice *c, const taut_pick *pick) {
    for (int i = 0; i < c->trials && pick->level > 0; i++)
        if (c->trial[i].chosen && c->trial[i].pick->item == pick->item &&
            c->trial[i].pick->level == pick->level - 1)
            return true;
    return false;
}

/* Where a position is at its turning point, its rate tells positions apart: not what states are
 * for. */
static bool is_late(const choice *c, const trial *x) {
    return x->group < x->pick->level - c->catalogue->item[x->pick->item].orders;
}

/* What others than those that stand still have to offer. */
static double largest_moving(const choice *c, int group) {
    double largest = 0.0;
    for (int i = 0; i < c->trials; i++)
        if (c->trial[i].group == group && c->trial[i].kind == MOVING_ONES && !c->trial[i].chosen)
            largest = fmax(largest, c->trial[i].left);
    return largest;
}

/* The next state of a group among those of a kind (-1: rates of states); NULL: none is left. */
static trial *best_of(choice *c, int group, int kind) {
    double largest = 0.0, before = 0.0;
    for (int i = 0; i < c->trials; i++) {
        trial *x = &c->trial[i];
        if (x->group != group || x->chosen || is_late(c, x)) continue;
        if (x->kind == UNWANTED) continue;
        if (kind < 0 ? !follows_chosen(c, x->pick) : x->kind != kind) continue;
        const double left = x->left;
        if ((kind <= PREFERRED || kind == TURNS) && left > INDEPENDENT * x->size) return x;
        largest = fmax(largest, left);
        before = fmax(before, x->size);
    }
    if (kind == STILL_ONES) before = fmax(before, largest_moving(c, group) * STILL / LEAST);
    for (int i = 0; i < c->trials && kind > PREFERRED && kind != TURNS && largest > LEAST * before;
         i++) {
        trial *x = &c->trial[i];
        if (x->group == group && !x->chosen && !is_late(c, x) && x->kind == kind &&
            x->left >= LARGEST * largest)
            return x;
    }
    return NULL;
}

static void choose_group(choice *c, int group, taut_pick *pick, int *picks) {
    int first = 0, left = group_of(c, group, &first);
    const int n = left;
    for (int kind = RATES; kind <= OTHERS; kind++)
        for (trial *x; left > 0 && (x = best_of(c, group, kind)) != NULL; left--) {
            x->chosen = true;
            take_out(c, x, n);
            pick[(*picks)++] = *x->pick;
        }
}

static int first_stage(const choice *c) {
    int first = 0;
    for (int k = 0; k < c->directions; k++)
        if (taut_variational_begins(c->v, c->inputs + k) < first)
            first = taut_variational_begins(c->v, c->inputs + k);
    return first;
}

taut_status taut_states_choose(const taut_variational *v, const taut_catalogue *catalogue,
                               int inputs, bool turns, taut_arena *arena, taut_picks *picks) {
    taut_arena work = {0};
    choice c = {.v = v, .catalogue = catalogue, .inputs = inputs, .turns = turns};
    bool mechanism = false;
    for (int i = 0; i < catalogue->count; i++)
        mechanism = mechanism || catalogue->item[i].kind == TAUT_COLUMN_POINT ||
                    catalogue->item[i].kind == TAUT_COLUMN_VECTOR;
    taut_status status = examine_all(&c, picks, &work);
    taut_pick *pick = TAUT_NEW_ARRAY(arena, c.directions + 1, taut_pick);
    if (!pick) status = TAUT_ERR_MEMORY;
    if (status == TAUT_OK) {
        int count = 0;
        for (int i = 0; i < c.trials; i++)
            c.trial[i].kind = kind_of(&c, c.trial[i].pick, mechanism);
        for (int group = first_stage(&c); group < 0; group++) choose_group(&c, group, pick, &count);
        *picks = (taut_picks){pick, count};
    }
    taut_arena_release(&work);
    return status;
}

taut_status taut_states_prune(const taut_variational *v, const taut_catalogue *catalogue,
                              int inputs, bool rates, taut_arena *arena, taut_picks *picks) {
    taut_arena work = {0};
    choice c = {.v = v, .catalogue = catalogue, .inputs = inputs};
    taut_status status = examine_all(&c, picks, &work);
    taut_pick *pick = TAUT_NEW_ARRAY(arena, picks->count, taut_pick);
    if (!pick) status = TAUT_ERR_MEMORY;
    int count = 0;
    for (int i = 0; i < c.trials && status == TAUT_OK; i++) {
        trial *x = &c.trial[i];
        int first = 0;
        const int n = group_of(&c, x->group, &first);
        const bool independent = x->left > LEAST * x->size;
        if (rates && x->pick->level > 0 && !independent) continue;
        pick[count++] = *x->pick;
        x->chosen = true;
        if (independent) take_out(&c, x, n);
    }
    if (status == TAUT_OK) *picks = (taut_picks){pick, count};
    taut_arena_release(&work);
    return status;
}

/* ---- judging ---- */

static taut_status group_condition(const choice *c, int group, taut_arena *arena,
                                   double *condition) {
    int first = 0, row = 0;
    const int n = group_of(c, group, &first);
    double *matrix = TAUT_NEW_ARRAY(arena, n * n, double),
           *sigma = TAUT_NEW_ARRAY(arena, n, double);
    if (!matrix || !sigma) return TAUT_ERR_MEMORY;
    for (int i = 0; i < c->trials; i++) {
        if (c->trial[i].group != group) continue;
        for (int k = 0; k < n && row < n; k++)
            matrix[k * n + row] = c->trial[i].w[k] / c->trial[i].size;
        row++;
    }
    if (row != n) {
        *condition = HUGE_VAL;
        return TAUT_OK;
    }
    if (n == 0) return TAUT_OK;
    TAUT_TRY(taut_singular_values(n, n, matrix, sigma));
    *condition = fmax(*condition, sigma[n - 1] > 0.0 ? sigma[0] / sigma[n - 1] : HUGE_VAL);
    return TAUT_OK;
}

taut_status taut_states_condition(const taut_variational *v, const taut_catalogue *catalogue,
                                  int inputs, const taut_picks *picks, double *condition) {
    taut_arena work = {0};
    choice c = {.v = v, .catalogue = catalogue, .inputs = inputs};
    taut_status status = examine_all(&c, picks, &work);
    *condition = status == TAUT_OK && c.trials != c.directions ? HUGE_VAL : 1.0;
    for (int group = status == TAUT_OK ? first_stage(&c) : 0; group < 0 && status == TAUT_OK;
         group++)
        status = group_condition(&c, group, &work, condition);
    taut_arena_release(&work);
    return status;
}
