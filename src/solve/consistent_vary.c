/* The tangent of the search for a consistent point, stage by stage. Unknowns and conditions of a
 * stage fall into parts that have nothing in common. A part whose conditions determine its unknowns
 * varies with them, whatever the guesses were and however far they moved. Of the others the search
 * moves the unlisted unknowns alone if that is enough, and otherwise all of them by the least
 * weighted change: both are linear maps where the guesses fit, as one step of the search is. */
#include "solve/consistent_vary.h"

#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "solve/consistent_parts.h"
#include "solve/forward_parts.h"

enum { LANES = TAUT_FORWARD_LANES, MOST_ROWS = 400 };
static const double RANK = 1e-10;  /* as Gauss-Newton has it */
static const double MOVED = 1e-11; /* of its size: a listed value that has */

/* A part of a stage. */
typedef struct part {
    int *row, *column; /* [rows], [columns] of the stage */
    int rows, columns, listed;
    bool independent; /* rows: whatever numbers there are, they can be met nearby ... */
    bool filled;      /* ... by unlisted unknowns alone */
    bool determined;  /* unknowns: by the rows alone */
    bool fits;        /* nothing listed has moved */
    bool loose;       /* a listed point that is no unknown is among its rows */
} part;

typedef struct tangent {
    const taut_order *order;
    taut_finder f;
    taut_forward *forward;
    bool *known;
    taut_arena arena; /* of a stage: */
    taut_stage g;
    part *part;
    int parts;
    int *part_of, *place; /* [columns + rows] which part, and where in it */
    double *a, *b;        /* matrix, and right-hand side or solution */
    double *all;          /* [rows][LANES] right-hand sides */
    double *z;            /* [columns] corrections in one lane */
} tangent;

/* ---- parts ---- */

static int root_of(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Rows behind columns: those that an entry connects belong together. */
static taut_status find_parts(tangent *v) {
    const taut_stage *g = &v->g;
    const int count = g->columns + g->rows;
    int *parent = TAUT_NEW_ARRAY(&v->arena, count, int);
    int *number = TAUT_NEW_ARRAY(&v->arena, count, int);
    v->part = TAUT_NEW_ARRAY(&v->arena, count, part);
    v->part_of = TAUT_NEW_ARRAY(&v->arena, count, int);
    v->place = TAUT_NEW_ARRAY(&v->arena, count, int);
    if (!parent || !v->part || !number || !v->part_of || !v->place) return TAUT_ERR_MEMORY;
    for (int i = 0; i < count; i++) parent[i] = i;
    for (int k = 0; k < g->entries; k++)
        parent[root_of(parent, g->entry_column[k])] = root_of(parent, g->columns + g->entry_row[k]);
    v->parts = 0;
    for (int i = 0; i < count; i++)
        if (root_of(parent, i) == i) number[i] = v->parts++;
    for (int i = 0; i < v->parts; i++) {
        v->part[i].row = TAUT_NEW_ARRAY(&v->arena, g->rows, int);
        v->part[i].column = TAUT_NEW_ARRAY(&v->arena, g->columns, int);
        if (!v->part[i].row || !v->part[i].column) return TAUT_ERR_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        v->part_of[i] = number[root_of(parent, i)];
        part *p = &v->part[v->part_of[i]];
        v->place[i] = i < g->columns ? p->columns : p->rows;
        if (i < g->columns)
            p->column[p->columns++] = i;
        else
            p->row[p->rows++] = i - g->columns;
    }
    return TAUT_OK;
}

static double stride(const taut_stage *g, int q) { return g->weight[q] * g->unit[g->column[q]]; }

/* The part's matrix in units of rows and columns; unlisted: without columns of what is listed. */
static void fill_matrix(const tangent *v, const part *p, bool unlisted) {
    const taut_stage *g = &v->g;
    memset(v->a, 0, (size_t)p->rows * (size_t)p->columns * sizeof *v->a);
    for (int k = 0; k < g->entries; k++) {
        const int q = g->entry_column[k], i = g->entry_row[k];
        if (&v->part[v->part_of[q]] != p || (unlisted && g->weight[q] == 1.0)) continue;
        v->a[(size_t)v->place[q] * (size_t)p->rows + (size_t)v->place[g->columns + i]] +=
            g->entry[k] * stride(g, q) / g->scale[i];
    }
}

/* Has a listed value of the part moved, or a guess that is a row? */
static void judge_part(const tangent *v, part *p) {
    const taut_stage *g = &v->g;
    const taut_system *system = g->series->system;
    const int *d = g->series->structure->offsets.d;
    p->fits = true;
    for (int q = 0; q < p->columns; q++) {
        const int j = g->column[p->column[q]], k = g->s + d[j];
        if (g->weight[p->column[q]] != 1.0) continue;
        p->listed++;
        const taut_given *given = v->f.given[j][k];
        const double from = given ? taut_consistent_given(v->order, given) : 0.0;
        const double to = taut_series_get(g->series, j, k);
        if (!(fabs(to - from) <= MOVED * fmax(fabs(to), g->unit[j]))) p->fits = false;
    }
    for (int i = 0; i < p->rows; i++) {
        const int row = p->row[i];
        if (g->row[row] < system->n || system->condition[g->row[row] - system->n].fixed) continue;
        const char *name = system->condition[g->row[row] - system->n].part;
        p->loose = p->loose || (name && name[0]);
        if (!(fabs(g->residual[row]) <= MOVED * g->scale[row])) p->fits = false;
    }
}

static taut_status find_rank(tangent *v, const part *p, bool unlisted, int *rank) {
    *rank = 0;
    if (p->columns == 0 || p->rows == 0) return TAUT_OK;
    fill_matrix(v, p, unlisted);
    memset(v->b, 0, (size_t)p->rows * sizeof *v->b);
    return taut_least_norm(p->rows, p->columns, v->a, v->b, RANK, rank);
}

static taut_status rank_part(tangent *v, part *p) {
    int all, unlisted;
    TAUT_TRY(find_rank(v, p, false, &all));
    TAUT_TRY(find_rank(v, p, true, &unlisted));
    p->independent = all == p->rows;
    p->filled = unlisted == p->rows;
    p->determined = all == p->columns;
    return TAUT_OK;
}

/* ---- directions ---- */

/* Solves the rows of a part by its columns, or by the unlisted ones: corrections into v->z. */
static taut_status solve_part(tangent *v, const part *p, int lane, bool unlisted) {
    const taut_stage *g = &v->g;
    int rank;
    for (int i = 0; i < p->rows; i++)
        v->b[i] = v->all[p->row[i] * LANES + lane] / g->scale[p->row[i]];
    for (int q = 0; q < p->columns; q++) v->z[p->column[q]] = 0.0;
    if (p->rows == 0 || p->columns == 0) return TAUT_OK;
    fill_matrix(v, p, unlisted);
    TAUT_TRY(taut_least_norm(p->rows, p->columns, v->a, v->b, RANK, &rank));
    for (int q = 0; q < p->columns; q++) v->z[p->column[q]] = v->b[q] * stride(g, p->column[q]);
    return TAUT_OK;
}

/* Can the search satisfy all parts by what is unlisted, with any numbers? Then nothing else moves.
 */
static bool is_filled(const tangent *v) {
    for (int i = 0; i < v->parts; i++)
        if (!v->part[i].filled || !v->part[i].fits) return false;
    return true;
}

/* Is what the search does to the part a linear map? Otherwise it moves all of its unknowns: where
 * they are listed and fit, by one step of least change. */
static bool is_linear(const part *p, bool filled) {
    const bool plain = p->fits && !p->loose && p->listed == p->columns;
    return p->independent && (p->determined || filled || plain);
}

static taut_status meet_lane(tangent *v, int lane, bool *known) {
    const bool filled = is_filled(v);
    for (int i = 0; i < v->parts; i++) {
        const part *p = &v->part[i];
        if (!is_linear(p, filled)) *known = false;
        TAUT_TRY(solve_part(v, p, lane, filled && !p->determined));
    }
    return TAUT_OK;
}

/* ---- stages ---- */

static taut_status begin_stage(tangent *v, int s) {
    int bad;
    TAUT_TRY(taut_stage_create(&v->f, s, TAUT_ALL_GUESSES, &v->g));
    if (v->g.rows > MOST_ROWS) return TAUT_OK;
    const size_t most = (size_t)v->g.rows + (size_t)v->g.columns;
    v->a = taut_arena_array(&v->arena, (size_t)v->g.rows * (size_t)v->g.columns, sizeof *v->a);
    v->b = TAUT_NEW_ARRAY(&v->arena, most, double);
    v->all = TAUT_NEW_ARRAY(&v->arena, (size_t)v->g.rows * LANES, double);
    v->z = TAUT_NEW_ARRAY(&v->arena, v->g.columns, double);
    if (!v->a || !v->b || !v->all || !v->z) return TAUT_ERR_MEMORY;
    if (!taut_stage_evaluate(&v->g) || !taut_stage_linearize(&v->g, &bad)) return TAUT_ERR_NUMERICS;
    TAUT_TRY(find_parts(v));
    for (int i = 0; i < v->parts; i++) {
        judge_part(v, &v->part[i]);
        TAUT_TRY(rank_part(v, &v->part[i]));
    }
    return TAUT_OK;
}

static void read_sides(tangent *v, int block, const double *side) {
    const int n = v->g.series->system->n;
    for (int i = 0; i < v->g.rows; i++) {
        double *to = v->all + (size_t)i * LANES;
        if (v->g.row[i] < n) {
            memcpy(to, side + (size_t)v->g.row[i] * LANES, LANES * sizeof *to);
            continue;
        }
        taut_forward_function(v->forward, v->g.row[i] - n, block, to);
        for (int l = 0; l < LANES; l++) to[l] = -to[l];
    }
}

static taut_status meet_stage(tangent *v, int s, int block, double *side) {
    const int directions = v->forward->order.directions;
    TAUT_TRY(begin_stage(v, s));
    if (v->g.rows <= MOST_ROWS) read_sides(v, block, side);
    memset(side, 0, (size_t)v->g.series->system->n * LANES * sizeof *side);
    for (int l = 0; l < LANES && block * LANES + l < directions; l++) {
        bool *known = &v->known[block * LANES + l];
        if (v->g.rows > MOST_ROWS) *known = false;
        if (!*known) continue;
        TAUT_TRY(meet_lane(v, l, known));
        for (int q = 0; q < v->g.columns; q++)
            side[(size_t)v->g.column[q] * LANES + (size_t)l] = v->z[q];
    }
    return TAUT_OK;
}

static taut_status meet(void *user, int s, int block, double *side) {
    tangent *v = user;
    const taut_status status = meet_stage(v, s, block, side);
    taut_arena_release(&v->g.arena);
    taut_arena_release(&v->arena);
    return status;
}

taut_status taut_consistent_vary(taut_series *series, const taut_order *order,
                                 taut_forward *forward, bool *known) {
    tangent v = {.order = order, .forward = forward, .known = known};
    taut_series *own = NULL, *point = NULL;
    for (int i = 0; i < forward->order.directions; i++) known[i] = true;
    taut_status status = taut_series_create_from(series->plan, &point);
    if (status == TAUT_OK) {
        taut_series_start(point, series->jet->t, 1.0);
        taut_series_take(point, series); /* guesses are put in its place for a moment */
        status = taut_consistent_choose_series(&v.f, order->plan, order, series, &own);
    }
    if (status == TAUT_OK) {
        taut_series_start(v.f.series, point->jet->t, 1.0);
        status = taut_consistent_set_guesses(&v.f, order);
        taut_series_take(v.f.series, point);
    }
    if (status == TAUT_OK) status = taut_forward_solve_by(forward, meet, &v);
    if (status == TAUT_ERR_NUMERICS) {
        for (int i = 0; i < forward->order.directions; i++) known[i] = false;
        status = TAUT_OK;
    }
    taut_series_free(&own);
    taut_series_free(&point);
    return status;
}
