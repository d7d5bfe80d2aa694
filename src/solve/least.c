/* Gauss-Newton on a sum of squares under constraints, which are rows with large weights; then the
 * constraints alone, to rounding. */
#include "solve/least.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"

enum { MOST_ROUNDS = 8, MOST_SIZE = 300 };
static const double HARD = 1e5;      /* weight of a constraint beside that of a listed value */
static const double RANK = 1e-13;    /* with such weights */
static const double MET = 1e-9;      /* of its terms: a condition that holds */
static const double SETTLED = 1e-10; /* of the sizes: steps end */
static const double ROUNDED = 1e-20; /* a sum of squares so small is rounding, whatever the point */
static const double BETTER = 0.1;    /* of the sum of squares before: less is not worth a change */

typedef enum role { HELD, LISTED, FREE } role;

typedef struct problem {
    taut_stage *all;
    const double *guess;
    role *role;           /* [rows of all] */
    double *unit;         /* [rows of all] of what is listed */
    double *a, *b, *best; /* matrix, right side, unknowns */
    int m, n;
} problem;

static const taut_condition *condition_of(const taut_stage *all, int row) {
    const taut_system *system = all->series->system;
    return all->row[row] < system->n ? NULL : &system->condition[all->row[row] - system->n];
}

/* Components of points are listed values like others; whoever gives an angle or a distance means
 * it. Returns how many there are of the former. */
static int find_roles(problem *p, const taut_stage *rows) {
    const taut_stage *all = p->all;
    int listed = 0;
    for (int i = 0; i < all->rows; i++) {
        const taut_condition *c = condition_of(all, i);
        bool held = !c || c->fixed;
        for (int k = 0; k < rows->rows && !held; k++) held = rows->row[k] == all->row[i];
        const bool point = c && c->part && c->part[0];
        const bool met = fabs(all->residual[i]) < MET * all->scale[i];
        p->role[i] = held || (!point && met) ? HELD : point ? LISTED : FREE;
        listed += p->role[i] == LISTED;
    }
    return listed;
}

/* A listed value counts by as much as the unknowns that it is made of can move it, in their units.
 */
static void find_units(problem *p) {
    const taut_stage *all = p->all;
    for (int k = 0; k < all->entries; k++) {
        const int j = all->column[all->entry_column[k]];
        double *unit = &p->unit[all->entry_row[k]];
        *unit = fmax(*unit, fabs(all->entry[k]) * all->unit[j]);
    }
    for (int i = 0; i < all->rows; i++)
        if (!(p->unit[i] > 0.0)) p->unit[i] = 1.0;
}

static double weight_of(const problem *p, int row) {
    return p->role[row] == HELD     ? HARD / p->all->scale[row]
           : p->role[row] == LISTED ? 1.0 / p->unit[row]
                                    : 0.0;
}

static double stride(const problem *p, int q) { return p->all->unit[p->all->column[q]]; }

/* The sum of squares of what is listed. */
static double movement(const problem *p) {
    const taut_stage *all = p->all;
    double sum = 0.0;
    for (int i = 0; i < all->rows; i++)
        if (p->role[i] == LISTED) sum += pow(all->residual[i] / p->unit[i], 2.0);
    for (int q = 0; q < p->n; q++) {
        const double z = taut_series_get(all->series, all->column[q], taut_stage_order(all, q));
        sum += pow((z - p->guess[q]) / stride(p, q) / all->weight[q], 2.0);
    }
    return sum;
}

/* One step; *size: how long it is beside the sizes. */
static taut_status step(problem *p, double *size) {
    taut_stage *all = p->all;
    const int rows = all->rows, m = p->m;
    int rank;
    memset(p->a, 0, (size_t)m * (size_t)p->n * sizeof *p->a);
    memset(p->b, 0, (size_t)m * sizeof *p->b);
    for (int k = 0; k < all->entries; k++)
        p->a[(size_t)all->entry_column[k] * (size_t)m + (size_t)all->entry_row[k]] +=
            all->entry[k] * stride(p, all->entry_column[k]) * weight_of(p, all->entry_row[k]);
    for (int i = 0; i < rows; i++) p->b[i] = -all->residual[i] * weight_of(p, i);
    for (int q = 0; q < p->n; q++) {
        const double z = taut_series_get(all->series, all->column[q], taut_stage_order(all, q));
        p->a[(size_t)q * (size_t)m + (size_t)(rows + q)] = 1.0 / all->weight[q];
        p->b[rows + q] = (p->guess[q] - z) / stride(p, q) / all->weight[q];
    }
    TAUT_TRY(taut_least_norm(m, p->n, p->a, p->b, RANK, &rank));
    *size = 0.0;
    for (int q = 0; q < p->n; q++) {
        const int j = all->column[q], order = taut_stage_order(all, q);
        taut_series_set(all->series, j, order,
                        taut_series_get(all->series, j, order) + p->b[q] * stride(p, q));
        *size = fmax(*size, fabs(p->b[q]));
    }
    return TAUT_OK;
}

static taut_status set_up(problem *p, taut_arena *arena) {
    p->n = p->all->columns;
    p->m = p->all->rows + p->n;
    p->role = TAUT_NEW_ARRAY(arena, p->all->rows, role);
    p->unit = TAUT_NEW_ARRAY(arena, p->all->rows, double);
    p->a = taut_arena_array(arena, (size_t)p->m * (size_t)p->n, sizeof *p->a);
    p->b = TAUT_NEW_ARRAY(arena, p->m, double);
    p->best = TAUT_NEW_ARRAY(arena, p->n, double);
    return p->role && p->unit && p->a && p->b && p->best ? TAUT_OK : TAUT_ERR_MEMORY;
}

/* The search itself, from a point that p->best keeps. *found: it has come to an end. */
static taut_status search(problem *p, bool *found) {
    int bad;
    *found = false;
    for (int round = 0; round < MOST_ROUNDS && !*found; round++) {
        double size;
        TAUT_TRY(step(p, &size));
        if (!taut_stage_evaluate(p->all) || !taut_stage_linearize(p->all, &bad)) return TAUT_OK;
        *found = size < SETTLED;
    }
    return TAUT_OK;
}

taut_status taut_least_movement(taut_stage *rows, taut_stage *all, const double *guess) {
    problem p = {.all = all, .guess = guess};
    taut_arena arena = {0};
    taut_outcome outcome = TAUT_UNMET;
    bool found = false;
    int bad;
    if (all->rows <= rows->rows || all->columns == 0 || all->rows + all->columns > MOST_SIZE)
        return TAUT_OK;
    taut_status status = set_up(&p, &arena);
    if (status == TAUT_OK && taut_stage_evaluate(all) && taut_stage_linearize(all, &bad) &&
        find_roles(&p, rows) > 0) {
        find_units(&p);
        const double before = movement(&p);
        taut_stage_get(all, p.best);
        status = before > ROUNDED ? search(&p, &found) : TAUT_OK;
        if (status == TAUT_OK && found) status = taut_stage_solve(rows, &outcome, &bad);
        const bool better = outcome == TAUT_MET && taut_stage_right_side(rows) &&
                            taut_stage_evaluate(all) && movement(&p) < BETTER * before;
        if (!better) taut_stage_set(all, p.best);
        taut_stage_evaluate(rows);
    }
    taut_arena_release(&arena);
    return status == TAUT_ERR_NUMERICS ? TAUT_OK : status;
}
