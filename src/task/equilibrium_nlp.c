/* Where Gauss-Newton finds no way to an equilibrium: the equations at rest as constraints, all
 * positions, forces and free values as unknowns, as close to the start as they allow, by IPOPT.
 * What comes out is polished by Gauss-Newton (docs/math/linearisation.md, section 4). */
#include <math.h>
#include <string.h>

#include "core/philox.h"
#include "model/parameters.h"
#include "solve/nlp.h"
#include "task/equilibrium.h"

enum { MOST = 300, ITERATIONS = 500 };
static const double SECONDS = 5.0;
static const double NUDGE = 1e-2;   /* of the size: off points where gradients vanish */
static const double NOTHING = 1e-9; /* entry of a row that is none */

typedef struct rest_problem {
    taut_rest *s;
    taut_arena arena;
    taut_variational *v;
    taut_series *series;
    taut_nlp nlp;
    int n, frees, all; /* unknowns, free values, both */
    int *row;          /* [nlp.m] functions that are to vanish */
    double *first;     /* [all] the start */
    double *weight;    /* [all] of the distance from it */
    double *gradient;  /* [place[n]] work space */
} rest_problem;

/* ---- values ---- */

/* Puts unknowns, at rest, and free values into the series. */
static bool look(rest_problem *r, const double *x) {
    taut_rest *s = r->s;
    const int *d = r->series->structure->offsets.d;
    for (int k = 0; k < r->frees; k++) s->number[s->free[k]] = x[r->n + k];
    if (r->frees > 0 || s->bends) {
        taut_model_fill_numbers(s->model, s->set, s->number, s->work);
        if (taut_series_set_numbers(r->series, s->number) != TAUT_OK) return false;
    }
    taut_series_start(r->series, s->state->t, 1.0);
    for (int j = 0; j < r->n; j++)
        for (int k = 0; k <= d[j]; k++) taut_series_set(r->series, j, k, k == 0 ? x[j] : 0.0);
    taut_series_look(r->series, 0);
    return true;
}

/* The derivatives of a function by all unknowns. */
static void fill_row(const rest_problem *r, int function, double *out) {
    const int *place = taut_variational_place(r->v), row = r->n + function;
    memset(r->gradient, 0, (size_t)place[r->n] * sizeof *r->gradient);
    taut_variational_gradient(r->v, row, 0, r->gradient);
    for (int j = 0; j < r->n; j++) out[j] = r->gradient[place[j]];
    for (int k = 0; k < r->frees; k++) out[r->n + k] = taut_variational_by_input(r->v, row, 0, k);
}

static bool go(void *user, const double *x) {
    rest_problem *r = user;
    taut_nlp *p = &r->nlp;
    double sum = 0.0;
    if (!look(r, x)) return false;
    p->f = 0.0;
    for (int i = 0; i < r->all; i++) {
        const double off = x[i] - r->first[i];
        p->f += 0.5 * r->weight[i] * off * off;
        p->gradient[i] = r->weight[i] * off;
    }
    for (int i = 0; i < p->m; i++) {
        p->g[i] = taut_variational_value(r->v, r->row[i], 0);
        fill_row(r, r->row[i], p->jacobian + (size_t)i * (size_t)r->all);
        sum += p->g[i];
    }
    for (int i = 0; i < p->jacobian_entries; i++) sum += p->jacobian[i];
    return isfinite(sum) && isfinite(p->f);
}

/* ---- the problem ---- */

static taut_status create_equations(rest_problem *r) {
    const taut_prepared *p = r->s->simulation->prepared;
    const taut_problem *problem = p->problem;
    const int first = r->s->model->outputs.count - r->s->model->wants;
    int functions = 0, outputs = 0;
    double *weight;
    taut_node *function =
        TAUT_NEW_ARRAY(&r->arena, r->n + problem->angles + r->s->model->wants + 1, taut_node);
    int *level = TAUT_NEW_ARRAY(&r->arena, r->n + problem->angles + r->s->model->wants + 1, int);
    r->row = TAUT_NEW_ARRAY(&r->arena, r->n + problem->angles + r->s->model->wants + 1, int);
    if (!function || !level || !r->row) return TAUT_ERR_MEMORY;
    for (int i = 0; i < r->n; i++) function[functions++] = problem->system.equation[i].node;
    for (int k = 0; k < problem->angles && problem->angle_off; k++)
        function[functions++] = problem->angle_off[k];
    for (int i = 0; i < problem->columns; i++) {
        if (problem->column[i].kind != TAUT_COLUMN_OUTPUT || !problem->column[i].primes) continue;
        if (outputs++ < first || outputs > first + r->s->model->wants) continue;
        function[functions++] = problem->column[i].node;
    }
    TAUT_TRY(
        taut_linear_weigh(r->s->model, problem->graph, r->s->free, r->frees, &r->arena, &weight));
    const taut_variational_order order = {.function = function,
                                          .levels = level,
                                          .functions = functions,
                                          .weight = weight,
                                          .inputs = r->frees,
                                          .parameters = r->s->model->parameters};
    TAUT_TRY(taut_variational_create(&problem->system, &p->structure, &order, &r->v));
    r->series = taut_variational_series(r->v);
    r->nlp.m = functions;
    return TAUT_OK;
}

/* Rows that contain no position, force or free value hold by themselves: rates of angles, of work.
 */
static void drop_rows(rest_problem *r, const double *x, double *row) {
    const int all = r->nlp.m;
    r->nlp.m = 0;
    if (!look(r, x)) return;
    for (int i = 0; i < all; i++) {
        double largest = 0.0;
        fill_row(r, i, row);
        for (int k = 0; k < r->all; k++) largest = fmax(largest, fabs(row[k]));
        if (largest > NOTHING) r->row[r->nlp.m++] = i;
    }
}

static taut_status create_places(rest_problem *r) {
    taut_nlp *p = &r->nlp;
    int *row = TAUT_NEW_ARRAY(&r->arena, p->m * r->all + 1, int);
    int *column = TAUT_NEW_ARRAY(&r->arena, p->m * r->all + 1, int);
    p->n = r->all;
    p->jacobian_entries = p->m * r->all;
    p->jacobian = TAUT_NEW_ARRAY(&r->arena, p->jacobian_entries + 1, double);
    p->g = TAUT_NEW_ARRAY(&r->arena, p->m + 1, double);
    p->gradient = TAUT_NEW_ARRAY(&r->arena, r->all + 1, double);
    if (!row || !column || !p->jacobian || !p->g || !p->gradient) return TAUT_ERR_MEMORY;
    for (int i = 0; i < p->jacobian_entries; i++) {
        row[i] = i / r->all;
        column[i] = i % r->all;
    }
    p->jacobian_row = row;
    p->jacobian_column = column;
    p->go = go;
    p->user = r;
    p->most_iterations = ITERATIONS;
    p->most_seconds = SECONDS;
    return TAUT_OK;
}

/* The start, weights, and a place a little off it. */
static taut_status create_start(rest_problem *r, double **x) {
    const int *d = r->s->simulation->prepared->structure.offsets.d;
    double size = 1e-3;
    r->first = TAUT_NEW_ARRAY(&r->arena, r->all + 1, double);
    r->weight = TAUT_NEW_ARRAY(&r->arena, r->all + 1, double);
    r->gradient = TAUT_NEW_ARRAY(&r->arena, taut_variational_place(r->v)[r->n] + 1, double);
    *x = TAUT_NEW_ARRAY(&r->arena, r->all + 1, double);
    if (!r->first || !r->weight || !r->gradient || !*x) return TAUT_ERR_MEMORY;
    for (int j = 0; j < r->n; j++)
        if (d[j] > 0) size = fmax(size, fabs(r->s->x[j]));
    for (int i = 0; i < r->all; i++) {
        const bool position = i < r->n && d[i] > 0;
        r->first[i] = i < r->n ? r->s->x[i] : r->s->p[i - r->n];
        r->weight[i] = position ? 1.0 / (size * size) : 1e-6;
        const double way = taut_random_unit(taut_random_bits(3, 0, (uint64_t)i)) - 0.5;
        (*x)[i] = r->first[i] + (position ? 2.0 * NUDGE * size * way : 0.0);
    }
    return TAUT_OK;
}

static taut_status solve(rest_problem *r, bool *moved) {
    double *x, *row;
    TAUT_TRY(create_equations(r));
    TAUT_TRY(create_start(r, &x));
    row = TAUT_NEW_ARRAY(&r->arena, r->all + 1, double);
    if (!row) return TAUT_ERR_MEMORY;
    drop_rows(r, x, row);
    if (r->nlp.m == 0 || r->nlp.m > r->all) return TAUT_OK;
    TAUT_TRY(create_places(r));
    const taut_status status = taut_nlp_solve(&r->nlp, x, NULL);
    if (status == TAUT_ERR_MEMORY) return status;
    for (int i = 0; i < r->all; i++)
        if (!isfinite(x[i])) return TAUT_OK;
    if (status != TAUT_OK) return TAUT_OK; /* or there is no IPOPT: others may find it */
    memcpy(r->s->x, x, (size_t)r->n * sizeof *x);
    memcpy(r->s->p, x + r->n, (size_t)r->frees * sizeof *x);
    *moved = true;
    return TAUT_OK;
}

taut_status taut_rest_optimise(taut_rest *s, bool *moved) {
    rest_problem r = {.s = s, .n = s->n, .frees = s->frees, .all = s->n + s->frees};
    *moved = false;
    if (s->steady || r.all > MOST) return TAUT_OK;
    const taut_status status = solve(&r, moved);
    taut_variational_free(&r.v);
    taut_arena_release(&r.arena);
    return status;
}
