/* How an impact varies. Impulses F and what they do to the velocities, Y, are the solution of
 * linear equations with the decisions of the run held (which contacts part, stick and slide):
 *
 *   J Y = sum of F_k g_k,   g_a Y + free_a = 0 where the impulse is unknown, F_T = part F_N,
 *
 * differentiated with the exact variations of J, of the directions g and of rates, restitution and
 * friction (docs/math/sensitivity.md, section 4). */
#include <string.h>

#include "core/dense.h"
#include "task/impact_parts.h"
#include "task/instant.h"

enum { ROWS = TAUT_TOUCH_ROWS, MOST = ROWS * TAUT_TOUCH_MOST, UNKNOWNS = 2 * TAUT_TOUCH_MOST };

/* Which impulses are unknown, and how many of the others follow from them: F[a] = part[a] times
 * unknown number of[a]; -1: it is 0. */
typedef struct impulses {
    int unknowns;
    int row[UNKNOWNS]; /* [unknowns] the rate that tells it */
    int of[MOST];
    double part[MOST];
} impulses;

static impulses find_unknowns(const taut_impact *x) {
    impulses u = {0};
    for (int k = 0; k < x->count; k++) {
        const int mode = x->answers.item[0].mode[k], N = ROWS * k, T = N + 1;
        for (int a = N; a < N + ROWS; a++) u.of[a] = -1;
        u.part[N] = u.part[T] = 1.0;
        if (mode == TAUT_TOUCH_OPEN || mode == TAUT_TOUCH_IDLE) continue;
        if (x->touch[k].normal) {
            u.of[N] = u.unknowns;
            u.row[u.unknowns++] = N;
        }
        if (x->touch[k].rough && mode == TAUT_TOUCH_CLOSED) {
            u.of[T] = u.unknowns;
            u.row[u.unknowns++] = T;
        } else if (x->touch[k].rough) {
            u.of[T] = u.of[N];
            u.part[T] = mode == TAUT_TOUCH_UP     ? -x->touch[k].slip[0]
                        : mode == TAUT_TOUCH_DOWN ? x->touch[k].slip[1]
                                                  : x->answers.item[0].share[k][0];
        }
    }
    return u;
}

typedef struct tangent {
    taut_arena arena;
    taut_simulation *s;
    const taut_touching *t;
    const taut_impact *x;
    const taut_instant *at;
    impulses u;
    double force[MOST]; /* impulses, ... */
    double dforce[MOST];
    double *Y, *dY;    /* [n] ... what they do, ... */
    double *dgradient; /* [MOST * coordinates] ... and what they act along */
    double matrix[UNKNOWNS * UNKNOWNS];
    double side[UNKNOWNS];
} tangent;

static const double *gradient_of(const tangent *v, int a) {
    return v->t->gradient + taut_impact_row(v->x, a) * (size_t)v->t->coordinates;
}

static double response_of(const tangent *v, int a, int b) {
    return v->t
        ->W[taut_impact_row(v->x, a) * (size_t)(ROWS * v->t->count) + taut_impact_row(v->x, b)];
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The unknown that an impulse takes part in, as a number. */
static double unknown_of(const tangent *v, int a) { return v->force[v->u.row[v->u.of[a]]]; }

/* The variations of the directions, from the columns of J. */
static void vary_gradients(const tangent *v, int direction) {
    const taut_series *x = v->at->series;
    memset(v->dgradient, 0, (size_t)(MOST * v->t->coordinates) * sizeof *v->dgradient);
    for (int a = 0; a < ROWS * v->x->count; a++) {
        const int i = v->t->which[v->x->at[a / ROWS]];
        const int unknown = v->s->prepared->problem->contact[i].row[a % ROWS];
        double *to = v->dgradient + a * v->t->coordinates;
        for (int e = unknown < 0 ? 0 : x->start[unknown]; unknown >= 0 && e < x->start[unknown + 1];
             e++) {
            const int row = x->row[e] - v->t->motions;
            if (row >= 0 && row < v->t->coordinates)
                to[row] = -taut_instant_entry(v->at, e, direction);
        }
    }
}

/* The variation of F_T/F_N where a contact slides. */
static double vary_part(const tangent *v, int a, int direction) {
    const int k = a / ROWS, at = v->x->at[k], mode = v->x->answers.item[0].mode[k];
    if (a % ROWS != 1 || (mode != TAUT_TOUCH_UP && mode != TAUT_TOUCH_DOWN)) return 0.0;
    const taut_contact_part part =
        v->t->rate[ROWS * at + 1] >= 0.0 ? TAUT_CONTACT_SLIP_UP : TAUT_CONTACT_SLIP_DOWN;
    const double mu = taut_instant_contact(v->s, v->at, v->t->which[at], part, 0, direction);
    return mode == TAUT_TOUCH_UP ? -mu : mu;
}

/* The variation of what the rates would be without impulses, (1 + e) times that of a blow. */
static double vary_free(const tangent *v, int a, int direction) {
    const int k = a / ROWS, at = v->x->at[k], i = v->t->which[at];
    const double rate = v->t->rate[ROWS * at], noise = v->t->noise[ROWS * at];
    const taut_contact_part part = (taut_contact_part)(TAUT_CONTACT_GAP + a % ROWS);
    const double change = taut_instant_contact(v->s, v->at, i, part, 1, direction);
    if (a % ROWS != 0 || !(rate < -noise) || v->x->ends[k]) return change;
    return (1.0 + v->x->restitution[k]) * change +
           rate * taut_instant_contact(v->s, v->at, i, TAUT_CONTACT_RESTITUTION, 0, direction);
}

/* Without the variations of the unknown impulses: dY = J^-1 (sum of F dg - dJ Y). */
static void begin_response(const tangent *v, int direction) {
    memset(v->dY, 0, (size_t)v->t->n * sizeof *v->dY);
    for (int a = 0; a < ROWS * v->x->count; a++)
        for (int j = 0; j < v->t->coordinates; j++)
            v->dY[v->t->motions + j] += v->force[a] * v->dgradient[a * v->t->coordinates + j];
    taut_instant_subtract(v->at, direction, v->Y, v->dY);
    taut_lu_solve(v->at->series->lu, v->dY);
}

static void fill_system(tangent *v, int direction) {
    const int n = v->u.unknowns, coordinates = v->t->coordinates;
    memset(v->matrix, 0, sizeof v->matrix);
    for (int i = 0; i < n; i++) {
        const int a = v->u.row[i];
        v->side[i] = -vary_free(v, a, direction) -
                     dot(coordinates, v->dgradient + a * coordinates, v->Y) -
                     dot(coordinates, gradient_of(v, a), v->dY);
        for (int k = 0; k < ROWS * v->x->count; k++) {
            if (v->u.of[k] < 0) continue;
            v->matrix[v->u.of[k] * n + i] += v->u.part[k] * response_of(v, a, k);
            v->side[i] -= response_of(v, a, k) * v->dforce[k];
        }
    }
}

/* The work of all impulses, those of drivers included: what the momenta jump by, M Y, along the
 * mean of the velocities before and behind. */
static double vary_work(const tangent *v, int direction, const taut_state *change) {
    const taut_state *state = v->s->happen->state;
    const taut_series *x = v->at->series;
    double sum = 0.0;
    for (int j = 0; j < v->t->coordinates; j++) {
        const double mean = *taut_state_at(state, j, 1) + 0.5 * v->Y[j];
        sum += taut_impact_weigh(v->t, v->dY, j) * mean +
               taut_impact_weigh(v->t, v->Y, j) * (*taut_state_at(change, j, 1) + 0.5 * v->dY[j]);
        for (int e = x->start[j]; e < x->start[j + 1]; e++)
            if (x->row[e] < v->t->coordinates)
                sum += taut_instant_entry(v->at, e, direction) * v->Y[x->row[e]] * mean;
    }
    return sum;
}

static taut_status vary(tangent *v, int direction) {
    const taut_problem *p = v->s->prepared->problem;
    taut_state *state = v->s->sensitivity->direction[direction].state;
    int pivot[UNKNOWNS];
    vary_gradients(v, direction);
    begin_response(v, direction);
    for (int a = 0; a < ROWS * v->x->count; a++)
        v->dforce[a] = v->u.of[a] < 0 ? 0.0 : vary_part(v, a, direction) * unknown_of(v, a);
    fill_system(v, direction);
    if (v->u.unknowns > 0) TAUT_TRY(taut_dense_solve(v->u.unknowns, 1, v->matrix, v->side, pivot));
    for (int a = 0; a < ROWS * v->x->count; a++) {
        if (v->u.of[a] < 0) continue;
        v->dforce[a] += v->u.part[a] * v->side[v->u.of[a]];
        const double *response = v->t->response + taut_impact_row(v->x, a) * (size_t)v->t->n;
        for (int j = 0; j < v->t->n; j++) v->dY[j] += v->dforce[a] * response[j];
    }
    if (p->work >= 0) *taut_state_at(state, p->work, 0) += vary_work(v, direction, state);
    for (int j = 0; j < p->coordinates + p->angles; j++) *taut_state_at(state, j, 1) += v->dY[j];
    for (int j = v->t->motions; j < 2 * v->t->motions; j++) /* momenta */
        *taut_state_at(state, j, 0) += v->dY[j];
    return TAUT_OK;
}

static taut_status prepare(tangent *v) {
    const taut_touching *t = v->t;
    taut_instant *at;
    v->Y = TAUT_NEW_ARRAY(&v->arena, t->n, double);
    v->dY = TAUT_NEW_ARRAY(&v->arena, t->n, double);
    v->dgradient = TAUT_NEW_ARRAY(&v->arena, MOST * (size_t)t->coordinates, double);
    if (!v->Y || !v->dY || !v->dgradient) return TAUT_ERR_MEMORY;
    TAUT_TRY(taut_instant_look(v->s, v->s->contacts->base->prepared, &at));
    v->at = at;
    v->u = find_unknowns(v->x);
    for (int a = 0; a < ROWS * v->x->count; a++) {
        const double *response = t->response + taut_impact_row(v->x, a) * (size_t)t->n;
        if (v->u.of[a] < 0) continue;
        v->force[a] = v->x->answers.item[0].force[a];
        for (int j = 0; j < t->n; j++) v->Y[j] += v->force[a] * response[j];
    }
    return TAUT_OK;
}

/* Friction by a load has no fixed part of any impulse: a load is the length of a vector. */
static taut_status check_loads(const taut_simulation *s, const taut_touching *t,
                               const taut_impact *x, taut_errors *errors) {
    for (int k = 0; k < x->count; k++) {
        const taut_model_contact *c = &s->prepared->problem->model->contact[t->which[x->at[k]]];
        const int mode = x->answers.item[0].mode[k];
        if (x->touch[k].loads == 0 || mode == TAUT_TOUCH_CLOSED || !taut_mode_is_closed(mode))
            continue;
        return taut_fail_at(errors, TAUT_ERR_INPUT, c->place,
                            "options.sensitivity: sensitivities end at the impact at t = %.10g, in "
                            "which '%s' slides by the load of its joint",
                            s->happen->time, c->element);
    }
    return TAUT_OK;
}

taut_status taut_impact_vary(taut_simulation *s, const taut_touching *t, const taut_impact *impact,
                             taut_errors *errors) {
    tangent v = {.s = s, .t = t, .x = impact};
    if (!s->sensitivity) return TAUT_OK;
    TAUT_TRY(check_loads(s, t, impact, errors));
    taut_status status = prepare(&v);
    for (int i = 0; i < s->sensitivity->directions && status == TAUT_OK; i++) status = vary(&v, i);
    taut_arena_release(&v.arena);
    return taut_sensitivity_blame(s, status, errors);
}
